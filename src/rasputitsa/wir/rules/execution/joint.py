"""7.3, 7.4 Who attacks a hex together, by the plots of a side as they are given, and from where."""

from __future__ import annotations

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import NotationError
from rasputitsa.core.frames import Context
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.rules.execution.cancelled import PlotCancelled, no_farther
from rasputitsa.wir.rules.execution.execution import FIRST_ROUND, MECHANIZED_ROUND, MOVERS, steps
from rasputitsa.wir.rules.movement import plot_ways


def bring_together(s: State, group: Group, target: Hex) -> list[Group]:
    """The groups that attack a hex together with one, which comes first; none join one that merely bombards (6.6).

    Where it is plotted there by way of another hex, the position is changed: the first round of its side's plots is
    carried out, apart from attacks and from what the enemy does. Raises ``NotationError`` where the plot ends before.
    """
    side, ordered = group_side(group), plot.unpack(s.plot[group])
    if ordered.ending == plot.BOMBARD:
        return [group]
    round_ = MECHANIZED_ROUND if _comes_second(s, group, target, ordered) else FIRST_ROUND
    if round_ == MECHANIZED_ROUND:
        start = s.hex[group]
        ended = _first_round(s, side).get(group)
        if ended is None and s.hex[group] != start and not plot_ways.goes_twice(s, group):
            ended = "rain"
        if ended is not None:
            raise NotationError(no_farther(s, group, s.hex[group], ended), "8.4" if ended == "rain" else "7.3")
    return [group, *(other for other in MOVERS[side][round_] if other != group and _attacks(s, other, target, round_))]


def _comes_second(s: State, group: Group, target: Hex, ordered: plot.Plot) -> bool:
    """Whether a group is plotted into a hex in the mechanized round, and not before."""
    named = plot.hexes(s.rules.map.step, s.hex[group], ordered)
    return bool(ordered.second) and named[-1:] == (target,) and named[:-1] != (target,)


def _attacks(s: State, group: Group, target: Hex, round_: int) -> bool:
    """Whether a group is plotted to assault a hex in a round of movement."""
    ordered = plot.unpack(s.plot[group])
    direction = ordered.direction(round_)
    return (
        bool(direction) and s.hex[group] >= 0 and ordered.ending_in(round_) != plot.BOMBARD
        and s.rules.map.step[s.hex[group]][direction] == target
    )  # fmt: skip


def _first_round(s: State, side: Side) -> dict[Group, str]:
    """Carry out the first steps of a side's plots, apart from attacks; tells whose plots end there, and why."""
    context = Context(ScriptedDice(()))
    for group in MOVERS[side][FIRST_ROUND]:
        ordered = plot.unpack(s.plot[group])
        direction = ordered.direction(FIRST_ROUND)
        ending = ordered.ending_in(FIRST_ROUND)
        if direction and s.hex[group] >= 0 and ending != plot.BOMBARD:
            steps(s, context, group, side, s.rules.map.step[s.hex[group]][direction], ending)
    return {event.group: event.reason for event in context.events if isinstance(event, PlotCancelled)}
