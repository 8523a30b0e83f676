"""What a sensible player does without thinking ahead: one answer for every kind of decision.

The greedy player lives by these; the planner falls back on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.stacking import fits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import supply

QUIET = ("done", "stand_all", "stand", "pass", "halt", "refrain", "decline", "continue", "ready", "back", "drop")
"""Verbs that end a question, the safest first."""


def fallback(options: Sequence[Action]) -> Action:
    """An answer when nothing better is known: leave things as they are."""
    for verb in QUIET:
        for action in options:
            if action.verb == verb:
                return action
    return options[0]


def by_verb(options: Sequence[Action], verb: str) -> list[Action]:
    """The options with a verb."""
    return [action for action in options if action.verb == verb]


def haven(s: State, unit: Unit, hex_: Hex) -> float:
    """How good a place is for a retreating unit."""
    side = s.rules.roster.side[unit]
    enemy = 1 - side
    grid = s.rules.grid
    bit = 1 << hex_
    close = (grid.adjacent[hex_] & s.occ[enemy]).bit_count()
    around = (knowledge_of(s.rules).near(hex_, 2) & s.occ[enemy]).bit_count()
    board = s.rules.map
    score = -2.0 * close - 0.4 * around
    if supply.supplied_hexes(s, unit) & bit:
        score += 3.0
    if (board.majors | board.cities) & bit:
        score += 1.0
    if (board.hills | board.mountain | board.swamp) & bit:
        score += 0.5
    if zoc(s, enemy) & bit:
        score -= 1.5
    if not fits(s, unit, [u for u in s.at.get(hex_, ()) if u != unit], hex_):
        score -= 6.0
    return score


class DefaultPolicy:
    """Default answers for one state and decision."""

    def __init__(self, s: State, decision: Decision) -> None:
        self.s = s
        self.options = decision.options
        self.kind = decision.kind
        self.side = (AXIS, SOVIET)[decision.side == "soviet"]
        self.worth = knowledge_of(s.rules).worth
        self._by_kind: dict[str, Callable[[], Action | None]] = {
            "stop": self.stop, "losses": self.cheapest, "overstack": self.cheapest, "isolation": self.cheapest,
            "exchange": self.exchange, "exchange_first": self.exchange_first, "retreat": self.retreat,
            "retreat_length": self.retreat_length, "retreat_order": self.first, "may_retreat": self.may_retreat,
            "advance": self.advance, "advance_step": self.advance_step, "airlift": self.airlift,
            "displace": self.cheapest, "displace_to": self.first, "resolve": self.first,
            "reduce": self.reduce,
        }  # fmt: skip

    def answer(self) -> Action:
        """The habitual answer."""
        habit = self._by_kind.get(self.kind)
        action = habit() if habit is not None else None
        return action if action is not None else fallback(self.options)

    def fallback(self) -> Action:
        """The answer where there is no habit, by the options alone."""
        return fallback(self.options)

    def first(self) -> Action:
        """The first option."""
        return self.options[0]

    def stop(self) -> Action:
        """The Soviets have won when the game stops; the Axis plays on."""
        return Action("stop" if self.side == SOVIET else "continue")

    def cheapest(self) -> Action:
        """Lose the unit of least worth."""
        found = by_verb(self.options, "lose") or list(self.options)
        return min(found, key=lambda a: (self.worth[a.args[0]] if a.args else 99.0, a))

    def reduce(self) -> Action:
        """A front becomes the best army there is."""
        found = by_verb(self.options, "as")
        return max(found, key=lambda a: (self.worth[a.args[0]], a)) if found else self.fallback()

    def exchange(self) -> Action | None:
        """Give the most costly attackers for the cheapest defenders, or decline."""
        for verb in ("decline", "done"):
            found = by_verb(self.options, verb)
            if found:
                return found[0]
        return self.cheapest()

    def exchange_first(self) -> Action:
        """Kill what would only be scattered, if it costs no more than it is worth."""
        battle = self.s.battle
        if self.side == SOVIET and battle is not None:
            enemy = sum((self.worth[u] for u in battle.having(self.s.pos, "DX")), 0.0)
            if enemy > 1.3 * sum(battle.own):
                return Action("exchange_first")
        return Action("refrain")

    def retreating_unit(self) -> Unit:
        """The unit whose retreat is decided."""
        frame = self.s.stack[-1]
        retreat = getattr(frame, "retreat", None)
        return int(retreat.unit) if retreat is not None else 0

    def retreat(self) -> Action:
        """Own units go where they are safest, enemy units where they are not."""
        unit = self.retreating_unit()
        own = self.s.rules.roster.side[unit] == self.side
        hexes = by_verb(self.options, "to")
        if not hexes:
            return self.fallback()
        sign = 1.0 if own else -1.0
        return max(hexes, key=lambda a: (sign * haven(self.s, unit, a.args[0]), a))

    def retreat_length(self) -> Action:
        """A defender who must go one hex goes one; an attacker drives the enemy on."""
        unit = self.retreating_unit()
        own = self.s.rules.roster.side[unit] == self.side
        if own and haven(self.s, unit, self.s.pos[unit]) > -4.0:
            return Action("halt")
        return Action("continue") if Action("continue") in self.options else self.fallback()

    def may_retreat(self) -> Action:
        """Hold the ground."""
        return Action("stand")

    def advance(self) -> Action:
        """Advance what must; then the strong and fast, as long as they do not crowd."""
        units = by_verb(self.options, "advance")
        if not units:
            return self.fallback()
        roster = self.s.rules.roster
        return max(units, key=lambda a: (roster.pure_armor >> a.args[0] & 1, roster.af[a.args[0]], -a.args[0]))

    def advance_step(self) -> Action:
        """Into the vacated hex and no farther."""
        halt = by_verb(self.options, "halt")
        return halt[0] if halt else self.options[0]

    def airlift(self) -> Action:
        """Supply the strongest stack by air."""
        stacks = by_verb(self.options, "airlift")
        if not stacks:
            return self.fallback()
        return max(stacks, key=lambda a: (sum((self.worth[u] for u in self.s.at.get(a.args[0], ())), 0.0), a))


def empty_prizes(s: State, side: Side) -> HexBits:
    """Own places that must not fall and hold nobody."""
    knowledge = knowledge_of(s.rules)
    if side == AXIS:
        hexes = sum(1 << h for h in knowledge.soviet_goals) | s.control & s.rules.map.victory_cities
    else:
        hexes = s.rules.map.victory_cities & ~s.control
    return hexes & ~s.occ[side]
