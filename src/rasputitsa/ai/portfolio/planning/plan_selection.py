"""Several plans for one phase, each played out in simulation; the best is carried out."""

from __future__ import annotations

import random
from dataclasses import replace

from rasputitsa.ai.portfolio.evaluation.rollout import play_out
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController, always
from rasputitsa.portfolio.model.indices import Side, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

RISK_PROFILES = {
    AXIS: (
        RiskProfile(), RiskProfile(gain=2.0, post=1.5), RiskProfile(kill=1.4, gain=0.6), RiskProfile(),
        RiskProfile(post=2.0, threat_factor=0.6), RiskProfile(threat_factor=1.4, attack_cost=2.0, caution=4.0),
        RiskProfile(kill=0.8, gain=1.5, threat_factor=1.2), RiskProfile(gain=3.0, kill=0.7),
    ),
    SOVIET: (
        RiskProfile(), RiskProfile(kill=1.4, attack_cost=0.5), RiskProfile(loss=1.6, attack_cost=3.0), RiskProfile(),
        RiskProfile(threat_factor=0.7), RiskProfile(threat_factor=1.3, loss=1.3), RiskProfile(gain=2.0, loss=0.7),
        RiskProfile(loss=2.5, attack_cost=5.0, threat_factor=1.2),
    ),
}  # fmt: skip


class PlanSelection:
    """The choice of a plan."""

    def __init__(self, s: State, side: Side, mine: UnitBits, level: Level, rng: random.Random, going: Going) -> None:
        self.s = s
        self.side = side
        self.mine = mine
        self.level = level
        self.rng = rng
        self.going = going

    def decide(self) -> Plan:
        """The plan that turns out best: all are tried a little, the better ones more."""
        number = 1 if self.s.reserve else max(1, self.level.plans)
        choice = RISK_PROFILES[self.side] if number > 1 else (self.level.profile,)
        profiles = [choice[n % len(choice)] for n in range(number)]
        plans: list[Plan] = []
        for profile in profiles:
            if plans and not self.going():
                break
            plans.append(PhasePlanner(self.s, self.side, self.mine, self.level, profile, self.rng, self.going).plan())
        if len(plans) == 1:
            return plans[0]
        seed = self.rng.randrange(1 << 30)
        trials: list[list[float]] = [[] for _ in plans]
        running = list(range(len(plans)))
        stream = 0
        while len(running) > 1:
            for _ in range(self.level.streams):
                for plan in running:
                    if self.going():
                        trials[plan].append(self.value(plans[plan], seed + stream))
                stream += 1
            running.sort(key=lambda n: -sum(trials[n]) / max(1, len(trials[n])))
            running = running[: len(running) // 2]
            if not self.going():
                break
        return plans[running[0]]

    def value(self, plan: Plan, seed: int) -> float:
        """What a plan leads to, on one stream of dice, as this side sees it."""
        quick = replace(self.level, tries=300, sweeps=1, candidates=6, plans=1, polish=0, rounds=0)
        controllers = (self._controller(AXIS, quick, seed), self._controller(SOVIET, quick, seed))
        own = controllers[self.side]
        own.plan = Plan(plan.key, dict(plan.moves), plan.scheme, [])
        own.plan.key = (self.s.turn, self.s.side, self.s.reserve)
        end = (self.s.turn, 1) if self._enemy_follows() else (self.s.turn + 1, 1)

        def until(t: State) -> bool:
            if t.turn > end[0]:
                return True
            if t.turn == end[0] and end[0] == self.s.turn:
                return t.reserve > 0
            return t.turn == end[0] and t.side == self.side and t.stack[-1].kind == "movement"

        score = play_out(self.s.copy(), controllers, seed, until, self.going)
        return score if self.side == AXIS else -score

    def _enemy_follows(self) -> bool:
        """Whether the enemy's operations come later in this game-turn."""
        return self.s.weather.axis_first == (self.side == AXIS)

    def _controller(self, side: Side, level: Level, seed: int) -> SeatController:
        controller = SeatController(side, level, random.Random(seed))
        controller.idle_logistics = True
        controller.idle_reserves = True
        controller.going = always
        return controller
