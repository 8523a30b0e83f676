"""What the planner of The Russian Portfolio fears agrees with the rules and with edited charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.portfolio.evaluation.danger import Danger
from rasputitsa.ai.portfolio.evaluation.valuation import Worth
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.eligibility import sides_now
from rasputitsa.portfolio.rules.combat.odds import defence_of
from rasputitsa.portfolio.rules.movement.reach import factors

LINE = {"WestF": "Q8", "3A": "S8", "4A": "U8", "ResF": "Q19", "SWF": "Y10", "10A": "G15 dispersed", "39Pz": "N5"}
"""Fronts and armies on the Stalin Line, in victory cities, and Dispersed."""


def edited(folder: Path, old: str, new: str) -> PortfolioGame:
    """The game with another entry in its charts."""
    text = (DATA / "charts.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "charts.toml").write_text(text.replace(old, new), encoding="utf-8")
    return PortfolioGame(folder)


def position(game: PortfolioGame, units: dict[str, str], **more: Any) -> State:
    """A position with these units and no others."""
    return game.load_position({"empty": True, "turn": 3, "phase": "movement", "side": "axis", "units": units, **more})


def danger_to(s: State, side: int) -> Danger:
    """What all enemy units of a position could do to a side."""
    undispersed = sum(1 << u for u in s.on_map(side)) & ~s.dispersed
    enemies = sum(1 << u for u in s.on_map(1 - side))
    return Danger(s, side, Worth([0.0] * s.rules.grid.size, ()), enemies, undispersed)


@pytest.mark.parametrize("intrinsic", [1, 3])
def test_defence_is_that_of_the_rules(tmp_path: Path, intrinsic: int) -> None:
    game = edited(tmp_path, "intrinsic = 1 ", f"intrinsic = {intrinsic} ")
    s = position(game, LINE)
    danger = danger_to(s, SOVIET)
    assert s.dispersed
    for hex_ in members(s.occ[SOVIET]):
        units = s.at[hex_]
        by_the_rules = defence_of(s, hex_, sides_now(s).stalin[hex_]).total
        assert danger.defence(hex_, list(units))[0] == by_the_rules, s.rules.grid.names[hex_]


@pytest.mark.parametrize("side", [AXIS, SOVIET])
def test_enemies_are_as_fast_as_the_rules_say(side: int) -> None:
    game, units = PortfolioGame(), {"3A": "Q19", "3MK": "Q20", "2Fin": "D14", "39Pz": "N5"}
    known = [turn.number for turn in position(game, units).rules.turns.values() if turn.weather]
    seen = set()
    for turn in known:
        s = position(game, units, turn=turn)
        coming = turn + (side == SOVIET and s.weather.axis_first)  # the enemy has moved already in this turn
        if coming in known:
            then, danger = position(game, units, turn=coming), danger_to(s, side)
            seen.add(then.weather.movement[1 - side])
            for unit in s.on_map(1 - side):
                assert danger.steps(unit) == max(1, factors(then, unit)[0])
    assert len(seen) > 1, "good and bad weather"


def test_a_river_on_every_way_is_feared_as_much_as_the_charts_say(tmp_path: Path) -> None:
    fears = []
    for game in (PortfolioGame(), edited(tmp_path, "column_shift = -1\nfreezes", "column_shift = 3\nfreezes")):
        s = position(game, {"WestF": "B23", "39Pz": "B22", "24Pz": "B22"})
        hex_ = s.pos[s.on_map(SOVIET)[0]]
        fears.append(danger_to(s, SOVIET).blow(hex_, list(s.at[hex_]), 0)[0])
    assert 0 < fears[0] < fears[1]
