"""Many campaigns of War in Russia compared with the course of the war, as tables in Markdown.

When a city changed hands in the war the notes in ``cities.csv`` tell. The front of some days is that of the scenarios
of those days; of other days it is estimated from the cities on both sides of it. Losses of soldiers are those commonly
given, rounded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from rasputitsa.ai.wir.campaigns.campaigns import front
from rasputitsa.ai.wir.campaigns.reading import BANDS
from rasputitsa.core.caching import cached
from rasputitsa.core.data.rows import Rows
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.ruleset import scenario, scenario_ids
from rasputitsa.wir.model.theatre import SIDES, theatre

Line = Mapping[str, Any]
Days = Mapping[date, Sequence[Line]]
"""How the campaigns that last until a day stand then."""
LOW, HIGH = 0.1, 0.9
"""A band leaves out the lowest and the highest tenth of the campaigns."""
FRONTS = {
    date(1941, 8, 1): (9.5, 13.0, 10.5, 9.5, 11.0),
    date(1941, 10, 1): (12.0, 14.5, 15.0, 15.0, 16.5),
    date(1942, 1, 1): (12.5, 15.0, 17.5, 17.5, 19.0),
    date(1943, 1, 1): (12.5, 15.0, 18.5, 20.5, 22.0),
    date(1944, 1, 1): (11.5, 12.0, 11.0, 11.5, 14.0),
    date(1945, 1, 1): (5.5, 4.5, 3.5, 2.0, 0.5),
}
"""Estimated columns of the front in each sector, from north to south."""
HISTORICAL_LOSSES = {
    date(1942, 1, 1): (1060, 4470), date(1943, 1, 1): (2400, 11_840), date(1944, 1, 1): (4300, 19_700),
}  # fmt: skip
"""Thousands of soldiers lost so far, dead, missing and wounded: the Axis in the east, about 230, 490 and 790 of
Germany's allies among them, and the Red Army."""
SOLDIERS_A_POINT = (290, 440)
"""Soldiers to a point of strength, Axis and Soviet: those at the front in June 1941, June 1942 and July 1943 (3.8, 3.6
and 3.9 millions; 2.8, 5.6 and 6.5) by the points of the three orders of battle."""


@cached
def setups() -> dict[date, str]:
    """The scenarios of the whole war that begin in its course, by their first day."""
    found = {}
    for name in scenario_ids(DATA):
        table = scenario(name, DATA)
        if not table["short"] and not table.get("zone"):
            found[table["start"]] = name
    del found[min(found)]
    return found


@cached
def days() -> tuple[date, ...]:
    """The days of which the report tells: those whose front is known."""
    return tuple(sorted({*FRONTS, *setups()}))


@cached
def history() -> dict[str, tuple[tuple[date, str], ...]]:
    """For each city when it changed hands, and to whom."""
    rows = Rows(DATA / "cities.csv")
    found = {}
    for n in range(len(rows)):
        dates = re.findall(r"(Axis|Soviet) (\d{4}-\d{2}-\d{2})", rows.value(n, "note"))
        found[rows.value(n, "name")] = tuple((date.fromisoformat(day), side.lower()) for side, day in dates)
    return found


def held(city: str, day: date) -> str:
    """Which side held a city on a day of the war."""
    number = theatre(DATA).city_named[city]
    side: str = SIDES[theatre(DATA).cities[number].owner[0]]
    for taken, by in history()[city]:
        if taken <= day:
            side = by
    return side


@cached
def historical_front(day: date) -> tuple[float, ...] | None:
    """The column of the front in each sector on a day, where it is known."""
    if day in setups():
        s = WirGame().setup(setups()[day], {})
        return tuple(front(s, first, last) for _, first, last in BANDS)
    return FRONTS.get(day)


def band(values: Iterable[float], digits: int = 0) -> str:
    """The middle of some values, and the band of four fifths of them."""
    ordered = sorted(values)
    if not ordered:
        return "-"
    low, middle, high = (ordered[round(share * (len(ordered) - 1))] for share in (LOW, 0.5, HIGH))
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def report(lines: Sequence[Line]) -> str:
    """All campaigns of one scenario."""
    one = lines[0]
    text = [
        f"{len(lines)} campaigns, {one['scenario']}: {one['axis']} (Axis) against {one['soviet']}, seeds "
        f"{min(line['seed'] for line in lines)} to {max(line['seed'] for line in lines)}. Numbers are the middle of "
        "the campaigns, in brackets what four fifths of them lie between.",
        "", "| result | campaigns |", "|---|---|",
    ]  # fmt: skip
    levels = Counter(f"{line['level']}: {line.get('ending') or line['reason']}" for line in lines)
    text += [f"| {level} | {count} |" for level, count in levels.most_common()]
    text += ["", f"Soviet less Axis points at the end: {band(line['difference'] for line in lines)}.", ""]
    text += _thinking(lines)
    seen = {day: stands for day in days() if (stands := [found for line in lines if (found := _at(line, day))])}
    for table in (_losses, _front, _strength, _otherwise):
        text += [*table(seen), ""]
    return "\n".join(text + _cities(lines))


