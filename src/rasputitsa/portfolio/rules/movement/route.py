"""The way a group takes to a hex it can reach: the cheapest, and among those the one that frees most ground."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.indices import Hex, HexBits
from rasputitsa.portfolio.model.moves import MovingStack
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.rules.movement.reach import cost_layers, first_hex, reach, start_cost


class Leg(NamedTuple):
    """One leg of a move. ``hexes`` runs from the start to the end, both included."""

    hexes: tuple[Hex, ...]
    rivers: int
    cost: int
    entered_zone: bool
    strait: bool
    dispersed: bool


def leg(s: State, m: MovingStack, target: Hex) -> Leg:
    """The leg to a hex within reach."""
    land = ground(s)
    in_zone = m.enemy_zoc & BIT[target] != 0
    dispersed = not reach(s, m).plain & BIT[target]
    direct = m.steps == 0 and target in s.rules.grid.neighbours[m.here]
    if direct:
        one_plain, one_dispersing = first_hex(s, m)
        if (one_plain if not dispersed else one_plain | one_dispersing) & BIT[target]:
            return _leg(s, m, (m.here, target), in_zone, dispersed, land.straits.between(m.here, target))
    way = _way_into_zone(s, m, target) if in_zone else _way_in_the_open(s, m, target)
    return _leg(s, m, way, in_zone, dispersed, strait=False)


def single_step(s: State, m: MovingStack, target: Hex) -> Leg:
    """The leg to the next hex, straight there whatever it costs; it must be among the group's steps."""
    in_zone = m.enemy_zoc & BIT[target] != 0
    way = _leg(s, m, (m.here, target), in_zone, False, ground(s).straits.between(m.here, target))
    if not in_zone:
        return way
    within = (
        first_hex(s, m).plain & BIT[target]
        if m.steps == 0
        else start_cost(s, m) + way.rivers * s.rules.river_surcharge <= m.basic
    )
    return way._replace(dispersed=not within)


def _leg(s: State, m: MovingStack, way: tuple[Hex, ...], in_zone: bool, dispersed: bool, strait: bool) -> Leg:
    river = ground(s).river
    steps = list(itertools.pairwise(way))
    rivers = sum(river.between(a, b) for a, b in steps) if m.pays_rivers else 0
    charged = 0
    if in_zone and m.pays_rivers:
        whole = s.rules.rivers_of_whole_move
        charged = s.rules.river_surcharge * (rivers if whole else int(river.between(*steps[-1])))
    return Leg(way, rivers, len(steps) + charged, in_zone, strait, dispersed)


def _way_in_the_open(s: State, m: MovingStack, target: Hex) -> tuple[Hex, ...]:
    """Backwards from the target through the layers of equal distance."""
    barrier = ground(s).barrier
    layer, goal = BIT[m.here], BIT[target]
    unseen = without(m.passable, m.enemy_zoc | layer)
    layers: list[HexBits] = []
    while not layer & goal:
        layers.append(layer)
        layer = barrier.spread(layer) & unseen
        unseen ^= layer
    way = [target]
    for layer in reversed(layers):
        way.append(_best(s, m, barrier.near[way[-1]] & layer, way[-1]))
    return tuple(reversed(way))


def _way_into_zone(s: State, m: MovingStack, target: Hex) -> tuple[Hex, ...]:
    """Backwards from a zone hex through the layers of equal cost."""
    land = ground(s)
    edge = m.passable & m.enemy_zoc
    free = m.passable ^ edge
    edge = without(edge, m.left_zones)
    last_step_only, surcharge = s.rules.rivers_of_last_step, s.rules.river_surcharge
    layers = [BIT[m.here]]
    for _cost, (layer, entered) in enumerate(cost_layers(s, m, edge, free), start=start_cost(s, m)):
        layers.append(layer)
        if entered & BIT[target]:
            break
    level = len(layers) - 1
    way = [target]
    while level > 0:
        here = way[-1]
        near = land.barrier.near[here]
        wet = near & land.river.across_from(here) if m.pays_rivers else 0
        if last_step_only and len(way) > 1:
            wet = 0
        if len(way) == 1 and m.enemy_zoc & BIT[m.here]:
            # A start that lies in a zone does not lead straight into a zone here (see cost_layers).
            near, wet = without(near, BIT[m.here]), without(wet, BIT[m.here])
        dry_from = (near ^ wet) & layers[level - 1]
        wet_from = wet & layers[level - 1 - surcharge] if level > surcharge else 0
        way.append(_best(s, m, dry_from or wet_from, here))
        level -= 1 if dry_from else 1 + surcharge
    return tuple(reversed(way))


def _best(s: State, m: MovingStack, candidates: HexBits, onward: HexBits) -> Hex:
    """Among equal hexes: one not yet under control, without a river, first in map order."""
    fresh = without(candidates, s.controlled(m.side))
    dry = ground(s).wet.near[onward]
    choice = fresh & dry or fresh or candidates & dry or candidates
    if not choice:
        raise AssertionError("a hex within reach has a way to it")
    return members(choice)[0]
