"""Sessions from what the store keeps: taken up from the last position, replayed from the start only in need."""

from __future__ import annotations

import contextlib
import json
import logging
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.core.record.seeds import Source, followed, rewound
from rasputitsa.core.record.session import Session
from rasputitsa.core.record.snapshot import DAMAGED, ReportedEntry, Snapshot, events_from_json, events_to_json
from rasputitsa.core.registry import get_game, rules_digest
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches import match_dice
from rasputitsa.server.store import JournalRow, MatchRow, SnapshotRow, Store, StoreError

TRIED = 64
"""At least this many of the last entries, if there are, are replayed once after an update of the program."""
MAX_SNAPSHOT_BYTES = 32 * 2**20
"""Bytes of a snapshot unpacked; what is larger was not written by this program."""

log = logging.getLogger(__name__)


class BrokenMatchError(ApiError):
    """A stored match that cannot be played any more; it can still be saved and deleted."""

    def __init__(self, problem: Exception) -> None:
        super().__init__(500, "broken_match", f"this match cannot be replayed: {problem}")


def pack(snapshot: Snapshot) -> bytes:
    """A snapshot as the store keeps it: small, and quick to write."""
    return zlib.compress(orjson.dumps(snapshot._asdict()), 1)


def unpack(body: bytes) -> Snapshot:
    """The snapshot that was packed; raises ``SaveError``."""
    try:
        unpacking = zlib.decompressobj()
        line = orjson.loads(unpacking.decompress(body, MAX_SNAPSHOT_BYTES))
    except (zlib.error, orjson.JSONDecodeError) as problem:
        raise SaveError(DAMAGED) from problem
    return Snapshot.from_json(line)


@contextlib.contextmanager
def read_whole(match_id: int) -> Iterator[None]:
    """Rows of a match are read that were damaged perhaps; then it is a broken match, which can be saved and deleted."""
    try:
        yield
    except (ApiError, StoreError):
        raise
    except DAMAGE as problem:
        log.error("what is stored of match %d cannot be read: %r", match_id, problem)
        raise BrokenMatchError(problem) from problem


class StoredPast:
    """What lies behind a match, read from the store when it is asked for."""

    def __init__(self, store: Store, match_id: int, game: Game[Any], before: int | None = None) -> None:
        """``before``: as it was when the journal had this many entries."""
        self._store, self._match_id, self._before = store, match_id, before
        self._known = game.events()
        self._range, self._reported = (0, 0), list[ReportedEntry]()

    def go_on(self, before: int) -> None:
        """The journal counts up to a later entry from now on."""
        self._before = before

    def changed(self) -> None:
        """What was read before may have been taken back since."""
        self._range = (0, 0)

    def told(self, start: int, end: int) -> list[ReportedEntry]:
        """The entries from number ``start`` up to before ``end``."""
        if self._range != (start, end):
            with read_whole(self._match_id):
                rows = self._store.history(self._match_id, start, end, self._before)
                self._range, self._reported = (start, end), [_reported(row, self._known) for row in rows]
        return self._reported

    def snapshot(self, version: int) -> Snapshot | None:
        """The newest position of the game as it stands, after at most this many entries."""
        cuts = self._store.steps_back(self._match_id)
        for row in self._store.snapshots(self._match_id, self._before, version):
            if all(target >= row.ply for seq, target in cuts if row.seq <= seq and (seq < (self._before or seq + 1))):
                try:
                    return _unpacked(row)
                except SaveError as problem:
                    log.error("match %d: the position after %d entries: %s", self._match_id, row.ply, problem)
        return None


def _unpacked(row: SnapshotRow) -> Snapshot:
    snapshot = unpack(row.body)
    if not snapshot.floor <= snapshot.version == row.ply:
        raise SaveError("a stored position is not that of the entries it is kept with")
    return snapshot