def _thinking(lines: Sequence[Line]) -> list[str]:
    text = []
    for side in SIDES:
        mean = sum(line["seconds"][side] for line in lines) / len(lines)
        worst = max(line["slowest"][side] for line in lines)
        text.append(f"Time to think, {side}: {mean:.2f} s a week, {worst:.2f} s at most.")
    return ["  \n".join(text), ""]


def _at(line: Line, day: date) -> Line | None:
    """The last sample up to a day, if the campaign lasted that long."""
    samples = [one for one in line["samples"] if date.fromisoformat(one["date"]) <= day]
    last = date.fromisoformat(line["samples"][-1]["date"])
    found: Line | None = samples[-1] if samples and last >= day else None
    return found


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _beside(told: str, was: object | None) -> str:
    """A figure of the campaigns, and in bold what it was in the war where that is known."""
    return told if was is None else f"{told}, **{was}**"


def _losses(days: Days) -> list[str]:
    text = [
        "### Cities and losses", "", "The war in bold. Losses are thousands of soldiers so far.", "",
        "| day | campaigns | cities of the Axis | Axis losses | Soviet losses | Soviet to Axis |", "|---" * 6 + "|",
    ]  # fmt: skip
    names = _scoring()
    axis, soviet = SOLDIERS_A_POINT
    for day, stands in days.items():
        known = HISTORICAL_LOSSES.get(day)
        lost = [
            _beside(band(o[side]["lost"] * SOLDIERS_A_POINT[n] / 1000 for o in stands), known[n] if known else None)
            for n, side in enumerate(SIDES)
        ]
        ratios = band((o["soviet"]["lost"] * soviet / max(1, o["axis"]["lost"] * axis) for o in stands), 1)
        cities = _beside(band(_held(o, names) for o in stands), sum(held(name, day) == "axis" for name in names))
        ratio = _beside(ratios, f"{known[1] / known[0]:.1f}" if known else None)
        cells = [_day(day), str(len(stands)), cities, *lost, ratio]
        text.append(f"| {' | '.join(cells)} |")
    return text


def _front(days: Days) -> list[str]:
    heads = " | ".join(f"{name} ({first}-{last})" for name, first, last in BANDS)
    text = ["### The front", "", "Columns of the map by sector, with its rows; the war in bold.", ""]
    text += [f"| day | {heads} |", "|---" * (1 + len(BANDS)) + "|"]
    for day, stands in days.items():
        was = historical_front(day)
        cells = [
            _beside(band((o["front"][name] for o in stands), 1), f"{was[n]:.1f}" if was else None)
            for n, (name, _, _) in enumerate(BANDS)
        ]
        text.append(f"| {' | '.join([_day(day), *cells])} |")
    return text


def _strength(days: Days) -> list[str]:
    heads = ("day", "side", "units", "strength", "combat strength", "groups surrendered so far")
    text = ["### Strength", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for day, stands in days.items():
        for side in SIDES:
            cells = [band(o[side][what] for o in stands) for what in ("units", "strength", "power", "surrendered")]
            text.append(f"| {' | '.join([_day(day), side, *cells])} |")
    return text


def _scoring() -> list[str]:
    """The cities that score."""
    return [city.name for city in theatre(DATA).cities if city.scores]


def _held(one: Line, names: Sequence[str]) -> int:
    return sum(name in one["axis_cities"] for name in names)


def _otherwise(days: Days) -> list[str]:
    """Cities whose owner is another one than in the war in more than half of the campaigns."""
    text = ["### Cities held otherwise than in the war", ""]
    text += ["Those of more than half of the campaigns, with the share in which the Axis holds them.", ""]
    for day, stands in days.items():
        found = []
        for name in _scoring():
            share = sum(name in one["axis_cities"] for one in stands) / len(stands)
            was = held(name, day) == "axis"
            if abs(share - was) > 0.5:
                found.append(f"{name} {share:.0%}")
        text.append(f"- {_day(day)}: {', '.join(found) or 'none'}")
    return text


def _cities(lines: Sequence[Line]) -> list[str]:
    """When the Axis first took each city."""
    dates = WirGame().setup(lines[0]["scenario"], {}).rules.dates
    text = [
        "### Cities taken by the Axis",
        "",
        "| city | taken in | first taken, middle | history |",
        "|---|---|---|---|",
    ]
    for city in theatre(DATA).cities:
        first = []
        for line in lines:
            turns = [turn for turn, name, side in line["taken"] if name == city.name and side == "axis"]
            if turns:
                first.append(min(turns))
        was = next((day for day, side in history()[city.name] if side == "axis"), None)
        if first or was:
            middle = dates[sorted(first)[len(first) // 2] - 1].isoformat() if first else "-"
            text.append(f"| {city.name} | {len(first) / len(lines):.0%} | {middle} | {was or '-'} |")
    return text
