"""The historical fronts, the commanders and the chronicle: files of their own, which may be missing, next to map and
counters."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rasputitsa.core.data.chronicle import CONFIDENCES, check_chronicle
from rasputitsa.core.data.files import CONFIDENCE, Problem, Table, Toml
from rasputitsa.portfolio.api.checks.map import World
from rasputitsa.portfolio.api.commanders import FILE as COMMANDERS

COLUMNS = "unit,first,last,commander,source,confidence,note"


def check_history(folder: Path, world: World, charts: Toml, units: Collection[str], problems: list[Problem]) -> None:
    """Check the account of the war: dates on the track, and hexes of land, one for a row."""
    turns = [turn.get("number") for turn in charts.data.get("turns", [])]
    check_chronicle(folder, "turn", turns, problems)
    check_commanders(folder, max(turns, default=0), units, problems)
    if not (folder / "history" / "fronts.toml").exists():
        return
    history = Toml(folder, "history/fronts.toml", problems)
    if not history.data:
        return
    if not history.get("source", str):
        history.bad("source", "no source is given", "say where the lines come from")
    if history.get("confidence", str) not in CONFIDENCE:
        history.bad("confidence", "nothing says how sure it is", f"use one of: {', '.join(CONFIDENCE)}")
    last = -1
    for i in range(len(history.get("fronts", list) or [])):
        turn = history.get(f"fronts.{i}.turn", int)
        if turn is not None and (turn not in turns or turn <= last):
            history.bad(f"fronts.{i}.turn", f"turn {turn} is out of place", f"use the turns {turns}, in their order")
        last = max(last, turn or 0)
        for key in ("date", "note"):
            history.get(f"fronts.{i}.{key}", str)
        _check_line(history, world, i)
        _check_points(history, i)


def _check_line(history: Toml, world: World, i: int) -> None:
    at, rows = f"fronts.{i}.line", dict[int, str]()
    for name in history.texts(at):
        index = world.grid.find(name)
        if index is None:
            history.bad(at, f"there is no hex {name!r} on the map", "hexes are A1 to NN28")
            continue
        if name in world.hexes and not world.is_land(name):
            history.bad(at, f"{name} is not land", "name the easternmost land hex that the Axis held in the row")
        row = index // world.grid.stride
        if row in rows:
            history.bad(at, f"{rows[row]} and {name} lie in one row", "name one hex for a row")
        rows[row] = name


def _check_points(history: Toml, i: int) -> None:
    at = f"fronts.{i}.points"
    for point in history.get(at, list) or []:
        kinds = isinstance(point, list) and [isinstance(value, (int, float)) for value in point] == [False, True, True]
        if not kinds or not isinstance(point[0], str) or not (-180 <= point[1] <= 180 and -90 <= point[2] <= 90):
            history.bad(at, f"{point!r} is no place", 'write ["Minsk", 27.56, 53.9]: name, longitude, latitude')


def check_commanders(folder: Path, last_turn: int, units: Collection[str], problems: list[Problem]) -> None:
    """Check who commanded which unit when: one at a time, with a source, and how sure it is."""
    if not (folder / COMMANDERS).exists():
        return
    until: dict[str, int] = {}
    for row in Table(folder, COMMANDERS, COLUMNS, problems):
        unit = row["unit"]
        if unit not in units:
            row.bad("unit", f"there is no unit {unit!r}", "name the id of a counter, such as 39Pz")
        first, last = row.whole("first", 0, last_turn), row.whole("last", 0, last_turn)
        if first is not None and last is not None:
            if first > last or first <= until.get(unit, -1):
                row.bad("first", f"turn {first} is out of place", "name the turns of a unit in their order, each once")
            until[unit] = last
        for field in ("commander", "source"):
            if not row[field]:
                row.bad(field, f"no {field} is given", "leave the line out where nothing is known")
        row.one_of("confidence", CONFIDENCES)
