"""One match: its session, rebuilt from the journal, and every change to it, committed before it shows.

Nothing here waits or runs in parallel; ``tables`` lets one caller at a time in.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import IllegalAction, NotationError, RasputitsaError, SaveError
from rasputitsa.core.game import Decision
from rasputitsa.core.record import Entry, Header, Session
from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.seating import Controller, key_fits
from rasputitsa.server.store import (
    DuplicateRequestError,
    JournalRow,
    Request,
    SeatRow,
    StaleVersionError,
    Store,
)
from rasputitsa.server.views import (
    Place,
    controllers_json,
    decision_json,
    dice_json,
    log_item,
    summary_of,
)

log = logging.getLogger(__name__)

RECENT = 40
"""How many log items a view carries when the viewer has not said what it saw last."""


class BrokenMatchError(ApiError):
    """A stored match that the rules of today cannot replay; it can still be saved and deleted."""

    def __init__(self, problem: SaveError) -> None:
        super().__init__(500, "broken_match", f"this match cannot be replayed: {problem}")


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A decision a bot has to make, with no more than its seat may know."""

    match_id: int
    version: int
    game: str
    options: dict[str, str]
    seat: str
    bot: str
    state: Any
    decision: Decision


class Match:
    """A match in memory. After any failed write the memory is dropped and read anew from the store."""

    def __init__(self, store: Store, match_id: int, session: Session | None = None) -> None:
        """With the session that was just kept as this match, its journal is not played back once more."""
        self.id = match_id
        self._store = store
        self._consents: dict[str, int] = {}
        self._reload(session)

    def _reload(self, session: Session | None = None) -> None:
        row = self._store.match(self.id)
        self.title = row.title
        self._header = Header.from_json(json.loads(row.header))
        self._journal = self._store.journal(self.id)
        self.seats: dict[str, SeatRow] = self._store.seats(self.id)
        self.session = session or session_of(self._header, self._journal)
        self._places: dict[int, Place] = {}
        self._stale = False

    def refresh(self) -> None:
        """Read the match anew if a write failed since."""
        if self._stale:
            self._reload()

    @property
    def offers(self) -> dict[str, int]:
        """The plies seats have offered to go back to."""
        return dict(self._consents)

    @property
    def entries(self) -> int:
        """How many entries the journal has; it only ever grows."""
        return len(self._journal)

    def version(self, seat: str | None) -> int:
        """The version a seat acts on."""
        return self.seats[seat].version if seat in self.seats else self.entries

    def controller(self, seat: str) -> Controller:
        """Who plays a seat."""
        return Controller.from_text(self.session.controllers.get(seat, "human"))

    def human_seats(self) -> list[str]:
        """The seats people play."""
        return [seat for seat in self.seats if self.controller(seat).kind == "human"]

    def require_key(self, seat: str, key: str) -> None:
        """Refuse a caller whose key does not open the seat."""
        if not key_fits(self.seats, seat, key):
            raise forbidden("bad_key", "this key does not open this seat")

    def holds_table(self, keys: Mapping[str, str]) -> bool:
        """Whether the keys show everything there is to see: all seats people play, or the game is over."""
        opened = {seat for seat, key in keys.items() if key_fits(self.seats, seat, key)}
        over = self.session.decision() is None
        return bool(opened) and (over or opened >= set(self.human_seats()))

    # -- reading -----------------------------------------------------------------------------------

    def view(self, seat: str | None, since: int | None = None) -> dict[str, Any]:
        """The match now, as a seat may see it, with what happened after ply ``since``."""
        return self._view(self.session, seat, self.version(seat), since)

    def _view(self, session: Session, seat: str | None, version: int, since: int | None) -> dict[str, Any]:
        start = max(session.version - RECENT, 0 if since is None else min(since, session.version))
        outcome = session.game.outcome(session.state)
        return {
            **_observed(session, session.state, seat),
            **self._frame(session, seat, version),
            "ply": session.version,
            "last_events": self._log(session, seat, start),
            "decision": decision_json(session.game, session.state, session.decision(), self._decider(seat)),
            "outcome": outcome._asdict() if outcome else None,
            "can_undo": self._decider(seat) is not None and session.can_undo(seat),
            "undo_offers": self.offers if session is self.session else {},
        }

    def _decider(self, seat: str | None) -> str | None:
        """The seat, if a person decides in it: whoever watches a bot play has nothing to decide."""
        return seat if seat in self.seats and self.controller(seat).kind == "human" else None

    def view_at(self, seat: str | None, at: int) -> dict[str, Any]:
        """The match after its first ``at`` entries; nothing can be done there, and once it is over all is laid open."""
        session = self.session
        game = session.game
        if not 0 <= at <= session.version:
            raise bad_request(f"this match has {session.version} entries; {at} is not among them")
        state = session.state_at(at)
        shown = decision_json(game, state, game.decision(state), None)
        outcome = game.outcome(state)
        return {
            **_observed(session, state, seat),
            **self._frame(session, seat, self.version(seat)),
            "ply": session.version,
            "at": at,
            "last_events": self._log(session, seat, at - 1, at) if at else [],
            "decision": shown,
            "outcome": outcome._asdict() if outcome else None,
            "can_undo": False,
            "undo_offers": {},
        }

    def _frame(self, session: Session, seat: str | None, version: int) -> dict[str, Any]:
        return {
            "match": str(self.id),
            "game": session.header.game,
            "scenario": session.header.scenario,
            "options": session.header.options,
            "lesson": session.header.lesson,
            "title": self.title,
            "version": version,
            "seat": seat,
            "controllers": controllers_json(session),
            "dice": dice_json(session),
        }

    def log(self, seat: str | None, start: int, limit: int = 2000) -> list[dict[str, Any]]:
        """The log from ply ``start`` on."""
        start = min(max(start, 0), self.session.version)
        return self._log(self.session, seat, start, min(start + limit, self.session.version))

    def _log(self, session: Session, seat: str | None, start: int, end: int | None = None) -> list[dict[str, Any]]:
        end = session.version if end is None else end
        places = self._places_of(session, start, end)
        return [
            log_item(session, ply, session.entries[ply], session.events[ply], seat, places[ply])
            for ply in range(start, end)
        ]

    def _places_of(self, session: Session, start: int, end: int) -> dict[int, Place]:
        """Turn and phase in which each entry was made."""
        places = self._places if session is self.session else {}
        places.update({ply: Place(*told) for ply in range(start, end) if (told := session.places[ply]) is not None})
        missing = [ply for ply in range(start, end) if ply not in places]
        if missing:
            for ply, state in _walk(session, missing[0], missing[-1]):
                if ply not in places:
                    places[ply] = Place.of(session.game.observe(state, None))
        return places

    def query(self, seat: str | None, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a read-only question about the position."""
        try:
            return self.session.game.query(self.session.state, seat, kind, args)
        except IllegalAction as problem:
            raise ApiError(422, "illegal", problem.reason, rule=problem.rule) from problem
        except (RasputitsaError, ValueError, KeyError) as problem:
            raise ApiError(422, "bad_question", str(problem)) from problem

    def export(self) -> str:
        """The saved game."""
        return self.session.save()

    def bot_turn(self) -> BotTurn | None:
        """The decision a bot has to make now, if it is a bot's."""
        decision = self.session.decision()
        if decision is None or self.controller(decision.seat).kind != "bot":
            return None
        session = self.session
        return BotTurn(
            match_id=self.id,
            version=self.version(decision.seat),
            game=session.header.game,
            options=session.header.options,
            seat=decision.seat,
            bot=self.controller(decision.seat).name,
            state=session.game.view_of(session.state, decision.seat),
            decision=decision._replace(options=tuple(decision.options)),
        )

    # -- changing ----------------------------------------------------------------------------------

    def act(
        self, seat: str, version: int, text: str, request: Request | None = None, *, bot: bool = False
    ) -> dict[str, Any]:
        """Play one line of notation for a seat, whole or not at all; the answer is the new view.

        A request accepted before gets the answer it got then.
        """
        if request is not None and (answer := self._answered(request)) is not None:
            return answer
        self._require_version(seat, version)
        if bot != (self.controller(seat).kind == "bot"):
            raise conflict("not_your_seat", f"{seat} is played by {self.controller(seat)}", self.view(seat))
        before = self.session.version
        try:
            played = self.session.play(text, seat)
        except IllegalAction as problem:
            raise self._refusal(seat, problem) from problem
        except NotationError as problem:
            refused = self.view(seat)
            raise ApiError(422, "bad_notation", str(problem), rule=problem.rule, view=refused) from problem
        if not played:
            raise bad_request("the action is empty")
        lines = [JournalRow(entry.seat, encode(entry.to_json())) for entry in played]
        try:
            self._commit(seat, version, lines, request, before)
        except DuplicateRequestError:
            assert request is not None
            self._reload()
            answer = self._answered(request)
            assert answer is not None
            return answer
        return self.view(seat, before)

    def undo(self, seat: str, version: int, to: int | None = None) -> dict[str, Any]:
        """Take back this seat's own last steps, or agree to go back to ply ``to``.

        Beyond the last die or change of seat it happens once every seat a person plays has asked for it.
        """
        self._require_version(seat, version)
        session = self.session
        target = session.version - 1 if to is None else to
        if not 0 <= target < session.version:
            raise conflict("no_undo", "there is nothing to take back", self.view(seat))
        if not self._freely_undone(seat, target):
            if to is None:
                raise conflict(
                    "no_undo",
                    "nothing can be taken back beyond the last die roll, reveal or change of seat",
                    self.view(seat),
                )
            self._consents[seat] = target
            if any(self._consents.get(human) != target for human in self.human_seats()):
                return self.view(seat)
        self._commit(seat, version, self._rewind(seat, target))
        return self.view(seat)

    def _rewind(self, seat: str, target: int) -> list[JournalRow]:
        """Go back to ply ``target``, but leave the seats with whoever plays them now."""
        players = dict(self.session.controllers)
        self.session.rewind(target)
        self._places = {ply: place for ply, place in self._places.items() if ply < target}
        lines = [JournalRow(seat, encode({"undo": target}))]
        for other, player in players.items():
            if self.session.controllers.get(other, str(Controller())) != player:
                entry = self.session.set_controller(other, player)
                lines.append(JournalRow(other, encode(entry.to_json())))
        return lines

    def set_controller(self, seat: str, controller: Controller) -> dict[str, Any]:
        """Hand a seat to another player; the change goes on record."""
        if self.controller(seat) != controller:
            entry = self.session.set_controller(seat, str(controller))
            self._commit(seat, self.version(seat), [JournalRow(seat, encode(entry.to_json()))])
        return self.view(seat)

    def branch(self, at: int | None) -> tuple[Header, list[Entry]]:
        """Header and first ``at`` entries, to start a copy from."""
        at = self.session.version if at is None else at
        if not 0 <= at <= self.session.version:
            raise bad_request(f"this match has {self.session.version} entries; {at} is not among them")
        return self.session.header, self.session.entries[:at]

    def _freely_undone(self, seat: str, target: int) -> bool:
        taken = self.session.entries[target:]
        own = all(e.seat == seat and not e.dice and not e.action.startswith("@") for e in taken)
        return own and self.session.can_undo(seat)

    def _require_version(self, seat: str, version: int) -> None:
        if version != self.version(seat):
            raise conflict("stale", "the match has moved on since you last looked", self.view(seat))

    def _refusal(self, seat: str, problem: IllegalAction) -> ApiError:
        decision = self.session.decision()
        if decision is None:
            return conflict("over", "the game is over", self.view(seat))
        if decision.seat != seat:
            return conflict("not_your_turn", f"it is {decision.seat} who must decide now", self.view(seat))
        return ApiError(422, "illegal", problem.reason, rule=problem.rule, view=self.view(seat))

    def _commit(
        self,
        seat: str,
        version: int,
        lines: Sequence[JournalRow],
        request: Request | None = None,
        since: int = 0,
    ) -> None:
        """Make the change to the session durable; if that fails the session is read anew."""
        self._stale = True
        total = self.entries + len(lines)
        try:
            self._store.append(
                self.id,
                seat=seat,
                version=version,
                lines=lines,
                summary=summary_of(self.session),
                over=self.session.decision() is None,
                request=request,
                answer={"entries": total, "version": self.version(seat) + len(lines), "since": since},
            )
        except StaleVersionError as problem:
            self._reload()
            raise conflict("stale", "the match has moved on", self.view(seat)) from problem
        self._journal.extend(lines)
        self._consents.clear()
        self.seats = {name: SeatRow(name, row.key, row.version + len(lines)) for name, row in self.seats.items()}
        self._stale = False

    def _answered(self, request: Request) -> dict[str, Any] | None:
        """The answer a request got when it was accepted: the view as of then."""
        row = self._store.request(self.id, request.seat, request.request_id)
        if row is None:
            return None
        if row.digest != request.digest:
            raise conflict("request_reused", "this request id was used for another action before")
        session = self.session
        if row.answer["entries"] != self.entries:
            session = session_of(self._header, self._journal[: row.answer["entries"]])
        return self._view(session, request.seat, row.answer["version"], row.answer["since"])


def session_of(header: Header, journal: Sequence[JournalRow]) -> Session:
    """Play a journal back; raises ``BrokenMatchError``."""
    try:
        return Session.from_entries(header, entries_of(journal))
    except SaveError as problem:
        log.error("a stored match cannot be replayed: %s", problem)
        raise BrokenMatchError(problem) from problem


def entries_of(journal: Sequence[JournalRow]) -> list[Entry]:
    """The entries of a journal, everything that was taken back left out."""
    entries: list[Entry] = []
    for row in journal:
        line = json.loads(row.line)
        if "undo" in line:
            del entries[line["undo"] :]
        else:
            entries.append(Entry.from_json(line))
    return entries


def unchecked_save(store: Store, match_id: int) -> str:
    """The saved game of a match as it stands in the journal, for matches that cannot be replayed."""
    entries = entries_of(store.journal(match_id))
    lines = [
        store.match(match_id).header,
        *(encode(entry.to_json()) for entry in entries),
        encode({"end": len(entries)}),
    ]
    return "\n".join(lines) + "\n"


def digest_of(*parts: object) -> str:
    """A short fingerprint of a request's content."""
    return hashlib.sha256(encode(parts).encode()).hexdigest()


def _walk(session: Session, first: int, last: int) -> Iterator[tuple[int, Any]]:
    """The state before each of the entries ``first`` to ``last``; the same object, moved on."""
    state = session.state_at(first)
    for ply in range(first, last + 1):
        yield ply, state
        entry = session.entries[ply]
        if not entry.action.startswith("@"):
            session.game.apply(state, session.game.read(state, entry.action), ScriptedDice(entry.dice))


def _observed(session: Session, state: Any, seat: str | None) -> dict[str, Any]:
    """A position of a match as a seat may see it: whole once the match is over, however far back one looks."""
    game = session.game
    return game.observe(state, seat) if game.outcome(session.state) is None else game.lay_open(state)


def encode(value: object) -> str:
    """Compact JSON, as the journal keeps it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
