"""6.2, 6.3 Strategic and rail movement of one group: where it may go, and what the move does to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rasputitsa.core.data.rows import BYTE
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import counted, figured
from rasputitsa.wir.model.groups import ENDED, return_artillery, why_full
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, group_side
from rasputitsa.wir.model.theatre import AXIS, CLEAR, OUT_OF_PLAY
from rasputitsa.wir.rules.movement import fatigue, rain


def pace(s: State, kind: int) -> int:
    """Hexes that a kind of group in supply may march in the present weather (6.2, 8.4)."""
    return rain.slowed(s, s.rules.march.allowance[kind])


def allowance(s: State, group: Group) -> int:
    """Hexes a group may move strategically this turn."""
    if KIND[group] != AIR and not s.supplied >> group & 1:
        begun = s.moved >> group & 1
        on_line = s.from_line >> group & 1 if begun else s.own_line(group_side(group)) >> s.hex[group] & 1
        if not on_line:
            return rain.slowed(s, s.rules.march.unsupplied)
    return pace(s, KIND[group])


def count_turn(s: State, group: Group) -> None:
    """10.0: an Axis group that moves out of supply uses up one of its turns."""
    if group_side(group) == AXIS and not s.supplied >> group & 1:
        s.unsupplied_moves[group] = min(s.unsupplied_moves[group] + 1, BYTE)


def stranded(s: State, group: Group) -> bool:
    """10.0: at levels 1 and 2 an Axis group that has moved two turns out of supply stays put until supplied."""
    most = s.rules.march.unsupplied_turns[s.level]
    if not most or group_side(group) != AXIS or s.supplied >> group & 1:
        return False
    return s.unsupplied_moves[group] >= most and not s.moved >> group & 1


ROOTED: Final = {
    "guns": ("group {0} has added artillery and may not move this turn", "6.5"),
    "plot": ("group {0} has a tactical plot; take it back first", "6.2"),
    "strike": ("air group {0} has an air strike plotted; take it back first", "6.2"),
    "halted": (ENDED, "6.2"),
    "worn": ("group {0} has a unit with more than {1} fatigue", "6.2"),
    "stranded": ("group {0} has moved {2} out of supply", "10.0"),
}


def rooted(s: State, group: Group) -> str:
    """What keeps a group from moving strategically at all, a key of ``ROOTED``; empty when it may move."""
    bit = 1 << group
    if s.added_artillery & bit:
        return "guns"
    if s.plot[group]:
        return "plot"
    if s.strike[group]:
        return "strike"
    if s.halted & bit:
        return "halted"
    if fatigue.worn_out(s, group):
        return "worn"
    return "stranded" if stranded(s, group) else ""


def why_rooted(s: State, group: Group) -> IllegalAction | None:
    """The same as a refusal, or None when the group may move."""
    key = rooted(s, group)
    return why_kept(s, group, key) if key else None


def why_kept(s: State, group: Group, key: str) -> IllegalAction:
    """A refusal of ``ROOTED``."""
    words, rule = ROOTED[key]
    march = s.rules.march
    return IllegalAction(words.format(group, march.stopped, counted(march.unsupplied_turns[s.level], "turn")), rule)


def enterable(s: State, group: Group) -> HexBits:
    """Adjacent hexes a group may step into by strategic movement, leaving its allowance aside."""
    return _enterable(s, group, s.hex[group], s.zoc(1 - group_side(group)))


def _enterable(s: State, group: Group, here: Hex, zone: HexBits) -> HexBits:
    """The same for a group that has come to a hex; ``zone``: the enemy's zones of control."""
    side = group_side(group)
    enemy = 1 - side
    open_ = s.rules.map.reach[here] & ~s.occ[enemy] & ~s.full[side] & ~s.city_hexes[enemy]
    if not open_:
        return 0
    if KIND[group] == AIR:
        ground = s.rules.map.of_base[CLEAR] | s.rail[0] | s.rail[1] | s.city_hexes[side]
        return s.out_of_zones(side, open_ & ground, zone)
    if zone >> here & 1:
        return s.out_of_zones(side, open_, zone)
    return open_


def _stops(s: State, hex_: Hex, zone: HexBits) -> bool:
    """Whether a strategic move ends in a hex, whatever is left of it: an enemy zone, or rough ground."""
    return bool(zone >> hex_ & 1) or fatigue.rough(s, hex_)


class March(NamedTuple):
    """A way on foot."""

    fatigue: int
    """What it costs each unit."""
    way: tuple[Hex, ...]
    """Its hexes, after the one where it begins."""
    stops: bool
    """Whether the group must halt at its end."""


