"""What the planner of The Russian Portfolio expects of battles follows the rules and the charts."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.ai.portfolio.evaluation import crt_expectation, targets
from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes
from rasputitsa.ai.portfolio.evaluation.targets import Arena
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat import odds, resolution, special_results
from rasputitsa.portfolio.rules.combat.retreat import FARTHEST
from tests.unit.ai.portfolio.test_danger import LINE, danger_to, edited, position

GAME = PortfolioGame()
FACES = ("S", "X", "AE", "AD", "D1", "D4", "DX", "DE", "BR")


@pytest.mark.parametrize("overrun", [False, True])
@pytest.mark.parametrize("reach", range(FARTHEST + 1))
def test_what_a_result_comes_to_is_judged_alike(reach: int, overrun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short answer for expectations is that of a battle."""
    s = position(GAME, LINE)
    monkeypatch.setattr(special_results, "ability", lambda s, unit, attackers, kind: reach)
    unit = next(u for u in s.on_map(SOVIET) if s.rules.roster.infantry_type >> u & 1)
    for face in FACES:
        judged = special_results.verdict(s, unit, face, overrun, 0).result
        assert special_results.outcome(face, reach, overrun=overrun) == judged


@pytest.mark.parametrize(("short_retreat", "reach"), [("graded", 2), ("graded", 3), ("literal", 3)])
def test_the_die_of_a_short_retreat_is_that_of_the_rules(
    short_retreat: str, reach: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = GAME.setup("june22", {"short_retreat": short_retreat}).rules
    for faces in ((4, 5, 6), (6,)):
        monkeypatch.setattr(resolution, "DIE_LOSES", faces)
        expected = crt_expectation._against_defender(rules, ["D4"] * 6, reach, overrun=False)
        assert expected.killed == pytest.approx(len(faces) / 6)
        assert expected.pushed == pytest.approx(1 - len(faces) / 6)


def attacks(s: State) -> list[tuple[int, list[tuple[int, int]]]]:
    """Attacks on each enemy hex by all who are next to it and by the first of them."""
    found = []
    for target in members(s.occ[SOVIET]):
        near = [(u, s.pos[u]) for u in s.on_map(AXIS) if s.rules.grid.adjacent[target] >> s.pos[u] & 1]
        found += [(target, team) for team in (near, near[:1]) if team]
    return found


@pytest.mark.parametrize("scenario", ["june22", "kiev", "typhoon"])
def test_odds_are_those_of_the_rules(scenario: str) -> None:
    s = GAME.setup(scenario, {})
    arena, compared = Arena(s, AXIS, Stakes(), [0.0] * s.rules.grid.size), 0
    for target, team in attacks(s):
        exact = odds.odds(s, (target,), tuple(unit for unit, _ in team))
        if exact.attack > 0 and exact.defence > 0:
            assert arena.odds(arena.targets[target], team) == (exact.columns[0], exact.attack, exact.defence)
            compared += 1
    assert compared


def test_halves_and_the_highest_column_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, {"39Pz": "N5", "3A": "N6"})
    arena = Arena(s, AXIS, Stakes(), [0.0] * s.rules.grid.size)
    (hex_,) = members(s.occ[SOVIET])
    team = [(unit, s.pos[unit]) for unit in s.on_map(AXIS)]
    monkeypatch.setattr(targets, "with_halves", lambda full, halved: 99)
    monkeypatch.setattr(targets, "shifted", lambda basic, shifts: basic + 5)
    assert arena.odds(arena.targets[hex_], team)[:2] == (odds.TOP + 5, 99)


@pytest.mark.parametrize(("old", "new"), [("\nunits = 2\n", "\nunits = 3\n"), ("above_corps = 1", "above_corps = 2")])
def test_as_many_are_feared_as_may_stand_together(tmp_path: Path, old: str, new: str) -> None:
    feared = []
    for game in (GAME, edited(tmp_path, old, new)):
        danger = danger_to(position(game, {"39Pz": "N5"}), AXIS)
        danger.af, danger.big = [9, 8, 3, 2], 0b0011
        feared.append(danger._strongest(0b1111, 1))
    assert feared[0] == 12 and feared[1] > 12
