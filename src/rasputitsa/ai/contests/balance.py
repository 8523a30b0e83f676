"""What many games of equal opponents say about a scenario: who wins, how the game runs, where the front stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from rasputitsa.ai.contests.ratings import wilson

LOW, HIGH = 0.1, 0.9
"""The band of a course: the middle four fifths of the games."""

Line = Mapping[str, Any]


class Course(NamedTuple):
    """A number over the turns: mean, and the band of most games."""

    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]


class Wins(NamedTuple):
    """The games a side has won."""

    side: str
    wins: int
    games: int
    low: float
    high: float


class Turns(NamedTuple):
    """The turns some games reached."""

    numbers: list[int]
    dates: list[str]
    games: list[int]


def wins(games: Sequence[Line], sides: Sequence[str]) -> list[Wins]:
    """Wins of each side with the Wilson interval."""
    counts = Counter(game["winner"] for game in games)
    return [Wins(side, counts[side], len(games), *wilson(counts[side], len(games))) for side in sides]


class Reason(NamedTuple):
    """One way games ended: who won by it, how it was put, how often, and in which turn on average."""

    winner: str
    words: str
    games: int
    turn: float


def reasons(games: Sequence[Line]) -> list[Reason]:
    """The ways the games ended, the most frequent first; of games kept without their ``ending``, the whole reason."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        words = str(game.get("ending") or game.get("reason") or game["level"])
        found[str(game["winner"] or "nobody"), words].append(float(game.get("turn") or 0))
    told = [Reason(winner, words, len(ends), fmean(ends)) for (winner, words), ends in found.items()]
    return sorted(told, key=lambda reason: (-reason.games, reason.winner, reason.words))


def holders(games: Sequence[Line], numbers: Sequence[int], hex_: str) -> list[float | None]:
    """Over the turns: the share of the games that got so far in which the side whose control is counted holds a hex."""

    def held(sample: Line) -> float | None:
        told = next(iter(sample["control"].values()), None)
        return None if told is None else float(hex_ in told)

    return course(games, numbers, held).mean


def turns(games: Sequence[Line]) -> Turns:
    """The turns of the samples, in order."""
    dates: dict[int, str] = {}
    counts: Counter[int] = Counter()
    for game in games:
        for number, sample in _by_turn(game).items():
            dates[number] = str(sample["date"])
            counts[number] += 1
    numbers = sorted(dates)
    return Turns(numbers, [dates[n] for n in numbers], [counts[n] for n in numbers])


def _by_turn(game: Line) -> dict[int, Line]:
    """The sample of each turn; of two in one turn, such as the last, the first counts."""
    found: dict[int, Line] = {}
    for sample in game["samples"]:
        if isinstance(sample["turn"], int):
            found.setdefault(sample["turn"], sample)
    return found


def course(games: Sequence[Line], numbers: Sequence[int], value: Callable[[Line], float | None]) -> Course:
    """How a number runs over the turns, among the games that reached them."""
    found: dict[int, list[float]] = defaultdict(list)
    for game in games:
        for number, sample in _by_turn(game).items():
            worth = value(sample)
            if worth is not None:
                found[number].append(worth)
    mean: list[float | None] = [fmean(found[n]) if found[n] else None for n in numbers]
    return Course(mean, [_share(found[n], LOW) for n in numbers], [_share(found[n], HIGH) for n in numbers])


def _share(values: list[float], share: float) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    return ordered[round(share * (len(ordered) - 1))]


def of_side(field: str, side: str) -> Callable[[Line], float | None]:
    """Reads one side's value of a field of the samples."""

    def value(sample: Line) -> float | None:
        worth = sample.get(field, {}).get(side)
        return None if worth is None else float(worth)

    return value


def control(games: Sequence[Line], number: int) -> tuple[str, dict[str, float], int]:
    """At the start of a turn: whose control is counted, its share of games for each hex, and the number of games."""
    seen = [sample for game in games if (sample := _by_turn(game).get(number)) and sample["control"]]
    if not seen:
        return "", {}, 0
    side = next(iter(seen[0]["control"]))
    counts = Counter(name for sample in seen for name in sample["control"].get(side, ()))
    return side, {name: count / len(seen) for name, count in counts.items()}, len(seen)