def _reported(row: JournalRow, known: Mapping[str, type[Event]]) -> ReportedEntry:
    events = events_from_json(known, json.loads(row.events)) if row.events else []
    turn, phase = json.loads(row.place) if row.place else ("", "")
    return ReportedEntry(Entry.from_json(json.loads(row.line)), events, (turn, phase))


def row_of(entry: Entry, ply: int, events: Sequence[Event], place: tuple[str, str]) -> JournalRow:
    """An entry as the journal keeps it, with what came of it."""
    told = encode(events_to_json(events)) if events else None
    return JournalRow(entry.seat, encode(entry.to_json()), ply, encode(place), told)


def rows_of(session: Session, start: int = 0) -> list[JournalRow]:
    """The entries of a session from number ``start`` on, as the journal keeps them."""
    told = zip(session.entries[start:], session.events[start:], session.places[start:], strict=True)
    return [row_of(entry, ply, events, place) for ply, (entry, events, place) in enumerate(told, start)]


def kept_of(session: Session, seqs: Sequence[int] | None = None) -> list[SnapshotRow]:
    """The positions of a session that are in memory, the newest last.

    Args:
        seqs: how long the journal was after each number of entries; by default as long.
    """
    versions = sorted({*session.kept, session.version})
    return [
        SnapshotRow(version, pack(session.snapshot(version)), version if seqs is None else seqs[version])
        for version in versions
    ]


