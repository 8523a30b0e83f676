"""What a plan's attacks promise, reckoned from its plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.wir.assault import Assault, Attack, mood_of
from rasputitsa.ai.wir.picture import Picture
from rasputitsa.wir.plot import BOMBARD, unpack
from rasputitsa.wir.tables import INFANTRY, MECHANIZED, groups_of

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

Starts = list[tuple[int, int]]


def attackers(s: State, side: int) -> dict[int, tuple[Starts, Starts]]:
    """The enemy hexes that a side's plots lead into, with the groups that come in each of the two rounds, each with the
    hex it comes from."""
    found: dict[int, tuple[Starts, Starts]] = {}
    enemy = s.occ[1 - side]
    for group in s.on_map(groups_of(side, MECHANIZED, INFANTRY)):
        if not s.plot[group]:
            continue
        plot, here = unpack(s.plot[group]), s.hex[group]
        for round_ in (0, 1):
            direction = plot.direction(round_)
            there = s.rules.map.step[here][direction] if direction else here
            if there < 0:
                break
            if enemy >> there & 1:
                if plot.ending_in(round_) != BOMBARD:
                    found.setdefault(there, ([], []))[round_].append((group, here))
                break
            here = there
    return found


def targets(s: State, side: int) -> set[int]:
    """The enemy hexes that a side's plots lead into."""
    return set(attackers(s, side))


def expected(s: State, side: int) -> dict[int, Attack]:
    """For each enemy hex under attack what may be expected, the enemy as he is believed to be."""
    assault = Assault(s, side, Picture(s, side), mood_of(s, side))
    found = {}
    for target, rounds in attackers(s, side).items():
        first = 0 if rounds[0] else 1
        found[target] = assault.weigh(target, rounds[first], first)
    return found
