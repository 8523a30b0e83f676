"""Where groups can march by strategic movement, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.tables import AIR, KIND, group_side
from rasputitsa.wir.model.theatre import CLEAR
from rasputitsa.wir.rules.movement import fatigue, strategic_move

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State


def ways(s: State, group: int) -> dict[int, tuple[int, ...]]:
    """Each hex a group can march to this week, with the directions of the shortest way (6.2)."""
    here = s.hex[group]
    found: dict[int, tuple[int, ...]] = {here: ()}
    most = strategic_move.allowance(s, group) - s.steps[group]
    if most <= 0 or strategic_move.why_rooted(s, group):
        return found
    side = group_side(group)
    enemy, board = 1 - side, s.rules.map
    zone = s.zoc(enemy)
    open_ = board.passable & ~s.occ[enemy] & ~s.full[side] & ~s.towns[enemy]
    if KIND[group] == AIR:
        open_ &= board.of_base[CLEAR] | s.rail[0] | s.rail[1] | s.towns[side]
    dug = sum(1 << h for h in members(open_ & zone & s.occ[side]) if s.dug_in(side, h))
    if KIND[group] == AIR:
        open_ &= ~zone | dug
    wave = [here]
    for _ in range(most):
        coming = []
        for place in wave:
            if place != here and (zone >> place & 1 or fatigue.rough(s, place)):
                continue
            allowed = open_ & (~zone | dug) if zone >> place & 1 else open_
            around = board.step[place]
            for direction in range(1, 7):
                there = around[direction]
                if there >= 0 and allowed >> there & 1 and there not in found:
                    found[there] = (*found[place], direction)
                    coming.append(there)
        wave = coming
    return found
