"""The choice of a plan: many are tried in the same imagined worlds, weak ones dropped early, good ones crossed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rasputitsa.ai.portfolio.planning.battle import Announcements
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.ai.portfolio.planning.plan_selection import RISK_PROFILES
from rasputitsa.ai.portfolio.search.rollout import Opening, Rollout
from rasputitsa.ai.portfolio.search.value import chance_of
from rasputitsa.core.dice import DIE
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, Side, UnitBits
from rasputitsa.portfolio.model.state import State

LIGHT = Level(tries=300, rounds=2, sweeps=1, candidates=6, polish=80, plans=1)
"""How hard is thought about each plan when there is little time."""
NEW = 0.6
"""Share of the challengers that are planned from scratch; the others are crossed from plans that are there."""
MOST_DRIFT = 4.0
VARIATION = 0.3
"""How far the attack policy of a new plan deviates from that of the best."""
DECIDED = 0.01
"""A game in which one side's chance is no better needs no more thought."""


@dataclass(frozen=True)
class Effort:
    """How much is tried when there is time enough."""

    plans: int = 8
    """Plans made at first."""
    worlds: int = DIE
    """Worlds a plan must do well in: one set of them, see ``WorldDice``."""
    fresh: int = 20
    """Challenges after which the worlds are changed for new ones, so that no plan is made to fit a few."""
    first: int = DIE // 2
    """Worlds in which every plan is tried."""
    challengers: int = 150
    """New plans that may challenge the best one."""
    patience: int = 60
    """Challengers in a row that may fail before the search is over."""
    orders: int = 30
    """Changes tried on the attacks before they are announced."""


class Time(NamedTuple):
    """Whether there is time left to make plans to begin with, and to compare them."""

    to_plan: Going
    to_try: Going


@dataclass
class Contender:
    """A plan or a list of attacks, and what it led to in each world it was tried in."""

    label: str
    profile: RiskProfile
    plan: Plan | None = None
    orders: Announcements | None = None
    values: dict[int, float] = field(default_factory=dict)
    """Logarithms of odds, world by world."""
    opening: Opening | None = None


