"""What follows on average from the combat results table: kills, retreats and losses of an attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.portfolio.model.combat import DESTROYED, DRIVEN_OUT, NO_EFFECT
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.rules.combat.odds import TOP
from rasputitsa.portfolio.rules.combat.resolution import chance_of_loss
from rasputitsa.portfolio.rules.combat.retreat import FARTHEST
from rasputitsa.portfolio.rules.combat.special_results import JUDGED, outcome

SCATTERED_BY_D1 = 0.4
"""How often a retreat of one hex is taken to leave a unit Dispersed."""


class DefenderChances(NamedTuple):
    """Chances against one defender, for one column and one depth of retreat."""

    killed: float
    scattered: float
    """Retreats Dispersed."""
    pushed: float
    """Retreats, Dispersed or not."""


class HoldingChances(NamedTuple):
    """Chances of what "No Retreat!" changes for one defender in one column, retreats taken to be open (XIII.B.6)."""

    saved: float
    """Stays unharmed where it would have left."""
    lost: float
    """Is destroyed where it would have got away."""


class ExpectedLosses(NamedTuple):
    """Chances of what befalls the attacker in one column."""

    eliminated: float
    dispersed: float
    exchange: float
    nothing: float
    breakthrough: float


class Tables(NamedTuple):
    """``defender[overrun][depth][column]``, ``losses[column]`` and ``holding[column]``; column 11 stands for one above
    the last."""

    defender: list[list[list[DefenderChances]]]
    losses: list[ExpectedLosses]
    holding: list[HoldingChances]


@cached
def tables(rules: Ruleset) -> Tables:
    """The chances of a ruleset's combat results table."""
    results = [[rules.crt[die][min(column, TOP)] for die in sorted(rules.crt)] for column in range(TOP + 2)]
    defender = [
        [[_against_defender(rules, row, depth, overrun=overrun) for row in results] for depth in range(FARTHEST + 1)]
        for overrun in (False, True)
    ]
    return Tables(defender, [_losses(row) for row in results], [_holding(row) for row in results])


def _against_defender(rules: Ruleset, row: list[str], depth: int, *, overrun: bool) -> DefenderChances:
    doomed = chance_of_loss(rules, depth)
    killed = scattered = pushed = 0.0
    for face in row:
        result = outcome(face, depth, overrun=overrun)
        if result in DESTROYED:
            killed += 1
        elif result in DRIVEN_OUT:
            killed += doomed
            scattered += 1 - doomed
            pushed += 1 - doomed
        elif result == "D1":
            scattered += SCATTERED_BY_D1
            pushed += 1
    return DefenderChances(killed / len(row), scattered / len(row), pushed / len(row))


def _holding(row: list[str]) -> HoldingChances:
    held = [outcome(face, 0, overrun=False) for face in row if face in JUDGED and face not in DESTROYED]
    return HoldingChances(held.count(NO_EFFECT) / len(row), sum(result in DESTROYED for result in held) / len(row))


def _losses(row: list[str]) -> ExpectedLosses:
    chance = {name: row.count(name) / len(row) for name in set(row)}
    return ExpectedLosses(
        chance.get("AE", 0.0), chance.get("AD", 0.0), chance.get("X", 0.0), chance.get("S", 0.0),
        chance.get("BR", 0.0),
    )  # fmt: skip


@dataclass(frozen=True)
class Stakes:
    """What the things that happen in battle are worth to the attacker, in replacement points."""

    kill: float = 1.0
    """For a point of the enemy's worth."""
    scatter: float = 0.3
    """For a point of worth Dispersed."""
    loss: float = 1.0
    """For an own factor lost."""
    disorder: float = 0.1
    """For an own factor Dispersed."""
    exchange: float = 0.4
    """For a defence factor that may have to be paid in an exchange the defender picks."""
    breakthrough: float = 2.0
