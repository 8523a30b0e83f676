"""8.7 Partisans."""

from __future__ import annotations

import pytest

from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INF_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.end_of_turn import partisans
from tests.unit.wir.field import empty, noted, play, put, said


def line(month: str, guards: int = 0, **options: str) -> State:
    """Three Axis rail hexes in Russia, the first of them Soviet rail before the war."""
    s = empty(month=month, **options)
    board = s.rules.map
    before = board.rail[1941][SOVIET] & board.in_russia
    old = members(before)[0]
    bare = members(board.in_russia & ~board.rail[1941][SOVIET] & ~board.city_hexes)[:2]
    s.rail = [1 << old | sum(1 << h for h in bare), 0]
    s.pools[AXIS][INF_POOL] = guards
    return s


@pytest.mark.parametrize(
    ("month", "attempts"), [("1941-12", 0), ("1942-01", 1), ("1943-05", 2), ("1944-05", 3), ("1945-01", 3)]
)
def test_attempts_a_week(month: str, attempts: int) -> None:
    s = line(month)
    partisans.act(s, play(partisans=[4001] * attempts))
    assert s.rail[AXIS].bit_count() == 3


@pytest.mark.parametrize(
    ("points", "added", "compounded"),
    [(0, 40, 40), (149, 40, 40), (150, 32, 32), (300, 24, 25.6), (450, 16, 20.48), (600, 8, 16.384),
     (750, 0, 13.1072), (2550, 0, 40 * 0.8**17)],
)  # fmt: skip
def test_security_forces(points: int, added: float, compounded: float) -> None:
    assert partisans.chance(line("1942-05", points)) == pytest.approx(added)
    assert partisans.chance(line("1942-05", points, partisan_guard="compounded")) == pytest.approx(compounded)


def test_rail_goes_back_to_what_it_was() -> None:
    s = line("1942-05")
    first, second, third = members(s.rail[AXIS])
    before = s.rules.map.rail[1941][SOVIET]
    places = {h: n for n, h in enumerate((first, second, third), start=1)}
    old = next(h for h in places if before >> h & 1)
    p = play(partisans=[4000, places[old]])
    partisans.act(s, p)
    assert s.rail == [s.rail[AXIS] & ~(1 << old), 1 << old]
    assert noted(p, "partisans")[0].args == (old,)
    assert all(said(s, p))
    while s.rail[AXIS]:
        partisans.act(s, play(partisans=1))
    assert s.rail == [0, 1 << old]


def test_never_in_an_axis_zone_of_control_nor_outside_russia() -> None:
    s = line("1942-05")
    for hex_ in members(s.rail[AXIS]):
        put(s, 12, hex_, ("INF", 70, 70, 0))
        seen = partisans.targets(s)
        assert not seen >> hex_ & 1
        assert not seen & s.rules.grid.adjacent[hex_]
    s.dissolve(12)
    assert partisans.targets(s) == s.rail[AXIS]
    outside = members(s.rules.map.passable & ~s.rules.map.in_russia)[0]
    s.rail[AXIS] = 1 << outside
    assert not partisans.targets(s)
    partisans.act(s, play())  # nothing to attack: no die
    assert s.rail[AXIS]
