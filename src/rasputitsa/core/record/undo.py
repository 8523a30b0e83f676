"""How far a seat may take back what it has done: to the last die, remark or entry of another seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rasputitsa.core.record.entries import Entry

AT_ONCE = 32
"""Entries of a long record that are read together, going back in it."""


def is_free(entry: Entry, seat: str) -> bool:
    """Whether an entry is the seat's own, without a die, and no remark."""
    return entry.seat == seat and not entry.dice and not entry.action.startswith("@")


def is_open(entries: Sequence[Entry], seat: str | None) -> bool:
    """Whether the last entry could be taken back by a seat, or by its own where none is named."""
    return bool(entries) and is_free(entries[-1], entries[-1].seat if seat is None else seat)


class Floors:
    """The smallest version that each seat may go back to; only entries that have come since are looked through."""

    def __init__(self) -> None:
        self._own: dict[str, tuple[int, int]] = {}
        """By seat, a number of entries, and from which one on these were its own and free to be taken back."""

    def clear(self) -> None:
        """Forget what is known, since entries have been taken back."""
        self._own.clear()

    def of(self, entries: Sequence[Entry], seat: str, least: int) -> int:
        """The floor of a seat in a record that begins to be free at ``least``."""
        since, floor = self._own.get(seat, (least, least))
        version = len(entries)
        for entry in _backwards(entries, since):
            if not is_free(entry, seat):
                floor = version
                break
            version -= 1
        self._own[seat] = len(entries), floor
        return floor


def _backwards(entries: Sequence[Entry], until: int) -> Iterator[Entry]:
    """The entries from the last one back to number ``until``, read some at a time."""
    for end in range(len(entries), until, -AT_ONCE):
        yield from reversed(entries[max(end - AT_ONCE, until) : end])
