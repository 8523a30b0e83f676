"""Strategic marches: what the table of a group's marches says is what step by step can be done, and the only answer.

The oracle takes every step that is offered, on copies, and keeps the least fatigue with which each hex is reached.
"""

from __future__ import annotations

import random

import pytest

from rasputitsa.ai.wir.planning.strategic_moves import ways
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import Context
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, INFANTRY, KIND, MECHANIZED, RAIN, group_side, groups_of
from rasputitsa.wir.rules.movement import strategic_move
from tests.property.test_wir_games import choose

GAME = WirGame()


def positions(scenario: str, seed: int, count: int) -> list[State]:
    """Positions of movement phases of a random campaign, groups in every state of supply, weather and fatigue."""
    chooser, dice = random.Random(seed), SeededDice(seed)
    s, found = GAME.setup(scenario, {}), list[State]()
    while len(found) < count:
        frame = s.stack[-1]
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
        if frame.kind == "movement" and s.stack and s.stack[-1].kind == "movement" and chooser.random() < 0.05:
            trial = s.copy()
            trial.weather = chooser.choice((s.weather, s.weather, 1, 2, RAIN))
            for group in trial.on_map(groups_of(trial.side, MECHANIZED, INFANTRY)):
                trial.supplied ^= chooser.getrandbits(1) << group
                for unit in trial.group_units[group]:
                    trial.fatigue[unit] = chooser.choice((trial.fatigue[unit], 70, 85, 92))
            found.append(trial)
    return found


def by_steps(s: State, group: int) -> dict[int, int]:
    """The least fatigue that reaches each hex by steps that are offered; the start is left out."""
    least: dict[int, int] = {}
    waiting = [(s, 0)]
    while waiting:
        here, paid = waiting.pop()
        for direction in strategic_move.directions(here, group):
            after = here.copy()
            worst = max((here.fatigue[u] for u in here.group_units[group]), default=0)
            there = s.rules.map.step[here.hex[group]][direction]
            strategic_move.step(after, group, there, Context(SeededDice(0)))
            cost = paid + max((after.fatigue[u] for u in after.group_units[group]), default=0) - worst
            if there != s.hex[group]:
                least[there] = min(cost, least.get(there, cost))
            waiting.append((after, cost))
    return least


@pytest.mark.parametrize(("scenario", "seed"), [("barbarossa", 1), ("case_blue", 2), ("zitadelle", 3)])
def test_marches_are_the_steps_that_are_offered(scenario: str, seed: int) -> None:
    chooser, moving = random.Random(seed), 0
    for s in positions(scenario, seed, 6):
        groups = [g for g in s.on_map(groups_of(s.side, MECHANIZED, INFANTRY, AIR)) if not s.moved >> g & 1]
        for group in chooser.sample(groups, 8):
            found, oracle = strategic_move.marches(s, group), by_steps(s, group)
            assert found.keys() == oracle.keys()
            moving += bool(found)
            for hex_, march in found.items():
                if KIND[group] != AIR and s.group_units[group]:
                    most = s.rules.march.most - max(s.fatigue[u] for u in s.group_units[group])
                    assert min(march.fatigue, most) == min(oracle[hex_], most)
                after = s.copy()
                for direction in strategic_move.directions_of(s, group, march.way):
                    assert direction in strategic_move.directions(after, group)
                    there = s.rules.map.step[after.hex[group]][direction]
                    strategic_move.step(after, group, there, Context(SeededDice(0)))
                spent = len(march.way) == strategic_move.allowance(s, group)
                assert after.hex[group] == hex_ and bool(after.halted >> group & 1) == (march.stops or spent)
    assert moving > 20


@pytest.mark.parametrize(("scenario", "seed"), [("barbarossa", 4), ("zitadelle", 5)])
def test_queries_and_planner_say_the_same(scenario: str, seed: int) -> None:
    chooser = random.Random(seed)
    for s in positions(scenario, seed, 4):
        seat = s.rules.seats[s.side].id
        for group in chooser.sample(s.on_map(groups_of(s.side, MECHANIZED, INFANTRY, AIR)), 8):
            names, found = s.rules.grid.names, strategic_move.marches(s, group)
            told = GAME.query(s, seat, "reach", {"unit": str(group)})
            assert {(row["hex"], row["cost"], row["fatigue"]) for row in told["plain"]} == {
                (names[h], len(march.way), march.fatigue) for h, march in found.items()
            }
            assert ways(s, group) == {s.hex[group]: (), **{h: march.way for h, march in found.items()}}
            for hex_, march in found.items():
                route = GAME.query(s, seat, "route", {"unit": str(group), "to": names[hex_]})
                assert route["hexes"] == [names[h] for h in march.way]
            assert group_side(group) == s.side
