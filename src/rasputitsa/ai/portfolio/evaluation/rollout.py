"""Looking ahead: a plan is played out against a quick opponent, and what comes of it is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.turn import victory

WIN_SCORE = 400.0
"""What a won game is worth, in replacement points; a lost one is worth as much less than nothing."""
MOST_DECISIONS = 4000
"""Decisions after which a simulation ends wherever it stands."""


class Answers(Protocol):
    """Who answers for a side in a simulation."""

    def answer(self, s: State, decision: Decision) -> Action:
        """One of the options."""
        ...


def assess(s: State) -> float:
    """How a position stands for the Axis, in replacement points."""
    if s.outcome is not None:
        return WIN_SCORE if s.outcome.winner == SIDES[AXIS] else -WIN_SCORE
    if s.goal is not None:
        return lesson.score(s)
    knowledge = knowledge_of(s.rules)
    rules = s.rules
    roster = rules.roster
    worth = knowledge.worth
    score = 0.0
    for side, sign in ((AXIS, 1.0), (SOVIET, -1.0)):
        cut = supply.unsupplied_units(s, side)
        for unit in s.on_map(side):
            value = worth[unit]
            bit = 1 << unit
            if s.dispersed & bit:
                value *= 0.85
            if cut & bit:
                value *= 0.55
            score += sign * value
    turns_left = max(1, 13 - s.turn)
    points = victory.points_of(s, victory.linked_cities(s))
    score += points * (3.0 + 0.5 * points)
    if points >= knowledge.needed:
        score += 25.0
    ours = rules.map.majors & rules.home[SOVIET] & s.control
    score += 0.8 * min(turns_left, 6) * ours.bit_count()
    towns = rules.map.towns & rules.home[SOVIET] & s.control
    score += 0.25 * towns.bit_count()
    # how near the Axis army is to what it still needs
    goals = [(knowledge.field(h), 2.0 * v) for h, v in knowledge.victory.items() if not s.control >> h & 1]
    if goals:
        near = 0.0
        for unit in members(roster.of_side[AXIS]):
            hex_ = s.pos[unit]
            if hex_ >= 0:
                near += roster.af[unit] * max(-12.0, max(bonus - field[hex_] for field, bonus in goals))
        score += 0.03 * near
    prizes = sum(1 << h for h in knowledge.soviet_goals)
    if prizes & ~s.control:
        score -= 60.0
    return score


def play_out(
    s: State, players: tuple[Answers, Answers], seed: int, until: Callable[[State], bool], going: Callable[[], bool]
) -> float:
    """Play on from a position with dice of its own until a condition holds; what stands then."""
    dice = SeededDice(seed)
    for _ in range(MOST_DECISIONS):
        if s.outcome is not None or until(s) or not going():
            break
        frame = s.stack[-1]
        options = s.legal if s.legal is not None else frame.options(s)
        seat = s.rules.seats[frame.seat(s)]
        decision = Decision(seat.id, SIDES[seat.side], frame.kind, frame.rule, "", options)
        action = options[0] if len(options) == 1 else players[seat.side].answer(s, decision)
        context = Context(dice)
        s.legal = None
        frame.apply(s, action, context)
        settle(s, context)
    return assess(s)
