"""A rectangular map of pointy-top hexes, held as the bits of one integer.

Hex ``(row, column)`` is bit ``row * stride + column``. Each row carries one column of padding, so a
shift never wraps into a real hex. Rows are named A..Z, AA, BB .. ZZ; columns count from 1; every second
row (B, D, ..) stands half a hex further east.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

FEW: Final = 4
"""Up to this many hexes, going through them one by one beats shifting the whole map."""

EAST: Final = 0
NORTH_EAST: Final = 1
NORTH_WEST: Final = 2
WEST: Final = 3
SOUTH_WEST: Final = 4
SOUTH_EAST: Final = 5
DIRECTIONS: Final = range(6)
DIRECTION_NAMES = ("east", "north-east", "north-west", "west", "south-west", "south-east")


BIT: Final[list[int]] = [1 << i for i in range(1200)]
"""The set of one hex (or of one unit), for each number: looking it up is quicker than shifting."""


def bits(hexes: int) -> Iterator[int]:
    """The indices in a set of hexes, ascending."""
    return iter(members(hexes))


def members(hexes: int) -> list[int]:
    """The indices in a set of hexes, ascending, as a list."""
    found = []
    while hexes:  # from the top down: that way no negative number is made, and what is left gets shorter
        top = hexes.bit_length() - 1
        found.append(top)
        hexes ^= BIT[top]
    found.reverse()
    return found


def one_of(hexes: int) -> int:
    """The index of one hex of a set that is not empty, the last."""
    return hexes.bit_length() - 1


def without(hexes: int, others: int) -> int:
    """The hexes of one set that are not in the other. (Quicker than ``hexes & ~others``, where ``~`` is negative.)"""
    return hexes ^ hexes & others


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
        while len(BIT) < self.size:
            BIT.append(1 << len(BIT))
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
        self.adjacent: list[int] = [sum(BIT[n] for n in around if n >= 0) for around in self.neighbours]
        self.cubes: list[tuple[int, int, int]] = [self._cube(i) for i in range(self.size)]
        self.steps = self._steps()
        """By how much the index changes from a hex to one next to it, with the hexes from which that is so."""

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels to another process, compiled or not."""
        return revive, (self.rows, self.columns, tuple(self.names))

    def index(self, name: str) -> int:
        """Index of a named hex; raises ``KeyError`` for a name that is not on the map."""
        return self._index[name]

    def find(self, name: str) -> int | None:
        """Index of a named hex, or None."""
        return self._index.get(name)

    def names_of(self, hexes: int) -> list[str]:
        """The names of a set of hexes, by index."""
        return [self.names[i] for i in members(hexes)]

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

    def _steps(self) -> list[tuple[int, int]]:
        found: dict[int, int] = {}
        for here, around in enumerate(self.neighbours):
            for there in around:
                if there >= 0:
                    found[there - here] = found.get(there - here, 0) | BIT[here]
        return sorted(found.items())

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
        stride, east, west = self.stride, hexes << 1, hexes >> 1
        # The two hexes above each are at the same columns as the two below.
        columns = hexes | west & self._plain_rows | east & self._shifted_rows
        return (columns << stride | columns >> stride | east | west) & self.board

    def grow(self, hexes: int, steps: int) -> int:
        """All hexes within a number of steps of some hexes, themselves included."""
        for _ in range(steps):
            hexes |= self.spread(hexes)
        return hexes

    def flood(self, start: int, within: int, barrier: HexSides | None = None) -> int:
        """Everything reachable from ``start`` inside ``within`` without crossing a barrier side."""
        frontier = start & within
        left = within ^ frontier
        while frontier:
            frontier = (self.spread(frontier) if barrier is None else barrier.spread(frontier)) & left
            left ^= frontier
        return within ^ left


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
        self.near: list[int] = grid.adjacent.copy()
        """For each hex, the hexes next to it that are not across the feature."""
        for a, across in self.beyond.items():
            self.near[a] = without(self.near[a], across)
        self._open = [without(sources, self._lead(step)) for step, sources in grid.steps]

    def _add(self, a: int, b: int) -> None:
        self.masks[self.grid.direction(a, b)] |= BIT[a]
        self.any |= BIT[a]
        self.beyond[a] = self.beyond.get(a, 0) | BIT[b]

    def _lead(self, step: int) -> int:
        """The hexes from which a step of the index leads across the feature."""
        return sum(BIT[a] for a, across in self.beyond.items() if a + step >= 0 and across >> a + step & 1)

    def __or__(self, other: HexSides) -> HexSides:
        return HexSides(self.grid, (*self.pairs(), *other.pairs()), one_way=True)

    def between(self, a: int, b: int) -> bool:
        """Whether the side from a to the adjacent b has the feature."""
        return self.beyond.get(a, 0) & BIT[b] != 0

    def spread(self, hexes: int) -> int:
        """Hexes adjacent to the set, not counting steps across a side that has the feature."""
        grid = self.grid
        touching = hexes & self.any
        if not touching:
            return grid.spread(hexes)
        out = 0
        if touching.bit_count() > FEW:
            for number in range(len(self._open)):
                step = grid.steps[number][0]
                sources = hexes & self._open[number]
                out |= sources << step if step > 0 else sources >> -step
            return out
        if hexes != touching:
            out = grid.spread(hexes ^ touching)
        for hex_ in members(touching):
            out |= self.near[hex_]
        return out

    def across_from(self, hex_: int) -> int:
        """The same from one hex."""
        return self.beyond.get(hex_, 0)

    def across(self, hexes: int) -> int:
        """Hexes reached from the set by a step across a side that has the feature."""
        touching = hexes & self.any
        out = 0
        if touching.bit_count() <= FEW:
            for hex_ in members(touching):
                out |= self.beyond[hex_]
            return out
        for direction in DIRECTIONS:
            crossing = touching & self.masks[direction]
            if crossing:
                out |= self.grid.shift(crossing, direction)
        return out

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each (hex, neighbour) that has the feature, in that direction."""
        for direction, mask in enumerate(self.masks):
            for a in bits(mask):
                yield a, self.grid.neighbours[a][direction]


class Flood:
    """Floods from the same hexes over and over, while the land changes little from one to the next.

    Each starts from as much of the last one as has lost nothing.
    """

    def __init__(self, sources: int, barrier: HexSides) -> None:
        self.sources = sources
        self.barrier = barrier
        self._layers: list[int] = []
        """The last flood, from the inside out: each layer touches those before it."""

    def fill(self, within: int) -> int:
        """Everything reachable from the sources inside ``within`` without crossing a barrier side."""
        layers: list[int] = []
        filled = 0
        for layer in self._layers:
            if layer & within != layer:
                break
            layers.append(layer)
            filled |= layer
        fresh = without(self.sources & within, filled)
        if fresh:
            layers.append(fresh)
        frontier = filled | fresh
        left = within ^ frontier
        while frontier:
            frontier = self.barrier.spread(frontier) & left
            if frontier:
                left ^= frontier
                layers.append(frontier)
        self._layers = layers
        return within ^ left


def revive(rows: int, columns: int, names: tuple[str, ...]) -> Grid:
    """The grid that had these names, one for each index."""

    def name(row: int, column: int) -> str:
        return names[row * (columns + 1) + column]

    return Grid(rows, columns, name)
