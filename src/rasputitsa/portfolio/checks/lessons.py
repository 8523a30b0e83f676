"""The lessons and the historical fronts: files of their own, which may be missing, beside the map and the counters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rasputitsa.core.datafiles import CONFIDENCE, Problem, Toml
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio import position
from rasputitsa.portfolio.checks.map import World

HEAD: dict[str, type] = {
    "order": int, "title": str, "summary": str, "minutes": int, "seat": str, "opponent": str,
}  # fmt: skip
SEATS = ("axis", "soviet")


def check_lessons(folder: Path, problems: list[Problem]) -> None:
    """Check every lesson by itself, then their order; the positions only when all the data are sound."""
    files = sorted((folder / "lessons").glob("*.toml"))
    sound = not problems
    orders: dict[int, str] = {}
    for path in files:
        before = len(problems)
        lesson = Toml(folder, f"lessons/{path.name}", problems)
        if len(problems) > before:
            continue
        _check_head(lesson)
        order = lesson.data.get("lesson", {}).get("order") if len(problems) == before else None
        if order in orders:
            lesson.bad("lesson.order", f"{orders[order]} has the place {order} too", "give each lesson its own place")
        elif order is not None:
            orders[order] = lesson.name
        if sound and len(problems) == before:
            _check_position(folder, lesson)


def _check_head(lesson: Toml) -> None:
    before = len(lesson.problems)
    for key in lesson.get("lesson", dict) or {}:
        if key not in HEAD:
            lesson.bad(f"lesson.{key}", f"a lesson has no field {key!r}", f"use some of: {', '.join(HEAD)}")
    for key, kind in HEAD.items():
        value = lesson.get(f"lesson.{key}", kind)
        if value in ("", 0) or (kind is int and value is not None and value < 0):
            lesson.bad(f"lesson.{key}", f"{value!r} says nothing", "give a text, or a number from 1 on")
    for key, kind in (("turn", int), ("goal.side", str), ("goal.text", str), ("goal.last_turn", int)):
        lesson.get(key, kind)
    if len(lesson.problems) > before:
        return
    seat = lesson.data["lesson"]["seat"]
    if seat not in SEATS:
        lesson.bad("lesson.seat", f"there is no seat {seat!r}", f"use one of: {', '.join(SEATS)}")
    elif lesson.data["goal"]["side"] != seat:
        lesson.bad("goal.side", "the goal is not the learner's", f"it must be {seat}, as lesson.seat")


def _check_position(folder: Path, lesson: Toml) -> None:
    """Set the position up: the loader knows what may stand where."""
    try:
        state = position.load(lesson.data, folder)
    except SetupError as problem:
        field, message = _place_of(lesson, str(problem))
        lesson.bad(field, message, "mend the position; its fields are told in portfolio/position.py and goal.py")
        return
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        lesson.bad("", f"the position cannot be read ({problem})", "give each field the kind of value it has elsewhere")
        return
    if state.outcome is not None:
        lesson.bad("goal", "the lesson is over before it begins", "ask for something still to be done")


def _place_of(lesson: Toml, text: str) -> tuple[str, str]:
    """The field that a refusal of the loader speaks of, and the rest of its words."""
    found = re.match(r"([a-z_]+(?:\.[a-z_]+)?): (.*)", text, re.DOTALL)
    if not found:
        named = re.match(r"([a-z_]+) ", text)
        return (named[1] if named and named[1] in lesson.data else "", text)
    field, message = found[1], found[2]
    table: Any = lesson.data.get(field)
    if isinstance(table, dict):
        inner = next((word for word in re.findall(r"[\w.]+", message) if word in table), None)
        field = f"{field}.{inner}" if inner else field
    return field, message


def check_history(folder: Path, world: World, charts: Toml, problems: list[Problem]) -> None:
    """Check the historical fronts: dates on the track, and hexes of land, one for a row."""
    if not (folder / "history" / "fronts.toml").exists():
        return
    history = Toml(folder, "history/fronts.toml", problems)
    if not history.data:
        return
    if not history.get("source", str):
        history.bad("source", "no source is given", "say where the lines come from")
    if history.get("confidence", str) not in CONFIDENCE:
        history.bad("confidence", "nothing says how sure it is", f"use one of: {', '.join(CONFIDENCE)}")
    turns = [turn.get("number") for turn in charts.data.get("turns", [])]
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
