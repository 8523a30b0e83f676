"""What can go wrong, in words a player can read."""

from __future__ import annotations


class RasputitsaError(Exception):
    """Base of every error this program raises on purpose."""


class IllegalAction(RasputitsaError):  # noqa: N818 - named as players say it
    """An action the rules forbid; the game is unchanged.

    Attributes:
        reason: why, in plain words.
        rule: the paragraph that forbids it, such as ``XI.B.2``.
    """

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class NotationError(RasputitsaError):
    """A line of notation that cannot be read; ``rule`` is the paragraph that says how it is written, if any does."""

    def __init__(self, problem: str, rule: str = "") -> None:
        super().__init__(problem)
        self.rule = rule


class DataError(RasputitsaError):
    """A value in a data file that cannot be used; names file, line and field."""

    def __init__(self, file: str, line: int, field: str, message: str) -> None:
        super().__init__(f"{file}, line {line}, {field}: {message}")
        self.file, self.line, self.field, self.message = file, line, field, message


class SaveError(RasputitsaError):
    """A saved game that is damaged, or of a version this program does not know."""


class RulesChangedError(SaveError):
    """What lies before a change of the rules, and cannot be played back under those of today."""


class SetupError(RasputitsaError):
    """A game that cannot be started: unknown scenario, option or value."""
