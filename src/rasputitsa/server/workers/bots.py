"""Bots in processes of their own, so that thinking never holds up the server.

A worker is a spawned process at the end of a pipe. If it dies it is replaced and asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from rasputitsa.ai.budget import TurnBudget
from rasputitsa.ai.memory import Resumes, give
from rasputitsa.ai.players import Player, pace, player
from rasputitsa.core.registry import game_of_version
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.fair_queue import FairQueue
from rasputitsa.server.workers.process import OwnProcess

log = logging.getLogger(__name__)

Report = Callable[[int, int, str], None]

TRIES = 3
HURRY = "hurry"
PLAYERS_KEPT = 32
CREATORS_KEPT = 2000
GRACE_SECONDS = 60.0
"""How long beyond its budget a worker may be silent before it counts as lost."""


class Choice(NamedTuple):
    """What a bot has decided."""

    action: str
    """In notation."""
    notes: dict[str, Any] | None = None
    """The plan it belongs to, if that was made for this decision."""


class BotError(Exception):
    """A bot could not be brought to give a legal move."""


class BotPool:
    """Worker processes; a match always asks the same one, so that bots may keep plans.

    Matches of one creator take turns as one, so that nobody's many matches keep others waiting.
    """

    def __init__(self, workers: int, seconds: float, creator: Callable[[int], str] = str) -> None:
        """``creator`` names who started a match; it may look that up on disk."""
        self._seconds = seconds
        self._creator = creator
        self._creators: OrderedDict[int, str] = OrderedDict()
        self._workers = [_Worker() for _ in range(workers)]

    async def choose(self, turn: BotTurn, report: Report) -> Choice:
        """What a bot decides on; raises ``BotError``."""
        seconds = self._seconds * pace(turn.bot, turn.game)
        group = await self._group(turn.match_id)
        return await self._of(turn.match_id).choose(turn, seconds, report, group)

    async def _group(self, match_id: int) -> str:
        if match_id not in self._creators:
            self._creators[match_id] = await asyncio.to_thread(self._creator, match_id) or str(match_id)
            if len(self._creators) > CREATORS_KEPT:
                self._creators.popitem(last=False)
        return self._creators[match_id]

    def hurry(self, match_id: int) -> None:
        """Make the bot at work on a match decide at once."""
        self._of(match_id).hurry(match_id)

    def processes(self) -> list[bool]:
        """Of the processes that were started and not replaced since, whether each runs; the others are replaced when
        they are asked next."""
        return [alive for worker in self._workers if (alive := worker.process.alive) is not None]

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.process.close()

    def _of(self, match_id: int) -> _Worker:
        return self._workers[match_id % len(self._workers)]


class _Worker:
    """A process that plays, one decision after the other."""

    def __init__(self) -> None:
        self.process = OwnProcess("bot")
        self._line = FairQueue()
        self._match_id: int | None = None
        self._hurried = False
        """Whether it has been asked to decide at once: to say so again fills the pipe, and then holds up the server."""
        self._sending = threading.Lock()

    def hurry(self, match_id: int) -> None:
        """Have it decide at once, if it is deciding for this match; nothing happens otherwise."""
        if self._hurried or self._match_id != match_id:
            return
        with self._sending, contextlib.suppress(OSError):
            if self._match_id == match_id:
                self._hurried = True
                self.process.send_now(HURRY)

    async def choose(self, turn: BotTurn, seconds: float, report: Report, group: str) -> Choice:
        """Wait for one's turn in line, and have it decide within some seconds; raises ``BotError`` where it cannot."""
        loop = asyncio.get_running_loop()

        def tell(done: int, total: int, text: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
                loop.call_soon_threadsafe(report, done, total, text)

        async with self._line.turn(group):
            return await self.process.talk(lambda: self._ask(turn, seconds, tell))

    def _ask(self, turn: BotTurn, seconds: float, report: Report) -> Choice:
        try:
            for attempt in range(1, TRIES + 1):
                if self.process.closed:
                    break
                try:
                    return self._ask_once(turn, seconds, report)
                except (EOFError, OSError, TimeoutError) as problem:
                    if self.process.closed:
                        break
                    log.warning("a bot worker was lost (try %d of %d): %r", attempt, TRIES, problem)
                    self.process.stop()
        finally:
            self._match_id = None
        raise BotError(f"the computer player {turn.bot} could not finish its move")

    def _ask_once(self, turn: BotTurn, seconds: float, report: Report) -> Choice:
        pipe = self.process.pipe(serve)
        with self._sending:
            self._match_id, self._hurried = turn.match_id, False
            pipe.send((turn, seconds))
        while True:
            if not pipe.poll(seconds + GRACE_SECONDS):
                raise TimeoutError("no answer")
            kind, *rest = pipe.recv()
            if kind == "progress":
                report(*rest)
            elif kind == "done":
                return Choice(str(rest[0]), rest[1])
            else:
                log.error("match %d: %s: %s", turn.match_id, turn.bot, rest[0])
                raise BotError(f"the computer player {turn.bot} failed")


_Players = OrderedDict[tuple[int, str, str], tuple[Player, TurnBudget]]
"""The players of a worker, by match, seat and kind."""


def serve(pipe: Connection) -> None:
    """The worker process: answer decisions until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    players: _Players = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        while True:
            if (asked := pipe.recv()) != HURRY:  # a hurry that comes too late is of no use
                turn, seconds = asked
                pipe.send(_answer(turn, seconds, players, pipe))


def _answer(turn: BotTurn, seconds: float, players: _Players, pipe: Connection) -> tuple[Any, ...]:
    hurry = False

    def hurried() -> bool:
        nonlocal hurry
        hurry = hurry or (pipe.poll() and pipe.recv() == HURRY)
        return hurry

    def report(done: int, total: int, text: str) -> None:
        pipe.send(("progress", done, total, text))

    try:
        game = game_of_version(turn.game, turn.data)
        key = (turn.match_id, turn.seat, turn.bot)
        if key not in players:
            players[key] = player(turn.bot, game, turn.options, turn.seed), TurnBudget(seconds)
            if turn.notes is not None and isinstance(fresh := players[key][0], Resumes):
                fresh.take_up(*turn.notes)
            if len(players) > PLAYERS_KEPT:
                players.popitem(last=False)
        players.move_to_end(key)
        known, budget = players[key]
        give(known, turn.memory)
        planned = known.planned if isinstance(known, Resumes) else 0
        with budget.clock(game, turn.state, turn.decision, hurried, report) as clock:
            action = known.choose(turn.state, turn.decision, clock)
        if action not in turn.decision.options:
            return "failed", f"it chose {action!r}, which is not legal"
        notes = known.notes() if isinstance(known, Resumes) and known.planned != planned else None
        return "done", game.format(turn.state, action), notes
    except (EOFError, OSError):
        raise
    except Exception as problem:  # the process serves others as well
        log.exception("bot %s failed", turn.bot)
        return "failed", repr(problem)
