"""XI Operational movement: how far units can go, and what it costs them.

The search goes outward in layers of cost. A hex outside every enemy zone of control costs one movement
factor; a move ends on entering a zone, and then each river crossed costs a surcharge (X.A.2,
TEC.CrossRiver).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.moves import MovingStack, Reach
from rasputitsa.portfolio.model.ruleset import Ruleset, Weather
from rasputitsa.portfolio.model.stacking import room_for
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden, ground, zoc
from rasputitsa.portfolio.model.theatre import AXIS


def in_weather(rules: Ruleset, unit: Unit, basic: int, weather: Weather) -> int:
    """VI.B.2: what the weather leaves of a unit's movement factor."""
    effect = weather.movement[rules.roster.side[unit]]
    if effect == "full" or rules.roster.nation[unit] == "FI":
        return basic
    return basic // 2 if effect == "half_down" else (basic + 1) // 2


def factors(s: State, unit: Unit) -> tuple[int, int]:
    """Movement factor, and movement factor with bonus, of a unit now (VI.B.2, XI.C, XIII.G, XIV.D, RESERVE)."""
    rules = s.rules
    roster = rules.roster
    side = roster.side[unit]
    basic = roster.mf[unit]
    if s.fuel_short >> unit & 1:
        basic = min(basic, rules.fuel_short_factor)
    basic = in_weather(rules, unit, basic, s.weather)
    bonus = rules.bonus[side]
    if penalty := rules.reserve_penalties[s.reserve]:
        bonus = max(0, bonus - max(0, penalty - basic))
        basic = max(0, basic - penalty)
    return basic, basic + bonus


def zones_left(s: State, side: Side, start: Hex) -> HexBits:
    """XI.B.2, the strict reading: hexes that a move may not enter after it has left the zones of its start."""
    holders = _holders(s, s.active[1 - side], start)
    covered = ground(s).barrier.spread(holders) if s.rules.zones_end_at_barriers else s.rules.grid.spread(holders)
    return without(covered, s.occ[side])


def moving_stack(s: State, units: tuple[Unit, ...], steps: int, rivers: int) -> MovingStack:
    """The group of one unit, or of two units that share a hex."""
    roster = s.rules.roster
    first = units[0]
    side = roster.side[first]
    basic, total = factors(s, first)
    mask = BIT[first]
    if len(units) > 1:
        other_basic, other_total = factors(s, units[1])
        basic, total = min(basic, other_basic), min(total, other_total)
        mask |= BIT[units[1]]
    enemy = 1 - side
    passable = without(ground(s).enterable, s.occ[enemy])
    if side == AXIS:
        passable = without(passable, forbidden(s, units))
    return MovingStack(
        side, s.pos[first], steps, rivers, basic, total,
        s.rules.river_surcharge != 0 and mask & roster.no_river_cost != mask, mask & roster.pure_armor != 0,
        passable, zoc(s, enemy), room_for(s, units),
        zones_left(s, side, s.pos[first]) if s.rules.zone_reentry_barred else 0,
    )  # fmt: skip


def reach(s: State, m: MovingStack) -> Reach:
    """The hexes where the group may stop next (XI.A-C), never one with an enemy unit (XI.A.4)."""
    land = ground(s)
    known = s.reached
    if known is not None and known[0] == m and known[1] is land:
        return known[2]
    found = _reach(s, m)
    s.reached = (m, land, found)
    return found


def _reach(s: State, m: MovingStack) -> Reach:
    plain, dispersing = _march(s, m)
    if m.steps == 0:
        one_plain, one_dispersing = first_hex(s, m)
        plain |= one_plain
        dispersing |= one_dispersing
    room = without(m.room, BIT[m.here])
    plain &= room
    return Reach(plain, without(dispersing & room, plain))


def _march(s: State, m: MovingStack) -> tuple[HexBits, HexBits]:
    """Ordinary movement: through hexes free of enemy zones, and on into the edge of a zone (XI.B.1)."""
    barrier = ground(s).barrier
    edge = m.passable & m.enemy_zoc
    free = m.passable ^ edge
    edge = without(edge, m.left_zones)
    frontier = BIT[m.here]
    unseen = without(free, frontier)
    reached = 0
    for _ in range(m.total - m.steps):
        frontier = barrier.spread(frontier) & unseen
        if not frontier:
            break
        unseen ^= frontier
        reached |= frontier
    # A step out of a zone straight into a zone is dealt with in first_hex.
    if not s.rules.grid.spread(reached | free & BIT[m.here]) & edge:
        return reached, 0
    within_basic, within_total = _edge(s, m, edge, free)
    return reached | within_basic, without(within_total, within_basic)


def _edge(s: State, m: MovingStack, edge: HexBits, free: HexBits) -> tuple[HexBits, HexBits]:
    """Zone hexes entered within the movement factor, and within factor and bonus (X.A.2, XI.C)."""
    within_basic = within_total = 0
    for cost, (_, entered) in enumerate(cost_layers(s, m, edge, free), start=start_cost(s, m)):
        if cost > m.total:
            break
        if cost <= m.basic:
            within_basic |= entered
        within_total |= entered
    return within_basic, within_total


def start_cost(s: State, m: MovingStack) -> int:
    """What the move has cost so far, should it end in a zone, plus one."""
    return 1 + m.steps + (m.rivers * s.rules.river_surcharge if s.rules.rivers_of_whole_move else 0)


