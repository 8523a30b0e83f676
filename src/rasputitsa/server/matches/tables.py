"""Matches in memory: one caller at a time in each, windows told of changes, bots asked for their moves."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.match import BotTurn, Match
from rasputitsa.server.matches.screens import Screen, Screens, TextKey, key_of
from rasputitsa.server.store import SeatRow, Store, StoreError, UnknownMatchError, digest
from rasputitsa.server.workers.bots import BotError, BotPool

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_SECONDS = 5.0
PAUSE_SECONDS = 0.1
"""Between two views to one window; whatever happens meanwhile goes into the second."""
PAUSE_OF_WINDOW = 0.005
"""What each window of a match adds to it."""
VOID = {"type": "error", "code": "bad_key", "message": "this window's key to the seat is void"}
DELETED = {"type": "error", "code": "deleted", "message": "this match was deleted"}
STOPPED = "the computer player stopped"
THREADS = 16
"""Most of them wait for the disk, and what waits together is written together."""


class Window:
    """An open view of a match: woken when there is something new, and then told only the newest."""

    def __init__(self, seat: str | None, key: str = "") -> None:
        self.seat = seat
        self.key = digest(key)
        self.wake = asyncio.Event()
        self.shown: Screen | None = None
        """What it was told last, if that is still in memory."""
        self.tag = ""
        """The tag of what it was told last."""
        self.due = True
        """Whether there may be something to show."""
        self.closed = False
        self.waits_for: tuple[str, int] | None = None
        """The seat whose bot it was told of, and the version it had then."""
        self._notices: dict[str, dict[str, Any]] = {}

    def tell(self, notice: dict[str, Any] | None = None) -> None:
        """Wake the window, with a notice, or because there may be something to show."""
        if notice is not None:
            self._notices[notice["type"]] = notice
        else:
            self.due = True
        self.wake.set()

    def close(self, notice: dict[str, Any]) -> None:
        """Show nothing any more, and say why."""
        self.closed = True
        self.tell(notice)

    def take_notices(self) -> list[dict[str, Any]]:
        """The newest notice of each kind, once."""
        notices, self._notices = list(self._notices.values()), {}
        return notices


class Table:
    """A match with its lock, its windows and the task that plays its bots. The match itself may be out of memory."""

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
        self.windows: set[Window] = set()
        self.screens = Screens()
        self.revision = 0
        """Rises with whatever may have changed a view."""
        self.bots: asyncio.Task[None] | None = None
        self.bots_wanted = False
        self.gone = False
        """Whether the match was deleted."""
        self._next_news = 0.0
        self._news: asyncio.TimerHandle | None = None
        self.working_out: dict[tuple[str | None, TextKey], asyncio.Task[Screen]] = {}

    @property
    def idle(self) -> bool:
        """Nobody is at the match or waits for it, and no bot thinks."""
        return not self.users and (self.bots is None or self.bots.done())

    def tell(self, notice: dict[str, Any] | None = None) -> None:
        """Hand a notice to every window; without one, let them show what changed, some times a second at most."""
        if notice is not None:
            for window in self.windows:
                window.tell(notice)
            return
        self.revision += 1
        if self.windows and self._news is None:
            loop = asyncio.get_running_loop()
            self._news = loop.call_at(max(self._next_news, loop.time()), self._tell_news)

    def tell_thinking(self, turn: BotTurn, done: int, total: int, text: str) -> None:
        """Tell how far a bot is; those who are not told what it decides hear once that it thinks."""
        for window in self.windows:
            version = turn.hidden.get(window.seat)
            if version is None:
                window.tell({"type": "thinking", "seat": turn.seat, "done": done, "total": total, "text": text})
            elif window.waits_for != (turn.seat, version):
                window.waits_for = turn.seat, version
                window.tell({"type": "thinking", "seat": turn.seat})

    def _tell_news(self) -> None:
        self._news = None
        self._next_news = asyncio.get_running_loop().time() + PAUSE_SECONDS + PAUSE_OF_WINDOW * len(self.windows)
        for window in self.windows:
            window.tell()

    def sleep(self) -> None:
        """Let go of the match; what windows show is forgotten, and they are sent all of it next time."""
        self.match, self.weight = None, 0
        self.screens.forget()
        for window in self.windows:
            window.shown = None

    def add(self, window: Window) -> None:
        """Keep a window up to date, unless what it was let in for has ended meanwhile."""
        self.windows.add(window)
        window.tell()
        self.close_strangers()
        if self.gone:
            window.close(DELETED)

    def close_strangers(self) -> None:
        """Close the windows whose key does not open their seat any more."""
        for window in self.windows:
            if window.seat is not None and window.key not in self.seats[window.seat].keys:
                window.close(VOID)


class Tables:
    """All tables somebody is at, and the matches in memory, of which the least used leave when they grow too large.

    A table is found as long as anybody holds it, be it a window, a request that waits or a bot at work: there is never
    a second one of the same match.
    """

    def __init__(self, store: Store, bots: BotPool, config: ServerConfig) -> None:
        self.store = store
        self.bots = bots
        self._config = config
        self._tables: WeakValueDictionary[int, Table] = WeakValueDictionary()
        self._awake: OrderedDict[int, Table] = OrderedDict()
        self._weight = 0
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="match")
        self._running: set[asyncio.Task[Any]] = set()

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do blocking work without stopping the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let something run to its end on its own; the server waits for it when it closes."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def open(self, match_id: int) -> Table:
        """The table of a match, which is read from the store if need be.

        Raises:
            UnknownMatchError: there is no such match.
        """
        table = self._tables.get(match_id)
        if table is None:
            table = self._tables[match_id] = Table(match_id)
        if table.match is None:
            await self.read(table, lambda match: None)
        return table

    async def read(self, table: Table, work: Callable[[Match], T]) -> T:
        """Look at a match while nobody changes it."""
        return await self._alone(table, work)

    async def change(self, table: Table, work: Callable[[Match], T]) -> T:
        """Change a match; windows are told and bots asked when it is done."""

        def afresh(match: Match) -> T:
            match.forget_views()
            return work(match)

        before = table.entries
        try:
            return await self._alone(table, afresh, tells=True)
        finally:
            if table.entries != before:
                self.play_bots(table)

    async def _alone(self, table: Table, work: Callable[[Match], T], *, tells: bool = False) -> T:
        """Run under the table's lock, to the end even if the caller goes away."""
        return await asyncio.shield(self.spawn(self._at(table, work, tells=tells)))

    async def _at(self, table: Table, work: Callable[[Match], T], *, tells: bool = False) -> T:
        changed = False

        def careful() -> T:
            nonlocal changed
            if table.gone:
                raise UnknownMatchError(f"there is no match {table.id}")
            before = table.match and table.match.mark()
            if table.match is None:
                table.match = Match(self.store, table.id)
            try:
                table.match.refresh()
                return work(table.match)
            finally:
                known = table.entries if before is None else before
                changed = tells or known != (table.match.entries if before is None else table.match.mark())

        table.users += 1
        try:
            async with table.lock:
                asleep = table.match is None
                try:
                    return await self.in_thread(careful)
                finally:
                    if table.match is not None:
                        self._note(table, table.match)
                        if asleep:
                            self.play_bots(table)
                    if changed:
                        table.tell()
        finally:
            table.users -= 1

    def _note(self, table: Table, match: Match) -> None:
        """A match was used: keep it, and let others go that were not, if there are too many."""
        if table.seats is not match.seats:
            table.seats = match.seats
            table.close_strangers()
        table.entries = match.entries
        weight = match.weight() + table.screens.weight()
        self._weight += weight - table.weight
        table.weight = weight
        self._awake[table.id] = table
        self._awake.move_to_end(table.id)
        if self._weight <= self._config.cache_bytes:
            return
        for other in list(self._awake.values()):
            if self._weight <= self._config.cache_bytes:
                break
            if other.idle:
                self._let_go(other)

    def _let_go(self, table: Table) -> None:
        self._awake.pop(table.id, None)
        self._weight -= table.weight
        table.sleep()

    async def screen(self, table: Table, seat: str | None, base: Screen | None, differs: bool) -> Screen:
        """What a seat is shown now, with the text for windows that show ``base``; worked out once for all of them."""
        text = key_of(base, differs)
        newest = table.screens.newest(seat)
        if newest is not None and newest.revision == table.revision and text in newest.texts:
            return newest
        task = table.working_out.get((seat, text))
        if task is None:

            def work(match: Match) -> Screen:
                return table.screens.message(match, seat, base, differs, table.revision)

            task = table.working_out[seat, text] = self.spawn(self._at(table, work))
            task.add_done_callback(lambda _: table.working_out.pop((seat, text), None))
        return await asyncio.shield(task)

    async def remove(self, match_id: int, check: Callable[[Match], None] = lambda match: None) -> None:
        """Delete a match for good, unless ``check`` refuses; nobody comes in between the two."""
        table = await self.open(match_id)

        def work(match: Match) -> None:
            check(match)
            self.store.delete(match.id)
            table.gone = True

        await self._alone(table, work)
        self._tables.pop(match_id, None)
        self._let_go(table)
        if table.bots:
            table.bots.cancel()
        self.bots.hurry(match_id)
        for window in table.windows:
            window.close(DELETED)

    # -- bots --------------------------------------------------------------------------------------

    def play_bots(self, table: Table) -> None:
        """Let bots move at a table as long as it is their turn."""
        table.bots_wanted = True
        if table.bots is None or table.bots.done():
            table.bots = self.spawn(self._play_bots(table))

    async def _play_bots(self, table: Table) -> None:
        try:
            while table.bots_wanted:
                table.bots_wanted = False
                while await self._play_one(table):
                    pass
        except Exception:
            log.exception("bots of match %d stopped", table.id)
            table.tell({"type": "error", "code": "bot", "message": STOPPED})

    async def _play_one(self, table: Table) -> bool:
        """Play one decision of a bot; whether to go on."""
        turn = await self.read(table, Match.bot_turn)
        if turn is None:
            return False

        def report(done: int, total: int, text: str) -> None:
            table.tell_thinking(turn, done, total, text)

        try:
            chosen = await self.bots.choose(turn, report)
            await self.change(table, lambda match: match.answer(turn, chosen.action, chosen.notes))
        except BotError as problem:
            log.error("match %d: %s", table.id, problem)
            table.tell({"type": "error", "code": "bot", "message": str(problem)})
            return False
        except ApiError as problem:
            if problem.code in ("stale", "not_your_seat", "not_your_turn"):
                return True  # the match went elsewhere while the bot thought
            log.error("match %d: %s", table.id, problem.message)
            table.tell({"type": "error", "code": "bot", "message": STOPPED})
            return False
        except StoreError as problem:
            table.tell({"type": "error", "code": "store", "message": str(problem)})
            await asyncio.sleep(RETRY_SECONDS)
        return True

    async def resume(self) -> None:
        """After a start: open every match in which a bot is to move."""
        for row in await self.in_thread(self.store.matches):
            players = row.summary.get("controllers", {})
            if not row.over and players.get(row.summary.get("to_move"), {}).get("kind") == "bot":
                try:
                    await self.open(row.id)
                except (ApiError, StoreError) as problem:
                    log.error("match %d cannot be resumed: %s", row.id, problem)
                except Exception:
                    log.exception("match %d cannot be resumed", row.id)  # and the others go on

    async def close(self) -> None:
        """Stop bots, finish what is being written."""
        tables = list(self._tables.values())
        for table in tables:
            if table.bots:
                table.bots.cancel()
        for table in tables:
            for window in table.windows:
                window.closed = True
                window.tell()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._threads.shutdown()
