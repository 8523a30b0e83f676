"""What lies in the pools of both sides of War in Russia, month by month: what runs over is lost (8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Any

from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.tables import AIR_POOL, POOLS, sheet
from rasputitsa.wir.model.theatre import SIDES

Line = Mapping[str, Any]
SHOWN = POOLS[: AIR_POOL + 1]
"""The pools that are spent on armies."""


def report(lines: Sequence[Line]) -> str:
    """A table of months, the middle of all campaigns, and how long each pool was full without a break."""
    heads = ["month", "campaigns", *(f"{side} {name}" for side in SIDES for name in SHOWN)]
    text = ["### Pools", "", "The middle of the campaigns at the start of each month; in bold what is full.", ""]
    text += [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    months = [_months(line) for line in lines]
    for month in sorted({month for found in months for month in found}):
        stands = [found[month] for found in months if month in found]
        cells = [_cell(name, median(one[side]["pools"][name] for one in stands)) for side in SIDES for name in SHOWN]
        text.append(f"| {' | '.join([month, str(len(stands)), *cells])} |")
    text += ["", "Months in a row in which a pool was full, at most, in each campaign:", ""]
    for side in SIDES:
        runs = {name: [_longest(found, side, name) for found in months] for name in SHOWN}
        text.append(f"- {side}: " + ", ".join(f"{name} {', '.join(map(str, runs[name]))}" for name in SHOWN))
    return "\n".join(text)


def most_in(pool: str) -> int:
    """What a pool holds, with the shipped figures."""
    return int(sheet(DATA)["production"]["pool"][pool])


def _months(line: Line) -> dict[str, Line]:
    """The first sample of each month that tells of the pools."""
    told = [one for one in line["samples"] if one[SIDES[0]].get("pools")]
    return {month: next(days) for month, days in groupby(told, key=lambda one: str(one["date"][:7]))}


def _cell(name: str, points: float) -> str:
    return f"**{points:.0f}**" if points >= most_in(name) else f"{points:.0f}"


def _longest(found: Mapping[str, Line], side: str, name: str) -> int:
    """Months in a row in which a pool was full."""
    full = [one[side]["pools"][name] >= most_in(name) for one in found.values()]
    return max((_length(run) for is_full, run in groupby(full) if is_full), default=0)


def _length(run: Iterable[bool]) -> int:
    return sum(1 for _ in run)