def marches(s: State, group: Group) -> dict[Hex, March]:
    """For each hex that a group can march to now, the way that costs least fatigue; nearer hexes come first."""
    left = allowance(s, group) - s.steps[group]
    if left <= 0 or rooted(s, group):
        return {}
    side, start, rules = group_side(group), s.hex[group], s.rules.march
    zone, around = s.zoc(1 - side), s.rules.map.step
    tired = max((s.fatigue[unit] for unit in s.group_units[group]), default=0)
    cheapest = min(rules.step[fatigue.STRATEGIC]) * fatigue.weather_factor(s, side)
    best: dict[Hex, March] = {}
    frontier = {start: March(0, (), False)}
    for _ in range(left):
        following: dict[Hex, March] = {}
        for here, so_far in frontier.items():
            open_, out = _enterable(s, group, here, zone), bool(zone >> here & 1)
            for there in around[here][1:]:
                if there < 0 or not open_ >> there & 1 or there == start:
                    continue
                known = best.get(there)
                if known is not None and known.fatigue <= so_far.fatigue + cheapest:
                    continue
                points = fatigue.march_points(s, group, here, there, fatigue.STRATEGIC, out_of_zoc=out)
                cost = so_far.fatigue + points
                if known is not None and known.fatigue <= cost:
                    continue
                stops = _stops(s, there, zone) or min(rules.most, tired + cost) > rules.stopped
                best[there] = March(cost, (*so_far.way, there), stops)
                if not stops:
                    following[there] = best[there]
        frontier = following
    return best


def directions_of(s: State, group: Group, way: Sequence[Hex]) -> list[int]:
    """The directions of the steps that lead a group along a way."""
    return [s.rules.map.direction(a, b) for a, b in pairwise((s.hex[group], *way))]


def directions(s: State, group: Group) -> list[int]:
    """The directions in which a group may take a strategic step."""
    if s.steps[group] >= allowance(s, group) or rooted(s, group):
        return []
    open_ = enterable(s, group)
    around = s.rules.map.step[s.hex[group]]
    return [d for d in range(1, 7) if around[d] >= 0 and open_ >> around[d] & 1]


def why_not_step(s: State, group: Group, direction: int) -> IllegalAction:
    """Why a group cannot take a strategic step in a direction."""
    most = allowance(s, group)
    if s.steps[group] and s.steps[group] >= most:
        return _why_no_more(s, group, most)
    problem = why_rooted(s, group)
    if problem:
        return problem
    if not 1 <= direction <= 6:
        return IllegalAction("directions run from 1, north, to 6, north-west", "4.6")
    there, side = s.rules.map.step[s.hex[group]][direction], group_side(group)
    if there < 0:
        return IllegalAction("that way leads off the map", "6.2")
    problem = _why_closed(s, side, there)
    if problem:
        return problem
    where = s.rules.grid.names[there]
    in_zone = bool(s.zoc(1 - side) >> there & 1) and not s.dug_in(side, there)
    if KIND[group] == AIR:
        if in_zone:
            return IllegalAction(f"{where} is in an enemy zone of control, and no entrenched group is there", "6.10")
        return IllegalAction(f"air groups enter clear, rail and friendly city hexes only, and {where} is none", "6.2")
    return IllegalAction(
        f"from one enemy zone of control into another ({where}) only to a friendly entrenched group", "6.10"
    )


def why_not_march(s: State, group: Group, there: Hex) -> IllegalAction:
    """Why a group cannot march to a hex it has no way to this turn."""
    left = allowance(s, group) - s.steps[group]
    problem = why_rooted(s, group) or _why_closed(s, group_side(group), there)
    if problem:
        return problem
    if left <= 0:
        return _why_no_more(s, group, allowance(s, group))
    where, far = s.rules.grid.names[there], s.rules.grid.distance(s.hex[group], there)
    hexes = figured(left, "hex", "hexes")
    if far > left:
        when, rule = ("in rain", "8.4") if rain.holds(s, allowance(s, group)) else ("this turn", "6.2")
        return IllegalAction(f"{where} is {far} hexes away, and group {group} may move {hexes} {when}", rule)
    ends = "marches go around enemies, and end in their zones of control, on rough ground and when a group is worn out"
    return IllegalAction(f"group {group} finds no way to {where} within {hexes}: {ends}", "6.2")


def _why_closed(s: State, side: Side, there: Hex) -> IllegalAction | None:
    """Why groups of a side cannot march into a hex, wherever they come from."""
    where, enemy = s.rules.grid.names[there], 1 - side
    if (s.rules.map.land & ~s.rules.map.passable) >> there & 1:
        return IllegalAction(f"{where} is outside the part of the map that this scenario is played on", OUT_OF_PLAY)
    if not s.rules.map.passable >> there & 1:
        return IllegalAction(f"{where} is sea or closed ground", "8.1")
    if s.city_hexes[enemy] >> there & 1:
        return IllegalAction(f"{where} is an enemy city, entered by tactical movement only", "8.8")
    if s.occ[enemy] >> there & 1:
        return IllegalAction(f"{where} holds an enemy group; attacks are plotted", "6.2")
    if s.full[side] >> there & 1:
        return IllegalAction(why_full(s, there), "6.7")
    return None


