"""Position files: a position to read, write by hand, and start a game from.

    scenario = "june22"
    turn = 3
    phase = "movement"        # replacement, movement, attack, supply, victory, reserve_movement, reserve_attack;
                              # setup: what the scenario asks before the first turn
    side = "axis"
    [units]
    39Pz = "N4"               # or "N4 spent", "N4 dispersed", "pool", "eliminated", "siberia"
    [control]
    axis = ["N5", "P4-P9"]    # P4-P9: from one hex of a row to another
    [points.soviet]
    armor = 5
    [goal]                    # decides the game in place of the victory conditions: see ``goal``

A file says only what differs from the scenario's start; ``empty = true`` starts from a bare map: whatever may be
built is in the pool, the Siberian Reserve in Siberia. ``empty = "gone"``: what is not named takes no part at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core import scenarios
from rasputitsa.core.data import fields
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.lessons.lessons import check_head
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.ruleset import OPENING, Ruleset, ruleset
from rasputitsa.portfolio.model.stacking import surplus, why_no_room
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, SETUP, WHERE, State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET, named_hexes
from rasputitsa.portfolio.rules.turn import goal, setup
from rasputitsa.portfolio.rules.turn.sequence import PHASES, TITLES, Sequence, phase_of
from rasputitsa.portfolio.rules.turn.weather import order

PLACES = {"pool": POOL, "eliminated": ELIMINATED, "siberia": LOCKED, "setup": SETUP}
MOST_POINTS = 9999
"""Replacement points may also be owed."""
STATUSES = ("spent", "dispersed", "moved", "attacked", "hold", "broke_through")
KNOWN = {
    "game", "scenario", "options", "empty", "turn", "weather", "phase", "side", "reserve", "units", "control",
    "points", "siberia", "siberia_points", "offensive", "captured", "factories_lost", "amphibious_used",
    "germans_in_finland", "title", "entered", "fronts_built", "rail_used", "sea_used", "idle_sides", "goal", "lesson",
}  # fmt: skip


def load(table: Mapping[str, Any], folder: Path) -> State:
    """The state of a position file, ready for its first decision; raises ``SetupError``."""
    fields.known(table, KNOWN)
    check_head(table)
    rules = ruleset(fields.text(table, "scenario", "june22"), fields.texts(table, "options"), folder)
    if OPENING in rules.scenario and not table.get("empty"):
        table = scenarios.laid_over(rules.scenario[OPENING], table)
    return _lay(rules, table)


def start(rules: Ruleset) -> State:
    """EVENING.Start: the first decision of a scenario: the deployment, or the position that it names."""
    if OPENING in rules.scenario:
        return _lay(rules, rules.scenario[OPENING])
    s = setup.initial_state(rules)
    s.stack = (Sequence(-1), *s.stack)
    settle(s, Context(ScriptedDice([])))  # nothing before the first decision casts a die
    return s


def _lay(rules: Ruleset, table: Mapping[str, Any]) -> State:
    s = setup.initial_state(rules)
    questions, s.stack = s.stack, ()
    s.turn = _turn(table, "turn", s.turn, rules)
    weather = fields.text(table, "weather", rules.turns[s.turn].weather or "good")
    if weather not in rules.weather:
        raise SetupError(f"weather {weather!r:.20} is not one of {', '.join(rules.weather)}")
    s.weather = rules.weather[weather]
    if table.get("empty", False) not in (True, False, "gone"):
        raise SetupError(f"empty is true, false or 'gone', not {table['empty']!r:.40}")
    if table.get("empty"):
        for u in rules.units:
            waits = u.pool.startswith("siberia")
            built = POOL if u.replaceable and table["empty"] != "gone" else ELIMINATED
            s.lift(u.number, LOCKED if waits and table["empty"] != "gone" else built)
    _put_units(s, table)
    _put_control(s, table)
    _put_points(s, table)
    if "goal" in table:
        s.goal = goal.read(s, table["goal"], _hexes)
        if not s.goal.replacements and "points" not in table:
            s.armor_points[SOVIET] = 0  # nor is there anything left of what the scenario begins with
    if table.get("phase") == "setup":
        s.stack = (Sequence(-1), *questions)
        settle(s, Context(ScriptedDice([])))
    else:
        _start_phase(s, table)
    return s


def _turn(table: Mapping[str, Any], name: str, default: int, rules: Ruleset) -> int:
    turn = table.get(name, default)
    if not isinstance(turn, int) or isinstance(turn, bool) or turn not in rules.turns:
        raise SetupError(f"{name} {turn!r:.20} is not on the track ({min(rules.turns)}-{max(rules.turns)})")
    return turn


def _put_units(s: State, table: Mapping[str, Any]) -> None:
    rules = s.rules
    placed = fields.texts(table, "units")
    for name in placed:
        if rules.roster.find(name) is None:
            raise SetupError(f"units: there is no unit {name!r:.20}")
    for name in placed:
        unit = rules.roster.find(name)
        assert unit is not None
        s.lift(unit, SETUP)
    for name, text in placed.items():
        unit = rules.roster.find(name)
        assert unit is not None
        words = text.split()
        if not words:
            raise SetupError(f"units: {name} needs a hex or one of {', '.join(PLACES)}")
        if words[0] in PLACES:
            s.lift(unit, PLACES[words[0]])
            continue
        hex_ = rules.grid.find(words[0])
        if hex_ is None:
            raise SetupError(f"units: {name} is put on {words[0]!r:.20}, which is not on the map")
        _put(s, unit, hex_, words[1:])


def _put(s: State, unit: Unit, hex_: Hex, statuses: list[str]) -> None:
    rules = s.rules
    name, where = rules.units[unit].id, rules.grid.names[hex_]
    side = rules.roster.side[unit]
    if not rules.map.ground[s.weather.freezes].enterable >> hex_ & 1:
        raise SetupError(f"units: {name} cannot stand on {where}: no unit enters it")
    if s.occ[1 - side] >> hex_ & 1:
        raise SetupError(f"units: {name} cannot stand on {where}: the enemy is there")
    if surplus(s, (*s.at.get(hex_, ()), unit), hex_):
        raise SetupError(f"units: {name} cannot stand on {where}: {why_no_room(s, (unit,), hex_)}")
    s.place(unit, hex_)
    if side == AXIS:
        s.control |= 1 << hex_
    else:
        s.control &= ~(1 << hex_)
    for status in statuses:
        if status not in STATUSES:
            raise SetupError(f"units: {name} has the unknown status {status!r:.20}; known: {', '.join(STATUSES)}")
        if status == "dispersed":
            s.disperse(unit)
        else:
            setattr(s, status, getattr(s, status) | 1 << unit)


def _hexes(s: State, names: Any, field: str) -> HexBits:
    return named_hexes(s.rules.grid, names, field)


def _put_control(s: State, table: Mapping[str, Any]) -> None:
    control = fields.table(table, "control")
    fields.known(control, {*SIDES, "only"}, "control")
    if fields.flag(control, "only", where="control"):
        s.control = 0
    gained = _hexes(s, control.get("axis", []), "control.axis")
    s.control = (s.control | gained) & ~_hexes(s, control.get("soviet", []), "control.soviet")
    s.captured |= s.control & s.rules.map.victory_cities & s.rules.home[SOVIET]
    s.factories_lost |= s.control & s.rules.map.factories
    if "captured" in table:
        s.captured = _hexes(s, table["captured"], "captured")
    if "factories_lost" in table:
        s.factories_lost = _hexes(s, table["factories_lost"], "factories_lost")


def _put_points(s: State, table: Mapping[str, Any]) -> None:
    points = fields.table(table, "points")
    fields.known(points, SIDES, "points")
    for name in points:
        where, values = f"points.{name}", fields.table(points, name, "points")
        fields.known(values, {"armor", "infantry"}, where)
        side = SIDES.index(name)
        for kind, stock in (("armor", s.armor_points), ("infantry", s.infantry_points)):
            stock[side] = fields.whole(values, kind, stock[side], -MOST_POINTS, MOST_POINTS, where)
    s.offensive = _turn(table, "offensive", 0, s.rules) if table.get("offensive", 0) != 0 else 0
    s.reserve = fields.whole(table, "reserve", 0, 0, len(s.rules.reserve_penalties) - 1)
    s.fronts_built = fields.whole(table, "fronts_built", 0, 0, len(s.rules.units))
    s.rail_used = fields.whole(table, "rail_used", 0, 0, len(s.rules.units))
    s.idle_sides = fields.whole(table, "idle_sides", 0, 0, len(SIDES))
    s.sea_used = _waters(s, table)
    _put_siberia(s, table)
    s.amphibious_used = fields.flag(table, "amphibious_used")
    s.germans_in_finland = fields.flag(table, "germans_in_finland", s.germans_in_finland)
    for name in fields.names(table, "entered"):
        unit = s.rules.roster.find(name)
        if unit is None:
            raise SetupError(f"entered: there is no unit {name!r:.20}")
        s.entered |= 1 << unit


def _waters(s: State, table: Mapping[str, Any]) -> tuple[str, ...]:
    used = fields.names(table, "sea_used")
    for name in used:
        if name not in s.rules.waters:
            raise SetupError(f"sea_used: {name!r:.20} is not one of {', '.join(s.rules.waters)}")
    return tuple(used)


def _put_siberia(s: State, table: Mapping[str, Any]) -> None:
    turns = fields.items(table, "siberia")
    most = len(s.rules.charts["siberia"]["instalments"])
    if len(turns) > most:
        raise SetupError(f"siberia has at most {most} turns, one for each instalment")
    s.siberia = tuple(_turn({"siberia": turn}, "siberia", 0, s.rules) for turn in turns)
    points = fields.items(table, "siberia_points") or list(s.siberia_points)
    if len(points) != len(s.siberia_points):
        raise SetupError("siberia_points has three numbers: armor, infantry, cavalry corps")
    armor, infantry, cavalry = (fields.number(value, -MOST_POINTS, MOST_POINTS, "siberia_points") for value in points)
    s.siberia_points = (armor, infantry, cavalry)


def _start_phase(s: State, table: Mapping[str, Any]) -> None:
    name = fields.text(table, "phase", "movement")
    phases = {title[0]: phase for phase, title in TITLES.items()}
    if name not in phases:
        raise SetupError(f"phase {name!r:.20} is not one of {', '.join(phases)}")
    first, second = order(s)
    side_name = fields.text(table, "side", SIDES[first])
    if side_name not in SIDES:
        raise SetupError(f"side {side_name!r:.20} is not axis or soviet")
    player = (first, second).index(SIDES.index(side_name))
    phase = phases[name]
    wanted = (phase, player) if (phase, player) in PHASES else (phase, 0)
    if name.startswith("reserve") and s.reserve == 0:
        s.reserve = 1
    s.side = SIDES.index(side_name)
    moved, attacked = s.moved, s.attacked
    context = Context(ScriptedDice([]))
    s.stack = (Sequence(PHASES.index(wanted) - 1),)
    settle(s, context)
    if moved or attacked:
        s.moved |= moved
        s.attacked |= attacked
        s.legal = s.stack[-1].options(s) if s.outcome is None else []


def dump(s: State) -> dict[str, Any]:
    """The position file of a state; what is open in mid-phase is not written.

    Raises ``SetupError`` while a retreat holds more units in a hex than may stand there: no game can start so.
    """
    rules = s.rules
    names = rules.grid.names
    _check_room(s)
    phase, _ = phase_of(s)
    table: dict[str, Any] = {
        "game": "portfolio",
        "scenario": rules.scenario_id,
        "options": dict(rules.options),
        "empty": True,
        "turn": s.turn,
        "weather": s.weather.id,
        "phase": TITLES[phase][0],
        "side": SIDES[s.side],
        "reserve": s.reserve,
        "units": {},
        "control": {"only": True, "axis": [names[h] for h in members(s.control)]},
        "points": {
            SIDES[side]: {"armor": s.armor_points[side], "infantry": s.infantry_points[side]} for side in (AXIS, SOVIET)
        },
        "captured": [names[h] for h in members(s.captured)],
        "factories_lost": [names[h] for h in members(s.factories_lost)],
        "siberia": list(s.siberia),
        "siberia_points": list(s.siberia_points),
        "entered": [rules.units[u].id for u in members(s.entered)],
        "offensive": s.offensive,
        "fronts_built": s.fronts_built,
        "rail_used": s.rail_used,
        "sea_used": list(s.sea_used),
        "idle_sides": s.idle_sides,
        "amphibious_used": s.amphibious_used,
        "germans_in_finland": s.germans_in_finland,
    }
    for unit in rules.units:
        where = s.pos[unit.number]
        if where < 0:
            table["units"][unit.id] = WHERE[where]
            continue
        statuses = [name for name in STATUSES if getattr(s, name) >> unit.number & 1]
        table["units"][unit.id] = " ".join([names[where], *statuses])
    if s.goal is not None:
        table["goal"] = goal.dump(s, s.goal)
    return table


def _check_room(s: State) -> None:
    for hex_, units in s.at.items():
        if surplus(s, units, hex_):
            where, why = s.rules.grid.names[hex_], why_no_room(s, (), hex_)
            raise SetupError(f"a retreat passes through {where}, which is full ({why}): end it before writing the file")
