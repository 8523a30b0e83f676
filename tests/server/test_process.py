"""A process of one's own, and the thread that talks to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

import pytest

from rasputitsa.ai.players import pace
from rasputitsa.core.game import Decision
from rasputitsa.server.workers.analysis_jobs import AnalysisJobs, HintTask
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.bots import BotPool, Choice, _Worker
from rasputitsa.server.workers.process import OwnProcess
from tests.server import workers
from tests.support import PATIENCE


@pytest.fixture
def own() -> Iterator[OwnProcess]:
    process = OwnProcess("test")
    yield process
    process.close()


def said_back(own: OwnProcess, word: str) -> str:
    pipe = own.pipe(workers.echo)
    pipe.send(word)
    assert pipe.poll(PATIENCE)
    return str(pipe.recv())


def test_one_process_serves_until_it_is_stopped_and_then_another(own: OwnProcess) -> None:
    assert own.pid is None
    assert said_back(own, "a") == "a"
    first = own.pid
    assert said_back(own, "b") == "b" and own.pid == first
    own.send_now("in between")
    assert own.pipe(workers.echo).recv() == "in between"
    own.stop()
    assert own.pid is None
    assert said_back(own, "c") == "c" and own.pid not in (None, first)


def test_a_killed_process_ends_its_pipe(own: OwnProcess) -> None:
    pipe = own.pipe(workers.echo)
    own.kill()
    assert pipe.poll(PATIENCE)
    with pytest.raises((EOFError, OSError)):
        pipe.recv()


def test_a_process_that_is_closed_while_it_starts_does_not_live_on(own: OwnProcess) -> None:
    own.closed = True
    pipe = own.pipe(workers.echo)
    assert pipe.poll(PATIENCE)
    with pytest.raises((EOFError, OSError)):
        pipe.recv()


def test_a_job_cancelled_while_the_process_starts_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    start = OwnProcess.pipe

    async def ask() -> str:
        analysis_jobs = AnalysisJobs()

        def cancelled_meanwhile(own: OwnProcess, serve: Callable[[Connection], None]) -> Connection:
            pipe = start(own, workers.echo)
            monkeypatch.setattr(pipe, "send", sent.append)
            assert job is not None
            analysis_jobs.cancel(job)
            return pipe

        monkeypatch.setattr(OwnProcess, "pipe", cancelled_meanwhile)
        decision = Decision("axis", "axis", "movement", "", "", [], (), ())
        job = analysis_jobs.start(1, "axis", 0, HintTask("portfolio", {}, None, decision, 1.0), version=0)
        while analysis_jobs._tasks:
            await asyncio.sleep(0.05)
        await analysis_jobs.close()
        return job.state if job else ""

    # in a thread, for the browser tests leave a loop running in this one
    with ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: asyncio.run(asyncio.wait_for(ask(), PATIENCE))).result() == "cancelled"
    assert sent == []


@pytest.mark.parametrize("bot", ["planner-easy", "planner"])
def test_each_computer_player_is_given_its_part_of_the_usual_time(monkeypatch: pytest.MonkeyPatch, bot: str) -> None:
    given: list[float] = []

    async def choose(_: _Worker, turn: BotTurn, seconds: float, *_rest: Any) -> Choice:
        given.append(seconds)
        return Choice("done", None)

    monkeypatch.setattr(_Worker, "choose", choose)
    decision = Decision("axis", "axis", "movement", "", "", [], (), ())

    async def ask() -> None:
        pool = BotPool(1, 8.0)
        await pool.choose(BotTurn(1, 0, "portfolio", {}, "axis", bot, None, decision), lambda *_: None)
        pool.close()

    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: asyncio.run(asyncio.wait_for(ask(), PATIENCE))).result()
    assert given == [8.0 * pace(bot, "portfolio")]
