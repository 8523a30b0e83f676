"""The entries of a match, as far as it matters who sees them: read once for all seats."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.game import Decision
from rasputitsa.core.record.session import Session

PUBLIC, REMARK = 0, -1
"""What an entry can be besides a secret order: an order that all see, or something done at the table."""

ACTION = '"action":"'
"""Where the action begins in a line of the journal."""

Line = tuple[str, str, str]
"""Who made an entry, its verb, and the turn it was made in."""
Read = Callable[[int], Iterable[Line]]


class Row(NamedTuple):
    """Orders that one side gives in secret in one turn, one after the other."""

    turn: str
    side: str


class Orders:
    """For each entry the number of its row of secret orders, or what else it is."""

    def __init__(self, session: Session, read: Read | None = None) -> None:
        """``read`` gives the entries there are so far, which the session does not have at hand."""
        game, options = session.game, session.header.options
        self.session = session
        self.sides = {known.id: known.side for known in game.seats(options)}
        self.verbs = game.secret_orders(options)
        self._stored = None if read is None else (read, session.version)
        self._codes = array("l")
        self._rows = [Row("", "")]
        self._last = PUBLIC
        self._asked: tuple[Decision | None, Row | None] = (None, None)
        """The decision that was asked for last, and its row."""

    @property
    def codes(self) -> array[int]:
        """Of every entry, read on to the last one. Above 0 it is a number of a row."""
        if self._stored is not None:
            (read, number), self._stored = self._stored, None
            self._codes.extend(self._code(*line) for line in read(number))
        known, session = len(self._codes), self.session
        if known < session.version:
            told = zip(session.entries[known:], session.places[known:], strict=True)
            for entry, place in told:
                self._codes.append(self._code(entry.seat, entry.action.partition(" ")[0], place[0]))
        return self._codes

    def row(self, code: int) -> Row:
        """A row by its number."""
        return self._rows[code]

    def row_of(self, decision: Decision | None) -> Row | None:
        """The row in which the present decision is made; None if it is made in the open."""
        if decision is None:
            return None
        asked, row = self._asked
        if asked is not decision:
            secret = any(option.verb in self.verbs for option in decision.options)
            row = Row(self.session.game.turn_and_phase(self.session.state)[0], decision.side) if secret else None
            self._asked = decision, row
        return row

    def cut(self, entries: int) -> None:
        """Only this many entries stand any more."""
        if self._stored is not None:
            read, number = self._stored
            self._stored = read, min(number, entries)
        del self._codes[entries:]
        self._last = next((code for code in reversed(self._codes) if code != REMARK), PUBLIC)

    def _code(self, seat: str, verb: str, turn: str) -> int:
        if verb.startswith("@"):
            return REMARK
        if verb not in self.verbs:
            self._last = PUBLIC
            return PUBLIC
        row = Row(turn, self.sides.get(seat, ""))
        if self._last == PUBLIC or self._rows[self._last] != row:
            self._rows.append(row)
            self._last = len(self._rows) - 1
        return self._last


def stored_line(seat: str, line: str, place: str | None) -> Line:
    """An entry as the journal has it."""
    start = line.find(ACTION)
    action = str(json.loads(line)["action"]) if start < 0 else line[start + len(ACTION) :]
    return seat, action.partition('"')[0].partition(" ")[0], _turn(place or "")


@cached_up_to(64)
def _turn(place: str) -> str:
    found: Any = json.loads(place) if place else [""]
    return str(found[0])
