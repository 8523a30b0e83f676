"""The figures of the rules, from ``tables.toml`` and ``combat.toml``, in the form in which the engine looks them up.

One tuple a subject. What the engine is built around (numbers of groups and units) stands in ``tables``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from rasputitsa.core.data.built_in import require_built_in
from rasputitsa.core.errors import SetupError
from rasputitsa.wir.model.data_folder import data_file, read_toml
from rasputitsa.wir.model.tables import AIR, COMBAT_BUILT_IN, DEPOT, KIND_NAMES, POOLS, WEATHER_NAMES
from rasputitsa.wir.model.theatre import AXIS, CITY_VALUES, SIDES, SOVIET, TERRAIN_NAMES

Table = Mapping[str, Any]
EARLIER: Final[Table] = {
    "half_terrain": ("clear", "city", "fortified city", "rail"), "half_weather": ("clear", "cold"),
    "first_winter_months": ("1941-12", "1942-02"), "very_cold_axis_year": 1941,
    "landing": "Murmansk", "junction": "Archangel", "south": "Baku", "on_aircraft": 50, "fast_learning": (1, 2),
}  # fmt: skip
"""Figures that the sheets of earlier versions of the data do not hold: they were in the rules."""
LEVELS = (1, 2, 3, 4)
"""The levels of play; tables by level have a place 0 that is not used."""


def by_weather(table: Table) -> tuple[float, ...]:
    """A table of all kinds of weather, in their order."""
    return tuple(float(table[name]) for name in WEATHER_NAMES)


def by_terrain(table: Table, otherwise: int = 1) -> tuple[int, ...]:
    """A table of kinds of terrain, in their order, with a value for those not named."""
    return tuple(int(table.get(name, otherwise)) for name in TERRAIN_NAMES)


def by_level(table: Table, otherwise: Any = 0) -> tuple[Any, ...]:
    """A table of levels of play, with a value for those not named."""
    return (otherwise, *(table.get(str(level), otherwise) for level in LEVELS))


def added(table: Table, name: str) -> Any:
    """A figure that earlier versions of the data do not hold."""
    return table.get(name, EARLIER[name])


def half_up(value: float) -> int:
    """Rounded to the nearest whole number, halves upward."""
    return int(value + 0.5)


class Limits(NamedTuple):
    """4.1, 4.2, 6.7, 8.5 How much there is room for."""

    stack: int
    """Groups in a hex."""
    units: int
    """Units in a group."""
    aircraft: int
    """Aircraft points in an air group."""
    factories: int
    """Factories of a kind in a city."""
    pools: tuple[int, ...]
    """Points in each pool of a side."""


class March(NamedTuple):
    """6.2, 6.3, 8.1, 10.0 Movement and the fatigue it costs."""

    allowance: tuple[int, ...]
    """Hexes by kind of group."""
    unsupplied: int
    rain: int
    stopped: int
    """A group with a unit above this fatigue does not move."""
    most: int
    """No unit has more fatigue than this; what it would gain beyond costs strength."""
    step: tuple[tuple[int, int], tuple[int, int]]
    """Points for open and for rough ground: strategic, tactical."""
    river: tuple[int, int]
    """Points for a river: strategic, tactical."""
    weather: tuple[int, ...]
    """How many times the points are counted."""
    first_winter: int
    """The same for the Axis in the very cold weather of the first winter."""
    half_terrain: tuple[int, ...]
    half_weather: tuple[int, ...]
    """Where, and when, tactical moves cost mechanized groups half."""
    overstrain: int
    """Percent of its strength that a unit loses which is to tire beyond the most."""
    rail_moves: int
    unsupplied_turns: tuple[int, ...]
    """By level: turns in a row that Axis groups move out of supply; 0 for no limit."""


class Relief(NamedTuple):
    """5.2, 5.3 Depots."""

    relief: tuple[int, ...]
    """Percent of fatigue removed, by penalty hexes."""
    radius: int
    """Hexes over which a depot supplies."""
    most_penalty: int
    bad_weather: int
    vehicles_per_bonus: int
    south_from_row: int


class Attack(NamedTuple):
    """7.6, 8.3, 8.4, 10.0 What divides or multiplies an attacker's strength."""

    into: tuple[int, ...]
    out_of: tuple[int, ...]
    river: int
    mechanized: float
    mechanized_terrain: tuple[int, ...]
    mechanized_soviet_from: str
    mechanized_axis_very_cold_from: str
    rain: float
    very_cold_until: str
    very_cold_axis: float
    cold_attack: tuple[float, ...]
    """By level: the factor of Soviet attacks in very cold weather before 1943."""


