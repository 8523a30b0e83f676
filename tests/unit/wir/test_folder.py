"""War in Russia with a user's edited data: every figure counts, and the shipped game beside it does not change."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.contests.contest import sample
from rasputitsa.ai.wir.planning.assault import attack_policy_of
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import game_with_data
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.api.labels import signs
from rasputitsa.wir.api.timeline import timeline
from rasputitsa.wir.api.validate import unsound, validate
from rasputitsa.wir.model import levels
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.figures import LEVELS
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COLD, FINE, MECHANIZED, RAIN, VERY_COLD
from rasputitsa.wir.model.theatre import AXIS, CLEAR, SOVIET
from rasputitsa.wir.rules.adjustment import recruits, reinforce
from rasputitsa.wir.rules.end_of_turn import lendlease, partisans
from rasputitsa.wir.rules.end_of_turn.economy import fails_chance, forecast
from rasputitsa.wir.rules.end_of_turn.events import siberians
from rasputitsa.wir.rules.execution import air, casualties, combat, retreat
from rasputitsa.wir.rules.movement import entrenchment, fatigue, strategic_move
from rasputitsa.wir.rules.supply import depots
from rasputitsa.wir.rules.turn.weather import chances
from rasputitsa.wir.rules.victory import victory
from tests.unit.wir.field import play

PANZER, ARMY, FLEET = 1, 12, 52
"""A mechanized, an infantry and an air group of the Axis that are on the map in June 1941."""


def edited(folder: Path, name: str, old: str, new: str) -> WirGame:
    """The game with one text of one file changed; the folder holds that file alone."""
    text = (DATA / name).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return WirGame(folder)


def in_weather(weather: int, ask: Callable[[State], Any]) -> Callable[[State], Any]:
    def asked(s: State) -> Any:
        s.weather = weather
        return ask(s)

    return asked


def at_level(level: int, ask: Callable[[State], Any]) -> Callable[[State], Any]:
    def asked(s: State) -> Any:
        s.level = level
        return ask(s)

    return asked


def armed(s: State) -> str:
    s.supplied |= 1 << ARMY
    s.artillery[ARMY] = 150
    return reinforce.no_guns(s, ARMY)


def stranded(s: State) -> bool:
    s.supplied, s.level, s.unsupplied_moves[ARMY] = 0, 1, 2
    return strategic_move.stranded(s, ARMY)


def worn(s: State) -> bool:
    s.fatigue[s.group_units[ARMY][0]] = 85
    return fatigue.worn_out(s, ARMY)


def strained(s: State) -> int:
    unit = s.group_units[ARMY][0]
    s.fatigue[unit], s.strength[unit] = 95, 60
    fatigue.tire(s, unit, 5, Context(SeededDice(1)))
    return s.strength[unit]


def step_points(s: State) -> int:
    here = s.hex[ARMY]
    there = next(h for h in s.rules.map.reach_list[here] if s.terrain(h) == CLEAR)
    return fatigue.march_points(s, ARMY, here, there, fatigue.STRATEGIC)


def ride(s: State) -> int:
    """What a tactical step of tanks over clear ground costs."""
    s.weather = FINE
    here = s.hex[PANZER]
    there = next(
        h for h in s.rules.map.reach_list[here] if s.terrain(h) == CLEAR and not s.across_river(here, h)
    )  # fmt: skip
    return fatigue.march_points(s, PANZER, here, there, fatigue.TACTICAL)


def guarded(s: State) -> float:
    s.pools[AXIS][0] = 150
    return partisans.chance(s)


def siberian(s: State) -> list[int]:
    s.turn, s.level = 60, 1
    play = Context(SeededDice(1))
    siberians(s, play)
    return [s.experience[u] for e in play.events if e.kind == "siberians" for u in s.group_units[int(str(e.args[0]))]]


def offered(s: State, verb: str) -> list[int]:
    """The last argument of every order of a verb that an army is offered."""
    s.supplied |= 1 << ARMY
    s.strength[s.group_units[ARMY][0]] = 10
    return [action.args[-1] for action in reinforce.options(s, ARMY) if action.verb == verb]


def to_come(rule: str) -> Callable[[State], str]:
    """The first change in the course of the war that a rule brings, in words."""
    return lambda s: next(change["text"] for change in timeline(s.rules) if change["rule"] == rule)


SHIPMENTS = "Lend-Lease shipments of 20 vehicle and 3 aircraft points"


FROM_THE_NORTH = f"{SHIPMENTS}, from the north"


def fast(s: State) -> list[int]:
    """The levels at which the Soviets learn more in combat."""
    found = []
    for s.level in LEVELS:
        if levels.faster(s):
            found.append(s.level)
    return found


def closed(area: str, *lost: str) -> Callable[[State], bool]:
    """Whether an area takes no shipment in June while the Axis holds some cities."""

    def asked(s: State) -> bool:
        for name in lost:
            s.owner[s.rules.city(name)] = AXIS
        return lendlease.cancelled(s, area)

    return asked


def line_to_junction(s: State) -> bool:
    s.rail = [0, s.rules.map.rail[1941][SOVIET]]
    s.occ, s.at = [0, 0], {}
    return lendlease.line_open(s)


def waiting(s: State) -> bool:
    s.owner[s.rules.city("Archangel")] = AXIS
    return lendlease.must_wait(s)


def sunk(s: State) -> list[int]:
    """What five hits leave of a convoy."""
    s.hex[FLEET] = next(h for h in members(s.rules.map.passable) if s.rules.map.row(h) == 1)
    s.supplied, s.aircraft[FLEET] = 1 << FLEET, 50
    cargo = [160, 20]
    lendlease._bombed(s, play(lend_lease=[5001, 500_000, 500_000]), cargo)
    return cargo


def goods_told(s: State) -> list[str]:
    """The words about what waits for the railway."""
    notes = (lendlease.LendLeaseWaits(1, 0), lendlease.LendLeaseForwarded(1, 0), lendlease.LendLeaseLost(1, 0))
    return [*(note.words(s).partition(":")[0] for note in notes), signs(s.rules)["lend_waits"]["text"]]


def told_of(city: str, junction: str = "Archangel") -> list[str]:
    return [
        f"Lend-Lease waits at {city}", f"Lend-Lease leaves {city}", f"Lend-Lease at {city} is lost",
        f"It waits at {city} while {junction} is lost, or in winter the line there is cut.",
    ]  # fmt: skip


SHEET = "tables.toml"
FIGHT = "combat.toml"
EDITS: list[tuple[str, str, str, Callable[[State], Any], Any, Any]] = [
    (SHEET, "mechanized = 4\n", "mechanized = 5\n", lambda s: strategic_move.allowance(s, PANZER), 4, 5),
    (SHEET, "air = 1\nunsup", "air = 2\nunsup", lambda s: strategic_move.allowance(s, FLEET), 1, 2),
    (SHEET, "rain = 1\n", "rain = 2\n", in_weather(RAIN, lambda s: strategic_move.allowance(s, PANZER)), 1, 2),
    (SHEET, "fatigue_limit = 94", "fatigue_limit = 80", worn, False, True),
    (SHEET, "fatigue = { open = 5,", "fatigue = { open = 7,", step_points, 5, 7),
    (SHEET, "cold = 2, \"very cold\" = 3,", "cold = 4, \"very cold\" = 3,", in_weather(COLD, step_points), 10, 20),
    (SHEET, "very_cold_axis_1941 = 5", "very_cold_axis_1941 = 8", in_weather(VERY_COLD, step_points), 25, 40),
    (SHEET, "overstrain_loss = 25", "overstrain_loss = 50", strained, 45, 30),
    (SHEET, "moves = 3\n", "moves = 1\n", lambda s: strategic_move.rail_moves_left(s, AXIS), 3, 1),
    (SHEET, "unsupplied_moves = { 1 = 2,", "unsupplied_moves = { 1 = 3,", stranded, True, False),
    (SHEET, "no_more_over = 210", "no_more_over = 140", armed, "", "enough"),
    (SHEET, "relief = [50,", "relief = [60,", lambda s: depots.relief_percent(s, SOVIET, 0), 50, 60),
    (SHEET, "chance = 50\nsov", "chance = 40\nsov", lambda s: entrenchment.chance(s, AXIS), 50, 40),
    (SHEET, "soviet_chance = { 1 = 80", "soviet_chance = { 1 = 70",
     at_level(1, lambda s: entrenchment.chance(s, SOVIET)), 80, 70),
    (SHEET, "range = [4, 3]", "range = [5, 3]", lambda s: s.rules.raids.range, (4, 3), (5, 3)),
    (SHEET, "july = [0, 0, 0]", "july = [0, 0, 9]", lambda s: chances("1941-07", s.rules)[2], 0, 9),
    (SHEET, 'first_winter_months = ["1941-12",', 'first_winter_months = ["1941-11",',
     lambda s: chances("1941-11", s.rules), (75, 20, 5), (20, 80, 0)),
    (SHEET, "very_cold_axis_year = 1941", "very_cold_axis_year = 1942",
     in_weather(VERY_COLD, lambda s: s.bitter_winter(AXIS)), True, False),
    (SHEET, 'half_weather = ["clear", "cold"]', 'half_weather = ["cold"]', ride, 5, 10),
    (SHEET, 'half_terrain = ["clear", ', "half_terrain = [", ride, 5, 10),
    (SHEET, "vehicle = 200,", "vehicle = 100,", lambda s: forecast(s, SOVIET)["vehicle"], None, 0.5),
    (SHEET, "chance = 40\nguard", "chance = 80\nguard", guarded, 32, 64),
    (SHEET, "guard_percent = 20", "guard_percent = 50", guarded, 32, 20),
    (SHEET, "1942 = [80, 10]", "1942 = [90, 10]",
     lambda s: lendlease.size(1942, "south", s.rules.sheet["lend_lease"])[0], 80, 90),
    (SHEET, "experience = 70\nfrom = \"1942-06\"", "experience = 60\nfrom = \"1942-06\"", siberian, [70] * 5, [60] * 5),
    (SHEET, "cold_attack = { 1 = 3.0", "cold_attack = { 1 = 4.0",
     at_level(1, in_weather(VERY_COLD, lambda s: combat.weather_multiple(s, SOVIET))), 3.0, 4.0),
    (FIGHT, "mechanized = 1.5", "mechanized = 2.0", lambda s: combat.mechanized_multiple(s, AXIS, CLEAR, 0.0), 1.5,
     2.0),
    (FIGHT, "rain = 0.5", "rain = 0.7", in_weather(RAIN, lambda s: combat.weather_multiple(s, AXIS)), 0.5, 0.7),
    (FIGHT, "attacker = 10\n", "attacker = 5\n", lambda s: casualties.attacker_percent(1, 0, 9, s.rules.losses), 10, 5),
    (FIGHT, "defence = [1.0, 1.2", "defence = [1.0, 1.5", lambda s: s.rules.entrenchment.defence[1], 1.2, 1.5),
    (FIGHT, "percent_per_odds = 50", "percent_per_odds = 30", lambda s: retreat.chance(2, s.rules.flight), 50, 30),
    (FIGHT, "[advance]\nsource = \"7.8\"\nconfidence = \"printed\"\nmechanized = 90",
     "[advance]\nsource = \"7.8\"\nconfidence = \"printed\"\nmechanized = 95",
     lambda s: s.rules.flight.advance[MECHANIZED], 90, 95),
    (FIGHT, "factory_chance = 50", "factory_chance = 60", lambda s: air.factory_chances(s, AXIS, 50), [50], [60]),
    (FIGHT, "experience = 5\nexperience_below", "experience = 9\nexperience_below",
     lambda s: s.rules.recovery.taught[10], 15, 19),
    (SHEET, "least = 10\nstep = 10", "least = 10\nstep = 20", lambda s: offered(s, "replace")[0], 10, 20),
    (SHEET, 'axis = ["PZ", "INF", "SS elite"]', 'axis = ["INF", "PZ", "SS elite"]',
     lambda s: recruits.offer(s, AXIS, 1)[0], "PZ", "INF"),
    (FIGHT, '["1943-01", "SS MOT", "SS PZG elite"]', '["1941-01", "SS MOT", "SS PZG elite"]',
     lambda s: s.rules.types[recruits.elite_kind(s)].id, "SS MOT", "SS PZG elite"),
    (SHEET, '[100, "Soviet marginal"]', '[300, "Soviet marginal"]',
     lambda s: victory.level_of(200, s.rules.sheet["victory"]), "Soviet marginal", "Draw"),
    (SHEET, "axis_fails = { 1943 = 30", "axis_fails = { 1941 = 100, 1943 = 30",
     lambda s: fails_chance(s.year, s.rules.sheet["production"]), 0, 100),
    (SHEET, 'months_from = "1943-01"', 'months_from = "1942-06"', lambda s: victory.MonthSurvived(3).words(s),
     "The Axis has survived 3 months since January 1943", "The Axis has survived 3 months since June 1942"),
    (SHEET, "north = 2\n", "north = 3\n", to_come("8.6"), f"{FROM_THE_NORTH} twice that",
     f"{FROM_THE_NORTH} three times that"),
    (SHEET, "north = 2\n", "north = 1\n", to_come("8.6"), f"{FROM_THE_NORTH} twice that", SHIPMENTS),
    (FIGHT, 'city = "Kuybyshev"', 'city = "Gorki"', to_come("8.14"),
     "a Siberian group a week at Kuybyshev, to December 1942", "a Siberian group a week at Gorki, to December 1942"),
    (FIGHT, 'italian = ["1943-01"', 'italian = ["1942-01"',
     lambda s: [change["month"] for change in timeline(s.rules) if change["text"] == "IT MOT become PZG"], ["1943-01"],
     ["1942-01"]),
    (FIGHT, 'very_cold_until = "1942-12"', 'very_cold_until = "1941-01"',
     in_weather(VERY_COLD, lambda s: attack_policy_of(s, SOVIET).tired), 70, 58),
    (SHEET, "fast_learning = [1, 2]", "fast_learning = [3]", fast, [1, 2], [3]),
    (FIGHT, 'south = "Baku"', 'south = "Gorki"', closed("south", "Gorki"), False, True),
    (FIGHT, 'landing = "Murmansk"', 'landing = "Gorki"', closed("north", "Archangel", "Gorki"), False, True),
    (FIGHT, 'junction = "Archangel"', 'junction = "Gorki"', closed("north", "Murmansk", "Archangel"), True, False),
    (FIGHT, 'junction = "Archangel"', 'junction = "Gorki"', waiting, True, False),
    (FIGHT, 'landing = "Murmansk"', 'landing = "Helsinki"', line_to_junction, True, False),
    (FIGHT, "on_aircraft = 50", "on_aircraft = 100", sunk, [130, 18], [160, 15]),
    (FIGHT, 'landing = "Murmansk"', 'landing = "Gorki"', goods_told, told_of("Murmansk"), told_of("Gorki")),
    (FIGHT, 'junction = "Archangel"', 'junction = "Gorki"', goods_told, told_of("Murmansk"),
     told_of("Murmansk", "Gorki")),
    (FIGHT, "into = {", "into = { clear = 3, ", lambda s: s.rules.attack.into[CLEAR], 1, 3),
]  # fmt: skip


LATER = [
    (SHEET, 'half_terrain = ["clear", "city", "fortified city", "rail"]', 'half_terrain = ["clear", "glacier"]'),
    (SHEET, 'half_weather = ["clear", "cold"]', "half_weather = 3"),
    (SHEET, 'first_winter_months = ["1941-12", "1942-02"]', 'first_winter_months = ["1941-12"]'),
    (SHEET, "very_cold_axis_year = 1941", 'very_cold_axis_year = "x"'),
    (SHEET, "fast_learning = [1, 2]", 'fast_learning = ["low"]'),
    (FIGHT, 'landing = "Murmansk"', 'landing = "Narvik"'),
    (FIGHT, 'junction = "Archangel"', "junction = 3"),
    (FIGHT, 'south = "Baku"', 'south = "Basra"'),
    (FIGHT, "on_aircraft = 50", "on_aircraft = [50]"),
]
"""Figures that sheets of earlier versions do not hold, and what they cannot be."""


@pytest.mark.parametrize(("name", "line"), [line[:2] for line in LATER])
def test_a_sheet_of_an_earlier_version_means_what_it_did(tmp_path: Path, name: str, line: str) -> None:
    earlier, today = (game.setup("barbarossa", {}) for game in (edited(tmp_path, name, line, "# not yet"), WirGame()))
    found, wanted = earlier.rules, today.rules
    assert (found.march, found.first_winter, found.losses) == (wanted.march, wanted.first_winter, wanted.losses)
    assert (goods_told(earlier), sunk(earlier)) == (goods_told(today), sunk(today))
    assert [closed("south", "Baku")(s) for s in (earlier, today)] == [True, True]
    assert unsound(tmp_path) == []


@pytest.mark.parametrize(("name", "line", "wrong"), LATER)
def test_such_a_figure_is_checked_where_it_stands(tmp_path: Path, name: str, line: str, wrong: str) -> None:
    edited(tmp_path, name, line, wrong)
    assert unsound(tmp_path)


@pytest.mark.parametrize(
    ("name", "old", "new", "ask", "before", "after"), EDITS, ids=[f"{name} {new}" for name, _, new, *_ in EDITS]
)
def test_one_figure_is_changed(
    tmp_path: Path, name: str, old: str, new: str, ask: Callable[[State], Any], before: Any, after: Any
) -> None:
    shipped = ask(WirGame().setup("barbarossa", {}))
    found = ask(edited(tmp_path, name, old, new).setup("barbarossa", {}))
    if before is None:
        assert found == shipped * after
    else:
        assert (shipped, found) == (before, after)
    assert ask(WirGame().setup("barbarossa", {})) == shipped


def test_armies_map_and_scenarios_are_ones_own(tmp_path: Path) -> None:
    edited(tmp_path, "cities.csv", "Moscow,1814,", "Moskva,1814,")
    edited(tmp_path, "scenarios/zitadelle.toml", 'weather = "clear"', 'weather = "rain"')
    game = edited(tmp_path, "tables.toml", 'axis_wins = ["Moscow"', 'axis_wins = ["Moskva"')
    s = game.setup("zitadelle", {})
    assert s.weather == RAIN
    assert any(city.name == "Moskva" for city in s.rules.map.cities)
    assert [info.id for info in game.scenarios()] == [info.id for info in WirGame().scenarios()]
    assert any(place["name"] == "Moskva" for place in game.static("zitadelle")["map"]["places"])
    assert any(place["name"] == "Moscow" for place in WirGame().static("zitadelle")["map"]["places"])


def test_an_edit_counts_at_once(tmp_path: Path) -> None:
    game = edited(tmp_path, "tables.toml", "mechanized = 4\n", "mechanized = 5\n")
    assert game.setup("barbarossa", {}).rules.march.allowance[MECHANIZED] == 5
    edited(tmp_path, "tables.toml", "mechanized = 4\n", "mechanized = 13\n")
    assert game.setup("barbarossa", {}).rules.march.allowance[MECHANIZED] == 13


def test_a_position_and_a_state_keep_their_data(tmp_path: Path) -> None:
    game = edited(tmp_path, "tables.toml", "mechanized = 4\n", "mechanized = 5\n")
    s = game.setup("barbarossa", {})
    assert game.load_position(game.dump_position(s)).rules is s.rules
    assert pickle.loads(pickle.dumps(s.rules)) is s.rules
    assert s.rules is not WirGame().setup("barbarossa", {}).rules


def test_the_registry_makes_the_game(tmp_path: Path) -> None:
    edited(tmp_path, "tables.toml", "mechanized = 4\n", "mechanized = 5\n")
    game: Any = game_with_data("wir", tmp_path)
    assert game.setup("barbarossa", {}).rules.march.allowance[MECHANIZED] == 5


def test_what_the_program_is_built_for_cannot_be_changed(tmp_path: Path) -> None:
    game = edited(tmp_path, "tables.toml", "per_side = 199\n", "per_side = 250\n")
    with pytest.raises(SetupError, match=r"tables\.toml, line \d+, groups\.units_per_side: this cannot be changed"):
        game.setup("barbarossa", {})
    assert any(p.field == "groups.units_per_side" and "built" in p.message for p in validate(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mechanized = 4\n", "mechanized = \n", "tables.toml"),
        ("mechanized = 4\n", "mechanised = 4\n", "mechanized"),
        ("fatigue = { open = 5, rough = 25 }", "fatigue = 5", "tables.toml"),
    ],
)
def test_a_broken_sheet_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    game = edited(tmp_path, "tables.toml", old, new)
    with pytest.raises(SetupError, match=says):
        game.setup("barbarossa", {})


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(SetupError, match="no data folder"):
        WirGame("/nowhere/at/all").scenarios()


def test_reports_compare_score_strength_and_supply() -> None:
    """Each side's figures are known to its own seat alone."""
    game = WirGame()
    s = game.setup("barbarossa", {})
    s.supplied |= 1 << PANZER
    told = sample(game, s)
    assert told["points"] == game.observe(s, None)["victory"]["difference"] != 0
    assert told["strength"]["axis"] == sum(s.strength[u] for u in s.units_of(AXIS))
    assert told["unsupplied"]["axis"] == told["standing"]["axis"] - 1


READING = """
import pkgutil, sys
from importlib import import_module
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
for package in ("rasputitsa.wir", "rasputitsa.ai.wir"):
    for found in pkgutil.walk_packages(import_module(package).__path__, package + "."):
        import_module(found.name)
print(*[name for name in opened if name.endswith((".toml", ".csv"))])
"""


def test_no_data_is_read_before_a_game_asks_for_its_own() -> None:
    """A module that reads the shipped files when it is imported goes by them whatever the game's folder says."""
    found = subprocess.run([sys.executable, "-c", READING], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
