"""The charts and the scenarios: combat results, turn track, weather, terrain, production, victory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core.data.built_in import check_built_in, figure
from rasputitsa.core.data.files import Problem, Toml
from rasputitsa.core.scenarios import check_evening
from rasputitsa.portfolio.model.charts import FILE, WATERS, built_in
from rasputitsa.portfolio.model.ruleset import RESULTS

DIE = ("1", "2", "3", "4", "5", "6")
ROLL = "roll"
MOVEMENT = ("full", "half_down", "half_up")
SIDES = ("axis", "soviet", "neutral")
TERRAINS = ("clear", "swamp", "hills", "mountain")
FEATURES = (
    "river", "lake", "kronshtadt", "kerch", "stalin", "fortress", "major", "victory", "city", "town",
)  # fmt: skip
WITH_BONUS = ("stalin", "fortress", "major", "city", "town")
BONUS_CLASSES = ("infantry_type", "infantry_army", "infantry_corps", "soviet_army", "front")
ADVANCE = (
    "marked", "armor", "armored_cavalry", "cavalry", "mechanized", "motorized", "corps_de_fi", "shock", "other",
)  # fmt: skip
WHOLE_NUMBERS = {
    "movement": ("bonus_axis", "bonus_soviet", "river_surcharge", "fuel_short_factor"),
    "stacking": ("units", "above_corps", "front", "armor_in_rough"),
    "rail": ("axis", "soviet"),
    "sea": ("units_per_sea",),
    "supply": ("range", "air_supplied_stacks"),
    "breakdown": ("axis_base", "soviet_base"),
    "winter_offensive": ("turns", "column_shift"),
    "production": (
        "city_points", "siberia_infantry", "factory_points", "siberia_armor", "axis_armor", "axis_infantry",
        "fronts_per_turn", "shock_min_armor", "arrivals_per_hex",
    ),
    "production.lend_lease": ("points", "from_turn_played"),
    "siberia": ("safe_turn",),
    "victory": ("axis_cities", "axis_cities_redeployed"),
    "first_turn": ("surprise_shift", "amphibious_attacks", "soviet_frozen_beyond"),
    "feature.victory": ("intrinsic",),
}  # fmt: skip
HEX_LISTS = (
    "production.axis_entry", "production.double_cities", "victory.soviet_any_of", "sea.kerch.hexes",
)  # fmt: skip
SHIFTS = (
    "terrain.swamp.armor_column_shift", "feature.river.column_shift", "feature.kerch.controlled_column_shift",
)  # fmt: skip
"""Columns of the combat results table, up or down."""
RETIRED = {
    "production.major_cities": "the cities of kind `major` in places.csv",
    "feature.river.surcharge": "movement.river_surcharge",
    **{f"feature.{water}.barred_types": "`crosses_water` in types.toml" for water in WATERS},
}
"""Figures that sheets of earlier versions repeated, and what is read instead."""
WEATHER_FLAGS = ("freezes", "overrun_axis", "overrun_soviet", "air_supply", "axis_first")
SCENARIO_KEYS: dict[str, type] = {
    "id": str, "title": str, "summary": str, "source": str, "start_turn": int, "dispersed": list,
    "armor_reserve": int, "first_turn_replacements": bool, "axis_redeploy": bool, "axis_cities": int,
    "soviet_armies_in_cities": int, "axis_limits": dict, "axis_deployment": dict,
}  # fmt: skip


def check_charts(folder: Path, nations: Mapping[str, str], problems: list[Problem]) -> Toml:
    """Check ``charts.toml`` and return it."""
    charts = Toml(folder, FILE, problems)
    if not charts.data:
        return charts
    _check_crt(charts)
    _check_weather(charts)
    _check_turns(charts)
    _check_terrain(charts)
    for table, keys in WHOLE_NUMBERS.items():
        for key in keys:
            value = charts.get(f"{table}.{key}", int)
            if value is not None and value < 0:
                charts.bad(f"{table}.{key}", f"{value} is negative", "give 0 or more")
    for key in SHIFTS:
        charts.get(key, int)
    for key, instead in RETIRED.items():
        if figure(charts.data, key) is not None:
            _say_retired(charts, key, instead)
    charts.get("breakdown.initial_phase", bool)
    _check_countries(charts, nations)
    _check_seas(charts)
    for key in HEX_LISTS:
        charts.texts(key)
    charts.texts("first_turn.axis_allies_wait")
    charts.get("production.lend_lease.hex", str)
    penalties = charts.get("reserve.penalties", list) or []
    if not all(type(step) is int for step in penalties) or penalties != sorted(penalties):
        charts.bad("reserve.penalties", "the penalties do not rise", "each reserve phase costs more than the last")
    offensive = charts.get("winter_offensive.weather", str)
    if offensive is not None and offensive not in charts.table("weather", dict):
        charts.bad("winter_offensive.weather", f"there is no weather {offensive!r}", "name one of this sheet")
    _check_siberia(charts)
    check_built_in(charts, built_in())
    return charts


def _say_retired(charts: Toml, key: str, instead: str) -> None:
    charts.bad(key, f"nothing reads this: {instead} says it", "take the line out")


def _check_countries(charts: Toml, nations: Mapping[str, str]) -> None:
    countries = charts.table("countries", str)
    for country, side in countries.items():
        if side not in SIDES:
            charts.bad(f"countries.{country}", f"{side!r} is no side", f"use one of: {', '.join(SIDES)}")
    suppliers = charts.table("supply_country", str)
    for nation in nations:
        if nation not in suppliers:
            charts.bad("supply_country", f"{nation} is missing", "say whose map edge supplies its units")
    for nation, country in suppliers.items():
        if country not in countries:
            charts.bad(f"supply_country.{nation}", f"there is no country {country!r}", "use codes such as DE")
    for country in charts.texts("supply.linked_edges"):
        if country not in countries:
            charts.bad("supply.linked_edges", f"there is no country {country!r}", "use codes such as DE")
    for nation in charts.table("forbidden.countries", list):
        charts.texts(f"forbidden.countries.{nation}")
    for i in range(len(charts.get("forbidden.sharing", list) or [])):
        charts.texts(f"forbidden.sharing.{i}")


def _check_seas(charts: Toml) -> None:
    control = charts.table("sea.control", list)
    for sea in control:
        charts.texts(f"sea.control.{sea}")
    for group in charts.table("sea.waters", list):
        for sea in charts.texts(f"sea.waters.{group}"):
            if sea not in control:
                charts.bad(f"sea.waters.{group}", f"there is no sea {sea!r}", f"use some of: {', '.join(control)}")
    charts.texts("sea.closed_waters")
    for key in ("submarine_friendly", "submarine_enemy"):
        dice = charts.get(f"sea.{key}", list) or []
        if not all(type(die) is int and 1 <= die <= 6 for die in dice):
            charts.bad(f"sea.{key}", f"{dice!r} are no rolls of a die", "give numbers from 1 to 6")


def _check_crt(charts: Toml) -> None:
    columns = charts.texts("crt.columns")
    odds = [_odds(column) for column in columns]
    if None in odds:
        charts.bad("crt.columns", "a column is not an odds ratio", "write each like 3:2")
    elif columns and not columns[0].startswith("1:"):
        charts.bad("crt.columns", "the first column is not one to something", "begin with 1:4, or another 1:n")
    elif odds != sorted(set(odds), key=lambda value: value or 0):
        charts.bad("crt.columns", "the odds do not rise from column to column", "order them from 1:4 to 10:1")
    rows = charts.get("crt.rows", dict) or {}
    for die in sorted({*rows, *DIE}):
        key = f"crt.rows.{die}"
        if die not in DIE:
            charts.bad(key, f"{die} is no roll of the die", "rows are 1 to 6")
        elif die not in rows:
            charts.bad(key, f"the row for a roll of {die} is missing", "give rows 1 to 6")
        else:
            _check_crt_row(charts, key, columns)


def _check_crt_row(charts: Toml, key: str, columns: list[str]) -> None:
    results = charts.texts(key)
    if len(results) != len(columns):
        charts.bad(key, f"the row has {len(results)} results", f"give {len(columns)}, one for each column")
        return
    for column, result in zip(columns, results, strict=True):
        if result not in RESULTS:
            charts.bad(key, f"{result!r} at {column} is no result", f"use one of: {', '.join(RESULTS)}")


def _odds(text: Any) -> float | None:
    attack, _, defence = str(text).partition(":")
    if attack.isdigit() and defence.isdigit() and int(defence):
        return int(attack) / int(defence)
    return None


def _check_weather(charts: Toml) -> None:
    seas = charts.get("sea.control", dict) or {}
    tables = charts.table("advance", dict)
    for table in tables:
        for key in ADVANCE:
            charts.get(f"advance.{table}.{key}", int)
    for name in charts.table("weather", dict):
        at = f"weather.{name}"
        for key in ("axis_movement", "soviet_movement"):
            value = charts.get(f"{at}.{key}", str)
            if value is not None and value not in MOVEMENT:
                charts.bad(f"{at}.{key}", f"{value!r} is not known", f"use one of: {', '.join(MOVEMENT)}")
        charts.get(f"{at}.title", str)
        for key in WEATHER_FLAGS:
            charts.get(f"{at}.{key}", bool)
        for sea in charts.texts(f"{at}.closed_seas"):
            if sea not in seas:
                charts.bad(f"{at}.closed_seas", f"there is no sea {sea!r}", f"use some of: {', '.join(seas)}")
        advance = charts.get(f"{at}.advance", str)
        if advance is not None and advance not in tables:
            charts.bad(f"{at}.advance", f"there is no table [advance.{advance}]", "name one of the advance tables")
        charts.texts(f"{at}.decline_exchange")


def _check_turns(charts: Toml) -> None:
    turns = charts.get("turns", list) or []
    kinds = {*charts.table("weather", dict), ROLL}
    for i in range(len(turns)):
        at = f"turns.{i}"
        if charts.get(at, dict) is None:
            return
        number = charts.get(f"{at}.number", int)
        if number is not None and number != i:
            charts.bad(f"{at}.number", f"turn {number} stands in place {i}", "number the turns 0, 1, 2 ...")
        charts.get(f"{at}.date", str)
        if "month" in turns[i]:
            _say_retired(charts, f"{at}.month", "the date of the box")
        weather = charts.get(f"{at}.weather", str)
        options = charts.table(f"{at}.option", dict) if "option" in turns[i] else {}
        choices = [value for option in options.values() for value in option.values()]
        for value in filter(None, [weather, *choices]):
            if value not in kinds:
                known = ", ".join(sorted(kinds))
                charts.bad(f"{at}.weather", f"there is no weather {value!r}", f"use one of: {known}")
    if turns and not turns[-1].get("last"):
        charts.bad(f"turns.{len(turns) - 1}", "the last turn is not marked", "add last = true")


def _check_terrain(charts: Toml) -> None:
    for name in TERRAINS:
        charts.get(f"terrain.{name}.title", str)
        charts.get(f"terrain.{name}.overrun", bool)
        charts.get(f"terrain.{name}.rough", bool)
        _check_bonus(charts, f"terrain.{name}")
    for name in ("swamp", "mountain"):
        charts.get(f"terrain.{name}.freezes", bool)
    for name in ("river", *WATERS):
        charts.get(f"feature.{name}.freezes", bool)
    for name in ("fortress", "major"):
        charts.get(f"feature.{name}.overrun", bool)
    for name in FEATURES:
        table = charts.get(f"feature.{name}", dict)
        if name in WITH_BONUS or (table and "bonus" in table):
            _check_bonus(charts, f"feature.{name}")


def _check_bonus(charts: Toml, at: str) -> None:
    for i in range(len(charts.get(f"{at}.bonus", list) or [])):
        bonus = charts.get(f"{at}.bonus.{i}", dict) or {}
        for who in charts.texts(f"{at}.bonus.{i}.who"):
            if who not in BONUS_CLASSES:
                charts.bad(f"{at}.bonus", f"{who!r} is no class of units", f"use some of: {', '.join(BONUS_CLASSES)}")
        if not all(isinstance(bonus.get(key), int) for key in ("number", "factors")):
            charts.bad(f"{at}.bonus", "number or factors is missing", "give both as whole numbers")


def _check_siberia(charts: Toml) -> None:
    instalments = charts.get("siberia.instalments", list) or []
    if len(instalments) != 3:
        charts.bad("siberia.instalments", f"there are {len(instalments)} instalments", "the reserve enters in 3")
    for i in range(len(instalments)):
        for key in ("armor", "infantry", "cavalry_corps"):
            charts.get(f"siberia.instalments.{i}.{key}", int)


def check_scenarios(folder: Path, charts: Toml, nations: Mapping[str, str], problems: list[Problem]) -> None:
    """Check every scenario file, with what it inherits."""
    files = sorted((folder / "scenarios").glob("*.toml"))
    if not files:
        problems.append(Problem("scenarios", 1, "", "there is no scenario", "add scenarios/june22.toml"))
    loaded = {path.stem: Toml(folder, f"scenarios/{path.name}", problems) for path in files}
    for name, scenario in loaded.items():
        if scenario.data:
            _check_scenario(name, scenario, loaded, charts, nations)


def _check_scenario(
    name: str, scenario: Toml, loaded: dict[str, Toml], charts: Toml, nations: Mapping[str, str]
) -> None:
    before = len(scenario.problems)
    base = scenario.get("base", str) if "base" in scenario.data else None
    if base is not None and (base not in loaded or base == name or "base" in loaded[base].data):
        scenario.bad("base", f"{base!r} is no scenario to build on", "name a scenario that has no base itself")
    inherited = loaded[base].data if base in loaded else {}
    for key, kind in SCENARIO_KEYS.items():
        if key in scenario.data or key not in inherited:
            scenario.get(key, kind)
    if len(scenario.problems) > before:
        return
    if scenario.data.get("id") != name:
        scenario.bad("id", f"the id is {scenario.data.get('id')!r}", f"it must be {name!r}, as the file is called")
    numbers = [turn["number"] for turn in charts.data.get("turns", [])]
    if "start_turn" in scenario.data and scenario.data["start_turn"] not in numbers:
        hint = f"use one of {numbers}"
        scenario.bad("start_turn", f"turn {scenario.data['start_turn']} is not on the track", hint)
    rolled = [turn["number"] for turn in charts.data.get("turns", []) if turn["weather"] == ROLL]
    if {**inherited, **scenario.data}["start_turn"] in rolled:
        _check_first_weather(scenario, charts)
    for mark in scenario.data.get("dispersed", []):
        if mark not in ("D", "d"):
            scenario.bad("dispersed", f"{mark!r} is no mark on a counter", "use D, d or both")
    check_evening(scenario)
    countries = charts.data.get("countries", {})
    for country in scenario.table("axis_limits", int) if "axis_limits" in scenario.data else {}:
        if country not in countries:
            scenario.bad(f"axis_limits.{country}", f"there is no country {country!r}", "use codes such as FI")
    if "axis_deployment" in scenario.data:
        _check_deployment(scenario, countries, nations)


def _check_first_weather(scenario: Toml, charts: Toml) -> None:
    """The weather of a turn that the track leaves to the die."""
    for key in ("even", "odd"):
        name = scenario.get(f"first_turn_weather.{key}", str)
        if name is not None and name not in charts.data.get("weather", {}):
            scenario.bad(f"first_turn_weather.{key}", f"there is no weather {name!r}", "name one of charts.toml")


def _check_deployment(scenario: Toml, countries: dict[str, Any], nations: Mapping[str, str]) -> None:
    given = scenario.table("axis_deployment", list)
    for nation in [nation for nation, side in nations.items() if side == "axis"]:
        if nation not in given:
            scenario.bad("axis_deployment", f"{nation} is missing", "name the countries where its units may start")
        for country in scenario.texts(f"axis_deployment.{nation}") if nation in given else []:
            if country not in countries:
                scenario.bad(f"axis_deployment.{nation}", f"there is no country {country!r}", "use codes such as DE")