DAMAGE = (RasputitsaError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading stored rows may end in, when they were damaged or written by hand."""


def header_of(row: MatchRow) -> Header:
    """The header of a stored match; raises ``BrokenMatchError``."""
    try:
        return Header.from_json(json.loads(row.header))
    except DAMAGE as problem:
        log.error("the header of match %d cannot be read: %s", row.id, problem)
        raise BrokenMatchError(problem) from problem


def open_session(
    store: Store, match_id: int, header: Header, upto: int | None = None, past: StoredPast | None = None
) -> tuple[Session, bool]:
    """The session of a match, and whether its rules have changed since it was last played.

    Args:
        upto: as it was when its journal had this many entries; by default as it is, to be played on.
        past: what lies behind it; by default it is read up to there.

    Raises:
        BrokenMatchError: there is no position of it that this program understands.
    """
    past = past or StoredPast(store, match_id, get_game(header.game), upto)
    problem: Exception | None = None
    for row in store.snapshots(match_id, upto):
        rows = store.journal(match_id, row.seq, upto)
        if any(target < row.ply for target in _targets(rows)):
            continue  # this position was taken back since
        try:
            snapshot = _unpacked(row)
            session = Session(header, snapshot, past)
            play_on(session, rows)
            changed = not rows and _rules_changed(session, snapshot, past)
        except DAMAGE as found:
            log.error("match %d: the position after %d entries: %s", match_id, row.ply, found)
            problem = problem or found
            continue
        return session, changed
    try:
        return Session.from_entries(*record_of(header, store.journal(match_id, 0, upto))), False
    except DAMAGE as found:
        log.error("match %d cannot be replayed: %s", match_id, problem or found)
        raise BrokenMatchError(problem or found) from found


def _targets(rows: Sequence[JournalRow]) -> Iterator[int]:
    for row in rows:
        if row.ply is None and "undo" in (line := json.loads(row.line)):
            yield line["undo"]


def play_on(session: Session, rows: Sequence[JournalRow]) -> None:
    """Replay what was done next."""
    for row in rows:
        line = json.loads(row.line)
        if "undo" in line:
            session.rewind(line["undo"])
        elif _is_source(line):
            session.change_sources(followed(session.header.sources, Source.from_json(line["dice"])))
        else:
            session.replay_entry(Entry.from_json(line))


def _is_source(line: dict[str, Any]) -> bool:
    return "dice" in line and "seat" not in line


def _rules_changed(session: Session, snapshot: Snapshot, past: StoredPast) -> bool:
    """Whether the rules of today lead elsewhere than those the last entries were played under."""
    today = rules_digest(session.header.game)
    if snapshot.rules == today:
        return False
    known = int(snapshot.rules.partition("-")[0] or 0)
    if any(known < version for version in get_game(session.header.game).unkept):
        return True
    earlier = past.snapshot(max(session.version - TRIED, 0))
    try:
        trial = Session(session.header, earlier, past) if earlier else Session(session.header)
        for entry in session.entries[trial.version :]:
            trial.replay_entry(entry)
    except DAMAGE as problem:
        log.warning("the rules of a match have changed: %s", problem)
        return True
    return False


def complete(store: Store, match_id: int) -> None:
    """Fill in what a match of an earlier version of the program does not keep: what came of each entry, and positions.

    Raises:
        BrokenMatchError: it cannot be replayed.
    """
    row = store.match(match_id)
    header, journal = header_of(row), store.journal(match_id)
    try:
        session = Session.from_entries(*record_of(header, journal))
    except DAMAGE as problem:
        log.error("match %d cannot be replayed: %s", match_id, problem)
        raise BrokenMatchError(problem) from problem
    plies, seqs, standing = _numbers(journal)
    rows = {seq: replace(journal[seq], ply=ply) for seq, ply in plies.items()}
    rows |= dict(zip(standing, rows_of(session), strict=True))
    told = encode(replace(header, data=session.header.data).to_json())
    store.complete(match_id, told, rows, kept_of(session, seqs))


def _numbers(journal: Sequence[JournalRow]) -> tuple[dict[int, int], list[int], list[int]]:
    """For each row its number in the game; for each number of entries how long the journal was; the rows that stand."""
    plies: dict[int, int] = {}
    standing: list[int] = []
    ends = [0]
    for seq, row in enumerate(journal):
        line = json.loads(row.line)
        if "undo" in line:
            del standing[line["undo"] :], ends[line["undo"] + 1 :]
        elif not _is_source(line):
            plies[seq] = len(standing)
            standing.append(seq)
            ends.append(seq + 1)
        ends[-1] = seq + 1
    return plies, ends, standing


def record_of(header: Header, journal: Sequence[JournalRow]) -> tuple[Header, list[Entry]]:
    """The record a journal tells: everything that was taken back left out, and the dice as they changed."""
    entries: list[Entry] = []
    sources = header.sources
    for row in journal:
        line = json.loads(row.line)
        if "undo" in line:
            del entries[line["undo"] :]
            sources = rewound(sources, line["undo"])
        elif _is_source(line):
            sources = followed(sources, Source.from_json(line["dice"]))
        else:
            entries.append(Entry.from_json(line))
    return replace(header, dice=sources if sources != header.sources else header.dice), entries


def unchecked_save(store: Store, match_id: int) -> str:
    """The saved game of a match as it stands in the journal, for matches that cannot be replayed."""
    row = store.match(match_id)
    holders = {seat.holder for seat in store.seats(match_id).values()} - {""}
    try:
        header, entries = record_of(header_of(row), store.journal(match_id))
    except (BrokenMatchError, *DAMAGE):
        first = row.header if row.over or len(holders) < 2 else "{}"  # it may hold what foretells the dice
        return "\n".join([first, *(line.line for line in store.journal(match_id))]) + "\n"
    if not row.over and (len(holders) > 1 or match_dice.between_people(header.sources[-1])):
        header = header.sealed()
    end: dict[str, Any] = {"end": len(entries)}
    for kept in store.snapshots(match_id):
        if kept.seq == row.entries:
            end |= _last(kept)
        break
    return "\n".join([encode(header.to_json()), *(encode(entry.to_json()) for entry in entries), encode(end)]) + "\n"


def _last(kept: SnapshotRow) -> dict[str, Any]:
    """The last position for a saved game, from which a program that understands it can go on."""
    try:
        snapshot = unpack(kept.body)
    except SaveError:
        return {}
    return {"position": snapshot.after, "rules": snapshot.rules, "state": snapshot.state}


def encode(value: object) -> str:
    """Compact JSON, as the journal keeps it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
