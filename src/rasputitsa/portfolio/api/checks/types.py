"""The types of counters, and the nations."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.files import CONFIDENCE, Problem, Toml
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.model.unit_types import FILE, UnitTypes, unit_types

NAMED = ("armor", "armored_cavalry", "cavalry", "mechanized", "motorized", "shock", "front")
"""Types that a rule or chart calls by name."""
SIZES = ("corps", "army", "front")
POINTS = ("armor", "infantry", "shock")
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
    for name in types:
        _check_type(sheet, f"types.{name}")
    return unit_types(folder) if len(problems) == before else None


def _check_type(sheet: Toml, key: str) -> None:
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
