"""The shipped map of War in Russia against what the manual says of it."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from rasputitsa.core.caching import cached
from rasputitsa.wir.api.game import WirGame
from tests.unit.core.chains import pieces
from tests.unit.wir.files import (
    GRID,
    NE,
    NW,
    SE,
    SW,
    YEARS,
    N,
    S,
    around,
    at,
    cities,
    hexes,
    kinds,
    line,
    read,
    rivers,
    sea,
    spread,
    step,
    tables,
    units,
)

# 4.10, transcribed from the manual.
PORTS = {
    "Black Sea": {"Odessa", "Sevastopol", "Krasnodar"},
    "Baltic": {"Konigsberg", "Riga", "Helsinki"},
    "White Sea": {"Murmansk", "Archangel"},
}


def test_every_table_says_where_it_comes_from() -> None:
    for name, table in tables().items():
        assert table["source"] and table["confidence"] in ("printed", "inferred", "reconstructed"), name


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


def test_each_sea_has_its_name_on_the_map() -> None:
    places = WirGame().static("barbarossa")["map"]["hexes"]
    named = {place["id"]: place["sea"] for place in places}
    for water, ports in PORTS.items():
        for port in ports:
            shore = set(around(at(port))) & sea()
            assert {named[hex_] for hex_ in shore} == {water.removesuffix(" Sea") + " Sea"}, port
    assert {named[hex_] for hex_ in set(around(at("Astrakhan"))) & sea()} == {"Caspian Sea"}
    assert all(place["terrain"] == "sea" for place in places if place["sea"])


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


@cached
def chains() -> dict[str, set[frozenset[str]]]:
    found: dict[str, set[frozenset[str]]] = defaultdict(set)
    for pair, names in rivers().items():
        for name in names.split("/"):
            found[name].add(pair)
    return found


@pytest.mark.parametrize("river", sorted(chains()))
def test_each_river_is_a_connected_chain(river: str) -> None:
    assert pieces(chains()[river], around) == 1


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
