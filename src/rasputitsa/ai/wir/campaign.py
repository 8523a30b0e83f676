"""Whole campaigns between computer players, and how they compare with the course of the war.

Each campaign is one JSON line: who took which city when, where the front stood, what both sides lost. The report sets
bands of many campaigns beside what happened, which the notes in ``cities.csv`` tell.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import date
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.rows import Rows
from rasputitsa.hexes.grid import members
from rasputitsa.wir import combat, victory
from rasputitsa.wir.game import WirGame
from rasputitsa.wir.state import State
from rasputitsa.wir.tables import COMBAT_BITS, INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.theatre import AXIS, DATA, SIDES, theatre

Line = dict[str, Any]
SECONDS = 2.0
BANDS = (("Leningrad", 8, 11), ("Moscow", 12, 17), ("Kursk", 18, 21), ("Kharkov", 22, 24), ("Black Sea", 25, 28))
"""Sectors of the front: name, first and last row of the map."""
SAMPLES = 4
"""A sample is taken every so many weeks."""
LOW, HIGH = 0.1, 0.9


class Job(NamedTuple):
    """One campaign to be played."""

    scenario: str
    seed: int
    axis: str = "planner"
    soviet: str = "planner"
    options: tuple[tuple[str, str], ...] = ()
    seconds: float = SECONDS


def key(line: Mapping[str, Any]) -> tuple[object, ...]:
    """What tells one campaign from another."""
    return (line["scenario"], line["seed"], line["axis"], line["soviet"], json.dumps(line["options"], sort_keys=True))


def play(job: Job) -> Line:
    """Play one campaign."""
    game = WirGame()
    options = dict(job.options)
    s, dice = game.setup(job.scenario, options), SeededDice(job.seed)
    minds = {
        "axis": player(job.axis, game, options, job.seed * 2),
        "soviet": player(job.soviet, game, options, job.seed * 2 + 1),
    }
    names = s.rules.map.cities
    taken: list[tuple[int, str, str]] = []
    lost = {side: {"units": 0, "groups": 0} for side in SIDES}
    samples: list[Line] = []
    turn = 0
    while (decision := game.decision(s)) is not None:
        if s.turn != turn:
            turn = s.turn
            if turn % SAMPLES == 1 or month_starts(s):
                samples.append(sample(s))
        view = game.view_of(s, decision.seat)
        action = minds[decision.seat].choose(view, decision, TimedClock(job.seconds))
        units = {side: _units(s, n) for n, side in enumerate(SIDES)} if action.verb == "done" else None
        for event in game.apply(s, action, dice):
            if event.kind == "city":
                taken.append((turn, names[int(str(event.args[0]))].name, SIDES[int(str(event.args[1]))]))
            elif event.kind == "surrenders":
                lost[SIDES[int(int(str(event.args[0])) > 63)]]["groups"] += 1
        if units is not None:
            for n, side in enumerate(SIDES):
                lost[side]["units"] += max(0, units[side] - _units(s, n))
        dice.drawn.clear()
    samples.append(sample(s))
    outcome = game.outcome(s)
    assert outcome is not None
    return {
        "scenario": job.scenario, "seed": job.seed, "axis": job.axis, "soviet": job.soviet, "options": options,
        "winner": outcome.winner, "level": outcome.level, "reason": outcome.reason, "turn": s.turn,
        "difference": victory.tally(s)["difference"], "taken": taken, "lost": lost, "samples": samples,
    }  # fmt: skip


def _units(s: State, side: int) -> int:
    return len(s.units_of(side))


def month_starts(s: State) -> bool:
    """Whether a turn is the first of its month."""
    return s.turn == 1 or s.rules.month(s.turn) != s.rules.month(s.turn - 1)


def sample(s: State) -> Line:
    """How the war stands."""
    found: Line = {
        "turn": s.turn, "date": s.rules.dates[s.turn - 1].isoformat(),
        "axis_cities": [city.name for city in s.rules.map.cities if s.owner[city.number] == AXIS],
        "front": {name: front(s, first, last) for name, first, last in BANDS},
        "difference": victory.tally(s)["difference"],
    }  # fmt: skip
    for n, side in enumerate(SIDES):
        groups = s.on_map(groups_of(n, MECHANIZED, INFANTRY))
        units = s.units_of(n)
        found[side] = {
            "groups": len(groups), "units": len(units), "strength": sum(s.strength[u] for u in units),
            "power": round(sum(combat.strength(s, g) for g in groups) / combat.UNIT),
            "fatigue": round(fmean(s.fatigue[u] for u in units), 1) if units else 0,
            "supplied": sum(s.supplied >> g & 1 for g in groups if COMBAT_BITS[n] >> g & 1),
        }  # fmt: skip
    return found


def front(s: State, first: int, last: int) -> float:
    """Mean column up to which the Axis controls the rows of a sector, from the west without a gap of two hexes."""
    board = s.rules.map
    found = []
    for row in range(first, last + 1):
        east, gap = 0, 0
        line = [h for h in members(board.passable) if board.row(h) == row]
        for hex_ in sorted(line, key=lambda h: h // board.grid.stride):
            if s.control >> hex_ & 1:
                east, gap = hex_ // board.grid.stride + 1, 0
            else:
                gap += 1
                if gap > 2 and east:
                    break
        found.append(east)
    return round(fmean(found), 2)


def run(jobs: Sequence[Job], processes: int = 1, cache_file: Path | None = None) -> Iterator[Line]:
    """Play campaigns, or take them from a file of earlier ones, to which new ones are added."""
    known: dict[tuple[object, ...], Line] = {}
    if cache_file is not None and cache_file.exists():
        for text in cache_file.read_text(encoding="utf-8").splitlines():
            line: Line = json.loads(text)
            known[key(line)] = line
    waiting = []
    for job in jobs:
        line = known.get(key({**job._asdict(), "options": dict(job.options)}), {})
        if line:
            yield line
        else:
            waiting.append(job)
    for line in _played(waiting, processes):
        if cache_file is not None:
            with cache_file.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps(line) + "\n")
        yield line


def _played(jobs: Sequence[Job], processes: int) -> Iterator[Line]:
    if processes <= 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, job) for job in jobs]):
            yield future.result()


# ---------------------------------------------------------------------- history


@cache
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
    number = theatre().city_named[city]
    side = SIDES[theatre().cities[number].owner[0]]
    for taken, by in history()[city]:
        if taken <= day:
            side = by
    return side


# ---------------------------------------------------------------------- report


def _band(values: Iterable[float], digits: int = 0) -> str:
    ordered = sorted(values)
    if not ordered:
        return "-"
    low, middle, high = (ordered[round(share * (len(ordered) - 1))] for share in (LOW, 0.5, HIGH))
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def _at(line: Line, day: date) -> Line | None:
    """The last sample up to a day, if the campaign lasted that long."""
    samples = [one for one in line["samples"] if date.fromisoformat(one["date"]) <= day]
    last = date.fromisoformat(line["samples"][-1]["date"])
    return samples[-1] if samples and last >= day else None


def report(lines: Sequence[Line]) -> str:
    """All campaigns of one scenario as tables in Markdown."""
    text = [
        f"{len(lines)} campaigns, {lines[0]['scenario']}: {lines[0]['axis']} (Axis) against {lines[0]['soviet']}.",
        "",
    ]
    text += ["| result | campaigns |", "|---|---|"]
    levels: dict[str, int] = defaultdict(int)
    for line in lines:
        levels[line["level"]] += 1
    text += [f"| {level} | {count} |" for level, count in sorted(levels.items(), key=lambda item: -item[1])]
    text += ["", f"Soviet less Axis points at the end: {_band(line['difference'] for line in lines)}.", ""]
    for day in (date(1941, 10, 1), date(1942, 1, 1), date(1942, 7, 1), date(1943, 1, 1), date(1944, 1, 1)):
        stands = [sample for line in lines if (sample := _at(line, day))]
        if stands:
            text += _on(day, stands)
    text += _cities(lines)
    return "\n".join(text)


def _on(day: date, stands: Sequence[Line]) -> list[str]:
    """How the campaigns stand on a day."""
    text = [
        f"### {day:%-d %B %Y} ({len(stands)} campaigns)",
        "",
        "| | middle (four fifths of the campaigns) |",
        "|---|---|",
    ]
    for side in SIDES:
        for name in ("units", "strength", "power"):
            text.append(f"| {side} {name} | {_band(one[side][name] for one in stands)} |")
    for name, first, last in BANDS:
        text.append(
            f"| front, rows {first}-{last} ({name}): column | {_band((one['front'][name] for one in stands), 1)} |"
        )
    names = [city.name for city in theatre().cities if city.scores]
    right = [sum((held(n, day) == "axis") == (n in one["axis_cities"]) for n in names) for one in stands]
    text.append(f"| cities held as in history, of {len(names)} | {_band(right)} |")
    wrong = []
    for name in names:
        share = sum(name in one["axis_cities"] for one in stands) / len(stands)
        was = held(name, day) == "axis"
        if abs(share - was) >= 0.3:
            wrong.append(f"{name} ({share:.0%}, history {'Axis' if was else 'Soviet'})")
    text += ["", f"Held by the Axis otherwise than in history: {', '.join(wrong) or 'none'}.", ""]
    return text


def _cities(lines: Sequence[Line]) -> list[str]:
    """When the Axis first took each city."""
    start = theatre()
    game = WirGame()
    dates = game.setup(lines[0]["scenario"], {}).rules.dates
    text = ["| city | taken by the Axis in | first taken, middle | history |", "|---|---|---|---|"]
    for city in start.cities:
        first = []
        for line in lines:
            turns = [turn for turn, name, side in line["taken"] if name == city.name and side == "axis"]
            if turns:
                first.append(min(turns))
        was = next((day for day, side in history()[city.name] if side == "axis"), None)
        if first or was:
            middle = dates[sorted(first)[len(first) // 2] - 1].isoformat() if first else "-"
            text.append(f"| {city.name} | {len(first)} of {len(lines)} | {middle} | {was or '-'} |")
    return text
