"""Timing helpers: the median of several rounds, so that one hiccup of the machine does not count."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
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
        start = perf_counter()
        while perf_counter() - start < seconds or not games:
            decisions += play(seed)
            games += 1
            seed += 1
        spent = perf_counter() - start
        results.append((decisions / spent, games / spent, decisions / games))
    return Rate(*(median(column) for column in zip(*results, strict=True)))


def microseconds(task: Callable[[], object], number: int = 2000, rounds: int = 5) -> float:
    """The median time of one call, in microseconds."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(number):
            task()
        times.append((perf_counter() - start) / number * 1e6)
    return median(times)
