"""Matches in memory: one caller at a time in each, subscribers notified of changes, bots asked for their moves."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.screens import Screen, Screens, TextKey, key_of
from rasputitsa.server.matches.standing.answers import Ordered, next_turn, play, server_decides
from rasputitsa.server.matches.standing.presence import Presence
from rasputitsa.server.matches.subscriber import Subscriber
from rasputitsa.server.shapes.live import ErrorMessage, LiveMessage, SeatsMessage
from rasputitsa.server.store import SeatRow, Store, StoreError, UnknownMatchError
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.bots import BotError, BotPool, Choice

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_SECONDS = 5.0
PAUSE_SECONDS = 0.1
"""Between two views to one subscriber; whatever happens meanwhile goes into the second."""
PAUSE_OF_SUBSCRIBER = 0.005
"""What each subscriber of a match adds to it."""
VOID: ErrorMessage = {"type": "error", "code": "bad_key", "message": "this window's key to the seat is void"}
DELETED: ErrorMessage = {"type": "error", "code": "deleted", "message": "this match was deleted"}
STOPPED = "the computer player stopped"
SEATS_CHANGED: SeatsMessage = {"type": "seats"}
THREADS = 16
"""Most of them wait for the disk, and what waits together is written together."""


class Room:
    """A match with its lock, its subscribers and the task that plays its bots; the match may be out of memory."""

    def __init__(self, match_id: int) -> None:
        self.id = match_id
        self.match: Match | None = None
        """Read from the store when it is needed; changed and looked at under the lock only."""
        self.seats: Mapping[str, SeatRow] = {}
        self.entries = -1
        """Seats and number of entries of the match, as they were when somebody was last at it."""
        self.weight = 0
        self.lock = asyncio.Lock()
        self.users = 0
        """Who is at the match or waits for it."""
        self.subscribers: set[Subscriber] = set()
        self.screens = Screens()
        self.revision = 0
        """Rises with whatever may have changed a view."""
        self.bots: asyncio.Task[None] | None = None
        self.bots_wanted = False
        self.remembering: asyncio.Task[None] | None = None
        """Makes up what the seats remember of a long record, some of it at a time."""
        self.server_decides = True
        """Whether the open question may be one for a computer player or a standing order."""
        self.answering: str | None = None
        """The seat of a person that a standing order is about to answer for."""
        self.gone = False
        """Whether the match was deleted."""
        self.delays = False
        """Whether onlookers see less now than what is public."""
        self._more_seen: asyncio.TimerHandle | None = None
        self._next_news = 0.0
        self._news: asyncio.TimerHandle | None = None
        self.working_out: dict[tuple[str | None, TextKey], asyncio.Task[tuple[Screen, bytes]]] = {}

    @property
    def idle(self) -> bool:
        """Nobody is at the match or waits for it, and no bot thinks."""
        return not self.users and all(task is None or task.done() for task in (self.bots, self.remembering))

    def notify(self, notice: LiveMessage | None = None) -> None:
        """Hand a notice to every subscriber; without one, let them show what changed, some times a second at most.

        Notices are of the present, and not for onlookers who are behind it.
        """
        if notice is not None:
            for subscriber in self.present():
                subscriber.notify(notice)
            return
        self.revision += 1
        if self.subscribers and self._news is None:
            loop = asyncio.get_running_loop()
            self._news = loop.call_at(max(self._next_news, loop.time()), self._notify_news)

    def present(self) -> list[Subscriber]:
        """The subscribers who see the match as it stands."""
        return [subscriber for subscriber in self.subscribers if subscriber.seat is not None or not self.delays]

    def more_is_seen_in(self, seconds: float | None) -> None:
        """Onlookers who are behind see more after this time, if nothing else happens before."""
        if self._more_seen is not None:
            self._more_seen.cancel()
        loop = asyncio.get_running_loop()
        self._more_seen = None if seconds is None else loop.call_later(seconds, self._show_onlookers)

    def _show_onlookers(self) -> None:
        self._more_seen = None
        self.revision += 1
        for subscriber in self.subscribers:
            if subscriber.seat is None:
                subscriber.notify()

    def notify_thinking(self, turn: BotTurn, done: int, total: int, text: str) -> None:
        """Report how far a bot is; those who may not see what it decides learn once that it thinks."""
        for subscriber in self.present():
            version = turn.hidden.get(subscriber.seat)
            if version is None:
                subscriber.notify({"type": "thinking", "seat": turn.seat, "done": done, "total": total, "text": text})
            elif subscriber.waits_for != (turn.seat, version):
                subscriber.waits_for = turn.seat, version
                subscriber.notify({"type": "thinking", "seat": turn.seat})

    def _notify_news(self) -> None:
        self._news = None
        self._next_news = (
            asyncio.get_running_loop().time() + PAUSE_SECONDS + PAUSE_OF_SUBSCRIBER * len(self.subscribers)
        )
        for subscriber in self.subscribers:
            subscriber.notify()

    def sleep(self) -> None:
        """Let go of the match; what subscribers show is forgotten, and they are sent all of it next time."""
        self.match, self.weight = None, 0
        self.screens.forget()
        for subscriber in self.subscribers:
            subscriber.shown = None

    def add(self, subscriber: Subscriber) -> None:
        """Keep a subscriber up to date, unless what it was let in for has ended meanwhile."""
        self.subscribers.add(subscriber)
        subscriber.notify()
        self.close_strangers()
        if self.gone:
            subscriber.close(DELETED)

    def close_strangers(self) -> None:
        """Close the subscribers whose key does not open their seat any more; however long that takes, they are gone."""
        strangers = {s for s in self.subscribers if s.seat is not None and s.key not in self.seats[s.seat].keys}
        self.subscribers -= strangers
        for subscriber in strangers:
            subscriber.close(VOID)


class Rooms:
    """All rooms somebody is in, and the matches in memory, of which the least used leave when they grow too large.

    A room is found as long as anybody holds it, be it a subscriber, a waiting request or a bot at work: there is never
    a second one of the same match.
    """

    def __init__(self, store: Store, bots: BotPool, config: ServerConfig) -> None:
        self.store = store
        self.bots = bots
        self._config = config
        self._rooms: WeakValueDictionary[int, Room] = WeakValueDictionary()
        self._in_memory: OrderedDict[int, Room] = OrderedDict()
        self._weight = 0
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="match")
        self._running: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self.presence = Presence(lambda: store.up.ms())

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do blocking work without stopping the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, work)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let something run to its end on its own; the server waits for it when it closes."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def open(self, match_id: int) -> Room:
        """The room of a match, which is read from the store if need be.

        Raises:
            UnknownMatchError: there is no such match.
        """
        room = self._rooms.get(match_id)
        if room is None:
            room = self._rooms[match_id] = Room(match_id)
        if room.match is None:
            await self.read(room, lambda match: None)
        return room

    def found(self, match_ids: Iterable[int]) -> list[Room]:
        """The rooms of those of some matches that somebody is in."""
        return [room for number in match_ids if (room := self._rooms.get(number)) is not None]

    async def reseat(self, match_ids: Iterable[int]) -> None:
        """Keys to these matches have ended: those in memory learn of it, and windows that used one are closed."""
        for room in self.found(match_ids):
            with contextlib.suppress(UnknownMatchError):
                await self.read(room, lambda match: match.reseat())

    def watched(self) -> set[tuple[int, str]]:
        """The seats, each with its match, that somebody looks at a window of."""
        return {
            (room.id, subscriber.seat)
            for room in list(self._rooms.values())
            for subscriber in room.subscribers
            if subscriber.seat is not None and not subscriber.hidden
        }

    def windows(self) -> int:
        """How many windows are open on all matches together."""
        return sum(len(room.subscribers) for room in list(self._rooms.values()))

    def in_memory(self) -> int:
        """How many matches are in memory."""
        return len(self._in_memory)

    def answering(self) -> set[tuple[int, str]]:
        """The seats, each with its match, that standing orders are about to answer for."""
        return {(room.id, room.answering) for room in list(self._rooms.values()) if room.answering is not None}

    def is_away(self, match_id: int, seat: str) -> bool:
        """Whether the player of a seat has had no window open and in sight for a while."""
        room = self._rooms.get(match_id)
        windows = () if room is None else tuple(room.subscribers)
        in_sight = any(window.seat == seat and not window.hidden for window in windows)
        return not in_sight and self.presence.is_away((match_id, seat))

    def attended(self, match_id: int) -> bool:
        """Whether a window of somebody who has a seat is open on a match."""
        room = self._rooms.get(match_id)
        return room is not None and any(subscriber.seat is not None for subscriber in room.subscribers)

    async def read(self, room: Room, work: Callable[[Match], T]) -> T:
        """Look at a match while nobody changes it."""
        return await self._alone(room, work)

    async def change(self, room: Room, work: Callable[[Match], T], *, bot: bool = False) -> T:
        """Change a match; subscribers are notified and bots asked when it is done.

        A ``bot`` answers what was let in before, and is not asked whether there is room for it.
        """

        ended = False  # and ratings have changed

        def careful(match: Match) -> T:
            nonlocal ended
            room.server_decides, was_over = True, match.lies_open  # or so it may be, should the work fail
            if not bot:
                self.store.require_room()
            done = work(match)
            room.server_decides = server_decides(match)
            ended = match.lies_open and not was_over and self.store.rated(match.id) is not None
            return done

        before = room.entries
        try:
            return await self._alone(room, careful, tells=True)
        finally:
            if room.entries != before and room.server_decides:
                self.play_bots(room)
            if ended:
                room.notify(SEATS_CHANGED)

    async def _alone(self, room: Room, work: Callable[[Match], T], *, tells: bool = False) -> T:
        """Run under the room's lock, to the end even if the caller goes away."""
        task = self.spawn(self._at(room, work, tells=tells))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_unheard)
            raise

    async def _at(self, room: Room, work: Callable[[Match], T], *, tells: bool = False) -> T:
        changed = False

        def careful() -> T:
            nonlocal changed
            if room.gone:
                raise UnknownMatchError(f"there is no match {room.id}")
            before = room.match and room.match.mark()
            if room.match is None:
                room.match = Match(self.store, room.id)
            try:
                room.match.refresh()
                return work(room.match)
            finally:
                known = room.entries if before is None else before
                changed = tells or known != (room.match.entries if before is None else room.match.mark())

        room.users += 1
        try:
            async with room.lock:
                loaded = room.match is not None
                try:
                    return await self.in_thread(careful)
                finally:
                    if room.match is not None:
                        self._note(room, room.match)
                        if not loaded:
                            self.play_bots(room)
                            self._remember(room)
                    if changed:
                        room.notify()
        finally:
            room.users -= 1

    def _note(self, room: Room, match: Match) -> None:
        """A match was used: keep it, and let others go that were not, if there are too many."""
        if room.seats is not match.seats:
            room.seats = match.seats
            room.close_strangers()
        room.entries, room.delays = match.entries, match.delays
        weight = match.weight() + room.screens.weight()
        self._weight += weight - room.weight
        room.weight = weight
        self._in_memory[room.id] = room
        self._in_memory.move_to_end(room.id)
        if self._weight <= self._config.cache_bytes:
            return
        for other in list(self._in_memory.values()):
            if self._weight <= self._config.cache_bytes:
                break
            if other.idle:
                self._let_go(other)

    def _let_go(self, room: Room) -> None:
        self._in_memory.pop(room.id, None)
        self._weight -= room.weight
        room.sleep()

    async def screen(self, room: Room, seat: str | None, base: Screen | None, differs: bool) -> tuple[Screen, bytes]:
        """What a seat is shown now, and the text for those that show ``base``; worked out once for all of them."""
        text = key_of(base, differs)
        newest = room.screens.newest(seat)
        if newest is not None and newest.revision == room.revision and text in newest.texts:
            return newest, newest.texts[text]
        task = room.working_out.get((seat, text))
        if task is None:
            task = room.working_out[seat, text] = self.spawn(self._work_out(room, seat, base, differs))
            task.add_done_callback(lambda _: room.working_out.pop((seat, text), None))
        return await asyncio.shield(task)

    async def _work_out(self, room: Room, seat: str | None, base: Screen | None, differs: bool) -> tuple[Screen, bytes]:
        def work(match: Match) -> tuple[tuple[Screen, bytes], float | None]:
            found = room.screens.message(match.seen_by(seat), seat, base, differs, room.revision)
            return found, match.until_more_is_seen() if seat is None else None

        found, wait = await self._at(room, work)
        if seat is None:
            room.more_is_seen_in(wait)
        return found

    async def remove(self, match_id: int, check: Callable[[Match], None] = lambda match: None) -> None:
        """Delete a match for good, unless ``check`` refuses; nobody comes in between the two."""
        room = await self.open(match_id)

        def work(match: Match) -> None:
            check(match)
            self.store.delete(match.id)
            room.gone = True

        await self._alone(room, work)
        self._rooms.pop(match_id, None)
        self._let_go(room)
        if room.bots:
            room.bots.cancel()
        self.bots.hurry(match_id)
        for subscriber in room.subscribers:
            subscriber.close(DELETED)

    def _remember(self, room: Room) -> None:
        """See to it that all is remembered before it is asked for; others come in between the parts."""
        if (
            room.match is not None
            and not room.match.remembers
            and (room.remembering is None or room.remembering.done())
        ):
            room.remembering = self.spawn(self._make_up(room))

    async def _make_up(self, room: Room) -> None:
        try:
            while not await self.read(room, lambda match: match.remember()):
                pass
        except UnknownMatchError:
            return  # deleted meanwhile
        except Exception:  # nobody awaits this task
            log.exception("what the seats of match %d remember is not made up", room.id)

    # -- bots --------------------------------------------------------------------------------------

    def play_bots(self, room: Room) -> None:
        """Let bots move in a room as long as it is their turn."""
        if self._stopping:
            return
        room.bots_wanted = True
        if room.bots is None or room.bots.done():
            room.bots = self.spawn(self._play_bots(room))

    async def _play_bots(self, room: Room) -> None:
        try:
            while room.bots_wanted:
                room.bots_wanted = False
                while await self._play_one(room):
                    pass
        except Exception:  # nobody awaits this task: the windows must hear of it
            log.exception("bots of match %d stopped", room.id)
            room.notify({"type": "error", "code": "bot", "message": STOPPED})

    async def _play_one(self, room: Room) -> bool:
        """Play one decision of a bot, or of a standing order; whether to go on."""
        turn = await self.read(room, lambda match: next_turn(match, self.is_away))
        if turn is None:
            return False
        room.answering = turn.seat if turn.standing else None
        try:
            chosen = await self._chosen(room, turn)
            work = partial(play, turn=turn, action=chosen.action, notes=chosen.notes, is_away=self.is_away)
            await self.change(room, work, bot=True)
        except BotError as problem:
            return await self._failed(room, turn, str(problem), problem)
        except ApiError as problem:
            if problem.code in ("stale", "not_your_seat", "not_your_turn", "paused"):
                return True  # the match went elsewhere while the bot thought
            return await self._failed(room, turn, STOPPED, problem)
        except StoreError as problem:
            room.notify({"type": "error", "code": "store", "message": str(problem)})
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            room.answering = None
        return True

    async def _chosen(self, room: Room, turn: BotTurn | Ordered) -> Choice:
        """What is decided; nobody hears of a computer player that thinks for a person who is away."""
        if isinstance(turn, Ordered):
            return Choice(turn.action)

        def report(done: int, total: int, text: str) -> None:
            if not turn.standing:
                room.notify_thinking(turn, done, total, text)

        return await self.bots.choose(turn, report)

    async def _failed(self, room: Room, turn: BotTurn | Ordered, told: str, problem: Exception) -> bool:
        """Nothing was decided: a person is asked after all, and of a bot all are notified; gives whether to go on."""
        log.error("match %d: %s", room.id, problem)
        if turn.standing:
            await self.read(room, lambda match: match.leave_to(turn.seat))
        else:
            room.notify({"type": "error", "code": "bot", "message": told})
        return False

    async def resume(self) -> None:
        """After a start: open every match in which a bot is to move."""
        for row in await self.in_thread(self.store.matches):
            player = row.summary["controllers"].get(row.summary["to_move"] or "")
            if not row.over and player is not None and player["kind"] == "bot":
                try:
                    await self.open(row.id)
                except (ApiError, StoreError) as problem:
                    log.error("match %d cannot be resumed: %s", row.id, problem)
                except Exception:
                    log.exception("match %d cannot be resumed", row.id)  # and the others go on

    def stop_bots(self) -> None:
        """The server is about to end: no bot is asked any more, and nobody waits for those that think."""
        self._stopping = True
        for room in list(self._rooms.values()):
            if room.bots:
                room.bots.cancel()

    async def close(self) -> None:
        """Finish what is being written; bots were stopped before."""
        for room in list(self._rooms.values()):
            for subscriber in room.subscribers:
                subscriber.closed = True
                subscriber.notify()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._threads.shutdown()


def _unheard(task: asyncio.Task[Any]) -> None:
    """How a piece of work ended for which nobody waits any more; a match that is gone meanwhile is no trouble."""
    problem = None if task.cancelled() else task.exception()
    if problem is not None and not isinstance(problem, ApiError | StoreError):
        log.error("work at a match failed", exc_info=problem)
