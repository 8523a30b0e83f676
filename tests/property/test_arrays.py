"""Arrays of the learning environments say all that a seat is shown and asked, and nothing else, over fuzzed games."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from itertools import combinations
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.envs.table import Table
from rasputitsa.portfolio.model.combat import Attack
from rasputitsa.portfolio.model.theatre import AXIS, SIDES
from rasputitsa.wir.model.tables import AIR, groups_of
from rasputitsa.wir.model.theatre import CITY_VALUES
from rasputitsa.wir.rules.supply.supply import Depot
from tests.property import test_wir_games as wir_games
from tests.property.test_wir_secrecy import scrambled
from tests.support import choose

Chooser = Callable[[random.Random, list[Action]], Action]
CHOOSERS: Mapping[str, Chooser] = {"portfolio": choose, "wir": wir_games.choose}
BRANCHES = 8
"""How many answers to one question are looked at side by side."""


def arrays_of(table: Table, state: Any, seat: str) -> bytes:
    """A digest of what a seat is given."""
    decision = table.game.decision(state)
    mine = decision if decision is not None and decision.seat == seat else None
    digest = blake2b(digest_size=16)
    found = table.encoder.encode(table.game.view_of(state, seat), mine.options if mine else None, seat)
    for name in sorted(found):
        assert found[name].shape == table.encoder.shapes()[name]
        assert found[name].dtype == np.float32 and found[name].min() >= 0 and found[name].max() <= 1, name
        digest.update(found[name].tobytes())
    digest.update(table.index.mask(mine.options if mine else ()).tobytes())
    return digest.digest()


def shown_to(table: Table, state: Any, seat: str) -> str:
    """What a person in the seat is shown and asked, in a form in which the order of what is a set does not count."""
    game, decision = table.game, table.game.decision(state)
    seen = dict(game.observe(state, seat))
    seen["attacks"] = [{**attack, "units": sorted(attack["units"])} for attack in seen["attacks"]]
    if seen.get("depot"):  # of hexes that a depot enters again and again the last time counts
        route = seen["depot"]["route"]
        seen["depot"] = {**seen["depot"], "route": [len(route), {hex_: n for n, hex_ in enumerate(route)}]}
    if seen["outcome"] is not None:  # its words stand in ``info``
        seen["outcome"] = seen["outcome"]["winner"] or "draw"
    asked = None
    if decision is not None and decision.seat == seat:
        asked = words(table, state, decision)
    return json.dumps([seen, asked], sort_keys=True)


def words(table: Table, state: Any, decision: Decision) -> list[Any]:
    """A question in words."""
    options = sorted(table.game.format(state, option) for option in decision.options)
    return [decision.kind, decision.prompt, options, sorted(decision.units), sorted(decision.hexes)]


def positions(game: str, start: Mapping[str, Any], seed: int, every: int, count: int) -> Iterator[tuple[Table, Any]]:
    """Positions of a random game, and beside each those to which other answers would have led, with the same dice."""
    table, chooser = Table(game, **start), random.Random(seed)
    dice, state = SeededDice(seed), table.state
    for number in range(every * count):
        legal = table.game.decision(state)
        if legal is None:
            break
        options = list(legal.options)
        if number % every == 0:
            yield table, state
            for option in chooser.sample(options, min(len(options), BRANCHES)):
                other = table.game.copy(state)
                table.game.apply(other, option, dice.fork("test"))
                yield table, other
        table.game.apply(state, CHOOSERS[game](chooser, options), dice)


STARTS: list[tuple[str, dict[str, Any], int, int, int]] = [
    ("portfolio", {"scenario": "june22"}, 1, 11, 60),
    ("portfolio", {"options": {"players": "4", "soviet_deployment": "free"}}, 2, 17, 40),
    ("portfolio", {"lesson": "winter"}, 3, 5, 40),
    ("wir", {"scenario": "barbarossa_short"}, 1, 31, 40),
    ("wir", {"scenario": "case_blue", "options": {"ledger": "shown"}}, 2, 41, 25),
    ("wir", {"scenario": "zitadelle", "options": {"fog": "open"}}, 3, 31, 25),
    ("wir", {"lesson": "depots"}, 4, 3, 25),
]


@pytest.mark.parametrize(("game", "start", "seed", "every", "count"), STARTS)
def test_what_is_shown_differently_is_encoded_differently(
    game: str, start: dict[str, Any], seed: int, every: int, count: int
) -> None:
    """No two positions that a seat can tell apart on the screen have the same arrays."""
    known: dict[tuple[str, bytes], str] = {}
    for table, state in positions(game, start, seed, every, count):
        for seat in table.side:
            key, shown = (seat, arrays_of(table, state, seat)), shown_to(table, state, seat)
            before = known.setdefault(key, shown)
            if before != shown:
                raise AssertionError(differences(json.loads(before), json.loads(shown)))
    assert len(known) > count


def differences(a: Any, b: Any, where: str = "") -> list[str]:
    """Where two values of JSON differ."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return [line for key in a for line in differences(a[key], b[key], f"{where}.{key}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [line for n in range(len(a)) for line in differences(a[n], b[n], f"{where}[{n}]")]
    return [] if a == b else [f"{where}: {a!r:.200} / {b!r:.200}"]


