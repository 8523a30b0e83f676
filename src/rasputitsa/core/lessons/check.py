"""Check the lessons of a data directory: head, goal and place by themselves, then the position by loading it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core.data.files import Problem, Toml
from rasputitsa.core.errors import SetupError
from rasputitsa.core.lessons import guide

HEAD: dict[str, type] = {
    "order": int, "title": str, "summary": str, "minutes": int, "seat": str, "opponent": str,
}  # fmt: skip


Load = Callable[[Any], Any]
"""Sets a position up, or raises ``SetupError``."""


Names = Callable[[Any], Mapping[str, Collection[str]]]
"""For a position what a guide may name: its ``unit`` s and ``hex`` es, the ``verb`` s and ``event`` s of the game."""


def check_lessons(folder: Path, problems: list[Problem], seats: Collection[str], load: Load, names: Names) -> None:
    """Check every lesson by itself, then their order; positions and guides only when all the data are sound.

    ``seats``: those that a lesson can be given from.
    """
    files = sorted((folder / "lessons").glob("*.toml"))
    sound = not problems
    orders: dict[int, str] = {}
    for path in files:
        before = len(problems)
        lesson = Toml(folder, f"lessons/{path.name}", problems)
        if len(problems) > before:
            continue
        _check_head(lesson, seats)
        order = lesson.data.get("lesson", {}).get("order") if len(problems) == before else None
        if order in orders:
            lesson.bad("lesson.order", f"{orders[order]} has the place {order} too", "give each lesson its own place")
        elif order is not None:
            orders[order] = lesson.name
        if sound and len(problems) == before:
            _check_position(load, names, lesson)


def _check_head(lesson: Toml, seats: Collection[str]) -> None:
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
    if seat not in seats:
        lesson.bad("lesson.seat", f"there is no seat {seat!r}", f"use one of: {', '.join(seats)}")
    elif lesson.data["goal"]["side"] != seat:
        lesson.bad("goal.side", "the goal is not the learner's", f"it must be {seat}, as lesson.seat")


def _check_position(load: Load, names: Names, lesson: Toml) -> None:
    """Set the position up: the loader knows what may stand where."""
    try:
        state = load({name: value for name, value in lesson.data.items() if name not in (guide.STEPS, guide.REMARKS)})
    except SetupError as problem:
        field, message = _place_of(lesson, str(problem))
        lesson.bad(
            field, message, "correct the position; its fields are described in position.py and goal.py of the game"
        )
        return
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        lesson.bad("", f"the position cannot be read ({problem})", "give each field the kind of value it has elsewhere")
        return
    if state.outcome is not None:
        lesson.bad("goal", "the lesson is over before it begins", "ask for something still to be done")
    _check_guide(names(state), lesson)


def _check_guide(names: Mapping[str, Collection[str]], lesson: Toml) -> None:
    try:
        found = guide.read(lesson.data)
    except guide.FieldError as problem:
        lesson.bad(problem.field, problem.message, "the fields are described in core/lessons/guide.py")
        return
    for field, name, kind in guide.named(found) if found else ():
        if name not in names[kind]:
            lesson.bad(field, f"there is no {kind} {name!r}", f"name a {kind} of the position or of the game")


def _place_of(lesson: Toml, text: str) -> tuple[str, str]:
    """The field that a refusal of the loader speaks of, and the rest of its words."""
    found = re.match(r"([a-z_]+(?:\.[a-z_]+)?): (.*)", text, re.DOTALL)
    if not found:
        named = re.match(r"([a-z_]+)(?:\.\w+)? ", text)
        return (named[0].strip() if named and named[1] in lesson.data else "", text)
    field, message = found[1], found[2]
    table: Any = lesson.data.get(field)
    if isinstance(table, dict):
        inner = next((word for word in re.findall(r"[\w.]+", message) if word in table), None)
        field = f"{field}.{inner}" if inner else field
    return field, message
