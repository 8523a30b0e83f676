"""Matches in memory: one caller at a time in each, windows told of changes, bots asked for their moves."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rasputitsa.core.record import Session
from rasputitsa.server.bots import BotError, BotPool
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.match import Match
from rasputitsa.server.store import Store, StoreError

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_SECONDS = 5.0
THREADS = 4


class Window:
    """An open view of a match: woken when there is something new, and then told only the newest."""

    def __init__(self, seat: str | None) -> None:
        self.seat = seat
        self.wake = asyncio.Event()
        self._notices: dict[str, dict[str, Any]] = {}
        self.closed = False

    def tell(self, notice: dict[str, Any] | None = None) -> None:
        """Wake the window, with a notice if there is one."""
        if notice is not None:
            self._notices[notice["type"]] = notice
        self.wake.set()

    def take_notices(self) -> list[dict[str, Any]]:
        """The newest notice of each kind, once."""
        notices, self._notices = list(self._notices.values()), {}
        return notices


class Table:
    """A match with its lock, its windows and the task that plays its bots."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.windows: set[Window] = set()
        self.bots: asyncio.Task[None] | None = None
        self.bots_wanted = False

    @property
    def idle(self) -> bool:
        """Nobody looks, nobody waits, no bot thinks."""
        return not self.windows and not self.lock.locked() and (self.bots is None or self.bots.done())

    def tell(self, notice: dict[str, Any] | None = None) -> None:
        """Wake every window."""
        for window in self.windows:
            window.tell(notice)


class Tables:
    """All tables in memory; the least used leave when there are too many."""

    def __init__(self, store: Store, bots: BotPool, config: ServerConfig) -> None:
        self.store = store
        self.bots = bots
        self._config = config
        self._tables: OrderedDict[int, Table] = OrderedDict()
        self._opening: dict[int, asyncio.Task[Table]] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="match")
        self._running: set[asyncio.Task[Any]] = set()

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do blocking work without stopping the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Let something run to its end on its own; the server waits for it when it closes."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def open(self, match_id: int, session: Session | None = None) -> Table:
        """The table of a match, read from the store if need be, or of the session just kept as this match.

        Raises:
            UnknownMatchError: there is no such match.
        """
        table = self._tables.get(match_id)
        if table is not None:
            self._tables.move_to_end(match_id)
            return table
        task = self._opening.get(match_id)
        if task is None:
            task = asyncio.create_task(self._open(match_id, session))
            self._opening[match_id] = task
            task.add_done_callback(lambda _: self._opening.pop(match_id, None))
        return await asyncio.shield(task)

    async def _open(self, match_id: int, session: Session | None) -> Table:
        table = Table(await self.in_thread(lambda: Match(self.store, match_id, session)))
        self._tables[match_id] = table
        for other_id, other in list(self._tables.items()):
            if len(self._tables) <= self._config.max_tables:
                break
            if other.idle and other is not table:
                del self._tables[other_id]
        self.play_bots(table)
        return table

    async def read(self, table: Table, work: Callable[[Match], T]) -> T:
        """Look at a match while nobody changes it."""
        return await self._alone(table, work)

    async def change(self, table: Table, work: Callable[[Match], T]) -> T:
        """Change a match; windows are told and bots asked when it is done."""
        before = table.match.entries
        try:
            return await self._alone(table, work)
        finally:
            if table.match.entries != before:
                table.tell()
                self.play_bots(table)

    async def _alone(self, table: Table, work: Callable[[Match], T]) -> T:
        """Run under the table's lock, to the end even if the caller goes away."""

        def careful() -> T:
            table.match.refresh()
            return work(table.match)

        async def run() -> T:
            async with table.lock:
                return await self.in_thread(careful)

        task = asyncio.create_task(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def remove(self, match_id: int) -> None:
        """Delete a match for good."""
        table = await self.open(match_id)
        await self._alone(table, lambda match: self.store.delete(match.id))
        self._tables.pop(match_id, None)
        if table.bots:
            table.bots.cancel()
        self.bots.hurry(match_id)
        for window in table.windows:
            window.closed = True
        table.tell({"type": "error", "code": "deleted", "message": "this match was deleted"})

    # -- bots --------------------------------------------------------------------------------------

    def play_bots(self, table: Table) -> None:
        """Let bots move at a table as long as it is their turn."""
        table.bots_wanted = True
        if table.bots is None or table.bots.done():
            table.bots = asyncio.create_task(self._play_bots(table))

    async def _play_bots(self, table: Table) -> None:
        try:
            while table.bots_wanted:
                table.bots_wanted = False
                while await self._play_one(table):
                    pass
        except Exception:
            log.exception("bots of match %d stopped", table.match.id)
            table.tell({"type": "error", "code": "bot", "message": "the computer player stopped"})

    async def _play_one(self, table: Table) -> bool:
        """Play one decision of a bot; whether to go on."""
        turn = await self.read(table, Match.bot_turn)
        if turn is None:
            return False

        def report(done: int, total: int, text: str) -> None:
            table.tell({"type": "thinking", "seat": turn.seat, "done": done, "total": total, "text": text})

        try:
            action = await self.bots.choose(turn, report)
            await self.change(table, lambda match: match.act(turn.seat, turn.version, action, bot=True))
        except BotError as problem:
            log.error("match %d: %s", table.match.id, problem)
            table.tell({"type": "error", "code": "bot", "message": str(problem)})
            return False
        except ApiError as problem:
            if problem.code in ("stale", "not_your_seat", "not_your_turn"):
                return True  # the match went elsewhere while the bot thought
            table.tell({"type": "error", "code": "bot", "message": problem.message})
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

    async def close(self) -> None:
        """Stop bots, finish what is being written."""
        tasks = [table.bots for table in self._tables.values() if table.bots]
        for task in tasks:
            task.cancel()
        for table in self._tables.values():
            for window in table.windows:
                window.closed = True
                window.tell()
        await asyncio.gather(*tasks, *self._running, return_exceptions=True)
        self._threads.shutdown()
