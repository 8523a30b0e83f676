"""Positions of War in Russia written on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from rasputitsa.core.actions import Action
from rasputitsa.core.frames import NOTHING, About
from rasputitsa.envs.sheets.names.wir import (
    BYTE,
    DEPOTS,
    FEATURES,
    FIRST_YEAR,
    GROUP_SETS,
    HEX_SETS,
    KINDS,
    MAX_WEEKS,
    MOST_ENTRENCHMENT,
    MOST_EXPERIENCE,
    MOST_FATIGUE,
    MOST_SCORE,
    MOST_STRENGTH,
    MOVING,
    OF_A_DEPOT,
    OF_A_GROUP,
    OF_A_SIDE,
    PHASES,
    ROUTE,
    SEAS,
    SIDES_OF,
    STILL,
    YEARS,
)
from rasputitsa.envs.sheets.sheet import Flat, Marks, Row, Sheet, SparseCells, bits_of, soft
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import Group, GroupBits, Hex, HexBits, Side, Unit
from rasputitsa.wir.model.ruleset import NUMBERED, Ruleset
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    GROUPS,
    INFANTRY,
    KIND,
    KIND_NAMES,
    MECHANIZED,
    MOST_UNITS,
    POOLS,
    WEATHER_IDS,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import POPULATION, SIDES, SUPPLY
from rasputitsa.wir.rules.movement.air_plots import BOMB, strike_of
from rasputitsa.wir.rules.supply.supply import Depot
from rasputitsa.wir.rules.turn import goal
from rasputitsa.wir.rules.turn.sequence import TITLES, phase_of
from rasputitsa.wir.rules.victory import victory

WIDTH: Final = len(FEATURES)
OWN: Final = len(KIND_NAMES)
RETURNS: Final = OWN + len(OF_A_GROUP)
FIRST_SET: Final = RETURNS + 1
FIRST_CREW: Final = FIRST_SET + len(GROUP_SETS)
FIRST_SET_OF_HEXES: Final = len(STILL)
FIRST_CITY: Final = FIRST_SET_OF_HEXES + len(HEX_SETS)
FIRST_SUM: Final = len(STILL) + len(MOVING) - 1 - 2 * len(OF_A_SIDE)
ROUTE_PLANE: Final = len(STILL) + len(MOVING) - 1
ASKS: Final = {kind: f"asks_{kind}" for kind in KINDS}
DUG_IN: Final = OF_A_SIDE.index("entrenched")
"""Of this alone the highest counts, not the sum."""
OF_GROUPS: Final = (1 << GROUPS) - 2
"""The bits of all groups; there is none with the number 0."""
MINE: Final = tuple(sum(1 << g for g in groups_of(side)) for side in (0, 1))


class WirSheet(Sheet):
    """The arrays of one seat."""

    def __init__(
        self, rules: Ruleset, names: Sequence[str], planes: Flat, units: Flat, depots: Flat, globals_: Flat
    ) -> None:
        super().__init__()
        self._rules = rules
        self._planes = planes
        self._units = units
        self._globals = Row(globals_, names)
        stride = rules.grid.stride
        self._rows, self._columns = rules.grid.columns, rules.grid.rows
        self._cells = [hex_ % stride * self._columns + hex_ // stride for hex_ in range(rules.grid.size)]
        self._size = self._rows * self._columns
        bases = [(FIRST_SET_OF_HEXES + n) * self._size for n in range(len(HEX_SETS))]
        self._hexes = Marks(planes, bases, self._cells)
        lines = [(group - 1) * WIDTH for group in range(GROUPS)]
        self._sets = Marks(units, range(FIRST_SET, FIRST_SET + len(GROUP_SETS)), lines)
        self._returning = SparseCells(units)
        self._depots = [SparseCells(depots) for _ in DEPOTS]
        self._asked_depot, self._begun = 0, False
        self._route: tuple[Hex, ...] = ()
        self._known = State(rules)
        """The position that was written last; at first one with nobody in it."""
        self._names = NUMBERED + len(rules.names)

    def write(self, view: State, options: Sequence[Action] | None, seat: str) -> None:
        side = SIDES.index(seat)
        top = open_question(view)
        told: About = NOTHING if top is None else top.about(view)
        about, subject = bits_of(set(told.hexes)), bits_of(set(told.units)) & OF_GROUPS
        changed = self._changed_groups(view)
        for group in changed:
            self._write_group(view, group)
        self._write_sums(view, changed)
        self._write_cities(view)
        self._write_hexes(view, top, about, subject)
        self._write_sets(view, top, side, subject)
        self._write_route(top.route if isinstance(top, Depot) else ())
        self._write_depots(view, top)
        self._write_globals(view, top, options is not None, side)
        self._known = view

    # ------------------------------------------------------------------ groups

    def _changed_groups(self, s: State) -> list[Group]:
        """The groups that are not as they were written last."""
        known, found = self._known, set[int]()
        rows: list[tuple[Any, Any]] = [
            (known.hex, s.hex), (known.group_units, s.group_units), (known.artillery, s.artillery),
            (known.entrench, s.entrench), (known.aircraft, s.aircraft), (known.plot, s.plot),
            (known.strike, s.strike), (known.steps, s.steps), (known.unsupplied_moves, s.unsupplied_moves),
        ]  # fmt: skip
        for before, now in rows:
            if before != now:
                found.update([group for group in range(1, GROUPS) if before[group] != now[group]])
        rows = [
            (known.utype, s.utype), (known.strength, s.strength), (known.experience, s.experience),
            (known.fatigue, s.fatigue), (known.uname, s.uname),
        ]  # fmt: skip
        for before, now in rows:
            if before != now:
                found.update([s.ugroup[unit] for unit in range(len(now)) if before[unit] != now[unit]])
        found.discard(0)
        return sorted(found)

    def _write_group(self, s: State, group: Group) -> None:
        cells, place = self._units, (group - 1) * WIDTH
        if s.hex[group] == OFF:
            for cell in [*range(place + OWN, place + RETURNS), *range(place + FIRST_CREW, place + WIDTH)]:
                cells[cell] = 0
            return
        first = place + OWN
        for value in self._of_group(s, group):
            cells[first] = value
            first += 1
        first, units = place + FIRST_CREW, s.group_units[group]
        for n in range(MOST_UNITS):
            for value in self._of_unit(s, units[n]) if n < len(units) else (0, 0, 0, 0, 0, 0):
                cells[first] = value
                first += 1

    def _of_group(self, s: State, group: Group) -> list[float]:
        """The columns ``OF_A_GROUP``."""
        stride, hex_, plotted = self._rules.grid.stride, s.hex[group], s.plot[group]
        strength = sum([s.strength[unit] for unit in s.group_units[group]])
        strike = strike_of(s, group)
        struck: list[float] = [0, 0, 0, 0]
        if strike:
            target, manner = strike
            struck = [1, manner == BOMB, (target % stride + 1) / self._rows, (target // stride + 1) / self._columns]
        return [
            1, hex_ % stride / self._rows, hex_ // stride / self._columns, min(strength / MOST_STRENGTH, 1.0),
            len(s.group_units[group]) / MOST_UNITS, soft(s.artillery[group], 100),
            min(s.entrench[group] / MOST_ENTRENCHMENT, 1.0), min(s.aircraft[group] / BYTE, 1.0),
            soft(s.steps[group], 4), soft(s.unsupplied_moves[group], 2),
            plotted // 10 % 10 / 6, plotted % 10 / 6, plotted // 100 == plot.STOP, plotted // 100 == plot.BOMBARD,
            *struck,
        ]  # fmt: skip

    def _of_unit(self, s: State, unit: Unit) -> tuple[float, ...]:
        """The columns ``OF_A_UNIT``."""
        kind, kinds = s.utype[unit], self._rules.types
        return (
            s.strength[unit] / BYTE, min(s.experience[unit] / MOST_EXPERIENCE, 1.0),
            min(s.fatigue[unit] / MOST_FATIGUE, 1.0), kinds[kind].mechanized, kind / len(kinds),
            s.uname[unit] / self._names,
        )  # fmt: skip

    def _write_sets(self, s: State, top: Any, side: Side, subject: GroupBits) -> None:
        aim = s.goal
        sets = (
            s.supplied, s.relieved, s.moved, s.from_line, s.halted, s.added_artillery, MINE[side],
            aim.remove if aim else 0, aim.keep if aim else 0, aim.supplied if aim else 0, subject,
            _bit(getattr(top, "source", 0)), _bit(getattr(top, "target", 0)),
        )  # fmt: skip
        self._sets.write([groups & OF_GROUPS for groups in sets])
        if self.changed("returning", (s.returning, s.turn)):
            self._returning.write([
                ((group - 1) * WIDTH + RETURNS, soft(max(0, turn - s.turn) + 1, 8)) for group, turn in s.returning
            ])  # fmt: skip

    # ------------------------------------------------------------------ planes

    def _write_sums(self, s: State, changed: list[Group]) -> None:
        """What the groups come to in the hexes of those that changed: the planes ``OF_A_SIDE``."""
        known = self._known
        groups = [*changed, *members((known.supplied ^ s.supplied) & OF_GROUPS)]
        touched = {s.hex[group] for group in groups} | {known.hex[group] for group in groups}
        touched.discard(OFF)
        for hex_ in touched:
            sums = [[0.0] * len(OF_A_SIDE) for _ in SIDES_OF]
            for group in s.at.get(hex_, ()):
                side = group_side(group)
                dug_in = max(sums[side][DUG_IN], s.entrench[group] / MOST_ENTRENCHMENT)
                sums[side] = [a + b for a, b in zip(sums[side], self._worth(s, group), strict=True)]
                sums[side][DUG_IN] = dug_in
            place = FIRST_SUM * self._size + self._cells[hex_]
            for values in sums:
                for value in values:
                    self._planes[place] = min(value, 1.0)
                    place += self._size

    def _worth(self, s: State, group: Group) -> list[float]:
        kind = KIND[group]
        combat = kind in (MECHANIZED, INFANTRY)
        strength = sum([s.strength[unit] for unit in s.group_units[group]])
        return [
            combat / 2, (kind == MECHANIZED) / 2, kind == AIR, s.aircraft[group] / BYTE,
            strength / (2 * MOST_STRENGTH), soft(s.artillery[group], 100) / 2, 0,
            0.5 if combat and s.supplied >> group & 1 else 0,
        ]  # fmt: skip

    def _write_cities(self, s: State) -> None:
        cities, place = self._rules.map.cities, FIRST_CITY * self._size
        for before, now in zip(self._known.values, s.values, strict=True):
            if before != now:
                for number in range(len(now)):
                    if before[number] != now[number]:
                        self._planes[place + self._cells[cities[number].hex]] = soft(now[number], 10)
            place += self._size

    def _write_hexes(self, s: State, top: Any, about: HexBits, subject: GroupBits) -> None:
        aim = s.goal
        standing = bits_of({hex_ for group in members(subject) if (hex_ := s.hex[group]) != OFF})
        self._hexes.write([
            s.control, s.city_hexes[0], s.rail[0], s.zoc(0), _one(s.rail_order[0]), s.rail[1], s.zoc(1),
            _one(s.rail_order[1]), aim.hold | aim.clear if aim else 0, aim.clear if aim else 0, about | standing,
            about, _one(getattr(top, "start", OFF)),
        ])  # fmt: skip

    def _write_route(self, route: tuple[Hex, ...]) -> None:
        """The way of the depot on the move: most often it is the last one and a step more."""
        before, planes, place = self._route, self._planes, ROUTE_PLANE * self._size
        done = len(before)
        if route[:done] != before:
            for hex_ in before:
                planes[place + self._cells[hex_]] = 0
            done = 0
        for n in range(done, len(route)):
            planes[place + self._cells[route[n]]] = soft(n + 1, 16)
        self._route = route

    def _write_depots(self, s: State, top: Any) -> None:
        """The depots with the way of their last move, which they can go again by themselves (5.2)."""
        asked, before = top.depot if isinstance(top, Depot) else 0, self._asked_depot
        known, now = self._known.depot_route, s.depot_route
        if self._begun and asked == before and known == now:
            return
        for line, depot in enumerate(DEPOTS):
            if not self._begun or known[depot] != now[depot] or (asked != before and depot in (asked, before)):
                values = self._of_depot(depot, now[depot], depot == asked)
                first = line * len(OF_A_DEPOT)
                self._depots[line].write([(first + n, value) for n, value in enumerate(values)])
        self._begun, self._asked_depot = True, asked

    def _of_depot(self, depot: Group, route: tuple[Hex, ...], asked: bool) -> list[float]:
        stride, start = self._rules.grid.stride, self._rules.depot_hex.get(depot, OFF)
        found: list[float] = [group_side(depot), depot / GROUPS]
        if start == OFF:
            return found
        found += [1, (start % stride + 1) / self._rows, (start // stride + 1) / self._columns, asked]
        if route:
            end = route[-1]
            found += [soft(len(route), 16), (end % stride + 1) / self._rows, (end // stride + 1) / self._columns]
            way = (start, *route[:ROUTE])
            found += [self._rules.map.direction(a, b) / 6 for a, b in pairwise(way)]
        return found

    # ------------------------------------------------------------------ single numbers

    def _put(self, first: str, values: Sequence[float]) -> None:
        self._globals.write(first, [0.0 if value < 0 else min(value, 1.0) for value in values])

    def _write_globals(self, s: State, top: Any, mine: bool, side: Side) -> None:
        phase, whose = phase_of(s)
        if self.changed("time", (s.turn, s.weather, phase, whose)):
            self._put("turn", self._time(s, phase, whose))
        if self.changed("whose", (whose, mine, side)):
            self._put("soviet_decides", [side if mine else whose, side == 0, side == 1, mine])
        if self.changed("course", (s.first, s.level, s.months)):
            self._put("first_axis", [*[s.first == n for n in SIDES_OF], s.level / 4, soft(s.months, 12)])
        if self.changed("score", (s.values[POPULATION], s.values[SUPPLY], s.owner, s.months)):
            tally = victory.tally(s)
            axis, soviet = tally["axis"]["total"], tally["soviet"]["total"]
            self._put("axis_points", [
                axis / MOST_SCORE, soviet / MOST_SCORE, tally["difference"] / MOST_SCORE / 2 + 0.5
            ])  # fmt: skip
        if self.changed("pools", s.pools):
            self._put(f"{POOLS[0]}_{SIDES[0]}", [
                points / most for pools in s.pools for points, most in zip(pools, s.rules.limits.pools, strict=True)
            ])  # fmt: skip
        self._write_limits(s)
        if self.changed("question", top):
            self._put("asked_ordered", [
                getattr(top, "ordered", 0) / len(self._rules.types), soft(getattr(top, "penalty", 0), 4),
                getattr(top, "level", 0) / 4, soft(len(getattr(top, "route", ())), 16),
                bool(getattr(top, "formed", False)), getattr(top, "before", None) is not None,
            ])  # fmt: skip
            self._globals.write_one("asks", "" if top is None else ASKS.get(top.kind, ""))
        if self.changed("goal", s.goal) or s.goal is not None:
            self._put("goal_side", self._goal(s, side))
        if self.changed("outcome", s.outcome):
            winner = None if s.outcome is None else s.outcome.winner
            self._put("over", [s.outcome is not None, *[winner == name for name in SIDES]])

    def _time(self, s: State, phase: int, whose: Side) -> list[float]:
        rules, name = s.rules, TITLES[phase][0]
        return [
            s.turn / rules.turns, s.turn / MAX_WEEKS, (s.year - FIRST_YEAR) / YEARS, rules.short,
            *[s.weather == n for n in range(len(WEATHER_IDS))], *[name == p for p in PHASES], whose,
        ]  # fmt: skip

    def _write_limits(self, s: State) -> None:
        now = (s.rail_moves, s.air_moves, s.dismantled, s.naval, s.lend)
        if self.changed("limits", now):
            self._put("rail_moves_axis", [
                *[soft(moves, 3) for moves in s.rail_moves], *[soft(moves, 50) for moves in s.air_moves],
                *[s.dismantled >> n & 1 for n in SIDES_OF], *[s.naval >> n & 1 for n in range(2 * SEAS)],
                soft(s.lend[0], 160), soft(s.lend[1], 20),
            ])  # fmt: skip

    def _goal(self, s: State, side: Side) -> list[float]:
        aim = s.goal
        if aim is None:
            return [0.0] * 7
        return [
            aim.side, max(0, min(16, aim.last_turn - s.turn + 1)) / 16, goal.show(s, aim, (side,))["reached"],
            soft(aim.at_least, 4), soft(aim.remove_at_least, 4), aim.early, aim.production,
        ]  # fmt: skip


def open_question(s: State) -> Any:
    """The open question, None when the game is over or the question is hidden."""
    return s.stack[-1] if s.stack and s.outcome is None else None


def _one(hex_: Hex) -> HexBits:
    return 1 << hex_ if hex_ != OFF else 0


def _bit(group: object) -> GroupBits:
    return 1 << group if isinstance(group, int) and 0 < group < GROUPS else 0