def cost_layers(s: State, m: MovingStack, edge: HexBits, free: HexBits) -> Iterator[tuple[HexBits, HexBits]]:
    """For each further movement factor spent: the free hexes first reached, and the zone hexes entered.

    Hexes beyond a river follow later by the surcharge: ``before`` is the layer that is old enough to cross now.
    Costs are those of a move that ends in a zone. The hexes entered straight out of a zone are left out.
    """
    land = ground(s)
    river = land.river if m.pays_rivers else None
    sides = land.wet if m.pays_rivers else land.barrier
    last_step_only = s.rules.rivers_of_last_step
    start = BIT[m.here]
    unseen = without(free, start)
    surcharge = s.rules.river_surcharge
    waiting, before, last = [0] * (surcharge - 1), 0, start
    first = bool(start & m.enemy_zoc)
    blank = 0
    while True:
        dry = sides.spread(last)
        wet = river.across(before) if river is not None and before else 0
        if first and blank <= surcharge:
            # The start lies in a zone: what it touches directly does not count as entered here.
            entered = (dry if last != start else 0) | (wet if before != start else 0)
            blank += 1
        else:
            entered = dry | wet
        layer = (land.barrier.spread(last) if last_step_only else dry | wet) & unseen
        unseen ^= layer
        yield layer, entered & edge
        if waiting:
            waiting.append(last)
            before = waiting.pop(0)
        else:
            before = last
        last = layer


def first_hex(s: State, m: MovingStack) -> Reach:
    """The one-hex move every unit has (XI.A.5), with the zone-of-control limits (XI.B.2) and straits (X.A.1).

    No other move crosses a lake or a strait (TEC.CrossLake, TEC.Kerch).
    """
    land = ground(s)
    across_strait = without(land.straits.across_from(m.here), land.closed.across_from(m.here))
    near = (land.barrier.near[m.here] | across_strait) & m.passable
    plain = dispersing = 0
    cost = m.steps + 1
    into_zone = near & m.enemy_zoc
    if cost <= m.total:
        plain = near ^ into_zone
    else:
        dispersing = near ^ into_zone
    if into_zone:
        allowed, at_a_price = zone_to_zone(s, m, into_zone) if m.enemy_zoc & BIT[m.here] else (into_zone, 0)
        wet = allowed & land.river.across_from(m.here) if m.pays_rivers else 0
        within = (allowed ^ wet if cost <= m.basic else 0) | (wet if cost + s.rules.river_surcharge <= m.basic else 0)
        plain |= within
        dispersing |= without(allowed, within) | at_a_price
    return Reach(plain, dispersing)


class SingleSteps(NamedTuple):
    """Hexes next to a group that it can enter straight, where ``Reach`` does not have the same."""

    stops: HexBits
    """It may stop there, at another cost than by the way round."""
    through: HexBits
    """Full hexes: it passes through and goes on (XII)."""


def single_steps(s: State, m: MovingStack, found: Reach) -> SingleSteps:
    """The single steps that a group can take besides its reach (XI.A.2, XII)."""
    near = ground(s).barrier.near[m.here] & m.passable
    zone = near & m.enemy_zoc
    full = without(near ^ zone, m.room) if m.steps + 1 < m.total else 0
    return SingleSteps(_costlier_steps(s, m, zone, found) if zone else 0, _ways_through(s, m, full) if full else 0)


def _ways_through(s: State, m: MovingStack, full: HexBits) -> HexBits:
    """Of the full hexes next to a group, those from which it can go on."""
    land = ground(s)
    free = without(m.passable & m.room, m.enemy_zoc)
    through = 0
    for hex_ in members(full):
        if land.barrier.near[hex_] & free:  # quicker than the whole search, and often enough
            through |= BIT[hex_]
            continue
        rivers = m.rivers + (1 if m.pays_rivers and land.river.between(m.here, hex_) else 0)
        onward = _reach(s, m._replace(here=hex_, steps=m.steps + 1, rivers=rivers))
        if onward.plain | onward.dispersing:
            through |= BIT[hex_]
    return through


def _costlier_steps(s: State, m: MovingStack, zone: HexBits, found: Reach) -> HexBits:
    """Zone hexes entered across a river, or at the price of dispersal, that a way round enters for less."""
    zone = without(zone & m.room, m.left_zones)
    if m.steps == 0:
        round_about = zone & found.plain
        return first_hex(s, m).dispersing & round_about if round_about else 0
    wet = zone & ground(s).river.across_from(m.here) if m.pays_rivers else 0
    return wet if wet and start_cost(s, m) + s.rules.river_surcharge <= m.total else 0


def zone_to_zone(s: State, m: MovingStack, targets: HexBits) -> tuple[HexBits, HexBits]:
    """Which zone hexes may be entered straight from a zone (XI.B.2, XI.B.3), freely or at the price of dispersal."""
    enemy = 1 - m.side
    friendly = s.occ[m.side]
    shared, strong = shared_zone(s, m.here, enemy)
    watched = without(targets & shared, friendly)
    free = targets ^ watched
    held = without(watched, strong)
    if not held:
        return free, 0
    land = ground(s)
    held = without(held, land.uneven | land.river.across_from(m.here) | land.straits.across_from(m.here))
    return (free | held, 0) if m.pure_armor else (free, held)


def shared_zone(s: State, here: Hex, enemy: Side) -> tuple[HexBits, HexBits]:
    """Hexes next to ``here`` in the zone of an enemy unit that also holds ``here``; and those of armies or fronts."""
    grid = s.rules.grid
    near = grid.adjacent[here]
    holders = _holders(s, s.active[enemy], here)
    strong = holders & s.strong[enemy]
    if s.rules.zones_end_at_barriers:
        barrier = ground(s).barrier
        return barrier.spread(holders) & near, barrier.spread(strong) & near
    return grid.spread(holders) & near, grid.spread(strong) & near


def _holders(s: State, sources: HexBits, here: Hex) -> HexBits:
    """Hexes whose zone of control covers ``here``."""
    if s.rules.zones_end_at_barriers:
        return ground(s).barrier.near[here] & sources
    return s.rules.grid.adjacent[here] & sources
