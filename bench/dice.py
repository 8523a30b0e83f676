"""``python -m bench.dice``: whether many dice are spread evenly and depend on nothing.

Dice of six sides are cast from one seed in several streams, as in a game. Counted are single dice and pairs of
neighbours; correlated are each die with the next ones of its stream, and with the same number of the other streams.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections import Counter
from math import sqrt

from rasputitsa.cli.dice import chance_of, chi_square
from rasputitsa.core.dice import DIE, SeededDice

STREAMS = ("combat", "retreat", "weather", "submarine")
LAGS = (1, 2, 3, 6, 10)
STEP = 100_000


def cast(seed: int, rolls: int) -> dict[str, bytes]:
    """The dice of each stream, a byte each."""
    dice = SeededDice(seed)
    shown = {stream: bytearray() for stream in STREAMS}
    done = 0
    while done < rolls:
        for stream in STREAMS:
            shown[stream] += bytes(dice.roll(stream) for _ in range(min(STEP, -(-rolls // len(STREAMS)))))
            dice.drawn.clear()
        done = sum(map(len, shown.values()))
        if sys.stderr.isatty():
            print(f"\r{done:,} dice\033[K", end="", file=sys.stderr, flush=True)
    return {stream: bytes(values) for stream, values in shown.items()}


def correlation(one: bytes, other: bytes) -> float:
    """How far two rows of fair dice go together, in standard errors."""
    pairs = Counter(zip(one, other, strict=False))
    count = sum(pairs.values())
    mean, variance = (DIE + 1) / 2, (DIE * DIE - 1) / 12
    together = sum((a - mean) * (b - mean) * times for (a, b), times in pairs.items())
    return together / count / variance * sqrt(count)


def evenness(name: str, counts: Counter[object], classes: int) -> str:
    """A line with chi-square and how likely fair dice give as much."""
    total = sum(counts.values())
    square = chi_square([*counts.values()] + [0] * (classes - len(counts)), [total / classes] * classes)
    return (
        f"{name}: chi-square {square:.2f} with {classes - 1} degrees of freedom, p {chance_of(square, classes - 1):.3f}"
    )


def main() -> None:
    """Cast, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=None, help="by default a fresh one")
    asked = parser.parse_args()
    seed = secrets.randbits(254) if asked.seed is None else asked.seed
    shown = cast(seed, asked.rolls)
    print(f"\r{sum(map(len, shown.values())):,} dice of six sides from seed {seed}")
    for stream, values in shown.items():
        print(evenness(stream, Counter(values), DIE))
        print(evenness(f"{stream}, pairs", Counter(zip(values[::2], values[1::2], strict=False)), DIE * DIE))
        lags = ", ".join(f"{lag}: {correlation(values[:-lag], values[lag:]):+.2f}" for lag in LAGS)
        print(f"{stream}, serial correlation in standard errors, lag {lags}")
    print(evenness("all", sum((Counter(values) for values in shown.values()), Counter()), DIE))
    first, *others = shown.values()
    across = ", ".join(f"{correlation(first, other):+.2f}" for other in others)
    print(f"{STREAMS[0]} with the other streams, in standard errors: {across}")


if __name__ == "__main__":
    main()
