"""The armies and army groups that groups belonged to: a file of its own, which may be missing."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.files import CONFIDENCE, Problem, Toml
from rasputitsa.wir.api.order_of_battle import FILE, LEVELS
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.tables import GROUPS, group_side
from rasputitsa.wir.model.theatre import SIDES, YEARS

OTHER_FIELDS = ("source", "confidence")


def check_commands(folder: Path, problems: list[Problem]) -> None:
    """Check that every group is named once on each level, under its own side, and where that is known from."""
    if not (folder / FILE).exists():
        return
    file = Toml(folder, FILE, problems)
    if not file.data:
        return
    if not file.get("source", str):
        file.bad("source", "no source is given", "say where the commands come from")
    if file.get("confidence", str) not in CONFIDENCE:
        file.bad("confidence", "nothing says how sure it is", f"use one of: {', '.join(CONFIDENCE)}")
    for year in file.data.keys() - OTHER_FIELDS:
        if year not in map(str, YEARS):
            file.bad(year, f"there is no order of battle of {year}", f"use the years {', '.join(map(str, YEARS))}")
            continue
        for side in file.table(year, dict):
            if side not in SIDES:
                file.bad(f"{year}.{side}", f"{side!r} is no side", f"use {' or '.join(SIDES)}")
                continue
            for level in file.table(f"{year}.{side}", dict):
                _check_level(file, f"{year}.{side}.{level}", SIDES.index(side))


def _check_level(file: Toml, at: str, side: Side) -> None:
    if not at.endswith(LEVELS):
        file.bad(at, f"{at.rpartition('.')[2]!r} is no level of command", f"use {' or '.join(LEVELS)}")
        return
    named: dict[Group, str] = {}
    for name, groups in file.table(at, list).items():
        for group in groups:
            if type(group) is not int or not 0 < group < GROUPS or group_side(group) != side:
                file.bad(at, f"{name}: {group!r} is no group of the {SIDES[side]} side", "name groups by number")
            elif group in named:
                file.bad(at, f"{name}: group {group} is in {named[group]} already", "name each group once")
            else:
                named[group] = name
