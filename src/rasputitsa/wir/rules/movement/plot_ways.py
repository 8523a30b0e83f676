"""6.6, 8.4 How far tactical plots lead a group in the present weather, and by which ways."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND, group_side
from rasputitsa.wir.rules.movement import rain


def most_steps(s: State, kind: int) -> int:
    """How many hexes a plot leads a kind of group in the present weather (8.4)."""
    return rain.slowed(s, plot.longest(kind))


def goes_twice(s: State, group: Group) -> bool:
    """Whether a group may take a second step by its plot."""
    return most_steps(s, KIND[group]) > 1


def rained_off_in(s: State, group: Group) -> Hex:
    """8.4: the hex in which the weather ends a group's plot of two steps; -1 where it does not."""
    if not s.plot[group] or goes_twice(s, group):
        return -1
    ordered = plot.unpack(s.plot[group])
    return s.rules.map.step[s.hex[group]][ordered.first] if ordered.first and ordered.second else -1


def meets_in(s: State, group: Group) -> Hex:
    """7.3: the first hex on the way of a group's plot in which an enemy stands now; -1 where none does."""
    rained_off, enemies = rained_off_in(s, group), s.occ[1 - group_side(group)]
    for hex_ in plot.hexes(s.rules.map.step, s.hex[group], plot.unpack(s.plot[group])):
        if enemies >> hex_ & 1:
            return hex_
        if hex_ == rained_off:
            break
    return -1


def open_hexes(s: State, side: Side) -> HexBits:
    """Hexes that groups of a side may enter by a plot without an attack: passable, no enemy, and room (6.7, 7.3)."""
    return s.rules.map.passable & ~(s.occ[1 - side] | s.full[side])


class Way(NamedTuple):
    """A plot that goes forward, and where it leads."""

    plot: Plot
    via: Hex
    """Where the first of two steps leads; else the end."""
    end: Hex


def ways(s: State, group: Group, within: HexBits) -> list[Way]:
    """The plots that lead a group forward through some hexes, each first step before those that go on from it. None
    leads back to where it begins."""
    step, start, found = s.rules.map.step, s.hex[group], list[Way]()
    twice = goes_twice(s, group)
    for first in range(1, len(step[start])):
        one = step[start][first]
        if one < 0 or not within >> one & 1:
            continue
        found.append(Way(Plot(first, 0, ADVANCE), one, one))
        if not twice:
            continue
        for second in range(1, len(step[one])):
            two = step[one][second]
            if two >= 0 and two != start and within >> two & 1:
                found.append(Way(Plot(first, second, ADVANCE), one, two))
    return found
