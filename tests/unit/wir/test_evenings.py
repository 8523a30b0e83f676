"""Scenarios of an evening: a part of the map and of the groups, what comes every week, and a goal (EVENING)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.api.validate import unsound
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import GROUPS, INF_POOL, SUPPLY_POOL, group_side
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.adjustment.build import building_sites
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.movement.strategic_move import rail_targets
from rasputitsa.wir.rules.supply import depots

SCENARIO = """
title = "Kursk, a test"
summary = "The south."
start = 1943-07-04
setup = 1943
turns = 2
short = false
weather = "clear"
handicap = { axis = 0, soviet = 0 }
source = "a test"
confidence = "reconstructed"
hours = 0.75
zone = ["1519-2224"]

[history]
text = "It happened."
sources = ["A book"]

[pools.axis]
infantry = 10
vehicle = 10
artillery = 10
aircraft = 10
supply = 100
construction = 0
factories = 0

[pools.soviet]
infantry = 1000
vehicle = 500
artillery = 10
aircraft = 10
supply = 100
construction = 0
factories = 0

[income.soviet]
infantry = 40
supply = 30

[position.goal]
side = "soviet"
text = "Hold Kursk."
last_turn = 2
hold = ["1720"]
early = false
production = false
"""


def game_with(folder: Path, text: str = SCENARIO) -> WirGame:
    """The game with one more scenario."""
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "south.toml").write_text(text, encoding="utf-8")
    return WirGame(folder)


@pytest.fixture
def game(tmp_path: Path) -> WirGame:
    return game_with(tmp_path)


@pytest.fixture
def start(game: WirGame) -> State:
    return game.setup("south", {})


def test_groups_outside_the_part_in_play_take_no_part(start: State) -> None:
    board = start.rules.map
    standing = [g for g in range(GROUPS) if start.hex[g] != OFF]
    assert standing and all(board.passable >> start.hex[g] & 1 for g in standing)
    whole = WirGame().setup("zitadelle", {})
    inside = {g for g in range(GROUPS) if whole.hex[g] != OFF and board.passable >> whole.hex[g] & 1}
    assert set(standing) == inside
    assert len(standing) < sum(h != OFF for h in whole.hex)


def test_nothing_leads_out_of_it(start: State) -> None:
    board = start.rules.map
    for side in (AXIS, SOVIET):
        assert not building_sites(start, side) & ~board.passable
    for group in range(GROUPS):
        if start.hex[group] != OFF:
            assert not rail_targets(start, group) & ~board.passable
    assert all(not board.reach[h] & ~board.passable for h in members(board.passable))


def test_depots_come_through_the_rest_of_the_map(start: State) -> None:
    board = start.rules.map
    for side in (AXIS, SOVIET):
        land = depots.ground(start, side)
        came = 0
        for depot, home in start.rules.depot_hex.items():
            if group_side(depot) == side and depots.usable(start, depot):
                for wave in depots.waves(start, home, 0, land):
                    came |= wave
        assert came & board.passable, "a depot reaches the part in play from its source beyond"


def test_what_comes_every_week_takes_the_place_of_production(start: State) -> None:
    before = [list(pool) for pool in start.pools]
    economy.end_of_turn(start, Context(SeededDice(1)))
    assert start.pools[AXIS] == before[AXIS]
    assert start.pools[SOVIET][INF_POOL] == before[SOVIET][INF_POOL] + 40
    assert start.pools[SOVIET][SUPPLY_POOL] == before[SOVIET][SUPPLY_POOL] + 30


def test_a_game_at_random_ends_by_the_goal_inside_the_part_in_play(game: WirGame, start: State) -> None:
    chooser, dice = random.Random(2), SeededDice(2)
    while start.outcome is None:
        options = [a for a in game.legal(start) if a.verb not in ("end_game", "abort", "skip")]
        verb = chooser.choice(sorted({a.verb for a in options}))
        game.apply(start, chooser.choice([a for a in options if a.verb == verb]), dice)
        assert all(start.rules.map.passable >> h & 1 for h in start.at)
    held = not start.control & 1 << start.rules.grid.index("1720")
    assert (start.outcome.level, start.outcome.winner) == ("goal", "soviet" if held else "axis")


def test_a_scenario_lists_its_length_and_map(game: WirGame) -> None:
    (info,) = [info for info in game.scenarios() if info.id == "south"]
    assert (info.turns, info.hours, info.history, info.sources) == (2, 0.75, "It happened.", ("A book",))
    assert game.scenarios()[0].id == "barbarossa"
    shown = {h["id"]: h["in_play"] for h in game.static("south")["map"]["hexes"]}
    assert shown["1720"] and not shown["1316"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (SCENARIO.replace("infantry = 40", "men = 40"), "no such pool"),
        (SCENARIO.replace("infantry = 40", "infantry = -1"), "out of range"),
        (SCENARIO.replace('text = "It happened."', 'text = ""'), "no text"),
    ],
)
def test_the_check_of_data_names_what_is_wrong(tmp_path: Path, wrong: str, message: str) -> None:
    game_with(tmp_path, wrong)
    assert any(message in problem.message for problem in unsound(tmp_path))


def test_a_zone_that_is_no_rectangle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="from the north-west corner"):
        game_with(tmp_path, SCENARIO.replace("1519-2224", "2224-1519")).setup("south", {})
