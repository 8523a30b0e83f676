"""What the terrain effects chart says of freezing, crowding and overruns, and what defences gain, is data."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rasputitsa.core.data.built_in import figure
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.api import validate
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.charts import charts
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import Ruleset, ruleset
from rasputitsa.portfolio.rules.combat.eligibility import sides
from rasputitsa.portfolio.rules.combat.odds import hex_bonuses
from tests.unit.core.data_edits import copy_of

SHIPPED = ruleset("june22", {}, DATA)


def edited(folder: Path, table: str, key: str, new: str) -> int:
    """Gives a key of a table of the charts another value; returns its line."""
    path = folder / "charts.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index(f"[{table}]")
    number = next(n for n in range(start, len(lines)) if re.match(rf"{key}\s*=", lines[n]))
    lines[number] = f"{key} = {new}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return number + 1


def cold_everywhere(folder: Path) -> None:
    """Draws the Arctic Weather Line south of the map: as shipped, no mountain or side of Kerch lies beyond it."""
    path = folder / "hexes.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    place = header.split(",").index("arctic")
    cold = [",".join((*(cells := row.split(","))[:place], "1", *cells[place + 1 :])) for row in rows]
    path.write_text("\n".join((header, *cold)) + "\n", encoding="utf-8")


@pytest.mark.parametrize("terrain", ["clear", "swamp", "hills", "mountain"])
def test_what_crowds_armor_is_data(tmp_path: Path, terrain: str) -> None:
    folder = copy_of(DATA, tmp_path)
    was = SHIPPED.charts["terrain"][terrain]["rough"]
    edited(folder, f"terrain.{terrain}", "rough", "false" if was else "true")
    now = ruleset("june22", {}, folder)
    assert now.map.ground[0].rough == SHIPPED.map.ground[0].rough ^ SHIPPED.map.by_terrain[terrain]


@pytest.mark.parametrize("terrain", ["clear", "swamp", "hills", "mountain"])
def test_where_armor_overruns_is_data(tmp_path: Path, terrain: str) -> None:
    folder = copy_of(DATA, tmp_path)
    was = SHIPPED.charts["terrain"][terrain]["overrun"]
    edited(folder, f"terrain.{terrain}", "overrun", "false" if was else "true")
    now, shipped = (rules.map.ground[0] for rules in (ruleset("june22", {}, folder), SHIPPED))
    strong = SHIPPED.map.majors | SHIPPED.map.fortresses
    assert now.no_overrun == shipped.no_overrun ^ shipped.kinds[terrain] & ~strong
    assert now.no_overrun & strong == strong


@pytest.mark.parametrize("place", ["major", "fortress"])
def test_armor_may_be_let_into_strongholds(tmp_path: Path, place: str) -> None:
    folder = copy_of(DATA, tmp_path)
    edited(folder, f"feature.{place}", "overrun", "true")
    now, shipped = (rules.map.ground[0] for rules in (ruleset("june22", {}, folder), SHIPPED))
    freed = SHIPPED.map.majors if place == "major" else SHIPPED.map.fortresses
    other = SHIPPED.map.fortresses if place == "major" else SHIPPED.map.majors
    assert shipped.no_overrun & ~now.no_overrun == freed & ~shipped.uneven & ~other != 0


def frozen_swamp(rules: Ruleset) -> object:
    return rules.map.ground[1].kinds["swamp"] & rules.map.arctic


def frozen_lake(rules: Ruleset) -> object:
    return rules.map.ground[1].land & rules.map.lake


def frozen_river(rules: Ruleset) -> object:
    ground = rules.map.ground[1]
    return [ground.river.masks, ground.one_way_river.masks, sides(rules.map, True).river]


def frozen_strait(rules: Ruleset) -> object:
    return [rules.map.ground[1].straits.masks, sides(rules.map, True).straits]


@pytest.mark.parametrize(
    ("table", "new", "seen"),
    [
        ("terrain.swamp", "false", frozen_swamp),
        ("feature.lake", "false", frozen_lake), ("feature.river", "false", frozen_river),
        ("feature.kronshtadt", "true", frozen_strait), ("feature.lake", "false", frozen_strait),
    ],
)  # fmt: skip
def test_what_snow_freezes_is_data(tmp_path: Path, table: str, new: str, seen: Callable[[Ruleset], object]) -> None:
    folder = copy_of(DATA, tmp_path)
    edited(folder, table, "freezes", new)
    now = ruleset("june22", {}, folder)
    assert seen(now) != seen(SHIPPED)
    assert now.map.ground[0].river.masks == SHIPPED.map.ground[0].river.masks, "no ice in other weather"


@pytest.mark.parametrize("freezes", ["true", "false"])
def test_clients_are_told_what_freezes(tmp_path: Path, freezes: str) -> None:
    folder = copy_of(DATA, tmp_path)
    edited(folder, "feature.lake", "freezes", freezes)
    told, board = PortfolioGame(folder).static("june22"), ruleset("june22", {}, folder).map
    thawed, frozen = board.ground
    assert {name for name, ground in told["grounds"].items() if ground["ice"]} == {"snow"}
    ice = sum(1 << board.grid.index(hex_["id"]) for hex_ in told["map"]["hexes"] if hex_["freezes"])
    assert ice & board.lake == frozen.land & ~thawed.land
    assert ice & board.swamp == thawed.kinds["swamp"] & ~frozen.kinds["swamp"] != 0
    assert not ice & ~board.lake & ~board.swamp
    waters = {"lake": "straits", "kerch": "straits", "kronshtadt": "straits", "river_oneway": "one_way_river"}
    for side in told["map"]["sides"]:
        pair = board.grid.index(side["a"]), board.grid.index(side["b"])
        if name := waters.get(side["kind"]):
            assert side["freezes"] == (not getattr(frozen, name).between(*pair)), side
        elif side["kind"] == "river" and thawed.river.between(*pair):
            assert side["freezes"] == (not frozen.river.between(*pair)), side
        else:
            assert side["kind"] == "river" or not side["freezes"], side


def test_a_strait_beyond_the_line_freezes_for_attacks_too(tmp_path: Path) -> None:
    folder = copy_of(DATA, tmp_path)
    cold_everywhere(folder)
    edited(folder, "feature.kerch", "freezes", "true")
    board = ruleset("june22", {}, folder).map
    assert any(sides(board, False).kerch)
    assert not any(sides(board, True).kerch)


@pytest.mark.parametrize("freezes", ["true", "false"])
def test_frozen_mountains_count_as_clear(tmp_path: Path, freezes: str) -> None:
    folder = copy_of(DATA, tmp_path)
    cold_everywhere(folder)
    edited(folder, "terrain.mountain", "freezes", freezes)
    rules = ruleset("june22", {}, folder)
    mountain = rules.map.mountain & rules.map.land & ~rules.map.neutral
    frozen = rules.map.ground[1]
    assert mountain
    assert bool(frozen.kinds["clear"] & mountain == mountain) == (freezes == "true")
    assert bool(frozen.uneven & mountain) == (freezes == "false")


@pytest.mark.parametrize(("table", "title"), [("terrain.clear", "Clear"), ("feature.town", "Town")])
def test_open_ground_and_towns_can_have_a_bonus(tmp_path: Path, table: str, title: str) -> None:
    folder = copy_of(DATA, tmp_path)
    edited(folder, table, "bonus", '[{ who = ["front"], number = 0, factors = 3 }]')
    rules = ruleset("june22", {}, folder)
    bonuses = hex_bonuses(rules, False)
    board = rules.map
    where = board.ground[0].kinds["clear"] if title == "Clear" else board.towns & ~board.majors & ~board.cities
    given = {hex_ for hex_, found in bonuses.items() if any(bonus.text == title for bonus in found)}
    assert given
    assert given <= {hex_ for hex_ in range(rules.grid.size) if where >> hex_ & 1}
    assert not any(bonus.text == title for found in hex_bonuses(SHIPPED, False).values() for bonus in found)


REFUSED = [
    ("sea", "closed_waters", '["White Sea"]', "the map has Caspian, White Sea"),
    ("feature.lake", "freezes", '"often"', "this is true or false"),
    ("terrain.hills", "rough", "1", "this is true or false"),
    ("stacking", "units", "9", "this is a whole number from 2 to 8"),
]


@pytest.mark.parametrize(("table", "key", "new", "why"), REFUSED, ids=[f"{row[0]}.{row[1]}" for row in REFUSED])
def test_what_would_change_nothing_is_refused_by_line(tmp_path: Path, table: str, key: str, new: str, why: str) -> None:
    folder = copy_of(DATA, tmp_path)
    line = edited(folder, table, key, new)
    with pytest.raises(SetupError, match=rf"charts\.toml, line {line}, {re.escape(f'{table}.{key}')}: {why}"):
        PortfolioGame(folder).setup("june22", {})
    assert validate.validate(folder) != []


SAID_ELSEWHERE = [
    ("[production]", "major_cities = 21", "production.major_cities"),
    ("[feature.river]", "surcharge = 2", "feature.river.surcharge"),
    ("[feature.lake]", 'barred_types = ["armor"]', "feature.lake.barred_types"),
    ("number = 2", 'month = "1941-06"', "turns.2.month"),
]


@pytest.mark.parametrize(("after", "line", "key"), SAID_ELSEWHERE, ids=[row[2] for row in SAID_ELSEWHERE])
def test_a_figure_stands_once(tmp_path: Path, after: str, line: str, key: str) -> None:
    """What the map, the types, the movement table and a date say is not said again in the charts sheet."""
    assert figure(charts(DATA), key) is None
    folder = copy_of(DATA, tmp_path)
    path = folder / "charts.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f"{after}\n", f"{after}\n{line}\n"), encoding="utf-8")
    PortfolioGame(folder).setup("june22", {})
    [problem] = validate.validate(folder)
    assert problem.field == key and problem.message.startswith("nothing reads this")
