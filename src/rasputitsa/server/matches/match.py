"""One match: its session, rebuilt from the journal, and every change to it, committed before it shows.

Nothing here waits or runs in parallel; ``rooms`` lets one caller at a time in.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rasputitsa.ai.memory import Memory, answered, own_seed
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction, NotationError, RasputitsaError, RulesChangedError
from rasputitsa.core.game import Decision
from rasputitsa.core.record import CHANGED, REMARKS, RESTORED
from rasputitsa.core.seeds import Source
from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.guiding import guide_json
from rasputitsa.server.matches.match_dice import Branch
from rasputitsa.server.matches.memories import Memories, Notes
from rasputitsa.server.matches.orders import Line, Orders, Read, stored_line
from rasputitsa.server.matches.rebuilding import complete, encode, header_of, open_session, pack, read_whole, rows_of
from rasputitsa.server.matches.seating import Controller, key_fits
from rasputitsa.server.matches.sight import News, Sight
from rasputitsa.server.matches.views import (
    controllers_json,
    decision_json,
    events_of,
    log_of,
    observed,
    option_json,
    summary_of,
)
from rasputitsa.server.store import (
    DuplicateRequestError,
    JournalRow,
    Request,
    SeatRow,
    SnapshotRow,
    StaleVersionError,
    Store,
)

log = logging.getLogger(__name__)

IN_MEMORY = 64
"""How many of the last entries a match has at hand; it reads older ones when they are asked for."""

WEIGHT, WEIGHT_OF_ENTRY = 60_000, 5_000
"""Bytes that a match takes, and each entry it has at hand: measured, and rounded up."""


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
    data: str = ""
    """The version of the data the match is played with; empty for those of today."""
    entry: int = 0
    """How many entries the record has."""
    seed: int = 0
    """Of the player's own dice."""
    memory: Memory | None = None
    """What the seat remembers of the game."""
    notes: tuple[Mapping[str, Any], tuple[Action, ...]] | None = None
    """The plan in hand, and the answers given since: for a player who does not know it."""
    hidden: dict[str | None, int] = field(default_factory=dict)
    """Seats and onlookers (None) who are not told what is decided, with the versions they have."""


class LookBackError(Exception):
    """A request is repeated of which only a look into the past tells the answer."""


