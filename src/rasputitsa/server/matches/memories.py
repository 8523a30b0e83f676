"""What the computer remembers in the seats of a match: made of the record, and kept beside it.

The memory of a seat is a function of what the seat has been shown and told since the start. It is brought up to date
when somebody is to think in that seat; what a week has added is written down, so that a restart costs a week and not
the whole match. The plan a computer player has in hand is kept with it, so that it goes on where it was.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from rasputitsa.ai.memory import Memory, Onlookers, common_knowledge, recalled
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.entries import CONTROL
from rasputitsa.core.record.session import Session
from rasputitsa.server.store import Store, StoreError

log = logging.getLogger(__name__)

SCOPE = "@memory"
"""Under which it stands among what was worked out about a match: no seat is called so, and no request names it."""
VERSION = 1
KEPT = 3
"""This many former weeks are kept, for those who take moves back."""


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
        self._onlookers: Onlookers | None = None
        self._entry = 0
        """How many entries they have seen."""
        self._place: tuple[str, str] = ("", "")
        self._points: list[dict[str, Any]] = []
        self._notes: dict[str, Notes] = {}
        self._read = False

    def of(self, session: Session, seat: str, *, fresh: bool) -> Memory | None:
        """What a seat remembers now; None in a game in which all lies open.

        ``fresh``: with what happened since the phase began.
        """
        if self._onlookers is not None and not self._onlookers.memories:
            return None
        self._load()
        place = session.game.turn_and_phase(session.state)
        if self._onlookers is None or self._entry > session.version or place != self._place or fresh:
            self._catch_up(session)
            self._place = place
        assert self._onlookers is not None
        return self._onlookers.of(seat)

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
        if self._entry > entry:
            self._onlookers = None

    # -- keeping it ------------------------------------------------------------------------------------

    def _catch_up(self, session: Session) -> None:
        if self._onlookers is None or self._entry > session.version:
            self._recall(session)
        assert self._onlookers is not None
        if not self._onlookers.memories:
            return
        begun, state = _beginnings(session, self._entry), None
        for beginning in begun:
            state = self._onlookers.follow(session, self._entry, beginning, state)
            self._entry = beginning
            self._points = [*self._points[-KEPT:], self._point(session)]
        if self._entry < session.version:
            self._onlookers.follow(session, self._entry, None, state)
        self._entry = session.version
        if begun:
            self._write()

    def _point(self, session: Session) -> dict[str, Any]:
        assert self._onlookers is not None
        return {"entry": self._entry, "after": _print_of(session, self._entry), "seats": self._onlookers.kept()}

    def _recall(self, session: Session) -> None:
        """Start again, from the latest point that fits the record."""
        game, options = session.game, session.header.options
        self._onlookers = onlookers = Onlookers(game, options)
        self._entry = session.floor
        if not onlookers.memories:
            return
        for point in reversed(self._points):
            entry = point["entry"]
            if session.floor <= entry <= session.version and _print_of(session, entry) == point["after"]:
                sides = {seat.id: seat.side for seat in game.seats(options)}
                found = {seat: recalled(game, sides[seat], json.loads(kept)) for seat, kept in point["seats"].items()}
                onlookers.memories = {seat: memory for seat, memory in found.items() if memory is not None}
                self._entry = entry
                return
        self._onlookers = Onlookers(game, options, session.state_at(session.floor), known=common_knowledge(session))

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


def _beginnings(session: Session, start: int) -> list[int]:
    """How many entries there were when each of the last weeks began, of those that began after entry ``start``.

    Whoever takes a step back is then never further than a week from a point, however the memory came about.
    """
    weeks = [week for week, _ in session.places[start:]] + [session.game.turn_and_phase(session.state)[0]]
    begun = [start + number for number in range(1, len(weeks)) if weeks[number] != weeks[number - 1]]
    return begun[-KEPT - 1 :]


def _print_of(session: Session, entry: int) -> str:
    """The fingerprint of the last position before an entry that has one."""
    for number in range(entry - 1, max(session.floor, entry - 50) - 1, -1):
        if after := session.entries[number].after:
            return str(after)
    return ""
