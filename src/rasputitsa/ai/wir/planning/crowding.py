"""6.7: groups that would find no room where their plots lead, whatever the enemy does."""

from __future__ import annotations

from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.plot import ADVANCE, BOMBARD, unpack
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.rules.execution import execution


def without_room(s: State, side: Side) -> list[Group]:
    """The groups of a side whose plots its other groups leave no room for, in the order in which they would move.

    The enemy is taken to stand still, and who attacks to be out of the way of the others from then on.
    """
    t, found = s.copy(), []
    for round_, movers in enumerate(execution.MOVERS[side]):
        gone = []
        for group in movers:
            plot = unpack(t.plot[group])
            if t.hex[group] == OFF or not plot.direction(round_):
                continue
            ending = plot.ending_in(round_)
            target = t.rules.map.step[t.hex[group]][plot.direction(round_)]
            full = target >= 0 and t.full[side] >> target & 1
            if ending == BOMBARD:
                continue
            if execution.steps(t, Context(SeededDice(0)), group, side, target, ending):
                if ending == ADVANCE:
                    gone.append(group)
            elif full and ending == ADVANCE:
                found.append(group)
        for group in gone:
            t.lift(group)
    return found