class Guns(NamedTuple):
    """6.5, 7.5, 8.10 Artillery and what bombardments do."""

    step: int
    enough: int
    """A group with more artillery points than this adds none."""
    aircraft_points: float
    intrinsic: float
    per_effect: float
    per_aircraft: float
    consumed: float


class Recruiting(NamedTuple):
    """4.9, 6.4 Building and replacing."""

    step: int
    """Strength points are built and replaced in such steps."""
    least: int
    """Strength points of a new unit, in whole steps."""
    menus: tuple[tuple[str, ...], tuple[str, ...]]
    """The build menus of the sides, in the manual's order; their numbers count from 1."""


class Entrenchment(NamedTuple):
    """6.8, 7.7, 7.9 Entrenchments."""

    most: int
    unsupplied_most: int
    chance: tuple[int, ...]
    """Percent by level: the Axis."""
    soviet_chance: tuple[int, ...]
    shelter: tuple[int, ...]
    """By level of entrenchment: percent of a bombardment or air attack that takes effect."""
    defence: tuple[float, ...]
    """By level of entrenchment: the multiple of the defender's strength."""
    destroyed: float
    destroyed_least: float
    destroyed_all_above: float


class Losses(NamedTuple):
    """7.10, 8.1, 8.2 What an assault costs, and what is learned in it."""

    attacker: float
    defender: float
    attacker_most: float
    defender_most: float
    per_entrenchment: float
    negligible_strength: float
    negligible: float
    spread: tuple[int, int]
    fatigue: tuple[int, int]
    bad_weather: int
    """How many times the fatigue of attackers is counted unless the weather is fine."""
    lessons: tuple[bytes, bytes]
    """By experience: what it is after one combat; for most units, and for the Soviets at the levels below."""
    fast_levels: tuple[int, ...]


class Flight(NamedTuple):
    """7.7, 7.8 Retreat and advance."""

    per_odds: float
    least: int
    most: int
    base: float
    steadiness: float
    weather: tuple[float, ...]
    first_winter: float
    advance: tuple[int, ...]
    """Percent by kind of group."""


class Raids(NamedTuple):
    """4.5, 6.9, 7.1, 7.7 Air groups."""

    moves: int
    """Aircraft points transferred in a turn."""
    range: tuple[int, int]
    escort: int
    intercept: int
    """Hexes around a target from which interceptors come."""
    busy: float
    axis: float
    soviet_bombers: float
    raid_loss: Table
    interceptor_loss: Table
    spread: tuple[int, int]
    flak: tuple[int, int]
    overcast: tuple[float, ...]
    weather: tuple[float, ...]
    """What bad weather leaves of the effect of an air attack."""
    block: int
    factory_chance: float
    saved: int
    back: tuple[int, int]


class Recovery(NamedTuple):
    """8.1, 8.2 The end of a turn."""

    green: int
    rested: bytes
    """By fatigue: what is left of it."""
    taught: bytes
    """By experience: what it is for units that learn."""
    experience: tuple[tuple[int, int], ...]
    """By level: the percent chance that a green Soviet unit of foot or horse, or of tanks, learns by itself."""


class FirstWinter(NamedTuple):
    """5.2, 8.1, 8.4 The first winter of the war."""

    months: tuple[str, str]
    """The first and the last in which very cold weather is the rule."""
    axis_year: int
    """The very cold weather of this year strikes the Axis harder."""


