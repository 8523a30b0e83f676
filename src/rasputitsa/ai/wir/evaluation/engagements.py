"""A side's own attacks: who is to attack what."""

from __future__ import annotations

from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.plot import BOMBARD, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of

Starts = list[tuple[Group, Hex]]
"""Groups, each with the hex it attacks from."""


def attackers(s: State, side: Side) -> dict[Hex, tuple[Starts, Starts]]:
    """The enemy hexes that a side's plots lead into, with the groups that come in each of the two rounds, each with the
    hex it comes from."""
    found: dict[Hex, tuple[Starts, Starts]] = {}
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
