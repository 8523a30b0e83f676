"""7.7, 7.8 Retreat, surrender and advance."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.chance import percent
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import BIT, members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.figures import Flight, half_up
from rasputitsa.wir.model.indices import Group, GroupBits, Hex, HexBits, Side
from rasputitsa.wir.model.marks import group_mark, hex_mark
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, group_side
from rasputitsa.wir.rules.execution import air
from rasputitsa.wir.rules.movement.enter_hex import Advanced, enter
from rasputitsa.wir.rules.movement.fatigue import TACTICAL, march_points, rough, tire, worn_out


def chance(odds: float, rules: Flight) -> float:
    """Percent chance that an assault at these odds makes the defenders retreat."""
    return max(0.0, min(100.0, rules.per_odds * (odds - 1)))


def advance_chance(s: State, attackers: Sequence[Group], target: Hex) -> float:
    """7.8: percent chance that one of the attackers at least follows into a hex that is left, as it is plotted."""
    ready = (
        s.rules.flight.advance[KIND[group]]
        for group in attackers
        if not worn_out(s, group) and not _stops(s, group, target)
    )
    return 100 * (1 - prod(1 - follows / 100 for follows in ready))


def _stops(s: State, group: Group, target: Hex) -> bool:
    """Whether the plot of a group ends in an S before a hex."""
    plotted = plot.unpack(s.plot[group])
    return plotted.ending == plot.STOP and plot.hexes(s.rules.map.step, s.hex[group], plotted)[-1:] == (target,)


def stands(s: State, hex_: Hex, entrenchment: int = 0) -> bool:
    """Whether a group cannot be made to retreat from a hex, at any odds: it is a fortified city, or the group has
    entrenchments left after the assault (7.7)."""
    return entrenchment > 0 or bool(s.rules.map.fortified & BIT[hex_])


@kept_of_rules
def _homeward(rules: Ruleset, side: Side) -> list[Hex]:
    """For each hex its distance to the nearest hex where a depot of a side starts."""
    grid = rules.grid
    starts = [hex_ for group, hex_ in rules.depot_hex.items() if group_side(group) == side]
    return [min(grid.distance(i, start) for start in starts) if grid.names[i] else 0 for i in range(grid.size)]


def open_hexes(s: State, group: Group) -> HexBits:
    """The hexes a group may retreat into (7.7)."""
    side = group_side(group)
    return open_to(s, side, s.hex[group], s.zoc(1 - side))


def open_to(s: State, side: Side, here: Hex, zone: HexBits, coming: HexBits = 0) -> HexBits:
    """The hexes that groups of a side may retreat into from a hex: no enemy, no enemy city, room (6.7), and no enemy
    zone of control unless an entrenched group of the side is there (6.10, 7.7).

    ``zone``: the enemy's zones of control; ``coming``: more hexes that are looked at as if enemies were there already.
    """
    enemy = 1 - side
    if coming:
        zone |= s.zoc_around(coming)
    free = s.rules.map.reach[here] & ~(s.occ[enemy] | s.city_hexes[enemy] | s.full[side] | coming)
    return s.out_of_zones(side, free, zone)


def way_out(s: State, group: Group, attackers: HexBits) -> Hex:
    """The hex a group retreats into, or -1. ``attackers``: the hexes it was attacked from.

    Away from the attackers, then towards the own depots, then along rail and cities, then on open ground.
    """
    side, here = group_side(group), s.hex[group]
    free = open_hexes(s, group)
    if not free:
        return -1
    board, home, line = s.rules.map, _homeward(s.rules, side), s.own_line(side)
    adjacent, around = board.grid.adjacent, board.step[here]
    return min(
        members(free),
        key=lambda h: (
            (adjacent[h] & attackers).bit_count(), home[h], not line >> h & 1, rough(s, h), around.index(h),
        ),
    )  # fmt: skip


def retreat_fatigue(s: State, side: Side, experience: int) -> int:
    """Fatigue of a unit that has to retreat, without what the march costs (8.1)."""
    rules = s.rules.flight
    factor = rules.first_winter if s.bitter_winter(side) else rules.weather[s.weather]
    points = half_up(max(0.0, (rules.base - rules.steadiness * experience) * factor))
    return max(rules.least, min(rules.most, points))


def give_way(s: State, context: Context, group: Group, attackers: HexBits) -> None:
    """A group is forced out of its hex, without its guns (8.10); without a way out it surrenders (7.7)."""
    here, side = s.hex[group], group_side(group)
    there = way_out(s, group, attackers)
    if there < 0:
        context.note(Surrendered(group, here))
        s.dissolve(group)
        return
    context.note(Retreated(group, here, there))
    march = march_points(s, group, here, there, TACTICAL)
    s.place(group, there)
    s.entrench[group] = 0
    s.artillery[group] = 0
    s.plot[group] = 0
    for unit in s.group_units[group]:
        tire(s, unit, march + retreat_fatigue(s, side, s.experience[unit]), context, strain=True)


def drive_out(s: State, context: Context, target: Hex, side: Side, odds: float, attackers: HexBits) -> None:
    """The defenders' retreat after an assault. Groups with entrenchments left and groups in a fortified city stay;
    air groups are destroyed when no combat group stays with them."""
    defenders = [g for g in s.at.get(target, ()) if group_side(g) == side]
    ground = [g for g in defenders if KIND[g] != AIR]
    loose = [g for g in ground if not stands(s, target, s.entrench[g])]
    if loose and percent(context, "retreat", chance(odds, s.rules.flight)):
        for group in loose:
            give_way(s, context, group, attackers)
        if len(loose) == len(ground):
            ground = []
    if not ground:
        for group in defenders:
            if KIND[group] == AIR:
                air.destroy(s, context, group)


def advance(s: State, context: Context, attackers: Sequence[Group], target: Hex, standing: GroupBits) -> GroupBits:
    """7.8: attackers follow into the vacated hex, in group order, while there is room (6.7); returns those that did.

    ``standing``: groups whose plot ends in an S here. Who does not follow forgets the rest of its plot.
    """
    advanced = 0
    for group in attackers:
        if s.hex[group] < 0:
            continue
        follows = (
            not standing >> group & 1
            and not s.full[group_side(group)] >> target & 1
            and not worn_out(s, group)
            and percent(context, "advance", s.rules.flight.advance[KIND[group]])
        )
        if follows:
            enter(s, context, group, target, Advanced)
            advanced |= 1 << group
        else:
            s.plot[group] = 0
    return advanced


@event("retreats", "7.7", "unit", "hex", "hex")
class Retreated(Event):
    """A group retreats."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} retreats to {hex_mark(s, self.destination)}"


@event("surrenders", "7.7", "unit", "hex")
class Surrendered(Event):
    """A group without a way to retreat surrenders."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} surrenders in {hex_mark(s, self.hex)}"