class Race:
    """Contenders tried in the same worlds."""

    def __init__(self, s: State, side: Side, effort: Effort, rng: random.Random, time: Time) -> None:
        self.s = s
        self.side = side
        self.effort = effort
        self.rng = rng
        self.time = time
        self.trial = Rollout(s, side, rng.randrange(1 << 30), time.to_try)
        self.field: list[Contender] = []
        self.tried = 0
        self.challenges = 0
        self.drift: float | None = None
        """What is added to all that trials say, so that the usual plan leaves the outlook about as it is now: the
        simulated enemy is a poor player, and values near certainty would no longer tell good from better."""

    def chance(self, contender: Contender, worlds: Iterable[int] | None = None) -> float:
        """How likely the side is to win, on average over some worlds or all that have been tried."""
        values = contender.values
        seen = [values[world] for world in (values if worlds is None else worlds)]
        drift = self.drift or 0.0
        return sum((chance_of(odds + drift) for odds in seen), 0.0) / len(seen) if seen else 0.0

    def settle_drift(self, usual: Contender) -> None:
        """Find the drift by the plan that would be carried out without a search."""
        if self.drift is None and usual.values:
            drift = self.trial.odds(self.s) - sum(usual.values.values()) / len(usual.values)
            self.drift = max(-MOST_DRIFT, min(MOST_DRIFT, drift))

    def run(self, contender: Contender, worlds: Iterable[int]) -> bool:
        """Try a contender in these worlds; False if time ran out."""
        if contender.opening is None:
            contender.opening = self.trial.opening(contender.plan, contender.orders)
        if contender.opening is None:
            return False
        for world in worlds:
            if world in contender.values:
                continue
            value = self.trial.value(contender.opening, world) if self.time.to_try() else None
            if value is None:
                return False
            contender.values[world] = value
            self.tried += 1
        return True

    def heats(self) -> None:
        """All in a few worlds, the better half in more, and so on; the field is then in order of merit."""
        running = list(self.field)
        worlds = range(self.effort.first)
        self.run(running[0], worlds)
        self.settle_drift(running[0])
        while all(self.run(contender, worlds) for contender in running):
            running.sort(key=lambda c: -self.chance(c, worlds))
            if len(worlds) >= self.effort.worlds:
                break
            if len(running) > 1:
                running = running[: (len(running) + 1) // 2]
            worlds = range(min(self.effort.worlds, 2 * len(worlds)))
        self._rank()

    def _rank(self) -> None:
        """By the average over the worlds seen by all who have come far; who fell out or has not run comes after."""
        most = max(len(c.values) for c in self.field)
        if not most:
            return
        far = [c for c in self.field if 2 * len(c.values) > most]
        worlds = range(min(len(c.values) for c in far))
        far.sort(key=lambda c: -self.chance(c, worlds))
        rest = [c for c in self.field if 2 * len(c.values) <= most]
        self.field = far + sorted(rest, key=lambda c: (-len(c.values), -self.chance(c)))

    def beats(self, challenger: Contender) -> bool:
        """Whether a challenger does better than the best in the same worlds."""
        best = self.field[0]
        worlds = self.drawn()
        for number in range(1, len(worlds) + 1):
            seen = worlds[:number]
            if not self.run(best, seen[-1:]) or not self.run(challenger, seen[-1:]):
                return False
            if number % self.effort.first == 0 and self.chance(challenger, seen) <= self.chance(best, seen):
                return False
        return True

    def drawn(self) -> Sequence[int]:
        """The worlds of the next challenge."""
        begin = self.challenges // self.effort.fresh * self.effort.worlds
        self.challenges += 1
        return range(begin, begin + self.effort.worlds)

    def decided(self) -> bool:
        """Whether the game is as good as won or lost, whatever is done."""
        chance = self.chance(self.field[0])
        return bool(self.field[0].values) and not DECIDED < chance < 1.0 - DECIDED


class PlanRace(Race):
    """The search for one phase's plan."""

    def __init__(
        self, s: State, side: Side, mine: UnitBits, level: Level, effort: Effort, rng: random.Random, time: Time
    ) -> None:
        super().__init__(s, side, effort, rng, time)
        self.mine = mine
        self.level = level

    def decide(self) -> Contender:
        """The best plan found; the usual one of the planner if there was no time to compare."""
        self.assemble()
        if len(self.field) > 1:
            self.heats()
            if not self.decided():
                self.challenge()
        return self.field[0]

    def assemble(self) -> None:
        """The plans to begin with: those that the planner would consider."""
        profiles = RISK_PROFILES[self.side]
        for n in range(max(1, self.effort.plans)):
            if self.field and not self.time.to_plan():
                return
            profile = profiles[n % len(profiles)]
            made = self.made(profile, self.level, "usual" if not n else f"profile {n}")
            if not any(self.alike(made, known) for known in self.field):
                self.field.append(made)

    @staticmethod
    def alike(one: Contender, other: Contender) -> bool:
        """Whether two plans come to the same moves."""
        assert one.plan is not None and other.plan is not None
        return one.plan.moves == other.plan.moves

    def made(self, profile: RiskProfile, level: Level, label: str) -> Contender:
        """A plan made under a risk profile."""
        work = PhasePlanner(self.s, self.side, self.mine, level, profile, self.rng, self.time.to_try)
        return Contender(label, profile, work.plan())

    def challenge(self) -> None:
        """New plans against the best one, dropped as soon as they fall behind."""
        failed = 0
        for _ in range(self.effort.challengers):
            if failed >= self.effort.patience or not self.time.to_try():
                return
            challenger = self.offspring()
            failed += 1
            if challenger is not None and self.beats(challenger):
                self.field.insert(0, challenger)
                failed = 0

    # ------------------------------------------------------------------ new plans

    def offspring(self) -> Contender | None:
        """A new plan out of what has done well: another with the best's risk profile, or parts of two plans."""
        best = self.field[0]
        if self.rng.random() < NEW:
            shifted = {
                name: getattr(best.profile, name) * self.rng.lognormvariate(0.0, VARIATION)
                for name in ("kill", "gain", "loss", "attack_cost", "post", "threat_factor", "caution")
            }
            return self.made(replace(best.profile, **shifted), self.level, "new")
        return self.crossed(best, self.rng.choice(self.field[1:]))

    def crossed(self, best: Contender, other: Contender) -> Contender | None:
        """The best plan, but on one stretch of the front the other."""
        s = self.s
        assert best.plan is not None and other.plan is not None
        differing = [
            u for u in members(self.mine & s.present)
            if best.plan.moves.get(u, s.pos[u]) != other.plan.moves.get(u, s.pos[u])
        ]  # fmt: skip
        if not differing:
            return None
        centre = s.pos[self.rng.choice(differing)]
        radius = self.rng.choice((2, 3, 4, 6))
        moves = dict(best.plan.moves)
        changed = {}
        for unit in differing:
            if s.rules.grid.distance(s.pos[unit], centre) <= radius:
                moves.pop(unit, None)
                if unit in other.plan.moves:
                    changed[unit] = other.plan.moves[unit]
        if not changed and len(moves) == len(best.plan.moves):
            return None
        return Contender("crossed", best.profile, Plan(best.plan.key, changed | moves))


class AttackRace(Race):
    """The search for the attacks of a phase, once everybody has moved."""

    def decide(self, lists: list[Announcements]) -> Announcements:
        """The best of some lists of attacks, with attacks left out where that is better."""
        self.field = [Contender("attacks", RiskProfile(), orders=orders) for orders in lists]
        self.heats()
        left_out: set[Hex] = set()
        for _ in range(self.effort.orders):
            best = self.field[0].orders
            assert best is not None
            rest = [n for n in range(len(best.wanted)) if best.wanted[n][0] not in left_out]
            if not rest or not self.time.to_try():
                break
            # the least promising stand last
            number = rest[-1]
            left_out.add(best.wanted[number][0])
            challenger = Contender("fewer", RiskProfile(), orders=best.without(number))
            if self.beats(challenger):
                self.field.insert(0, challenger)
        found = self.field[0].orders
        assert found is not None
        return found
