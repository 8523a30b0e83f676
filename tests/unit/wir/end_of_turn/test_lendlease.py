"""8.6 Lend-Lease."""

from __future__ import annotations

import pytest

from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR_POOL, VEH_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.end_of_turn import lendlease
from rasputitsa.wir.rules.end_of_turn.lendlease import area_of, cancelled, due, line_open, ship, size
from tests.unit.wir.field import RULES, empty, kinds, noted, play, put, said, wing

TABLE = RULES.sheet["lend_lease"]
NORTH, SOUTH, EAST = 50, 75, 100
"""The last die of each area."""


def harbour(month: str = "1942-06", line: bool = True) -> State:
    """The first turn of a month; Soviet rail as in 1941, or cut next to Archangel."""
    s = empty(month=month)
    s.rail = [0, s.rules.map.rail[1941][SOVIET]]
    if not line:
        s.rail[SOVIET] &= ~(1 << gate(s))
    s.pools = [[0] * 7, [0] * 7]
    return s


def gate(s: State) -> int:
    """The hex south-west of Archangel."""
    return s.rules.map.step[where(s, "Archangel")][5]


def where(s: State, name: str) -> int:
    return s.rules.map.cities[s.rules.city(name)].hex


def received(s: State) -> tuple[int, int]:
    return s.pools[SOVIET][VEH_POOL], s.pools[SOVIET][AIR_POOL]


def test_one_shipment_in_the_first_turn_of_each_month_from_october_1941() -> None:
    s = empty()
    months = []
    for turn in range(1, s.rules.turns + 1):
        s.turn = turn
        if due(s):
            months.append(s.rules.month(turn))
    assert months[0] == "1941-10"
    assert len(months) == len(set(months)) == 3 + 12 * 3 + 5
    assert months[-1] == "1945-05"


@pytest.mark.parametrize(
    ("die", "area"), [(1, "north"), (50, "north"), (51, "south"), (75, "south"), (76, "east"), (100, "east")]
)
def test_areas(die: int, area: str) -> None:
    assert area_of(die, TABLE) == area


@pytest.mark.parametrize(
    ("year", "vehicles", "aircraft"), [(1941, 20, 3), (1942, 80, 10), (1943, 160, 20), (1944, 240, 30), (1945, 240, 30)]
)
def test_sizes_grow_and_the_north_is_twice_as_large(year: int, vehicles: int, aircraft: int) -> None:
    assert size(year, "south", TABLE) == size(year, "east", TABLE) == (vehicles, aircraft)
    assert size(year, "north", TABLE) == (2 * vehicles, 2 * aircraft)
    s = harbour(f"{year}-12" if year < 1945 else "1945-01")
    for die, factor in ((NORTH, 2), (SOUTH, 1), (EAST, 1)):
        s.pools[SOVIET] = [0] * 7
        p = play(lend_lease=[die])
        ship(s, p)
        assert received(s) == (vehicles * factor, aircraft * factor)
        assert all(said(s, p))


@pytest.mark.parametrize(
    ("month", "lost", "area", "gone"),
    [
        ("1942-06", ("Murmansk",), "north", False), ("1942-06", ("Archangel",), "north", False),
        ("1942-06", ("Murmansk", "Archangel"), "north", True), ("1942-10", ("Murmansk",), "north", True),
        ("1942-04", ("Murmansk",), "north", True), ("1942-05", ("Murmansk",), "north", False),
        ("1942-09", ("Murmansk",), "north", False), ("1942-06", ("Baku",), "south", True),
        ("1942-06", ("Baku",), "north", False), ("1942-06", ("Murmansk", "Archangel"), "south", False),
        ("1942-06", ("Murmansk", "Archangel", "Baku"), "east", False),
    ],
)  # fmt: skip
def test_cancelled_shipments(month: str, lost: tuple[str, ...], area: str, gone: bool) -> None:
    s = harbour(month)
    for name in lost:
        s.take_city(s.rules.city(name), AXIS)
    assert cancelled(s, area) == gone
    if gone:
        p = play(lend_lease=[{"north": NORTH, "south": SOUTH}[area]])
        ship(s, p)
        assert received(s) == (0, 0)
        assert kinds(p) == ["lend_lease_cancelled"] and all(said(s, p))


# ---------------------------------------------------------------------- the line in winter


def test_the_line_from_murmansk_to_archangel() -> None:
    s = harbour()
    assert s.rules.grid.names[gate(s)] == "1805"
    assert line_open(s)
    s.rail[SOVIET] &= ~(1 << gate(s))
    assert not line_open(s)


def test_axis_groups_and_their_zones_cut_the_line() -> None:
    s = harbour()
    for hex_ in members(s.rules.map.reach[gate(s)] & ~s.city_hexes[SOVIET]):
        put(s, 12, hex_, ("INF", 70, 70, 0))
        assert not line_open(s)
        s.dissolve(12)
    put(s, 12, gate(s), ("INF", 70, 70, 0))
    assert not line_open(s)


