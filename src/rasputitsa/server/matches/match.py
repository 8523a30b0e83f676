"""One match: its session, rebuilt from the journal, and every change to it, committed before it shows.

Nothing here waits or runs in parallel; ``rooms`` lets one caller at a time in.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rasputitsa.core.errors import IllegalAction, NotationError
from rasputitsa.core.record.entries import REMARKS, RESTORED
from rasputitsa.core.record.seeds import Source
from rasputitsa.core.record.session import CHANGED
from rasputitsa.server.errors import ApiError, bad_request, conflict, too_many
from rasputitsa.server.limits import Buckets
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.match_dice import Branch
from rasputitsa.server.matches.memories import Notes
from rasputitsa.server.matches.offers import BACK, later_offers, offers_back, topic_back
from rasputitsa.server.matches.onlookers.delayed import Onlookers
from rasputitsa.server.matches.open_match import IN_MEMORY, OpenMatch
from rasputitsa.server.matches.orders import Orders
from rasputitsa.server.matches.rebuilding import encode, open_session, pack, rows_of
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.matches.views import (
    events_of,
    summary_of,
)
from rasputitsa.server.matches.visibility import Sight
from rasputitsa.server.ratings.scoring import score_of
from rasputitsa.server.shapes.views import BoardView
from rasputitsa.server.store import (
    DuplicateRequestError,
    JournalRow,
    Request,
    SnapshotRow,
    StaleVersionError,
    Store,
)
from rasputitsa.server.workers.bot_turn import BotTurn

MOST_INTERRUPTIONS = 12
"""So often others may come in between, where a game lets them, before the player who is asked has answered."""


TABLE_RATE, TABLE_BURST = 0.1, 60.0
"""In a second and at once: what may be put on record of one seat besides orders, which makes others look again."""
HANDS_RATE, HANDS_BURST = 4 / 3600, 12.0
"""In a second and at once: how often one seat may be taken, each time with a share in dice of its own."""


class LookBackError(Exception):
    """A request is repeated of which only a look into the past tells the answer."""


class Match(OpenMatch):
    """A match that can be changed. After any failed write the memory is dropped and read again from the store."""

    def __init__(self, store: Store, match_id: int) -> None:
        self._table, self._hands = Buckets(TABLE_RATE, TABLE_BURST), Buckets(HANDS_RATE, HANDS_BURST)
        super().__init__(store, match_id)

    def seen_by(self, seat: str | None) -> OpenMatch:
        """The match as a seat sees it: as it stands, but for onlookers (None) some time later if that is agreed."""
        return self if seat is not None or self._onlookers is None or self.lies_open else self._onlookers.board()

    @property
    def lies_open(self) -> bool:
        """Whether the game is over, so that everybody sees all of it."""
        return self.session.decision() is None

    @property
    def delays(self) -> bool:
        """Whether onlookers see less now than what is public."""
        return self._onlookers is not None and not self.lies_open

    def until_more_is_seen(self) -> float | None:
        """In how many seconds onlookers see more than now; None for not before something is done."""
        wait = self._store.until_more_is_seen(self.id) if self.delays else None
        return None if wait is None else wait / 1000

    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return super().weight() + (self._onlookers.weight() if self._onlookers else 0)

    def count_at_table(self, seat: str, *, taken: bool = False) -> None:
        """Count what is put on record of a seat besides orders, or that it was taken; raises ``ApiError`` 429."""
        if wait := (self._hands if taken else self._table).take(seat, 1.0, time.monotonic()):
            raise too_many("this seat has changed too often; please wait a while", wait)

    def _reload(self) -> None:
        super()._reload()
        self._onlookers = (
            None if self.behind is None else Onlookers(self._store, self.id, self.behind, over=self.lies_open)
        )
        self._committed = self._store.committed_seeds(self.id)
        kept = offers_back(self._store.agreements(self.id), self._news.changes)
        self._consents = {seat: entry for seat, entry in kept.items() if entry < self.session.version}
        if self._rules_changed:
            self._go_on()
        self.remembers = self.remember()

    def _go_on(self) -> None:
        """Go on under the rules of today from the position the match stands at; the log tells it."""
        snapshot = self.session.snapshot()
        self.session.resume(snapshot.state, snapshot.after)
        seat = next(iter(self.seats))
        self._commit(seat, self.version(seat), rows_of(self.session, self.session.version - 1))

    def refresh(self) -> None:
        """Read the match again if a write failed since."""
        if self._stale:
            self._reload()
        if lines := self._settled():
            self._commit(lines[0].seat, self.version(lines[0].seat), lines)

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
        """Read again who holds the seats; what somebody else in a seat agreed to take back is void."""
        before = {seat: row.holder for seat, row in self.seats.items()}
        self.seats, self.standing = self._store.seats(self.id), self._store.standing(self.id)
        self._answered_so.clear()
        if self._consents and before != {seat: row.holder for seat, row in self.seats.items()}:
            for entry in set(self._consents.values()):
                self._store.settle(self.id, topic_back(entry, self._news.changes))
            self._consents = {}

    def act(
        self,
        seat: str,
        version: int,
        text: str,
        request: Request | None = None,
        *,
        bot: bool = False,
        past: bool = True,
    ) -> BoardView:
        """Play one line of notation for a seat, whole or not at all; the answer is the new view.

        A request accepted before gets the answer it got then. Where the match has gone on since, that takes as long as
        a whole game can; without ``past`` it raises ``LookBackError`` instead.
        """
        if version != self.version(seat):  # an accepted request has raised the version
            if request is not None and (answer := self._answered(request, past)) is not None:
                return answer
            self._require_version(seat, version)
        self.require_going_on(seat)
        if bot != (self.controller(seat).kind == "bot"):
            raise conflict("not_your_seat", f"{seat} is played by {self.controller(seat)}", self.view(seat))
        before, stood, known = self.session.version, self.session.state, self._news.sight(seat).count
        interrupted = self._interrupted(seat)
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
        self.memories.went_on(self.session, stood, before)
        if interrupted:
            self._interruptions[interrupted] = self._interruptions.get(interrupted, 0) + 1
        else:
            self._interruptions.pop(seat, None)
        return self.view(seat, known)

    def _interrupted(self, seat: str) -> str:
        """The seat that is asked, if it is another one; refuses to interrupt it once more than often."""
        decision = self.session.decision()
        if decision is None or decision.seat == seat:
            return ""
        if self._interruptions.get(decision.seat, 0) >= MOST_INTERRUPTIONS:
            told = f"{decision.seat} was interrupted {MOST_INTERRUPTIONS} times, and is to answer first"
            raise conflict("not_your_turn", told, self.view(seat))
        return decision.seat

    def answer(self, turn: BotTurn, action: str, notes: Mapping[str, Any] | None) -> None:
        """Play what a computer player has decided, and keep the plan it has made, if it has."""
        self.act(turn.seat, turn.version, action, bot=True)
        if notes is not None:
            self.memories.note(turn.seat, Notes(turn.bot, turn.entry + 1, notes))

    def answer_standing(self, seat: str, version: int, action: str) -> None:
        """Play what a standing order of a person answers, and note that it did."""
        with self.together():
            before = self.session.version
            self.act(seat, version, action)
            self._store.note_standing(self.id, seat, range(before, self.session.version))
        self.read_standing()

    def leave_to(self, seat: str) -> None:
        """A standing order of a seat cannot answer: the open question is for its player."""
        self.left_to = seat, self.session.version

    def read_pause(self) -> None:
        """The teacher has stopped the match, or lets it go on."""
        self.paused = self._store.is_paused(self.id)

    def require_going_on(self, seat: str) -> None:
        """Refuse to change a match that the teacher has stopped for a while."""
        if self.paused:
            raise conflict("paused", "your teacher has paused the game; it goes on from here", self.view(seat))

    def read_standing(self) -> None:
        """Standing orders, or what they have answered, have changed in the store."""
        self.standing = self._store.standing(self.id)
        self._answered_so.clear()

    def undo(self, seat: str, version: int, to: int | None = None) -> BoardView:
        """Take back this seat's own last steps, or agree to go back to ply ``to``.

        Beyond the last die or change of seat it happens once all have asked for it.
        """
        self._require_version(seat, version)
        self.require_going_on(seat)
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
            agreed = {**self._consents, seat: target}
            if not self._all_agree(agreed, target):
                self._offer_back(seat, target)
                self._consents = agreed
                return self.view(seat)
        self._take_back(seat, version, target)
        return self.view(seat)

    def step_back(self) -> None:
        """Take back what a person did last, and what the computer answered: for the teacher of a class."""
        people, entries = set(self.human_seats()), self.session.entries
        own = (n for n in range(len(entries) - 1, -1, -1) if entries[n].seat in people)
        target = next((number for number in own if not entries[number].action.startswith("@")), None)
        if target is None:
            raise conflict("no_undo", "there is nothing to take back")
        if target < self.session.floor:
            raise conflict("rules_changed", CHANGED)
        seat = entries[target].seat
        self._take_back(seat, self.version(seat), target)

    def _take_back(self, seat: str, version: int, target: int) -> None:
        with self.together():
            self._commit(seat, version, self._rewind(seat, target))
            decision = self.session.decision()
            self._store.rewind_standing(self.id, self.session.version, decision.seat if decision else "")
            for topic in later_offers(self.session, self._store.agreements(self.id)):
                self._store.settle(self.id, topic)
        self.read_standing()
        self.remember()

    def _offer_back(self, seat: str, target: int) -> None:
        """Keep what a seat offers, in place of what it offered before and of all that nobody can answer any more."""
        with self.together():
            for topic in self._store.agreements(self.id):
                if topic.partition(":")[0] == BACK:
                    if topic.endswith(f":{self._news.changes}"):
                        self._store.agree(self.id, [seat], topic, yes=False)
                    else:
                        self._store.settle(self.id, topic)
            self._store.agree(self.id, [seat], topic_back(target, self._news.changes))

    def _all_agree(self, consents: Mapping[str, int], target: int) -> bool:
        """Whether every seat that a person plays has asked for it, and every person whose seats the computer plays."""
        agreed = {seat for seat, ply in consents.items() if ply == target}
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
        """Go back to entry ``target``, but leave the seats with those who play them now."""
        players = dict(self.session.controllers)
        remarks = [entry for entry in self.session.entries[target:] if entry.action in REMARKS]
        over = self.session.decision() is None
        if over:
            self._store.note_shown(self.id)  # as long as it was over, everything lay open
        rolled = over or any(entry.dice for entry in self.session.entries[target:])
        onward = match_dice.onward(self.session) if rolled and self._several else None
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

    def set_controller(self, seat: str, controller: Controller) -> BoardView:
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

    def end(self, seat: str, how: str) -> None:
        """End the game at the table: a seat resigns for its side, or all have agreed to a draw."""
        self.session.end(seat, how)
        self._commit(seat, self.version(seat), rows_of(self.session, self.session.version - 1))

    def take_share(self, seat: str, share: str | None = None, committed: str = "") -> None:
        """Let what a person adds to the dice count from now on; for one who brings nothing, the server draws it."""
        if self.session.decision() is not None:
            line = self._dice_from(match_dice.joined(self._source, seat, share, committed, self._held()), seat)
            self._commit(seat, self.version(seat), [line])

    def set_back(self) -> None:
        """Draw new dice after a restore: between people, those that fell after the backup are known."""
        if self.hides_seed:
            seat = next(iter(self.seats))
            with self.together():
                line = self._dice_from(match_dice.drawn(self._source.shares, self._source.awaits), seat)
                self._commit(seat, self.version(seat), [line])
                self.remark(seat, RESTORED)

    def _settled(self) -> list[JournalRow]:
        """No longer wait for the share of a seat that was taken over, or whose player could not leave a share."""
        source, held = self._source, self._held()
        if self.session.decision() is not None:
            source = match_dice.redeemed(source, held, self._committed)
        source = match_dice.settled(source, held)
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
        floor = self.session.undo_floor(seat)
        return floor is not None and target >= floor

    def _require_version(self, seat: str, version: int) -> None:
        if version != self.version(seat):
            raise conflict("stale", "the match has moved on since you last looked", self.view(seat))

    def _refusal(self, seat: str, problem: IllegalAction) -> ApiError:
        decision = self.session.decision()
        if decision is None:
            return conflict("over", "the game is over", self.view(seat))
        if decision.seat != seat:
            told = problem.reason if problem.rule else f"it is {decision.seat} who must decide now"
            return ApiError(409, "not_your_turn", told, rule=problem.rule, view=self.view(seat))
        return ApiError(422, "illegal", problem.reason, rule=problem.rule, view=self.view(seat))

    def _commit(
        self,
        seat: str,
        version: int,
        lines: Sequence[JournalRow],
        request: Request | None = None,
        since: int = 0,
    ) -> None:
        """Make the change to the session durable; if that fails the session is read again."""
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
                score=score_of(self.session),
                disclosure=self._onlookers.disclosure(self.session, lines) if self._onlookers else None,
            )
        except StaleVersionError as problem:
            self._reload()
            raise conflict("stale", "the match has moved on", self.view(seat)) from problem
        self._entries = total
        self.session.forget(IN_MEMORY)
        self._news.apply(news)
        kept = {} if news.public else {who: to for who, to in self._consents.items() if to < self.session.version}
        self._consents = kept
        self.seats = {name: replace(row, version=row.version + news.versions[name]) for name, row in self.seats.items()}
        self._stale = False

    def _answered(self, request: Request, past: bool = True) -> BoardView | None:
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
        events = events_of(sight, request.seat, row.answer["since"], self._given(request.seat))
        return {**self._show(sight, request.seat, row.answer["version"]), "last_events": events}


def digest_of(*parts: object) -> str:
    """A short fingerprint of a request's content."""
    return hashlib.sha256(encode(parts).encode()).hexdigest()
