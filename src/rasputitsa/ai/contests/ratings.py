"""Scores with their intervals, and Elo ratings: a Bradley-Terry model with an advantage of one side.

The chance that a beats b is ``1 / (1 + 10 ** ((b - a - s) / 400))``, s being the advantage of a's side. Ratings and
advantage are those that make the results most likely. A weak prior, worth one drawn game of every player against an
average one, keeps players without a loss finite. Intervals are the wider of two at either end: the ladder played again
many times, games drawn with replacement within each pairing; and the curvature of the likelihood, without which
somebody who won every game would seem to be rated exactly.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

MEAN = 1500.0
SCALE = 400 / log(10)
PRIOR_GAMES = 1.0
ROUNDS = 200
LOW, HIGH, Z = 0.025, 0.975, 1.96
STEPS = 60
TOLERANCE = 1e-7


class Meeting(NamedTuple):
    """One game: who played the first side, who the other, and what the first scored (1, 0.5 or 0)."""

    first: str
    second: str
    score: float


class Rating(NamedTuple):
    """A rating and its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Tally:
    """Games counted for somebody."""

    wins: int
    draws: int
    games: int

    @property
    def score(self) -> float:
        """The share of games won, a draw for half a game."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Of the score, 95 %."""
        return wilson(self.wins, self.games, self.draws)


class Table(NamedTuple):
    """The ratings of a ladder."""

    players: dict[str, Rating]
    advantage: Rating
    """Of the first side, in Elo points."""


def rate(meetings: Sequence[Meeting], rounds: int = ROUNDS, seed: int = 0) -> Table:
    """Ratings with intervals; the same games give the same table."""
    names = sorted({name for game in meetings for name in (game.first, game.second)})
    best, errors = _fit(names, meetings)
    dice = random.Random(seed)
    pairings: dict[tuple[str, str], list[Meeting]] = defaultdict(list)
    for game in meetings:
        pairings[game.first, game.second].append(game)
    groups = [pairings[key] for key in sorted(pairings)]
    again = [_fit(names, [dice.choice(group) for group in groups for _ in group])[0] for _ in range(rounds)]
    spans = [_span(best[place], errors[place], [fit[place] for fit in again]) for place in range(len(names) + 1)]
    found = [Rating(_elo(value), _elo(low), _elo(high)) for value, (low, high) in zip(best, spans, strict=True)]
    advantage = Rating(*(value - MEAN for value in found[-1]))
    return Table(dict(zip(names, found, strict=False)), advantage)


def _elo(value: float) -> float:
    return MEAN + SCALE * value


def _span(value: float, error: float, drawn: list[float]) -> tuple[float, float]:
    low, high = value - Z * error, value + Z * error
    if not drawn:
        return low, high
    ordered = sorted(drawn)
    last = len(ordered) - 1
    return min(low, ordered[round(LOW * last)]), max(high, ordered[round(HIGH * last)])


def _fit(names: list[str], meetings: Sequence[Meeting]) -> tuple[list[float], list[float]]:
    """The likeliest values by Newton's method, and their standard errors; the last is the side's advantage."""
    place = {name: number for number, name in enumerate(names)}
    totals: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for game in meetings:
        pair = totals[place[game.first], place[game.second]]
        pair[0] += 1
        pair[1] += game.score
    size = len(names) + 1
    values = [0.0] * size
    for _ in range(STEPS):
        slope, curve = _slope(values, totals, size)
        step = _solve(curve, slope)
        # a step of more than four is a leap over where the model is nearly flat
        longest = max(4.0, *(abs(part) for part in step))
        values = [value + part * 4.0 / longest for value, part in zip(values, step, strict=True)]
        if max(abs(part) for part in step) < TOLERANCE:
            break
    middle = sum(values[:-1]) / max(1, size - 1)
    return [*(value - middle for value in values[:-1]), values[-1]], _errors(_slope(values, totals, size)[1])


def _errors(curve: list[list[float]]) -> list[float]:
    """Standard errors of the ratings about their mean, and of the advantage."""
    size = len(curve)
    count = size - 1
    errors = []
    for place in range(size):
        share = [1.0 if n == place else 0.0 for n in range(size)]
        if place < count:
            share = [part - 1 / count if n < count else part for n, part in enumerate(share)]
        variance = sum(a * b for a, b in zip(share, _solve(curve, share), strict=True))
        errors.append(max(0.0, variance) ** 0.5)
    return errors


def _slope(
    values: list[float], totals: dict[tuple[int, int], list[float]], size: int
) -> tuple[list[float], list[list[float]]]:
    """First and (negative) second derivatives."""
    slope = [0.0] * size
    curve = [[0.0] * size for _ in range(size)]
    for number in range(size):  # the prior: a drawn game against an average player, for the side too
        expected = 1 / (1 + exp(-values[number]))
        slope[number] += PRIOR_GAMES * (0.5 - expected)
        curve[number][number] += PRIOR_GAMES * expected * (1 - expected)
    side = size - 1
    for (first, second), (games, score) in totals.items():
        expected = 1 / (1 + exp(-(values[first] - values[second] + values[side])))
        weight = games * expected * (1 - expected)
        parts = {side: 1.0}
        for number, sign in ((first, 1.0), (second, -1.0)):
            parts[number] = parts.get(number, 0.0) + sign
        for a, share in parts.items():
            slope[a] += share * (score - games * expected)
            for b, other in parts.items():
                curve[a][b] += weight * share * other
    return slope, curve


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination; the prior keeps the matrix positive definite."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for r in range(column + 1, size):
            share = rows[r][column] / rows[column][column]
            if share:
                rows[r] = [a - share * b for a, b in zip(rows[r], rows[column], strict=True)]
    found = [0.0] * size
    for r in reversed(range(size)):
        found[r] = (rows[r][size] - sum(rows[r][c] * found[c] for c in range(r + 1, size))) / rows[r][r]
    return found


def wilson(wins: int, games: int, draws: int = 0) -> tuple[float, float]:
    """The 95 % interval of a score in which a draw counts half.

    Draws deviate less from the mean than wins and losses, so with many of them fewer games are as informative. Their
    share is taken a little low, as if there were four more games, so that a few draws do not decide.
    """
    if not games:
        return 0.0, 1.0
    z = Z
    rate = (wins + draws / 2) / games
    spread = rate * (1 - rate)
    said = games * spread / (spread - draws / (games + 4) / 4) if spread else games
    middle = rate + z * z / (2 * said)
    half = z * sqrt(spread / said + z * z / (4 * said * said))
    whole = 1 + z * z / said
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)
