"""What stands empty behind the line of computer players, and how soon an enemy could raid it, week by week.

A raider goes two hexes a week around all groups, one in rain: ``rear.raid_steps``. The true position is counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from statistics import fmean
from typing import NamedTuple

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import Player, player
from rasputitsa.ai.wir.campaigns.campaigns import SECONDS, SteadyClock
from rasputitsa.ai.wir.evaluation.situation import Situation, homes
from rasputitsa.ai.wir.planning import rear
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.indices import HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AIRCRAFT, AXIS, INDUSTRY, SIDES, SOVIET
from rasputitsa.wir.rules.victory import victory

WITHIN = (1, 2, 4)
"""Weeks in which an enemy could be there."""
HUB = 4
"""A hex of the line with at least this many others around it is a hub of rails."""
SPAN = 4
"""Weeks that share a row of the table."""


class Sample(NamedTuple):
    """How many places of one kind a side has at the start of one week, and how they stand."""

    scenario: str
    turn: int
    side: str
    kind: str
    places: int
    empty: int
    """Without a group of the side."""
    open: tuple[int, ...]
    """Those that an enemy could enter within the weeks of ``WITHIN``."""


def places(s: State, side: Side) -> dict[str, HexBits]:
    """What a side has to lose behind its line, by kind; a place may be of several kinds."""
    names = {name for other in (AXIS, SOVIET) for name in victory.decisive_cities(s.rules, other)}
    own = [city for city in s.rules.map.cities if s.owner[city.number] == side]
    line = s.own_line(side)
    return {
        "cities of 8.9": sum(1 << city.hex for city in own if city.name in names),
        "cities of production": sum(
            1 << city.hex for city in own
            if any(s.values[kind][city.number] for kind in range(INDUSTRY, AIRCRAFT + 1))
        ),
        "all cities": s.city_hexes[side],
        "homes of depots": homes(s, side) & ~s.occ[1 - side],
        "ports": sum(1 << city.hex for city in own if city.port),
        "rail hubs": sum(
            1 << h for h in members(line) if (s.rules.map.reach[h] & line).bit_count() >= HUB
        ),
    }  # fmt: skip


def sample(s: State) -> Iterator[Sample]:
    """Both sides in a position."""
    for side, name in enumerate(SIDES):
        steps = rear.raid_steps(s, Situation(s, side))
        pace = rear.pace(s)
        for kind, hexes in places(s, side).items():
            empty = members(hexes & ~s.occ[side])
            soon = tuple(sum(steps[h] <= weeks * pace for h in empty) for weeks in WITHIN)
            yield Sample(s.rules.scenario_id, s.turn, name, kind, hexes.bit_count(), len(empty), soon)


def play(scenario: str, seed: int, names: tuple[str, str], weeks: int = 0) -> tuple[list[Sample], int]:
    """Play a campaign and take samples every week; with them the points at its end, Soviet less Axis.

    ``names``: the players of the Axis and of the Soviet side; ``weeks``: where to break off, 0 for nowhere.
    """
    game = WirGame()
    s, dice = game.setup(scenario, {}), SeededDice(seed)
    players: dict[str, Player] = {seat: player(names[n], game, {}, seed * 2 + n) for n, seat in enumerate(SIDES)}
    onlookers = MemoryTracker(game, {}, s)
    onlookers.introduce(players)
    found: list[Sample] = []
    turn = 0
    while (decision := game.decision(s)) is not None and s.turn != weeks:
        if s.turn != turn:
            turn = s.turn
            found += sample(s)
        action = players[decision.seat].choose(game.view_of(s, decision.seat), decision, SteadyClock(SECONDS))
        onlookers.apply(s, action, dice)
        dice.drawn.clear()
    return found, victory.tally(s)["difference"]


def run(
    scenario: str, seeds: Iterable[int], names: tuple[str, str], weeks: int, processes: int
) -> Iterator[tuple[list[Sample], int]]:
    """Play campaigns, each as soon as there is a process for it."""
    if processes <= 1:
        yield from (play(scenario, seed, names, weeks) for seed in seeds)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, scenario, seed, names, weeks) for seed in seeds]):
            yield future.result()


def report(samples: Iterable[Sample]) -> str:
    """Tables in Markdown: means of all campaigns, for each kind of place and for every four weeks."""
    kinds: Mapping[tuple[str, str, str], list[Sample]] = defaultdict(list)
    weeks: Mapping[tuple[str, str, int], list[Sample]] = defaultdict(list)
    for one in samples:
        kinds[one.scenario, one.side, one.kind].append(one)
        if one.kind == "all cities":
            weeks[one.scenario, one.side, (one.turn - 1) // SPAN].append(one)
    heads = ["places", "empty", *(f"open in {n} week{'s' if n > 1 else ''}" for n in WITHIN)]
    lines = [f"| scenario | side | kind | {' | '.join(heads)} |", "|---|---|---|" + "---|" * len(heads)]
    lines += [f"| {scenario} | {side} | {kind} | {_cells(of)} |" for (scenario, side, kind), of in kinds.items()]
    lines += ["", f"| scenario | side | weeks | {' | '.join(heads)} |", "|---|---|---|" + "---|" * len(heads)]
    for (scenario, side, span), of in sorted(weeks.items()):
        lines.append(f"| {scenario} | {side} | {span * SPAN + 1}-{(span + 1) * SPAN} | {_cells(of)} |")
    return "\n".join(lines)


def _cells(samples: list[Sample]) -> str:
    counts = [fmean(one.places for one in samples), fmean(one.empty for one in samples)]
    counts += [fmean(one.open[n] for one in samples) for n in range(len(WITHIN))]
    return " | ".join(f"{count:.1f}" for count in counts)
