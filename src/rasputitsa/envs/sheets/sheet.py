"""What is written over with each observation, and only where something has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import BIT, members

NEVER: Final = object()
FEW: Final = 6
"""Below this many, bits are put together one by one."""

Flat = Any
"""An array of 32-bit floats as one row of cells: a memory view of floats, which the type checker takes for octets."""


class Sheet:
    """Writes the positions of one game, one after another, on the same arrays. What it is shown is its to keep."""

    def __init__(self) -> None:
        self._last: dict[str, Any] = {}

    def write(self, view: Any, options: Sequence[Action] | None, seat: str) -> None:
        """Show a position; see ``Encoder.encode``. What ``Encoder.asked`` names is not touched."""
        raise NotImplementedError

    def changed(self, name: str, now: Any) -> bool:
        """Whether what some numbers are made of is not what it was when they were written last."""
        last = self._last.get(name, NEVER)
        if last is now or last == now:
            return False
        self._last[name] = now
        return True


class Marks:
    """Cells that are 1 where a set holds a number, else 0: planes for sets of hexes, columns for sets of units."""

    def __init__(self, flat: Flat, bases: Sequence[int], cells: Sequence[int]) -> None:
        """``bases``: for each set the first cell; ``cells``: for each number how far its cell is from there."""
        self._flat = flat
        self._bases = list(bases)
        self._cells = list(cells)
        self._sets = [0] * len(self._bases)

    def write(self, sets: list[int]) -> None:
        """Show these sets."""
        known = self._sets
        for n, now in enumerate(sets):
            change = known[n] ^ now
            if change:
                known[n] = now
                self._turn(self._bases[n], members(change), now)

    def _turn(self, base: int, numbers: list[int], now: int) -> None:
        flat, cells = self._flat, self._cells
        for number in numbers:
            flat[base + cells[number]] = now >> number & 1


class SparseCells:
    """Cells that are 0 unless they are given a value."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._written: list[int] = []

    def write(self, values: list[tuple[int, float]]) -> None:
        """Show these values, each in its cell; of several for one cell the last counts."""
        flat = self._flat
        for cell in self._written:
            flat[cell] = 0
        for cell, value in values:
            flat[cell] = value
        self._written = [cell for cell, _ in values]


class Row:
    """Single numbers that stand in a row, by their names."""

    def __init__(self, flat: Flat, names: Sequence[str]) -> None:
        self._flat = flat
        self._place = {name: n for n, name in enumerate(names)}
        self._one: dict[str, int] = {}

    def write(self, first: str, values: Sequence[float]) -> None:
        """Show some of them, from one on."""
        flat, place = self._flat, self._place[first]
        for value in values:
            flat[place] = value
            place += 1

    def write_one(self, group: str, name: str) -> None:
        """Of a group of them, which has a name of its own, this one is 1 and the others are 0; "" for none."""
        before, now = self._one.get(group, -1), self._place[name] if name else -1
        if before != now:
            if before >= 0:
                self._flat[before] = 0
            if now >= 0:
                self._flat[now] = 1
            self._one[group] = now


def bits_of(numbers: set[int]) -> int:
    """A set of numbers as bits."""
    if len(numbers) < FEW:
        found = 0
        for number in numbers:
            found |= BIT[number]
        return found
    octets = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        octets[number // 8] |= 1 << number % 8
    return int.from_bytes(octets, "little")


def soft(number: float, half: float) -> float:
    """A number from 0 on, without a highest one, as one below 1 that keeps what was different different.

    Examples:
        >>> soft(0, 20), soft(20, 20), soft(60, 20)
        (0.0, 0.5, 0.75)
    """
    return number / (number + half)