class Figures(NamedTuple):
    """All of them."""

    limits: Limits
    march: March
    relief: Relief
    attack: Attack
    guns: Guns
    recruiting: Recruiting
    entrenchment: Entrenchment
    losses: Losses
    flight: Flight
    raids: Raids
    recovery: Recovery
    first_winter: FirstWinter
    yields: tuple[tuple[int, int, int], ...]
    """8.5: what each population point, factory or supply centre adds to a pool in a turn, in hundredths."""


def figures(sheet: Table, combat: Table) -> Figures:
    """The figures of the two sheets; raises ``SetupError`` for one that is missing or of the wrong kind."""
    try:
        return Figures(
            _limits(sheet), _march(sheet), _relief(sheet), _attack(sheet, combat), _guns(sheet, combat),
            _recruiting(sheet), _entrenchment(sheet, combat), _losses(sheet, combat), _flight(combat),
            _raids(sheet, combat), _recovery(sheet, combat), _first_winter(sheet), _yields(sheet),
        )  # fmt: skip
    except KeyError as problem:
        raise SetupError(f"tables.toml or combat.toml: {problem} is missing") from problem
    except (TypeError, ValueError) as problem:
        raise SetupError(f"tables.toml or combat.toml: {problem}") from problem


def _limits(sheet: Table) -> Limits:
    crowd, production = sheet["groups"], sheet["production"]
    return Limits(
        crowd["stack"], crowd["units_per_group"], crowd["aircraft_per_group"], production["factories_per_city"],
        tuple(production["pool"][pool] for pool in POOLS),
    )  # fmt: skip


def _march(sheet: Table) -> March:
    moves, tactical = sheet["movement"], sheet["movement"]["tactical"]
    plain, weather = moves["fatigue"], by_weather(moves["weather"])
    return March(
        (0, *(int(moves[KIND_NAMES[kind]]) for kind in range(1, AIR + 1)), *(0 for _ in range(AIR, DEPOT))),
        moves["unsupplied"], moves["rain"], moves["fatigue_limit"], moves["most_fatigue"],
        ((plain["open"], plain["rough"]), (tactical["open"], tactical["rough"])),
        (moves["river_strategic"], moves["river_tactical"]), tuple(map(int, weather)), moves["very_cold_axis_1941"],
        tuple(TERRAIN_NAMES.index(name) for name in added(moves, "half_terrain")),
        tuple(WEATHER_NAMES.index(name) for name in added(moves, "half_weather")),
        moves["overstrain_loss"], sheet["rail"]["moves"], by_level(sheet["levels"]["unsupplied_moves"]),
    )  # fmt: skip


def _relief(sheet: Table) -> Relief:
    supply = sheet["supply"]
    return Relief(
        tuple(supply["relief"]), supply["radius"], supply["most_penalty"], supply["bad_weather"],
        supply["vehicles_per_bonus"], sheet["rail"]["south_from_row"],
    )  # fmt: skip


def _attack(sheet: Table, combat: Table) -> Attack:
    table = combat["attack"]
    return Attack(
        by_terrain(table["into"]), by_terrain(table["out_of"]), table["river"], table["mechanized"],
        tuple(TERRAIN_NAMES.index(name) for name in table["mechanized_terrain"]), table["mechanized_soviet_from"],
        table["mechanized_axis_very_cold_from"], table["rain"], table["very_cold_until"], table["very_cold_axis"],
        tuple(map(float, by_level(sheet["levels"]["cold_attack"]))),
    )  # fmt: skip


def _guns(sheet: Table, combat: Table) -> Guns:
    own, table = sheet["artillery"], combat["bombardment"]
    return Guns(
        own["step"], own["no_more_over"], table["aircraft_points"], table["intrinsic"], table["per_effect"],
        table["per_aircraft"], table["consumed"],
    )  # fmt: skip


