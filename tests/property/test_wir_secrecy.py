"""War in Russia: what a seat is told holds no secret of the enemy, over whole games."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.events import Event
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.api.observe import OF_A_GROUP
from rasputitsa.wir.model.groups import UnitLost
from rasputitsa.wir.model.plot import legal_plots
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import AIR, GROUPS, KIND, UNITS, group_side, groups_of
from rasputitsa.wir.model.theatre import CITY_VALUES, INDUSTRY, SIDES, SUPPLY
from rasputitsa.wir.rules.end_of_turn.events import GuardsNamed, TypeRedesignated
from rasputitsa.wir.rules.end_of_turn.lendlease import ConvoyMissed, LendLeaseArrived
from rasputitsa.wir.rules.execution.cancelled import PlotCancelled
from rasputitsa.wir.rules.supply.supply import RailRainedOff
from rasputitsa.wir.rules.turn.secrecy import GroupRedeployed
from rasputitsa.wir.rules.turn.sequence import phase_of
from tests.property.test_wir_games import choose

GAME = WirGame()
GROUP, HEX, SIDE, CITY, COUNT, WORD, MANY = "group", "hex", "side", "city", "count", "word", "groups"
PUBLIC: dict[str, tuple[str, ...]] = {
    "turn": (COUNT, WORD), "phase": (WORD, SIDE), "segment": (COUNT, SIDE), "proposal": (COUNT, COUNT),
    "group_gone": (GROUP,), "rail_built": (SIDE, HEX), "partisans": (HEX,),
    "moves": (GROUP, HEX, HEX), "advances": (GROUP, HEX, HEX), "retreats": (GROUP, HEX, HEX),
    "surrenders": (GROUP, HEX), "city": (CITY, SIDE), "bombards": (GROUP, HEX),
    "fight": (HEX, MANY, COUNT, MANY, COUNT, COUNT), "blast": (HEX, MANY, COUNT),
    "raid": (GROUP, HEX, COUNT), "intercepted": (GROUP, HEX, MANY, COUNT, COUNT), "overcast": (HEX,),
    "plant_hit": (CITY, COUNT), "air_destroyed": (GROUP, HEX), "air_back": (GROUP, HEX),
    "convoy_bombed": (GROUP, COUNT, COUNT), "siberians": (GROUP, CITY), "automatic_end": (SIDE,),
    "month_survived": (COUNT,), "final_score": (COUNT, COUNT, WORD),
}  # fmt: skip
"""Every event that both sides may read, and what its arguments are: places and pieces on the map, and the results of
the execution that the manual shows on the screen (4.6, 7). Whatever else happens is for one side."""
NEWS: dict[str, tuple[str, ...]] = {"redeployed": (GROUP, HEX, HEX), "appeared": (GROUP, HEX), "vanished": (GROUP, HEX)}
"""What all but their own side are told of groups when the orders of a phase are given (3.3)."""


def fits(s: State, role: str, value: object) -> bool:
    if role == WORD:
        return isinstance(value, str) and not any(letter.isdigit() for letter in value)
    if role == MANY:
        return isinstance(value, tuple) and all(fits(s, GROUP, group) for group in value)
    if not isinstance(value, int):
        return False
    most = {GROUP: GROUPS, HEX: s.rules.grid.size, SIDE: 2, CITY: len(s.rules.map.cities), COUNT: 10_000_000}[role]
    return -1 <= value < most


def scrambled(s: State, side: int, chooser: random.Random) -> State:
    """The same position but for the secrets of a side, which are all others."""
    t = s.copy()
    first = side * (UNITS // 2)
    for unit in range(first, first + UNITS // 2):
        if t.utype[unit]:
            t.strength[unit], t.experience[unit] = chooser.randint(1, 90), chooser.randint(1, 99)
            t.fatigue[unit], t.uname[unit] = chooser.randint(0, 95), chooser.randint(1, 199)
    for group in t.on_map(groups_of(side)):
        bit = 1 << group
        t.artillery[group], t.entrench[group] = chooser.randint(0, 240), chooser.randint(0, 5)
        t.aircraft[group] = chooser.randint(1, 255) if KIND[group] == AIR else 0
        if KIND[group] != AIR:
            t.plot[group] = chooser.choice((0, *legal_plots(KIND[group])))
            t.group_units[group] = tuple(chooser.sample(t.group_units[group], len(t.group_units[group])))
        for name in ("supplied", "relieved", "moved", "from_line", "halted", "added_artillery"):
            setattr(t, name, getattr(t, name) ^ (bit if chooser.random() < 0.5 else 0))
        t.steps[group], t.unsupplied_moves[group] = chooser.randint(0, 4), chooser.randint(0, 3)
    t.pools[side] = [chooser.randint(0, most) for most in t.rules.limits.pools]
    t.rest[side] = [chooser.randint(0, 99) for _ in t.rules.limits.pools]
    for city in range(len(t.owner)):
        if t.owner[city] == side:
            for kind in range(INDUSTRY, SUPPLY):
                t.values[kind][city] = chooser.randint(0, 9)
    t.rail_order[side] = t.hex[chooser.choice(t.on_map(groups_of(side)))]
    t.rail_moves[side], t.air_moves[side] = chooser.randint(0, 3), chooser.randint(0, 50)
    t.naval ^= 7 << side * 3 if chooser.random() < 0.5 else 0
    t.dismantled ^= 1 << side
    if side:
        t.lend = [chooser.randint(0, 300), chooser.randint(0, 40)]
    return t


def assert_same_to(s: State, t: State, seat: str) -> None:
    """Nothing that a seat is shown tells two positions apart."""
    seen, other = GAME.observe(s, seat), GAME.observe(t, seat)
    assert seen == other
    json.dumps(seen)
    assert GAME.view_of(s, seat) == GAME.view_of(t, seat)
    side = SIDES.index(seat)
    own = next(g for g in groups_of(side) if s.hex[g] != OFF and KIND[g] != AIR)
    enemy = next(g for g in groups_of(1 - side) if s.hex[g] != OFF and KIND[g] != AIR)
    target, home = s.rules.grid.names[s.hex[enemy]], s.rules.grid.names[s.hex[own]]
    questions: tuple[tuple[str, dict[str, object]], ...] = (
        ("odds", {"units": [str(own)], "target": target}), ("supply", {"side": SIDES[1 - side]}),
        ("forecast", {"side": SIDES[1 - side]}), ("plots", {"unit": str(enemy)}), ("reach", {"unit": str(enemy)}),
        ("zoc", {"side": SIDES[1 - side]}), ("victory", {}), ("plots", {"unit": str(enemy), "to": home}),
        ("route", {"unit": str(enemy), "to": home}),
    )  # fmt: skip
    for kind, args in questions:
        assert answer(s, seat, kind, args) == answer(t, seat, kind, args), kind


def shown(s: State, seat: str | None) -> tuple[str, State]:
    """All that a seat that is not asked can get at."""
    return json.dumps(GAME.observe(s, seat)), GAME.view_of(s, seat)


def but_for_the_phase(seen: str) -> dict[str, object]:
    """What a seat is shown, but for the place in the sequence of play."""
    return {name: value for name, value in json.loads(seen).items() if name not in ("phase", "scan")}


@pytest.mark.parametrize(
    ("seed", "scenario", "weeks"), [(1, "barbarossa_short", 12), (2, "case_blue", 20), (3, "zitadelle", 20)]
)
def test_while_a_side_gives_orders_nobody_else_sees_anything_of_it(seed: int, scenario: str, weeks: int) -> None:
    """From the first order of a phase to its last nothing changes, and no event is told.

    Of a row of phases of one side only their sequence is public (3.3).
    """
    chooser, dice = random.Random(seed), SeededDice(seed)
    s, before, orders, moved = GAME.setup(scenario, {"level": "1"}), None, 0, 0
    while s.outcome is None and s.turn <= weeks:
        seat = GAME.to_move(s)
        others = [other for other in (*SIDES, None) if other != seat]
        now = [shown(s, other) for other in others]
        if before is not None:
            assert now == before
            orders += 1
        begun, where, public = (seat, s.turn), s.hex[:], phase_of(s)
        events = GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
        before = now if (GAME.to_move(s), s.turn) == begun else None
        if before is not None and phase_of(s) != public:
            after = [shown(s, other) for other in others]
            assert [but_for_the_phase(found) for found, _ in after] == [but_for_the_phase(found) for found, _ in now]
            before = after
        if before is not None:
            told = [
                event
                for event in events
                if event.kind not in ("phase", "group_gone") and GAME.is_visible(s, event, None)
            ]
            assert not told
            moved += s.hex != where
    assert orders > 1000 and moved > 20


def test_what_stands_at_the_end_of_the_orders_is_reported_and_no_more() -> None:
    """A march that was taken back leaves no trace; of one that stays only its two ends are told (6.1, 3.3)."""
    s, dice = GAME.setup("barbarossa_short", {}), SeededDice(1)
    told: list[Event] = []

    def give(line: str) -> None:
        for action in GAME.parse(s, line):
            told.extend(event for event in GAME.apply(s, action, dice) if GAME.is_visible(s, event, "soviet"))

    for line in ("done", "done", "auto_supply", "done", "auto_supply"):
        give(line)
    marches = [(group, longest(s, group)) for group in s.on_map(groups_of(0)) if KIND[group] != AIR]
    (back, way), (stays, other) = [found for found in marches if found[1].count("step") > 1][:2]
    start = s.hex[stays]
    told.clear()
    give(f"get {back}; {way}; abort; halt")
    give(f"get {stays}; {other}; halt")
    assert not told
    end = s.hex[stays]
    give("done")
    assert [event for event in told if event.kind in NEWS] == [GroupRedeployed(stays, start, end)]
    assert not {"marches", "entrains", "aborts", "formed"} & {event.kind for event in told}


def longest(s: State, group: int) -> str:
    """The line of steps that leads a group farthest."""
    found = GAME.query(s, "axis", "reach", {"unit": str(group)})["plain"]
    if not found:
        return ""
    farthest = max(found, key=lambda hex_: int(hex_["cost"]))["hex"]
    return str(GAME.query(s, "axis", "route", {"unit": str(group), "to": farthest})["line"])


def answer(s: State, seat: str, kind: str, args: dict[str, object]) -> object:
    try:
        return GAME.query(s, seat, kind, args)
    except Exception as refused:
        return repr(refused)


@pytest.mark.parametrize(
    ("seed", "scenario", "weeks"),
    [(1, "barbarossa_short", 12), (2, "case_blue", 12), (3, "zitadelle", 12), (4, "barbarossa", 40)],
)
def test_the_secrets_of_the_enemy_make_no_difference(seed: int, scenario: str, weeks: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s, count, compared = GAME.setup(scenario, {"level": "1"}), 0, 0
    while s.outcome is None and s.turn <= weeks:
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
        count += 1
        if count % 149 == 0 and s.outcome is None:
            for side, seat in enumerate(SIDES):
                assert_same_to(s, scrambled(s, 1 - side, chooser), seat)
                compared += 1
    assert compared > 20


def test_the_scrambling_can_be_seen_by_its_owner() -> None:
    """Otherwise the test above would prove nothing."""
    s = GAME.setup("barbarossa", {})
    t = scrambled(s, 0, random.Random(1))
    assert GAME.observe(s, "axis") != GAME.observe(t, "axis")
    assert GAME.observe(s, "soviet") == GAME.observe(t, "soviet")
    for name in CITY_VALUES:
        assert any(name in city for city in GAME.observe(s, "soviet")["cities"])


@pytest.mark.parametrize(
    ("seed", "scenario", "weeks"), [(1, "barbarossa_short", 41), (2, "case_blue", 60), (1, "zitadelle", 40)]
)
def test_what_the_enemy_may_read_is_on_the_list(seed: int, scenario: str, weeks: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s = GAME.setup(scenario, {"level": "1"})
    public: set[str] = set()
    private: set[str] = set()
    news: set[str] = set()
    while s.outcome is None and s.turn <= weeks:
        action: Action = choose(chooser, GAME.legal(s))
        events = GAME.apply(s, action, dice)
        if s.outcome is not None:
            break
        for event in events:
            event.words(s)
            readers = [seat for seat in (*SIDES, None) if GAME.is_visible(s, event, seat)]
            if event.kind in NEWS:
                assert set(readers) == {*SIDES, None} - {owner_of(event)}, event
                assert all(map(fits_in(s), NEWS[event.kind], event.args)), event
                news.add(event.kind)
            elif None in readers or len(readers) == 2:
                assert readers == [*SIDES, None], event
                assert event.kind in PUBLIC, event
                roles = PUBLIC[event.kind]
                assert len(roles) == len(event.args) and all(map(fits_in(s), roles, event.args)), event
                public.add(event.kind)
            else:
                assert readers == [owner_of(event)], event
                private.add(event.kind)
    assert {"fight", "moves", "city", "turn"} <= public
    assert {"production", "supplied", "losses", "marches", "formed"} <= private
    assert "redeployed" in news
    assert not public & private


def fits_in(s: State) -> Callable[[str, object], bool]:
    return lambda role, value: fits(s, role, value)


def owner_of(event: Event) -> str:
    """The side whose secret an event is: by its group or side."""
    if event.kind.startswith(("lend_lease", "siberians")):
        return "soviet"
    if event.kind == "redesignated":
        return "axis"
    first = int(event.args[0])
    side: int = group_side(first) if isinstance(event, OF_A_GROUP) or event.kind in NEWS else first
    return SIDES[side]


@pytest.mark.parametrize(
    ("event", "seat"),
    [
        (UnitLost(12, "7 INF"), "axis"), (UnitLost(80, "7 RIFLE"), "soviet"),
        (PlotCancelled(12, 500, "full"), "axis"), (ConvoyMissed(54), "axis"),
        (TypeRedesignated(1, 2, 9), "axis"), (RailRainedOff(1, 500), "soviet"),
        (LendLeaseArrived("north", 20, 3), "soviet"), (GuardsNamed(80, "7 RIFLE", "1 GDS RIFLE"), "soviet"),
    ],
)  # fmt: skip
def test_what_is_for_one_side_alone(event: Event, seat: str) -> None:
    s = GAME.setup("barbarossa", {})
    assert [reader for reader in (*SIDES, None) if GAME.is_visible(s, event, reader)] == [seat]
    opened = GAME.setup("barbarossa", {"fog": "open"})
    assert all(GAME.is_visible(opened, event, reader) for reader in (*SIDES, None))
