"""Bodies of requests. Unknown fields are refused, so that a misspelt one cannot go unnoticed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rasputitsa.server.matches.seating import MAX_NAME, Controller, one_line

MAX_INT = 2**63 - 1

Name = Annotated[str, Field(min_length=1, max_length=40)]
Key = Annotated[str, Field(max_length=64)]
Title = Annotated[str, Field(max_length=MAX_NAME)]
ShareText = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Count = Annotated[int, Field(ge=0, le=MAX_INT)]


class Body(BaseModel):
    """Base of all bodies."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Refused(BaseModel):
    """Why a request was refused."""

    code: str
    message: str
    rule: str
    view: dict[str, Any] | None = None


class Refusal(BaseModel):
    """The one form of every refusal."""

    error: Refused


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": description}
    for status, description in (
        (400, "The request makes no sense"),
        (403, "The caller may not do that"),
        (404, "There is no such thing"),
        (405, "Not with this method"),
        (408, "The request came too slowly"),
        (409, "The match is not where the caller thinks it is"),
        (413, "The request is too large"),
        (415, "The body is of the wrong type"),
        (422, "The rules, or the form of what was sent, do not allow it"),
        (429, "The caller asks too much"),
        (500, "Something is wrong inside the server, or with a stored match"),
        (503, "Not now"),
        (507, "The disk is full"),
    )
}
"""What any request may be answered instead."""


class ControllerBody(Body):
    """Who shall play a seat."""

    kind: Literal["human", "bot"]
    bot: Name | None = None
    name: Title | None = None

    def controller(self) -> Controller:
        """The controller meant; control characters in names become spaces."""
        name = (self.bot if self.kind == "bot" else self.name) or ""
        return Controller(self.kind, one_line(name))


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
    share: ShareText | None = None
    """What the creator adds to the dice: 128 random bits in hexadecimal."""
    guests: Annotated[list[Name], Field(max_length=8)] = Field(default_factory=list)
    """Seats for others, who get an invitation."""
    hints: bool = False
    """Whether the computer may advise people while they play each other."""


class LobbyBody(Body):
    """The keys somebody has, by match and seat."""

    keys: dict[Annotated[str, Field(max_length=19)], dict[Name, Key]] = Field(max_length=500)


class SeatBody(Body):
    """A seat and the key that proves it."""

    seat: Name
    key: Key


class ActionBody(SeatBody):
    """A line of notation to play."""

    version: Count
    action: Annotated[str, Field(min_length=1, max_length=4000)]
    request_id: Annotated[str, Field(min_length=1, max_length=80)]
    have: Annotated[str, Field(max_length=40)] | None = None
    """The tag of the view that the caller has: the answer tells only what changed of it."""


class UndoBody(SeatBody):
    """A step to take back, or a ply to go back to."""

    version: Count
    to: Count | None = None


class ControllersBody(SeatBody):
    """A seat changing hands: the caller's own, or another one (``of``)."""

    controller: ControllerBody
    of: Name | None = None
    opens: bool = False
    """Whether the caller has been told of seeing both sides of the match from then on."""


class SitBody(Body):
    """The keys a browser has of one match."""

    keys: dict[Name, Key] = Field(default_factory=dict, max_length=8)


class TokenBody(Body):
    """The token of a link to a seat."""

    token: Key


class ClaimBody(TokenBody):
    """Taking the seat a link leads to."""

    request_id: Annotated[str, Field(min_length=16, max_length=80)]
    name: Title = ""
    share: ShareText | None = None
    """What the guest adds to the dice: 128 random bits in hexadecimal."""
    keys: Annotated[dict[Name, Key], Field(max_length=16)] = {}
    """The keys to other seats of the match that the caller holds, who stays one person."""


class OfSeatBody(Body):
    """A seat that is spoken of, and the caller's own; without one the owner of the machine is speaking."""

    of: Name
    seat: Name | None = None
    key: Key = ""


class AgreeBody(Body):
    """What somebody agrees to, or no longer does; without a seat the owner of the machine is speaking."""

    topic: Literal["hints", "invite", "computer"]
    of: Name | None = None
    """The seat that others are to be invited to, or that the computer is to play."""
    bot: Name | None = None
    yes: bool = True
    seat: Name | None = None
    key: Key = ""


class SayBody(SeatBody):
    """Something to be said to everybody who has a seat, or to one's own side."""

    text: Annotated[str, Field(min_length=1, max_length=400)]
    to: Literal["table", "side"] = "table"
    request_id: Annotated[str, Field(min_length=16, max_length=80)]


class NotesBody(SeatBody):
    """What somebody notes down for himself, in place of the notes of a version, which is empty where there are none."""

    text: Annotated[str, Field(max_length=10_000)]
    version: Annotated[str, Field(max_length=64)] = ""


class EndBody(SeatBody):
    """Resigning, or agreeing to a draw; ``yes`` false: no longer, or declining what others offer."""

    how: Literal["resign", "draw"]
    yes: bool = True


class InviteBody(OfSeatBody):
    """A link to be made."""

    kind: Literal["guest", "device"] = "guest"


class CopyBody(Body):
    """A branch to start; seat and key are needed unless the caller owns the machine."""

    at: Count | None = None
    seat: Name | None = None
    key: Key = ""
