"""Advice, worked out in a process of its own: hints for a seat, and the course of a whole match.

A job is asked for, looked after and fetched with short requests, so that it outlives a closed page and can be
cancelled. Jobs wait for each other: one process thinks at a time, with less claim to the machine than the opponents.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

from rasputitsa.ai.advice.shapes import Course, HintResult
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.ai.memory import Memory
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.server.errors import too_many
from rasputitsa.server.shapes import live as shapes
from rasputitsa.server.workers.fair_queue import FairQueue
from rasputitsa.server.workers.process import OwnProcess

log = logging.getLogger(__name__)

JOBS_KEPT = 200
SILENCE_SECONDS = 180.0
"""How long the process may say nothing before it counts as lost."""
NICE = 5
MOST_WAITING = 32
FAILED = "the computer could not work this out; the log of the server says why"

Kind = Literal["hint", "course"]
State = Literal["waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class HintTask:
    """A question for which a hint is wanted, with no more than its seat may know."""

    game: str
    options: dict[str, str]
    view: Any
    decision: Decision
    seconds: float
    data: str = ""
    """The version of the data the match is played with; empty for those of today."""
    memory: Memory | None = None
    """What the seat remembers of the game."""
    staff: StaffLimits | None = None
    """For whom a staff plans; None for a hint to the whole question."""


@dataclass(frozen=True, slots=True)
class CourseTask:
    """A match to be gone through, with the eyes of a seat or of all."""

    header: Header
    entries: list[Entry]
    seat: str | None
    known: Mapping[str, Any] | None
    seconds: float


@dataclass(slots=True)
class Job:
    """One piece of work and how far it has come."""

    id: str
    match_id: int
    seat: str
    kind: Kind
    ply: int
    state: State = "waiting"
    done: int = 0
    total: int = 0
    text: str = ""
    result: HintResult | Course | None = None
    finish: Callable[[HintResult | Course], None] | None = field(default=None, repr=False)
    """Called with the last result, whole or not, when the job ends."""
    caller: str | None = None
    """Whom the job counts for."""
    version: int = 0
    staff: StaffLimits | None = None

    @property
    def live(self) -> bool:
        """Whether there is more to come."""
        return self.state in ("waiting", "running")

    def to_json(self) -> shapes.Job:
        """What a client is sent."""
        return {
            "id": self.id, "kind": self.kind, "ply": self.ply, "state": self.state, "done": self.done,
            "total": self.total, "text": self.text, "result": self.result,
        }  # fmt: skip


class AnalysisJobs:
    """The jobs, and the process that works on them."""

    def __init__(self, most_of_one: float = 0) -> None:
        """``most_of_one``: jobs of one caller that wait or run at most; 0 is no limit."""
        self._most_of_one = most_of_one
        self._process = OwnProcess("analysis")
        self._line = FairQueue()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._working: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(
        self,
        match_id: int,
        seat: str,
        ply: int,
        task: HintTask | CourseTask,
        finish: Callable[[HintResult | Course], None] | None = None,
        *,
        version: int,
        caller: str | None = None,
    ) -> Job | None:
        """Begin a job; the same one asked for twice is one job, and an older one of the same kind is dropped.

        ``version`` is that of what the seat is shown: after a step back the same ply can be another position.

        None when too many are waiting already.

        Raises:
            ApiError: 429, too many of this caller's are waiting.
        """
        kind: Kind = "hint" if isinstance(task, HintTask) else "course"
        staff = task.staff if isinstance(task, HintTask) else None
        for job in list(self._jobs.values()):
            if (job.match_id, job.seat, job.kind) != (match_id, seat, kind):
                continue
            if (job.ply, job.version, job.staff) == (ply, version, staff) and (job.live or job.state == "done"):
                return job
            self.cancel(job)
        if sum(job.live for job in self._jobs.values()) >= MOST_WAITING:
            return None
        mine = sum(job.live and job.caller == caller for job in self._jobs.values())
        if caller is not None and self._most_of_one and mine >= self._most_of_one:
            raise too_many("the computer is still working on several of your questions; please wait for them", 5)
        job = Job(
            secrets.token_urlsafe(9),
            match_id,
            seat,
            kind,
            ply,
            finish=finish,
            caller=caller,
            version=version,
            staff=staff,
        )
        self._jobs[job.id] = job
        while len(self._jobs) > JOBS_KEPT:
            jobs = self._jobs.values()
            oldest = next((job for job in jobs if not job.live), next(iter(jobs)))
            self.cancel(oldest)
            del self._jobs[oldest.id]
        running = asyncio.create_task(self._run(job, task))
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)
        return job

    def job(self, job_id: str) -> Job | None:
        """A job by its id."""
        return self._jobs.get(job_id)

    def cancel(self, job: Job) -> None:
        """Stop a job at once; what it has found so far stays."""
        if not job.live:
            return
        job.state = "cancelled"
        if self._working == job.id:
            self._process.kill()

    def forget(self, match_id: int) -> None:
        """Drop everything about a match."""
        for job in [job for job in self._jobs.values() if job.match_id == match_id]:
            self.cancel(job)
            del self._jobs[job.id]

    async def close(self) -> None:
        """End the process."""
        self._process.closed = True
        for job in self._jobs.values():
            self.cancel(job)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._process.close)

    # -- talking to the process ------------------------------------------------------------------------

    async def _run(self, job: Job, task: HintTask | CourseTask) -> None:
        loop = asyncio.get_running_loop()

        def hear(message: tuple[Any, ...]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
                loop.call_soon_threadsafe(_take, job, message)

        try:
            async with self._line.turn(job.caller or f"{job.match_id} {job.seat}"):
                await self._process.talk(lambda: self._work(job, task, hear))
        except (EOFError, OSError, TimeoutError) as problem:
            if job.state != "cancelled":
                log.warning("the analysis of match %d was lost: %r", job.match_id, problem)
                job.state, job.text = "failed", "the analysis stopped unexpectedly"
        except Exception:  # nobody awaits this task: the job must end
            log.exception("analysis of match %d", job.match_id)
            job.state, job.text = "failed", "the analysis failed"
        if job.finish is not None and job.result is not None:
            job.finish(job.result)

    def _work(self, job: Job, task: HintTask | CourseTask, hear: Callable[[tuple[Any, ...]], None]) -> None:
        if self._process.closed or not job.live:
            return
        pipe = self._process.pipe(serve)
        self._working = job.id
        try:
            if not job.live:  # cancelled while the process was starting
                return
            hear(("running",))
            pipe.send(task)
            while True:
                if not pipe.poll(SILENCE_SECONDS):
                    raise TimeoutError("no answer")
                message = pipe.recv()
                hear(message)
                if message[0] in ("done", "failed"):
                    return
        except BaseException:
            self._process.stop()
            raise
        finally:
            self._working = None


def _take(job: Job, message: tuple[Any, ...]) -> None:
    """Write down what the process says."""
    kind, *rest = message
    if not job.live:
        return
    if kind == "running":
        job.state = "running"
    elif kind == "progress":
        job.done, job.total, job.text = rest
    elif kind == "partial":
        job.result = rest[0]
    elif kind == "done":
        job.result, job.state = rest[0], "done"
    else:
        job.state, job.text = "failed", str(rest[0])


def serve(pipe: Connection) -> None:
    """The process: one task after the other until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(EOFError, OSError):
        while True:
            _answer(pipe.recv(), pipe)


