"""The grid against a slow, literal reading of the same geometry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasputitsa.hexes import layout
from rasputitsa.hexes.grid import DIRECTIONS, Flood, Grid, HexSides, bits, members, row_name

GRID = Grid(40, 28)
REAL = members(GRID.board)
hexes = st.lists(st.sampled_from(REAL), max_size=40).map(lambda found: sum(1 << i for i in set(found)))


def close_centres(a: int, b: int) -> bool:
    (ax, ay), (bx, by) = layout.centre(GRID, a), layout.centre(GRID, b)
    return abs((ax - bx) ** 2 + (ay - by) ** 2 - 1) < 1e-9


def test_rows_are_named_as_on_the_printed_map() -> None:
    assert [row_name(r) for r in (0, 25, 26, 39)] == ["A", "Z", "AA", "NN"]
    assert GRID.names[GRID.index("NN28")] == "NN28"
    assert GRID.find("OO1") is None and GRID.find("A29") is None and GRID.find("") is None


@pytest.mark.parametrize(
    ("a", "b"), [("B16", "C16"), ("B16", "C17"), ("K26", "K27"), ("D12", "D13"), ("JJ13", "II14"), ("G15", "H15")]
)
def test_adjacencies_the_rules_name(a: str, b: str) -> None:
    assert GRID.index(b) in GRID.neighbours[GRID.index(a)]


def test_neighbours_are_the_hexes_one_width_away() -> None:
    for i in REAL[::37]:
        assert {n for n in GRID.neighbours[i] if n >= 0} == {j for j in REAL if close_centres(i, j)}


@given(hexes)
def test_spread_is_the_union_of_neighbours(some: int) -> None:
    expected = 0
    for i in bits(some):
        expected |= GRID.adjacent[i]
    assert GRID.spread(some) == expected


@given(hexes, st.sampled_from(list(DIRECTIONS)))
def test_shift_moves_every_hex_or_loses_it_at_the_edge(some: int, direction: int) -> None:
    moved = [GRID.neighbours[i][direction] for i in bits(some)]
    assert GRID.shift(some, direction) == sum(1 << n for n in moved if n >= 0)


@given(st.sampled_from(REAL), st.sampled_from(REAL))
def test_distance_counts_steps(a: int, b: int) -> None:
    reached, steps = 1 << a, 0
    while not reached >> b & 1:
        reached |= GRID.spread(reached)
        steps += 1
    assert GRID.distance(a, b) == steps == GRID.distance(b, a)


sides = st.lists(
    st.sampled_from(REAL).flatmap(
        lambda a: st.tuples(st.just(a), st.sampled_from([n for n in GRID.neighbours[a] if n >= 0]))
    ),
    max_size=30,
)


@given(hexes, sides, st.booleans())
def test_sides_split_the_spread(some: int, pairs: list[tuple[int, int]], one_way: bool) -> None:
    feature = HexSides(GRID, pairs, one_way=one_way)
    blocked = set(pairs) | (set() if one_way else {(b, a) for a, b in pairs})
    open_steps = across = 0
    for a in bits(some):
        for b in GRID.neighbours[a]:
            if b >= 0 and (a, b) in blocked:
                across |= 1 << b
            elif b >= 0:
                open_steps |= 1 << b
            if b >= 0:
                assert feature.between(a, b) == ((a, b) in blocked)
    assert feature.spread(some) == open_steps
    assert feature.across(some) == across
    assert set(feature.pairs()) == blocked


@given(sides, sides)
def test_features_can_be_joined(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    joined = HexSides(GRID, one) | HexSides(GRID, other)
    assert set(joined.pairs()) == set(HexSides(GRID, one + other).pairs())


@given(st.sampled_from(REAL), hexes, sides)
def test_flood_is_a_walk(start: int, holes: int, walls: list[tuple[int, int]]) -> None:
    within = GRID.board & ~holes
    barrier = HexSides(GRID, walls)
    seen, todo = set[int](), [start] if within >> start & 1 else []
    while todo:
        a = todo.pop()
        seen.add(a)
        todo += [
            b for b in GRID.neighbours[a]
            if b >= 0 and within >> b & 1 and b not in seen and not barrier.between(a, b)
        ]  # fmt: skip
    assert set(bits(GRID.flood(1 << start, within, barrier))) == seen


@given(hexes, st.lists(hexes, min_size=1, max_size=5), sides)
def test_a_flood_that_remembers_the_last_one(sources: int, lands: list[int], walls: list[tuple[int, int]]) -> None:
    barrier = HexSides(GRID, walls)
    flood = Flood(sources, barrier)
    land = GRID.board
    for change in lands:
        land ^= change
        assert flood.fill(land) == GRID.flood(sources, land, barrier)


@pytest.mark.parametrize(("rows", "columns"), [(0, 5), (53, 5), (3, 0)])
def test_a_grid_needs_rows_and_columns(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match="a grid needs"):
        Grid(rows, columns)


def test_corners_bound_the_side_in_their_direction() -> None:
    for direction in DIRECTIONS:
        here = GRID.index("J14")
        x, y = layout.centre(GRID, here)
        nx, ny = layout.centre(GRID, GRID.neighbours[here][direction])
        around = layout.corners(x, y)
        ax, ay = around[direction]
        bx, by = around[(direction + 1) % 6]
        assert ((ax + bx) / 2, (ay + by) / 2) == pytest.approx(((x + nx) / 2, (y + ny) / 2))
