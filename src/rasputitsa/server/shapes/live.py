"""Shapes of answers to actions, of the messages of the socket, and of advice."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from rasputitsa.ai.advice.shapes import Course, HintResult
from rasputitsa.server.shapes.views import Change, View


class Acted(TypedDict):
    """The match after an action: the view, or what changed of the one the caller has."""

    view: NotRequired[View]
    change: NotRequired[Change]


class Undone(TypedDict):
    """The match after an undo, or after it was offered."""

    view: View


class ViewMessage(TypedDict):
    """The whole view."""

    type: Literal["view"]
    view: View


class ChangeMessage(TypedDict):
    """What changed of the view the window shows."""

    type: Literal["change"]
    change: Change


class ThinkingMessage(TypedDict):
    """A computer player thinks; without numbers, it has begun."""

    type: Literal["thinking"]
    seat: str
    done: NotRequired[int]
    total: NotRequired[int]
    text: NotRequired[str]


class SeatsMessage(TypedDict):
    """Something at the table has changed: who holds which seat, or what was agreed."""

    type: Literal["seats"]


class TalkMessage(TypedDict):
    """Something was said that this seat may read."""

    type: Literal["talk"]


class MapNotesMessage(TypedDict):
    """Something that this seat may see was drawn on the map, or taken off it."""

    type: Literal["map_notes"]


class PongMessage(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


class ErrorMessage(TypedDict):
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
    | MapNotesMessage
    | PongMessage
    | ErrorMessage
)
"""What the server says over the socket."""


class WindowMessage(TypedDict):
    """What a window says over the socket: that it is alive, that it wants the whole view, or that the computer is to
    answer at once."""

    type: Literal["ping", "view", "hurry"]
    hidden: NotRequired[bool]
    """With ``ping``: nobody sees the window."""


class Job(TypedDict):
    """A piece of analysis under way."""

    id: str
    kind: Literal["hint", "course"]
    ply: int
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    done: int
    total: int
    text: str
    result: HintResult | Course | None


class KeptCourse(TypedDict):
    """The course worked out before, if there is one."""

    course: Course | None


class Done(TypedDict):
    """It is done, and nothing more is said."""


class Alive(TypedDict):
    """The server answers."""

    alive: Literal[True]


class Ready(TypedDict):
    """The server can be played on."""

    ready: Literal[True]
