"""Replacements, rail and sea movement, and setting up."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.aims import aims_of
from rasputitsa.ai.portfolio.danger import Danger, Layout
from rasputitsa.ai.portfolio.habits import by_verb, fallback
from rasputitsa.ai.portfolio.operations import Level
from rasputitsa.ai.portfolio.sight import sight
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.siberia import safe_turn
from rasputitsa.portfolio.theatre import SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


class Staff:
    """The work of one replacement phase or set-up."""

    def __init__(self, key: tuple[int, ...], side: int, level: Level, rng: random.Random) -> None:
        self.key = key
        self.side = side
        self.level = level
        self.rng = rng
        self.tried: set[Action] = set()

    def answer(self, s: State, decision: Decision, going: Callable[[], bool]) -> Action | None:
        """The next order, or where a unit goes."""
        if decision.kind == "replacement":
            return self.order(s, decision)
        if decision.kind in ("replace", "reinforce", "rail", "sea"):
            return self.arrival(s, decision, going)
        if decision.kind in ("deploying", "deployment"):
            return self.deploy(s, decision)
        return None

    def order(self, s: State, decision: Decision) -> Action:
        """Bring in Siberians when it is safe, then the best units the points allow."""
        options = decision.options
        if Action("siberia") in options and s.turn >= safe_turn(s):
            return Action("siberia")
        for verb in ("reinforce", "replace"):
            found = [a for a in by_verb(options, verb) if a not in self.tried]
            if found:
                worth = sight(s.rules).worth
                best = max(found, key=lambda a: (worth[a.args[0]], -a.args[0]))
                self.tried.add(best)
                return best
        return Action("done")

    def arrival(self, s: State, decision: Decision, going: Callable[[], bool]) -> Action:
        """The hex where the unit spares most harm and will be most useful."""
        hexes = by_verb(decision.options, "at")
        if not hexes:
            return fallback(decision.options)
        unit = int(s.stack[-1].unit)  # type: ignore[attr-defined]
        aims = aims_of(s, self.side)
        enemy = s.rules.roster.of_side[1 - self.side] & s.units_in(s.occ[1 - self.side])
        awake = s.rules.roster.of_side[self.side] & ~s.dispersed & ~(1 << unit)
        danger = Danger(s, self.side, aims.worth, enemy, awake)
        layout = Layout(s, self.side)
        layout.lying |= 1 << unit
        knowledge = sight(s.rules)
        front = knowledge.spread_field(s.occ[1 - self.side] or 1, knowledge.land)

        def use(hex_: int) -> float:
            away = front[hex_]
            score = -0.5 * abs(away - 4) + 0.15 * aims.value[hex_]
            if away <= 1:
                score -= 2.0
            if s.occ[self.side] >> hex_ & 1:
                score -= 1.0
            return score + (0.1 * aims.pull[hex_] if self.side == SOVIET else 0.2 * aims.pull[hex_])

        ranked = sorted((a.args[0] for a in hexes), key=use, reverse=True)[: self.level.candidates]
        best, choice = -1e9, ranked[0]
        for hex_ in ranked:
            if len(layout.at.get(hex_, ())) > 1:
                continue
            layout.move(unit, hex_)
            value = use(hex_) - danger.harm(layout)
            if value > best:
                best, choice = value, hex_
        return Action("at", (choice,))

    def deploy(self, s: State, decision: Decision) -> Action:
        """Where history had the unit, or the free place nearest to it."""
        if decision.kind == "deployment":
            found = by_verb(decision.options, "place")
            return found[0] if found else Action("done")
        unit = int(s.stack[-1].unit)  # type: ignore[attr-defined]
        home = s.rules.units[unit].setup
        hexes = by_verb(decision.options, "at")
        if not hexes:
            return fallback(decision.options)
        return min(hexes, key=lambda a: (s.rules.grid.distance(a.args[0], home), a))


__all__ = ["Staff", "members"]
