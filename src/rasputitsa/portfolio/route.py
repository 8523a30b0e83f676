"""The way a group takes to a hex it can reach: the cheapest, and among those the one that frees most ground."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from rasputitsa.portfolio.reach import Marcher, cost_layers, first_hex, reach, start_cost
from rasputitsa.portfolio.terrain import ground

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


class Leg(NamedTuple):
    """One leg of a move. ``hexes`` runs from the start to the end, both included."""

    hexes: tuple[int, ...]
    rivers: int
    cost: int
    entered_zone: bool
    strait: bool
    dispersed: bool


def leg(s: State, m: Marcher, target: int) -> Leg:
    """The leg to a hex within reach."""
    land = ground(s)
    in_zone = bool(m.enemy_zoc >> target & 1)
    plain, _dispersing = reach(s, m)
    dispersed = not plain >> target & 1
    direct = m.steps == 0 and target in s.rules.grid.neighbours[m.here]
    if direct:
        one_plain, one_dispersing = first_hex(s, m)
        if (one_plain if not dispersed else one_plain | one_dispersing) >> target & 1:
            return _leg(s, m, (m.here, target), in_zone, dispersed, land.straits.between(m.here, target))
    way = _way_into_zone(s, m, target) if in_zone else _way_in_the_open(s, m, target)
    return _leg(s, m, way, in_zone, dispersed, strait=False)


def _leg(s: State, m: Marcher, way: tuple[int, ...], in_zone: bool, dispersed: bool, strait: bool) -> Leg:
    river = ground(s).river
    steps = list(itertools.pairwise(way))
    rivers = sum(river.between(a, b) for a, b in steps) if m.pays_rivers else 0
    charged = 0
    if in_zone and m.pays_rivers:
        whole = s.rules.rivers_of_whole_move
        charged = rivers if whole else int(river.between(*steps[-1]))
    return Leg(way, rivers, len(steps) + charged, in_zone, strait, dispersed)


def _way_in_the_open(s: State, m: Marcher, target: int) -> tuple[int, ...]:
    """Backwards from the target through the layers of equal distance."""
    barrier = ground(s).barrier
    free = m.passable & ~m.enemy_zoc
    layers = [1 << m.here]
    reached = layers[0]
    while not layers[-1] >> target & 1:
        layers.append(barrier.spread(layers[-1]) & free & ~reached)
        reached |= layers[-1]
    way = [target]
    for layer in reversed(layers[:-1]):
        way.append(_best(s, m, barrier.spread(1 << way[-1]) & layer, way[-1]))
    return tuple(reversed(way))


def _way_into_zone(s: State, m: Marcher, target: int) -> tuple[int, ...]:
    """Backwards from a zone hex through the layers of equal cost."""
    land = ground(s)
    edge, free = m.enemy_zoc & m.passable, m.passable & ~m.enemy_zoc
    last_step_only = s.rules.rivers_of_last_step
    layers = [1 << m.here]
    for _cost, (layer, entered) in enumerate(cost_layers(s, m, edge, free), start=start_cost(s, m)):
        layers.append(layer)
        if entered >> target & 1:
            break
    level = len(layers) - 1
    way = [target]
    while level > 0:
        here = way[-1]
        near = land.barrier.spread(1 << here)
        wet = land.river.across(1 << here) if m.pays_rivers else 0
        if last_step_only and len(way) > 1:
            wet = 0
        # A start that lies in a zone does not lead straight into a zone here (see cost_layers).
        allowed = ~(1 << m.here) if len(way) == 1 and m.enemy_zoc >> m.here & 1 else -1
        dry_from = near & ~wet & layers[level - 1] & allowed
        wet_from = near & wet & layers[level - 2] & allowed if level > 1 else 0
        way.append(_best(s, m, dry_from or wet_from, here))
        level -= 1 if dry_from else 2
    return tuple(reversed(way))


def _best(s: State, m: Marcher, candidates: int, onward: int) -> int:
    """Among equal hexes: one not yet under control, without a river, first in map order."""
    rules = s.rules
    fresh = candidates & ~s.controlled(m.side)
    dry = ground(s).barrier.spread(1 << onward) & ~ground(s).river.across(1 << onward)
    for choice in (fresh & dry, fresh, candidates & dry, candidates):
        if choice:
            assert choice & rules.grid.board
            return (choice & -choice).bit_length() - 1
    raise AssertionError("a hex within reach has a way to it")
