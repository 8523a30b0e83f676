"""The state of a game: groups and their units, cities, rails, pools, and which questions are open.

Units and groups are numbers into parallel arrays; sets of hexes, groups and units are plain integers (bit i = hex i,
group i, unit i). ``place``, ``lift``, ``join``, ``leave`` and ``take_city`` keep the derived sets true; nothing else
may touch ``hex``, ``at``, ``occ``, ``full``, ``group_units``, ``ugroup``, ``owner`` and ``city_hexes``.
"""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.frames import Frame
from rasputitsa.core.state import BaseState, Fields
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, HexBits, Side, Unit
from rasputitsa.wir.model.records import Face, Goal
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.tables import (
    AIR,
    COLD,
    COMBAT_BITS,
    GROUPS,
    KIND,
    POOLS,
    UNITS,
    VERY_COLD,
    WEATHER_NAMES,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, CITY, FORTIFIED, RAIL, SIDES, SOVIET, SUPPLY

OFF: Final = -1
"""The hex of a group that is not on the map."""
FREEZING: Final = (COLD, VERY_COLD)
"""Weather in which rivers and swamps are frozen (8.4)."""


FIELDS: Final = Fields(
    # Keys hold values in this order, so a field that is renamed keeps its place.
    truth=(
        "air_moves", "aircraft", "artillery", "control", "group_units", "depot_route", "dismantled", "entrench",
        "experience", "fatigue", "first", "from_line", "added_artillery", "halted", "hex", "lend", "level",
        "months", "moved", "naval", "outcome", "owner", "plot", "pools", "rail", "rail_moves", "rail_order",
        "relieved", "rest", "returning", "side", "stack", "steps", "overfatigued", "strength", "strike", "supplied",
        "turn", "uname", "utype", "values", "unsupplied_moves", "weather",
    ),
    later=("goal",),
    unkeyed=("at", "face"),
    derived=("ugroup", "occ", "full", "city_hexes"),
    cached=("legal",),
)  # fmt: skip


class State(BaseState):
    """One position of War in Russia."""

    __slots__ = FIELDS.slots
    fields = FIELDS

    def __init__(self, rules: Ruleset, like: State | None = None) -> None:
        if like is not None:
            self._take_over(like)
            return
        self.rules = rules
        self.turn = 1
        self.weather = rules.weather
        self.level = int(rules.options["level"])
        self.side = 0
        """Whose phase it is."""
        self.first = -1
        """First player of the execution in progress (7.2), -1 before."""
        # units, by slot
        self.utype = bytearray(UNITS)
        """Kind of unit, 0 for a slot that is free."""
        self.strength = bytearray(UNITS)
        self.experience = bytearray(UNITS)
        self.fatigue = bytearray(UNITS)
        self.ugroup = bytearray(UNITS)
        self.uname = [0] * UNITS
        self.overfatigued = 0
        """Units that came to more than 94 fatigue by tactical movement or retreat this turn (8.1)."""
        # groups, by number
        self.hex = [OFF] * GROUPS
        self.group_units: list[tuple[Unit, ...]] = [()] * GROUPS
        """The units of each group, in the order of its list."""
        self.artillery = [0] * GROUPS
        self.entrench = bytearray(GROUPS)
        self.aircraft = bytearray(GROUPS)
        self.plot = [0] * GROUPS
        """Tactical plot, a number of ``plot.py``; 0 for none."""
        self.strike = [0] * GROUPS
        """Air strike: 0 none, else target hex * 2 + 1 (bomb: + 1)."""
        self.steps = bytearray(GROUPS)
        """Hexes moved strategically this turn."""
        self.unsupplied_moves = bytearray(GROUPS)
        """Turns in a row in which a group moved out of supply (10.0, levels 1 and 2)."""
        self.supplied = 0
        self.relieved = 0
        """Groups whose units were relieved of fatigue this turn: once only (5.2)."""
        self.moved = 0
        """Groups that used strategic or rail movement this turn."""
        self.from_line = 0
        """Those of them that began it on a friendly rail or city hex (6.2)."""
        self.halted = 0
        """Groups that may do nothing more this turn."""
        self.added_artillery = 0
        """Groups that added artillery this turn."""
        # hexes
        self.at: dict[Hex, tuple[Group, ...]] = {}
        self.occ = [0, 0]
        self.full = [0, 0]
        """No further group fits (6.7)."""
        self.control = 0
        """Hexes last entered or held from the start by the Axis; all others are Soviet."""
        self.rail = [0, 0]
        """Rail hexes of each side's gauge."""
        self.rail_order = [OFF, OFF]
        """Where a rail hex is to be built at the start of the next turn (5.3)."""
        # cities
        self.owner = bytearray(len(rules.map.cities))
        self.city_hexes = [0, 0]
        """City hexes of each side."""
        self.values = [bytearray(len(rules.map.cities)) for _ in range(6)]
        """Population, industry, vehicle, artillery, aircraft factories and supply centres of each city."""
        # sides
        self.pools = [[0] * len(POOLS) for _ in range(2)]
        self.rest = [[0] * len(POOLS) for _ in range(2)]
        """Fractions left over from production, in hundredths of a point."""
        self.rail_moves = [0, 0]
        self.air_moves = [0, 0]
        """Aircraft points transferred this turn (4.5)."""
        self.naval = 0
        """Seas used this turn: bit side * 3 + sea."""
        self.dismantled = 0
        """Sides (bits) that have tried to dismantle factories this turn."""
        self.depot_route: list[tuple[Hex, ...]] = [()] * GROUPS
        """Hexes of each depot's last supply move, after its starting hex: what auto-move retraces."""
        self.lend = [0, 0]
        """Vehicle and aircraft points of Lend-Lease waiting at Murmansk."""
        self.returning: tuple[tuple[Group, int], ...] = ()
        """Destroyed air groups and the turn of their return (7.7)."""
        self.months = 0
        """Months that the Axis has survived and that bring it points (9.1)."""
        self.face: Face | None = None
        """What the other side sees while one gives its orders (3.3); None when all see where groups stand."""
        self.goal: Goal | None = None
        """What decides a lesson; None in a whole game."""
        self.outcome: Outcome | None = None
        self.stack: tuple[Frame[State], ...] = ()
        # what was worked out last
        self.legal: list[Action] | None = None
        """The answers to the open question."""

    def copy(self) -> State:
        """An independent copy."""
        return State(self.rules, self)

    def _take_over(self, like: State) -> None:
        """Become an independent copy of another state."""
        self.rules = like.rules
        self.turn = like.turn
        self.weather = like.weather
        self.level = like.level
        self.side = like.side
        self.first = like.first
        self.utype = like.utype[:]
        self.strength = like.strength[:]
        self.experience = like.experience[:]
        self.fatigue = like.fatigue[:]
        self.ugroup = like.ugroup[:]
        self.uname = like.uname[:]
        self.overfatigued = like.overfatigued
        self.hex = like.hex[:]
        self.group_units = like.group_units[:]
        self.artillery = like.artillery[:]
        self.entrench = like.entrench[:]
        self.aircraft = like.aircraft[:]
        self.plot = like.plot[:]
        self.strike = like.strike[:]
        self.steps = like.steps[:]
        self.unsupplied_moves = like.unsupplied_moves[:]
        self.supplied = like.supplied
        self.relieved = like.relieved
        self.moved = like.moved
        self.from_line = like.from_line
        self.halted = like.halted
        self.added_artillery = like.added_artillery
        self.at = like.at.copy()
        self.occ = like.occ[:]
        self.full = like.full[:]
        self.control = like.control
        self.rail = like.rail[:]
        self.rail_order = like.rail_order[:]
        self.owner = like.owner[:]
        self.city_hexes = like.city_hexes[:]
        self.values = [row[:] for row in like.values]
        self.pools = [row[:] for row in like.pools]
        self.rest = [row[:] for row in like.rest]
        self.rail_moves = like.rail_moves[:]
        self.air_moves = like.air_moves[:]
        self.naval = like.naval
        self.dismantled = like.dismantled
        self.depot_route = like.depot_route[:]
        self.lend = like.lend[:]
        self.returning = like.returning
        self.months = like.months
        self.face = like.face
        self.goal = like.goal
        self.outcome = like.outcome
        self.stack = like.stack
        self.legal = like.legal

    def summary(self) -> str:
        counts = " and ".join(f"{len(self.on_map(groups_of(side)))} {SIDES[side]}" for side in (AXIS, SOVIET))
        asked = self.outcome.reason if self.outcome else self.stack[-1].kind if self.stack else "nothing"
        return (
            f"{self.rules.scenario_id}, week {self.turn}, {WEATHER_NAMES[self.weather]}, {SIDES[self.side]}; "
            f"{counts} groups on the map; open: {asked}"
        )

    # ------------------------------------------------------------------ where groups are

    def place(self, group: Group, hex_: Hex) -> None:
        """Put a group on a hex, from wherever it is. Its side then holds the hex; a city is not captured by this."""
        if self.hex[group] != OFF:
            self._leave_hex(group)
        side = group_side(group)
        bit = 1 << hex_
        here = self.at.get(hex_, ())
        self.at[hex_] = tuple(sorted((*here, group)))
        self.hex[group] = hex_
        self.occ[side] |= bit
        if len(here) + 1 >= self.rules.stack_limit:
            self.full[side] |= bit
        if side == 0:
            self.control |= bit
        else:
            self.control &= ~bit

    def lift(self, group: Group) -> None:
        """Take a group off the map and forget its orders and entrenchment; its units and points are not touched."""
        if self.hex[group] != OFF:
            self._leave_hex(group)
        self.hex[group] = OFF
        self.entrench[group] = 0
        self.plot[group] = self.strike[group] = 0
        self.steps[group] = self.unsupplied_moves[group] = 0
        keep = ~(1 << group)
        self.supplied &= keep
        self.relieved &= keep
        self.moved &= keep
        self.from_line &= keep
        self.halted &= keep
        self.added_artillery &= keep

    def _leave_hex(self, group: Group) -> None:
        hex_, side = self.hex[group], group_side(group)
        left = tuple(g for g in self.at[hex_] if g != group)
        bit = ~(1 << hex_)
        if left:
            self.at[hex_] = left
        else:
            del self.at[hex_]
            self.occ[side] &= bit
        if len(left) < self.rules.stack_limit:
            self.full[side] &= bit

    # ------------------------------------------------------------------ units in groups

    def join(self, unit: Unit, group: Group) -> None:
        """Put a unit at the end of a group's list, from whatever group it is in."""
        self.leave(unit)
        self.group_units[group] = (*self.group_units[group], unit)
        self.ugroup[unit] = group

    def leave(self, unit: Unit) -> None:
        """Take a unit out of its group."""
        group = self.ugroup[unit]
        if group:
            self.group_units[group] = tuple(u for u in self.group_units[group] if u != unit)
            self.ugroup[unit] = 0

    def enlist(self, unit: Unit, kind: int, name: int, strength: int, experience: int, fatigue: int = 0) -> None:
        """Fill a free slot with a unit; ``join`` puts it into a group."""
        self.utype[unit] = kind
        self.uname[unit] = name
        self.strength[unit] = strength
        self.experience[unit] = experience
        self.fatigue[unit] = fatigue

    def disband(self, unit: Unit) -> None:
        """Remove a unit from the game; its slot is free again. The group stays, even when it is empty."""
        self.leave(unit)
        self.utype[unit] = self.strength[unit] = self.experience[unit] = self.fatigue[unit] = 0
        self.uname[unit] = 0
        self.overfatigued &= ~(1 << unit)

    def dissolve(self, group: Group) -> None:
        """Remove a group with all its units from the game. Its artillery points are lost."""
        for unit in self.group_units[group]:
            self.disband(unit)
        self.artillery[group] = 0
        self.lift(group)

    def free_slot(self, side: Side) -> Unit:
        """The lowest free unit slot of a side, or -1 when it has none left (4.9)."""
        first = side * (UNITS // 2)
        return self.utype.find(0, first, first + UNITS // 2)

    def free_group(self, groups: tuple[Group, ...] | range) -> Group:
        """The lowest number among some that is not in use, or 0."""
        return next((g for g in groups if self.hex[g] == OFF), 0)

    # ------------------------------------------------------------------ looking things up

    def combat_group(self, group: Group) -> bool:
        """Whether a number is that of a combat group on the map."""
        return 0 < group < GROUPS and bool(COMBAT_BITS[group_side(group)] >> group & 1) and self.hex[group] != OFF

    def on_map(self, groups: tuple[Group, ...] | range) -> list[Group]:
        """Those of some groups that are on the map."""
        return [g for g in groups if self.hex[g] != OFF]

    def zoc(self, side: Side) -> HexBits:
        """Hexes in a side's zones of control (6.10)."""
        return self.zoc_around(self.occ[side])

    def zoc_around(self, hexes: HexBits) -> HexBits:
        """The zones of control of groups in some hexes (6.10): all around them, not across into water."""
        return self.rules.grid.spread(hexes) & self.rules.map.passable

    def out_of_zones(self, side: Side, hexes: HexBits, zone: HexBits) -> HexBits:
        """Those of some hexes that are outside enemy zones, or hold an entrenched combat group of a side (6.10)."""
        barred = hexes & zone
        for hex_ in members(barred & self.occ[side]):
            if self.dug_in(side, hex_):
                barred ^= 1 << hex_
        return hexes & ~barred

    def dug_in(self, side: Side, hex_: Hex) -> bool:
        """Whether an entrenched combat group of a side is in a hex (6.10)."""
        return any(self.entrench[g] and group_side(g) == side and KIND[g] != AIR for g in self.at.get(hex_, ()))

    def terrain(self, hex_: Hex) -> int:
        """The one kind of terrain a hex has: city before rail before the ground beneath (8.3)."""
        board = self.rules.map
        if board.city_hexes >> hex_ & 1:
            return FORTIFIED if board.fortified >> hex_ & 1 else CITY
        return RAIL if (self.rail[0] | self.rail[1]) >> hex_ & 1 else board.base[hex_]

    def own_line(self, side: Side) -> HexBits:
        """Friendly rail and city hexes of a side."""
        return self.rail[side] | self.city_hexes[side]

    @property
    def frozen(self) -> bool:
        """Whether rivers and swamps are frozen (8.4)."""
        return self.weather in FREEZING

    def across_river(self, here: Hex, there: Hex) -> bool:
        """Whether a river that is not frozen runs between two adjacent hexes (8.3, 8.4)."""
        return self.weather not in FREEZING and self.rules.map.river.between(here, there)

    @property
    def year(self) -> int:
        """The year of the present turn."""
        return self.rules.years[self.turn - 1]

    def bitter_winter(self, side: Side) -> bool:
        """Whether very cold weather strikes a side that is not equipped for it: the Axis in 1941 (5.2, 8.1)."""
        return self.weather == VERY_COLD and side == AXIS and self.year == self.rules.first_winter.axis_year

    @property
    def enemy(self) -> Side:
        """The side whose phase it is not."""
        return 1 - self.side

    def unit_label(self, unit: Unit) -> str:
        """A unit as the manual lists it, such as ``7 PZ`` or ``LAH SS MOT``."""
        return f"{self.rules.name(self.uname[unit])} {self.rules.types[self.utype[unit]].code}"

    # ------------------------------------------------------------------ cities and pools

    def take_city(self, city: CityNumber, side: Side) -> None:
        """Give a city to a side; what the capture destroys is not touched (8.8)."""
        bit = 1 << self.rules.map.cities[city].hex
        self.owner[city] = side
        self.city_hexes[side] |= bit
        self.city_hexes[1 - side] &= ~bit

    def capture(self, city: CityNumber, side: Side) -> None:
        """8.8: a captured city loses its people and factories, and half of its supply centres, rounded down."""
        self.take_city(city, side)
        for kind, row in enumerate(self.values):
            row[city] = row[city] // 2 if kind == SUPPLY else 0

    def gain(self, side: Side, pool: int, points: int) -> int:
        """Add points to a pool, up to its limit (5.2, 8.5), or take some away; returns what the pool gained."""
        old = self.pools[side][pool]
        self.pools[side][pool] = max(0, min(self.rules.limits.pools[pool], old + points))
        return self.pools[side][pool] - old

    def units_of(self, side: Side) -> list[Unit]:
        """The unit slots of a side that are in use."""
        first = side * (UNITS // 2)
        return [u for u in range(first, first + UNITS // 2) if self.utype[u]]

    def rebuild(self) -> None:
        """Derive every set again from the groups' hexes and lists and the cities' owners."""
        self.at = {}
        self.occ, self.full, self.city_hexes = [0, 0], [0, 0], [0, 0]
        self.ugroup = bytearray(UNITS)
        for group, hex_ in enumerate(self.hex):
            for unit in self.group_units[group]:
                self.ugroup[unit] = group
            if hex_ == OFF:
                continue
            side = group_side(group)
            self.at[hex_] = (*self.at.get(hex_, ()), group)
            self.occ[side] |= 1 << hex_
            if len(self.at[hex_]) >= self.rules.stack_limit:
                self.full[side] |= 1 << hex_
        for city in self.rules.map.cities:
            self.city_hexes[self.owner[city.number]] |= 1 << city.hex
