"""The types of counters, and the nations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rasputitsa.core.data.files import CONFIDENCE, Problem, Toml
from rasputitsa.core.symbols import SYMBOLS
from rasputitsa.portfolio.api.checks.charts import ADVANCE
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.model.unit_types import FILE, UnitTypes, known_types, unit_types

NAMED = ("armor", "armored_cavalry", "cavalry", "mechanized", "motorized", "shock", "front")
"""Types that a chart or the order of battle calls by name."""
SIZES = ("corps", "army", "front")
LONGEST_TITLE = 40
POINTS = ("armor", "infantry", "shock")
MAY_BE_LEFT_OUT = ("pure_armor", "cavalry")
FLAGS = ("armor_type", "infantry_type", "fuelled", "crosses_water", "smallest_factor")


def check_types(folder: Path, problems: list[Problem]) -> UnitTypes | None:
    """Check ``types.toml`` and return what it says; None when it cannot be used."""
    before = len(problems)
    sheet = Toml(folder, FILE, problems)
    if not sheet.data:
        return None
    nations = sheet.table("nations", str)
    for nation, side in nations.items():
        if side not in SIDES:
            sheet.bad(f"nations.{nation}", f"{side!r} is no side", f"use one of: {', '.join(SIDES)}")
    if "DE" not in nations or "SU" not in nations:
        sheet.bad("nations", "DE or SU is missing", "Germany and the Soviet Union fight this war")
    types = sheet.table("types", dict)
    for name in NAMED:
        if name not in types:
            sheet.bad("types", f"{name} is missing", "the rules call it by this name")
    known = known_types()
    for name in types:
        _check_type(sheet, f"types.{name}", types[name])
        _check_looks(sheet, f"types.{name}", types[name], new=name not in known)
    return unit_types(folder) if len(problems) == before else None


def _check_type(sheet: Toml, key: str, given: Mapping[str, object]) -> None:
    sheet.get(f"{key}.source", str)
    for field, allowed in (("confidence", CONFIDENCE), ("points", POINTS)):
        value = sheet.get(f"{key}.{field}", str)
        if value is not None and value not in allowed:
            sheet.bad(f"{key}.{field}", f"{value!r} is not allowed here", f"use one of: {', '.join(allowed)}")
    for size in sheet.texts(f"{key}.sizes"):
        if size not in SIZES:
            sheet.bad(f"{key}.sizes", f"{size!r} is no size", f"use some of: {', '.join(SIZES)}")
    for flag in FLAGS:
        sheet.get(f"{key}.{flag}", bool)
    for flag in MAY_BE_LEFT_OUT:
        if flag in given:
            sheet.get(f"{key}.{flag}", bool)
    if "advance" in given and sheet.get(f"{key}.advance", str) not in ADVANCE:
        sheet.bad(f"{key}.advance", "the advance chart has no such line", f"use one of: {', '.join(ADVANCE)}")


def _check_looks(sheet: Toml, key: str, given: Mapping[str, object], *, new: bool) -> None:
    """Title and symbol; a sheet that is older than these two may leave them out for the types that it knew."""
    if new or "title" in given:
        title = sheet.get(f"{key}.title", str)
        if title is not None and not 0 < len(title.strip()) <= LONGEST_TITLE:
            sheet.bad(f"{key}.title", "this is no title", f"give a word or two, {LONGEST_TITLE} letters at most")
    if new or "symbol" in given:
        symbol = sheet.get(f"{key}.symbol", str)
        if symbol is not None and symbol not in SYMBOLS:
            sheet.bad(f"{key}.symbol", f"there is no symbol {symbol!r:.40}", f"use one of: {', '.join(SYMBOLS)}")
