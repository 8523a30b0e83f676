"""War in Russia: a week of execution, and random campaigns with every option listed at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.measure import microseconds
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.plot import legal_plots, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, GROUPS, KIND, group_side
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution import execution
from rasputitsa.wir.rules.movement import air_plots
from rasputitsa.wir.rules.turn import weather
from rasputitsa.wir.rules.victory import victory

GAME = WirGame()
PLAYED = "War in Russia, short campaign"
HANDOVERS = ("barbarossa_short", "player-week")
SELDOM = {"end_game", "level"}
"""Verbs that would cut a random campaign short."""


def full_orders(s: State, seed: int) -> State:
    """Every combat group plotted, against the enemy wherever one is adjacent, and every air group sent."""
    chooser = random.Random(seed)
    s.supplied = (1 << GROUPS) - 1
    for group in range(1, GROUPS):
        if s.hex[group] < 0:
            continue
        enemies = s.occ[1 - group_side(group)]
        if KIND[group] == AIR:
            targets = members(air_plots.ground_targets(s, group))
            s.strike[group] = air_plots.encode(chooser.choice(targets), air_plots.GROUND) if targets else 0
            continue
        around = s.rules.map.step[s.hex[group]]
        plots = legal_plots(KIND[group])
        eager = [n for n in plots if around[unpack(n).first] >= 0 and enemies >> around[unpack(n).first] & 1]
        s.plot[group] = chooser.choice(eager or plots)
    return s


def week_time(scenario: str = "barbarossa", weeks: int = 20) -> float:
    """Microseconds for the execution and end of a first week with full orders, the copy of the state included."""
    starts = [full_orders(GAME.setup(scenario, {}), seed) for seed in range(weeks)]

    def resolve() -> None:
        for seed, start in enumerate(starts):
            s, play = start.copy(), Context(SeededDice(seed))
            execution.begin(s, play)
            economy.end_of_turn(s, play)
            victory.check(s, play)
            s.turn += 1
            weather.adjust(s, play)

    return microseconds(resolve, number=5) / weeks


def random_game(seed: int, scenario: str = "barbarossa_short") -> int:
    """Play one campaign at random, listing every option at every decision; returns the decisions made."""
    return _campaign(seed, scenario)[0]


def weeks_a_campaign(campaigns: int = 3, scenario: str = "barbarossa_short") -> float:
    """Mean number of weeks of such a campaign."""
    return sum(_campaign(seed, scenario)[1] for seed in range(campaigns)) / campaigns


def _campaign(seed: int, scenario: str) -> tuple[int, int]:
    """The decisions and the weeks of one random campaign."""
    chooser, dice = random.Random(seed), SeededDice(seed)
    state = GAME.setup(scenario, {})
    made = 0
    while state.outcome is None:
        options = GAME.legal(state)
        action = options[int(chooser.random() * len(options))]
        while action.verb in SELDOM:
            action = options[int(chooser.random() * len(options))]
        GAME.apply(state, action, dice)
        made += 1
    return made, state.turn


def copy_time() -> float:
    """Microseconds for one copy of a state."""
    return microseconds(GAME.setup("barbarossa", {}).copy)


def particulars() -> dict[str, float]:
    """Copies and weeks."""
    return {"week": week_time(), "weeks": weeks_a_campaign(), "copy": copy_time()}


def told(found: dict[str, float]) -> Iterator[str]:
    """The same in words."""
    yield f"copy of a state           {found['copy']:8.2f} us"
    yield f"a week resolved           {found['week'] / 1000:8.2f} ms    ({1e6 / found['week']:,.0f} weeks/s)"
    yield f"weeks a campaign          {found['weeks']:8.1f}"
