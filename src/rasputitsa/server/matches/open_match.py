"""A match in memory as its seats see it: read from the journal, shown, asked about, and never changed here."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.memory import Memory, own_seed
from rasputitsa.core.errors import RasputitsaError, RulesChangedError
from rasputitsa.core.game import Decision
from rasputitsa.core.record.seeds import Source
from rasputitsa.core.registry import get_game
from rasputitsa.core.shapes import outcome as outcome_json
from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.guiding import guide_json
from rasputitsa.server.matches.memories import Memories
from rasputitsa.server.matches.orders import Line, Read, stored_line
from rasputitsa.server.matches.policies import answers_for
from rasputitsa.server.matches.rebuilding import StoredPast, complete, header_of, open_session, read_whole
from rasputitsa.server.matches.seating import Controller, key_fits
from rasputitsa.server.matches.views import (
    LOG_PAGE,
    asked_of,
    controllers_json,
    decision_json,
    events_of,
    log_of,
    observed,
    options_json,
)
from rasputitsa.server.matches.visibility import News, Sight
from rasputitsa.server.shapes.lists import Asides
from rasputitsa.server.shapes.views import BoardView, Frame, LogEntry, ShownBoard
from rasputitsa.server.store import (
    SeatRow,
    Seen,
    Store,
)
from rasputitsa.server.workers.bot_turn import BotTurn

log = logging.getLogger(__name__)

IN_MEMORY = 40
"""How many of the last entries a match has at hand; it reads older ones when they are asked for."""

PART = 500
"""How many entries are taken in at a time where the memories of the seats are made up, a tenth of a second."""

WEIGHT, WEIGHT_OF_ENTRY = 60_000, 1_200
"""Bytes that a match takes, and each entry it has at hand: measured, and rounded up."""


class OpenMatch:
    """A match read from the store, and what its seats are shown of it."""

    def __init__(self, store: Store, match_id: int, seen: Seen | None = None) -> None:
        """``seen``: as onlookers see it; by default as it stands."""
        self.id = match_id
        self._store = store
        self.seen = seen
        self._consents: dict[str, int] = {}
        self._interruptions: dict[str, int] = {}
        """How often others have come in between since a seat that is asked has answered last."""
        self._reload()

    def _reload(self) -> None:
        self.memories = Memories(self._store, self.id)
        row = self._store.match(self.id)
        self.behind = self._store.behind(self.id)
        """By how much onlookers are behind the players."""
        self.title = row.title
        self._entries = row.entries if self.seen is None else self.seen.entries
        self.seats: dict[str, SeatRow] = self._store.seats(self.id)
        self.standing = self._store.standing(self.id)
        self.paused = self._store.is_paused(self.id)
        """Whether the teacher of a class has stopped it for a while."""
        self.left_to: tuple[str, int] | None = None
        """The seat whose standing order could not answer, and how many entries there were: its player decides."""
        self._stale = False
        self._shown: dict[str | None, tuple[tuple[object, ...], ShownBoard]] = {}
        self._answered_so: dict[str, frozenset[int]] = {}
        if not self._store.has_positions(self.id):
            complete(self._store, self.id)
            row = self._store.match(self.id)
        self._header = header_of(row)
        upto, changes = (None, row.changes) if self.seen is None else (self.seen.entries, self.seen.changes)
        self._past = StoredPast(self._store, self.id, get_game(self._header.game), upto)
        self.session, self._rules_changed = open_session(self._store, self.id, self._header, upto, self._past)
        with read_whole(self.id):
            self._news = News(self.session, self.seats, changes, self._orders_before(self._entries))

    def _orders_before(self, entries: int) -> Read:
        """How to read the orders of the game as it stood when the journal had this many entries."""

        def read(end: int) -> list[Line]:
            with read_whole(self.id):
                return [stored_line(*line) for line in self._store.orders(self.id, end, entries)]

        return read

    def was_noted(self, seat: str, remark: str) -> bool:
        """Whether a remark is on record of a seat in the present turn of the game."""
        turn, _ = self.session.game.turn_and_phase(self.session.state)
        return (seat, remark, turn) in self._orders_before(self._entries)(self.session.version)

    def mark(self) -> tuple[object, ...]:
        """Equal as long as nothing has changed."""
        told = self.session, self.session.version, self.entries, dict(self._consents), self.seats
        return *told, self.standing, self.left_to

    def offers(self, seat: str | None) -> dict[str, int]:
        """The plies seats have offered to go back to, as a seat counts them."""
        sight = self._news.sight(seat)
        return {other: sight.ply_at(entry) for other, entry in self._consents.items()}

    @property
    def entries(self) -> int:
        """How many entries the journal has; it only ever grows."""
        return self._entries

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return WEIGHT + WEIGHT_OF_ENTRY * min(self.session.version, IN_MEMORY) + self.memories.weight()

    def version(self, seat: str | None) -> int:
        """The version a seat acts on; it rises with what the seat may know of alone."""
        return self.seats[seat].version if seat in self.seats else self._news.changes

    def sight(self, seat: str | None) -> Sight:
        """What a seat sees of the entries."""
        return self._news.sight(seat)

    def controller(self, seat: str) -> Controller:
        """Who plays a seat."""
        return Controller.of(self.session, seat)

    def human_seats(self) -> list[str]:
        """The seats people play."""
        return [seat for seat in self.seats if self.controller(seat).kind == "human"]

    def require_key(self, seat: str, key: str) -> None:
        """Refuse a caller whose key does not open the seat."""
        if not key_fits(self.seats, seat, key):
            raise forbidden("bad_key", "this key does not open this seat")

    def view(self, seat: str | None, since: int | None = None) -> BoardView:
        """The match now, as a seat may see it, with what happened after ply ``since``."""
        return {**self.shown(seat), "last_events": self.events(seat, since)}

    def shown(self, seat: str | None) -> ShownBoard:
        """The view without what has happened; the same object as long as nothing changes, and not to be changed."""
        sight, now = self._news.sight(seat), self._mark_of(seat)
        kept = self._shown.get(seat)
        if kept is None or kept[0] != now:
            kept = self._shown[seat] = now, self._show(sight, seat, self.version(seat))
        return kept[1]

    def _mark_of(self, seat: str | None) -> tuple[object, ...]:
        """Equal as long as nothing has changed that a seat sees.

        Orders that are kept from it make no difference, so that the time an answer takes does not tell whether
        there were any.
        """
        told = self.session, self.version(seat), dict(self._consents), dict(self.session.controllers)
        hidden = self._news.sight(seat).hides(self.session.decision())
        own = self.standing.get(seat or ""), self.left_to
        return (*told, () if hidden else (self.session.version, self.entries, self.seats, *own))

    def events(self, seat: str | None, since: int | None = None) -> list[LogEntry]:
        """What happened after ply ``since``, as a seat may know it; no more than the latest."""
        return events_of(self._news.sight(seat), seat, since, self._given(seat))

    def _given(self, seat: str | None) -> frozenset[int]:
        """The entries that standing orders of a seat have given, which nobody else sees."""
        if seat is None:
            return frozenset()
        if seat not in self._answered_so:
            self._answered_so[seat] = self._store.standing_answers(self.id, seat)
        return self._answered_so[seat]

    def _show(self, sight: Sight, seat: str | None, version: int) -> ShownBoard:
        session, decision = sight.session, sight.session.decision()
        outcome = session.outcome()
        decider = self._decider(seat)
        undo_floor = None if decider is None else session.undo_floor(decider)
        asked = decision is not None and decision.seat == decider
        answered = asked and decision is not None and answers_for(self, decision)
        return {
            **observed(session, session.state, seat),
            **self._frame(sight, seat, version),
            "ply": sight.count,
            "decision": decision_json(
                session.game, session.state, decision, decider, sight.hides(decision), answered=answered
            ),
            "outcome": outcome_json(outcome),
            "can_undo": undo_floor is not None,
            "undo_to": None if undo_floor is None else sight.ply_at(undo_floor),
            "undo_offers": self.offers(seat) if session is self.session else {},
            "guide": guide_json(session, seat),
        }

    def _decider(self, seat: str | None) -> str | None:
        """The seat, if a person decides in it: one who watches a bot play has nothing to decide."""
        return seat if seat in self.seats and self.controller(seat).kind == "human" else None

    def view_at(self, seat: str | None, at: int) -> BoardView:
        """The match at a former ply of a seat; nothing can be done there, and once it is over all is revealed."""
        session = self.session
        game, sight = session.game, self._news.sight(seat)
        entry = self._entry_at(seat, at)
        ended = session.ending is not None and entry > session.ending.number
        try:
            state = session.state_at(entry)
        except RulesChangedError as problem:
            raise conflict("rules_changed", str(problem)) from problem
        decision = None if ended else game.decision(state)
        shown = decision_json(game, state, decision, None, sight.hides(decision))
        outcome = session.outcome() if ended else game.outcome(state)
        return {
            **observed(session, state, seat),
            **self._frame(sight, seat, self.version(seat)),
            "ply": sight.count,
            "at": at,
            "last_events": log_of(sight, seat, at - 1, at, self._given(seat)) if at else [],
            "decision": shown,
            "outcome": outcome_json(outcome),
            "can_undo": False,
            "undo_to": None,
            "undo_offers": {},
            "guide": None,
        }

    def _entry_at(self, seat: str | None, ply: int) -> int:
        sight = self._news.sight(seat)
        if not 0 <= ply <= sight.count:
            raise bad_request(f"this match has {sight.count} entries; {ply} is not among them")
        return sight.entry_at(ply)

    def _frame(self, sight: Sight, seat: str | None, version: int) -> Frame:
        session = sight.session
        frame: Frame = {
            "match": str(self.id),
            "game": session.header.game,
            "scenario": session.header.scenario,
            "options": session.header.options,
            "lesson": session.header.lesson,
            "title": self.title,
            "version": version,
            "seat": seat,
            "controllers": controllers_json(session),
            "data": session.header.data,
            "rules_changed": sight.ply_at(session.floor) or None,
            "dice": match_dice.dice_json(session, sight.ply_at),
        }
        if self.behind is not None:
            frame["behind"] = self.behind
        return frame

    def log(self, seat: str | None, start: int) -> list[LogEntry]:
        """The log from ply ``start`` on."""
        sight = self._news.sight(seat)
        start = min(max(start, 0), sight.count)
        return log_of(sight, seat, start, min(start + LOG_PAGE, sight.count), self._given(seat))

    def query(self, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a read-only question about the position; ``asides`` is one of every game."""
        game, state = self.session.game, self.session.state
        if kind == "asides":
            asides = game.asides(state, seat) if seat and not self.session.ending else ()
            offered: Asides = {"options": options_json(game, state, asides)}
            return offered
        return asked_of(self.session, seat, kind, args, lambda: self.memory_of(seat))

    def memory_of(self, seat: str | None) -> Memory | None:
        """What a seat remembers now; onlookers remember nothing."""
        return self.memories.of(self.session, seat) if seat else None

    def remember(self) -> bool:
        """Bring what the seats remember some way up to date, be it only after a start; whether that was all.

        What cannot be read of the past is left for who asks.
        """
        if self.session.decision() is None:
            return True
        try:
            with read_whole(self.id):
                return self.memories.catch_up(self.session, PART)
        except (ApiError, RasputitsaError) as problem:
            log.warning("match %d: what its seats remember cannot be made up: %s", self.id, problem)
            return True

    def export(self) -> str:
        """The saved game; while several people play, without what would foretell the dice."""
        with read_whole(self.id):
            return self.session.save(sealed=self.hides_seed)

    def bot_turn(self) -> BotTurn | None:
        """The decision a bot has to make now, if it is a bot's."""
        decision = self.session.decision()
        if decision is None or self.controller(decision.seat).kind != "bot" or self.waits_for_dice:
            return None
        return self.turn_of(decision, self.controller(decision.seat).name)

    def turn_of(self, decision: Decision, bot: str, *, standing: bool = False) -> BotTurn:
        """The decision that is to be made, for a computer player."""
        session = self.session
        return BotTurn(
            standing=standing,
            entry=session.version,
            seed=own_seed(self._source.key if self._source.key is not None else self.id, decision.seat),
            memory=self.memory_of(decision.seat),
            notes=self.memories.notes_of(session, decision.seat, bot),
            match_id=self.id,
            version=self.version(decision.seat),
            game=session.header.game,
            data=session.header.data,
            options=session.header.options,
            seat=decision.seat,
            bot=bot,
            state=session.game.view_of(session.state, decision.seat),
            decision=decision._replace(options=tuple(decision.options)),
            hidden={
                viewer: self.version(viewer)
                for viewer in (*self.seats, None)
                if self._news.sight(viewer).hides(decision)
            },
        )

    @property
    def waits_for_dice(self) -> bool:
        """Whether nobody can play on before somebody has added to the dice."""
        return bool(self._source.awaits)

    @property
    def _source(self) -> Source:
        return self.session.header.sources[-1]

    def _held(self) -> dict[str, str]:
        """Who holds the seats people play; empty for nobody yet."""
        return {seat: row.holder for seat, row in self.seats.items() if self.controller(seat).kind == "human"}

    @property
    def _several(self) -> bool:
        """Whether the dice are between people."""
        held = list(self._held().values())
        return match_dice.between_people(self._source) or len({*held} - {""}) + held.count("") > 1

    @property
    def commitment(self) -> str:
        """The digest of a seed between people; empty where such a seed is still to be drawn."""
        return self._source.digest if match_dice.between_people(self._source) else ""

    @property
    def hides_seed(self) -> bool:
        """Whether nobody may have what foretells the dice: several people play, and the game goes on."""
        return self._several and self.session.decision() is not None
