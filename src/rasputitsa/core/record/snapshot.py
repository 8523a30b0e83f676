"""A game at one moment, written down so that it can go on from there; and the part of a record that lies elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, overload

from rasputitsa.core.errors import SaveError
from rasputitsa.core.events import Event, restored
from rasputitsa.core.record.entries import ENDINGS, Entry
from rasputitsa.core.record.seeds import SourceLine

ItemT = TypeVar("ItemT")

DAMAGED = "the stored position of this match is damaged"
CHUNK = 256


class Snapshot(NamedTuple):
    """All that is needed to go on from the position after the first ``version`` entries."""

    version: int
    after: str
    """The beginning of the position's fingerprint."""
    floor: int
    """The number of entries before which one cannot go back; see ``Session.floor``."""
    rules: str
    """Version and digest of the rules it was reached under."""
    controllers: dict[str, str]
    dice: dict[str, int]
    """The next number of each stream."""
    sources: list[SourceLine]
    """Where the dice come from, as the header writes it."""
    audit: dict[str, Any] | None
    """What holding the dice against their sources has shown so far; None where nobody has looked."""
    state: dict[str, Any]
    """The position, as ``Game.freeze`` writes it."""
    ending: tuple[int, str, str] | None = None
    """The entry with which people ended the game before, if they have: its number, seat and action."""

    @classmethod
    def from_json(cls, line: Any) -> Snapshot:
        """The snapshot of a parsed line; raises ``SaveError``. The position itself is checked by ``Game.thaw``."""
        if not isinstance(line, dict) or line.keys() | cls._field_defaults.keys() != set(cls._fields):
            raise SaveError(DAMAGED)
        found = cls(**{**line, "ending": _ending(line.get("ending"))})
        counts = (found.version, found.floor, *_values(found.dice))
        texts = (found.after, found.rules, *_values(found.controllers))
        sound = all(type(n) is int and n >= 0 for n in counts) and all(type(text) is str for text in texts)
        if not sound or not isinstance(found.state, dict) or not isinstance(found.sources, list):
            raise SaveError(DAMAGED)
        return found


def _ending(line: Any) -> tuple[int, str, str] | None:
    match line:
        case None:
            return None
        case [int(number), str(seat), str(action)] if number >= 0 and action in ENDINGS:
            return number, seat, action
    raise SaveError(DAMAGED)


def _values(table: Any) -> list[Any]:
    return list(table.values()) if isinstance(table, dict) else [None]


class ReportedEntry(NamedTuple):
    """An entry with what came of it, and the turn and phase it was made in."""

    entry: Entry
    events: list[Event]
    place: tuple[str, str]


class Past(Protocol):
    """The part of a record that is not in memory."""

    def told(self, start: int, end: int) -> list[ReportedEntry]:
        """The entries from number ``start`` up to before ``end``, counted from 0."""
        ...

    def changed(self) -> None:
        """Something was taken back: what was read before may stand no more."""
        ...

    def snapshot(self, version: int) -> Snapshot | None:
        """The newest kept snapshot of at most ``version`` entries; None if there is none."""
        ...


class Ledger(Sequence[ItemT], Generic[ItemT]):
    """A list that grows at its end, and whose beginning may lie elsewhere, from where it is read when asked for."""

    def __init__(self, before: int = 0, read: Callable[[int, int], Iterable[ItemT]] | None = None) -> None:
        self._before, self._read = before, read
        self._here: list[ItemT] = []

    def append(self, item: ItemT) -> None:
        """Add an item at the end."""
        self._here.append(item)

    def put(self, number: int, item: ItemT) -> None:
        """Put another item in the place of one that is here."""
        self._here[number - self._before] = item

    def cut(self, length: int) -> None:
        """Drop everything after the first ``length`` items."""
        del self._here[max(length - self._before, 0) :]
        self._before = min(self._before, length)

    def forget(self, most: int) -> None:
        """Keep no more than the last ``most`` items here; the others must be found elsewhere by now."""
        gone = max(len(self._here) - most, 0)
        del self._here[:gone]
        self._before += gone

    def __len__(self) -> int:
        return self._before + len(self._here)

    @overload
    def __getitem__(self, index: int) -> ItemT: ...
    @overload
    def __getitem__(self, index: slice) -> list[ItemT]: ...
    def __getitem__(self, index: int | slice) -> ItemT | list[ItemT]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return list(self)[index]
            return self._between(start, max(stop, start))
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        return self._here[place - self._before] if place >= self._before else self._between(place, place + 1)[0]

    def _between(self, start: int, stop: int) -> list[ItemT]:
        here = self._here[max(start - self._before, 0) : max(stop - self._before, 0)]
        if start >= self._before or start >= stop:
            return here
        assert self._read is not None
        return [*self._read(start, min(stop, self._before)), *here]

    def __iter__(self) -> Iterator[ItemT]:
        for start in range(0, len(self), CHUNK):
            yield from self._between(start, min(start + CHUNK, len(self)))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Ledger, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes, like a list


def ledgers(version: int, past: Past | None) -> tuple[Ledger[Entry], Ledger[list[Event]], Ledger[tuple[str, str]]]:
    """Entries, events and places of a record of which the first ``version`` entries lie in the past."""
    if past is None:
        return Ledger(), Ledger(), Ledger()
    return (
        Ledger(version, lambda start, end: [told.entry for told in past.told(start, end)]),
        Ledger(version, lambda start, end: [told.events for told in past.told(start, end)]),
        Ledger(version, lambda start, end: [told.place for told in past.told(start, end)]),
    )


def events_to_json(events: Iterable[Event]) -> list[Any]:
    """Events as plain JSON values."""
    return [[event.kind, *event.args] for event in events]


def events_from_json(known: Mapping[str, type[Event]], raw: Any) -> list[Event]:
    """Events of the kinds of a game that were written; raises ``SaveError``."""
    if not isinstance(raw, list) or any(not isinstance(line, list) or not line for line in raw):
        raise SaveError("the events of an entry are not a list")
    if any(type(line[0]) is not str for line in raw):
        raise SaveError("an event does not begin with its kind")
    return [restored(known, line[0], tuple(map(_argument, line[1:]))) for line in raw]


def _argument(raw: Any) -> object:
    """An argument as the game made it: numbers, texts, and tuples of them."""
    if isinstance(raw, list):
        return tuple(map(_argument, raw))
    if isinstance(raw, dict):
        raise SaveError("an event has a table for an argument")
    argument: object = raw
    return argument
