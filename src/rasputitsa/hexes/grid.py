"""A rectangular map of pointy-top hexes, held as the bits of one integer.

Hex ``(row, column)`` is bit ``row * stride + column``. Each row carries one column of padding, so a
shift never wraps into a real hex. Rows are named A..Z, AA, BB .. ZZ; columns count from 1; every second
row (B, D, ..) stands half a hex further east.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

FEW: Final = 8
"""Up to this many hexes, going through them one by one beats shifting the whole map."""

EAST: Final = 0
NORTH_EAST: Final = 1
NORTH_WEST: Final = 2
WEST: Final = 3
SOUTH_WEST: Final = 4
SOUTH_EAST: Final = 5
DIRECTIONS: Final = range(6)
DIRECTION_NAMES = ("east", "north-east", "north-west", "west", "south-west", "south-east")


def bits(hexes: int) -> Iterator[int]:
    """The indices in a set of hexes, ascending."""
    while hexes:
        low = hexes & -hexes
        yield low.bit_length() - 1
        hexes ^= low


def members(hexes: int) -> list[int]:
    """The indices in a set of hexes, ascending, as a list (quicker than iterating ``bits``)."""
    found = []
    while hexes:
        low = hexes & -hexes
        found.append(low.bit_length() - 1)
        hexes ^= low
    return found


def row_name(row: int) -> str:
    """Name of a row counted from 0: A..Z, then AA, BB .. ZZ."""
    return chr(65 + row) if row < 26 else chr(65 + row - 26) * 2


class Grid:
    """The geometry of a map: names, neighbours, distances, and shifts of whole sets of hexes.

    ``name(row, column)``, both counted from 0, gives a hex another name. A map of flat-top hexes is the same
    grid lying on its side: its columns are the rows here.
    """

    def __init__(self, rows: int, columns: int, name: Callable[[int, int], str] | None = None) -> None:
        if not (0 < rows <= 52 and columns > 0):
            raise ValueError(f"a grid needs 1-52 rows and at least one column, not {rows} x {columns}")
        self.rows = rows
        self.columns = columns
        self.stride = columns + 1
        self.size = rows * self.stride
        row_bits = (1 << columns) - 1
        self.board = sum(row_bits << row * self.stride for row in range(rows))
        self._plain_rows = sum(row_bits << row * self.stride for row in range(0, rows, 2))
        self._shifted_rows = self.board ^ self._plain_rows
        self.names: list[str] = [""] * self.size
        self._index: dict[str, int] = {}
        for i in members(self.board):
            row, column = divmod(i, self.stride)
            self.names[i] = name(row, column) if name else f"{row_name(row)}{column + 1}"
            self._index[self.names[i]] = i
        self.neighbours: list[tuple[int, ...]] = [
            tuple(self._neighbour(i, d) for d in DIRECTIONS) if self.names[i] else () for i in range(self.size)
        ]
        self.adjacent: list[int] = [sum(1 << n for n in around if n >= 0) for around in self.neighbours]
        self.cubes: list[tuple[int, int, int]] = [self._cube(i) for i in range(self.size)]

    def index(self, name: str) -> int:
        """Index of a named hex; raises ``KeyError`` for a name that is not on the map."""
        return self._index[name]

    def find(self, name: str) -> int | None:
        """Index of a named hex, or None."""
        return self._index.get(name)

    def _neighbour(self, i: int, direction: int) -> int:
        row, column = divmod(i, self.stride)
        shifted = row & 1
        row_step, column_step = (
            (0, 1),
            (-1, shifted),
            (-1, shifted - 1),
            (0, -1),
            (1, shifted - 1),
            (1, shifted),
        )[direction]
        row, column = row + row_step, column + column_step
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return row * self.stride + column
        return -1

    def _cube(self, i: int) -> tuple[int, int, int]:
        row, column = divmod(i, self.stride)
        x = column - (row - (row & 1)) // 2
        return x, row, -x - row

    def distance(self, a: int, b: int) -> int:
        """Number of hexes from a to b."""
        (ax, ay, az), (bx, by, bz) = self.cubes[a], self.cubes[b]
        return max(abs(ax - bx), abs(ay - by), abs(az - bz))

    def direction(self, a: int, b: int) -> int:
        """Direction from a hex to an adjacent one; raises ``ValueError`` when they are not adjacent."""
        return self.neighbours[a].index(b)

    def shift(self, hexes: int, direction: int) -> int:
        """The set moved one hex in a direction; what leaves the map is lost."""
        if direction == EAST:
            return (hexes << 1) & self.board
        if direction == WEST:
            return (hexes >> 1) & self.board
        plain, shifted, stride = hexes & self._plain_rows, hexes & self._shifted_rows, self.stride
        if direction == NORTH_EAST:
            return (plain >> stride | shifted >> (stride - 1)) & self.board
        if direction == NORTH_WEST:
            return (plain >> (stride + 1) | shifted >> stride) & self.board
        if direction == SOUTH_WEST:
            return (plain << (stride - 1) | shifted << stride) & self.board
        return (plain << stride | shifted << (stride + 1)) & self.board

    def spread(self, hexes: int) -> int:
        """All hexes adjacent to any hex of the set (the set itself only where it neighbours itself)."""
        stride = self.stride
        plain = hexes & self._plain_rows
        # The two hexes above each are at the same columns as the two below.
        beside = hexes | plain >> 1 | (hexes ^ plain) << 1
        return (beside << stride | beside >> stride | hexes << 1 | hexes >> 1) & self.board

    def flood(self, start: int, within: int, barrier: HexSides | None = None) -> int:
        """Everything reachable from ``start`` inside ``within`` without crossing a barrier side."""
        reached = frontier = start & within
        while frontier:
            grown = self.spread(frontier) if barrier is None else barrier.spread(frontier)
            frontier = grown & within & ~reached
            reached |= frontier
        return reached


class HexSides:
    """A feature on hex-sides (river, coast, border): per direction, the hexes that have it on that side."""

    def __init__(self, grid: Grid, pairs: Iterable[tuple[int, int]] = (), *, one_way: bool = False) -> None:
        self.grid = grid
        self.masks = [0] * 6
        self.any = 0
        self.beyond: dict[int, int] = {}
        """For each hex that has the feature, the hexes across it."""
        for a, b in pairs:
            self._add(a, b)
            if not one_way:
                self._add(b, a)
        self.open = {a: grid.adjacent[a] & ~across for a, across in self.beyond.items()}

    def _add(self, a: int, b: int) -> None:
        self.masks[self.grid.direction(a, b)] |= 1 << a
        self.any |= 1 << a
        self.beyond[a] = self.beyond.get(a, 0) | 1 << b

    def __or__(self, other: HexSides) -> HexSides:
        return HexSides(self.grid, (*self.pairs(), *other.pairs()), one_way=True)

    def between(self, a: int, b: int) -> bool:
        """Whether the side from a to the adjacent b has the feature."""
        return bool(self.any >> a & 1) and bool(self.masks[self.grid.neighbours[a].index(b)] >> a & 1)

    def spread(self, hexes: int) -> int:
        """Hexes adjacent to the set, not counting steps across a side that has the feature."""
        grid = self.grid
        touching = hexes & self.any
        if not touching:
            return grid.spread(hexes)
        out = grid.spread(hexes & ~self.any) if hexes != touching else 0
        if touching.bit_count() <= FEW:
            while touching:
                low = touching & -touching
                out |= self.open[low.bit_length() - 1]
                touching ^= low
            return out
        for direction, mask in enumerate(self.masks):
            open_here = touching & ~mask
            if open_here:
                out |= grid.shift(open_here, direction)
        return out

    def across(self, hexes: int) -> int:
        """Hexes reached from the set by a step across a side that has the feature."""
        touching = hexes & self.any
        out = 0
        if touching.bit_count() <= FEW:
            while touching:
                low = touching & -touching
                out |= self.beyond[low.bit_length() - 1]
                touching ^= low
            return out
        for direction, mask in enumerate(self.masks):
            crossing = touching & mask
            if crossing:
                out |= self.grid.shift(crossing, direction)
        return out

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each (hex, neighbour) that has the feature, in that direction."""
        for direction, mask in enumerate(self.masks):
            for a in bits(mask):
                yield a, self.grid.neighbours[a][direction]
