"""Limits, order, retries and restarts of computer players and analysis, with a process that only pretends."""

from __future__ import annotations

import asyncio
import pickle
import signal
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import pytest

from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.core.registry import get_game
from rasputitsa.server.errors import ApiError
from rasputitsa.server.workers import analysis_jobs, bots
from rasputitsa.server.workers.analysis_jobs import MOST_WAITING, SILENCE_SECONDS, AnalysisJobs, HintTask, Job
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.bots import GRACE_SECONDS, HURRY, TRIES, BotError, BotPool, Choice, _Worker
from tests.support import PATIENCE

DECISION = Decision("red", "red", "roll", "", "", [Action("roll"), Action("done")], (), ())


class Pretended:
    """In place of a process and its pipe: says in turn what it was given to say, and raises what is an exception."""

    def __init__(self, *says: Any) -> None:
        self.says, self.told, self.waited = list(says), list[Any](), list[float]()
        self.stops = self.kills = 0
        self.closed = False
        self.alive: bool | None = None

    async def talk(self, what: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(what)

    def pipe(self, _serve: Any) -> Pretended:
        return self

    def send(self, message: Any) -> None:
        self.told.append(message)

    send_now = send

    def poll(self, seconds: float = 0) -> bool:
        self.waited.append(seconds)
        return bool(self.says)

    def recv(self) -> Any:
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return pickle.loads(
            pickle.dumps(said)
        )  # no word that comes through a pipe is the very one that is written here

    def stop(self) -> None:
        self.stops += 1

    def kill(self) -> None:
        self.kills += 1

    def close(self) -> None:
        self.closed = True


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """In a thread, for the browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(lambda: asyncio.run(asyncio.wait_for(work, PATIENCE))).result()


# -- analysis ----------------------------------------------------------------------------------------


def task(staff: StaffLimits | None = None) -> HintTask:
    return HintTask("duel", {}, None, DECISION, 1.0, staff=staff)


def analysing(*says: Any, most_of_one: float = 0) -> tuple[AnalysisJobs, Pretended]:
    jobs, process = AnalysisJobs(most_of_one), Pretended(*says)
    jobs._process = cast(Any, process)
    return jobs, process


def ask(jobs: AnalysisJobs, match_id: int, ply: int = 0, version: int = 0, **more: Any) -> Job:
    job = jobs.start(match_id, "red", ply, task(more.pop("staff", None)), version=version, **more)
    assert job is not None
    return job


def test_no_more_jobs_wait_than_may() -> None:
    async def work() -> None:
        jobs, _ = analysing()
        waiting = [ask(jobs, number) for number in range(MOST_WAITING)]
        assert jobs.start(MOST_WAITING, "red", 0, task(), version=0) is None
        jobs.cancel(waiting[0])
        ask(jobs, MOST_WAITING)

    run(work())


def test_one_caller_has_no_more_jobs_than_one_may() -> None:
    async def work() -> None:
        jobs, _ = analysing(most_of_one=2)
        first = ask(jobs, 1, caller="anna")
        ask(jobs, 2, caller="anna")
        with pytest.raises(ApiError) as refused:
            ask(jobs, 3, caller="".join("anna"))  # an equal string, as each request brings its own
        assert refused.value.status == 429
        for number in (4, 5, 6):
            ask(jobs, number)  # of nobody in particular
        ask(jobs, 7, caller="boris")
        jobs.cancel(first)
        ask(jobs, 3, caller="anna")

    run(work())


def test_the_same_question_is_one_job_and_another_takes_the_place_of_the_old_one() -> None:
    async def work() -> None:
        jobs, _ = analysing()
        for number, changed in enumerate(({"ply": 1}, {"version": 1}, {"staff": StaffLimits(("39Pz",))})):
            first = ask(jobs, number)
            assert ask(jobs, number) is first
            second = ask(jobs, number, **changed)  # type: ignore[arg-type]
            assert second is not first and (first.state, second.state) == ("cancelled", "waiting")
            second.state = "done"
            assert ask(jobs, number, **changed) is second  # type: ignore[arg-type]
            second.state = "failed"
            assert ask(jobs, number, **changed) is not second  # type: ignore[arg-type]

    run(work())


def test_of_the_jobs_kept_the_oldest_that_is_over_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_jobs, "JOBS_KEPT", 3)

    async def work() -> None:
        jobs, _ = analysing()
        live, over, later = (ask(jobs, number) for number in (1, 2, 3))
        over.state = later.state = "done"
        last = ask(jobs, 4)
        assert [jobs.job(job.id) for job in (live, over, later, last)] == [live, None, later, last]
        jobs.forget(3)
        assert jobs.job(later.id) is None and live.live
        later = ask(jobs, 5)
        ask(jobs, 6)
        assert jobs.job(live.id) is None and live.state == "cancelled", "where none is over, the oldest of all"

    run(work())


async def worked(*says: Any) -> tuple[Job, Pretended, list[Any]]:
    """A job to its end, whose process says this; the job, the process, and what was handed on."""
    jobs, process = analysing(*says)
    handed: list[Any] = []
    job = ask(jobs, 1, finish=handed.append)
    while jobs._tasks:
        await asyncio.sleep(0)
    return job, process, handed


@pytest.mark.parametrize(
    ("says", "state", "text", "handed", "stops"),
    [
        ([("progress", 1, 3, "thinks"), ("done", "answer")], "done", "thinks", ["answer"], 0),
        ([("partial", "half"), ("failed", "no way")], "failed", "no way", ["half"], 0),
        ([("partial", "half"), EOFError()], "failed", "the analysis stopped unexpectedly", ["half"], 1),
        ([], "failed", "the analysis stopped unexpectedly", [], 1),
        ([RuntimeError()], "failed", "the analysis failed", [], 1),
    ],
)
def test_a_job_ends_as_its_process_says(says: list[Any], state: str, text: str, handed: list[Any], stops: int) -> None:
    job, process, given = run(worked(*says))
    assert (job.state, job.text, given, process.stops) == (state, text, handed, stops)
    assert process.waited[0] == SILENCE_SECONDS
    assert (job.done, job.total) == ((1, 3) if state == "done" else (0, 0))


def test_only_the_job_at_work_ends_the_process_and_what_it_says_then_is_not_heard() -> None:
    async def work() -> None:
        jobs, process = analysing()
        job, other = ask(jobs, 1), ask(jobs, 2)
        jobs._working = job.id
        jobs.cancel(other)
        assert process.kills == 0
        jobs.cancel(job)
        jobs.cancel(job)
        assert process.kills == 1
        analysis_jobs._take(job, ("done", "answer"))
        assert (job.state, job.result) == ("cancelled", None)
        await jobs.close()
        assert process.closed and process.told == []

    run(work())


# -- computer players --------------------------------------------------------------------------------


def turn(match_id: int = 1, **more: Any) -> BotTurn:
    return BotTurn(match_id, 0, "duel", {}, "blue", "random", None, DECISION, **more)


def worker(*says: Any) -> tuple[_Worker, Pretended]:
    made, process = _Worker(), Pretended(*says)
    made.process = cast(Any, process)
    return made, process


def test_a_worker_that_is_lost_is_asked_again_so_often_and_no_more() -> None:
    asked, process = worker(EOFError(), ("progress", 1, 2, "thinks"), OSError(), ("done", "roll", None))
    heard: list[Any] = []
    assert asked._ask(turn(), 8.0, lambda *said: heard.append(said)) == Choice("roll")
    assert (process.stops, len(process.told), heard) == (TRIES - 1, TRIES, [(1, 2, "thinks")])
    assert set(process.waited) == {8.0 + GRACE_SECONDS}
    asked, process = worker(*[EOFError()] * TRIES, ("done", "roll", None))
    with pytest.raises(BotError):
        asked._ask(turn(), 8.0, lambda *_: None)
    assert (process.stops, len(process.says)) == (TRIES, 1)


def test_a_worker_that_says_nothing_is_replaced_and_one_that_fails_is_not_asked_again() -> None:
    asked, process = worker()
    with pytest.raises(BotError):
        asked._ask(turn(), 8.0, lambda *_: None)
    assert process.stops == TRIES
    asked, process = worker(("failed", "a fault"), ("done", "roll", None))
    with pytest.raises(BotError):
        asked._ask(turn(), 8.0, lambda *_: None)
    assert (process.stops, len(process.told)) == (0, 1)


def test_nobody_is_asked_when_the_server_ends() -> None:
    asked, process = worker(("done", "roll", None))
    process.closed = True
    with pytest.raises(BotError):
        asked._ask(turn(), 8.0, lambda *_: None)
    assert process.told == []


def test_who_thinks_is_hurried_once_and_nobody_else() -> None:
    asked, process = worker(("progress",), ("done", "roll", None))
    asked.hurry(1)
    assert process.told == [], "nobody thinks"

    def hurry(*_: Any) -> None:
        for match_id in (2, 1, 1):
            asked.hurry(match_id)

    for _ in range(2):
        process.says = [("progress",), ("done", "roll", None)]
        asked._ask(turn(), 8.0, hurry)
        assert process.told.count(HURRY) == 1, "and again for the next decision"
        process.told.clear()
    asked.hurry(1)
    assert process.told == []


def test_a_hurry_that_comes_late_is_for_nobody(planner: type[Planner], monkeypatch: pytest.MonkeyPatch) -> None:
    asked, process = worker()

    class Next:
        """Somebody else's turn begins while the one who hurries waits."""

        def __enter__(self) -> None:
            asked._match_id = 2

        def __exit__(self, *_: object) -> None:
            pass

    asked._match_id, asked._sending = 1, cast(Any, Next())
    asked.hurry(1)
    assert process.told == []
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    state = get_game("duel").setup("short", {})
    pipe = Pretended(HURRY, (replace(turn(), state=state), 8.0), "while it thinks", EOFError())
    bots.serve(cast(Any, pipe))
    assert pipe.told == [("done", "roll", {"plan": 1})] and pipe.says == []


def test_a_match_always_asks_the_same_worker_and_its_creator_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "CREATORS_KEPT", 2)
    looked: list[int] = []

    def creator(match_id: int) -> str:
        looked.append(match_id)
        return "" if match_id == 3 else "anna"

    async def work() -> None:
        pool = BotPool(2, 8.0, creator)
        processes = [Pretended(), Pretended()]
        for made, process in zip(pool._workers, processes, strict=True):
            made.process = cast(Any, process)
        assert pool.processes() == []
        processes[1].alive = False
        assert pool.processes() == [False]
        assert [await pool._group(number) for number in (1, 1, 2, 1, 3, 2, 1)] == ["anna"] * 4 + ["3"] + ["anna"] * 2
        assert looked == [1, 2, 3, 1], "the first was forgotten when there were three"
        for number in (1, 3, 4):
            processes[number % 2].says = [("done", str(number), None)]
            assert (await pool.choose(turn(number), lambda *_: None)).action == str(number)
        pool.close()
        assert all(process.closed for process in processes)

    run(work())


