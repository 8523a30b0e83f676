"""Bodies of requests. Unknown fields are refused, so that a misspelt one cannot go unnoticed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rasputitsa.server.matches.seating import MAX_NAME, Controller, one_line
from rasputitsa.server.notices.notice import MAX_ADDRESS
from rasputitsa.server.shapes.words import ClockPace, Form, Lapse, Level, LinkKind, Pace, PlayerKind, Share
from rasputitsa.server.store.people.clocks import ClockTerms

MAX_INT = 2**63 - 1
MINUTE_MS = 60_000

Name = Annotated[str, Field(min_length=1, max_length=40)]
Key = Annotated[str, Field(max_length=64)]
PasswordText = Annotated[str, Field(max_length=1000)]
BASE64URL = r"^[A-Za-z0-9_-]+$"
PasskeyId = Annotated[str, Field(pattern=BASE64URL, max_length=1364)]
"""Of at most 1,023 bytes (Web Authentication Level 2, 4)."""
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
"""What any request may be answered instead.

FastAPI looks at the model again for every status of every route before the first request is answered: so it is one that
keeps its schema, and has no view in it. Refusals are made by ``shapes.refusals``."""


class ControllerBody(Body):
    """Who is to play a seat."""

    kind: PlayerKind
    bot: Name | None = None
    name: Title | None = None

    def controller(self) -> Controller:
        """The controller meant; control characters in names become spaces."""
        name = (self.bot if self.kind == "bot" else self.name) or ""
        return Controller(self.kind, one_line(name))


class WishBody(Body):
    """What is wished of the player who takes an open seat."""

    pace: Pace
    level: Level = "any"


class ClockBody(Body):
    """How much time everybody has: at first, and at most; more with each turn of the game; and for holidays."""

    pace: ClockPace
    bank_minutes: Annotated[int, Field(ge=1, le=90 * 24 * 60)]
    turn_minutes: Annotated[int, Field(ge=0, le=30 * 24 * 60)]
    holiday_days: Annotated[int, Field(ge=0, le=60)] = 0
    lapse: Lapse | None = None
    """What happens when the time of a seat is up: if nothing is said, a rated match ends, any other seat is open."""

    def terms(self, *, rated: bool) -> ClockTerms:
        """What is agreed; a player who plays at once has no holidays."""
        holidays = self.holiday_days if self.pace == "days" else 0
        return ClockTerms(
            pace=self.pace,
            bank_ms=self.bank_minutes * MINUTE_MS,
            turn_ms=self.turn_minutes * MINUTE_MS,
            holiday_ms=holidays * 24 * 60 * MINUTE_MS,
            lapse=self.lapse or ("end" if rated else "open"),
        )


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
    publish: WishBody | None = None
    """The seats of guests are put into the list of open tables as well."""
    clock: ClockBody | None = None
    """For a match with guests."""
    behind: Annotated[int, Field(ge=1, le=24 * 60)] | Literal["turn"] | None = None
    """For a match with guests: by how many minutes onlookers are behind, or that they see a turn when it is over."""
    rated: bool = False
    """It counts for the ratings of the accounts of both players; see ``ratings.terms``."""


class AccountBody(Body):
    """Name and password of an account."""

    name: Annotated[str, Field(max_length=120)]
    password: PasswordText


class SignInBody(AccountBody):
    """The same, and another password, where the one there is was set by the host and is good once."""

    new: PasswordText = ""


class NameBody(Body):
    """The name of a new account."""

    name: Annotated[str, Field(max_length=120)]


class _SignedBody(Body):
    """What every answer of a passkey has: the ticket, its id, and what its browser says of the page (base64url)."""

    ticket: Annotated[str, Field(max_length=2000)]
    id: PasskeyId
    client: Annotated[str, Field(pattern=BASE64URL, max_length=4000)]


class PasskeyBody(_SignedBody):
    """A challenge that was signed with a passkey: what the device says of itself, and the signature."""

    told: Annotated[str, Field(pattern=BASE64URL, max_length=4000)]
    signature: Annotated[str, Field(pattern=BASE64URL, max_length=8000)]


class NewPasskeyBody(_SignedBody):
    """A passkey that was made: its public key, with what belongs to it."""

    made: Annotated[str, Field(pattern=BASE64URL, max_length=20_000)]


class AskPasskeyBody(Body):
    """What is to be signed with a passkey."""

    again: bool = False
    """To show once more to be the one who is signed in, and not to sign in."""


class ProofBody(Body):
    """The person signed in shows once more to be the one: by the password, or with a passkey."""

    password: PasswordText = ""
    passkey: PasskeyBody | None = None


class NewPasswordBody(ProofBody):
    """Another password, or a first one."""

    new: PasswordText


class RemovePasskeyBody(ProofBody):
    """The passkey that is to go."""

    id: PasskeyId


class ProfileBody(Body):
    """What somebody is called at the table."""

    shown: Title


class SessionBody(Body):
    """The session that is to end; none: all but the caller's."""

    session: Annotated[str, Field(max_length=16)] = ""


