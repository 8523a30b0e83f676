"""Shapes of what is said of classes."""

from __future__ import annotations

from typing import TypedDict

from rasputitsa.server.shapes.lists import Summary


class ClassBounds(TypedDict):
    """How large a class may be."""

    most_boards: int


class ClassMade(TypedDict):
    """A class that was opened: the code by which pupils come, and the key of its teacher."""

    code: str
    key: str


class ClassMatchMade(TypedDict):
    """A match that was added to a class, and its number there."""

    id: str
    number: int


class ClassPupil(TypedDict):
    """Who plays a seat."""

    number: int
    seat: str
    name: str


class ClassBoard(Summary):
    """A match of a class as its teacher sees it: what everybody sees of it, and who plays there."""

    id: str
    number: int
    title: str
    over: bool
    paused: bool
    changes: int
    """Rises with what everybody sees happen."""
    waited_ms: int
    """Since something that everybody sees has happened."""
    pupils: list[ClassPupil]
    present: list[str]
    """Seats with a window open and in sight."""
    waiting: list[str]
    """Seats for which somebody is still to come."""


class ClassReply(TypedDict):
    """What a seat has answered to a card."""

    match: str
    seat: str
    text: str


class ClassCard(TypedDict):
    """A card that was handed out, in which matches, and what was answered."""

    number: int
    turn: int
    text: str
    matches: list[str]
    replies: list[ClassReply]


class ClassInfo(TypedDict):
    """A class as its teacher sees it."""

    title: str
    closed: bool
    boards: list[ClassBoard]
    cards: list[ClassCard]
    kept_days: int
    """After this number of days in which nothing happens all of it is deleted."""


class ClassJoined(TypedDict):
    """A seat in a match of a class, its key, and the word by which its pupil comes back."""

    id: str
    seat: str
    key: str
    name: str
    word: str


class PupilWord(TypedDict):
    """A new word for a pupil, which nobody else should know."""

    name: str
    word: str


class CardNumber(TypedDict):
    """The number of a card that was handed out."""

    number: int


class PupilCard(TypedDict):
    """A card as a seat sees it, with what the seat has answered."""

    number: int
    text: str
    reply: str


class PupilDesk(TypedDict):
    """What a seat of a class is shown besides the match."""

    paused: bool
    pupils: list[str]
    """Who plays the seat."""
    cards: list[PupilCard]
