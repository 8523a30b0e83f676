"""What the program sets to figures of data files: values that it is built for, and bounds of those that rules read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rasputitsa.core.data.files import Toml
from rasputitsa.core.errors import SetupError


class Fixed(NamedTuple):
    """A value that cannot be edited."""

    value: Any
    why: str
    """What is laid out by it, or why no rule could follow another."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a value, and what would be right; None if it is the one."""
        if found == self.value and type(found) is type(self.value):
            return None
        return f"this cannot be changed: the program is built for {self.value} ({self.why})", f"give {self.value}"


class Between(NamedTuple):
    """Bounds of a whole number that a rule reads."""

    least: int
    most: int
    why: str
    """What there is no room for beyond them."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a value, and what would be right; None if it is within the bounds."""
        if type(found) is int and self.least <= found <= self.most:
            return None
        return f"this is a whole number from {self.least} to {self.most} ({self.why})", "give one of these"


class Entries(NamedTuple):
    """How many entries a list has."""

    number: int
    what: str
    """What they are."""
    why: str
    """What is built for that many."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a value, and what would be right; None if there are as many."""
        if not isinstance(found, list):
            return f"this is a list of {self.what}", f"give {self.number} {self.what}"
        if len(found) == self.number:
            return None
        many = f"there are {len(found)} {self.what}"
        return f"{many}, and the program is built for {self.number} ({self.why})", f"give {self.number}"


class Most(NamedTuple):
    """How many entries a list has at most."""

    number: int
    what: str
    """What they are."""
    why: str
    """What there is no room for beyond that."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a value, and what would be right; None if there are no more."""
        if not isinstance(found, list):
            return f"this is a list of {self.what}", f"give at most {self.number} {self.what}"
        if len(found) <= self.number:
            return None
        return f"there are {len(found)} {self.what}, and at most {self.number} fit ({self.why})", "leave some out"


class Chances(NamedTuple):
    """What can happen, one of it every time: whole percent for each, 100 together."""

    names: tuple[str, ...]

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a table, and what would be right; None if one of these, and nothing else, happens."""
        percent = list(found.values()) if isinstance(found, dict) else []
        if not all(type(chance) is int and chance >= 0 for chance in percent) or sum(percent) != 100:
            return f"{found!r:.80} are no chances", "give percent that are 100 together"
        if sorted(found) != sorted(self.names):
            return f"these are chances of {', '.join(found)}", f"give those of {', '.join(self.names)}"
        return None


class Shares(NamedTuple):
    """What can happen besides something else: whole percent for each, 100 together at most."""

    number: int
    what: str
    """What can happen."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a list, and what would be right; None if these are chances of all of it."""
        percent = found if isinstance(found, list) else []
        sound = all(type(chance) is int and chance >= 0 for chance in percent) and sum(percent) <= 100
        if sound and len(percent) == self.number:
            return None
        return f"{found!r:.80} are no chances", f"give percent of {self.what}"


class Span(NamedTuple):
    """A first and a last whole number, each within bounds."""

    least: int
    most: int
    what: str
    """What the two are."""

    def problem(self, found: Any) -> tuple[str, str] | None:
        """What is wrong with a list, and what would be right; None if it is such a pair."""
        ends = found if isinstance(found, list) else []
        if len(ends) == 2 and all(type(end) is int and self.least <= end <= self.most for end in ends):
            return None
        return f"{found!r:.80} are not {self.what}", f"give two numbers from {self.least} to {self.most}"


Bounds = Mapping[str, Fixed | Between | Entries | Most | Chances | Shares | Span]
"""By key with dots."""


def figure(table: Any, key: str) -> Any:
    """A value of a nested table by its key with dots, where a number counts the tables of a list from 0; or None."""
    for name in key.split("."):
        if isinstance(table, list):
            table = table[int(name)] if name.isdigit() and int(name) < len(table) else None
        else:
            table = table.get(name) if isinstance(table, dict) else None
    return table


def _problems(table: Mapping[str, Any], bounds: Bounds) -> Iterator[tuple[str, str, str]]:
    """The keys whose values are out of their bounds, what is wrong with each, and what would be right."""
    for key, bound in bounds.items():
        problem = bound.problem(figure(table, key))
        if problem is not None:
            yield key, *problem


def refusal(path: Path, file: str, key: str, message: str) -> SetupError:
    """Why no game starts with a value of a TOML file: names file, line and key.

    Args:
        path: where the file is; in the data of an earlier version it has another name.
        file: what the file is called.
        key: the key with dots.
        message: what is wrong with its value.
    """
    return SetupError(f"{file}, line {Toml(path.parent, path.name, []).line(key)}, {key}: {message}")


def require_built_in(path: Path, file: str, table: Mapping[str, Any], bounds: Bounds) -> None:
    """Raise ``SetupError`` for the first value of a data file that is out of its bounds."""
    for key, message, _ in _problems(table, bounds):
        raise refusal(path, file, key, message)


def check_built_in(toml: Toml, bounds: Bounds) -> None:
    """Report every value of a data file that is out of its bounds."""
    for key, message, hint in _problems(toml.data, bounds):
        toml.bad(key, message, hint)
