"""Dice with named streams.

A draw is a pure function of seed, stream and its number in that stream, so it can be addressed, repeated
and audited, and no stream is disturbed by another.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from rasputitsa.core.errors import RasputitsaError

DIE = 6
MOST_SEED = 2**255
"""Seeds lie below this, and not below its negative."""


class Draw(NamedTuple):
    """One recorded chance outcome."""

    stream: str
    value: int
    sides: int = 0
    """How many sides the die has; 0 where a record does not tell."""


class DiceError(RasputitsaError):
    """Recorded or scripted dice do not fit the game being played."""


class NoDiceError(DiceError):
    """A die is needed where none may be cast."""


class Dice(Protocol):
    """Anything that can be rolled. ``drawn`` collects the outcomes until somebody takes them away."""

    drawn: list[Draw]

    def roll(self, stream: str, sides: int = DIE) -> int:
        """A whole number from 1 to ``sides``."""
        ...


class SeededDice:
    """Dice of a live game, all from one seed, which is a whole number of at most 255 bits.

    The same seed gives the same numbers on every machine, and rolling in one stream leaves the others alone.

    Examples:
        >>> one, other = SeededDice(1941), SeededDice(1941)
        >>> other.roll("weather") in range(1, 7)
        True
        >>> [one.roll("combat") for _ in range(4)] == [other.roll("combat") for _ in range(4)]
        True
        >>> one.drawn[0].stream
        'combat'

    Raises:
        DiceError: the seed is too large.
    """

    def __init__(self, seed: int, counts: dict[str, int] | None = None) -> None:
        self.seed = seed
        self.counts = dict(counts or {})
        self.drawn: list[Draw] = []
        self._start = _keyed(seed, 8)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.seed, self.counts, self.drawn)

    def roll(self, stream: str, sides: int = DIE) -> int:
        """A whole number from 1 to ``sides``; each value equally likely to within ``sides`` / 2^64."""
        number = self.counts.get(stream, 0)
        self.counts[stream] = number + 1
        value = self.value(stream, number, sides)
        self.drawn.append(Draw(stream, value, sides))
        return value

    def value(self, stream: str, number: int, sides: int) -> int:
        """What the die with this number, counted from 0, shows; it is not cast."""
        hasher = self._start.copy()  # sooner than keying a new one
        hasher.update(f"{stream}:{number}".encode())
        return int.from_bytes(hasher.digest(), "big") % sides + 1

    def fork(self, name: str) -> SeededDice:
        """Independent dice for thinking ahead; using them leaves these untouched."""
        hasher = _keyed(self.seed, 16)
        hasher.update(f"fork:{name}".encode())
        return SeededDice(int.from_bytes(hasher.digest(), "big"))


def _keyed(seed: int, size: int) -> blake2b:
    if not -MOST_SEED <= seed < MOST_SEED:
        raise DiceError("a seed is a whole number of at most 255 bits")
    return blake2b(key=seed.to_bytes(32, "big", signed=True), digest_size=size)


def _restored(seed: int, counts: dict[str, int], drawn: list[Draw]) -> SeededDice:
    """Dice that were sent to another process."""
    dice = SeededDice(seed, counts)
    dice.drawn = drawn
    return dice


class ScriptedDice:
    """Dice that give what they were given: a replayed log, or a test.

    Examples:
        >>> dice = ScriptedDice([("combat", 3), 5])
        >>> dice.roll("combat"), dice.roll("weather"), dice.left
        (3, 5, 0)
        >>> dice.roll("combat")
        Traceback (most recent call last):
        ...
        rasputitsa.core.dice.DiceError: a combat die is needed, but no more dice are given
    """

    def __init__(self, outcomes: Iterable[Draw | tuple[str, int] | int]) -> None:
        self._queue = [die if isinstance(die, int) else Draw(*die) for die in outcomes]
        self._next = 0
        self.drawn: list[Draw] = []

    @property
    def left(self) -> int:
        """How many outcomes have not been used."""
        return len(self._queue) - self._next

    def roll(self, stream: str, sides: int = DIE) -> int:
        """The next outcome; raises ``DiceError`` if there is none or it does not fit."""
        if self._next >= len(self._queue):
            raise DiceError(f"a {stream} die is needed, but no more dice are given")
        entry = self._queue[self._next]
        given, value, told = Draw(stream, entry) if isinstance(entry, int) else entry
        if given != stream:
            raise DiceError(f"a {stream} die is needed, but the record holds a {given} die")
        if told not in (0, sides):
            raise DiceError(f"a {stream} die of {sides} is needed, but the record holds one of {told}")
        if not 1 <= value <= sides:
            raise DiceError(f"a {stream} die of {sides} cannot show {value}")
        self._next += 1
        self.drawn.append(Draw(stream, value, sides))
        return value


class NoDice:
    """Dice that cannot be cast: for trying out what depends on no die."""

    def __init__(self) -> None:
        self.drawn: list[Draw] = []

    def roll(self, stream: str, sides: int = DIE) -> int:
        """Raises ``NoDiceError``."""
        raise NoDiceError(f"a {stream} die is needed")
