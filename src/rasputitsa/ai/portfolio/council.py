"""Several plans for one phase, each played out in the mind; the best is carried out."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.commander import Commander, always
from rasputitsa.ai.portfolio.foresight import play_out
from rasputitsa.ai.portfolio.operations import Going, Level, Mood, Operations, Plan
from rasputitsa.portfolio.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

MOODS = {
    AXIS: (
        Mood(), Mood(kill=1.4, gain=0.6), Mood(gain=2.0, post=1.5), Mood(post=2.0, wary=0.6), Mood(wary=1.4, fee=2.0),
        Mood(kill=0.8, gain=1.5, wary=1.2),
    ),
    SOVIET: (
        Mood(), Mood(kill=1.4, fee=0.5), Mood(loss=1.6, fee=3.0), Mood(wary=0.7), Mood(wary=1.3, loss=1.3),
        Mood(gain=2.0, loss=0.7),
    ),
}  # fmt: skip


class Council:
    """The choice of a plan."""

    def __init__(self, s: State, side: int, mine: int, level: Level, rng: random.Random, going: Going) -> None:
        self.s = s
        self.side = side
        self.mine = mine
        self.level = level
        self.rng = rng
        self.going = going

    def decide(self) -> Plan:
        """The plan that turns out best."""
        moods = MOODS[self.side][: max(1, self.level.plans)]
        if self.s.reserve:
            moods = moods[:1]
        plans = []
        for mood in moods:
            if plans and not self.going():
                break
            plans.append(Operations(self.s, self.side, self.mine, self.level, mood, self.rng, self.going).plan())
        if len(plans) == 1:
            return plans[0]
        totals = [0.0] * len(plans)
        seed = self.rng.randrange(1 << 30)
        for stream in range(self.level.streams):
            for number, plan in enumerate(plans):
                totals[number] += self.value(plan, seed + stream)
                if not self.going():
                    break
        best = max(range(len(plans)), key=lambda n: (totals[n], -n))
        return plans[best]

    def value(self, plan: Plan, seed: int) -> float:
        """What a plan leads to, on one stream of dice, as this side sees it."""
        quick = replace(self.level, tries=self.level.tries // 6, sweeps=1, candidates=6, plans=1, polish=60, rounds=5)
        minds = (self._mind(AXIS, quick, seed), self._mind(SOVIET, quick, seed))
        own = minds[self.side]
        own.plan = Plan(plan.key, dict(plan.moves), plan.scheme, [])
        own.plan.key = (self.s.turn, self.s.side, self.s.reserve)
        end = (self.s.turn, 1) if self._foe_follows() else (self.s.turn + 1, 1)

        def until(t: State) -> bool:
            if t.turn > end[0]:
                return True
            if t.turn == end[0] and end[0] == self.s.turn:
                return t.reserve > 0
            return t.turn == end[0] and t.side == self.side and t.stack[-1].kind == "movement"

        score = play_out(self.s.copy(), minds, seed, until, self.going)
        return score if self.side == AXIS else -score

    def _foe_follows(self) -> bool:
        """Whether the enemy's operations come later in this game-turn."""
        return self.s.weather.axis_first == (self.side == AXIS)

    def _mind(self, side: int, level: Level, seed: int) -> Commander:
        mind = Commander(side, level, random.Random(seed))
        mind.idle_staff = True
        mind.idle_reserves = True
        mind.going = always
        return mind
