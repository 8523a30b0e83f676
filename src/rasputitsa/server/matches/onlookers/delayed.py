"""A match as onlookers see it who are some time behind its players: as it stood then, and nothing newer."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rasputitsa.core.record.entries import RESUMED
from rasputitsa.core.record.session import Session
from rasputitsa.server.errors import ApiError, conflict
from rasputitsa.server.matches.open_match import IN_MEMORY, OpenMatch
from rasputitsa.server.matches.rebuilding import DAMAGE, BrokenMatchError, play_on
from rasputitsa.server.shapes.words import Behind
from rasputitsa.server.store import Disclosure, JournalRow, Seen, Store

MINUTE_MS = 60_000
MOST_REPLAYED = 64
"""With more new entries than this the match is read again from the last position that is kept."""


class DelayedMatch(OpenMatch):
    """A match as it stood when its journal had some number of entries; it only ever goes on."""

    def __init__(self, store: Store, match_id: int, seen: Seen) -> None:
        super().__init__(store, match_id, seen)

    def go_on(self, seen: Seen) -> None:
        """Onlookers may see more by now."""
        before, self.seen = self.entries, seen
        rows = self._store.journal(self.id, before, seen.entries)
        try:
            if any(_needs_reading(row) for row in rows) or len(rows) > MOST_REPLAYED:
                self._reload()
                return
            play_on(self.session, rows)
        except DAMAGE as problem:
            raise BrokenMatchError(problem) from problem
        self._past.go_on(seen.entries)
        self.session.forget(IN_MEMORY)
        self._entries, self._news.changes = seen.entries, seen.changes


def _needs_reading(row: JournalRow) -> bool:
    """Whether a row is more than one further entry: a step back, other dice, other rules."""
    return row.ply is None or json.loads(row.line).get("action") == RESUMED


class Onlookers:
    """What onlookers of a match see that lets them see it later; kept as long as the match is in memory."""

    def __init__(self, store: Store, match_id: int, behind: Behind, *, over: bool) -> None:
        """``over``: the game is over, and all of it lies open."""
        self.behind = behind
        self._store, self._match_id, self._over = store, match_id, over
        self._board: DelayedMatch | None = None
        self._broken = -1
        """With how many entries it could not be replayed: that takes long, and ends as before."""

    def board(self) -> OpenMatch:
        """The match as they see it now.

        Raises:
            ApiError: 409, it was played by rules that this version of the program does not have.
        """
        seen = self._store.seen([self._match_id])[self._match_id]
        if seen.entries == self._broken:
            raise _rules_changed()
        try:
            if self._board is None:
                self._board = DelayedMatch(self._store, self._match_id, seen)
            elif self._board.entries != seen.entries:
                board, self._board = self._board, None  # read again, should this fail
                board.go_on(seen)
                self._board = board
        except BrokenMatchError as problem:
            self._broken = seen.entries
            raise _rules_changed() from problem
        return self._board

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return 0 if self._board is None else self._board.weight()

    def disclosure(self, session: Session, lines: Sequence[JournalRow]) -> Disclosure | None:
        """When onlookers may see what was just done: a turn when it is over, and the end of the game at once.

        At once, too, when all have gone back behind the end: what the sides hide lies open no longer.
        """
        lay_open, self._over = self._over, session.decision() is None
        if lay_open or self._over:
            return Disclosure(len(lines), 0)
        if self.behind != "turn":
            return Disclosure(len(lines), self.behind * MINUTE_MS)
        over = _end_of_turn(session, lines)
        return None if over is None else Disclosure(over, 0)


def _rules_changed() -> ApiError:
    return conflict("rules_changed", "the rules have changed since; please look again later")


def _end_of_turn(session: Session, lines: Sequence[JournalRow]) -> int | None:
    """How many of the lines lie before a turn of the game that begins with them."""
    now, _ = session.game.turn_and_phase(session.state)
    turns = [(number, json.loads(row.place)[0]) for number, row in enumerate(lines) if row.place]
    if not turns:
        return None
    turns.append((len(lines), now))
    return None if now == turns[0][1] else next(number for number, turn in turns if turn == now)
