"""The shipped map of The Russian Portfolio against what the rules and the geography say of it."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from tests.unit.core.chains import pieces
from tests.unit.portfolio.files import (
    AXIS,
    around,
    by_rail,
    charts,
    closed_to_rail,
    hexes,
    is_land,
    places,
    read,
    sides,
)

# ---------------------------------------------------------------- rail, straits, Kronshtadt (VIII.A.1, X)


@pytest.mark.parametrize(("a", "b"), [("K26", "K27"), ("B16", "C17")])
def test_rail_crosses(a: str, b: str) -> None:
    assert is_land(a) and is_land(b)
    assert not closed_to_rail(a, b)


@pytest.mark.parametrize(("a", "b"), [("B16", "C16"), ("D12", "D13"), ("JJ13", "II14")])
def test_rail_never_crosses(a: str, b: str) -> None:
    assert is_land(a) and is_land(b)
    assert closed_to_rail(a, b)


def test_the_kerch_straits_are_one_side_with_a_sea_at_either_mouth() -> None:
    assert list(sides()["kerch"]) == [frozenset(("JJ13", "II14"))]
    assert charts()["sea"]["kerch"]["hexes"] == ["II13", "II14", "JJ13", "JJ14"]
    for pair in (("II13", "II14"), ("JJ13", "JJ14")):
        assert frozenset(pair) in sides()["sea"]
    assert all(is_land(name) for name in charts()["sea"]["kerch"]["hexes"])


def test_kronshtadt_is_a_fortress_reached_from_leningrad_only() -> None:
    kronshtadt, leningrad = places()["Kronshtadt"], places()["Leningrad"]
    assert kronshtadt["fortress"] == "1"
    assert list(sides()["kronshtadt"]) == [frozenset((kronshtadt["hex"], leningrad["hex"]))]
    for other in around(kronshtadt["hex"]):
        assert other == leningrad["hex"] or not is_land(other) or closed_to_rail(kronshtadt["hex"], other)


def test_attacks_from_pushkin_into_leningrad_cross_a_river_and_not_the_other_way() -> None:
    (row,) = sides()["river_oneway"].values()
    assert (row["hex_a"], row["hex_b"]) == ("H15", "G15")
    assert frozenset(("H15", "G15")) not in sides()["river"]


def test_leningrad_can_be_supplied_over_ladoga() -> None:
    across = frozenset(("F15", "G16"))
    assert across in sides()["lake"]
    assert "F15" in around("G15")


# ---------------------------------------------------------------- cities (IV, IX, XIV.D, XV.B)


def test_the_ten_victory_cities() -> None:
    worth = {name: int(row["victory"]) for name, row in places().items() if row["victory"] != "0"}
    assert worth == {
        "Leningrad": 2, "Smolensk": 1, "Moscow": 2, "Gorky": 1, "Kiev": 1, "Sevastopol": 1, "Voronezh": 1,
        "Rostov": 1, "Stalingrad": 1, "Krasnodar": 1,
    }  # fmt: skip


def test_the_22_major_cities_are_soviet() -> None:
    majors = [row for row in places().values() if row["kind"] == "major"]
    assert len(majors) == 22
    assert {hexes()[row["hex"]]["country"] for row in majors} == {"SU"}


def test_the_four_tank_factories() -> None:
    assert {n for n, r in places().items() if r["factory"] == "1"} == {"Leningrad", "Moscow", "Kharkov", "Stalingrad"}


def test_each_side_has_one_source_of_fuel_in_its_own_land() -> None:
    fuel = {row["fuel"]: row for row in places().values() if row["fuel"]}
    assert set(fuel) == {"axis", "soviet"}
    assert fuel["axis"]["name"] == "Ploesti"
    assert hexes()[fuel["axis"]["hex"]]["country"] == "RO"
    assert hexes()[fuel["soviet"]["hex"]]["country"] == "SU"
    assert fuel["soviet"]["confidence"] == "reconstructed"


def test_the_charts_name_the_hexes_of_the_cities_they_mean() -> None:
    at = {name: row["hex"] for name, row in places().items()}
    production, sea = charts()["production"], charts()["sea"]
    assert production["double_cities"] == [at["Leningrad"], at["Moscow"]]
    assert sorted(production["axis_entry"]) == sorted([at["Warsaw"], at["Helsinki"], at["Bucharest"]])
    assert production["lend_lease"]["hex"] == at["Archangelsk"]
    assert charts()["victory"]["soviet_any_of"] == [at["Warsaw"], at["Bucharest"]]
    assert sea["control"] == {
        "Baltic": [at["Koenigsberg"]], "Gulf of Finland": [at["Koenigsberg"]],
        "Black Sea": [at["Sevastopol"]], "Azov": [at["Rostov"], at["Sevastopol"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sea", "some"),
    [
        ("Baltic", {"Koenigsberg", "Memel", "Riga"}),
        ("Gulf of Finland", {"Leningrad", "Helsinki", "Tallinn", "Vyborg", "Kronshtadt"}),
        ("Black Sea", {"Odessa", "Sevastopol", "Novorossiysk", "Constanta"}),
        ("Azov", {"Rostov", "Mariupol", "Taganrog", "Kerch"}),
        ("White Sea", {"Archangelsk"}),
    ],
)
def test_ports(sea: str, some: set[str]) -> None:
    ports = {name for name, row in places().items() if sea in row["port"].split(";")}
    assert some <= ports
    for name in ports:
        assert sea in hexes()[places()[name]["hex"]]["coast"].split(";"), name


# ---------------------------------------------------------------- borders, map edges, lines


def test_borders_lie_between_different_countries_and_nowhere_else() -> None:
    for name in hexes():
        for other in around(name):
            if not (is_land(name) and is_land(other)):
                continue
            countries = sorted({hexes()[name]["country"], hexes()[other]["country"]})
            row = sides()["border"].get(frozenset((name, other)))
            assert (row is not None) == (len(countries) == 2), (name, other)
            assert row is None or row["name"] == "-".join(countries)


@pytest.mark.parametrize("pair", ["DE-SU", "RO-SU", "FI-SU", "HU-SU", "HU-RO"])
def test_countries_that_met_in_1941_meet_on_the_map(pair: str) -> None:
    assert any(row["name"] == pair for row in sides()["border"].values())


def test_germany_and_romania_do_not_touch() -> None:
    assert not any(row["name"] == "DE-RO" for row in sides()["border"].values())


def test_map_edge_sources() -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    for name, row in hexes().items():
        if row["edge"]:
            assert row["edge"] == charts()["supply_country"][row["country"]], name
            assert is_land(name)
            edges[row["edge"]].add(name)
    assert set(edges) == {"DE", "RO", "FI", "SU"}
    assert all(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "1" for name in edges["DE"] | edges["RO"])
    assert all(name.startswith("A") and not name.startswith("AA") for name in edges["FI"])
    assert all(name.endswith("28") or name.startswith("NN") for name in edges["SU"])
    assert {name for name in edges["SU"] if name.endswith("28")} and {n for n in edges["SU"] if n.startswith("NN")}


@pytest.mark.parametrize(
    ("place", "edge", "countries"),
    [
        ("Moscow", "SU", ("SU",)), ("Leningrad", "SU", ("SU",)), ("Sevastopol", "SU", ("SU",)),
        ("Warsaw", "DE", ("DE",)), ("Koenigsberg", "DE", ("DE",)), ("Bucharest", "RO", ("RO",)),
        ("Helsinki", "FI", ("FI",)), ("Iasi", "DE", ("RO", "HU")),
    ],
)  # fmt: skip
def test_supply_reaches_over_land(place: str, edge: str, countries: tuple[str, ...]) -> None:
    reached = by_rail(places()[place]["hex"], countries)
    assert any(hexes()[name]["edge"] == edge for name in reached)


def test_all_soviet_land_hangs_together_but_for_islands() -> None:
    soviet = {name for name, row in hexes().items() if row["country"] == "SU"}
    islands = soviet - by_rail(places()["Moscow"]["hex"], ("SU",))
    assert islands == {"F7", "G7", places()["Kronshtadt"]["hex"]}


def test_both_sides_join_in_one_land_mass() -> None:
    reached = by_rail(places()["Warsaw"]["hex"], ("SU", *AXIS))
    assert all(places()[city]["hex"] in reached for city in places() if places()[city]["victory"] != "0")
    assert places()["Helsinki"]["hex"] in reached


def test_the_stalin_line_faces_outward_on_soviet_land() -> None:
    works = [row for row in read("hexsides.csv") if row["kind"] == "stalin"]
    assert len(works) > 25
    assert len({frozenset((r["hex_a"], r["hex_b"])) for r in works}) == len(works)
    for row in works:
        assert is_land(row["hex_a"]) and is_land(row["hex_b"])
        assert hexes()[row["hex_a"]]["country"] == "SU"
    held = {row["hex_a"] for row in works}
    for city in ("Minsk", "Leningrad", "Pskov"):
        assert places()[city]["hex"] in held
    columns = {row["hex_a"]: int(re.sub(r"\D", "", row["hex_a"])) for row in works}
    assert max(columns.values()) <= 15


def test_the_arctic_weather_line_parts_the_north_east_from_the_south_west() -> None:
    arctic = {name for name, row in hexes().items() if row["arctic"] == "1"}
    inside = ("Leningrad", "Moscow", "Kiev", "Stalingrad", "Helsinki", "Archangelsk")
    outside = ("Warsaw", "Odessa", "Sevastopol", "Riga", "Bucharest", "Koenigsberg")
    assert all(places()[city]["hex"] in arctic for city in inside)
    assert not any(places()[city]["hex"] in arctic for city in outside)
    for pair in sides()["arctic_line"]:
        assert len(pair & arctic) == 1


# ---------------------------------------------------------------- rivers and waters


def river_chains() -> dict[str, set[frozenset[str]]]:
    rivers: dict[str, set[frozenset[str]]] = defaultdict(set)
    for pair, row in sides()["river"].items():
        for name in row["name"].split("/"):
            rivers[name].add(pair)
    return rivers


@pytest.mark.parametrize("river", sorted(river_chains()))
def test_each_river_is_a_connected_chain(river: str) -> None:
    # The Volga leaves the map in the east below Gorky and comes back above Saratov.
    assert pieces(river_chains()[river], around) == (2 if river == "Volga" else 1)


@pytest.mark.parametrize(
    ("river", "place"),
    [
        ("Dniepr", "Kiev"), ("Dniepr", "Smolensk"), ("Don", "Rostov"), ("Volga", "Stalingrad"), ("Neva", "Leningrad"),
        ("Oka", "Gorky"), ("Western Dvina", "Riga"), ("Niemen", "Kaunas"), ("Western Bug", "Brest"),
    ],
)  # fmt: skip
def test_towns_lie_on_their_rivers(river: str, place: str) -> None:
    assert any(places()[place]["hex"] in pair for pair in river_chains()[river])


def test_the_german_soviet_border_follows_the_bug_at_brest() -> None:
    bug = river_chains()["Western Bug"]
    border = {pair for pair, row in sides()["border"].items() if row["name"] == "DE-SU"}
    assert len(bug & border) >= 6


def test_facts_about_sides_lie_between_land_hexes() -> None:
    for kind, found in sides().items():
        for pair in found:
            if kind != "arctic_line":
                assert all(is_land(name) for name in pair), (kind, sorted(pair))


def test_sea_hexes_bear_the_name_of_their_sea() -> None:
    known = {*charts()["sea"]["control"], *charts()["sea"]["closed_waters"]}
    for name, row in hexes().items():
        assert (row["sea"] in known) if row["terrain"] == "sea" else row["sea"] == "", name


def test_the_caspian_is_water() -> None:
    assert hexes()["NN28"]["sea"] == "Caspian"
