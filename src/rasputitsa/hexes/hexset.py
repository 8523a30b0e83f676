"""``HexSet``: a set of hexes to look at, combine and print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rasputitsa.hexes.grid import Grid, bits


class HexSet:
    """A set of hexes of one grid.

    The engine itself works on plain integers; this is the form for reading, for notebooks and for tests.

    Examples:
        >>> grid = Grid(3, 4)
        >>> near = HexSet.of(grid, ["B2"]).spread()
        >>> sorted(near.names())
        ['A2', 'A3', 'B1', 'B3', 'C2', 'C3']
    """

    __slots__ = ("grid", "mask")

    def __init__(self, grid: Grid, mask: int = 0) -> None:
        self.grid = grid
        self.mask = mask & grid.board

    @classmethod
    def of(cls, grid: Grid, names: Iterable[str]) -> HexSet:
        """The set of the named hexes; raises ``KeyError`` for a name that is not on the map."""
        mask = 0
        for name in names:
            mask |= 1 << grid.index(name)
        return cls(grid, mask)

    def __iter__(self) -> Iterator[int]:
        return bits(self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self.mask)

    def __contains__(self, item: int | str) -> bool:
        index = self.grid.find(item) if isinstance(item, str) else item
        return index is not None and bool(self.mask >> index & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HexSet) and self.mask == other.mask and self.grid is other.grid

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.mask | other.mask)

    def __and__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.mask & other.mask)

    def __sub__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.mask & ~other.mask)

    def __invert__(self) -> HexSet:
        return HexSet(self.grid, self.grid.board & ~self.mask)

    def spread(self) -> HexSet:
        """The hexes adjacent to the set."""
        return HexSet(self.grid, self.grid.spread(self.mask))

    def shift(self, direction: int) -> HexSet:
        """The set moved one hex in a direction."""
        return HexSet(self.grid, self.grid.shift(self.mask, direction))

    def names(self) -> list[str]:
        """Names of the hexes, in map order."""
        return [self.grid.names[i] for i in self]

    def __repr__(self) -> str:
        return f"HexSet({' '.join(self.names())})"

    def __str__(self) -> str:
        grid = self.grid
        lines = []
        for row in range(grid.rows):
            marks = ("#" if self.mask >> row * grid.stride + c & 1 else "." for c in range(grid.columns))
            lines.append(" " * (row & 1) + " ".join(marks))
        return "\n".join(lines)
