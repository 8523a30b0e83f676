"""Behind the line: guards for the cities that an enemy may raid before anybody is there.

A raider is plotted around all groups, as far as plots lead, zones of control or not (6.6), and no hex is so weakly held
that it could enter without a fight. So a guard may be weak, and starts in the last week in which it comes in time.
"""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation, homes
from rasputitsa.ai.wir.planning import strategic_moves
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COMBAT_BITS, INFANTRY, KIND, MECHANIZED, group_side, groups_of
from rasputitsa.wir.rules.movement import plot_ways

BY_RAIL = 1.5
"""Weeks that a group needs from one station to another."""
IN_HAND = 1.0
"""Weeks that a guard is to be there before the raider."""
HORIZON = 4
"""Raiders more weeks away than this may go anywhere."""
SOON, AT_ONCE = 2, 1
"""A guard stays while a raider is so near, and a group that is wanted elsewhere while it is next to be there."""
DEPOT_HOME = 200.0
"""What the hex is worth where a depot comes onto the map."""
SHARE = 0.5
"""A guard may be as strong as this part of the worth of what it guards, in points of combat strength."""
NEAR = 1
"""Cities this near to the enemy are a part of the line."""
MECHANIZED_FACTOR = 1.5
"""How much more a mechanized group is missed."""
AHEAD = 2
"""Garrisons that are raised in a week for places that need none yet."""
GARRISON = 20
"""Most points of a group that is the garrison of its city."""
CONTACT = 1
"""A group this near to the enemy that stands alone in its hex holds the line."""


class Call(NamedTuple):
    """A place that an enemy may raid."""

    worth: float
    hex: Hex
    weeks: float
    """Until the enemy may be there."""


def guards(s: State, situation: Situation, free: list[Group]) -> dict[Group, Hex]:
    """Groups that must start now for places without a guard, and guards that stay; the most costly places first."""
    chosen: dict[Group, Hex] = {}
    found = calls(s, situation)
    called = sum(1 << call.hex for call in found)
    for call in found:
        mates = [group for group in s.at.get(call.hex, ()) if group in situation.power]
        if mates:
            guard = min(mates, key=lambda g: (situation.power[g], g))
            strong = situation.power[guard] > SHARE * call.worth
            if call.weeks <= (AT_ONCE if strong else SOON) and all(group in free for group in mates):
                chosen[guard] = call.hex
            continue
        way = situation.distances(1 << call.hex, situation.board.passable & ~s.occ[situation.enemy])
        offers = []
        for group in free:
            if group in chosen or not s.group_units[group]:
                continue
            if is_wanted(s, situation, group) and not (is_garrison(s, group) and not called >> s.hex[group] & 1):
                continue
            left = weeks(s, situation, s.hex[group], call.hex, way[s.hex[group]], KIND[group])
            if left <= call.weeks and situation.power[group] <= SHARE * call.worth:
                offers.append(
                    (left, situation.power[group] * (MECHANIZED_FACTOR if KIND[group] == MECHANIZED else 1.0), group)
                )
        if not offers:
            continue
        guard = min(offers, key=lambda offer: offer[1:])[2]
        if is_garrison(s, guard) or min(offers)[0] >= call.weeks - IN_HAND:
            chosen[guard] = call.hex
    return {g: s.hex[g] for g in free if is_garrison(s, g)} | chosen


def calls(s: State, situation: Situation) -> list[Call]:
    """Own cities and homes of depots behind the front that an enemy may raid, the most costly first."""
    own = homes(s, situation.side) if s.goal is None else 0  # a lesson is over before a depot is missed
    steps = raid_steps(s, situation)
    found = []
    for hex_ in members((s.city_hexes[situation.side] | own) & ~s.occ[situation.enemy]):
        weeks = steps[hex_] / pace(s)
        if weeks <= HORIZON and situation.to_enemy[hex_] > NEAR:
            worth = situation.worth.get(hex_, 0.0)
            found.append(Call(max(worth, DEPOT_HOME) if own >> hex_ & 1 else worth, hex_, weeks))
    return sorted(found, key=lambda call: (-call.worth, call.hex))


def is_garrison(s: State, group: Group) -> bool:
    """Whether a group is there to hold the city it is in, and for nothing else."""
    here = s.hex[group]
    return (
        bool(s.city_hexes[group_side(group)] >> here & 1)
        and KIND[group] == INFANTRY
        and sum(s.strength[unit] for unit in s.group_units[group]) <= max(GARRISON, s.rules.recruiting.least)
    )


def unguarded(s: State, situation: Situation, sites: HexBits) -> list[Hex]:
    """Empty cities among those where groups can be raised that a raider may be in, or next to, before the week is over,
    the most costly first: next week would be too late, since nothing can be raised next to an enemy (4.9). After them
    the most costly that it may reach later."""
    empty, steps = sites & ~s.occ[situation.side], pace(s) + 1
    found = [call for call in calls(s, situation) if empty >> call.hex & 1]
    urgent = [call.hex for call in found if call.weeks * pace(s) <= steps]
    return urgent + [call.hex for call in found if call.hex not in urgent][:AHEAD]


def stations(s: State, situation: Situation, sites: HexBits) -> list[Hex]:
    """Where garrisons are raised for empty cities in which none can be, for want of people or with an enemy next to
    them; those that are there already for this purpose are left out."""
    empty = s.city_hexes[situation.side] & ~s.occ[situation.side] & ~sites
    found = calls(s, situation)
    called = sum(1 << call.hex for call in found)
    there = s.on_map(groups_of(situation.side, INFANTRY))  # after the orders so far
    waiting = sum(is_garrison(s, g) and not called >> s.hex[g] & 1 for g in there)
    places: list[Hex] = []
    for call in found:
        if not empty >> call.hex & 1:
            continue
        way = situation.distances(1 << call.hex, situation.board.passable & ~s.occ[situation.enemy])
        offers = [(weeks(s, situation, h, call.hex, way[h], INFANTRY), way[h], h) for h in members(sites)]
        left, _, place = min(offers, default=(UNREACHABLE, UNREACHABLE, -1))
        if left <= call.weeks:
            places.append(place)
    return places[waiting:][:AHEAD]


def raid_steps(s: State, situation: Situation) -> list[int]:
    """For each hex the steps of the nearest mechanized enemy around all groups; UNREACHABLE if there is none."""
    fast = sum({1 << s.hex[g] for g in situation.enemies if KIND[g] == MECHANIZED})
    own = s.occ[situation.side]
    return situation.distances(fast, situation.board.passable & ~own | own & s.city_hexes[situation.side])


def pace(s: State) -> int:
    """Hexes a week that a raider goes."""
    return plot_ways.most_steps(s, MECHANIZED)


def is_wanted(s: State, situation: Situation, group: Group) -> bool:
    """Whether a group is wanted where it is: alone in a hex of the line, or in another city."""
    here = s.hex[group]
    alone = sum(COMBAT_BITS[situation.side] >> g & 1 for g in s.at[here]) == 1
    return alone and (situation.to_enemy[here] <= CONTACT or bool(situation.kept >> here & 1))


def weeks(s: State, situation: Situation, start: Hex, goal: Hex, steps: int, kind: int) -> float:
    """Weeks that a group of a kind needs to a place."""
    if steps >= UNREACHABLE:
        return UNREACHABLE
    march = strategic_moves.weeks(s, kind, steps)
    line = s.own_line(situation.side)
    return min(march, BY_RAIL) if line >> start & 1 and line >> goal & 1 else march
