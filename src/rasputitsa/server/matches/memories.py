"""What the computer remembers in the seats of a match: made from the record, and kept along with it.

The memory of a seat is a function of what the seat has been shown since the start. It is shown each entry
when that is made, so that no question takes longer because nobody has asked before; what it is when a phase begins is
written down, so that a restart costs a phase and not the whole match. The plan a computer player has in hand is kept
with it, so that it goes on where it was.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from rasputitsa.ai.memory import Memory, MemoryTracker, common_knowledge, recalled
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.entries import CONTROL, RESUMED
from rasputitsa.core.record.session import Session
from rasputitsa.server.store import Store, StoreError

log = logging.getLogger(__name__)

SCOPE = "@memory"
"""Under which it stands among what was worked out about a match: no seat is called so, and no request names it."""
VERSION = 1
KEPT = 3
"""This many former weeks are kept, for those who take moves back."""


WEIGHT = 50_000
"""Bytes that the memory of a seat takes, with what is kept of it: measured, and rounded up."""


class Notes(NamedTuple):
    """The plan a computer player has in hand."""

    bot: str
    entry: int
    """How many entries there were when its first answer was given."""
    body: Mapping[str, Any]


class Memories:
    """The memories of all seats of a match, and the plans of its computer players."""

    def __init__(self, store: Store, match_id: int) -> None:
        self._store, self._match_id = store, match_id
        self._onlookers: MemoryTracker | None = None
        self._entry = 0
        """How many entries they have seen."""
        self._settled = 0
        """After this many entries nothing was added to them any more."""
        self._points: list[dict[str, Any]] = []
        """What they were when each of the last weeks began, and the present phase."""
        self._notes: dict[str, Notes] = {}
        self._read = False

    def of(self, session: Session, seat: str) -> Memory | None:
        """What a seat remembers now; None in a game in which all lies open."""
        self.catch_up(session)
        assert self._onlookers is not None
        return self._onlookers.of(seat)

    def catch_up(self, session: Session, most: int | None = None) -> bool:
        """Show them what they have not seen of the record, ``most`` entries of it at most; whether that was all."""
        if self._onlookers is None or self._entry > session.version:
            self._recall(session)
        assert self._onlookers is not None
        if not self._onlookers.memories:
            return True
        self._pass_remarks(session, session.version)
        if self._entry < session.version:
            self._follow(session, session.version if most is None else min(session.version, self._entry + most))
        return self._entry == session.version

    def went_on(self, session: Session, before: Any, version: int) -> None:
        """Show them what was just played from the position ``before``, which was there after ``version`` entries.

        Should that fail, they are made again when they are asked for: what was played stands.
        """
        if self._onlookers is None or not self._onlookers.memories:
            return
        self._pass_remarks(session, version)
        if self._entry != version:
            return  # they are still to be shown what was before
        try:
            self._witness(session, before)
        except Exception:
            log.exception("match %d: what the computer remembers could not be brought up to date", self._match_id)
            self._onlookers = None

    def weight(self) -> int:
        """About how many bytes they take."""
        return 0 if self._onlookers is None else WEIGHT * len(self._onlookers.memories)

    def notes_of(self, session: Session, seat: str, bot: str) -> tuple[Mapping[str, Any], tuple[Action, ...]] | None:
        """The plan that a computer player has in hand, and the answers it has given since it was made."""
        self._load()
        notes = self._notes.get(seat)
        if notes is None or notes.bot != bot or not session.floor <= notes.entry <= session.version:
            return None
        since = session.entries[notes.entry :]
        own = [entry.action for entry in since if entry.seat == seat]
        if any(action.startswith(CONTROL) for action in own):
            return None  # somebody else has sat there meanwhile
        try:
            given = [session.game.read(session.state, action) for action in own if not action.startswith("@")]
        except (RasputitsaError, ValueError):
            return None
        return notes.body, tuple(given)

    def note(self, seat: str, notes: Notes) -> None:
        """Keep the plan of a computer player."""
        self._load()
        self._notes[seat] = notes
        self._write()

    def rewound(self, entry: int) -> None:
        """Entries from this one on were taken back."""
        self._load()
        self._notes = {seat: notes for seat, notes in self._notes.items() if notes.entry < entry}
        self._points = [point for point in self._points if point["entry"] <= entry]
        if self._settled > entry:
            self._onlookers = None
        self._entry = min(self._entry, entry)

    # -- keeping it ------------------------------------------------------------------------------------

    def _pass_remarks(self, session: Session, end: int) -> None:
        """Entries that change nothing of the position need not be shown."""
        for entry in session.entries[self._entry : end]:
            if not entry.action.startswith("@") or entry.action == RESUMED:
                return
            self._entry += 1

    def _witness(self, session: Session, before: Any) -> None:
        onlookers, game, start = self._onlookers, session.game, self._entry
        assert onlookers is not None
        told = onlookers.told
        place = game.turn_and_phase(before)
        if session.version == start + 1:
            action = game.read(before, session.entries[start].action)
            onlookers.witness(before, action, session.events[start], session.state)
        else:
            onlookers.follow(session, start, None, game.copy(before))
        self._entry = session.version
        if onlookers.told != told:
            self._settled = self._entry
        now = game.turn_and_phase(session.state)
        if now != place:
            self._mark(session, now[0])
            self._write()

    def _follow(self, session: Session, end: int) -> None:
        onlookers, state = self._onlookers, None
        assert onlookers is not None
        told = onlookers.told
        begun = _beginnings(session, self._entry, end)
        for beginning, week in begun:
            state = onlookers.follow(session, self._entry, beginning, state)
            self._entry = beginning
            self._mark(session, week)
        if self._entry < end:
            onlookers.follow(session, self._entry, end, state)
        self._entry = end
        if onlookers.told != told:
            self._settled = end
        if begun:
            self._write()

    def _mark(self, session: Session, week: str) -> None:
        """Keep what they are now; of a week its beginning is kept, and of the last one that of the latest phase."""
        assert self._onlookers is not None
        after = _print_of(session, self._entry)
        point = {"entry": self._entry, "after": after, "week": week, "seats": self._onlookers.kept()}
        if len(self._points) > 1 and self._points[-1].get("week") == self._points[-2].get("week"):
            del self._points[-1]
        goes_on = bool(self._points) and self._points[-1].get("week") == week
        self._points = [*self._points[-KEPT - goes_on :], point]

    def _recall(self, session: Session) -> None:
        """Start again, from the latest point that fits the record."""
        game, options = session.game, session.header.options
        self._onlookers = onlookers = MemoryTracker(game, options)
        self._entry = session.floor
        self._settled = self._entry
        if not onlookers.memories:
            return
        self._load()
        for point in reversed(self._points):
            entry = point["entry"]
            if session.floor <= entry <= session.version and _print_of(session, entry) == point["after"]:
                sides = {seat.id: seat.side for seat in game.seats(options)}
                found = {seat: recalled(game, sides[seat], json.loads(kept)) for seat, kept in point["seats"].items()}
                whole = {seat: memory for seat, memory in found.items() if memory is not None}
                if whole.keys() == onlookers.memories.keys():  # else an earlier version has kept it
                    onlookers.memories = whole
                    self._entry = self._settled = entry
                    return
        self._onlookers = MemoryTracker(game, options, session.state_at(session.floor), known=common_knowledge(session))

    def _load(self) -> None:
        if self._read:
            return
        self._read = True
        kept = self._store.analysis(self._match_id, SCOPE) or {}
        if kept.get("version") == VERSION:
            self._points = kept["points"]
            self._notes = {seat: Notes(*notes) for seat, notes in kept["notes"].items()}

    def _write(self) -> None:
        body = {"version": VERSION, "points": self._points, "notes": self._notes}
        try:
            self._store.keep_analysis(self._match_id, SCOPE, body)
        except StoreError:
            log.warning("match %d: what the computer remembers could not be written", self._match_id)


def _beginnings(session: Session, start: int, end: int) -> list[tuple[int, str]]:
    """How many entries there were when each of the last weeks began and when the last phase did, after entry ``start``
    and up to ``end``; each with its week.

    A player who takes a step back is then never further than a week from a point, however the memory came about.
    """
    places = list(session.places[start : end + 1])
    if end == session.version:
        places.append(session.game.turn_and_phase(session.state))
    phases = [number for number in range(1, len(places)) if places[number] != places[number - 1]]
    weeks = [number for number in phases if places[number][0] != places[number - 1][0]]
    return [(start + number, places[number][0]) for number in sorted({*weeks[-KEPT - 1 :], *phases[-1:]})]


def _print_of(session: Session, entry: int) -> str:
    """The fingerprint of the last position before an entry that has one."""
    for number in range(entry - 1, max(session.floor, entry - 50) - 1, -1):
        if after := session.entries[number].after:
            return str(after)
    return ""