def _recruiting(sheet: Table) -> Recruiting:
    table = sheet["build"]
    step = int(table["step"])
    least = -(-int(table["least"]) // step) * step
    return Recruiting(step, least, (tuple(table[SIDES[AXIS]]), tuple(table[SIDES[SOVIET]])))


def _entrenchment(sheet: Table, combat: Table) -> Entrenchment:
    own, table = sheet["entrench"], combat["entrenchment"]
    return Entrenchment(
        own["most"], own["unsupplied_most"], (own["chance"],) * (len(LEVELS) + 1), by_level(own["soviet_chance"]),
        tuple(table["bombardment"]), tuple(table["defence"]), table["destroyed"], float(table["destroyed_least"]),
        table["destroyed_all_above"],
    )  # fmt: skip


def _losses(sheet: Table, combat: Table) -> Losses:
    table, fight = combat["casualties"], combat["combat"]

    def learned(n: int, extra: int) -> int:
        gain = next((points for below, points in fight["experience"] if n < below), 0)
        return max(n, min(int(fight["experience_most"]), n + gain + extra))

    lessons = [bytes(learned(n, extra) for n in range(256)) for extra in (0, fight["low_level_soviet_bonus"])]
    return Losses(
        table["attacker"], table["defender"], float(table["attacker_most"]), float(table["defender_most"]),
        table["per_entrenchment"], table["negligible_strength"], table["negligible"], _pair(table["spread"]),
        _pair(fight["fatigue"]), fight["attacker_fatigue_bad_weather"], (lessons[0], lessons[1]),
        tuple(map(int, added(sheet["levels"], "fast_learning"))),
    )  # fmt: skip


def _flight(combat: Table) -> Flight:
    table, advance = combat["retreat"], combat["advance"]
    return Flight(
        table["percent_per_odds"], *_pair(table["fatigue"]), table["fatigue_base"], table["fatigue_per_experience"],
        by_weather(table["fatigue_weather"]), table["fatigue_very_cold_axis_1941"],
        (0, advance["mechanized"], advance["infantry"], 0, 0),
    )  # fmt: skip


def _raids(sheet: Table, combat: Table) -> Raids:
    table, gone = combat["air"], combat["destroyed_air_group"]
    return Raids(
        sheet["groups"]["aircraft_moved_per_turn"], _pair(sheet["air"]["range"]), table["escort_range"],
        table["intercept_range"], table["busy"], table["axis"], table["soviet_bombers"],
        table["raid_loss"], table["interceptor_loss"],
        _pair(table["spread"]), _pair(table["flak"]), by_weather(table["overcast"]),
        tuple(1 - reduction / 100 for reduction in by_weather(table["reduction"])), table["factory_points"],
        table["factory_chance"], gone["saved"], _pair(gone["turns"]),
    )  # fmt: skip


def _recovery(sheet: Table, combat: Table) -> Recovery:
    table = combat["recovery"]
    green, lesson = table["experience_below"], table["experience"]
    return Recovery(
        green, bytes(max(0, n - table["fatigue"]) for n in range(256)),
        bytes(n + lesson if 0 < n < green else n for n in range(256)),
        tuple(_pair(pair) for pair in by_level(sheet["levels"]["experience"], (0, 0))),
    )  # fmt: skip


def _first_winter(sheet: Table) -> FirstWinter:
    first, last = added(sheet["weather"], "first_winter_months")
    return FirstWinter((str(first), str(last)), int(added(sheet["weather"], "very_cold_axis_year")))


YIELD_POOLS = {
    "population": "infantry", "vehicle": "vehicle", "artillery": "artillery", "aircraft": "aircraft",
    "supply": "supply", "industry": "construction",
}  # fmt: skip
"""Which pool each value of a city feeds."""


def _yields(sheet: Table) -> tuple[tuple[int, int, int], ...]:
    table = sheet["production"]["yield"]
    return tuple(
        (CITY_VALUES.index(value), POOLS.index(pool), int(table[value])) for value, pool in YIELD_POOLS.items()
    )


def _pair(values: Any) -> tuple[int, int]:
    low, high = values
    return low, high


def combat_sheet(folder: Path) -> dict[str, Any]:
    """The sheet of execution of a data folder; raises ``SetupError`` if a figure is out of its bounds."""
    own = read_toml(folder, "combat.toml")
    require_built_in(data_file(folder, "combat.toml"), "combat.toml", own, COMBAT_BUILT_IN)
    return own