class Match:
    """A match in memory. After any failed write the memory is dropped and read anew from the store."""

    def __init__(self, store: Store, match_id: int) -> None:
        self.id = match_id
        self._store = store
        self._consents: dict[str, int] = {}
        self._reload()

    def _reload(self) -> None:
        self.memories = Memories(self._store, self.id)
        row = self._store.match(self.id)
        self.title = row.title
        self._entries = row.entries
        self.seats: dict[str, SeatRow] = self._store.seats(self.id)
        self._stale = False
        self._shown: dict[str | None, tuple[tuple[object, ...], dict[str, Any]]] = {}
        if not self._store.has_positions(self.id):
            complete(self._store, self.id)
            row = self._store.match(self.id)
        self._header = header_of(row)
        self.session, changed = open_session(self._store, self.id, self._header)
        changes = int(row.summary.get("changes", row.entries))
        with read_whole(self.id):
            self._news = News(self.session, self.seats, changes, self._orders_before(row.entries))
        if changed:
            self._go_on()

    def _orders_before(self, entries: int) -> Read:
        """How to read the orders of the game as it stood when the journal had so many entries."""

        def read(end: int) -> list[Line]:
            with read_whole(self.id):
                return [stored_line(*line) for line in self._store.orders(self.id, end, entries)]

        return read

    def _go_on(self) -> None:
        """Go on under the rules of today from the position the match stands at; the log tells it."""
        snapshot = self.session.snapshot()
        self.session.resume(snapshot.state, snapshot.after)
        seat = next(iter(self.seats))
        self._commit(seat, self.version(seat), rows_of(self.session, self.session.version - 1))

    def mark(self) -> tuple[object, ...]:
        """Equal as long as nothing has changed."""
        return self.session, self.session.version, self.entries, dict(self._consents), self.seats

    def refresh(self) -> None:
        """Read the match anew if a write failed since."""
        if self._stale:
            self._reload()
        if lines := self._settled():
            self._commit(lines[0].seat, self.version(lines[0].seat), lines)

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
        return WEIGHT + WEIGHT_OF_ENTRY * min(self.session.version, IN_MEMORY)

    def version(self, seat: str | None) -> int:
        """The version a seat acts on; it rises with what the seat may know of alone."""
        return self.seats[seat].version if seat in self.seats else self._news.changes

    def sight(self, seat: str | None) -> Sight:
        """What a seat is told of the entries."""
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

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """What is changed in the block, here and in the store, is on disk together after it, or not at all."""
        before = self.entries, self.seats
        try:
            with self._store.together():
                yield
        except BaseException:
            self._stale = self._stale or before != (self.entries, self.seats)
            raise

    def reseat(self) -> None:
        """Read anew who holds the seats; what somebody else in a seat agreed to take back is void."""
        before = {seat: row.holder for seat, row in self.seats.items()}
        self.seats = self._store.seats(self.id)
        if before != {seat: row.holder for seat, row in self.seats.items()}:
            self._consents.clear()

    # -- reading -----------------------------------------------------------------------------------

    def view(self, seat: str | None, since: int | None = None) -> dict[str, Any]:
        """The match now, as a seat may see it, with what happened after ply ``since``."""
        return {**self.shown(seat), "last_events": self.events(seat, since)}

    def shown(self, seat: str | None) -> dict[str, Any]:
        """The view without what has happened; the same object as long as nothing changes, and not to be changed."""
        sight, now = self._news.sight(seat), self._mark_of(seat)
        known, view = self._shown.get(seat, ((), {}))
        if known != now:
            view = self._show(sight, seat, self.version(seat))
            self._shown[seat] = now, view
        return view

    def _mark_of(self, seat: str | None) -> tuple[object, ...]:
        """Equal as long as nothing has changed that a seat sees.

        Orders that are kept from it make no difference, so that the time an answer takes does not tell whether
        there were any.
        """
        told = self.session, self.version(seat), dict(self._consents), dict(self.session.controllers)
        hidden = self._news.sight(seat).hides(self.session.decision())
        return (*told, () if hidden else (self.session.version, self.entries, self.seats))

    def events(self, seat: str | None, since: int | None = None) -> list[dict[str, Any]]:
        """What happened after ply ``since``, as a seat may know it; no more than the latest."""
        return events_of(self._news.sight(seat), seat, since)

    def _show(self, sight: Sight, seat: str | None, version: int) -> dict[str, Any]:
        session, decision = sight.session, sight.session.decision()
        outcome = session.game.outcome(session.state)
        decider = self._decider(seat)
        undo_floor = None if decider is None else session.undo_floor(decider)
        return {
            **observed(session, session.state, seat),
            **self._frame(sight, seat, version),
            "ply": sight.count,
            "decision": decision_json(
                session.game, session.state, decision, self._decider(seat), sight.hides(decision)
            ),
            "outcome": outcome._asdict() if outcome else None,
            "can_undo": undo_floor is not None,
            "undo_to": None if undo_floor is None else sight.ply_at(undo_floor),
            "undo_offers": self.offers(seat) if session is self.session else {},
            "guide": guide_json(session, seat),
        }

    def _decider(self, seat: str | None) -> str | None:
        """The seat, if a person decides in it: whoever watches a bot play has nothing to decide."""
        return seat if seat in self.seats and self.controller(seat).kind == "human" else None

    def view_at(self, seat: str | None, at: int) -> dict[str, Any]:
        """The match at a former ply of a seat; nothing can be done there, and once it is over all is laid open."""
        session = self.session
        game, sight = session.game, self._news.sight(seat)
        try:
            state = session.state_at(self._entry_at(seat, at))
        except RulesChangedError as problem:
            raise conflict("rules_changed", str(problem)) from problem
        decision = game.decision(state)
        shown = decision_json(game, state, decision, None, sight.hides(decision))
        outcome = game.outcome(state)
        return {
            **observed(session, state, seat),
            **self._frame(sight, seat, self.version(seat)),
            "ply": sight.count,
            "at": at,
            "last_events": log_of(sight, seat, at - 1, at) if at else [],
            "decision": shown,
            "outcome": outcome._asdict() if outcome else None,
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

    def _frame(self, sight: Sight, seat: str | None, version: int) -> dict[str, Any]:
        session = sight.session
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
            "data": session.header.data,
            "rules_changed": sight.ply_at(session.floor) or None,
            "dice": match_dice.dice_json(session, sight.ply_at),
        }

    def log(self, seat: str | None, start: int, limit: int = 2000) -> list[dict[str, Any]]:
        """The log from ply ``start`` on."""
        sight = self._news.sight(seat)
        start = min(max(start, 0), sight.count)
        return log_of(sight, seat, start, min(start + limit, sight.count))

    def query(self, seat: str | None, kind: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a read-only question about the position; ``asides`` is one of every game."""
        game, state = self.session.game, self.session.state
        if kind == "asides":
            return {"options": [option_json(game, state, a) for a in game.asides(state, seat)] if seat else []}
        try:
            return answered(game, state, seat, kind, args, lambda: self._memory_of(seat, kind))
        except IllegalAction as problem:
            raise ApiError(422, "illegal", problem.reason, rule=problem.rule) from problem
        except (RasputitsaError, ValueError, KeyError) as problem:
            raise ApiError(422, "bad_question", str(problem)) from problem

    def _memory_of(self, seat: str | None, kind: str) -> Memory | None:
        return self.memories.of(self.session, seat, kind) if seat else None

    def export(self) -> str:
        """The saved game; while several people play, without what would foretell the dice."""
        with read_whole(self.id):
            return self.session.save(sealed=self.hides_seed)

    def bot_turn(self) -> BotTurn | None:
        """The decision a bot has to make now, if it is a bot's."""
        decision = self.session.decision()
        if decision is None or self.controller(decision.seat).kind != "bot" or self._source.awaits:
            return None
        session, bot = self.session, self.controller(decision.seat).name
        return BotTurn(
            entry=session.version,
            seed=own_seed(self._source.key if self._source.key is not None else self.id, decision.seat),
            memory=self.memories.of(session, decision.seat, decision.kind),
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

    # -- changing ----------------------------------------------------------------------------------

    def act(
        self,
        seat: str,
        version: int,
        text: str,
        request: Request | None = None,
        *,
        bot: bool = False,
        past: bool = True,
    ) -> dict[str, Any]:
        """Play one line of notation for a seat, whole or not at all; the answer is the new view.

        A request accepted before gets the answer it got then. Where the match has gone on since, that takes as long as
        a whole game can; without ``past`` it raises ``LookBackError`` instead.
        """
        if version != self.version(seat):  # an accepted request has raised the version
            if request is not None and (answer := self._answered(request, past)) is not None:
                return answer
            self._require_version(seat, version)
        if bot != (self.controller(seat).kind == "bot"):
            raise conflict("not_your_seat", f"{seat} is played by {self.controller(seat)}", self.view(seat))
        before, known = self.session.version, self._news.sight(seat).count
        try:
            played = self.session.play(text, seat)
        except IllegalAction as problem:
            raise self._refusal(seat, problem) from problem
        except NotationError as problem:
            refused = self.view(seat)
            raise ApiError(422, "bad_notation", str(problem), rule=problem.rule, view=refused) from problem
        if not played:
            raise bad_request("the action is empty")
        lines = rows_of(self.session, before)
        try:
            self._commit(seat, version, lines, request, known)
        except DuplicateRequestError:
            assert request is not None
            self._reload()
            answer = self._answered(request, past)
            assert answer is not None
            return answer
        return self.view(seat, known)

    def answer(self, turn: BotTurn, action: str, notes: Mapping[str, Any] | None) -> None:
        """Play what a computer player has decided, and keep the plan it has made, if it has."""
        self.act(turn.seat, turn.version, action, bot=True)
        if notes is not None:
            self.memories.note(turn.seat, Notes(turn.bot, turn.entry + 1, notes))

    def undo(self, seat: str, version: int, to: int | None = None) -> dict[str, Any]:
        """Take back this seat's own last steps, or agree to go back to ply ``to``.

        Beyond the last die or change of seat it happens once all have asked for it.
        """
        self._require_version(seat, version)
        target = self._target(seat, to)
        if target is None:
            raise conflict("no_undo", "there is nothing to take back", self.view(seat))
        if target < self.session.floor:
            raise conflict("rules_changed", CHANGED, self.view(seat))
        if not self._freely_undone(seat, target):
            if to is None:
                raise conflict(
                    "no_undo",
                    "nothing can be taken back beyond the last die roll, reveal or change of seat",
                    self.view(seat),
                )
            self._consents[seat] = target
            if not self._all_agree(target):
                return self.view(seat)
        self._commit(seat, version, self._rewind(seat, target))
        return self.view(seat)

    def _all_agree(self, target: int) -> bool:
        """Whether every seat a person plays has asked for it, and everybody whose seats the computer plays for him."""
        agreed = {seat for seat, ply in self._consents.items() if ply == target}
        playing = self.human_seats()
        away = {row.holder for row in self.seats.values()} - {self.seats[seat].holder for seat in playing} - {""}
        return agreed >= set(playing) and {self.seats[seat].holder for seat in agreed} >= away

    def _target(self, seat: str, to: int | None) -> int | None:
        """The entry to go back to: what the others have offered, if the seat calls it by that ply."""
        sight = self._news.sight(seat)
        if not sight.count:
            return None
        if to is None:
            return self.session.version - 1
        offered = [entry for other, entry in self._consents.items() if other != seat and sight.ply_at(entry) == to]
        if offered:
            return offered[0]
        return sight.entry_at(to) if 0 <= to < sight.count else None

    def _rewind(self, seat: str, target: int) -> list[JournalRow]:
        """Go back to entry ``target``, but leave the seats with whoever plays them now."""
        players = dict(self.session.controllers)
        remarks = [entry for entry in self.session.entries[target:] if entry.action in REMARKS]
        cast = self.session.decision() is None or any(entry.dice for entry in self.session.entries[target:])
        onward = match_dice.onward(self.session) if cast and self._several else None
        self._news.rewind(target)
        self.memories.rewound(target)
        self.session.rewind(target, onward)
        lines = [JournalRow(seat, encode({"undo": target}))]
        if onward is not None:
            lines.append(self._dice_row(seat))
        for other, player in players.items():
            if self.session.controllers.get(other, str(Controller())) != player:
                self.session.set_controller(other, player)
        for remark in remarks:
            self.session.remark(remark.seat, remark.action)
        return lines + rows_of(self.session, target)

    def set_controller(self, seat: str, controller: Controller) -> dict[str, Any]:
        """Hand a seat to another player; the change goes on record."""
        lines = []
        if self.controller(seat) != controller:
            self.session.set_controller(seat, str(controller))
            lines = rows_of(self.session, self.session.version - 1)
        if lines := lines + self._settled():
            self._commit(seat, self.version(seat), lines)
        return self.view(seat)

    def remark(self, seat: str, text: str) -> None:
        """Put something that a person has done in the room on record."""
        self.session.remark(seat, text)
        self._commit(seat, self.version(seat), rows_of(self.session, self.session.version - 1))

    @property
    def _source(self) -> Source:
        return self.session.header.sources[-1]

    def take_share(self, seat: str, share: str | None = None, promised: str = "") -> None:
        """Let what a person adds to the dice count from now on; for one who brings nothing, the server draws it."""
        if self.session.decision() is not None:
            line = self._dice_from(match_dice.joined(self._source, seat, share, promised, self._held()), seat)
            self._commit(seat, self.version(seat), [line])

    def set_back(self) -> None:
        """Draw new dice after a restore: between people, those that fell after the backup are known."""
        if self.hides_seed:
            seat = next(iter(self.seats))
            with self.together():
                line = self._dice_from(match_dice.drawn(self._source.shares, self._source.awaits), seat)
                self._commit(seat, self.version(seat), [line])
                self.remark(seat, RESTORED)

    def _held(self) -> dict[str, str]:
        """Who holds the seats people play; empty for nobody yet."""
        return {seat: row.holder for seat, row in self.seats.items() if self.controller(seat).kind == "human"}

    @property
    def _several(self) -> bool:
        """Whether the dice are between people."""
        held = list(self._held().values())
        return match_dice.between_people(self._source) or len({*held} - {""}) + held.count("") > 1

    @property
    def promise(self) -> str:
        """The digest of a seed between people; empty where such a seed is still to be drawn."""
        return self._source.digest if match_dice.between_people(self._source) else ""

    @property
    def hides_seed(self) -> bool:
        """Whether nobody may have what foretells the dice: several people play, and the game goes on."""
        return self._several and self.session.decision() is not None

    def _settled(self) -> list[JournalRow]:
        """No longer wait for the share of a seat that was taken over, or whose player could not leave his."""
        source = match_dice.settled(self._source, self._held())
        return [self._dice_from(source, next(iter(self.seats)))] if source != self._source else []

    def _dice_from(self, source: Source, seat: str) -> JournalRow:
        self.session.take_dice_from(source)
        return self._dice_row(seat)

    def _dice_row(self, seat: str) -> JournalRow:
        return JournalRow(seat, encode({"dice": self._source.to_json()}))

    def branch(self, seat: str | None, at: int | None) -> Branch:
        """The match up to a ply of a seat, to start a copy from."""
        end = self.session.version if at is None else self._entry_at(seat, at)
        if end < self.session.floor:
            raise conflict("rules_changed", CHANGED)
        session, old = self.session, max(self.session.floor - 1, 0)
        told = list(zip(session.events[:old], session.places[:old], strict=True))
        return Branch(session.header, session.entries[:end], told, self.hides_seed)

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
        news = self._news.of(seat, lines)
        try:
            self._store.append(
                self.id,
                seat=seat,
                version=version,
                lines=lines,
                summary={**summary_of(self.session), "changes": news.changes} if news.public else None,
                over=self.session.decision() is None,
                snapshot=SnapshotRow(self.session.version, pack(self.session.snapshot())),
                request=request,
                answer={"entries": total, "version": self.version(seat) + len(lines), "since": since},
                news=news.versions,
            )
        except StaleVersionError as problem:
            self._reload()
            raise conflict("stale", "the match has moved on", self.view(seat)) from problem
        self._entries = total
        self.session.forget(IN_MEMORY)
        self._news.told(news)
        kept = {} if news.public else {who: to for who, to in self._consents.items() if to < self.session.version}
        self._consents = kept
        self.seats = {name: replace(row, version=row.version + news.versions[name]) for name, row in self.seats.items()}
        self._stale = False

    def _answered(self, request: Request, past: bool = True) -> dict[str, Any] | None:
        """The answer a request got when it was accepted: the view as of then."""
        row = self._store.request(self.id, request.seat, request.request_id)
        if row is None:
            return None
        if row.digest != request.digest:
            raise conflict("request_reused", "this request id was used for another action before")
        sight = self._news.sight(request.seat)
        if row.answer["entries"] != self.entries:
            if not past:
                raise LookBackError
            session, _ = open_session(self._store, self.id, self._header, row.answer["entries"])
            sight = Sight(Orders(session, self._orders_before(row.answer["entries"])), request.seat)
        events = events_of(sight, request.seat, row.answer["since"])
        return {**self._show(sight, request.seat, row.answer["version"]), "last_events": events}


def digest_of(*parts: object) -> str:
    """A short fingerprint of a request's content."""
    return hashlib.sha256(encode(parts).encode()).hexdigest()