@pytest.mark.parametrize(
    ("scenario", "seed", "every", "count"), [("barbarossa_short", 1, 60, 40), ("zitadelle", 2, 45, 40)]
)
def test_the_secrets_of_the_enemy_change_no_array(scenario: str, seed: int, every: int, count: int) -> None:
    table, chooser = Table("wir", scenario=scenario, options={"level": "1"}), random.Random(seed)
    dice, state = SeededDice(seed), table.state
    for number in range(every * count):
        decision = table.game.decision(state)
        if decision is None:
            break
        if number % every == 0:
            for side, seat in enumerate(table.side):
                other = scrambled(state, 1 - side, chooser)
                assert arrays_of(table, state, seat) == arrays_of(table, other, seat)
                assert arrays_of(table, state, seat) != arrays_of(table, scrambled(state, side, chooser), seat)
        table.game.apply(state, CHOOSERS["wir"](chooser, list(decision.options)), dice)
    assert state.turn > 1


def test_the_number_picked_for_the_roulette_changes_no_array_of_the_soviets() -> None:
    table, chooser = Table("portfolio", options={"players": "4"}), random.Random(5)
    dice, state = SeededDice(5), table.state
    for number in range(600):
        decision = table.game.decision(state)
        if decision is None:
            break
        if number % 20 == 0:
            other = table.game.copy(state)
            other.secret = 1 + other.secret % 6
            for seat, side in table.side.items():
                same = arrays_of(table, state, seat) == arrays_of(table, other, seat)
                assert same == (SIDES[AXIS] != side)
        table.game.apply(state, choose(chooser, list(decision.options)), dice)


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_options_of_the_game_are_distinguished(game: str) -> None:
    table = Table(game)
    seen = set()
    for option in table.game.options():
        for choice in option.choices:
            if (option.id, choice.id) != ("players", "4"):
                other = Table(game, options={option.id: choice.id})
                seen.add(arrays_of(other, other.state, "axis"))
    changes = sum(len(option.choices) - 1 for option in table.game.options() if option.id != "players")
    assert len(seen) == 1 + changes


def test_attacks_are_distinguished_by_the_numbers_that_actions_give_them() -> None:
    """`resolve 1` and `resolve 2` mean something else when the same attacks are announced the other way round."""
    table = Table("portfolio", lesson="pocket")
    game, tables = table.game, []
    pairs = two_attacks(table)
    for order in (pairs, pairs[::-1]):
        state = game.copy(table.state)
        state.attacks = ()
        for targets, units in order:
            state.attacks = (*state.attacks, Attack((targets,), (units,), 0))
        tables.append(state)
    assert arrays_of(table, tables[0], "axis") != arrays_of(table, tables[1], "axis")
    assert table.index.number(Action("resolve", (1,))) != table.index.number(Action("resolve", (2,)))
    seen = table.encoder.encode(tables[0], None, "axis")["attacks"]
    assert (seen[:2, 0] == 1).all() and not seen[2:].any()


