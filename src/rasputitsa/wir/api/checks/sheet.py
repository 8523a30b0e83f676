"""The two sheets of figures and the scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from rasputitsa.core.data.built_in import check_built_in
from rasputitsa.core.data.files import CONFIDENCE, Problem, Toml
from rasputitsa.core.errors import SetupError
from rasputitsa.core.scenarios import check_evening
from rasputitsa.wir.api.checks.map import World
from rasputitsa.wir.model.data_folder import DATA, read_toml
from rasputitsa.wir.model.figures import EARLIER, added, combat_sheet
from rasputitsa.wir.model.tables import (
    BUILT_IN,
    COMBAT_BUILT_IN,
    ELITE_ENTRY,
    MOST_POINTS,
    POOLS,
    WEATHER_NAMES,
    UnitType,
    unit_types,
)
from rasputitsa.wir.model.theatre import SIDES, YEARS

PRINTED: dict[str, Any] = {
    "supply.relief": [50, 33, 25, 20, 17, 14, 12],
    "supply.most_penalty": 4,
    "rail.south_from_row": 22,
    "rail.moves": 3,
    "movement.mechanized": 4,
    "movement.infantry": 2,
    "movement.air": 1,
    "artillery.step": 30,
    "artillery.no_more_over": 210,
    "air.range": [4, 3],
    "entrench.chance": 50,
    "victory.city": 20,
    "victory.month": 50,
    "weather.march": [47, 10, 43],
    "production.axis_fails.1943": 30,
    "production.axis_fails.1944": 50,
}
"""What the manual prints, so that a slip of the pen in the sheet is found."""
NUMBER = (int, float)
FIRST_DAY, LAST_DAY = date(1941, 6, 22), date(1945, 5, 9)
MAX_WEEKS_OF_SCENARIO = (LAST_DAY - FIRST_DAY).days // 7 + 1


def check_sheet(folder: Path, problems: list[Problem]) -> tuple[Toml, Toml, dict[str, UnitType]]:
    """Read and check the sheets; they and the kinds of units come along."""
    sheet, combat = Toml(folder, "tables.toml", problems), Toml(folder, "combat.toml", problems)
    if combat.data:
        _check_like(combat, _asked_of(combat.data, combat_sheet(DATA)))
        check_built_in(combat, COMBAT_BUILT_IN)
    if not sheet.data:
        return sheet, combat, {kind.id: kind for kind in unit_types(DATA)[1:]}
    _check_like(sheet, _asked_of(sheet.data, read_toml(DATA, "tables.toml")))
    for name, table in sheet.data.items():
        if not isinstance(table, dict) or not table.get("source"):
            sheet.bad(name, "no source is given", "say where the values come from")
        elif table.get("confidence") not in CONFIDENCE:
            sheet.bad(f"{name}.confidence", "the value is not known", f"use one of: {', '.join(CONFIDENCE)}")
    check_built_in(sheet, BUILT_IN)
    try:
        types = {kind.id: kind for kind in unit_types(folder)[1:]}
    except (KeyError, TypeError, ValueError, SetupError) as problem:
        sheet.bad("types", f"the kinds of units cannot be read ({problem!r})", "give each kind all its fields")
        types = {kind.id: kind for kind in unit_types(DATA)[1:]}
    for n, kind in enumerate(types.values()):
        if kind.infantry < 1:
            sheet.bad(f"types.list.{n}", f"a point of {kind.id} takes no infantry point", "give infantry = 1 or more")
    _check_building(sheet, types)
    _check_entrenchment(sheet, combat)
    return sheet, combat, types


def _asked_of(own: Mapping[str, Any], model: Mapping[str, Any]) -> Mapping[str, Mapping[str, object]]:
    """The figures that a sheet has to hold: not those that sheets of earlier versions lack, unless it has them."""

    def asked(name: str, figure: str) -> bool:
        table = own.get(name)
        return figure not in EARLIER or (isinstance(table, dict) and figure in table)

    return {name: {key: value for key, value in table.items() if asked(name, key)} for name, table in model.items()}


def _check_entrenchment(sheet: Toml, combat: Toml) -> None:
    """There is a value for every level that a group can reach (6.8, 7.9)."""
    most = sheet.get("entrench.most", int)
    for name in ("bombardment", "defence"):
        values = combat.get(f"entrenchment.{name}", list) if combat.data else None
        if most is not None and values is not None and len(values) <= most:
            combat.bad(
                f"entrenchment.{name}", f"there are {len(values)} values, and groups reach level {most}",
                f"give {most + 1}, for level 0 to {most}, or lower entrench.most of tables.toml",
            )  # fmt: skip


def _check_building(sheet: Toml, types: Mapping[str, UnitType]) -> None:
    """Every kind of unit that can be built, or comes instead of another, is one of the list (4.9)."""
    for side in SIDES:
        for name in sheet.texts(f"build.{side}"):
            if name not in types and name != ELITE_ENTRY:
                sheet.bad(f"build.{side}", f"there is no kind of unit {name!r:.40}", "choose one of types.list")
    if not all(map(_is_elite, sheet.get("build.elite", list) or [])):
        sheet.bad("build.elite", "a line is not of a month and names", 'write ["1943-01", ["HOH", "FRU"]]')
    for n in range(len(sheet.get("build.substitutes", list) or [])):
        _check_substitute(sheet, f"build.substitutes.{n}", types)


def _check_substitute(sheet: Toml, at: str, types: Mapping[str, UnitType]) -> None:
    ordered = sheet.get(f"{at}.ordered", str)
    if ordered is not None and ordered not in types:
        sheet.bad(f"{at}.ordered", f"there is no kind of unit {ordered!r:.40}", "choose one of types.list")
    for year in ("from", "until"):
        sheet.get(f"{at}.{year}", int)
    chances = sheet.get(f"{at}.percent", list) or []
    if not all(map(_is_chance, chances)) or sum(percent for _, percent in chances) > 100:
        sheet.bad(f"{at}.percent", f"{chances!r:.80} are no chances", 'write [["KAV", 15]], at most 100 together')
    elif unknown := [name for name, _ in chances if name not in types]:
        sheet.bad(f"{at}.percent", f"there is no kind of unit {unknown[0]!r:.40}", "choose some of types.list")


def _is_elite(line: object) -> bool:
    match line:
        case [str(), list(names)]:
            return all(isinstance(name, str) and name for name in names)
    return False


def _is_chance(line: object) -> bool:
    match line:
        case [str(), int(percent)]:
            return percent >= 0
    return False


def _check_like(sheet: Toml, model: Mapping[str, Any], at: str = "") -> None:
    """Every figure of the shipped sheet is in a sheet, and of the same kind."""
    for name, value in model.items():
        key = f"{at}.{name}" if at else name
        kind = NUMBER if type(value) in NUMBER else type(value)
        found = sheet.get(key, kind)
        if isinstance(value, dict) and found is not None:
            _check_like(sheet, value, key)
        elif isinstance(value, list) and found:
            kinds = {type(part) for part in value}
            if not {type(part) for part in found} <= (kinds | set(NUMBER) if kinds & set(NUMBER) else kinds):
                sheet.bad(key, f"{found!r} holds values of the wrong type", f"give them as in {value!r}")


def check_printed(sheet: Toml) -> None:
    """The sheet has the figures that the manual prints."""
    for key, wanted in PRINTED.items():
        if sheet.get(key, object) != wanted:
            sheet.bad(key, "the manual prints another value", f"give {wanted}")


def check_names(sheet: Toml, combat: Toml, world: World) -> None:
    """Every city that the sheets name is on the map."""
    for key in ("axis_wins", "soviet_needs", "soviet_one_of"):
        for name in sheet.texts(f"victory.{key}"):
            if name not in world.cities:
                sheet.bad(f"victory.{key}", f"there is no city {name!r}", "write it as in cities.csv")
    named = {f"convoys.{part}": added(combat.data["convoys"], part) for part in ("landing", "junction", "south")}
    named["siberia.city"] = combat.data["siberia"]["city"]
    for key, name in named.items():
        if name not in world.cities:
            combat.bad(key, f"there is no city {name!r:.40}", "write it as in cities.csv")


def check_scenarios(folder: Path, sheet: Toml, problems: list[Problem]) -> None:
    """Read and check the scenarios."""
    files = sorted((folder / "scenarios").glob("*.toml"))
    if not files:
        problems.append(Problem("scenarios", 1, "", "there are no scenarios", "add one"))
    pools = {pool: sheet.get(f"production.pool.{pool}", int) or MOST_POINTS for pool in POOLS}
    for path in files:
        table = Toml(folder, f"scenarios/{path.name}", problems)
        if table.data:
            _check_scenario(table, pools)


def _check_income(table: Toml, most: int) -> None:
    for side, pools in table.data.get("income", {}).items():
        if side not in SIDES or not isinstance(pools, dict):
            table.bad(f"income.{side}", "it is no side with its pools", f"name {' or '.join(SIDES)}")
            continue
        for pool, points in pools.items():
            if pool not in POOLS:
                table.bad(f"income.{side}.{pool}", "there is no such pool", f"use some of: {', '.join(POOLS)}")
            elif isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= most:
                table.bad(f"income.{side}.{pool}", f"{points!r:.20} is out of range", f"give from 0 to {most}")


def _check_scenario(table: Toml, pools: Mapping[str, int]) -> None:
    for key in ("title", "summary", "source"):
        if table.get(key, str) == "":
            table.bad(key, "the text is empty", "write it")
    if table.get("confidence", str) not in CONFIDENCE:
        table.bad("confidence", "the value is not known", f"use one of: {', '.join(CONFIDENCE)}")
    if table.get("setup", int) not in YEARS:
        table.bad("setup", "there are no units of that year", f"give one of {', '.join(map(str, YEARS))}")
    start = table.get("start", date)
    if start is not None and not FIRST_DAY <= start <= LAST_DAY:
        table.bad("start", f"{start} is no day of the war in the east", f"give one from {FIRST_DAY} to {LAST_DAY}")
    if not 0 < (table.get("turns", int) or 0) <= MAX_WEEKS_OF_SCENARIO:
        table.bad("turns", "the game would go on after May 1945", f"give from 1 to {MAX_WEEKS_OF_SCENARIO} turns")
    table.get("short", bool)
    check_evening(table)
    _check_income(table, max(pools.values()))
    if table.get("weather", str) not in WEATHER_NAMES:
        table.bad("weather", "the weather is not known", f"use one of: {', '.join(WEATHER_NAMES)}")
    for side in SIDES:
        if (table.get(f"handicap.{side}", int) or 0) < 0:
            table.bad(f"handicap.{side}", "a handicap is not negative", "give it to the other side")
        for pool, most in pools.items():
            points = table.get(f"pools.{side}.{pool}", int)
            if points is not None and not 0 <= points <= most:
                table.bad(f"pools.{side}.{pool}", f"{points} is out of range", f"give from 0 to {most}")
