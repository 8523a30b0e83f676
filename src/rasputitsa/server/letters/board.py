"""A match by letters as the map shows it: one's own view, orders for the next letter, and what lies in the past."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rasputitsa.core.errors import IllegalAction, NotationError, RulesChangedError
from rasputitsa.core.record.entries import RESIGNED
from rasputitsa.core.record.session import Session
from rasputitsa.core.shapes import outcome as outcome_json
from rasputitsa.mail.book import Book
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.errors import MailError
from rasputitsa.mail.news import decides, next_words
from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.orders import Orders
from rasputitsa.server.matches.views import (
    LOG_PAGE,
    asked_of,
    decision_json,
    events_of,
    log_of,
    observed,
    options_json,
)
from rasputitsa.server.matches.visibility import Sight
from rasputitsa.server.shapes.lists import Asides
from rasputitsa.server.shapes.views import BoardView, Decision, Frame, LogEntry

PREFIX = "letter-"
"""How the client names such a match among others."""


class LetterBoard:
    """One person's match by letters, with the file it is kept in."""

    def __init__(self, book: Book, version: int = 0) -> None:
        """``version``: the last version of this match that was shown."""
        self.book = book
        self.torn = False
        """Whether a change has failed half-way, so that the file is to be read again."""
        changed = book.path.stat().st_mtime_ns // 1_000_000
        self.version = max(version + 1, changed)
        """Rises with every change, also over a start of the server."""
        self._session: Session | None = None
        self._past: Session | None = None

    @property
    def correspondent(self) -> Correspondent:
        """Where letters are read and written."""
        return self.book.correspondent

    def _changed(self) -> None:
        """Write down what was changed."""
        self.torn = True
        self.book.save()
        self.torn = False
        self.version += 1
        self._session = self._past = None

    # -- letters ---------------------------------------------------------------------------------------

    def open(self, text: str) -> bool:
        """Read the next letter, and answer where nothing is to be decided; whether it was. Raises ``MailError``."""
        self.correspondent.read(text)
        self.torn = True
        answers = self.correspondent.nothing_to_decide
        if answers:
            self.correspondent.write()
        self._changed()
        return answers

    def write(self, note: str, *, resign: bool) -> None:
        """Write the next letter; raises ``MailError``."""
        self.correspondent.write(note, resign=resign)
        self._changed()

    # -- the map ---------------------------------------------------------------------------------------

    def _seat(self, seat: str | None) -> str:
        if seat not in self.correspondent.seats:
            raise forbidden("bad_key", "this seat is not yours")
        return seat

    @property
    def session(self) -> Session:
        """The record as far as it goes here, with the position that is shown."""
        if self._session is None:
            match, board = self.correspondent.match, self.correspondent.reached().board
            session = Session(self.correspondent.header(board))
            for entry, events, place in zip(board.entries, board.told, board.places, strict=True):
                session.entries.append(entry)
                session.events.append(events)
                session.places.append(place)
            session.state = board.state
            if match.resigned and session.decision() is not None:
                session.end(match.resigned, RESIGNED)
            self._session = session
        return self._session

    def _sight(self, seat: str) -> Sight:
        return Sight(Orders(self.session), seat)

    def view(self, seat: str | None, since: int | None = None) -> BoardView:
        """The match now, as a seat of one's own may see it."""
        seat = self._seat(seat)
        session, sight = self.session, self._sight(seat)
        outcome = session.outcome()
        takes_back = bool(self.correspondent.draft) and outcome is None
        return {
            **observed(session, session.state, seat),
            **self._frame(sight, seat),
            "ply": sight.count,
            "tag": "",
            "last_events": events_of(sight, seat, since),
            "decision": self._decision(sight, seat),
            "outcome": outcome_json(outcome),
            "can_undo": takes_back,
            "undo_to": self._base(sight) if takes_back else None,
            "undo_offers": {},
            "guide": None,
        }

    def _frame(self, sight: Sight, seat: str) -> Frame:
        match, session = self.correspondent.match, self.session
        people = {known.id: match.person_of(known.id) for known in session.game.seats(match.terms.options)}
        return {
            "match": f"{PREFIX}{match.code}",
            "game": match.terms.game,
            "scenario": match.terms.scenario,
            "options": match.terms.options,
            "lesson": None,
            "title": match.terms.title or session.game.title,
            "version": self.version,
            "seat": seat,
            "controllers": {known: {"kind": "human", "name": match.name(who)} for known, who in people.items()},
            "data": match.terms.data,
            "rules_changed": None,
            "dice": match_dice.dice_json(session, sight.ply_at),
        }

    def _base(self, sight: Sight) -> int:
        """Where one's next letter begins."""
        return sight.ply_at(len(self.correspondent.base().board.entries))

    def _decision(self, sight: Sight, seat: str) -> Decision | None:
        session, decision = self.session, self.session.decision()
        if decision is None:
            return None
        if decides(self.correspondent):
            return decision_json(session.game, session.state, decision, seat, secret=False)
        other = next(known for known in session.seats if known.id not in self.correspondent.seats)
        words = next_words(self.correspondent)
        return {
            "seat": other.id, "side": other.side, "mine": False, "prompt": words, "marked": words, "rule": "",
            "kind": "letter", "options": [], "units": [], "hexes": [], "auto": False,
        }  # fmt: skip

    def view_at(self, seat: str | None, at: int) -> BoardView:
        """The match at a former ply; nothing can be done there."""
        seat = self._seat(seat)
        session, sight = self.session, self._sight(seat)
        if at > sight.count:
            raise bad_request(f"this match has {sight.count} entries; {at} is not among them")
        state = self._state_at(sight.entry_at(at))
        outcome = session.game.outcome(state)
        return {
            **observed(session, state, seat),
            **self._frame(sight, seat),
            "ply": sight.count,
            "tag": "",
            "at": at,
            "last_events": log_of(sight, seat, at - 1, at) if at else [],
            "decision": decision_json(
                session.game, state, session.game.decision(state), None, sight.hides(session.game.decision(state))
            ),
            "outcome": outcome_json(outcome),
            "can_undo": False,
            "undo_to": None,
            "undo_offers": {},
            "guide": None,
        }

    def _state_at(self, entry: int) -> Any:
        if self._past is None:
            reached = self.correspondent.reached().board
            board = self.correspondent.match.truth.board if reached.veiled else reached
            self._past = self.correspondent.recorded(board, [], "")
        if entry > self._past.version:
            raise conflict("sealed", "what lies under seal can be looked back at when it has been opened")
        try:
            return self._past.state_at(entry)
        except RulesChangedError as problem:
            raise conflict("rules_changed", str(problem)) from problem

    def log(self, seat: str | None, start: int) -> list[LogEntry]:
        """The log from ply ``start`` on."""
        seat = self._seat(seat)
        sight = self._sight(seat)
        start = min(start, sight.count)
        return log_of(sight, seat, start, min(start + LOG_PAGE, sight.count))

    def query(self, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a read-only question about the position; ``asides`` are for the letter that is being written."""
        seat = self._seat(seat)
        if kind == "asides":
            game, state = self.session.game, self.session.state
            asides = game.asides(state, seat) if decides(self.correspondent) and game.to_move(state) == seat else ()
            offered: Asides = {"options": options_json(game, state, asides)}
            return offered
        return asked_of(self.session, seat, kind, args, lambda: None)

    def order(self, seat: str, version: int, line: str) -> BoardView:
        """Give an order for the next letter; the answer is the view."""
        known = self._require(seat, version)
        try:
            self.correspondent.order(line)
        except IllegalAction as problem:
            raise ApiError(422, "illegal", problem.reason, rule=problem.rule, view=self.view(seat)) from problem
        except NotationError as problem:
            raise ApiError(422, "bad_notation", str(problem), rule=problem.rule, view=self.view(seat)) from problem
        except MailError as problem:
            raise conflict("letter", str(problem), self.view(seat)) from problem
        self._changed()
        return self.view(seat, known)

    def undo(self, seat: str, version: int, to: int | None) -> BoardView:
        """Take orders back that are in no letter yet: the last one, or all after a ply."""
        self._require(seat, version)
        try:
            self.correspondent.undo()
        except MailError as problem:
            raise conflict("no_undo", str(problem), self.view(seat)) from problem
        self._session = None
        with suppress(MailError):  # an order for which dice have fallen stays, and all before it
            while to is not None and self.correspondent.draft and self._sight(seat).count > to:
                self.correspondent.undo()
                self._session = None
        self._changed()
        return self.view(seat)

    def _require(self, seat: str, version: int) -> int:
        """Refuse what was asked on an old view; the ply of the present one."""
        self._seat(seat)
        if version != self.version:
            raise conflict("stale", "the match has moved on since you last looked", self.view(seat))
        return self._sight(seat).count
