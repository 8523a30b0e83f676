"""Codes of classes and words of pupils: short enough to be read from a wall and typed, and never guessed."""

from __future__ import annotations

import secrets

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""None of them is taken for another one: there is no I, L, O, 0 and 1."""
CODE_LETTERS, WORD_LETTERS = 8, 6
"""31 to the 8th power codes, 850 thousand million; 31 to the 6th power words, 890 million."""


def new_code() -> str:
    """The code of a class, in two halves."""
    drawn = _drawn(CODE_LETTERS)
    return f"{drawn[:4]}-{drawn[4:]}"


def new_word() -> str:
    """The word by which a pupil comes back."""
    return _drawn(WORD_LETTERS)


def plain(typed: str) -> str:
    """What somebody has typed, without blanks, dashes and small letters."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def _drawn(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))
