"""Shapes of what is worked out: hints, and the course of a game, as they are kept and sent."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, final

StepKind = Literal["attack", "move", "rail", "strike", "mark"]
"""How a map draws a step."""


class PlanStep(TypedDict):
    """A step of a plan."""

    kind: StepKind
    text: str
    units: list[str]
    path: list[str]
    origins: list[str]
    targets: list[str]
    odds: str
    chance: float | None
    why: str
    line: str
    short_odds: NotRequired[str]
    """The odds as a map shows them, where they are an estimate: with a sign for it."""
    waits: NotRequired[bool]
    """Another step has to come first."""
    ordered: NotRequired[bool]
    """All steps before it have to come first."""
    orders: NotRequired[list[str]]
    """The orders of the line where they are given one after the other, since chance has a say before the last."""


@final
class HintResult(TypedDict):
    """What a computer player would do, and why."""

    player: str
    headline: str
    action: str
    label: str
    reasons: list[str]
    steps: list[PlanStep]
    single: NotRequired[bool]
    """The plan has one step, and the headline is its text."""
    expectation: float | None


class CoursePoint(TypedDict):
    """The position at the start of a phase; ``value`` is how likely the first side is to win."""

    ply: int
    value: float
    turn: str
    phase: str
    side: str


class TurningPoint(TypedDict):
    """A stretch of the game that changed it."""

    ply: int
    end: int
    side: str
    turn: str
    phase: str
    before: float
    after: float
    text: str
    verdict: str
    promised: float | None
    made: float | None
    hint: HintResult


class Course(TypedDict):
    """How the game went."""

    version: int
    """Of the way in which it is worked out."""
    sides: list[str]
    entries: int
    seat: str | None
    points: list[CoursePoint]
    turns: list[TurningPoint]
    complete: bool
