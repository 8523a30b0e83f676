"""Many games at once: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

from rasputitsa.ai.contests.contest import Job, Played, play_contest
from rasputitsa.core.errors import RasputitsaError

TRIES = 3
"""How often a game is begun when the process that plays it dies."""


class ClusterError(RasputitsaError):
    """A cluster cannot be used."""


def play_all(jobs: Sequence[Job], processes: int = 1, cluster: str | None = None) -> Iterator[Played]:
    """Play the games and give each result as soon as it is there, in no fixed order."""
    if cluster is not None:
        yield from _on_cluster(jobs, cluster)
    elif processes <= 1:
        yield from map(play_contest, jobs)
    else:
        yield from _in_processes(jobs, processes)


def _in_processes(jobs: Sequence[Job], processes: int) -> Iterator[Played]:
    """A process that dies takes the pool with it; the games under way are begun again in a fresh one."""
    waiting = list(jobs)
    tries = dict.fromkeys((job.id for job in jobs), 0)
    while waiting:
        unfinished: list[Job] = []
        with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                yield from _through(pool, waiting, processes, unfinished)
            except GeneratorExit:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        for job in unfinished:
            tries[job.id] += 1
            if tries[job.id] >= TRIES:
                raise RasputitsaError(f"the process that played game {job.id} died {TRIES} times")
        waiting = unfinished


def _through(
    pool: ProcessPoolExecutor, jobs: Sequence[Job], processes: int, unfinished: list[Job]
) -> Iterator[Played]:  # fmt: skip
    """Play jobs through a pool, a few in hand for each process; what a broken pool left over goes to ``unfinished``."""
    queue = iter(jobs)
    running: dict[Future[Played], Job] = {}
    broken = False

    def fill() -> None:
        nonlocal broken
        while not broken and len(running) < processes * 2 and (job := next(queue, None)) is not None:
            try:
                running[pool.submit(play_contest, job)] = job
            except BrokenProcessPool:
                broken = True
                unfinished.append(job)

    fill()
    while running:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            job = running.pop(future)
            try:
                yield future.result()
            except BrokenProcessPool:
                broken = True
                unfinished.append(job)
        fill()
    unfinished.extend(queue)


def _on_cluster(jobs: Sequence[Job], address: str) -> Iterator[Played]:
    ray = _ray()
    try:
        ray.init(address=None if address == "local" else address, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as problem:
        raise ClusterError(f"there is no Ray cluster at {address!r}: {problem}") from problem
    try:
        play = ray.remote(play_contest).options(max_retries=TRIES - 1)
        queue = iter(jobs)
        at_once = max(2, round(2 * ray.cluster_resources().get("CPU", 1)))
        running = [play.remote(job) for job in islice(queue, at_once)]
        while running:
            done, running = ray.wait(running)
            for reference in done:
                result: Played = ray.get(reference)
                yield result
            running += [play.remote(job) for job in islice(queue, len(done))]
    finally:
        with contextlib.suppress(Exception):
            ray.shutdown()


def _ray() -> Any:
    # else Ray sends the folder to its workers and starts each by `uv run`, where it was itself started so
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    try:
        import ray
    except ModuleNotFoundError as problem:
        raise ClusterError(
            "Ray is not installed; games on a cluster need the extra: pip install 'rasputitsa[cluster]'"
        ) from problem
    return ray
