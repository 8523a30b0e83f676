"""Positions of The Russian Portfolio written on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rasputitsa.core.actions import Action
from rasputitsa.core.frames import NOTHING, About
from rasputitsa.core.lessons.goal import met
from rasputitsa.envs.sheets.names.portfolio import (
    AGREED,
    ATTACKS,
    FEATURES,
    GLOBALS,
    HEX_SETS,
    INSTALMENTS,
    KINDS,
    MOST_ATTACKS,
    OF_AN_ATTACK,
    OFF_MAP,
    PHASES,
    SEATS,
    STATES,
    STILL,
    SUMS,
    TARGETS,
    UNIT_SETS,
    WEATHER,
)
from rasputitsa.envs.sheets.sheet import Flat, Marks, Row, Sheet, SparseCells, bits_of, soft
from rasputitsa.hexes.grid import BIT
from rasputitsa.portfolio.model.combat import RANK, Attack
from rasputitsa.portfolio.model.goal import CHECKS
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Unit, UnitBits
from rasputitsa.portfolio.model.ruleset import RESULTS, Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.turn import goal, victory
from rasputitsa.portfolio.rules.turn.sequence import TITLES, phase_of

FIRST_SET_OF_HEXES: Final = len(STILL)
FIRST_SUM: Final = FIRST_SET_OF_HEXES + len(HEX_SETS)
FIRST_ORDERED: Final = FIRST_SUM + len(SIDES) * len(SUMS)
WIDTH: Final = len(FEATURES)
ROW: Final = FEATURES.index("row")
OFF_COLUMN: Final = {where: ROW + 2 + n for n, where in enumerate(OFF_MAP.values())}
FIRST_SET: Final = ROW + 2 + len(OFF_MAP)
FIRST_ATTACK: Final = FIRST_SET + len(UNIT_SETS)
RESULT: Final = FIRST_ATTACK + MOST_ATTACKS
ASKS: Final = {kind: f"asks_{kind}" for kind in KINDS}
UNSEEN: Final = -99
"""Where a unit is that has not been written yet."""


class PortfolioSheet(Sheet):
    """The arrays of one seat."""

    def __init__(
        self, rules: Ruleset, seats: Mapping[str, SeatNumber], seas: Sequence[str], names: Sequence[str],
        planes: Flat, units: Flat, attacks: Flat, globals_: Flat,
    ) -> None:  # fmt: skip
        """``seats``: their numbers; ``seas``: the zones of the sea, in the order of the single numbers ``names``."""
        super().__init__()
        self._rules = rules
        self._seats = dict(seats)
        self._seas = tuple(seas)
        self._planes = planes
        self._units = units
        self._globals = Row(globals_, names)
        self._first_sea = names[len(GLOBALS)]
        self._last_turn = max(rules.turns)
        stride, columns = rules.grid.stride, rules.grid.columns
        self._cells = [hex_ // stride * columns + hex_ % stride for hex_ in range(rules.grid.size)]
        self._size = rules.grid.rows * columns
        lines = [number * WIDTH for number in range(len(rules.units))]
        bases = [(FIRST_SET_OF_HEXES + n) * self._size for n in range(len(HEX_SETS))]
        self._hexes = Marks(planes, bases, self._cells)
        self._standing = Marks(units, range(FIRST_SET, FIRST_SET + len(UNIT_SETS)), lines)
        self._ordered = SparseCells(planes)
        self._results = SparseCells(units)
        self._numbers = SparseCells(units)
        self._attacks = SparseCells(attacks)
        self._pos = [UNSEEN] * len(rules.units)
        self._spent = [0, 0]
        self._attacked = 0

    def write(self, view: State, options: Sequence[Action] | None, seat: str) -> None:
        top = open_question(view)
        told: About = NOTHING if top is None else top.about(view)
        subject = _subject(top, told)
        moved = self._pos != view.pos
        if moved:
            self._write_places(view)
        if self.changed("attacks", view.attacks):
            self._write_attacks(view.attacks)
        about = _about(top, told)
        fought = self.changed("battle", view.battle)
        if self.changed("about", about) or fought:
            self._write_battle(view, about)
        if self.changed("spent", view.spent) or moved:
            of_side = self._rules.roster.of_side
            self._spent = [_hexes_of(view, view.spent & of_side[0]), _hexes_of(view, view.spent & of_side[1])]
        self._write_hexes(view, subject)
        self._write_units(view, top, seat, subject)
        self._write_globals(view, top, options is not None, seat)

    # ------------------------------------------------------------------ planes, and places in the table of units

    def _write_places(self, s: State) -> None:
        """Rows, columns and places off the map of the units that moved, and what their hexes come to."""
        touched: set[Hex] = set()
        for unit, now in enumerate(s.pos):
            before = self._pos[unit]
            if before != now:
                if before >= 0:
                    touched.add(before)
                if now >= 0:
                    touched.add(now)
                self._write_place(unit, before, now)
        self._pos = s.pos
        for hex_ in touched:
            self._write_sums(s, hex_)

    def _write_place(self, unit: Unit, before: Hex, now: Hex) -> None:
        cells, place, grid = self._units, unit * WIDTH, self._rules.grid
        if before >= 0:
            cells[place + ROW] = cells[place + ROW + 1] = 0
        elif before != UNSEEN:
            cells[place + OFF_COLUMN[before]] = 0
        if now >= 0:
            cells[place + ROW] = now // grid.stride / grid.rows
            cells[place + ROW + 1] = now % grid.stride / grid.columns
        else:
            cells[place + OFF_COLUMN[now]] = 1

    def _write_sums(self, s: State, hex_: Hex) -> None:
        """Units, attack and defence of each side in a hex: two strong armies come to 1."""
        roster, planes, place = self._rules.roster, self._planes, FIRST_SUM * self._size + self._cells[hex_]
        for side in (0, 1):
            number = attack = defence = 0
            for unit in s.at.get(hex_, ()):
                if roster.side[unit] == side:
                    number += 1
                    attack += roster.af[unit]
                    defence += roster.df[unit]
            planes[place] = min(number / 2, 1.0)
            planes[place + self._size] = min(attack / 16, 1.0)
            planes[place + 2 * self._size] = min(defence / 16, 1.0)
            place += len(SUMS) * self._size

    def _write_hexes(self, s: State, subject: UnitBits) -> None:
        aim = s.goal
        self._hexes.write([
            s.control, self._spent[0], s.dispersed_hexes[0], s.armored[0], zoc(s, 0), self._spent[1],
            s.dispersed_hexes[1], s.armored[1], zoc(s, 1), self._attacked, s.captured, s.factories_lost, s.arrived,
            s.airlifted, aim.hold | aim.clear if aim else 0, aim.clear if aim else 0, _hexes_of(s, subject),
        ])  # fmt: skip

    def _write_battle(self, s: State, about: list[Hex]) -> None:
        """Numbers of hexes: their order in the open question, the column and the clearing of the battle; what the die
        did to units; the die."""
        battle, place, size = s.battle, FIRST_ORDERED * self._size, self._size
        found = [(place + self._cells[hex_], soft(n, 4)) for n, hex_ in enumerate(about, start=1)]
        results: list[tuple[int, float]] = []
        die: list[float] = [0, 0, 0, 0]
        if battle is not None:
            most, kinds = len(self._rules.columns) + 1, len(RESULTS) + 1
            for hex_, number in zip(battle.targets, battle.columns, strict=False):
                found.append((place + size + self._cells[hex_], (number + 1) / most))
            for clearing in battle.cleared:
                found.append((place + 2 * size + self._cells[clearing.hex], soft(1 + clearing.need, 8)))
            for unit, result in zip(battle.defenders, battle.results, strict=False):
                results.append((unit * WIDTH + RESULT, (RESULTS.index(result) + 2 if result in RESULTS else 1) / kinds))
            for unit, length in zip(battle.defenders, battle.lengths, strict=False):
                results.append((unit * WIDTH + RESULT + 1, length / 4))
            die = [1, battle.die / 6, RANK[battle.low] / 8, soft(battle.paid, 8)]
        self._ordered.write(found)
        self._results.write(results)
        self._globals.write("battle", die)

    # ------------------------------------------------------------------ units and attacks

    def _write_units(self, s: State, top: Any, seat: str, subject: UnitBits) -> None:
        battle, aim = s.battle, s.goal
        attackers = defenders = handled = 0
        if battle is not None:
            attackers, defenders, handled = _set(battle.units), _set(battle.defenders), battle.handled
        self._standing.write([
            s.spent, s.dispersed, s.moved, s.attacked, s.hold, s.fuel_short, s.fresh_dispersed, s.must_attack,
            s.broke_through, s.entered, s.present, self._rules.seats[self._seats[seat]].units, attackers, defenders,
            handled, aim.remove if aim else 0, aim.keep if aim else 0, _eligible(s, top), getattr(top, "advanced", 0),
            subject,
        ])  # fmt: skip

    def _write_attacks(self, attacks: tuple[Attack, ...]) -> None:
        self._attacked = 0
        found: list[tuple[int, float]] = []
        numbers: dict[Unit, list[int]] = {}
        for number, attack in enumerate(attacks):
            if number < ATTACKS:
                place = number * len(OF_AN_ATTACK)
                found += [(place + n, value) for n, value in enumerate(self._of_attack(attack))]
            for hex_ in attack.targets:
                self._attacked |= 1 << hex_
            for unit in attack.units:
                numbers.setdefault(unit, []).append(number + 1)
        self._attacks.write(found)
        self._numbers.write([
            (unit * WIDTH + FIRST_ATTACK + n, number / ATTACKS)
            for unit, among in numbers.items()
            for n, number in enumerate(among[::-1][:MOST_ATTACKS])  # the latest comes first
        ])  # fmt: skip

    def _of_attack(self, attack: Attack) -> list[float]:
        grid = self._rules.grid
        found: list[float] = [
            *[attack.state == state for state in STATES], attack.amphibious, attack.breakthrough,
            attack.barred_retreat, (attack.joined_from + 1) / ATTACKS, (attack.seat + 1) / SEATS,
            soft(len(attack.targets), 4),
        ]  # fmt: skip
        for hex_ in attack.targets[:TARGETS]:
            found += [(hex_ // grid.stride + 1) / grid.rows, (hex_ % grid.stride + 1) / grid.columns]
        return found

    # ------------------------------------------------------------------ single numbers

    def _write_globals(self, s: State, top: Any, mine: bool, seat: str) -> None:
        row = self._globals
        phase, _ = phase_of(s)
        number = self._seats[seat]
        asked: SeatNumber = -1 if top is None else top.seat(s)
        if self.changed("time", (s.turn, s.weather.id, phase, s.reserve, s.side)):
            row.write("turn", self._time(s, phase))
        if self.changed("whose", (s.side, asked, mine, s.stand_all, number)):
            row.write("soviet_decides", [
                s.side if asked < 0 else self._rules.seats[asked].side, *[number == n for n in range(SEATS)], mine,
                *[asked == n for n in range(SEATS)], *[s.stand_all >> n & 1 for n in range(SEATS)],
            ])  # fmt: skip
        if self.changed("cities", s.control):
            linked = victory.points_of(s, victory.linked_cities(s))
            row.write("victory", [min(1.0, linked / victory.needed(s.rules))])
        self._write_counts(s)
        if self.changed("question", top):
            row.write("steps", _numbers(top))
            row.write_one("asks", "" if top is None else ASKS.get(top.kind, ""))
        if self.changed("goal", s.goal) or s.goal is not None:
            row.write("goal_side", self._goal(s))
        if self.changed("outcome", s.outcome):
            winner = None if s.outcome is None else s.outcome.winner
            row.write("over", [s.outcome is not None, *[winner == side for side in SIDES]])
        if self.changed("seas", s.sea_used):
            row.write(self._first_sea, [sea in s.sea_used for sea in self._seas])

    def _time(self, s: State, phase: int) -> list[float]:
        last, name, weather = self._last_turn, TITLES[phase][0], s.weather.id
        return [
            s.turn / last, self._rules.first_turn / last, *[weather == w for w in WEATHER],
            *[name == p for p in PHASES], s.reserve / 6, s.side,
        ]  # fmt: skip

    def _write_counts(self, s: State) -> None:
        now = (
            s.armor_points[0], s.infantry_points[0], s.armor_points[1], s.infantry_points[1], s.offensive, s.siberia,
            s.siberia_points, s.secret, s.rail_used, s.fronts_built, s.idle_sides, s.amphibious_used,
            s.germans_in_finland,
        )  # fmt: skip
        if self.changed("points", now):
            last = self._last_turn
            siberia = (*s.siberia, 0, 0, 0)[:INSTALMENTS]
            self._globals.write("armor_axis", [
                *[soft(points, 20) for points in now[:4]], s.offensive / last, *[turn / last for turn in siberia],
                *[soft(n, 20) for n in s.siberia_points], s.secret / 6, soft(s.rail_used, 4), soft(s.fronts_built, 4),
                s.idle_sides / 2, s.amphibious_used, s.germans_in_finland,
            ])  # fmt: skip

    def _goal(self, s: State) -> list[float]:
        aim = s.goal
        if aim is None:
            return [0.0] * (7 + len(CHECKS))
        return [
            aim.side, max(0, min(16, aim.last_turn - s.turn + 1)) / 16, met(goal.parts(s, aim)), soft(aim.at_least, 4),
            soft(aim.remove_at_least, 4), aim.early, aim.replacements, *[aim.check == check for check in CHECKS],
        ]  # fmt: skip


def _set(units: tuple[Unit, ...]) -> UnitBits:
    return bits_of(set(units))


def _hexes_of(s: State, units: UnitBits) -> HexBits:
    found = 0
    for unit in s.members(units & s.present):
        found |= BIT[s.pos[unit]]
    return found


def open_question(s: State) -> Any:
    """The open question, None when the game is over."""
    return s.stack[-1] if s.stack and s.outcome is None else None


def _bits(units: Any) -> UnitBits:
    return _set(units) if isinstance(units, tuple) else int(units)


def _eligible(s: State, top: Any) -> UnitBits:
    """The units from which the open question chooses."""
    pool = getattr(top, "pool", 0)
    return _bits(pool(s) if callable(pool) else pool)


def _numbers(top: Any) -> list[float]:
    """The numbers and the facts of the open question; a retreat holds its own."""
    retreat = getattr(top, "retreat", None)
    steps, need = getattr(top, "steps", 0), getattr(top, "need", 0)
    if retreat is not None:
        steps, need = retreat.steps, retreat.kind
    place = top.place + 1 if hasattr(top, "place") else 0
    number = top.number + 1 if hasattr(top, "number") else 0
    found = [steps, getattr(top, "rivers", 0), need, getattr(top, "owed", 0), place, number]
    return [*[soft(value, 8) for value in found], *[bool(getattr(top, name, False)) for name in AGREED]]


def _about(top: Any, told: About) -> list[Hex]:
    """The hexes the open question is about, in its order: targets, a way gone, where a group comes from or stands."""
    if top is None:
        return []
    way = getattr(getattr(top, "retreat", top), "way", ())
    named = [value for name in ("start", "hex") if isinstance(value := getattr(top, name, None), int) and value >= 0]
    return list(dict.fromkeys((*getattr(top, "targets", ()), *way, *named, *told.hexes)))


def _subject(frame: Any, told: About) -> UnitBits:
    """The units the open question is about: the group on the move, the attack being put together."""
    if frame is None:
        return 0
    found = 0
    retreat = getattr(frame, "retreat", None)
    for unit in (getattr(frame, "unit", None), getattr(frame, "front", None), getattr(retreat, "unit", None)):
        if unit is not None:
            found |= 1 << unit
    for units in (getattr(frame, "units", 0), getattr(frame, "chosen", 0)):
        found |= _bits(units)
    return found | _set(told.units)