class BlockBody(Body):
    """Whom somebody does not want to meet again: who holds the seat ``of`` in a match; and the caller's own seat."""

    match: Annotated[str, Field(max_length=19)]
    of: Name
    seat: Name
    key: Key


class UnblockBody(Body):
    """The block that is to be undone."""

    id: Annotated[str, Field(max_length=24)]


class LobbyBody(Body):
    """The keys somebody has, by match and seat."""

    keys: dict[Annotated[str, Field(max_length=19)], dict[Name, Key]] = Field(max_length=500)


class SeatBody(Body):
    """A seat and the key that proves it."""

    seat: Name
    key: Key


class HintBody(SeatBody):
    """Who asks for a hint; with units, for the orders that a staff would give to these alone."""

    units: Annotated[list[Name], Field(max_length=200)] = []
    stance: Literal["fight", "hold"] = "fight"


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
    """Whether the caller was warned of seeing both sides of the match from then on."""


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
    hints: bool = False
    """Whether the guest was shown that the computer advises all, and agrees."""


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
    """The private notes of somebody, in place of the notes of a version, which is empty where there are none."""

    text: Annotated[str, Field(max_length=10_000)]
    version: Annotated[str, Field(max_length=64)] = ""


class MarkBody(Body):
    """A note pinned to a hex, or an arrow to another one, and whom it is for."""

    at: Annotated[str, Field(min_length=1, max_length=12)]
    to: Annotated[str, Field(max_length=12)] = ""
    """Where the arrow leads; empty for a note."""
    text: Annotated[str, Field(max_length=80)] = ""
    share: Share = "me"


class MapNotesBody(SeatBody):
    """What somebody has drawn on the map, in place of the notes of a version, which is empty where there is none."""

    marks: Annotated[list[MarkBody], Field(max_length=60)]
    version: Annotated[str, Field(max_length=64)] = ""


class RematchBody(SeatBody):
    """Asking for a rematch, or agreeing to one."""

    share: ShareText | None = None
    """What the caller adds to the dice: 128 random bits in hexadecimal."""


class TellBody(SeatBody):
    """Where the caller wants notices of their turn."""

    form: Form
    address: Annotated[str, Field(min_length=1, max_length=MAX_ADDRESS)]
    proof: Key = ""
    """What the caller got when they agreed to notices at this mail address before."""


class StopBody(Body):
    """The token that came with a notice."""

    token: Key


class CalendarBody(SeatBody):
    """The token of the calendar that is to hold the turns of the caller's seat; without one a new calendar does."""

    calendar: Key = ""


class StandingBody(SeatBody):
    """What is to be answered beforehand in the caller's seat; without policies nothing is."""

    mode: Literal["away", "always"]
    policies: Annotated[dict[Name, Name], Field(max_length=32)]


class HolidayBody(SeatBody):
    """For how many days the time of a seat is to stand still; 0 ends it."""

    days: Annotated[int, Field(ge=0, le=60)]


class EndBody(SeatBody):
    """Resigning, or agreeing to a draw; ``yes`` false: no longer, or declining what others offer."""

    how: Literal["resign", "draw"]
    yes: bool = True


class PublishBody(OfSeatBody, WishBody):
    """A seat that is put into the list of open tables."""


class OpenSeatBody(Body):
    """A seat in the list of open tables."""

    match: Annotated[str, Field(max_length=19)]
    seat: Name


class TakeBody(OpenSeatBody):
    """Taking an open seat."""

    request_id: Annotated[str, Field(min_length=16, max_length=80)]
    name: Title = ""
    share: ShareText | None = None
    """What the guest adds to the dice: 128 random bits in hexadecimal."""
    keys: Annotated[dict[Name, Key], Field(max_length=16)] = {}
    """The keys to other seats of the match that the caller holds, who stays one person."""
    hints: bool = False
    """Whether the guest was shown that the computer advises all, and agrees."""


class InviteBody(OfSeatBody):
    """A link to be made."""

    kind: LinkKind = "guest"


class CopyBody(Body):
    """A branch to start; seat and key are needed unless the caller owns the machine."""

    at: Count | None = None
    seat: Name | None = None
    key: Key = ""


LetterText = Annotated[str, Field(min_length=1, max_length=60_000)]


class NewLetters(Body):
    """What a match by letters is about, and who begins it."""

    game: Name
    scenario: Name
    options: dict[Name, Name] = Field(default_factory=dict, max_length=100)
    seat: Name | None = None
    each_seat: bool = False
    """A person for each seat, rather than one for each side."""
    trusting: bool = False
    title: Title = ""
    name: Title


class LettersBody(Body):
    """One or more letters, as text."""

    text: LetterText


class JoinBody(LettersBody):
    """Taking the next place in a match by letters."""

    name: Title
    trusting: bool = False
    """Whether the caller was shown what a trusting match is, and agrees."""


class WriteBody(Body):
    """The next letter, with words to the others."""

    note: Annotated[str, Field(max_length=2000)] = ""
    resign: bool = False
