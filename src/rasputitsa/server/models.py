"""Bodies of requests. Unknown fields are refused, so that a misspelt one cannot go unnoticed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rasputitsa.server.seating import Controller

MAX_INT = 2**63 - 1

Name = Annotated[str, Field(min_length=1, max_length=40)]
Key = Annotated[str, Field(max_length=64)]
Title = Annotated[str, Field(max_length=120)]
Count = Annotated[int, Field(ge=0, le=MAX_INT)]


class Body(BaseModel):
    """Base of all bodies."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ControllerBody(Body):
    """Who shall play a seat."""

    kind: Literal["human", "bot"]
    bot: Name | None = None
    name: Title | None = None

    def controller(self) -> Controller:
        """The controller meant; control characters in names become spaces."""
        name = (self.bot if self.kind == "bot" else self.name) or ""
        return Controller(self.kind, " ".join("".join(c if c.isprintable() else " " for c in name).split()))


class NewMatch(Body):
    """A match to be started: of a scenario, or of a lesson, which fixes scenario, options and players itself."""

    game: Name
    scenario: Name | None = None
    lesson: Name | None = None
    options: dict[Name, Name] = Field(default_factory=dict, max_length=100)
    players: Literal[2, 4] = 2
    controllers: dict[Name, ControllerBody] = Field(default_factory=dict, max_length=8)
    title: Title = ""
    seed: Annotated[int, Field(ge=0, lt=2**128)] | None = None


class SeatBody(Body):
    """A seat and the key that proves it."""

    seat: Name
    key: Key


class ActionBody(SeatBody):
    """A line of notation to play."""

    version: Count
    action: Annotated[str, Field(min_length=1, max_length=4000)]
    request_id: Annotated[str, Field(min_length=1, max_length=80)]


class UndoBody(SeatBody):
    """A step to take back, or a ply to go back to."""

    version: Count
    to: Count | None = None


class ControllersBody(SeatBody):
    """A seat changing hands."""

    controller: ControllerBody


class CopyBody(Body):
    """A branch to start; seat and key are needed unless the caller owns the machine."""

    at: Count | None = None
    seat: Name | None = None
    key: Key = ""