def two_attacks(table: Table) -> list[tuple[int, int]]:
    """Two pairs of a Soviet hex and a unit of the Axis."""
    state = table.state
    hexes = [hex_ for hex_ in range(table.state.rules.grid.size) if state.occ[1] >> hex_ & 1]
    units = [unit for unit, where in enumerate(state.pos) if where >= 0 and state.rules.roster.side[unit] == AXIS]
    return list(zip(hexes[:2], units[:2], strict=True))


def altered(state: Any) -> dict[str, Any]:
    """Positions of War in Russia that differ from one in one thing of the Axis, or in what all may see."""
    own, air = state.on_map(groups_of(AXIS)), state.on_map(groups_of(AXIS, AIR))
    city = next(n for n, owner in enumerate(state.owner) if owner == AXIS and max(row[n] for row in state.values) < 99)
    unit = state.group_units[next(g for g in own if state.group_units[g])][0]
    changes: dict[str, tuple[str, int, Any]] = {
        "kind": ("utype", unit, state.utype[unit] % 9 + 1), "name": ("uname", unit, state.uname[unit] + 1),
        "target": ("strike", air[0], 401), "other target": ("strike", air[0], 403), "bombs": ("strike", air[0], 402),
        "rail order": ("rail_order", 0, state.hex[own[0]]), "another": ("rail_order", 0, state.hex[own[-1]]),
        "long route": ("depot_route", 58, long_route(state, 20)),
        "longer route": ("depot_route", 58, long_route(state, 21)),
        "artillery": ("artillery", own[0], 310), "more artillery": ("artillery", own[0], 900),
    }  # fmt: skip
    found = {}
    for name, (row, place, value) in changes.items():
        found[name] = state.copy()
        getattr(found[name], row)[place] = value
    for name, field, number in (
        ("axis first", "first", 0), ("soviets first", "first", 1), ("dismantled", "dismantled", 1),
        ("months", "months", 3), *((f"sea {n}", "naval", 1 << n) for n in range(3)),
    ):  # fmt: skip
        found[name] = state.copy()
        setattr(found[name], field, number)
    for kind in range(len(CITY_VALUES)):
        for more in (1, 30, 60):  # many people and many supply centres are not all the same
            other = found[f"{CITY_VALUES[kind]} {more}"] = state.copy()
            other.values[kind][city] += more
    return found


def long_route(state: Any, length: int) -> tuple[int, ...]:
    """A way of a depot to and fro."""
    here = state.rules.depot_hex[58]
    next_ = next(h for h in state.rules.grid.neighbours[here] if h >= 0)
    return tuple((next_, here)[n % 2] for n in range(length))


def test_what_a_side_has_ordered_and_owns_is_distinguished() -> None:
    table = Table("wir", scenario="case_blue")
    arrays = {name: arrays_of(table, state, "axis") for name, state in altered(table.state).items()}
    arrays[""] = arrays_of(table, table.state, "axis")
    same = [(a, b) for a, b in combinations(arrays, 2) if arrays[a] == arrays[b]]
    assert not same
    depot = [arrays_of(table, asked_for(table.state, depot), "axis") for depot in (58, 59)]
    assert depot[0] != depot[1]


def asked_for(state: Any, depot: int) -> Any:
    """A position in which a depot of the Axis is asked for, standing where another one starts."""
    other = state.copy()
    other.stack = (*other.stack[:1], Depot(AXIS, depot, other.rules.depot_hex[60], 0, ()))
    return other
