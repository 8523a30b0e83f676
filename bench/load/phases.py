"""The parts of a measurement, each on a fresh server: as fast as it goes, and at a given pace."""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.load.players import Client, Player, Watcher
from bench.load.server import Place, ServerProcess
from rasputitsa.core.registry import default_game, get_game

STARTS_AT_ONCE = 16
WARM_UP_SECONDS = 2.0
WARM_UP_PART = 0.1
"""Part of the measured time for which a given pace is kept before: matches begun one after another lie side by side in
memory, and only after some actions in each, made in any order, does it look as it does on a server that has been up."""
CHECKED_AT_ONCE = 8
OPENED_AT_ONCE = 50
SAMPLE_SECONDS = 1.0
TICK_SECONDS = 0.005

Say = Callable[[str], None]


@dataclass
class Plan:
    """What is done to a server.

    Attributes:
        pace: actions a second over all matches; 0 for as many as it takes.
        watchers: windows that look on, spread over the matches and their seats.
        begun: actions that each match has behind it when the measurement begins.
    """

    name: str
    matches: int
    watchers: int
    seconds: float
    pace: float = 0.0
    begun: int = 0
    game: str = field(default_factory=default_game)
    scenario: str = field(default_factory=lambda: get_game(default_game()).scenarios()[0].id)