def test_the_line_must_pass_the_hex_south_west_of_archangel() -> None:
    s = harbour()
    s.rail[SOVIET] = s.rules.map.passable & ~(1 << gate(s)) & ~s.rules.map.city_hexes
    assert not line_open(s)
    s.rail[SOVIET] |= 1 << gate(s)
    assert line_open(s)


@pytest.mark.parametrize("month", ["1941-10", "1942-12", "1943-04"])
def test_winter_shipments_wait_for_the_line(month: str) -> None:
    s = harbour(month, line=False)
    p = play(lend_lease=[NORTH])
    ship(s, p)
    cargo = list(size(s.year, "north", TABLE))
    assert received(s) == (0, 0) and s.lend == cargo
    assert all(said(s, p))
    s.turn += 1
    ship(s, play())
    assert s.lend == cargo
    s.rail[SOVIET] |= 1 << gate(s)
    p = play()
    ship(s, p)
    assert received(s) == tuple(cargo) and s.lend == [0, 0]
    assert all(said(s, p))


def test_what_waits_is_free_in_may_and_south_and_east_never_wait() -> None:
    s = harbour("1942-04", line=False)
    for die in (NORTH, SOUTH, EAST):
        ship(s, play(lend_lease=[die]))
    assert received(s) == (160, 20) and s.lend == [160, 20]
    s.turn = next(n for n in range(s.turn, 99) if s.rules.month(n) == "1942-05") + 1
    ship(s, play())
    assert received(s) == (320, 40)


def test_without_archangel_all_waits_even_in_summer() -> None:
    s = harbour("1942-07")
    s.take_city(s.rules.city("Archangel"), AXIS)
    ship(s, play(lend_lease=[NORTH]))
    assert s.lend == [160, 20]
    s.take_city(s.rules.city("Archangel"), SOVIET)
    s.turn += 1
    ship(s, play())
    assert received(s) == (160, 20)


def test_what_waits_is_lost_with_murmansk() -> None:
    s = harbour("1942-01", line=False)
    s.lend = [40, 6]
    s.turn += 1
    s.take_city(s.rules.city("Murmansk"), AXIS)
    p = play()
    ship(s, p)
    assert s.lend == [0, 0] and received(s) == (0, 0)
    assert noted(p, "lend_lease_lost")[0].args == (40, 6) and all(said(s, p))


def test_pools_keep_their_limits() -> None:
    s = harbour("1944-07")
    s.pools[SOVIET][VEH_POOL], s.pools[SOVIET][AIR_POOL] = 2400, 240
    ship(s, play(lend_lease=[NORTH]))
    assert received(s) == (2550, 255)


# ---------------------------------------------------------------------- convoys under attack


def test_who_bombs_convoys() -> None:
    s = harbour()
    rows = {n: next(h for h in members(s.rules.map.passable) if s.rules.map.row(h) == n) for n in (1, 2, 3)}
    wing(s, 52, rows[1], 50)
    wing(s, 53, rows[2], 50)
    wing(s, 54, rows[3], 50)
    wing(s, 55, rows[2], 0)
    wing(s, 116, rows[2], 50)
    assert lendlease.bombers(s) == [52, 53]
    s.supplied &= ~(1 << 52)
    assert lendlease.bombers(s) == [53]


def test_weather_saves_half_of_the_convoys() -> None:
    s = harbour()
    wing(s, 52, next(h for h in members(s.rules.map.passable) if s.rules.map.row(h) == 2), 50)
    p = play(lend_lease=[NORTH, 5000])
    ship(s, p)
    assert received(s) == (160, 20)
    assert "convoy_missed" in kinds(p) and all(said(s, p))
    for area in (SOUTH, EAST):
        ship(s, play(lend_lease=[area]))
    assert received(s) == (320, 40)


def test_hits_sink_an_aircraft_point_or_ten_vehicle_points() -> None:
    s = harbour()
    wing(s, 52, next(h for h in members(s.rules.map.passable) if s.rules.map.row(h) == 2), 50)
    p = play(lend_lease=[NORTH, 5001, 500_000, 500_000])  # the middle: five hits, two of them on aircraft
    ship(s, p)
    assert noted(p, "convoy_bombed")[0].args == (52, 30, 2)
    assert received(s) == (130, 18)
    assert all(said(s, p))


def test_hits_go_on_with_what_is_left() -> None:
    s = harbour("1941-10")
    wing(s, 52, next(h for h in members(s.rules.map.passable) if s.rules.map.row(h) == 2), 255)
    cargo = [40, 6]
    lendlease._bombed(s, play(lend_lease=[5001, 999_999, 500_000]), cargo)
    assert cargo == [0, 0]
