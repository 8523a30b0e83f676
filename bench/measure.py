"""Timing helpers: the median of several rounds, so that one hiccup of the machine does not count.

Rates of one process are by its own processor time, so that other programs on the machine do not count either.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple


class Rate(NamedTuple):
    """How often something was done in a second, and how many games that makes."""

    per_second: float
    games_per_second: float
    per_game: float


def rate(play: Callable[[int], int], seconds: float, rounds: int = 3) -> Rate:
    """The median rate of ``play(seed)``, which plays one game and returns how many decisions it had."""
    results = []
    seed = 0
    for _ in range(rounds):
        decisions = games = 0
        start = process_time()
        while process_time() - start < seconds or not games:
            decisions += play(seed)
            games += 1
            seed += 1
        spent = process_time() - start
        results.append((decisions / spent, games / spent, decisions / games))
    return Rate(*(median(column) for column in zip(*results, strict=True)))


class Throughput(NamedTuple):
    """Decisions a second by the clock on the wall, and by the processor time that was to be had."""

    by_clock: float
    by_processor: float


def throughput(play: Callable[[int], int], seconds: float) -> Throughput:
    """For comparing one process with several at once."""
    decisions = seed = 0
    start, busy = perf_counter(), process_time()
    while perf_counter() - start < seconds:
        decisions += play(seed)
        seed += 1
    return Throughput(decisions / (perf_counter() - start), decisions / (process_time() - busy))


def microseconds(task: Callable[[], object], number: int = 2000, rounds: int = 5) -> float:
    """The median time of one call, in microseconds."""
    times = []
    for _ in range(rounds):
        start = process_time()
        for _ in range(number):
            task()
        times.append((process_time() - start) / number * 1e6)
    return median(times)