@dataclass
class Result:
    """What came of a plan; times in seconds, memory in MiB."""

    actions: int
    seconds: float
    times: list[float] = field(default_factory=list, repr=False)
    processor: float = 0.0
    memory: list[float] = field(default_factory=list, repr=False)
    messages: int = 0
    repeated: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Actions a second."""
        return self.actions / self.seconds

    def quantile(self, part: float) -> float:
        """The time within which that part of the answers came."""
        ordered = sorted(self.times) or [0.0]
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]

    @property
    def growth(self) -> float:
        """By which part the memory grew from the first tenth of the time to the last."""
        part = max(1, len(self.memory) // 10)
        if len(self.memory) < 2 or not self.memory[0]:
            return 0.0
        return statistics.mean(self.memory[-part:]) / statistics.mean(self.memory[:part]) - 1


class Table:
    """A place at which match after match is played, so that one that ends is followed by another."""

    def __init__(self, client: Client, plan: Plan, seed: int) -> None:
        self._client, self._plan, self._seed = client, plan, seed
        self.players: list[Player] = []

    @property
    def player(self) -> Player:
        """The match that is played now."""
        return self.players[-1]

    async def start(self) -> None:
        """A new match."""
        seed = self._seed * 1000 + len(self.players)
        self.players.append(await Player.start(self._client, self._plan.game, self._plan.scenario, seed))

    async def step(self) -> float:
        """One action of the player who has to decide; gives the seconds until it was acknowledged."""
        while (view := await self.player.ready()) is None:
            await self.start()
        return await self.player.step(view)


@asynccontextmanager
async def _measured(server: ServerProcess, result: Result) -> AsyncIterator[None]:
    """Note processor time and memory while something is done."""

    async def sample() -> None:
        while True:
            result.memory.append(server.memory())
            await asyncio.sleep(SAMPLE_SECONDS)

    gc.collect()
    gc.freeze()
    gc.disable()  # the pauses of this process are none of the server's
    before, started = server.processor_time(), time.perf_counter()
    sampler = asyncio.create_task(sample())
    try:
        yield
    finally:
        gc.enable()
        sampler.cancel()
        result.seconds = time.perf_counter() - started
        result.processor = server.processor_time() - before


async def run(plan: Plan, source: Path, say: Say) -> Result:
    """Carry a plan out on a fresh server of a checkout, and check afterwards what it kept."""
    place = Place()
    server = ServerProcess(source, place.path)
    client = Client(server.url)
    try:
        return await _run(plan, server, client, say)
    finally:
        await client.close()
        server.stop()
        place.clear()


async def _run(plan: Plan, server: ServerProcess, client: Client, say: Say) -> Result:
    say(f"{plan.name}: {plan.matches} matches are made")
    tables = [Table(client, plan, seed) for seed in range(1, plan.matches + 1)]
    await _limited([table.start for table in tables], STARTS_AT_ONCE)
    watchers = await _open_windows(plan, tables, say)
    play = _paced if plan.pace else _at_full_speed
    say(f"{plan.name}: warming up")
    await _limited([partial(_begin, table, plan.begun) for table in tables], STARTS_AT_ONCE)
    await play(tables, plan, max(WARM_UP_SECONDS, WARM_UP_PART * plan.seconds if plan.pace else 0), Result(0, 0.0))
    result = Result(0, 0.0)
    heard = sum(watcher.messages for watcher in watchers)
    async with _measured(server, result):
        say(f"{plan.name}: measuring for {plan.seconds:.0f} s")
        await play(tables, plan, plan.seconds, result)
    result.messages = sum(watcher.messages for watcher in watchers) - heard
    say(f"{plan.name}: checking that nothing is lost")
    await _check(tables, watchers, result)
    return result


async def _open_windows(plan: Plan, tables: Sequence[Table], say: Say) -> list[Watcher]:
    if not plan.watchers:
        return []
    say(f"{plan.name}: {plan.watchers} windows are opened")
    first = tables[0].player
    whole = await first.client.ask("GET", f"/matches/{first.id}/view")
    watchers = []
    for number in range(plan.watchers):
        player = tables[number % len(tables)].player
        seats: list[str | None] = [None, *player.keys]
        watchers.append(Watcher(player, seats[number // len(tables) % len(seats)], "tag" in whole))
    for start in range(0, len(watchers), OPENED_AT_ONCE):
        some = watchers[start : start + OPENED_AT_ONCE]
        for watcher in some:
            watcher.start()
        while any(watcher.view is None and not watcher.failure for watcher in some):
            await asyncio.sleep(0.02)
    return watchers


async def _limited(works: Sequence[Callable[[], Coroutine[Any, Any, None]]], at_once: int) -> None:
    """Do coroutine functions one after another in several rows."""
    waiting = list(reversed(works))

    async def row() -> None:
        while waiting:
            await waiting.pop()()

    await asyncio.gather(*(row() for _ in range(at_once)))


async def _begin(table: Table, actions: int) -> None:
    for _ in range(actions):
        await table.step()


async def _at_full_speed(tables: Sequence[Table], plan: Plan, seconds: float, result: Result) -> None:
    """At each table the next action as soon as the last is answered."""
    end = time.perf_counter() + seconds

    async def play(table: Table) -> None:
        while time.perf_counter() < end:
            result.times.append(await table.step())
            result.actions += 1

    await asyncio.gather(*(play(table) for table in tables))


async def _paced(tables: Sequence[Table], plan: Plan, seconds: float, result: Result) -> None:
    """Actions at their times, somewhere; a late one counts from when it was due."""
    dice = random.Random(1)
    free = list(tables)
    running: set[asyncio.Task[None]] = set()
    started = time.perf_counter()
    due = started

    async def play(table: Table, wanted: float) -> None:
        view = await table.player.ready()
        if view is None:
            await table.start()
            view = await table.player.ready()
            assert view is not None
        late = max(0.0, time.perf_counter() - wanted) if lagging else 0.0
        result.times.append(late + await table.player.step(view))
        result.actions += 1
        free.append(table)

    while due < started + seconds:
        now = time.perf_counter()
        lagging = now - due > 10 * TICK_SECONDS
        while due <= now and free:
            place = dice.randrange(len(free))
            free[place], free[-1] = free[-1], free[place]
            task = asyncio.create_task(play(free.pop(), due))
            running.add(task)
            task.add_done_callback(running.discard)
            due += 1 / plan.pace
        await asyncio.sleep(TICK_SECONDS)
    await asyncio.gather(*running)


async def _check(tables: Sequence[Table], watchers: Sequence[Watcher], result: Result) -> None:
    """Every acknowledged action is in the log once, and every window shows the present."""
    players = [player for table in tables for player in table.players]
    result.repeated = sum(player.repeated for player in players)

    async def check_log(player: Player) -> None:
        result.problems += await player.wrong()

    async def check_window(watcher: Watcher) -> None:
        if not await watcher.told_all():
            result.problems.append(
                f"a window of match {watcher.match_id} was not told all ({watcher.failure or 'deaf'})"
            )

    await _limited([partial(check_log, player) for player in players], CHECKED_AT_ONCE)
    await _limited([partial(check_window, watcher) for watcher in watchers], CHECKED_AT_ONCE)
    await asyncio.gather(*(watcher.stop() for watcher in watchers))
