"""The lessons of a game: small positions with a goal, from a first attack up. Each is a position file with a head.

[lesson]
order = 1                      # place in the list
title = "First attack"
summary = "What it teaches."
minutes = 10
seat = "axis"                  # the learner's
opponent = "greedy"            # a computer player for the other side
[goal]                         # see ``goal`` of the game
[[steps]]                      # see ``core.lessons.lessons.guide``; optional
[[remarks]]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data import fields
from rasputitsa.core.data.folder import DataFolder, read_toml
from rasputitsa.core.errors import SetupError
from rasputitsa.core.lessons import guide

KIND = "lessons"
HEAD_OF_LESSON = "lesson"

HEAD = {"id", "order", "title", "summary", "minutes", "seat", "opponent"}


class LessonInfo(NamedTuple):
    """A small position with a goal of its own, to learn or to experiment with."""

    id: str
    title: str
    summary: str
    """What it teaches."""
    goal: str
    """What has to be reached, in plain words."""
    seat: str
    """Who has to reach it: the learner's seat."""
    minutes: int
    """About how long it takes."""
    turns: int
    """The most game-turns it takes."""
    opponent: str
    """A computer player that makes a fair opponent."""


def check_head(table: Mapping[str, Any]) -> None:
    """Refuse a position whose title or head of a lesson is none; raises ``SetupError``.

    A position may come from anywhere, and these go to every window as they are.
    """
    fields.text(table, "title", "")
    head = fields.table(table, HEAD_OF_LESSON)
    fields.known(head, HEAD, HEAD_OF_LESSON)
    for name in HEAD - {"order", "minutes"}:
        fields.text(head, name, "", HEAD_OF_LESSON)
    for name in ("order", "minutes"):
        fields.whole(head, name, 0, 0, 10_000, HEAD_OF_LESSON)


def lessons(data_folder: DataFolder, folder: Path) -> list[LessonInfo]:
    """The lessons, the first one first."""
    return [info for _, info in sorted(_infos(data_folder, folder, data_folder.stamp(folder)))]


def lesson(data_folder: DataFolder, name: str, folder: Path) -> dict[str, Any]:
    """The position file of a lesson, its id in the head; raises ``SetupError`` for an unknown one."""
    known = [info.id for info in lessons(data_folder, folder)]
    if name not in known:
        raise SetupError(f"there is no lesson {name!r}; known: {', '.join(known)}")
    table = read_toml(data_folder.file(folder, f"{KIND}/{name}.toml"))
    position = {field: value for field, value in table.items() if field not in (guide.STEPS, guide.REMARKS)}
    return {**position, "lesson": {**table["lesson"], "id": name}}


def guide_of(data_folder: DataFolder, name: str, folder: Path) -> guide.Guide | None:
    """What leads through a lesson by the hand; None for one that has nothing, or that there is not."""
    return _guide(data_folder, name, folder, data_folder.stamp(folder))


@cached
def _guide(data_folder: DataFolder, name: str, folder: Path, stamp: str) -> guide.Guide | None:
    if name not in data_folder.names(folder, KIND):
        return None
    return guide.read(read_toml(data_folder.file(folder, f"{KIND}/{name}.toml")))


@cached
def _infos(data_folder: DataFolder, folder: Path, stamp: str) -> tuple[tuple[int, LessonInfo], ...]:
    names = data_folder.names(folder, KIND)
    return tuple(_info(name, read_toml(data_folder.file(folder, f"{KIND}/{name}.toml"))) for name in names)


def _info(name: str, table: dict[str, Any]) -> tuple[int, LessonInfo]:
    try:
        head, goal = table["lesson"], table["goal"]
        info = LessonInfo(
            name, head["title"], head["summary"], goal["text"], head["seat"], head["minutes"],
            goal["last_turn"] - table["turn"] + 1, head["opponent"],
        )  # fmt: skip
        return int(head["order"]), info
    except KeyError as problem:
        raise SetupError(f"lesson {name} lacks {problem}") from problem
