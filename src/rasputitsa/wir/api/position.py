"""1.3 Position files: a position to read, write by hand, and start a game from.

    scenario = "barbarossa"
    turn = 3
    weather = "rain"
    phase = "movement"                     # turn, adjust, supply, movement, execution
    side = "axis"
    empty = true                           # no group on the map
    [groups.12]
    hex = "0316"
    units = ["1 INF 70 70 0"]              # name, kind, strength, experience, fatigue
    artillery = 60
    entrench = 2
    plot = "2S"                            # besides: supplied, moved, added_artillery, halted, steps, wandered
    [groups.53]
    hex = "0315"
    aircraft = 60
    strike = "0514 bomb"
    [cities.Riga]
    owner = "axis"                         # and population, industry, vehicle, artillery, aircraft, supply
    [pools.axis]
    infantry = 700
    [rail]
    axis = ["0414"]                        # added; ``only = true`` first takes all rails away, and with
                                           # ``follows_control = true`` every rail has the gauge of who holds its hex
    [control]
    axis = ["0514", "0410-0612"]           # hexes and rectangles; ``cities = true``: cities belong to who holds them

    [goal]                                 # decides the game in place of the victory conditions: see ``goal``

A file says only what differs from the scenario's start.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core import scenarios
from rasputitsa.core.data import fields
from rasputitsa.core.data.rows import BYTE
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import NotationError, SetupError
from rasputitsa.core.lessons.lessons import check_head
from rasputitsa.core.marks import counted
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import groups, plot
from rasputitsa.wir.model.frames import Context, settle
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.ruleset import NUMBERED, Ruleset, ruleset
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    ART_POOL,
    COMBAT_BITS,
    DEPOT,
    GROUPS,
    KIND,
    MOST_EXPERIENCE,
    MOST_SEAS,
    POOLS,
    UNITS_PER_SIDE,
    WEATHER_NAMES,
    group_side,
)
from rasputitsa.wir.model.theatre import AXIS, CITY_VALUES, SIDES, SOVIET, named_hexes
from rasputitsa.wir.rules.movement import air_plots
from rasputitsa.wir.rules.turn import goal, setup
from rasputitsa.wir.rules.turn.sequence import END, EXECUTION, PHASES, START, TITLES, Sequence, phase_of

KNOWN = {
    "game", "title", "scenario", "options", "turn", "weather", "level", "phase", "side", "empty", "groups", "cities",
    "pools", "rest", "rail", "rail_order", "control", "used", "naval", "dismantled", "routes", "lend", "returning",
    "months", "goal", "lesson",
}  # fmt: skip
GROUP_FLAGS = ("supplied", "relieved", "moved", "from_line", "halted", "added_artillery")
GROUP_FIELDS = {
    *GROUP_FLAGS, "hex", "units", "artillery", "entrench", "aircraft", "plot", "strike", "steps", "wandered",
}  # fmt: skip
OPENING = "position"
"""Where a scenario names what its start changes, written as in a position file."""
MOST_IN_STORE = 100000
MOST_WEEKS = 1000


def load(table: Mapping[str, Any], folder: Path) -> State:
    """The state of a position file, ready for its first decision; raises ``SetupError``."""
    fields.known(table, KNOWN)
    check_head(table)
    rules = ruleset(fields.text(table, "scenario", "barbarossa"), fields.texts(table, "options"), folder)
    if OPENING in rules.scenario and not table.get("empty"):
        table = scenarios.laid_over(rules.scenario[OPENING], table)
    return _lay(rules, table)


def start(rules: Ruleset) -> State:
    """EVENING.Start: the first decision of a scenario: that of its year, changed as the scenario says."""
    if OPENING in rules.scenario:
        return _lay(rules, rules.scenario[OPENING])
    s = setup.initial_state(rules)
    s.stack = (Sequence(-1),)
    settle(s, Context(ScriptedDice([])))  # nothing before the first decision casts a die
    return s


def _lay(rules: Ruleset, table: Mapping[str, Any]) -> State:
    s = setup.initial_state(rules)
    s.turn = fields.whole(table, "turn", s.turn, 1, rules.turns)
    weather = fields.text(table, "weather", WEATHER_NAMES[s.weather])
    if weather not in WEATHER_NAMES:
        raise SetupError(f"weather {weather!r:.20} is not one of {', '.join(WEATHER_NAMES)}")
    s.weather = WEATHER_NAMES.index(weather)
    s.level = fields.whole(table, "level", s.level, 1, 4)
    if fields.flag(table, "empty"):
        for group in range(GROUPS):
            if s.hex[group] != OFF:
                s.dissolve(group)
                s.aircraft[group] = 0
    _put_control(s, fields.table(table, "control"))
    _put_cities(s, fields.table(table, "cities"))
    _put_rails(s, table)
    _put_groups(s, fields.table(table, "groups"))
    _put_pools(s, table)
    _put_rest(s, table)
    if "goal" in table:
        s.goal = goal.read(s, table["goal"], _hexes)
    _start_phase(s, table)
    return s


def _hex(s: State, name: object, field: str) -> Hex:
    found = s.rules.grid.find(name) if isinstance(name, str) else None
    if found is None:
        raise SetupError(f"{field}: there is no hex {name!r:.20} on the map")
    return found


def _hexes(s: State, names: Any, field: str) -> HexBits:
    return named_hexes(s.rules.grid, names, field)


def _side(name: object, field: str) -> Side:
    if not isinstance(name, str) or name not in SIDES:
        raise SetupError(f"{field} is axis or soviet, not {name!r:.20}")
    return SIDES.index(name)


# ---------------------------------------------------------------------- reading


def _put_control(s: State, table: dict[str, Any]) -> None:
    fields.known(table, {*SIDES, "only", "cities"}, "control")
    if fields.flag(table, "only", where="control"):
        s.control = 0
    s.control |= _hexes(s, table.get("axis", []), "control.axis") & s.rules.map.land
    s.control &= ~_hexes(s, table.get("soviet", []), "control.soviet")
    if fields.flag(table, "cities", where="control"):
        for city in s.rules.map.cities:
            s.take_city(city.number, AXIS if s.control >> city.hex & 1 else SOVIET)


def _put_cities(s: State, table: dict[str, Any]) -> None:
    for name in table:
        if name not in s.rules.map.city_named:
            raise SetupError(f"cities: there is no city {name!r:.40}")
        where, values = f"cities.{name}", fields.table(table, name, "cities")
        city = s.rules.map.city_named[name]
        fields.known(values, {"owner", *CITY_VALUES}, where)
        if "owner" in values:
            side = _side(values["owner"], f"{where}.owner")
            s.take_city(city, side)
            bit = 1 << s.rules.map.cities[city].hex
            s.control = s.control | bit if side == 0 else s.control & ~bit
        for kind, value in enumerate(CITY_VALUES):
            s.values[kind][city] = fields.whole(values, value, s.values[kind][city], 0, BYTE, where)


def _put_rails(s: State, table: Mapping[str, Any]) -> None:
    rails = fields.table(table, "rail")
    fields.known(rails, {*SIDES, "only", "follows_control"}, "rail")
    if fields.flag(rails, "only", where="rail"):
        s.rail = [0, 0]
    if fields.flag(rails, "follows_control", where="rail"):
        laid = s.rail[AXIS] | s.rail[SOVIET]
        s.rail = [laid & s.control, laid & ~s.control]
    for side, owner in enumerate(SIDES):
        built = _hexes(s, rails.get(owner, []), f"rail.{owner}")
        s.rail[side] |= built
        s.rail[1 - side] &= ~built
    for name, hex_ in fields.table(table, "rail_order").items():
        s.rail_order[_side(name, "rail_order")] = _hex(s, hex_, "rail_order")


def _put_groups(s: State, table: dict[str, Any]) -> None:
    for name in table:
        group = _read_group(name)
        if s.hex[group] != OFF:
            s.dissolve(group)
            s.aircraft[group] = 0
    for name in sorted(table, key=int):  # not in the file's order, which does not outlive saving and loading
        _put_group(s, _read_group(name), fields.table(table, name, "groups"))


def _read_group(name: str) -> Group:
    group = fields.digits(name)
    if group is None or not 0 < group < GROUPS or KIND[group] == DEPOT:
        raise SetupError(f"groups: {name!r:.20} is no number of a combat or air group")
    return group


def _put_group(s: State, group: Group, table: dict[str, Any]) -> None:
    where = f"groups.{group}"
    fields.known(table, GROUP_FIELDS, where)
    hex_, side = _hex(s, table.get("hex", ""), f"{where}.hex"), group_side(group)
    name = s.rules.grid.names[hex_]
    if not s.rules.map.passable >> hex_ & 1:
        raise SetupError(f"{where}: {name} is sea or closed ground")
    if s.occ[1 - side] >> hex_ & 1:
        raise SetupError(f"{where}: the enemy is in {name}")
    if len(s.at.get(hex_, ())) >= s.rules.limits.stack:
        raise SetupError(f"{where}: {name} holds {counted(s.rules.limits.stack, 'group')}")
    if s.city_hexes[1 - side] >> hex_ & 1:
        s.take_city(s.rules.map.city_at[hex_], side)
    s.place(group, hex_)
    units = fields.names(table, "units", where)
    if not units and KIND[group] != AIR:
        raise SetupError(f"{where}.units is a list of units such as '1 INF 70 70 0'")
    for text in units:
        _put_unit(s, group, text)
    s.artillery[group] = fields.whole(table, "artillery", 0, 0, s.rules.limits.pools[ART_POOL], where)
    s.entrench[group] = fields.whole(table, "entrench", 0, 0, s.rules.entrenchment.most, where)
    s.aircraft[group] = fields.whole(table, "aircraft", 0, 0, s.rules.limits.aircraft, where)
    s.steps[group] = fields.whole(table, "steps", 0, 0, max(s.rules.march.allowance), where)
    s.unsupplied_moves[group] = fields.whole(table, "wandered", 0, 0, BYTE, where)
    for flag in GROUP_FLAGS:
        if fields.flag(table, flag, where=where):
            setattr(s, flag, getattr(s, flag) | 1 << group)
    try:
        line = fields.text(table, "plot", "", where)
        s.plot[group] = plot.read(line) if line else 0
    except NotationError as problem:
        raise SetupError(f"{where}.plot: {problem}") from problem
    if strike := fields.text(table, "strike", "", where):
        target, _, manner = strike.partition(" ")
        s.strike[group] = air_plots.encode(
            _hex(s, target, f"{where}.strike"), air_plots.BOMB if manner == "bomb" else air_plots.GROUND
        )


def _put_unit(s: State, group: Group, text: str) -> None:
    words = text.split()
    kind = s.rules.type_named.get(" ".join(words[1:-3]))
    strength, experience, tired = (fields.digits(word) for word in words[-3:]) if len(words) > 3 else (None,) * 3
    if len(words) < 5 or kind is None or strength is None or experience is None or tired is None:
        raise SetupError(f"groups.{group}: {text!r:.60} is no unit; write name, kind, strength, experience, fatigue")
    if s.rules.types[kind].side != group_side(group):
        raise SetupError(f"groups.{group}: {words[1]} is a unit of the other side")
    number = fields.digits(words[0])
    if (number is None or number >= NUMBERED) and words[0] not in s.rules.name_number:
        raise SetupError(f"groups.{group}: no unit is named {words[0]!r:.20}")
    most = s.rules.march.most
    if not (0 < strength <= BYTE and experience <= MOST_EXPERIENCE and tired <= most):
        raise SetupError(
            f"groups.{group}: strength is 1-{BYTE}, experience at most {MOST_EXPERIENCE}, fatigue at most {most}"
        )
    unit = s.free_slot(group_side(group))
    if unit < 0:
        raise SetupError(f"a side has at most {UNITS_PER_SIDE} units")
    if groups.room(s, group) <= 0:
        raise SetupError(f"groups.{group} has more than {s.rules.limits.units} units")
    s.enlist(unit, kind, s.rules.read_name(words[0]), strength, experience, tired)
    if not groups.may_hold(s, group, unit):
        s.disband(unit)
        raise SetupError(f"groups.{group}: a mechanized group may not hold {words[1]}")
    s.join(unit, group)


def _put_pools(s: State, table: Mapping[str, Any]) -> None:
    stores = (MOST_IN_STORE,) * len(POOLS)
    for field, pools, most in (("pools", s.pools, s.rules.limits.pools), ("rest", s.rest, stores)):
        sides = fields.table(table, field)
        for name in sides:
            side, where, values = _side(name, field), f"{field}.{name}", fields.table(sides, name, field)
            fields.known(values, POOLS, where)
            for pool, item in enumerate(POOLS):
                pools[side][pool] = fields.whole(values, item, pools[side][pool], 0, most[pool], where)


def _put_rest(s: State, table: Mapping[str, Any]) -> None:
    used = fields.table(table, "used")
    for name in used:
        side, where, values = _side(name, "used"), f"used.{name}", fields.table(used, name, "used")
        fields.known(values, {"aircraft", "rail"}, where)
        s.air_moves[side] = fields.whole(values, "aircraft", 0, 0, s.rules.raids.moves, where)
        s.rail_moves[side] = fields.whole(values, "rail", 0, 0, s.rules.march.rail_moves, where)
    s.naval = fields.whole(table, "naval", 0, 0, (1 << 2 * MOST_SEAS) - 1)
    s.dismantled = fields.whole(table, "dismantled", 0, 0, 3)
    routes = fields.table(table, "routes")
    for name in routes:
        depot = fields.digits(name)
        if depot is None or not 0 < depot < GROUPS or KIND[depot] != DEPOT:
            raise SetupError(f"routes: {name!r:.20} is no depot")
        s.depot_route[depot] = tuple(_hex(s, hex_, "routes") for hex_ in fields.items(routes, name, "routes"))
    lend = fields.table(table, "lend")
    fields.known(lend, {"vehicle", "aircraft"}, "lend")
    s.lend = [
        fields.whole(lend, name, s.lend[n], 0, MOST_IN_STORE, "lend") for n, name in enumerate(("vehicle", "aircraft"))
    ]
    s.returning = tuple(_returning(s, pair) for pair in fields.items(table, "returning"))
    s.months = fields.whole(table, "months", 0, 0, 100)


def _returning(s: State, pair: object) -> tuple[int, int]:
    """An air group that comes back, and the turn in which it does."""
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise SetupError(f"returning is a list of groups with their turns, not {pair!r:.40}")
    group = fields.number(pair[0], 1, GROUPS - 1, "returning")
    if KIND[group] != AIR:
        raise SetupError(f"returning: {group} is no air group")
    return group, fields.number(pair[1], 0, MOST_WEEKS, "returning")


def _start_phase(s: State, table: Mapping[str, Any]) -> None:
    name = fields.text(table, "phase", "adjust")
    phases = {title[0]: phase for phase, title in TITLES.items()}
    if name not in phases:
        raise SetupError(f"phase {name!r:.20} is not one of {', '.join(phases)}")
    phase = phases[name]
    side = 0 if phase in (START, EXECUTION, END) else _side(table.get("side", "axis"), "side")
    context = Context(ScriptedDice([]))
    before = s.copy()
    s.stack = (Sequence(PHASES.index((phase, side)) - 1),)
    if phase in (EXECUTION, END):
        # These cast dice: the game stands just before them, and the last question of the phase before is open.
        s.stack = (Sequence(PHASES.index((EXECUTION, 0)) - 2),)
    settle(s, context)
    if phase not in (START,) and s.outcome is None:
        s.supplied |= before.supplied
        s.relieved |= before.relieved
        s.legal = s.stack[-1].options(s)


# ---------------------------------------------------------------------- writing


def dump(s: State) -> dict[str, Any]:
    """The position file of a state; what is open in mid-phase is not written."""
    rules, names = s.rules, s.rules.grid.names
    phase, side = phase_of(s)
    ending = {} if s.goal is None else {"goal": goal.dump(s, s.goal)}
    return {
        "game": "wir",
        "scenario": rules.scenario_id,
        "options": dict(rules.options),
        "turn": s.turn,
        "weather": WEATHER_NAMES[s.weather],
        "level": s.level,
        "phase": TITLES[phase][0],
        "side": SIDES[side],
        "empty": True,
        "groups": {str(g): _group(s, g) for g in range(GROUPS) if s.hex[g] != OFF},
        "cities": {
            c.name: {"owner": SIDES[s.owner[c.number]]}
            | {name: s.values[kind][c.number] for kind, name in enumerate(CITY_VALUES)}
            for c in rules.map.cities
        },
        "pools": {SIDES[n]: dict(zip(POOLS, s.pools[n], strict=True)) for n in (0, 1)},
        "rest": {SIDES[n]: dict(zip(POOLS, s.rest[n], strict=True)) for n in (0, 1)},
        "rail": {"only": True, **{SIDES[n]: [names[h] for h in members(s.rail[n])] for n in (0, 1)}},
        "rail_order": {SIDES[n]: names[s.rail_order[n]] for n in (0, 1) if s.rail_order[n] != OFF},
        "control": {"only": True, "axis": [names[h] for h in members(s.control)]},
        "used": {SIDES[n]: {"aircraft": s.air_moves[n], "rail": s.rail_moves[n]} for n in (0, 1)},
        "naval": s.naval,
        "dismantled": s.dismantled,
        "routes": {str(g): [names[h] for h in route] for g, route in enumerate(s.depot_route) if route},
        "lend": {"vehicle": s.lend[0], "aircraft": s.lend[1]},
        "returning": [list(pair) for pair in s.returning],
        "months": s.months,
        **ending,
    }


def _group(s: State, group: Group) -> dict[str, Any]:
    rules = s.rules
    table: dict[str, Any] = {"hex": rules.grid.names[s.hex[group]]}
    if COMBAT_BITS[group_side(group)] >> group & 1:
        table["units"] = [
            f"{rules.name(s.uname[u])} {rules.types[s.utype[u]].id} {s.strength[u]} {s.experience[u]} {s.fatigue[u]}"
            for u in s.group_units[group]
        ]
    for field, values in (
        ("artillery", s.artillery), ("entrench", s.entrench), ("aircraft", s.aircraft), ("steps", s.steps),
        ("wandered", s.unsupplied_moves),
    ):  # fmt: skip
        if values[group]:
            table[field] = values[group]
    if s.plot[group]:
        table["plot"] = plot.text(s.plot[group])
    strike = air_plots.strike_of(s, group)
    if strike is not None:
        table["strike"] = f"{rules.grid.names[strike[0]]} {'bomb' if strike[1] == air_plots.BOMB else 'ground'}"
    for flag in GROUP_FLAGS:
        if getattr(s, flag) >> group & 1:
            table[flag] = True
    return table
