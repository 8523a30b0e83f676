"""Bodies of requests about classes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.models import Body, Key, Name, SeatBody, ShareText, Title

MOST_CARD = 800
"""Letters on a card, and in an answer to one."""


def written(text: str) -> str:
    """A card or an answer as it is kept: its lines, each as a name may stand."""
    return "\n".join(one_line(line, MOST_CARD) for line in text.splitlines()).strip()


Code = Annotated[str, Field(min_length=1, max_length=40)]
MatchId = Annotated[str, Field(max_length=19)]


class OpenClassBody(Body):
    """A class to be opened."""

    title: Title = ""


class TeacherBody(Body):
    """The code of a class, and the key of its teacher."""

    code: Code
    key: Key


class ClassDoorBody(TeacherBody):
    """Whether anybody new may come in."""

    closed: bool


class ClassMatchBody(TeacherBody):
    """A match for the class: of a scenario, or of a lesson."""

    game: Name
    scenario: Name | None = None
    lesson: Name | None = None
    players: Literal[2, 4] = 2
    hints: bool = False
    """Whether the computer may advise those who play."""


class OfMatchesBody(TeacherBody):
    """Some matches of the class; without any, all of them."""

    matches: Annotated[list[MatchId], Field(max_length=100)] | None = None


class PauseBody(OfMatchesBody):
    """Matches to be stopped for a while, or to go on."""

    paused: bool


class OneMatchBody(TeacherBody):
    """One match of the class."""

    match: MatchId


class ComputerBody(OneMatchBody):
    """The seats of a match that wait for somebody are to be played by a computer player."""

    bot: Name | None = None


class PupilBody(OneMatchBody):
    """One pupil, by match and number."""

    pupil: Annotated[int, Field(ge=1, le=1000)]


class CardBody(OfMatchesBody):
    """A question to those who play, shown from a turn of the game on; 0: at once."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_CARD)]
    turn: Annotated[int, Field(ge=0, le=1000)] = 0


class JoinClassBody(Body):
    """Coming into a class, or coming back with one's own word."""

    code: Code
    name: Title
    word: Annotated[str, Field(max_length=40)] = ""
    request_id: Annotated[str, Field(min_length=16, max_length=80)]
    share: ShareText | None = None
    """What the pupil adds to the dice: 128 random bits in hexadecimal."""


class CardAnswerBody(SeatBody):
    """What a seat answers to a card."""

    card: Annotated[int, Field(ge=1, le=10_000)]
    text: Annotated[str, Field(max_length=MOST_CARD)]
