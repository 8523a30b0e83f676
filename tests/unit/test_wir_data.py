"""The shipped map, units and figures of War in Russia against what the manual says of them."""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter, defaultdict
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.hexes.grid import Grid
from rasputitsa.wir.theatre import GRID_DIRECTION, hex_name, theatre
from rasputitsa.wir.validate import DATA_DIR, validate

GRID = Grid(31, 32, hex_name)
YEARS = (1941, 1942, 1943)
N, NE, SE, S, SW, NW = range(1, 7)
Row = dict[str, str]

# 4.10, transcribed from the manual.
PORTS = {
    "Black Sea": {"Odessa", "Sevastopol", "Krasnodar"},
    "Baltic": {"Konigsberg", "Riga", "Helsinki"},
    "White Sea": {"Murmansk", "Archangel"},
}
# 4.9, transcribed again: kind, experience, maximum strength; a later line for the same kind starts in its year.
KINDS = """
INF 1941 70 70 | INF 1943 10 90 | SS_INF 1943 10 90 | MTN 1943 10 60 | SS_MTN 1943 10 90 | CAV 1943 10 60
SS_CAV 1943 10 90 | JG 1943 10 60 | LW_INF 1943 10 60 | PZ 1943 10 150 | SS_PZ 1943 90 200 | PZG 1943 10 130
SS_PZG 1943 10 140 | SS_PZG_elite 1943 90 200 | MOT 1943 10 100 | SS_MOT 1941 90 140 | IT_MOT 1941 10 100
IT_INF 1941 10 60 | RUM_INF 1941 10 60 | RUM_CAV 1941 10 60 | RUM_MTN 1941 10 60 | HUN_INF 1941 10 60
FIN_INF 1941 10 120 | RIFLE 1941 10 90 | GDS_RIFLE 1941 10 120 | KAV 1941 10 60 | KAV 1943 10 90
GDS_KAV 1941 10 120 | PARA 1941 10 120 | TANK 1941 10 60 | MECH 1941 20 90 | TANK 1942 10 120
GDS_TANK 1941 10 140 | MECH 1942 70 150 | GDS_MECH 1941 70 180
"""
COSTS = {
    "INF": (1, 0), "RIFLE": (1, 0), "MTN": (1, 0), "KAV": (1, 0), "MOT": (1, 1), "PZG": (1, 1), "PZ": (1, 1),
    "TANK": (1, 1), "MECH": (2, 1), "SS MOT": (2, 1), "SS PZG elite": (2, 1),
}  # fmt: skip
GERMAN = ("INF", "SS INF", "MTN", "SS MTN", "CAV", "SS CAV", "JG", "LW INF", "PZ", "PZG", "SS PZG", "MOT")
NAMES = {
    "SS INF": ["POL", "GAL", "LET"], "SS MTN": ["NOR", "P.E", "HAN"], "SS CAV": ["F.G"],
    "SS MOT": ["LAH", "D.R", "TOT", "WIK", "HOH", "FRU", "N.L", "H.J", "R.F", "G.B", "H.W"],
}  # fmt: skip


