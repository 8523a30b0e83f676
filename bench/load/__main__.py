"""``python -m bench.load``: how many actions the server takes, how soon it answers, and that it keeps them all."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.load import rally, strangers
from bench.load.phases import Plan, Result, run
from bench.load.server import SOURCE, ServerError

HEAD = f"{'':<44}{'actions/s':>10}{'p50 ms':>9}{'p99 ms':>9}{'CPU ms':>9}{'windows told/s':>16}{'MiB':>7}{'growth':>9}"


ALL_KEPT = 130
"""Entries after which a match keeps in memory all it ever keeps: the last entries, and two positions on the way. What
memory grows by from then on is what a server would lose."""


def plans(long: bool, seconds: float, only: Sequence[str]) -> list[Plan]:
    """What is measured."""
    listed = {
        "fast": Plan("10 matches at full speed", 10, 0, seconds),
        "watched": Plan("10 matches, 200 windows, at full speed", 10, 200, seconds),
        "crowd": Plan("200 matches at full speed", 200, 0, seconds),
        "live": Plan(
            "1,000 matches with windows, 100 actions/s",
            1000,
            1000,
            600 if long else 2 * seconds,
            100,
            ALL_KEPT if long else 4,
        ),
    }
    return [plan for name, plan in listed.items() if not only or name in only]


def line(name: str, result: Result) -> str:
    """A line of the table."""
    cost = 1000 * result.processor / max(1, result.actions)
    memory = result.memory[-1] if result.memory else 0.0
    return (
        f"{name:<44}{result.rate:10,.0f}{1000 * result.quantile(0.5):9.1f}{1000 * result.quantile(0.99):9.1f}"
        f"{cost:9.2f}{result.messages / result.seconds:16,.0f}{memory:7,.0f}{result.growth:9.1%}"
    )


def say(text: str) -> None:
    """Tell what is being waited for, on the terminal only."""
    if sys.stderr.isatty():
        print(f"\r{text} ...\033[K", end="", file=sys.stderr, flush=True)


def hush() -> None:
    """Take that away again."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


async def measure(listed: Sequence[Plan], sources: dict[str, Path]) -> bool:
    """Print the table; whether everything was kept."""
    kept = True
    print(HEAD)
    for plan in listed:
        results = {}
        for name, source in sources.items():
            result = results[name] = await run(plan, source, say)
            hush()
            print(line(f"{plan.name}{f', {name}' if name else ''}", result), flush=True)
            print(
                f"  {result.actions:,} actions in {result.seconds:.0f} s; p99.9 {1000 * result.quantile(0.999):.0f} ms,"
                f" longest {1000 * result.quantile(1):.0f} ms; {result.repeated} sent again after a lost connection"
            )
            for problem in result.problems[:5]:
                kept = False
                print(f"  WRONG: {problem}")
            if len(result.problems) > 5:
                print(f"  ... and {len(result.problems) - 5} more")
        if len(results) > 1 and not plan.pace:
            ours, other = results.values()
            print(f"  {ours.rate / other.rate:.1f} times as many actions")
    return kept


async def amid_strangers(source: Path, seconds: float) -> bool:
    """Print what a player notices of strangers; whether everything was kept."""
    print(f"{'A player among strangers, 10 actions/s':<44}{'p50 ms':>10}{'p95 ms':>9}{'p99 ms':>9}{'longest':>9}")
    try:
        found = await strangers.measure(source, seconds, say)
    except (ServerError, OSError) as problem:
        hush()
        print(f"not measured: {problem}")
        return True
    hush()
    for words, result in found:
        p50, p95, p99, most = (1000 * result.quantile(part) for part in (0.5, 0.95, 0.99, 1))
        print(f"{words:<44}{p50:10.1f}{p95:9.1f}{p99:9.1f}{most:9.1f}")
    problems = [text for _, result in found for text in result.problems]
    for wrong in problems[:5]:
        print(f"  WRONG: {wrong}")
    return not problems


async def other(plan: Plan, checkout: Path) -> None:
    """Print a line about another server, which commits without waiting for the disk."""
    try:
        result = await rally.run(plan, checkout.resolve(), say)
    except (ServerError, OSError) as problem:
        hush()
        print(f"{plan.name:<44} not measured: {problem}")
        return
    hush()
    print(line(plan.name, result), flush=True)
    print("  It answers before its database is told, which does not wait for the disk; other rules, other views.")


def main() -> None:
    """Measure everything, printing each figure as it comes."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Measure the server under load.")
    parser.add_argument("--long", action="store_true", help="ten minutes of 1,000 matches instead of half a minute")
    parser.add_argument("--seconds", type=float, default=15.0, help="length of a part")
    parser.add_argument("--only", nargs="*", default=[], choices=["fast", "watched", "crowd", "live", "strangers"])
    parser.add_argument("--compare", type=Path, help="another checkout of this program, measured in turn with this one")
    parser.add_argument(
        "--rally", type=Path, help="a checkout of the server of Rally the Troops that is ready to run, measured as well"
    )
    given = parser.parse_args()
    sources = {"": SOURCE}
    if given.compare:
        sources = {"here": SOURCE, "there": given.compare.resolve() / "src"}
    print(
        f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores for server and load both"
    )
    listed = plans(given.long, given.seconds, given.only)
    kept = asyncio.run(measure(listed, sources)) if listed else True
    if not given.only or "strangers" in given.only:
        kept = asyncio.run(amid_strangers(SOURCE, given.seconds)) and kept
    if given.rally:
        asyncio.run(other(Plan("Rally the Troops, 10 games at full speed", 10, 0, given.seconds), given.rally))
    print("Every acknowledged action was kept, once; every window was told." if kept else "SOMETHING WAS LOST.")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
