"""5.2 Where depots may go: friendly rail and city hexes without penalty, clear and enemy rail hexes with."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.errors import IllegalAction
from rasputitsa.hexes.grid import Grid, without
from rasputitsa.wir.model.groups import why_full
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import RAIN, VEH_POOL, group_side
from rasputitsa.wir.model.theatre import AXIS, CLEAR, SIDES

TIMES_OVER: Final = 10
"""How often a depot that goes to and fro may cross the whole map."""


class Ground(NamedTuple):
    """What depots of a side may enter in the present position."""

    line: HexBits
    """Friendly rail and city hexes outside enemy zones of control."""
    penalty: HexBits
    """Clear and enemy rail hexes outside enemy zones of control."""


def ground(s: State, side: Side) -> Ground:
    """The hexes open to a side's depots."""
    board, enemy = s.rules.map, 1 - side
    open_ = without(board.land, s.zoc(enemy) | s.occ[enemy] | s.city_hexes[enemy])
    line = s.own_line(side) & open_
    return Ground(line, without((board.of_base[CLEAR] | s.rail[enemy]) & open_, line))


@cached_up_to(64)
def _nets(grid: Grid, line: HexBits) -> tuple[HexBits, ...]:
    """The pieces into which a set of rail and city hexes falls; the same for all depots of a phase."""
    found = []
    while line:
        net = grid.flood(line & -line, line)
        found.append(net)
        line ^= net
    return tuple(found)


def _whole_nets(nets: tuple[HexBits, ...], seeds: HexBits) -> HexBits:
    """All hexes of the nets that share a hex with a set."""
    found = 0
    for net in nets:
        if net & seeds:
            found |= net
    return found


def waves(s: State, start: Hex, spent: int, land: Ground) -> list[HexBits]:
    """For each number of penalty hexes from ``spent`` to the most, the hexes within reach at no fewer."""
    grid = s.rules.grid
    reached = _whole_nets(_nets(grid, land.line), grid.adjacent[start] & s.rules.map.land) | 1 << start
    return waves_from(s, reached, s.rules.relief.most_penalty - spent, land)


def waves_from(s: State, reached: HexBits, penalty: int, land: Ground) -> list[HexBits]:
    """For each number of more penalty hexes up to some, the hexes within reach at no fewer of depots that have come to
    some hexes."""
    grid = s.rules.grid
    nets = _nets(grid, land.line)
    found = [reached]
    for _ in range(penalty):
        step = without(grid.spread(reached) & land.penalty, reached)
        entered = step | _whole_nets(nets, without(grid.spread(step), reached))
        found.append(entered)
        reached |= entered
    return found


def supplied_from(s: State, hexes: HexBits) -> HexBits:
    """The hexes whose groups depots in some hexes bring into supply, over any terrain (5.2)."""
    return s.rules.grid.grow(hexes, s.rules.relief.radius)


def way(s: State, start: Hex, target: Hex, land: Ground) -> tuple[Hex, ...]:
    """The hexes from a start, not included, to a target with the fewest penalty hexes, then the fewest hexes.

    ``rings[p][n]`` are the hexes best reached by ``p`` penalty hexes and ``n`` hexes in all.
    """
    grid, here, goal = s.rules.grid, 1 << start, 1 << target
    line, penalty = without(land.line, here), without(land.penalty, here)  # what is not reached yet
    rings, seeds, last = [[here]], list[int](), here
    while not last & goal:
        ring, around = rings[-1], list[int]()
        while not last & goal and (last or len(ring) <= len(seeds)):
            around.append(grid.spread(last))
            last = around[-1] & line
            line ^= last
            if len(ring) <= len(seeds):
                paid = seeds[len(ring) - 1] & penalty
                penalty ^= paid
                last |= paid
            ring.append(last)
        if not last & goal and not any(around):
            raise ValueError(f"no depot gets from {start} to {target}")
        seeds = around
        rings.append([0])
    level = next(p for p, ring in enumerate(rings) if ring[-1] & goal)
    path, length = [target], len(rings[level]) - 1
    while length > 1:
        level -= land.penalty >> path[-1] & 1
        length -= 1
        before = grid.adjacent[path[-1]] & rings[level][length]
        path.append((before & -before).bit_length() - 1)
    return tuple(reversed(path))


def stops(s: State, side: Side) -> HexBits:
    """6.7: the hexes where a side's depots may stop, full ones left out."""
    board = s.rules.grid.board
    return without(board, s.full[side]) if s.rules.options["depot_stops"] == "barred" else board


def why_not_stop(s: State, hex_: Hex) -> IllegalAction:
    """Why a depot, or the rail marker that it sets down, cannot stop in a hex."""
    return IllegalAction(f"{why_full(s, hex_)}; a depot may pass through it, and not stop there", "6.7")


def longest(s: State) -> int:
    """Hexes a depot may enter in one move, whatever they cost: the whole map ten times over (5.2).

    Ruling: the text sets no end to a way along friendly rail; this one keeps the record of a move finite.
    """
    return TIMES_OVER * s.rules.map.land.bit_count()


def why_too_far(s: State) -> IllegalAction:
    """Why a depot that has gone to and fro all over the map goes no farther."""
    return IllegalAction(
        f"the depot has entered {longest(s)} hexes, to and fro; it supplies, is skipped or starts over",
        "5.2",
    )


def usable(s: State, depot: Group) -> bool:
    """5.2: a depot whose starting hex the enemy controls is not used this turn."""
    side, hex_ = group_side(depot), s.rules.depot_hex[depot]
    if (s.occ[1 - side] | s.city_hexes[1 - side]) >> hex_ & 1:
        return False
    return bool(s.city_hexes[side] >> hex_ & 1) or bool(s.control >> hex_ & 1) == (side == AXIS)


def why_not_enter(s: State, side: Side, there: Hex, spent: int) -> IllegalAction:
    """Why a depot cannot enter an adjacent hex."""
    if there < 0:
        return IllegalAction("that way leads off the map", "5.2")
    where = s.rules.grid.names[there]
    enemy = 1 - side
    if not s.rules.map.land >> there & 1:
        return IllegalAction(f"{where} is sea or closed ground", "5.2")
    if (s.zoc(enemy) | s.occ[enemy]) >> there & 1:
        return IllegalAction(f"{where} is in an enemy zone of control, which depots never enter", "5.2")
    if s.city_hexes[enemy] >> there & 1:
        return IllegalAction(f"{where} is a city of the {SIDES[enemy].capitalize()} side", "5.2")
    if spent >= s.rules.relief.most_penalty:
        return IllegalAction(f"the depot has entered {spent} clear or enemy rail hexes already", "5.2")
    return IllegalAction(f"depots enter rail, friendly city and clear hexes only, and {where} is none of these", "5.2")


def relief_percent(s: State, side: Side, penalty: int) -> int:
    """Percent of its fatigue that a unit loses (5.2).

    Ruling: the table is 100/(2+n), and goes on so when vehicles bring n below 0; an option keeps its best row.
    """
    n, rules = penalty, s.rules.relief
    if (side == AXIS and s.weather == RAIN) or s.bitter_winter(side):
        n += rules.bad_weather
    n -= s.pools[side][VEH_POOL] // rules.vehicles_per_bonus
    if n < 0:
        return 100 if s.rules.options["relief"] == "formula" else rules.relief[0]
    return rules.relief[min(n, len(rules.relief) - 1)]
