"""Where the dice of a game come from, and whether the recorded dice did come from there.

A game has one or more sources of dice, each for the entries from a number on. The server draws a secret seed and
publishes a salted digest of it; each player brings a share. What the dice are made of is a hash of both, so that
neither alone can choose them. Seed and salt are published when the game is over. A source whose seed is not on record
still counts its dice, so that what follows can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, NotRequired, TypedDict

from rasputitsa.core.dice import Draw, SeededDice
from rasputitsa.core.errors import IllegalAction, SaveError

Made = Literal["drawn", "chosen", "plain", "letters"]
DRAWN: Final = "drawn"
"""The seed was drawn by a server; the shares of the players go into the dice."""
CHOSEN: Final = "chosen"
"""The seed was chosen by the person who started the game."""
PLAIN: Final = "plain"
"""The seed stands in the header, as in saved games of before; nothing tells who made it."""
LETTERS: Final = "letters"
"""The seed was made of a letter of one player and a share that another had promised; its numbers begin at 0."""

By = Literal["player", "server"]
PLAYER: Final = "player"
SERVER: Final = "server"

SEED_LIMIT = 2**256
UNGUESSED = 2**100
"""A seed this large is not found by trying."""
_SEED = re.compile(r"-?[0-9]{1,78}")
_HEX = re.compile(r"[0-9a-f]{32,64}")
_SHARE = re.compile(r"[0-9a-f]{32}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_MOST = 64
KEPT_FAULTS = 20


_From = TypedDict("_From", {"from": int})


class SourceLine(_From):
    """A source as a record tells it; seed and salt where they are no secret."""

    made: Made
    digest: str
    seed: NotRequired[str]
    salt: NotRequired[str]
    shares: list[tuple[str, str, By]]
    """Seat, 128 bits in hexadecimal, and who drew them: "player" or "server"."""
    awaits: NotRequired[list[str]]
    skip: NotRequired[dict[str, int]]


class Share(NamedTuple):
    """What a seat adds to the dice: 128 random bits in hexadecimal, and who drew them."""

    seat: str
    text: str
    by: By = PLAYER


class Source(NamedTuple):
    """Where the dice come from, from entry number ``start`` on (counted from 0)."""

    start: int
    made: Made
    digest: str
    seed: int | None
    salt: str = ""
    shares: tuple[Share, ...] = ()
    awaits: tuple[str, ...] = ()
    """Seats whose share is still to come; until then no die is cast."""
    skip: tuple[tuple[str, int], ...] = ()
    """How many numbers of each stream were taken back by agreement before this source begins."""

    def __repr__(self) -> str:
        return f"Source({self.start}, {self.made!r}, {self.digest!r})"  # never the seed

    @property
    def key(self) -> int | None:
        """The seed of ``SeededDice``; None where the seed is not known."""
        if self.seed is None or self.made != DRAWN:
            return self.seed
        lines = ["rasputitsa dice", self.salt, str(self.seed), *(f"{share.seat} {share.text}" for share in self.shares)]
        return int.from_bytes(sha256("\n".join(lines).encode()).digest(), "big", signed=True)

    @property
    def kept_word(self) -> bool:
        """Whether the seed is the one whose digest was published; true as long as the seed is secret."""
        if self.seed is None or (self.made == PLAIN and not self.digest):
            return True
        return self.digest == digest_of(self.seed, self.salt)

    def sealed(self) -> Source:
        """The same without what would foretell the dice; a digest without salt lets a small seed be found by trying."""
        guessed = self.seed is not None and not self.salt and abs(self.seed) < UNGUESSED
        return self._replace(seed=None, salt="", digest="" if guessed else self.digest)

    def to_json(self) -> SourceLine:
        """Plain JSON values; numbers too long for other languages as text."""
        shares = [(share.seat, share.text, share.by) for share in self.shares]
        line: SourceLine
        if self.seed is None:
            line = {"from": self.start, "made": self.made, "digest": self.digest, "shares": shares}
        else:
            line = {
                "from": self.start, "made": self.made, "digest": self.digest, "seed": str(self.seed),
                "salt": self.salt, "shares": shares,
            }  # fmt: skip
        if self.awaits:
            line["awaits"] = list(self.awaits)
        if self.skip:
            line["skip"] = dict(self.skip)
        return line

    @classmethod
    def from_json(cls, line: Any) -> Source:
        """The source of a parsed line; raises ``SaveError``."""
        known = {"from", "made", "digest", "seed", "salt", "shares", "awaits", "skip"}
        if not isinstance(line, dict) or not set(line) <= known:
            raise _bad("source")
        start, made, seed = line.get("from"), line.get("made"), line.get("seed")
        if not isinstance(start, int) or isinstance(start, bool) or start < 0:
            raise _bad("beginning")
        if made not in (DRAWN, CHOSEN, PLAIN, LETTERS):
            raise _bad("kind of seed")
        if seed is not None and (not isinstance(seed, str) or not _SEED.fullmatch(seed)):
            raise _bad("seed")
        number = None if seed is None else int(seed)
        if number is not None and abs(number) >= (SEED_LIMIT if made == DRAWN else SEED_LIMIT // 2):
            raise _bad("seed")
        return cls(
            start, made, _hex(line, "digest"), number, _hex(line, "salt"),
            tuple(_share(share) for share in _listed(line, "shares", list)),
            tuple(_seat(seat) for seat in _listed(line, "awaits", str)), _skipped(line.get("skip", {})),
        )  # fmt: skip


def digest_of(seed: int, salt: str) -> str:
    """What is published of a seed; without salt as it was published before there was salt."""
    text = f"rasputitsa digest\n{salt}\n{seed}" if salt else str(seed)
    return sha256(text.encode()).hexdigest()


def is_share(text: str) -> bool:
    """Whether a text can be a share: 128 bits, 32 small hexadecimal digits."""
    return _SHARE.fullmatch(text) is not None


def plain(seed: int) -> Source:
    """The source of a game whose seed stands in its header."""
    return Source(0, PLAIN, digest_of(seed, ""), seed)


def followed(sources: Sequence[Source], new: Source) -> list[Source]:
    """The sources when another one takes over; those that would begin there or later are gone."""
    return [*(source for source in sources if source.start < new.start), new]


def rewound(sources: Sequence[Source], version: int) -> list[Source]:
    """The sources of a game that goes back to its first ``version`` entries: the last one stays in force."""
    last = sources[-1]
    return followed(sources, last._replace(start=version)) if last.start > version else list(sources)


def passed_over(
    sources: Sequence[Source], onward: Source, version: int, cast: Mapping[str, int], kept: Mapping[str, int]
) -> list[Source]:
    """The sources when those dice that were cast and not kept do not come again.

    Args:
        onward: where the dice come from now, at the first ``version`` entries.
        cast: the next number of each stream before something was taken back.
        kept: the same after it.
    """
    again = next((source.skip for source in sources if source.start == version), ())
    skip = {stream: number - kept.get(stream, 0) for stream, number in cast.items()}
    for stream, taken in again:
        skip[stream] = skip.get(stream, 0) + taken
    left = tuple((stream, taken) for stream, taken in skip.items() if taken)
    return followed(sources, onward._replace(start=version, skip=left))


def numbers(sources: Sequence[Source], rolled: Sequence[Iterable[Draw]]) -> dict[str, int]:
    """The next number of each stream after entries with these dice."""
    counts: dict[str, int] = {}
    for source in sources:
        if source.start <= len(rolled):
            for stream, taken in source.skip:
                counts[stream] = counts.get(stream, 0) + taken
    for dice in rolled:
        for draw in dice:
            counts[draw.stream] = counts.get(draw.stream, 0) + 1
    return counts


def check_order(sources: Sequence[Source]) -> None:
    """Raises ``SaveError`` unless the first source begins the game and each later one begins later."""
    starts = [source.start for source in sources]
    if starts and (starts[0] != 0 or starts != sorted(set(starts))):
        raise SaveError("the sources of the dice in the header of the saved game are out of order")


class WaitingDice(SeededDice):
    """Dice that cannot be cast now."""

    def __init__(self, reason: str, counts: dict[str, int]) -> None:
        super().__init__(0, counts)
        self.reason = reason

    def roll(self, stream: str, sides: int = 6) -> int:
        """Raises ``IllegalAction``."""
        raise IllegalAction(self.reason)


def dice_of(source: Source, counts: dict[str, int]) -> SeededDice:
    """Dice to go on with; where a share or the seed is missing, dice that say so."""
    if source.awaits:
        return WaitingDice(f"no die is cast before {' and '.join(source.awaits)} has taken its seat", counts)
    key = source.key
    if key is None:
        return WaitingDice("this saved game does not hold the seed of its dice; it needs new ones to go on", counts)
    return SeededDice(key, counts)


class Fault(NamedTuple):
    """A recorded die that does not come from its source."""

    entry: int
    stream: str
    number: int
    value: int
    due: int


class Audit:
    """Recorded dice held against their sources, entry by entry."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = list(sources)
        self._dice: SeededDice | None = None
        self.entries = 0
        self.counts: dict[str, int] = {}
        self._before: dict[str, int] = {}
        """How many dice of each stream fell before the numbers began at 0 again."""
        self.confirmed: dict[str, int] = {}
        self.unknown: dict[str, int] = {}
        """Dice that nothing on record can confirm, by stream."""
        self.unknown_until = 0
        """Number of the last entry with such dice, counted from 1."""
        self.faults: list[Fault] = []
        self.broken_word = [source for source in sources if not source.kept_word]
        self._begin()

    def _begin(self) -> None:
        while self._sources and self._sources[0].start <= self.entries:
            source = self._sources.pop(0)
            for stream, taken in source.skip:
                self.counts[stream] = self.counts.get(stream, 0) + taken
            key = source.key
            self._dice = None if key is None else SeededDice(key)
            if source.made == LETTERS:
                self._before = dict(self.counts)

    def add(self, dice: Iterable[Draw]) -> None:
        """The dice of the next entry."""
        for draw in dice:
            number = self.counts.get(draw.stream, 0)
            self.counts[draw.stream] = number + 1
            if self._dice is None or not draw.sides:
                self.unknown[draw.stream] = self.unknown.get(draw.stream, 0) + 1
                self.unknown_until = self.entries + 1
                continue
            number -= self._before.get(draw.stream, 0)
            due = self._dice.value(draw.stream, number, draw.sides)
            if due == draw.value:
                self.confirmed[draw.stream] = self.confirmed.get(draw.stream, 0) + 1
            else:
                self.faults.append(Fault(self.entries, draw.stream, number, draw.value, due))
        self.entries += 1
        self._begin()

    def to_json(self) -> dict[str, Any]:
        """What has been found so far, to go on from; of dice that differ only the first ones."""
        return {
            "entries": self.entries, "counts": self.counts, "confirmed": self.confirmed, "unknown": self.unknown,
            "unknown_until": self.unknown_until, "faults": [list(fault) for fault in self.faults[:KEPT_FAULTS]],
            "before": self._before,
        }  # fmt: skip

    @classmethod
    def resumed(cls, sources: Sequence[Source], line: Mapping[str, Any]) -> Audit:
        """Go on from what had been found."""
        audit = cls(())
        audit.broken_word = [source for source in sources if not source.kept_word]
        audit.entries, audit.unknown_until = line["entries"], line["unknown_until"]
        audit.confirmed, audit.unknown = dict(line["confirmed"]), dict(line["unknown"])
        audit.faults = [Fault(*fault) for fault in line["faults"]]
        audit._sources = list(sources)
        audit._begin()
        audit.counts, audit._before = dict(line["counts"]), dict(line.get("before", {}))
        return audit

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against the dice."""
        return not self.faults and not self.broken_word

    @property
    def words(self) -> str:
        """The result in one sentence."""
        if not self.sound:
            return self._fault
        unknown, confirmed = sum(self.unknown.values()), sum(self.confirmed.values())
        if unknown:
            rest = f" {_dice(confirmed)} after that can." if confirmed else ""
            return (
                f"The dice up to entry {self.unknown_until} cannot be confirmed, for the record does not hold "
                f"what they were made of ({_dice(unknown)}).{rest}"
            )
        return f"Every die comes from the seed ({_dice(confirmed)})." if confirmed else "No die has been cast."

    @property
    def words_so_far(self) -> str:
        """The same while secrets are left: how many dice fell is not disclosed."""
        if not self.sound:
            return self._fault
        if self.unknown:
            return "The dice of the beginning cannot be confirmed, for the record does not hold what they were made of."
        return "So far every die comes from the seed."

    @property
    def _fault(self) -> str:
        if self.broken_word:
            return "The seed is not the one whose digest was published."
        return f"The dice differ from the seed, the first in entry {self.faults[0].entry + 1}."


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def _bad(what: str) -> SaveError:
    return SaveError(f"the header of the saved game has a bad {what} of its dice")


def _hex(line: Mapping[str, Any], name: str) -> str:
    value = line.get(name, "")
    if not isinstance(value, str) or (value and not _HEX.fullmatch(value)):
        raise _bad(name)
    return value


def _listed(line: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    values = line.get(name, [])
    if not isinstance(values, list) or len(values) > _MOST or not all(isinstance(value, kind) for value in values):
        raise _bad("list of seats")
    return values


def _share(value: list[Any]) -> Share:
    if len(value) != 3 or not all(isinstance(part, str) for part in value):
        raise _bad("share")
    share = Share(*value)
    if not is_share(share.text) or share.by not in (PLAYER, SERVER):
        raise _bad("share")
    return share._replace(seat=_seat(share.seat))


def _seat(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise _bad("seat")
    return value


def _skipped(value: Any) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, dict) or len(value) > _MOST:
        raise _bad("number")
    for stream, number in value.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**53 or len(stream) > 40:
            raise _bad("number")
    return tuple(value.items())
