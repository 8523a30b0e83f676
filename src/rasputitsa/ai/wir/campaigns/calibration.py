"""How well the seats of War in Russia judge the enemy: what they believe against what is true, by date and scenario."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev
from typing import NamedTuple

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import player
from rasputitsa.ai.wir.campaigns.campaigns import SECONDS, SteadyClock
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.rules.execution import combat

WIDE = 1.96
"""Standard errors to each side of a 95 % interval."""


class Sample(NamedTuple):
    """What one seat believes at the start of one week."""

    scenario: str
    seed: int
    seat: str
    date: str
    """Year, month and day."""
    new_year: bool
    """Whether it is the first week of a year."""
    told: float
    """Combat strength that all enemy groups are believed to have (7.6)."""
    true: float
    groups: int
    inside: int
    """Groups whose true strength lies within the interval of four in five."""


def sample(s: State, seed: int, seat: str, memory: SeatMemory) -> Sample:
    """Compare what a seat remembers with the true position."""
    told = true = 0.0
    groups = inside = 0
    for group in s.on_map(groups_of(1 - memory.side, MECHANIZED, INFANTRY)):
        guess, power = memory.enemy.now(s, group), combat.strength(s, group) / combat.UNIT
        low, high = guess.bounds(memory.enemy.common)
        told, true = told + guess.power(), true + power
        groups, inside = groups + 1, inside + (low <= power <= high)
    date = s.rules.dates[s.turn - 1]
    first = s.turn > 1 and s.rules.dates[s.turn - 2].year != date.year
    return Sample(s.rules.scenario_id, seed, seat, date.isoformat(), first, told, true, groups, inside)


def play(scenario: str, seed: int, name: str = "planner", weeks: int = 0) -> list[Sample]:
    """Play a campaign and take samples of both seats every week; ``weeks``: where to break off, 0 for nowhere."""
    game = WirGame()
    s, dice = game.setup(scenario, {}), SeededDice(seed)
    players = {seat: player(name, game, {}, seed * 2 + n) for n, seat in enumerate(("axis", "soviet"))}
    onlookers = MemoryTracker(game, {}, s)
    onlookers.introduce(players)
    found: list[Sample] = []
    turn = s.turn
    while (decision := game.decision(s)) is not None and s.turn != weeks:
        if s.turn != turn:
            turn = s.turn
            for seat in players:
                memory = onlookers.of(seat)
                assert isinstance(memory, SeatMemory)
                found.append(sample(s, seed, seat, memory))
        action = players[decision.seat].choose(game.view_of(s, decision.seat), decision, SteadyClock(SECONDS))
        onlookers.apply(s, action, dice)
        dice.drawn.clear()
    return found


def run(scenario: str, seeds: Iterable[int], name: str, weeks: int, processes: int) -> Iterator[list[Sample]]:
    """Play campaigns, each as soon as there is a process for it."""
    if processes <= 1:
        yield from (play(scenario, seed, name, weeks) for seed in seeds)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, scenario, seed, name, weeks) for seed in seeds]):
            yield future.result()


def report(samples: Iterable[Sample]) -> str:
    """Tables in Markdown: belief over truth at every New Year, and how often the intervals of four in five hold."""
    ratios: Mapping[tuple[str, str, str], list[float]] = defaultdict(list)
    held: Mapping[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for one in samples:
        year = one.date[:4]
        count = held[one.scenario, year, one.seat]
        count[0] += one.groups
        count[1] += one.inside
        if one.new_year and one.true:
            ratios[one.scenario, year, one.seat].append(one.told / one.true)
    lines = [
        "| scenario | New Year | seat | belief over truth | 95 % interval | campaigns |",
        "|---|---|---|---|---|---|",
    ]
    for (scenario, year, seat), values in sorted(ratios.items()):
        error = WIDE * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")
        mean = fmean(values)
        lines.append(
            f"| {scenario} | {year} | {seat} | {mean:.2f} | {mean - error:.2f} to {mean + error:.2f} | {len(values)} |"
        )
    lines += ["", "| scenario | year | seat | within the 80 % interval | groups and weeks |", "|---|---|---|---|---|"]
    for (scenario, year, seat), (groups, inside) in sorted(held.items()):
        if groups:
            lines.append(f"| {scenario} | {year} | {seat} | {inside / groups:.0%} | {groups} |")
    total, within = (sum(count[n] for count in held.values()) for n in (0, 1))
    if total:
        lines.append(f"| all | | | {within / total:.0%} | {total} |")
    return "\n".join(lines)