def read(name: str) -> list[Row]:
    with (DATA_DIR / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def hexes() -> dict[str, Row]:
    return {row["hex"]: row for row in read("hexes.csv")}


@cache
def cities() -> dict[str, Row]:
    return {row["name"]: row for row in read("cities.csv")}


@cache
def units(year: int) -> list[Row]:
    return read(f"units_{year}.csv")


@cache
def tables() -> dict[str, Any]:
    return tomllib.loads((DATA_DIR / "tables.toml").read_text(encoding="utf-8"))


@cache
def kinds() -> dict[str, dict[str, Any]]:
    return {kind["id"]: kind for kind in tables()["types"]["list"]}


@cache
def rivers() -> dict[frozenset[str], str]:
    return {frozenset((row["hex_a"], row["hex_b"])): row["name"] for row in read("hexsides.csv")}


def around(name: str) -> list[str]:
    return [GRID.names[i] for i in GRID.neighbours[GRID.index(name)] if i >= 0]


def step(name: str, direction: int) -> str:
    return GRID.names[GRID.neighbours[GRID.index(name)][GRID_DIRECTION[direction]]]


def at(city: str) -> str:
    return cities()[city]["hex"]


def spread(start: str, within: set[str]) -> set[str]:
    reached, todo = {start}, [start]
    while todo:
        for there in around(todo.pop()):
            if there in within and there not in reached:
                reached.add(there)
                todo.append(there)
    return reached


def sea() -> set[str]:
    return {name for name, row in hexes().items() if row["terrain"] == "sea"}


def line(side: str, year: int) -> set[str]:
    """Rail of a side's gauge and its cities."""
    rail = {name for name, row in hexes().items() if row[f"rail_{year}"] == side}
    return rail | {row["hex"] for row in cities().values() if row[f"owner_{year}"] == side}


# ---------------------------------------------------------------- the whole


def test_the_shipped_data_are_sound() -> None:
    assert validate() == []


def test_every_value_says_where_it_comes_from() -> None:
    for path in DATA_DIR.glob("*.csv"):
        for row in read(path.name):
            assert row["source"], (path.name, row)
            assert row["confidence"] in ("printed", "inferred", "reconstructed"), (path.name, row)
    for name, table in tables().items():
        assert table["source"] and table["confidence"] in ("printed", "inferred", "reconstructed"), name


def test_the_data_files_are_plain_utf8_with_unix_line_ends() -> None:
    for path in sorted(Path(DATA_DIR).rglob("*.*")):
        content = path.read_bytes()
        assert b"\r" not in content, path.name
        content.decode("utf-8")


# ---------------------------------------------------------------- the map (1.4, 4.6)


def test_the_map_is_31_hexes_wide_and_32_high() -> None:
    assert len(hexes()) == 31 * 32
    assert {name[:2] for name in hexes()} == {f"{n:02d}" for n in range(1, 32)}
    assert {name[2:] for name in hexes()} == {f"{n:02d}" for n in range(1, 33)}


@pytest.mark.parametrize(
    ("direction", "from_odd", "from_even"),
    [(N, "1713", "1813"), (NE, "1813", "1914"), (SE, "1814", "1915"), (S, "1715", "1815"), (SW, "1614", "1715"),
     (NW, "1613", "1714")],
)  # fmt: skip
def test_the_six_directions(direction: int, from_odd: str, from_even: str) -> None:
    assert step("1714", direction) == from_odd
    assert step("1814", direction) == from_even


def test_directions_agree_with_the_compass() -> None:
    lon = {name: float(row["lon"]) for name, row in hexes().items()}
    lat = {name: float(row["lat"]) for name, row in hexes().items()}
    for city in ("Moscow", "Kiev", "Smolensk", "Stalingrad"):
        here = at(city)
        assert lat[step(here, N)] > lat[here] > lat[step(here, S)]
        assert lon[step(here, NE)] > lon[here] > lon[step(here, NW)]
        assert lon[step(here, SE)] > lon[here] > lon[step(here, SW)]


def test_a_hex_is_50_miles_wide_in_the_middle_of_the_map() -> None:
    for name in ("1814", "1316", "1122", "2019"):
        north, south = (float(hexes()[step(name, d)]["lat"]) for d in (N, S))
        assert (north - south) * 69.05 / 2 == pytest.approx(50, rel=0.03)


@pytest.mark.parametrize(
    ("a", "b", "miles"),
    [("Brest", "Moscow", 618), ("Leningrad", "Moscow", 394), ("Kharkov", "Stalingrad", 383),
     ("Kiev", "Moscow", 470), ("Odessa", "Stalingrad", 659), ("Riga", "Leningrad", 305)],
)  # fmt: skip
def test_distances_in_the_middle_of_the_map(a: str, b: str, miles: int) -> None:
    """A way along hexes is up to 15 % longer than the straight one; each city is half a hex off at most."""
    found = GRID.distance(GRID.index(at(a)), GRID.index(at(b)))
    assert miles / 50 - 1 <= found <= miles / 50 * 1.155 + 1


def test_terrain_is_of_the_kinds_in_8_1() -> None:
    assert set(Counter(row["terrain"] for row in hexes().values())) == {"clear", "forest", "swamp", "mountain", "sea"}


def test_hexrow_21_parts_the_two_rail_zones() -> None:
    assert tables()["rail"]["south_from_row"] == 22
    row = {city: int(at(city)[2:]) for city in cities()}
    for city in ("Brest", "Minsk", "Gomel", "Kursk", "Voronezh", "Saratov"):
        assert row[city] <= 21, city
    for city in ("Lvov", "Kiev", "Kharkov", "Dnepropetrovsk", "Rostov", "Stalingrad"):
        assert row[city] > 21, city


def test_the_land_that_may_be_entered_hangs_together() -> None:
    land = {name for name, row in hexes().items() if row["passable"] == "1"}
    assert spread(at("Moscow"), land) == land
    assert not land & sea()
    assert {hexes()[name]["country"] for name in land}.isdisjoint({"Sweden", "Turkey", "Iran", ""})
    assert all(row["hex"] in land for row in cities().values())


def test_russia_is_the_soviet_union_of_1941() -> None:
    for row in hexes().values():
        assert (row["in_russia"] == "1") == (row["country"] == "USSR")
    for city, country in (("Lvov", "USSR"), ("Kishinev", "USSR"), ("Riga", "USSR"), ("Warsaw", "Germany"),
                          ("Jassy", "Romania"), ("Helsinki", "Finland"), ("Budapest", "Hungary")):  # fmt: skip
        assert hexes()[at(city)]["country"] == country


def test_the_front_of_june_1941_is_the_border() -> None:
    for name, row in hexes().items():
        if row["passable"] == "1":
            assert (row["control_1941"] == "S") == (row["country"] == "USSR"), name


# ---------------------------------------------------------------- ports and seas (4.10)


def test_the_ports_of_each_sea() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for name, row in cities().items():
        if row["port"]:
            found[row["port"]].add(name)
    assert found == PORTS
    assert tables()["naval"]["seas"] == ["Black Sea", "Baltic Sea", "White Sea"]
    assert tables()["naval"]["soviet_barred"] == ["Baltic Sea"]
    assert tables()["naval"]["frozen"] == ["White Sea"]


@pytest.mark.parametrize("water", PORTS)
def test_the_ports_of_a_sea_are_joined_by_water(water: str) -> None:
    first, *others = sorted(PORTS[water])
    reached = spread(at(first), sea())
    for other in others:
        assert set(around(at(other))) & reached, (first, other)


def test_no_two_seas_are_one() -> None:
    seas = {water: spread(at(min(ports)), sea()) - {at(min(ports))} for water, ports in PORTS.items()}
    assert not seas["Black Sea"] & seas["Baltic"]
    assert not seas["Black Sea"] & seas["White Sea"]
    assert not seas["Baltic"] & seas["White Sea"]


def test_units_that_may_never_go_by_sea() -> None:
    never = {name for name, kind in kinds().items() if not kind.get("sea")}
    assert {"TANK", "MECH", "PZ", "PZG", "MOT", "FIN INF", "IT MOT"} <= never
    assert {"INF", "RIFLE", "RUM INF", "KAV", "MTN", "PARA"}.isdisjoint(never)


# ---------------------------------------------------------------- cities (8.6, 8.8, 8.9, 9.1)


def test_the_cities_that_the_manual_names() -> None:
    named = {"Moscow", "Gorki", "Kuybyshev", "Riga", "Brest", "Konigsberg", "Bucharest", "Baku"}
    assert named | set().union(*PORTS.values()) <= set(cities())


def test_all_cities_score_but_germany_and_the_urals() -> None:
    assert {name for name, row in cities().items() if row["scores"] == "0"} == {"Germany", "Urals"}
    assert len(cities()) == 58


def test_captured_cities_have_lost_people_factories_and_half_of_their_supply_centers() -> None:
    for name, row in cities().items():
        for year in (1942, 1943):
            if row[f"owner_{year}"] != row["owner_1941"]:
                lost = ("population", "industry", "vehicle", "artillery", "aircraft")
                assert all(row[f"{value}_{year}"] == "0" for value in lost), (name, year)
                assert int(row[f"supply_{year}"]) <= int(row["supply_1941"]) // 2, (name, year)


@pytest.mark.parametrize(
    ("year", "axis", "soviet"),
    [
        (1941, {"Helsinki", "Bucharest", "Warsaw"}, {"Brest", "Kiev", "Leningrad"}),
        (1942, {"Kiev", "Kharkov", "Smolensk", "Odessa"}, {"Sevastopol", "Rostov", "Leningrad", "Kalinin"}),
        (1943, {"Sevastopol", "Orel", "Stalino", "Kharkov"}, {"Kursk", "Rostov", "Stalingrad", "Krasnodar"}),
    ],
)
def test_who_holds_what_at_the_start(year: int, axis: set[str], soviet: set[str]) -> None:
    owner = {name: row[f"owner_{year}"] for name, row in cities().items()}
    assert {owner[name] for name in axis} == {"A"}
    assert {owner[name] for name in soviet} == {"S"}
    for name, row in cities().items():
        assert hexes()[row["hex"]][f"control_{year}"] == owner[name], name


def test_twice_kharkov_and_rostov() -> None:
    """Taken, lost and (Kharkov) taken again before the start of a scenario: each time supply is halved."""
    assert [cities()["Kharkov"][f"supply_{year}"] for year in YEARS] == ["5", "2", "0"]
    assert [cities()["Rostov"][f"supply_{year}"] for year in YEARS] == ["4", "1", "0"]


def test_the_automatic_ends() -> None:
    victory = tables()["victory"]
    assert victory["axis_wins"] == ["Moscow", "Gorki", "Kuybyshev"]
    assert victory["soviet_needs"] == ["Riga", "Brest"]
    assert victory["soviet_one_of"] == ["Konigsberg", "Bucharest"]


def points(year: int) -> dict[str, int]:
    """Points of 9.1 for people, supply centers and cities at the start of a scenario."""
    found = Counter[str]()
    for row in cities().values():
        if row["scores"] == "1":
            found[row[f"owner_{year}"]] += int(row[f"population_{year}"]) + int(row[f"supply_{year}"]) + 20
    return found


def test_nobody_wins_by_standing_still() -> None:
    """The handicaps of 9.1 lie between what is held in 1941 and what a good offensive takes."""
    ahead = points(1941)["S"] - points(1941)["A"]
    assert ahead > 1000, "the Soviets lead by a decisive victory before a shot is fired"
    assert abs(points(1942)["S"] - points(1942)["A"]) < 250


# ---------------------------------------------------------------- rail (5.3, 8.6)


def test_the_railway_to_murmansk_runs_through_the_hex_south_west_of_archangel_only() -> None:
    gate = step(at("Archangel"), SW)
    for year in YEARS:
        network = line("S", year)
        assert gate in network
        assert at("Archangel") in spread(at("Murmansk"), network)
        assert at("Archangel") not in spread(at("Murmansk"), network - {gate})


@pytest.mark.parametrize("year", YEARS)
def test_the_railway_to_murmansk_is_open_at_the_start(year: int) -> None:
    """8.6: free of Axis units and their zones of control, or no scenario would have winter shipments."""
    threatened = set[str]()
    for row in units(year):
        if row["side"] == "axis":
            threatened |= {row["hex"], *around(row["hex"])}
    for row in read("depots_air.csv"):
        if row["side"] == "axis" and row["kind"] == "air":
            threatened |= {row[f"hex_{year}"], *around(row[f"hex_{year}"])}
    assert at("Archangel") in spread(at("Murmansk"), line("S", year) - threatened)


def test_an_axis_air_group_can_reach_the_convoys() -> None:
    """8.6: a supplied group within two hexes of the north edge; it stands on ground that air groups may enter."""
    for year in YEARS:
        near = [
            row[f"hex_{year}"] for row in read("depots_air.csv")
            if row["side"] == "axis" and row["kind"] == "air" and int(row[f"hex_{year}"][2:]) <= 2
        ]  # fmt: skip
        assert near
        assert all(hexes()[name]["terrain"] == "clear" for name in near)


def test_every_city_of_june_1941_has_a_railway() -> None:
    mainland = spread(at("Moscow"), line("S", 1941))
    assert all(row["hex"] in mainland for row in cities().values() if row["owner_1941"] == "S")
    for name in ("Warsaw", "Konigsberg", "Krakow", "Budapest", "Bucharest", "Jassy"):
        assert at(name) in spread(at("Germany"), line("A", 1941)), name
    assert at("Oulu") in spread(at("Helsinki"), line("A", 1941))


def test_the_axis_gauge_grows_with_the_occupation() -> None:
    gauge = {year: {n for n, row in hexes().items() if row[f"rail_{year}"] == "A"} for year in YEARS}
    assert gauge[1941] < gauge[1942]
    assert all(hexes()[name]["in_russia"] == "0" for name in gauge[1941])
    for year in YEARS:
        assert all(hexes()[name][f"control_{year}"] == "A" for name in gauge[year])
    rail = {year: {n for n, row in hexes().items() if row[f"rail_{year}"]} for year in YEARS}
    assert rail[1941] == rail[1942] == rail[1943]


@pytest.mark.parametrize(("year", "city"), [(1942, "Kharkov"), (1942, "Smolensk"), (1943, "Orel"), (1943, "Stalino")])
def test_axis_railheads(year: int, city: str) -> None:
    assert at(city) in spread(at("Germany"), line("A", year))


# ---------------------------------------------------------------- rivers


def corners(a: str, b: str) -> set[frozenset[str]]:
    return {frozenset((a, b, other)) for other in around(a) if other in around(b)}


@cache
def chains() -> dict[str, set[frozenset[str]]]:
    found: dict[str, set[frozenset[str]]] = defaultdict(set)
    for pair, names in rivers().items():
        for name in names.split("/"):
            found[name].add(pair)
    return found


@pytest.mark.parametrize("river", sorted(chains()))
def test_each_river_is_a_connected_chain(river: str) -> None:
    left = set(chains()[river])
    todo = [left.pop()]
    while todo:
        here = corners(*todo.pop())
        touching = {pair for pair in left if corners(*pair) & here}
        left -= touching
        todo += touching
    assert not left


@pytest.mark.parametrize(
    ("river", "city", "banks"),
    [
        ("Dniepr", "Kiev", {NE, SE}), ("Dniepr", "Smolensk", {N}), ("Dniepr", "Dnepropetrovsk", {NE}),
        ("Volga", "Stalingrad", {NE, SE}), ("Volga", "Saratov", {NE, SE}), ("Volga", "Kuybyshev", {NW, SW}),
        ("Don", "Voronezh", {NW, SW}), ("Don", "Rostov", {S}), ("Oka", "Gorki", {NW, SW}),
        ("Volga", "Gorki", {N}), ("Western Bug", "Brest", {NW, SW}), ("Western Dvina", "Riga", {SW}),
        ("Kuban", "Krasnodar", {N}), ("Terek", "Grozny", {N}), ("Vistula", "Warsaw", {NE, SE}),
        ("Velikaya-Narva", "Pskov", {NW, SW}), ("Volga", "Kalinin", {N}), ("Volga", "Yaroslavl", {N}),
    ],
)  # fmt: skip
def test_cities_lie_on_the_right_bank(river: str, city: str, banks: set[int]) -> None:
    on = {d for d in range(1, 7) if river in rivers().get(frozenset((at(city), step(at(city), d))), "").split("/")}
    assert banks <= on
    opposite = {(d + 2) % 6 + 1 for d in banks}
    assert not on & opposite


def test_the_crimea_is_entered_over_perekop_or_kerch() -> None:
    crimea = {"1529", "1530", "1629", "1729", "1828", "1528"}
    ways = {
        frozenset((a, b)) for a in crimea for b in around(a)
        if b not in crimea and hexes()[b]["passable"] == "1"
    }  # fmt: skip
    assert ways
    assert all(rivers().get(way) in ("Sivash", "Kerch Strait") for way in ways)


def test_rivers_do_not_run_between_sea_hexes() -> None:
    for pair in rivers():
        assert not pair <= sea()


# ---------------------------------------------------------------- groups (4.1, 4.2, 5.1, 6.7)


def test_group_numbers() -> None:
    groups = tables()["groups"]
    assert groups["mechanized"] == [[1, 11], [64, 75]]
    assert groups["infantry"] == [[12, 51], [76, 115]]
    assert groups["air"] == [[52, 57], [116, 121]]
    assert groups["depot"] == [[58, 63], [122, 127]]
    assert (groups["units_per_group"], groups["units_per_side"], groups["stack"]) == (6, 199, 2)


def kind_of(group: int) -> str:
    for kind in ("mechanized", "infantry", "air", "depot"):
        if any(first <= group <= last for first, last in tables()["groups"][kind]):
            return kind
    raise AssertionError(group)


@pytest.mark.parametrize("year", YEARS)
def test_groups_hold_what_they_may(year: int) -> None:
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in units(year):
        groups[int(row["group"])].append(row)
    for group, rows in groups.items():
        assert 1 <= len(rows) <= 6, group
        assert {row["side"] for row in rows} == {"axis" if group < 64 else "soviet"}
        assert len({(row["hex"], row["artillery"], row["entrenchment"]) for row in rows}) == 1, group
        assert kind_of(group) in ("mechanized", "infantry")
        if kind_of(group) == "mechanized":
            for row in rows:
                assert row["type"].split()[-1] in ("PZ", "PZG", "MOT", "TANK", "MECH", "elite"), row
                assert row["type"] != "IT MOT"


@pytest.mark.parametrize("year", YEARS)
def test_sides_stand_on_their_own_ground_two_groups_to_a_hex(year: int) -> None:
    stacks: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in units(year):
        stacks[row["hex"]].add((row["side"], row["group"]))
    for row in read("depots_air.csv"):
        if row["kind"] == "air":
            stacks[row[f"hex_{year}"]].add((row["side"], row["id"]))
    for name, stack in stacks.items():
        assert len(stack) <= 2, name
        (side,) = {side for side, _ in stack}
        assert hexes()[name]["passable"] == "1"
        assert hexes()[name][f"control_{year}"] == {"axis": "A", "soviet": "S"}[side], name


@pytest.mark.parametrize("year", YEARS)
def test_sides_have_at_most_199_units_each_with_its_name(year: int) -> None:
    count = Counter(row["side"] for row in units(year))
    assert max(count.values()) <= 199
    names = Counter((row["side"], row["type"], row["designation"]) for row in units(year))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("year", YEARS)
def test_units_keep_within_the_maxima_of_their_year(year: int) -> None:
    for row in units(year):
        most = [value for since, value in kinds()[row["type"]]["strength"].items() if int(since) <= year][-1]
        assert 1 <= int(row["strength"]) <= most, row
        assert 0 <= int(row["experience"]) <= 99
        assert 0 <= int(row["fatigue"]) <= 95
        assert 0 <= int(row["entrenchment"]) <= 5
        assert 0 <= int(row["artillery"]) <= 240


def test_four_elite_ss_divisions_start_every_game() -> None:
    for year in YEARS:
        elite = {row["designation"] for row in units(year) if kinds()[row["type"]].get("elite")}
        assert elite == {"LAH", "D.R", "TOT", "WIK"}
    assert tables()["build"]["elite"] == [["1941-01", ["LAH", "D.R", "TOT", "WIK"]], ["1943-01", ["HOH", "FRU", "H.J"]]]


def test_ss_divisions_have_the_names_of_2_2() -> None:
    given = {kind: set(names) for kind, names in NAMES.items()}
    given["SS PZG elite"] = given["SS MOT"]
    for year in YEARS:
        for row in units(year):
            if row["type"].startswith("SS"):
                assert row["designation"] in given[row["type"]], row
    spare = tables()["names"]
    for kind in ("SS INF", "SS MTN", "SS CAV"):
        assert spare[kind] == NAMES[kind]
    assert spare["SS PZG"] == ["N.L", "R.F", "G.B", "H.W"]


def test_kinds_of_units_appear_in_their_time() -> None:
    found = {year: {row["type"] for row in units(year)} for year in YEARS}
    assert not found[1941] & {"PZG", "LW INF", "SS PZG elite", "GDS RIFLE", "GDS TANK", "GDS MECH"}
    assert not found[1942] & {"PZG", "LW INF", "SS PZG elite", "MECH"}
    assert not found[1943] & {"MOT", "SS MOT", "IT MOT", "IT INF", "SS PZ"}, "8.13 changes these in January 1943"
    assert ("IT MOT", "1C") in {(row["type"], row["designation"]) for row in units(1941)}


def test_air_groups_and_depots() -> None:
    bases = {int(row["id"]): row for row in read("depots_air.csv")}
    assert sorted(bases) == [*range(52, 64), *range(116, 128)]
    for number, row in bases.items():
        assert row["kind"] == kind_of(number)
        for year in YEARS:
            here = hexes()[row[f"hex_{year}"]]
            if row["kind"] == "depot":
                assert here["hex"] in line({"axis": "A", "soviet": "S"}[row["side"]], year), number
            else:
                assert 0 <= int(row[f"points_{year}"]) <= 255


# ---------------------------------------------------------------- units and figures (4.9 and after)


@pytest.mark.parametrize("entry", re.findall(r"(\w+) (\d{4}) (\d+) (\d+)", KINDS))
def test_strength_and_experience_of_each_kind(entry: tuple[str, str, str, str]) -> None:
    name, year, experience, strength = entry
    kind = kinds()[name.replace("_", " ")]

    def value(field: str) -> int:
        found: int = [number for since, number in kind[field].items() if since <= year][-1]
        return found

    assert (value("experience"), value("strength")) == (int(experience), int(strength))


def test_all_german_units_built_in_1941_or_1942_start_with_70() -> None:
    for name in GERMAN:
        assert kinds()[name]["experience"] == {"1941": 70, "1943": 10}, name


@pytest.mark.parametrize(("kind", "cost"), COSTS.items())
def test_cost_of_a_point_of_strength(kind: str, cost: tuple[int, int]) -> None:
    assert (kinds()[kind].get("infantry", 0), kinds()[kind].get("vehicle", 0)) == cost


def test_figures_of_supply_and_movement() -> None:
    supply, movement = tables()["supply"], tables()["movement"]
    assert supply["relief"] == [50, 33, 25, 20, 17, 14, 12]
    assert (supply["radius"], supply["most_penalty"], supply["vehicles_per_bonus"], supply["pool"]) == (2, 4, 1000, 255)
    assert (movement["mechanized"], movement["infantry"], movement["air"]) == (4, 2, 1)
    assert movement["fatigue"] == {"open": 5, "rough": 25} and movement["tactical"] == {"open": 10, "rough": 50}
    assert movement["weather"] == {"clear": 1, "cold": 2, "very cold": 3, "rain": 4}
    assert (movement["river_strategic"], movement["river_tactical"], movement["most_fatigue"]) == (20, 10, 95)


@pytest.mark.parametrize(
    ("month", "cold", "very_cold", "rain"),
    [
        ("january", 75, 20, 5), ("february", 75, 20, 5), ("march", 47, 10, 43), ("april", 20, 0, 80),
        ("may", 0, 0, 70), ("june", 0, 0, 28), ("july", 0, 0, 0), ("august", 0, 0, 0), ("september", 0, 0, 0),
        ("october", 20, 0, 80), ("november", 75, 20, 5), ("december", 75, 20, 5),
    ],
)  # fmt: skip
def test_weather_of_each_month(month: str, cold: int, very_cold: int, rain: int) -> None:
    assert tables()["weather"][month] == [cold, very_cold, rain]


def test_the_first_winter_is_very_cold_four_times_in_five() -> None:
    assert tables()["weather"]["first_winter"][1] == 80


def test_figures_of_production_and_lend_lease() -> None:
    production, lend_lease = tables()["production"], tables()["lend_lease"]
    assert production["pool"] == {
        "infantry": 2550, "vehicle": 2550, "artillery": 2550, "aircraft": 255, "supply": 255, "construction": 255,
    }  # fmt: skip
    assert {year: production["axis_fails"][year] for year in ("1943", "1944")} == {"1943": 30, "1944": 50}
    assert production["soviet_infantry"] == [["1941-06", 333], ["1941-08", 83], ["1943-01", 67]]
    assert (production["factory_cost"], production["points_per_new_factory"]) == (5, 20)
    assert lend_lease["area"] == {"north": 50, "south": 25, "east": 25}
    assert (lend_lease["from"], lend_lease["north"]) == ("1941-10", 2)


def test_figures_of_victory() -> None:
    victory = tables()["victory"]
    assert (victory["city"], victory["month"], victory["months_from"], victory["short_factor"]) == (
        20,
        50,
        "1943-01",
        2,
    )
    assert [least for least, _ in victory["levels"]] == [1000, 500, 100, -99, -499, -999]


@pytest.mark.parametrize(
    ("scenario", "start", "setup", "axis", "soviet"),
    [
        ("barbarossa", date(1941, 6, 22), 1941, 0, 150), ("barbarossa_short", date(1941, 6, 22), 1941, 300, 0),
        ("case_blue", date(1942, 6, 28), 1942, 0, 150), ("case_blue_short", date(1942, 6, 28), 1942, 0, 150),
        ("zitadelle", date(1943, 7, 4), 1943, 0, 150),
    ],
)  # fmt: skip
def test_the_scenarios(scenario: str, start: date, setup: int, axis: int, soviet: int) -> None:
    data = tomllib.loads((DATA_DIR / "scenarios" / f"{scenario}.toml").read_text(encoding="utf-8"))
    assert (data["start"], data["setup"]) == (start, setup)
    assert data["handicap"] == {"axis": axis, "soviet": soviet}
    assert (start - date(1941, 6, 22)).days % 7 == 0
    assert start + timedelta(7 * (data["turns"] - 1)) <= date(1945, 5, 8)
    for side in ("axis", "soviet"):
        for pool, value in data["pools"][side].items():
            assert 0 <= value <= tables()["production"]["pool"].get(pool, 255)


# ---------------------------------------------------------------- the front can be fed (5.2)


UNFED = {
    (1942, "Coastal Group (Oranienbaum)"), (1943, "Coastal Group (Oranienbaum)"),
    (1942, "Coastal Army (Sevastopol)"), (1942, "3 + 4 Shock + 41 Army (Kalinin Front)"),
}  # fmt: skip
"""Pockets and besieged fortresses: these really lived on what they had, or on what ships and aircraft brought."""


@pytest.mark.parametrize("year", YEARS)
def test_depots_reach_the_armies_but_for_those_cut_off(year: int) -> None:
    hungry = set()
    for side, letter, enemy in (("axis", "A", "soviet"), ("soviet", "S", "axis")):
        threatened = set[str]()
        for row in units(year):
            if row["side"] == enemy:
                threatened |= {row["hex"], *around(row["hex"])}
        towns = {row["hex"] for row in cities().values()}
        free = line(letter, year) - threatened
        rough = {
            name for name, row in hexes().items()
            if row["passable"] == "1" and (row["terrain"] == "clear" or row[f"rail_{year}"])
        } - threatened - towns  # fmt: skip
        fed: set[str] = set()
        for base in read("depots_air.csv"):
            if base["kind"] == "depot" and base["side"] == side:
                reached = spread(base[f"hex_{year}"], free)
                for _ in range(4):
                    reached |= {there for name in reached for there in around(name) if there in rough}
                    for name in list(reached & free):
                        reached |= spread(name, free)
                near = reached | {there for name in reached for there in around(name)}
                fed |= near | {there for name in near for there in around(name)}
        hungry |= {(year, row["formation"]) for row in units(year) if row["side"] == side and row["hex"] not in fed}
        bases = [row for row in read("depots_air.csv") if row["side"] == side]
        assert all(row[f"hex_{year}"] in fed for row in bases), "air groups fly only when supplied (5.0)"
    assert hungry == {entry for entry in UNFED if entry[0] == year}


def test_the_engine_reads_the_same_map() -> None:
    board = theatre()
    assert len(board.cities) == len(cities())
    assert board.passable.bit_count() == sum(row["passable"] == "1" for row in hexes().values())
    assert board.rail[1942][0].bit_count() == sum(row["rail_1942"] == "A" for row in hexes().values())
