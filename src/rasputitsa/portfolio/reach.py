"""XI Operational movement: how far units can go, and what it costs them.

The search goes outward in layers of cost. A hex outside every enemy zone of control costs one movement
factor; a move ends on entering a zone, and then each river crossed costs one more (X.A.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rasputitsa.hexes.grid import Grid, HexSides
from rasputitsa.portfolio.stacking import room_for
from rasputitsa.portfolio.terrain import forbidden, ground, zoc
from rasputitsa.portfolio.theatre import AXIS

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


class Reach(NamedTuple):
    """Where a group can stop next. ``plain`` costs nothing further, ``dispersing`` disperses it on arrival."""

    plain: int
    dispersing: int


class Marcher(NamedTuple):
    """A group on the move: what the search has to know about it."""

    side: int
    here: int
    steps: int
    """Hexes entered so far in this move."""
    rivers: int
    """Rivers crossed so far in this move."""
    basic: int
    """Movement factor, after weather, fuel and Reserves Phase."""
    total: int
    """Movement factor and bonus together."""
    pays_rivers: bool
    pure_armor: bool
    passable: int
    enemy_zoc: int
    room: int


def factors(s: State, unit: int) -> tuple[int, int]:
    """Movement factor, and movement factor with bonus, of a unit now (VI.B.2, XI.C, XIII.G, XIV.D)."""
    rules = s.rules
    roster = rules.roster
    side = roster.side[unit]
    basic = roster.mf[unit]
    if s.fuel_short >> unit & 1:
        basic = min(basic, rules.fuel_short_factor)
    effect = s.weather.movement[side]
    if effect != "full" and roster.nation[unit] != "FI":
        basic = basic // 2 if effect == "half_down" else (basic + 1) // 2
    bonus = rules.bonus[side]
    if s.reserve:
        bonus = max(0, bonus - max(0, s.reserve - basic))
        basic = max(0, basic - s.reserve)
    return basic, basic + bonus


def marcher(s: State, units: tuple[int, ...], steps: int, rivers: int) -> Marcher:
    """The group of one unit, or of two units that share a hex."""
    roster = s.rules.roster
    first = units[0]
    side = roster.side[first]
    basic, total = factors(s, first)
    mask = 1 << first
    if len(units) > 1:
        other_basic, other_total = factors(s, units[1])
        basic, total = min(basic, other_basic), min(total, other_total)
        mask |= 1 << units[1]
    enemy = 1 - side
    passable = ground(s).enterable & ~s.occ[enemy]
    if side == AXIS:
        passable &= ~forbidden(s, units)
    return Marcher(
        side, s.pos[first], steps, rivers, basic, total,
        bool(mask & ~roster.no_river_cost), bool(mask & roster.pure_armor),
        passable, zoc(s, enemy), room_for(s, units),
    )  # fmt: skip


def reach(s: State, m: Marcher) -> Reach:
    """The hexes where the group may stop next (XI.A-C)."""
    land = ground(s)
    known = s.reached
    if known is not None and known[0] == m and known[1] is land:
        return known[2]
    found = _reach(s, m)
    s.reached = (m, land, found)
    return found


def _reach(s: State, m: Marcher) -> Reach:
    plain, dispersing = _march(s, m)
    if m.steps == 0:
        one_plain, one_dispersing = first_hex(s, m)
        plain |= one_plain
        dispersing |= one_dispersing
    here = 1 << m.here
    plain &= m.room & ~here
    return Reach(plain, dispersing & m.room & ~plain & ~here)


def _march(s: State, m: Marcher) -> tuple[int, int]:
    """Ordinary movement: through hexes free of enemy zones, and on into the edge of a zone."""
    barrier = ground(s).barrier
    free = m.passable & ~m.enemy_zoc
    start = 1 << m.here
    reached = frontier = start
    for _ in range(m.total - m.steps):
        frontier = barrier.spread(frontier) & free & ~reached
        if not frontier:
            break
        reached |= frontier
    edge = m.enemy_zoc & m.passable
    # A step out of a zone straight into a zone is dealt with in first_hex.
    sources = reached & free
    if not s.rules.grid.spread(sources) & edge:
        return reached & ~start, 0
    within_basic, within_total = _edge(s, m, edge, free)
    return reached & ~start | within_basic, within_total & ~within_basic


def _edge(s: State, m: Marcher, edge: int, free: int) -> tuple[int, int]:
    """Zone hexes entered within the movement factor, and within factor and bonus (X.A.2, XI.C)."""
    within_basic = within_total = 0
    for cost, (_, entered) in enumerate(cost_layers(s, m, edge, free), start=start_cost(s, m)):
        if cost > m.total:
            break
        if cost <= m.basic:
            within_basic |= entered
        within_total |= entered
    return within_basic, within_total


def start_cost(s: State, m: Marcher) -> int:
    """What the move has cost so far, should it end in a zone, plus one."""
    return 1 + m.steps + (m.rivers if s.rules.rivers_of_whole_move else 0)


def cost_layers(s: State, m: Marcher, edge: int, free: int) -> Iterator[tuple[int, int]]:
    """For each further movement factor spent: the free hexes first reached, and the zone hexes entered.

    Costs are those of a move that ends in a zone. The hexes entered straight out of a zone are left out.
    """
    land = ground(s)
    river = land.river if m.pays_rivers else no_sides(s.rules.grid)
    last_step_only = s.rules.rivers_of_last_step
    seen = start = 1 << m.here
    before, last = 0, start
    first = bool(start & m.enemy_zoc)
    blank = 0
    while True:
        dry = _dry(land.barrier, river, last)
        wet = river.across(before) if before else 0
        if first and blank < 2:
            # The start lies in a zone: what it touches directly does not count as entered here.
            entered = (dry if last != start else 0) | (wet if before != start else 0)
            blank += 1
        else:
            entered = dry | wet
        layer = (land.barrier.spread(last) if last_step_only else dry | wet) & free & ~seen
        seen |= layer
        yield layer, entered & edge
        before, last = last, layer


@cache
def no_sides(grid: Grid) -> HexSides:
    """A feature no side has."""
    return HexSides(grid)


def _dry(barrier: HexSides, river: HexSides, hexes: int) -> int:
    """Hexes one step away without crossing a river or a barrier."""
    if not hexes & river.any:
        return barrier.spread(hexes)
    grid = river.grid
    out = barrier.spread(hexes & ~river.any)
    rest = hexes & river.any
    for direction in range(6):
        part = rest & ~river.masks[direction] & ~barrier.masks[direction]
        if part:
            out |= grid.shift(part, direction)
    return out


def first_hex(s: State, m: Marcher) -> Reach:
    """The one-hex move every unit has (XI.A.5), with the zone-of-control limits (XI.B.2) and straits (X.A.1)."""
    land = ground(s)
    here = 1 << m.here
    across_strait = land.straits.across(here) & ~land.closed.across(here) & m.passable
    near = (land.barrier.spread(here) & m.passable) | across_strait
    plain = dispersing = 0
    cost = m.steps + 1
    if near & ~m.enemy_zoc:
        if cost <= m.total:
            plain |= near & ~m.enemy_zoc
        else:
            dispersing |= near & ~m.enemy_zoc
    into_zone = near & m.enemy_zoc
    if into_zone:
        allowed, at_a_price = zone_to_zone(s, m, into_zone) if here & m.enemy_zoc else (into_zone, 0)
        wet = land.river.across(here) if m.pays_rivers else 0
        within = (allowed & ~wet if cost <= m.basic else 0) | (allowed & wet if cost + 1 <= m.basic else 0)
        plain |= within
        dispersing |= allowed & ~within | at_a_price
    return Reach(plain, dispersing)


def zone_to_zone(s: State, m: Marcher, targets: int) -> tuple[int, int]:
    """XI.B.2-3: which hexes of a zone may be entered straight from a zone, freely and at the price of dispersal."""
    enemy = 1 - m.side
    friendly = s.occ[m.side]
    shared, strong = shared_zone(s, m.here, enemy)
    free = targets & (~shared | friendly)
    held = targets & shared & ~friendly & ~strong
    if not held:
        return free, 0
    land = ground(s)
    held &= ~land.uneven & ~land.river.across(1 << m.here) & ~land.straits.across(1 << m.here)
    return (free | held, 0) if m.pure_armor else (free, held)


def shared_zone(s: State, here: int, enemy: int) -> tuple[int, int]:
    """Hexes next to ``here`` in the zone of an enemy unit that also holds ``here``; and those of armies or fronts."""
    grid = s.rules.grid
    near = grid.adjacent[here]
    holders = _holders(s, s.active[enemy], here)
    strong = holders & s.strong[enemy]
    if s.rules.zones_end_at_barriers:
        barrier = ground(s).barrier
        return barrier.spread(holders) & near, barrier.spread(strong) & near
    return grid.spread(holders) & near, grid.spread(strong) & near


def _holders(s: State, sources: int, here: int) -> int:
    """Hexes whose zone of control covers ``here``."""
    if s.rules.zones_end_at_barriers:
        return ground(s).barrier.spread(1 << here) & sources
    return s.rules.grid.adjacent[here] & sources
