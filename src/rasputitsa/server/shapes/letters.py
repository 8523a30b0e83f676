"""Shapes of matches by letters."""

from __future__ import annotations

from typing import TypedDict


class LetterPerson(TypedDict):
    """Somebody who plays."""

    name: str
    """Empty for somebody who has not joined yet."""
    seats: list[str]
    titles: list[str]
    me: bool


class LetterTerms(TypedDict):
    """What is played."""

    id: str
    """The code by which its letters name it."""
    game: str
    scenario: str
    options: dict[str, str]
    title: str
    trusting: bool
    people: list[LetterPerson]


class SentLetter(TypedDict):
    """A letter that was read or written."""

    number: int
    writer: str
    mine: bool
    note: str


class LetterMatch(LetterTerms):
    """A match by letters, from the side of one person."""

    turn_label: str
    phase_label: str
    stands: str
    """Who writes next, and what is to be decided, in words."""
    due: bool
    """The next letter is one's own."""
    decides: bool
    """There are orders to be given for it."""
    writable: bool
    """It can be written now."""
    over: bool
    joined: bool
    check: str
    """Digits to compare by another way; empty before all have joined."""
    draft: list[str]
    sent: list[SentLetter]
    last: int
    """The number of one's own last letter."""
    text: str
    """That letter, to be sent."""


class DamagedLetters(TypedDict):
    """A match by letters whose file cannot be read, or holds something else."""

    id: str
    damaged: str
    """Why, in words."""
    stray: bool
    """It lies there under a name that is none of a match: it has no page, and is only named."""


class LetterRead(TypedDict):
    """What came of a letter."""

    match: LetterMatch
    number: int
    writer: str
    note: str
    news: list[str]
    known: bool
    """It had been read before, and nothing has changed."""
    answered: bool
    """Nothing was to be decided, and the answer is written."""


class LetterText(TypedDict):
    """A letter as it was sent."""

    text: str
