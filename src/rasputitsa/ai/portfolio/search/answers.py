"""Small questions of a battle: what could be answered, each answer tried in the same imagined worlds."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rasputitsa.ai.portfolio.planning.default_policy import by_verb
from rasputitsa.ai.portfolio.planning.garrisons import never_left
from rasputitsa.ai.portfolio.search.rollout import Rollout
from rasputitsa.ai.portfolio.search.value import chance_of
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import State

ASKED = {
    "advance", "advance_step", "exchange", "exchange_first", "may_retreat", "no_retreat", "resolve", "retreat",
    "retreat_length", "window",
}  # fmt: skip
"""Questions worth a trial."""
MOST = 6
"""Answers looked at."""
LEAST_WORLDS = 5
"""With fewer worlds tried than this the usual answer is kept."""
STANDARD_ERRORS = 1.0
"""By how many standard errors an answer must be better than the usual one: the more, the less is left to chance."""


def candidates(s: State, decision: Decision, usual: Action) -> list[Action]:
    """The answers to be tried, the usual one first."""
    options = list(decision.options)
    if decision.kind == "window":
        options = withdrawals(s, options)
    return [usual, *(action for action in options if action != usual)][:MOST]


def withdrawals(s: State, options: Sequence[Action]) -> list[Action]:
    """Retreats before the attack that are worth a thought: out of hexes where the enemy is strongest."""
    attacker = s.side
    roster = s.rules.roster
    spread = s.rules.grid.spread
    stays = never_left(s, 1 - attacker)
    pressed: list[tuple[float, Action]] = []
    for action in by_verb(options, "retreat"):
        hex_ = s.pos[action.args[0]]
        pressing = members(spread(1 << hex_) & s.active[attacker])
        if pressing and not stays >> hex_ & 1:
            threat = sum(roster.af[u] for near in pressing for u in s.at[near])
            pressed.append((threat / max(1, sum(roster.df[u] for u in s.at[hex_])), action))
    return [action for _, action in sorted(pressed, key=lambda found: -found[0])]


def tried(trial: Rollout, options: Sequence[Action], worlds: int) -> list[list[float]]:
    """Each answer's values (logarithms of odds) in the same worlds, as many as there is time for."""
    values: list[list[float]] = [[] for _ in options]
    for world in range(worlds):
        told: list[float] = []
        for action in options:
            value = trial.option(action, world) if trial.going() else None
            if value is None:
                return values
            told.append(value)
        for known, value in zip(values, told, strict=True):
            known.append(value)
    return values


def better(values: Sequence[Sequence[float]], outlook: float) -> int:
    """The number of the best answer: the first, usual one, unless another is better beyond doubt.

    ``outlook`` is how the position stands now; as in the choice of plans, the usual answer is taken to leave it so.
    """
    worlds = len(values[0])
    if worlds < LEAST_WORLDS:
        return 0
    drift = outlook - sum(values[0]) / worlds
    usual = [chance_of(odds + drift) for odds in values[0]]
    best, choice = 0.0, 0
    for number, known in enumerate(values[1:], start=1):
        gains = [chance_of(odds + drift) - was for odds, was in zip(known, usual, strict=True)]
        gain = sum(gains) / worlds
        error = sqrt(sum(((g - gain) ** 2 for g in gains), 0.0) / (worlds - 1) / worlds)
        if gain - STANDARD_ERRORS * error > best:
            best, choice = gain - STANDARD_ERRORS * error, number
    return choice