def _answer(task: HintTask | CourseTask, pipe: Connection) -> None:
    def report(done: int, total: int, text: str) -> None:
        pipe.send(("progress", done, total, text))

    try:
        result = _hint(task, report) if isinstance(task, HintTask) else _course(task, report, pipe)
    except (EOFError, OSError):
        raise
    except RasputitsaError as problem:
        pipe.send(("failed", str(problem)))
    except Exception:  # the process serves others as well
        log.exception("analysis failed")
        pipe.send(("failed", FAILED))
    else:
        pipe.send(("done", result))


def _hint(task: HintTask, report: Callable[[int, int, str], None]) -> HintResult:
    from rasputitsa.ai.advice.analysis import hint
    from rasputitsa.ai.players import TimedClock
    from rasputitsa.core.registry import game_of_version

    clock = TimedClock(task.seconds, report=report)
    game = game_of_version(task.game, task.data)
    return hint(game, task.view, task.decision, clock, task.options, task.memory, task.staff).to_json()


def _course(task: CourseTask, report: Callable[[int, int, str], None], pipe: Connection) -> Course:
    from rasputitsa.ai.advice.course import course
    from rasputitsa.core.record.session import Session

    session = Session.from_entries(task.header, task.entries)
    for part in course(session, task.seat, report, task.known, task.seconds):
        found = part.to_json()
        pipe.send(("partial", found))
    return found