class Planner:
    """Takes what it is given to take, and keeps a plan."""

    made: list[Planner]
    takes: Any = Action("roll")

    def __init__(self, *_: Any) -> None:
        self.planned, self.taken, self.left = 0, list[Any](), list[float]()
        type(self).made.append(self)

    def take_up(self, notes: Any, given: Any) -> None:
        self.taken.append((notes, given))

    def notes(self) -> Any:
        return {"plan": self.planned}

    def choose(self, _state: Any, _decision: Decision, clock: Any) -> Action:
        self.planned += not self.planned
        self.left.append(clock.left())
        if isinstance(self.takes, Exception):
            raise self.takes
        return cast(Action, self.takes)


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Planner]]:
    monkeypatch.setattr(bots, "player", Planner)
    Planner.made = []
    yield Planner
    Planner.takes = Action("roll")


def answers(turns: list[BotTurn], *says: Any) -> list[Any]:
    """What a process answers to these, one after the other; ``says``: what it is told while the first thinks."""
    players, pipe = OrderedDict[Any, Any](), cast(Any, Pretended(*says))
    state = get_game("duel").setup("short", {})
    return [bots._answer(replace(asked, state=state), 8.0, players, pipe) for asked in turns]


def test_a_player_has_the_time_there_is_until_it_is_hurried(planner: type[Planner]) -> None:
    for says, most in (((), 8.0), (("something else",), 8.0), ((HURRY,), 0.0)):
        answers([turn()], *says)
        (left,) = planner.made.pop().left
        assert left == most if not most else most - 1 < left <= most


def test_a_player_keeps_its_plan_and_takes_up_one_that_it_does_not_know(planner: type[Planner]) -> None:
    noted = ({"plan": 7}, (Action("done"),))
    first, second = answers([turn(notes=noted), turn(notes=noted)])
    assert (first, second) == (("done", "roll", {"plan": 1}), ("done", "roll", None)), "a plan is told once"
    (made,) = planner.made
    assert made.taken == [noted]


def test_the_player_not_asked_for_longest_is_forgotten(planner: type[Planner], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PLAYERS_KEPT", 2)
    answers([turn(number) for number in (1, 2, 1, 3, 1, 2)])
    assert len(planner.made) == 4, "the second is made again, the first never"


def test_what_a_player_may_not_do_or_cannot_is_a_failure(planner: type[Planner]) -> None:
    planner.takes = Action("win")
    assert answers([turn()])[0][:1] == ("failed",) and "not legal" in answers([turn()])[0][1]
    planner.takes = ValueError("a fault")
    assert answers([turn()]) == [("failed", "ValueError('a fault')")]
    planner.takes = EOFError()
    with pytest.raises(EOFError):
        answers([turn()])
