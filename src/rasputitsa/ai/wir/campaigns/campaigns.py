"""Whole campaigns between computer players.

Each campaign is one JSON line: who took which city when, where the front stood, what both sides lost.
``history_report.py`` compares many of them with the course of the war.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import player
from rasputitsa.ai.wir.campaigns.pools_report import SHOWN
from rasputitsa.ai.wir.campaigns.reading import BANDS, wrong_in
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.files import FileError, JsonLines, LineWriter
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, group_side, groups_of, unit_side
from rasputitsa.wir.model.theatre import AXIS, SIDES
from rasputitsa.wir.rules.execution import combat
from rasputitsa.wir.rules.execution.retreat import Surrendered
from rasputitsa.wir.rules.movement.enter_hex import CityCaptured
from rasputitsa.wir.rules.victory import victory

Line = dict[str, Any]
Strengths = dict[tuple[int, int], int]
SECONDS = 10.0
SAMPLES = 4
"""Weeks between two samples."""


class SteadyClock:
    """A clock that stands still, so that a busy machine plays the same campaign."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def left(self) -> float:
        """Always the same."""
        return self.seconds

    def report(self, done: int, total: int, text: str) -> None:
        """Nobody waits."""


class Job(NamedTuple):
    """One campaign to be played."""

    scenario: str
    seed: int
    axis: str = "planner"
    soviet: str = "planner"
    options: tuple[tuple[str, str], ...] = ()
    seconds: float = SECONDS
    weeks: int = 0
    """The turn in which it is broken off, and decided by points; 0 for none."""


def key(line: Mapping[str, Any]) -> tuple[object, ...]:
    """What tells one campaign from another."""
    options = json.dumps(line["options"], sort_keys=True)
    return line["scenario"], line["seed"], line["axis"], line["soviet"], options, line["weeks"]


def play(job: Job) -> Line:
    """Play one campaign."""
    game = WirGame()
    options = dict(job.options)
    s, dice = game.setup(job.scenario, options), SeededDice(job.seed)
    players = {
        "axis": player(job.axis, game, options, job.seed * 2),
        "soviet": player(job.soviet, game, options, job.seed * 2 + 1),
    }
    onlookers = MemoryTracker(game, options, s)
    onlookers.introduce(players)
    names = s.rules.map.cities
    taken: list[list[object]] = []
    tally = Tally()
    samples: list[Line] = []
    turn = 0
    while (decision := game.decision(s)) is not None:
        if s.turn != turn:
            turn = s.turn
            if turn == job.weeks:
                break
            if turn % SAMPLES == 1 or month_starts(s):
                samples.append(sample(s, tally))
        view = game.view_of(s, decision.seat)
        begun = time.perf_counter()
        action = players[decision.seat].choose(view, decision, SteadyClock(job.seconds))
        tally.thought(decision.seat, turn, time.perf_counter() - begun)
        before = _strengths(s) if action.verb == "done" else {}
        for event in onlookers.apply(s, action, dice):
            if isinstance(event, CityCaptured):
                taken.append([turn, names[event.city].name, SIDES[event.side]])
            elif isinstance(event, Surrendered):
                tally.groups[SIDES[group_side(event.group)]] += 1
        if before:
            tally.count(before, _strengths(s))
        dice.drawn.clear()
    samples.append(sample(s, tally))
    return {
        "scenario": job.scenario, "seed": job.seed, "axis": job.axis, "soviet": job.soviet, "options": options,
        "weeks": job.weeks, **_result(s), "turn": s.turn, "difference": victory.tally(s)["difference"], "taken": taken,
        "samples": samples, "seconds": tally.means(), "slowest": tally.slowest,
    }  # fmt: skip


def _result(s: State) -> Line:
    """How a campaign has ended, or would by the points of the day."""
    if s.outcome is not None:
        return {
            "winner": s.outcome.winner,
            "level": s.outcome.level,
            "reason": s.outcome.reason,
            "ending": victory.ending(s),
        }
    return {"winner": None, "level": victory.tally(s)["level"], "reason": "broken off", "ending": "broken off"}


class Tally:
    """What a campaign has cost so far: strength and groups lost, and time to think."""

    def __init__(self) -> None:
        self.strength: dict[str, int] = dict.fromkeys(SIDES, 0)
        self.groups: dict[str, int] = dict.fromkeys(SIDES, 0)
        """Groups that surrendered."""
        self.slowest: dict[str, float] = dict.fromkeys(SIDES, 0.0)
        """Longest week."""
        self._spent: dict[tuple[str, int], float] = defaultdict(float)

    def thought(self, side: str, turn: int, seconds: float) -> None:
        """A side has thought about an answer."""
        week = self._spent[side, turn] = self._spent[side, turn] + seconds
        self.slowest[side] = round(max(self.slowest[side], week), 3)

    def means(self) -> dict[str, float]:
        """Mean seconds a week."""
        weeks = {side: [spent for (who, _), spent in self._spent.items() if who == side] for side in SIDES}
        return {side: round(fmean(spent), 3) if spent else 0.0 for side, spent in weeks.items()}

    def count(self, before: Strengths, after: Strengths) -> None:
        """Note what the units have lost between two moments."""
        for unit, strength in before.items():
            self.strength[SIDES[unit_side(unit[0])]] += max(0, strength - after.get(unit, 0))


def _strengths(s: State) -> Strengths:
    """The strength of each unit, which is identified by its slot and name."""
    return {(unit, s.uname[unit]): s.strength[unit] for side in (0, 1) for unit in s.units_of(side)}


def month_starts(s: State) -> bool:
    """Whether a turn is the first of its month."""
    return s.turn == 1 or s.rules.month(s.turn) != s.rules.month(s.turn - 1)


def sample(s: State, tally: Tally) -> Line:
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
            "supplied": sum(s.supplied >> g & 1 for g in groups), "lost": tally.strength[side],
            "surrendered": tally.groups[side], "pools": dict(zip(SHOWN, s.pools[n], strict=False)),
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
    known, writer = {}, None
    if cache_file is not None:
        found = _read(cache_file)
        known, writer = {key(line): line for line in found.values}, LineWriter(cache_file, found.size)
    try:
        for line in _found_or_played(jobs, known, processes):
            if writer is not None and key(line) not in known:
                writer.add(json.dumps(line))
            yield line
    finally:
        if writer is not None:
            writer.close()


def _found_or_played(jobs: Sequence[Job], known: Mapping[Any, Line], processes: int) -> Iterator[Line]:
    waiting = []
    for job in jobs:
        line = known.get(key({**job._asdict(), "options": dict(job.options)}), {})
        if line:
            yield line
        else:
            waiting.append(job)
    yield from _played(waiting, processes)


def _read(cache_file: Path) -> JsonLines:
    """The campaigns of a file; a last line that was not finished does not count. Raises ``FileError``."""
    found = JsonLines(cache_file)
    for number, line in enumerate(found.values, start=1):
        if problem := wrong_in(line):
            raise FileError(f"{cache_file}, line {number} is no campaign: {problem}")
    return found


def _played(jobs: Sequence[Job], processes: int) -> Iterator[Line]:
    if processes <= 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, job) for job in jobs]):
            yield future.result()
