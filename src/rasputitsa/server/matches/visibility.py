"""What a seat sees of the entries of a match: its own and the public ones one by one, secret orders as a whole.

Orders that one side gives in secret are one item for everybody else, from the moment they are given; meanwhile there
is nothing to be counted. A *ply* is a number of items of a seat, an *entry* one of the record, and the two differ
where something was kept from the seat. Once a game is over every entry is an item for everybody.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rasputitsa.core.game import Decision
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.orders import PUBLIC, REMARK, Orders, Read
from rasputitsa.server.store import JournalRow

MOST_ROWS = 6
"""This many rows of secret orders are sent with a view at most; older ones are in the log."""
ASIDE = '{"dice"'
"""How a line of the journal begins that is no entry but concerns everybody."""


class Item(NamedTuple):
    """Entries that are shown together."""

    entries: tuple[int, ...]
    secret: bool = False

    @property
    def end(self) -> int:
        """How many entries the record has after the last of them."""
        return self.entries[-1] + 1


class Sight:
    """The items of one seat (None: an onlooker)."""

    def __init__(self, orders: Orders, seat: str | None) -> None:
        self.session = orders.session
        self._orders = orders
        self._own = orders.sides.get(seat or "")
        self._ends = array("l")
        """Of every item that is settled, how many entries the record has after it."""
        self._rows: dict[int, tuple[int, ...]] = {}
        """The entries of those that are secret orders, by their place."""
        self._held: list[int] = []
        """Secret orders of one row, which may go on."""
        self._code = PUBLIC
        self._remarks: list[int] = []
        """What was done at the table since the last order."""
        self._read = 0
        self._known: tuple[int, Decision | None, list[Item]] = (-1, None, [])
        """The items that are not settled, and the entry and the decision until which they stay the same."""

    @property
    def _open(self) -> bool:
        """Whether nothing is kept from the seat."""
        return not self._orders.verbs or self.session.outcome() is not None

    @property
    def count(self) -> int:
        """How many items there are: the ply of the seat."""
        return self.session.version if self._open else self._veiled_count()

    def items(self, start: int, end: int) -> list[Item]:
        """The items from one ply to another."""
        return [Item((entry,)) for entry in range(start, end)] if self._open else self._veiled(start, end)

    def entry_at(self, ply: int) -> int:
        """How many entries the first items hold."""
        return ply if self._open or not ply else self._veiled(ply - 1, ply)[0].end

    def ply_at(self, entry: int) -> int:
        """How many items lie within the first entries."""
        if self._open:
            return entry
        latest = self._latest()
        return bisect_right(self._ends, entry) + sum(item.end <= entry for item in latest)

    def hides(self, decision: Decision | None) -> bool:
        """Whether what is decided now is decided in secret from the seat."""
        row = None if self._open else self._orders.row_of(decision)
        return row is not None and row.side != self._own

    def since(self, ply: int) -> int:
        """Where to go on for somebody whose last message was at a ply, perhaps before all was revealed."""
        if self._open and self._orders.verbs and 0 < ply <= self._veiled_count():
            return self._veiled(ply - 1, ply)[0].end
        return min(ply, self.count)

    def latest(self, start: int) -> int:
        """A ply from which on there are no more than a few rows of secret orders, with all that came of them."""
        rows = [ply for ply, item in enumerate(self.items(start, self.count), start) if item.secret]
        return rows[-MOST_ROWS] if len(rows) > MOST_ROWS else start

    def _veiled_count(self) -> int:
        latest = self._latest()  # reads further entries, and settles some
        return len(latest) + len(self._ends)

    def _veiled(self, start: int, end: int) -> list[Item]:
        """The items as long as the game goes on."""
        latest, known = self._latest(), len(self._ends)
        settled = [self._item(number) for number in range(start, min(end, known))]
        return settled + latest[max(start - known, 0) : max(end - known, 0)]

    def _item(self, number: int) -> Item:
        row = self._rows.get(number)
        return Item((self._ends[number] - 1,)) if row is None else Item(row, secret=True)

    def _latest(self) -> list[Item]:
        """The items that are not settled, since what comes next has a say in their order."""
        version, decision = self.session.version, self.session.decision()
        if self._known[0] == version and self._known[1] is decision:
            return self._known[2]
        codes = self._orders.codes
        for number in range(self._read, len(codes)):
            self._take(number, codes[number])
        self._read = len(codes)
        told = [Item((entry,)) for entry in self._remarks]
        if self._held and self._orders.row_of(decision) != self._orders.row(self._code):
            told.insert(0, Item(tuple(self._held), secret=True))
        self._known = version, decision, told
        return told

    def _take(self, number: int, code: int) -> None:
        """Read a further entry."""
        if code == REMARK:
            self._remarks.append(number)
            return
        if self._held and code != self._code:
            self._rows[len(self._ends)] = tuple(self._held)
            self._ends.append(self._held[-1] + 1)
            self._held = []
        if self._remarks:
            self._ends.extend(entry + 1 for entry in self._remarks)
            self._remarks = []
        if code == PUBLIC or self._orders.row(code).side == self._own:
            self._ends.append(number + 1)
        else:
            self._held.append(number)
            self._code = code


class Audience(NamedTuple):
    """Who sees a change."""

    versions: dict[str, int]
    """By how much the version of each seat rises."""
    public: bool
    """Whether everybody sees it."""
    changes: int
    """How many changes everybody has seen, with this one."""
    counts: dict[str | None, int]
    """How many items everybody sees, with it."""


class News:
    """What the seats and onlookers of a match have seen, and what a change adds to that."""

    def __init__(self, session: Session, seats: Iterable[str], changes: int, read: Read | None = None) -> None:
        self._orders = Orders(session, read)
        self._viewers = (*seats, None)
        self._sights: dict[str | None, Sight] = {}
        self._seen = self._counts()
        self._shaken: set[str | None] = set()
        """Those who had seen what has just been taken back."""
        self.changes = changes

    def sight(self, seat: str | None) -> Sight:
        """What a seat sees of the entries."""
        if seat not in self._sights:
            self._sights[seat] = Sight(self._orders, seat)
        return self._sights[seat]

    def rewind(self, entries: int) -> None:
        """The record is about to be cut after this many entries."""
        self._shaken |= {viewer for viewer, ply in self._seen.items() if self.sight(viewer).entry_at(ply) > entries}
        self._orders.cut(entries)
        self._sights.clear()

    def of(self, seat: str, lines: Sequence[JournalRow]) -> Audience:
        """Who sees what a seat has done; ``lines`` are those of the journal."""
        aside, counts = sum(row.line.startswith(ASIDE) for row in lines), self._counts()
        rises = {
            viewer: len(lines) if viewer in self._shaken else max(count - self._seen[viewer], 0) + aside
            for viewer, count in counts.items()
        }
        public = rises.pop(None)
        versions = {viewer: rise for viewer, rise in rises.items() if viewer is not None}
        return Audience({**versions, seat: len(lines)}, public > 0, self.changes + public, counts)

    def apply(self, news: Audience) -> None:
        """The change is made."""
        self.changes = news.changes
        self._shaken.clear()
        self._seen = news.counts

    def _counts(self) -> dict[str | None, int]:
        return {viewer: self.sight(viewer).count for viewer in self._viewers}
