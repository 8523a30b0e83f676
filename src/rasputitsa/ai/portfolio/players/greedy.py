"""An honest greedy player of The Russian Portfolio.

Each unit in turn makes the move that looks best for itself at this moment; a hex is attacked when those who
happen to stand next to it have good odds; everything else goes by habit. Nothing is coordinated.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, StaticKnowledge, knowledge_of
from rasputitsa.ai.portfolio.planning.default_policy import DefaultPolicy, by_verb, empty_prizes, fallback
from rasputitsa.core.actions import Action
from rasputitsa.core.frames import asked
from rasputitsa.core.game import Decision, Game
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.announcement import Allocate, BuildAttack
from rasputitsa.portfolio.rules.combat.odds import basic_column, lowest_column, odds
from rasputitsa.portfolio.rules.logistics.arrivals import ChooseHex
from rasputitsa.portfolio.rules.logistics.siberia import safe_turn
from rasputitsa.portfolio.rules.movement.movement import Moving

GOOD_ODDS = (2, 1)
"""The odds at which the greedy player attacks."""
ENOUGH = (5, 1)
"""The odds at which nobody else need join an attack."""


class GreedyPlayer:
    """One unit at a time, each for itself."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self._random = random.Random(seed)
        self._tried: set[int] = set()
        self._phase: tuple[int, ...] = ()

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The greedy answer."""
        phase = (state.turn, state.side, state.reserve, decision.kind == "replacement")
        if phase != self._phase and decision.kind in ("movement", "replacement", "attack"):
            self._phase, self._tried = phase, set()
        action = _Greedy(state, decision, self._tried, self._random).answer()
        return action if action in decision.options else fallback(decision.options)


class _Greedy:
    """One decision."""

    def __init__(self, s: State, decision: Decision, tried: set[int], rng: random.Random) -> None:
        self.s = s
        self.decision = decision
        self.options = decision.options
        self.side = SOVIET if decision.side == "soviet" else AXIS
        self.enemy = 1 - self.side
        self.tried = tried
        self.rng = rng
        self.knowledge: StaticKnowledge = knowledge_of(s.rules)
        self.objectives = s.goal.hold | s.goal.clear if s.goal else 0
        """In a lesson: the hexes it is about, in place of the victory cities, for either side."""

    def answer(self) -> Action:
        """The answer for the kind of decision."""
        kind = self.decision.kind
        if kind == "movement":
            return self.movement()
        if kind == "moving":
            return self.moving()
        if kind == "attack":
            return self.attack()
        if kind == "build_attack":
            return self.build()
        if kind == "replacement":
            return self.replacement()
        if kind in ("replace", "reinforce", "deploy", "deploying"):
            return self.arrival()
        if kind == "deployment":
            return self.deployment()
        if kind == "pick":
            return self.rng.choice(list(self.options))
        if kind == "advance" and Action("done") in self.options and not self.objectives:
            return Action("done")
        return DefaultPolicy(self.s, self.decision).answer()

    # ------------------------------------------------------------------ movement

    def movement(self) -> Action:
        """The next unit that has not been looked at."""
        for action in by_verb(self.options, "move"):
            if action.args[0] not in self.tried:
                self.tried.add(action.args[0])
                return action
        return Action("done")

    def moving(self) -> Action:
        """The best hex for this unit, or back."""
        frame = asked(self.s, Moving)
        unit = frame.units[0]
        if frame.steps:
            return Action("halt")
        here = self.s.pos[unit]
        best, choice = self.score(unit, here) + 0.01, Action("back")
        if 1 << here & self.guarded(here):
            best += 50.0
        for action in by_verb(self.options, "to"):
            value = self.score(unit, action.args[0])
            if value > best:
                best, choice = value, action
        return choice

    def guarded(self, hex_: Hex) -> HexBits:
        """The hex, if it must not be left empty."""
        if len(self.s.at.get(hex_, ())) > 1:
            return 0
        board = self.s.rules.map
        if self.objectives:
            prizes = self.objectives & self.s.controlled(self.side)
        elif self.side == AXIS:
            prizes = sum(1 << h for h in self.knowledge.soviet_goals)
        else:
            prizes = board.victory_cities
        return prizes & 1 << hex_

    def score(self, unit: Unit, hex_: Hex) -> float:
        """How good a hex looks for a unit, all else as it is."""
        s = self.s
        score = -0.3 * self.distance(hex_)
        bit = 1 << hex_
        if empty_prizes(s, self.side) & bit:
            score += 8.0
        if self.objectives:
            score += 20.0 if self.objectives & ~s.controlled(self.side) & bit else 0.0
        elif self.side == AXIS and s.rules.map.victory_cities & ~s.control & bit:
            score += 20.0
        near = s.rules.grid.adjacent[hex_] & s.occ[self.enemy]
        if near:
            score += self.prospects(unit, hex_, near)
        board = s.rules.map
        if self.side == SOVIET:
            if (board.majors | board.cities | board.hills | board.swamp) & bit:
                score += 0.5
            if (board.majors & bit) and not s.occ[SOVIET] & bit:
                score += 1.0
        return score

    def distance(self, hex_: Hex) -> float:
        """For the Axis the way to the next victory city, for the Soviets to the next threatened one.

        In a lesson for both: to the next hex it is about and they do not hold, or else to one they do.
        """
        s = self.s
        if self.objectives:
            goals = members(self.objectives & ~s.controlled(self.side) or self.objectives)
            return min(self.knowledge.field(goal)[hex_] for goal in goals)
        if self.side == AXIS:
            goals = members(s.rules.map.victory_cities & ~s.control)
            return min((self.knowledge.field(g)[hex_] for g in goals), default=0)
        nearest = UNREACHABLE
        for goal in members(s.rules.map.victory_cities):
            nearest = min(nearest, self.knowledge.field(goal)[hex_])
        return nearest

    def prospects(self, unit: Unit, hex_: Hex, near: HexBits) -> float:
        """Fights for this unit alone from a hex: its own odds, and what an adjacent enemy could do."""
        s = self.s
        af, df = s.rules.roster.af, s.rules.roster.df
        best = 0.0
        threat = 0.0
        for target in members(near):
            there = s.at[target]
            defence = max(1, sum(df[u] for u in there))
            friends = sum(
                af[u] for h in members(s.rules.grid.adjacent[target] & s.occ[self.side]) for u in s.at[h] if u != unit
            )
            ratio = (af[unit] + friends) / defence
            best = max(best, min(ratio, 4.0))
            threat += sum(af[u] for u in there if not s.dispersed >> u & 1)
        return best - 0.4 * threat / max(1, df[unit])

    # ------------------------------------------------------------------ attacks

    def attack(self) -> Action:
        """Attack the next hex where all who can join have good odds."""
        best, choice = basic_column(self.s.rules, *GOOD_ODDS) - 0.5, Action("done")
        for action in by_verb(self.options, "attack"):
            target = action.args[0]
            if target in self.tried:
                continue
            column = self.column(target)
            if column > best:
                best, choice = float(column), action
        if choice.verb == "attack":
            self.tried.add(choice.args[0])
            return choice
        if Action("done") in self.options:
            return Action("done")
        for verb in ("attack", "withdraw"):
            found = [a for a in by_verb(self.options, verb) if verb == "withdraw" or a.args[0] not in self.tried]
            if found:
                if verb == "attack":
                    self.tried.add(found[0].args[0])
                return found[-1]
        return fallback(self.options)

    def column(self, target: Hex) -> int:
        """The column if all free neighbours attacked."""
        s = self.s
        frame = asked(s, Allocate)
        pool = frame.pool(s)
        units = tuple(
            u for h in members(s.rules.grid.adjacent[target] & s.occ[self.side]) for u in s.at[h] if pool >> u & 1
        )
        found = odds(s, (target,), units)
        return min(found.columns) if found.legal and found.columns else -9

    def build(self) -> Action:
        """Everybody who can, as far as it helps."""
        frame = asked(self.s, BuildAttack)
        units, targets = frame.units, frame.targets
        ready = Action("ready") in self.options
        if units and ready:
            found = odds(self.s, targets, units)
            if found.columns and min(found.columns) >= lowest_column(self.s.rules, *ENOUGH):
                return Action("ready")
        more = by_verb(self.options, "with")
        if more:
            af = self.s.rules.roster.af
            return max(more, key=lambda a: (af[a.args[0]], -a.args[0]))
        return Action("ready") if ready else Action("drop")

    # ------------------------------------------------------------------ replacements and setting up

    def replacement(self) -> Action:
        """The strongest unit there is; the Siberians when it is safe."""
        s = self.s
        if Action("siberia") in self.options and s.turn >= safe_turn(s):
            return Action("siberia")
        for verb in ("reinforce", "replace"):
            found = [a for a in by_verb(self.options, verb) if a.args[0] not in self.tried]
            if found:
                df = s.rules.roster.df
                best = max(found, key=lambda a: (df[a.args[0]] + s.rules.roster.af[a.args[0]], -a.args[0]))
                self.tried.add(best.args[0])
                return best
        return Action("done")

    def arrival(self) -> Action:
        """The free hex that looks best."""
        hexes = by_verb(self.options, "at")
        if not hexes:
            return fallback(self.options)
        s = self.s
        frame = asked(s, ChooseHex)
        unit = frame.unit
        setup = Action("at", (max(0, s.rules.units[unit].setup),))
        if self.decision.kind in ("deploy", "deploying") and setup in hexes:
            return setup
        fronts = s.occ[self.enemy]

        def value(action: Action) -> tuple[float, Action]:
            hex_ = action.args[0]
            score = self.score(unit, hex_)
            if s.occ[self.side] >> hex_ & 1:
                score -= 1.0
            if self.knowledge.near(hex_, 4) & fronts:
                score += 3.0
            if self.knowledge.near(hex_, 1) & fronts:
                score -= 3.0
            return score, action

        return max(hexes, key=value)

    def deployment(self) -> Action:
        """Everyone where history had them, if that is allowed."""
        found = by_verb(self.options, "place")
        return found[0] if found else Action("done")
