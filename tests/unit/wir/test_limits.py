"""War in Russia with edited limits and radii: they count in rules, refusals, queries, charts and players."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api import position
from rasputitsa.wir.api.air_preview import outlook
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.api.supply_lines import supply_line
from rasputitsa.wir.api.validate import DATA_DIR, validate
from rasputitsa.wir.model import groups, plot
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, AIR_POOL, FACTORIES, INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.adjustment import adjust, build, recruits
from rasputitsa.wir.rules.execution import air, cancelled, execution
from rasputitsa.wir.rules.movement import air_plots, movement, plot_ways, strategic_move
from rasputitsa.wir.rules.supply import depots, supply
from tests.unit.core.data_edits import copy_of
from tests.unit.wir.test_folder import ARMY, FIGHT, FLEET, PANZER, SHEET, edited

MOSCOW = "1814"


def began(folder: Path, file: str, old: str, new: str) -> State:
    """Barbarossa with one figure changed."""
    return edited(folder, file, old, new).setup("barbarossa", {})


def shipped() -> State:
    return WirGame().setup("barbarossa", {})


# ---------------------------------------------------------------------- radii


def stranded(s: State) -> int:
    """A Soviet army alone on a hex that lies three hexes from where depots stop."""
    group = next(g for g in groups_of(SOVIET, INFANTRY) if s.hex[g] >= 0)
    stops, land, reached = depots.stops(s, SOVIET), depots.ground(s, SOVIET), 0
    for depot, home in s.rules.depot_hex.items():
        if depot in groups_of(SOVIET) and depots.usable(s, depot):
            for wave in depots.waves(s, home, 0, land):
                reached |= wave & stops
    two, three = s.rules.map.within(2), s.rules.map.within(3)
    free = s.rules.map.land & ~(s.occ[0] | s.occ[1])
    s.place(group, next(h for h in members(free) if three[h] & reached and not two[h] & reached))
    return group


def test_the_radius_of_supply(tmp_path: Path) -> None:
    s = shipped()
    assert supply_line(s, stranded(s))["text"] == "no depot can come within two hexes"
    wide = began(tmp_path, SHEET, "radius = 2", "radius = 3")
    assert supply_line(wide, stranded(wide))["supplied"]
    hexes = wide.rules.supply_area[wide.rules.grid.index(MOSCOW)]
    assert (hexes.bit_count(), s.rules.supply_area[s.rules.grid.index(MOSCOW)].bit_count()) == (37, 19)
    game = WirGame(tmp_path)
    assert game.static("barbarossa")["charts"]["supply"]["radius"] == 3
    told = game.query(wide, "axis", "depot", {"depot": "58"})
    assert len(told["supplies"]) > len(WirGame().query(s, "axis", "depot", {"depot": "58"})["supplies"])
    assert len(game.query(wide, "axis", "area", {"hex": MOSCOW})["hexes"]) == 37


def test_a_depot_supplies_all_within_the_radius(tmp_path: Path) -> None:
    def told(s: State) -> int:
        """How many groups a depot in the middle of the front has supplied."""
        s.supplied = 0
        supply.distribute(s, AXIS, s.hex[ARMY], 0, Context(SeededDice(1)))
        return s.supplied.bit_count()

    assert told(began(tmp_path, SHEET, "radius = 2", "radius = 0")) < told(shipped())


def test_a_radius_of_one_is_said(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "radius = 2", "radius = 1")
    assert supply_line(s, stranded(s))["text"] == "no depot can come within one hex"


@pytest.mark.parametrize(("most", "far", "meets"), [(2, 2, True), (1, 2, False), (2, 4, False), (4, 4, True)])
def test_the_range_of_interceptors(tmp_path: Path, most: int, far: int, meets: bool) -> None:
    s = began(tmp_path, FIGHT, "intercept_range = 2", f"intercept_range = {most}")
    target = s.rules.grid.index(MOSCOW)
    fighter = next(g for g in groups_of(SOVIET, AIR) if s.hex[g] >= 0)
    s.place(fighter, next(h for h in members(s.rules.map.land) if s.rules.grid.distance(h, target) == far))
    s.supplied |= 1 << fighter
    s.aircraft[fighter] = s.aircraft[FLEET] = 50
    raid = air.Raid(FLEET, AXIS, target, air_plots.GROUND, False)
    assert any(group == fighter for group, _ in air.interceptors(s, raid)) is meets
    assert (str(fighter) in outlook(s, FLEET, target)["interceptors"]) is meets


# ---------------------------------------------------------------------- stacks and groups


def crowd(s: State) -> tuple[int, int]:
    """An army beside a hex with two groups, and the direction that leads there."""
    mover, one, two = [g for g in groups_of(AXIS, INFANTRY) if s.hex[g] >= 0][:3]
    here = s.rules.grid.index("0214")
    there = min(members(s.rules.map.reach[here]))
    for group in (*s.at.get(here, ()), *s.at.get(there, ())):
        s.lift(group)
    s.place(mover, here)
    s.place(one, there)
    s.place(two, there)
    s.supplied |= 1 << mover
    return mover, s.rules.map.direction(here, there)


def test_how_many_groups_a_hex_holds(tmp_path: Path) -> None:
    s, roomy = shipped(), began(tmp_path, SHEET, "stack = 2\n", "stack = 3\n")
    for state, full in ((s, True), (roomy, False)):
        mover, direction = crowd(state)
        there = state.rules.map.step[state.hex[mover]][direction]
        assert bool(state.full[AXIS] >> there & 1) is full
        assert bool(strategic_move.enterable(state, mover) >> there & 1) is not full
        assert ("holds two friendly groups" in str(strategic_move.why_not_step(state, mover, direction))) is full
        held = "two" if full else "three"
        assert f"holds {held} friendly groups; a depot may pass" in depots.why_not_stop(state, there).reason
    assert cancelled.why_cancelled(roomy, "full") == "three groups are already where it was to go"
    assert cancelled.why_cancelled(s, "full") == "two groups are already where it was to go"


def test_three_groups_share_a_hex_in_a_file(tmp_path: Path) -> None:
    game = edited(tmp_path, SHEET, "stack = 2\n", "stack = 3\n")
    s = game.setup("barbarossa", {})
    mover, direction = crowd(s)
    there = s.rules.map.step[s.hex[mover]][direction]
    s.place(mover, there)
    again = game.load_position(game.dump_position(s))
    assert again.at[there] == s.at[there] and len(s.at[there]) == 3
    with pytest.raises(SetupError, match="holds two groups"):
        WirGame().load_position(game.dump_position(s))


def test_three_groups_of_a_hex_send_each_other_units(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "stack = 2\n", "stack = 3\n")
    three = [g for g in groups_of(AXIS, INFANTRY) if s.hex[g] >= 0][:3]
    for group in three:
        s.lift(group)
    for group in three:
        s.place(group, s.rules.grid.index("0914"))
        for unit in s.group_units[group][3:]:
            s.disband(unit)
    sent = [a.args for a in adjust.Adjust(AXIS).options(s) if a.verb == "transfer" and set(a.args) <= set(three)]
    assert len(sent) == 6


def test_how_many_units_a_group_holds(tmp_path: Path) -> None:
    s, small = shipped(), began(tmp_path, SHEET, "units_per_group = 6", "units_per_group = 2")
    for state in (s, small):
        for unit in state.group_units[ARMY][2:]:
            state.disband(unit)
    assert (groups.room(s, ARMY), groups.room(small, ARMY)) == (4, 0)
    assert groups.why_no_room(small, ARMY) == f"group {ARMY} has two units"
    assert groups.why_no_room(s, ARMY) == f"group {ARMY} has six units"


def test_how_many_aircraft_a_group_holds(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "aircraft_per_group = 255", "aircraft_per_group = 90")
    s.pools[AXIS][AIR_POOL], s.aircraft[FLEET] = 255, 70
    assert adjust.movable_aircraft(s, AXIS, 0, FLEET) == 20
    s.aircraft[FLEET] = 90
    problem = adjust.why_not_aircraft(s, AXIS, 0, FLEET)
    assert problem is not None and "has 90 aircraft points" in str(problem)


# ---------------------------------------------------------------------- pools, cities, recruits


def test_what_pools_hold(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "pool = { infantry = 2550", "pool = { infantry = 900")
    s.pools[AXIS][0] = 0
    assert s.gain(AXIS, 0, 5000) == 900
    assert WirGame(tmp_path).static("barbarossa")["charts"]["pools"]["infantry"] == 900
    with pytest.raises(SetupError, match="900"):
        WirGame(tmp_path).load_position({"scenario": "barbarossa", "pools": {"axis": {"infantry": 901}}})


def test_how_many_factories_a_city_has(tmp_path: Path) -> None:
    def sites(s: State) -> list[Any]:
        s.pools[SOVIET][FACTORIES] = 1
        hex_ = s.rules.grid.index(MOSCOW)
        for kind in range(6):
            s.values[kind][s.rules.map.city_at[hex_]] = 5
        return [a for a in build.options(s, SOVIET) if a == Action("factory", (hex_,))]

    assert sites(shipped())
    s = began(tmp_path, SHEET, "factories_per_city = 255", "factories_per_city = 3")
    assert not sites(s)
    problem = build.why_not(s, SOVIET, Action("factory", (s.rules.grid.index(MOSCOW),)))
    assert problem is not None and "has 3 factories of each type" in str(problem)


def test_the_least_strength_of_a_new_unit(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "least = 10\n", "least = 25\n")
    kind = recruits.kind_of(s, AXIS, 2)
    s.pools[AXIS][0] = 500
    assert recruits.strengths(s, AXIS, kind)[0] == 30
    raising = build.Raising(AXIS, s.rules.grid.index("0914"), ARMY, kind)
    refused: IllegalAction = raising.refuse(s, Action("strength", (20,)))
    assert str(refused).startswith("strength points come in tens, at least 30")


# ---------------------------------------------------------------------- rain


@pytest.mark.parametrize(("most", "there"), [(1, "0922"), (2, "1022"), (3, "1022")])
def test_rain_slows_marches_and_plots_alike(tmp_path: Path, most: int, there: str) -> None:
    """8.4: the figure of the sheet is the rate of both."""
    game = edited(tmp_path, SHEET, "rain = 1\nfatigue", f"rain = {most}\nfatigue")
    rider = {"hex": "0821", "units": ["1 PZ 100 70 0"], "supplied": True}
    s = game.load_position(
        {"empty": True, "phase": "movement", "side": "axis", "weather": "rain", "rail": {"only": True}, "turn": 17,
         "groups": {"1": rider}}
    )  # fmt: skip
    assert strategic_move.pace(s, MECHANIZED) == most and strategic_move.allowance(s, PANZER) == most
    assert plot_ways.most_steps(s, MECHANIZED) == min(2, most) and plot_ways.most_steps(s, INFANTRY) == 1
    marched, hexes = s.copy(), {1: "one hex", 2: "two hexes", 3: "three hexes"}[most]
    marched.steps[PANZER] = most
    why = strategic_move.why_not_step(marched, PANZER, 3)
    assert (why.reason, why.rule) == (f"in rain groups move {hexes} a turn", "8.4")
    assert cancelled.why_cancelled(s, "rain") == f"in rain a group moves {hexes} a week"
    s.plot[PANZER] = plot.Plot(3, 3, plot.ADVANCE).number
    execution.begin(s, Context(SeededDice(1)))
    assert s.rules.grid.names[s.hex[PANZER]] == there


# ---------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "says"),
    [
        (SHEET, "stack = 2\n", "stack = 9\n", "groups.stack", "from 2 to 8"),
        (SHEET, "units_per_group = 6", "units_per_group = 7", "groups.units_per_group", "from 1 to 6"),
        (SHEET, "radius = 2", "radius = -1", "supply.radius", "from 0 to 10"),
        (SHEET, "rain = 1\nfatigue", "rain = 0\nfatigue", "movement.rain", "from 1 to 255"),
        (SHEET, "pool = { infantry = 2550", "pool = { infantry = 2551", "production.pool.infantry", "from 1 to 2550"),
        (FIGHT, "intercept_range = 2", "intercept_range = true", "air.intercept_range", "from 0 to 10"),
    ],
)  # fmt: skip
def test_a_figure_beyond_its_bounds_is_refused(
    tmp_path: Path, file: str, old: str, new: str, key: str, says: str
) -> None:
    game = edited(tmp_path, file, old, new)
    with pytest.raises(SetupError, match=rf"{file}, line \d+, {key}: this is a whole number {says}"):
        game.setup("barbarossa", {})
    assert any(p.field == key and says in p.message for p in validate(tmp_path))


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "says"),
    [
        (SHEET, "january = [75, 20, 5]", "january = [75, 20]", "weather.january", "[75, 20] are no chances"),
        (SHEET, "january = [75, 20, 5]", "january = [85, 20, -5]", "weather.january", "[85, 20, -5] are no chances"),
        (SHEET, "first_winter = [20, 80, 0]", "first_winter = [30, 80, 0]", "weather.first_winter", "are no chances"),
        (SHEET, 'guards = "GDS RIFLE"', 'guards = "GUARD"', "types.list.22.guards", "there is no kind of unit 'GUARD'"),
        (SHEET, 'side = "soviet"', 'side = "russian"', "types.list.22.side", "there is no side 'russian'"),
        (FIGHT, "winter = [10, 4]", "winter = [10]", "convoys.winter", "are not the first and the last month"),
        (FIGHT, "winter = [10, 4]", "winter = [10, 13]", "convoys.winter", "are not the first and the last month"),
        (FIGHT, 'kind = "RIFLE"', 'kind = "RIFLES"', "siberia.kind", "there is no kind of unit 'RIFLES'"),
        (FIGHT, '["1943-10", "SS PZG elite", "SS PZ"]', '["1943-10", "SS PZG elite", "TIGER"]', "redesignation.changes",
         "there is no kind of unit 'TIGER'"),
        (FIGHT, '"IT MOT", "PZG"]', '"IT MOT", "PZGR"]', "redesignation.italian", "there is no kind of unit 'PZGR'"),
    ],
)  # fmt: skip
def test_what_no_rule_could_read_is_refused_when_a_game_is_set_up(
    tmp_path: Path, file: str, old: str, new: str, key: str, says: str
) -> None:
    folder = copy_of(DATA, tmp_path)
    text = (DATA / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SetupError, match=rf"{file}, line \d+, {key}: .*{re.escape(says)}"):
        WirGame(folder).setup("barbarossa", {})
    assert validate(folder)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("east = 25 }", "east = 35 }", "are no chances"),
        ("south = 25, east = 25 }", "south = -25, east = 75 }", "are no chances"),
        ("area = { north = 50, south = 25, east = 25 }", "area = 100", "100 are no chances"),
        ("south = 25, east = 25 }", "west = 25, east = 25 }", "these are chances of north, west, east"),
    ],
)
def test_chances_of_the_areas_of_lend_lease_are_100_together(tmp_path: Path, old: str, new: str, says: str) -> None:
    game = edited(tmp_path, SHEET, old, new)
    with pytest.raises(SetupError, match=rf"{SHEET}, line \d+, lend_lease\.area: .*{says}"):
        game.setup("barbarossa", {})
    assert any(p.field == "lend_lease.area" and says in p.message for p in validate(tmp_path))


def test_a_stranded_group_is_refused_with_the_figure_of_the_data(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "unsupplied_moves = { 1 = 2,", "unsupplied_moves = { 1 = 3,")
    s.supplied, s.level, s.unsupplied_moves[ARMY] = 0, 1, 3
    for problem in (movement.why_still(s, ARMY), strategic_move.why_rooted(s, ARMY)):
        assert problem is not None
        assert (problem.reason, problem.rule) == (f"group {ARMY} has moved three turns out of supply", "10.0")


def test_a_tired_group_is_refused_with_the_figure_of_the_data(tmp_path: Path) -> None:
    s = began(tmp_path, SHEET, "fatigue_limit = 94", "fatigue_limit = 80")
    s.fatigue[s.group_units[ARMY][0]] = 85
    problem = movement.why_still(s, ARMY)
    assert problem is not None and "81 fatigue" in problem.reason


def test_a_position_gives_no_more_fatigue_than_the_data(tmp_path: Path) -> None:
    table = {"scenario": "barbarossa", "groups": {"1": {"hex": "0415", "units": ["1 PZ 100 80 90"]}}}
    assert position.load(table, DATA_DIR)
    edited(tmp_path, SHEET, "most_fatigue = 95", "most_fatigue = 89")
    with pytest.raises(SetupError, match="fatigue at most 89"):
        position.load(table, tmp_path)