def _why_no_more(s: State, group: Group, most: int) -> IllegalAction:
    if rain.holds(s, most):
        return IllegalAction(f"in rain groups move {counted(most, 'hex', 'hexes')} a turn", "8.4")
    if most < pace(s, KIND[group]):
        return IllegalAction(f"group {group} is out of supply and moves {counted(most, 'hex', 'hexes')}", "6.2")
    return IllegalAction(f"group {group} has moved its {figured(most, 'hex', 'hexes')}", "6.2")


def step(s: State, group: Group, there: Hex, context: Context) -> None:
    """6.2: one hex. The group gives up guns and entrenchment, tires, and stops on rough ground or in an enemy zone."""
    here, side = s.hex[group], group_side(group)
    zone = s.zoc(1 - side)
    points = fatigue.march_points(s, group, here, there, fatigue.STRATEGIC, out_of_zoc=bool(zone >> here & 1))
    _set_out(s, group)
    s.steps[group] += 1
    s.place(group, there)
    context.note(Marched(group, here, there))
    fatigue.tire_group(s, group, points, context)
    spent = s.steps[group] >= allowance(s, group)
    if spent or _stops(s, there, zone) or fatigue.worn_out(s, group):
        s.halted |= 1 << group


def _set_out(s: State, group: Group) -> None:
    """What the start of any strategic move does, once a turn."""
    bit = 1 << group
    if s.moved & bit:
        return
    s.moved |= bit
    if s.own_line(group_side(group)) >> s.hex[group] & 1:
        s.from_line |= bit
    count_turn(s, group)
    return_artillery(s, group)
    s.entrench[group] = 0


def rail_moves_left(s: State, side: Side) -> int:
    """Groups of a side that may still go by rail this turn."""
    return max(0, s.rules.march.rail_moves - s.rail_moves[side])


def rail_targets(s: State, group: Group) -> HexBits:
    """Hexes a group may reach by rail (6.3)."""
    side, here = group_side(group), s.hex[group]
    line = s.own_line(side)
    if not rail_moves_left(s, side) or not line >> here & 1 or s.moved >> group & 1 or rooted(s, group):
        return 0
    way = rail_way(s, side)
    return s.rules.grid.flood(s.rules.map.reach[here] & way, way) & ~s.full[side] & ~(1 << here)


def rail_way(s: State, side: Side) -> HexBits:
    """Friendly rail and city hexes outside enemy zones of control."""
    enemy = 1 - side
    return s.own_line(side) & s.rules.map.passable & ~s.zoc(enemy) & ~s.occ[enemy]


def why_not_rail(s: State, group: Group, there: Hex) -> IllegalAction:
    """Why a group cannot go to a hex by rail."""
    side, here = group_side(group), s.hex[group]
    problem = why_rooted(s, group)
    if problem:
        return problem
    if not rail_moves_left(s, side):
        return IllegalAction(f"{s.rules.march.rail_moves} groups have moved by rail this turn", "6.3")
    if s.moved >> group & 1:
        return IllegalAction(f"group {group} has begun a strategic move on foot", "6.3")
    if not s.own_line(side) >> here & 1:
        return IllegalAction(f"group {group} is on no friendly rail or city hex", "6.3")
    where = s.rules.grid.names[there] if s.rules.grid.board >> there & 1 else "that hex"
    if there == here:
        return IllegalAction(f"group {group} is there already", "6.3")
    if not s.own_line(side) >> there & 1:
        return IllegalAction(f"{where} is no friendly rail or city hex", "6.3")
    if not s.rules.map.passable >> there & 1:
        return IllegalAction(f"{where} is outside the part of the map that this scenario is played on", OUT_OF_PLAY)
    if (s.zoc(1 - side) | s.occ[1 - side]) >> there & 1:
        return IllegalAction(f"{where} is in an enemy zone of control", "6.3")
    if s.full[side] >> there & 1:
        return IllegalAction(why_full(s, there), "6.7")
    return IllegalAction(f"no line of friendly rail and city hexes outside enemy zones leads to {where}", "6.3")


def go_by_rail(s: State, group: Group, there: Hex, context: Context) -> None:
    """6.3: any distance, without fatigue; a form of strategic movement, and the end of it."""
    here, side = s.hex[group], group_side(group)
    _set_out(s, group)
    s.halted |= 1 << group
    s.rail_moves[side] += 1
    s.place(group, there)
    context.note(Entrained(group, here, there))


@event("marches", "6.2", "unit", "hex", "hex")
class Marched(Event):
    """A group has marched in strategic movement."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return (
            f"{{unit:{self.group}}} marches from {{hex:{s.rules.grid.names[self.origin]}}} "
            f"to {{hex:{s.rules.grid.names[self.destination]}}}"
        )


@event("entrains", "6.3", "unit", "hex", "hex")
class Entrained(Event):
    """A group has gone by rail."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return (
            f"{{unit:{self.group}}} goes by rail from {{hex:{s.rules.grid.names[self.origin]}}} "
            f"to {{hex:{s.rules.grid.names[self.destination]}}}"
        )
