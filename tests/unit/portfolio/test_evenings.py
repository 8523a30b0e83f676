"""Scenarios of an evening: a part of the map, a start of its own, and a goal that decides (EVENING)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.api.validate import unsound
from rasputitsa.portfolio.model.stacking import room_for_one
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.logistics.supply import unsupplied_units
from tests.support import random_game

SCENARIO = """
base = "june22"
id = "orsha"
title = "Orsha"
summary = "A corps before a town."
source = "a test"
hours = 0.5
zone = ["P8-P13", "Q8-Q13", "R8-R13"]

[history]
text = "It happened."
sources = ["A book"]

[position]
empty = "gone"
turn = 2
side = "axis"

[position.goal]
side = "axis"
text = "Hold Orsha at the end of the turn."
last_turn = 2
hold = ["Q12"]
early = false
replacements = false

[position.units]
39Pz = "P9"
4AOK = "R9"
20A = "Q12"
7MK = "P13"

[position.control]
axis = ["J5-J9", "K4-K9", "L2-L9", "M2-M9", "N2-N9", "O2-O9", "P2-P10", "Q1-Q10", "R1-R10", "S1-S10"]
"""


def game_with(folder: Path, text: str = SCENARIO) -> PortfolioGame:
    """The game with one more scenario."""
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "orsha.toml").write_text(text, encoding="utf-8")
    return PortfolioGame(folder)


@pytest.fixture
def game(tmp_path: Path) -> PortfolioGame:
    return game_with(tmp_path)


@pytest.fixture
def start(game: PortfolioGame) -> State:
    return game.setup("orsha", {})


def hexes(s: State, *names: str) -> int:
    return sum(1 << s.rules.grid.index(name) for name in names)


def test_a_scenario_starts_from_its_position_and_lists_its_length(game: PortfolioGame, start: State) -> None:
    assert (start.turn, start.side, start.present.bit_count()) == (2, 0, 4)
    (info,) = [info for info in game.scenarios() if info.id == "orsha"]
    assert (info.turns, info.hours, info.history, info.sources) == (1, 0.5, "It happened.", ("A book",))
    assert [turn["number"] for turn in game.static("orsha")["charts"]["turns"]] == [2]


def test_nobody_marches_out_of_the_part_in_play(game: PortfolioGame, start: State) -> None:
    game.apply(start, game.parse(start, "move 39Pz")[0], SeededDice(1))
    offered = {start.rules.grid.names[a.args[0]] for a in game.legal(start) if a.verb == "to"}
    assert "P8" in offered and not {"O9", "P7", "S10"} & offered
    with pytest.raises(IllegalAction, match="outside the part of the map") as refused:
        game.apply(start, game.parse(start, "to O9")[0], SeededDice(1))
    assert refused.value.rule == "EVENING.Zone"


def test_no_unit_finds_room_outside_whatever_brings_it(start: State) -> None:
    unit = start.rules.roster.find("39Pz")
    assert unit is not None
    assert not room_for_one(start, unit) & ~start.rules.map.zone


def test_supply_comes_from_beyond_the_edge(start: State) -> None:
    assert not unsupplied_units(start, 0) and not unsupplied_units(start, 1)
    assert start.controlled(1) & hexes(start, "Q19", "G15") == hexes(start, "Q19", "G15")


def test_the_map_tells_what_is_in_play(game: PortfolioGame) -> None:
    shown = {h["id"]: h["in_play"] for h in game.static("orsha")["map"]["hexes"]}
    assert shown["Q12"] and not shown["O9"]
    assert all(h["in_play"] for h in game.static("june22")["map"]["hexes"])


def test_the_goal_decides_at_its_date_and_not_before(game: PortfolioGame) -> None:
    end = random_game(3, "orsha", game=game)
    assert end.outcome is not None and end.outcome.level == "goal"
    held = bool(end.control & hexes(end, "Q12"))
    assert end.outcome.winner == ("axis" if held else "soviet")


def test_a_position_of_such_a_game_is_written_and_read_again(game: PortfolioGame, start: State) -> None:
    again = game.load_position(game.dump_position(start))
    assert game.fingerprint(again) == game.fingerprint(start)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (SCENARIO.replace('"P8-P13"', '"P8-Q13"'), "from west to east"),
        (SCENARIO.replace('39Pz = "P9"', '39Pz = "O9"'), "no unit enters it"),
        (SCENARIO.replace("last_turn = 2", "last_turn = 99"), "last_turn"),
    ],
)
def test_a_scenario_that_cannot_be_set_up_says_why(tmp_path: Path, wrong: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        game_with(tmp_path, wrong).setup("orsha", {})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (SCENARIO.replace("hours = 0.5", "hours = -1"), "no length of a game"),
        (SCENARIO.replace('sources = ["A book"]', "sources = []"), "no source"),
    ],
)
def test_the_check_of_data_names_what_is_missing(tmp_path: Path, wrong: str, message: str) -> None:
    game_with(tmp_path, wrong)
    assert any(message in problem.message for problem in unsound(tmp_path))
