"""Shapes of answers to actions, of the messages of the socket, and of advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import ConfigDict

from rasputitsa.server.shapes.views import Change, View


@dataclass(kw_only=True)
class Acted:
    """The match after an action: the view, or what changed of the one the caller has."""

    view: View | None = None
    change: Change | None = None


@dataclass(kw_only=True)
class Undone:
    """The match after an undo, or after it was offered."""

    view: View


@dataclass(kw_only=True)
class ViewMessage:
    """The whole view."""

    type: Literal["view"]
    view: View


@dataclass(kw_only=True)
class ChangeMessage:
    """What changed of the view the window shows."""

    type: Literal["change"]
    change: Change


@dataclass(kw_only=True)
class ThinkingMessage:
    """A computer player thinks; without numbers, it has begun."""

    type: Literal["thinking"]
    seat: str
    done: int = 0
    total: int = 0
    text: str = ""


@dataclass(kw_only=True)
class SeatsMessage:
    """Something at the table has changed: who holds which seat, or what was agreed."""

    type: Literal["seats"]


@dataclass(kw_only=True)
class TalkMessage:
    """Something was said that this seat may read."""

    type: Literal["talk"]


@dataclass(kw_only=True)
class SketchMessage:
    """Something that this seat may see was drawn on the map, or taken off it."""

    type: Literal["sketch"]


@dataclass(kw_only=True)
class PongMessage:
    """The answer to a ping."""

    type: Literal["pong"]


@dataclass(kw_only=True)
class ErrorMessage:
    """What is wrong; the socket may be closed after it."""

    type: Literal["error"]
    code: str
    message: str


LiveMessage = (
    ViewMessage
    | ChangeMessage
    | ThinkingMessage
    | SeatsMessage
    | TalkMessage
    | SketchMessage
    | PongMessage
    | ErrorMessage
)
"""What the server says over the socket."""


@dataclass(kw_only=True)
class WindowMessage:
    """What a window says over the socket: that it is alive, that it wants the whole view, or that the computer is to
    answer at once."""

    type: Literal["ping", "view", "hurry"]
    hidden: bool = False
    """With ``ping``: nobody sees the window."""


@dataclass(kw_only=True)
class PlanStep:
    """A step of a plan."""

    kind: Literal["attack", "move", "rail", "strike", "mark"]
    text: str
    units: list[str]
    path: list[str]
    origins: list[str]
    targets: list[str]
    odds: str
    chance: float | None
    why: str
    line: str
    short_odds: str = ""
    """The odds as a map shows them, where they are an estimate: with a sign for it."""
    waits: bool = False
    """Another step has to come first."""
    ordered: bool = False
    """All steps before it have to come first."""


@dataclass(kw_only=True)
class HintResult:
    """What a computer player would do, and why."""

    player: str
    headline: str
    action: str
    label: str
    reasons: list[str]
    steps: list[PlanStep]
    expectation: float | None


@dataclass(kw_only=True)
class CoursePoint:
    """The position at the start of a phase; ``value`` is how likely the first side is to win."""

    ply: int
    value: float
    turn: str
    phase: str
    side: str


@dataclass(kw_only=True)
class TurningPoint:
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


@dataclass(kw_only=True)
class Course:
    """How the game went."""

    sides: list[str]
    entries: int
    seat: str | None
    points: list[CoursePoint]
    turns: list[TurningPoint]
    complete: bool


@dataclass(kw_only=True)
class Job:
    """A piece of analysis under way."""

    id: str
    kind: Literal["hint", "course"]
    ply: int
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    done: int
    total: int
    text: str
    result: HintResult | Course | None


@dataclass(kw_only=True)
class KeptCourse:
    """The course worked out before, if there is one."""

    course: Course | None


@dataclass(kw_only=True)
class Done:
    """It is done, and nothing more is said."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(kw_only=True)
class Alive:
    """The server answers."""

    alive: Literal[True]


@dataclass(kw_only=True)
class Ready:
    """The server can be played on."""

    ready: Literal[True]
