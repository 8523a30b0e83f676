"""Random orders, week after week: whatever happens, nothing is lost without a note and nothing breaks a limit."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.events import Event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.plot import legal_plots, unpack
from rasputitsa.wir.model.ruleset import ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    GROUPS,
    KIND,
    MECHANIZED,
    UNITS,
    group_side,
    groups_of,
    unit_side,
)
from rasputitsa.wir.model.theatre import AXIS, SOVIET, SUPPLY
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution import execution
from rasputitsa.wir.rules.movement import air_plots
from rasputitsa.wir.rules.turn import weather
from rasputitsa.wir.rules.turn.setup import initial_state
from rasputitsa.wir.rules.victory import victory

WEEKS = 40
SCENARIOS = ("barbarossa", "case_blue", "zitadelle")


def give_orders(s: State, chooser: random.Random) -> None:
    """Plots and strikes for every group; two thirds of those in contact attack."""
    s.overfatigued = s.moved = 0
    s.supplied = chooser.getrandbits(GROUPS)
    for group in range(1, GROUPS):
        s.plot[group] = s.strike[group] = 0
        if s.hex[group] < 0 or chooser.random() < 0.1:
            continue
        if KIND[group] == AIR:
            _send(s, chooser, group)
            continue
        enemies = s.occ[1 - group_side(group)]
        plots = list(legal_plots(KIND[group]))
        around = s.rules.map.step[s.hex[group]]
        eager = [n for n in plots if around[unpack(n).first] >= 0 and enemies >> around[unpack(n).first] & 1]
        s.plot[group] = chooser.choice(eager if eager and chooser.random() < 0.67 else plots)
        if chooser.random() < 0.3:
            s.artillery[group] = min(240, s.artillery[group] + 60)
        if chooser.random() < 0.2:
            s.entrench[group] = min(5, s.entrench[group] + 1)


def _send(s: State, chooser: random.Random, group: int) -> None:
    targets = [air_plots.encode(h, air_plots.GROUND) for h in members(air_plots.ground_targets(s, group))]
    targets += [air_plots.encode(h, air_plots.BOMB) for h in members(air_plots.bomb_targets(s, group))]
    if targets and s.aircraft[group]:
        s.strike[group] = chooser.choice(targets)


def count_units(s: State) -> Counter[int]:
    return Counter(unit_side(u) for u in range(UNITS) if s.utype[u])


def check_map(s: State) -> None:
    """Stacking, sides, closed ground, and every derived set as ``rebuild`` would make it."""
    board = s.rules.map
    for hex_, here in s.at.items():
        assert board.passable >> hex_ & 1, "nobody stands in the sea"
        assert 1 <= len(here) <= s.rules.limits.stack
        assert len({group_side(g) for g in here}) == 1
        assert all(s.hex[g] == hex_ for g in here)
    for side in (AXIS, SOVIET):
        held = s.control if side == AXIS else ~s.control
        assert not s.occ[side] & ~held, "who stands in a hex controls it"
        combat = groups_of(side)
        assert all((s.hex[g] >= 0) == bool(s.group_units[g]) for g in combat if KIND[g] < AIR)
    twin = s.copy()
    twin.rebuild()
    assert (twin.occ, twin.full, twin.city_hexes, twin.ugroup) == (s.occ, s.full, s.city_hexes, s.ugroup)
    assert twin.at == s.at
    assert not s.rail[AXIS] & s.rail[SOVIET]


def check_units(s: State) -> None:
    """Every unit is in one group of its side and within its limits."""
    seen = [u for units in s.group_units for u in units]
    assert len(seen) == len(set(seen))
    assert set(seen) == {u for u in range(UNITS) if s.utype[u]}
    for group, units in enumerate(s.group_units):
        assert len(units) <= 6
        assert s.artillery[group] >= 0 and s.entrench[group] <= 5
        for unit in units:
            assert unit_side(unit) == group_side(group)
            assert s.strength[unit] > 0 and s.fatigue[unit] <= 95 and 0 < s.experience[unit] <= 99
            assert KIND[group] != MECHANIZED or s.rules.types[s.utype[unit]].mechanized
    for side in (AXIS, SOVIET):
        assert all(0 <= points <= most for points, most in zip(s.pools[side], s.rules.limits.pools, strict=True))
        assert all(0 <= rest < 100 for rest in s.rest[side])


def follow(hexes: list[int], events: list[Event]) -> list[int]:
    """Where the groups stand after some events, by the events alone, as a client replays them."""
    places = hexes[:]
    for event in events:
        group = int(str(event.args[0])) if event.args and isinstance(event.args[0], int) else 0
        if event.kind in ("moves", "advances", "retreats"):
            assert places[group] == event.args[1]
            places[group] = int(str(event.args[2]))
        elif event.kind in ("surrenders", "group_gone", "air_destroyed"):
            places[group] = -1
    return places


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", [1, 2])
def test_weeks_of_random_orders(scenario: str, seed: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s = initial_state(ruleset(scenario, {"level": str(seed)}, DATA))
    for _ in range(WEEKS):
        give_orders(s, chooser)
        before, cities = count_units(s), bytes(s.owner)
        supply = [row[:] for row in s.values]
        places = s.hex[:]
        artillery = {g: s.artillery[g] for g in range(GROUPS)}
        play = Context(dice)
        execution.begin(s, play)
        events = play.events[:]
        assert follow(places, events) == s.hex
        lost = Counter(group_side(int(str(e.args[0]))) for e in events if e.kind == "unit_lost")
        dissolved = sum(e.kind == "surrenders" for e in events)
        gone = before - count_units(s)
        assert gone.total() >= lost.total()
        if not dissolved:
            assert gone == lost, "a unit that is gone was noted"
        check_map(s)
        check_units(s)
        captured = [int(str(e.args[0])) for e in events if e.kind == "city"]
        assert {n for n in range(len(cities)) if cities[n] != s.owner[n]} <= set(captured)
        for city in set(captured):
            halvings = captured.count(city)
            assert s.values[SUPPLY][city] == supply[SUPPLY][city] >> halvings
            assert not any(s.values[kind][city] for kind in range(SUPPLY))
        for group in (int(str(e.args[0])) for e in events if e.kind in ("moves", "advances", "retreats")):
            assert not s.artillery[group], "a group that left its hex has no guns"
        assert all(s.artillery[g] <= artillery[g] for g in range(GROUPS))
        economy.end_of_turn(s, play)
        check_map(s)
        check_units(s)
        assert all(event.words(s) for event in play.events)
        victory.check(s, play)
        if s.outcome is not None:
            assert victory.winner_of(victory.tally(s)["difference"], s.rules.sheet["victory"]) == s.outcome.winner
            return
        s.turn += 1
        weather.adjust(s, play)


def test_the_same_dice_give_the_same_week() -> None:
    first, second = (initial_state(ruleset("case_blue", {}, DATA)) for _ in range(2))
    for s in (first, second):
        give_orders(s, random.Random(9))
        play = Context(SeededDice(9))
        execution.begin(s, play)
        economy.end_of_turn(s, play)
    assert first.key() == second.key()


def test_a_copy_is_not_touched_by_a_week() -> None:
    s = initial_state(ruleset("barbarossa", {}, DATA))
    give_orders(s, random.Random(4))
    twin, before = s.copy(), s.key()
    execution.begin(twin, Context(SeededDice(4)))
    economy.end_of_turn(twin, Context(SeededDice(5)))
    assert s.key() == before != twin.key()
