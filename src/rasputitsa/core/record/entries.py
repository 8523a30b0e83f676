"""Header and entries of a record, and how they are written and read. Nothing is played here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rasputitsa.core.dice import Draw
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record import save_format
from rasputitsa.core.record.seeds import Source, check_order, plain

FORMAT = "rasputitsa-game"
FORMAT_VERSION = 2
CONTROL = "@control"
HINTS_ON, HINTS_OFF, OPENED, CAME, LEFT = "@hints on", "@hints off", "@opened", "@came", "@left"
RESTORED, SHOWN, TIMED = "@restored", "@shown", "@timed"
REMARKS = frozenset({HINTS_ON, HINTS_OFF, OPENED, CAME, LEFT, RESTORED, SHOWN, TIMED})
"""Entries that tell what the people at the table have done, and change nothing in the game."""
RESIGNED, DRAWN = "@resigned", "@drawn"
ENDINGS = frozenset({RESIGNED, DRAWN})
"""Entries with which the people at the table end a game that its rules would let go on."""
RESUMED = "@resumed"
"""The action of an entry after which a game goes on from a stored position, since its rules have changed."""


class Entry(NamedTuple):
    """One line of the log: who did what, and how the dice fell.

    ``action`` is notation; an entry starting with ``@`` records a change at the table, such as a seat
    handed to the computer, and does not touch the position.
    """

    seat: str
    action: str
    dice: tuple[Draw, ...] = ()
    after: str = ""
    """The beginning of the fingerprint of the position it led to; empty where nobody noted it."""
    position: dict[str, Any] | None = None
    """The position itself, in an entry after which the game goes on from there."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        line: dict[str, Any] = {"seat": self.seat, "action": self.action}
        if self.dice:
            line["dice"] = [list(draw) if draw.sides else [draw.stream, draw.value] for draw in self.dice]
        if self.after:
            line["after"] = self.after
        if self.position is not None:
            line["position"] = self.position
        return line

    @classmethod
    def from_json(cls, line: Any) -> Entry:
        """The entry of a parsed line; raises ``SaveError``."""
        try:
            dice = tuple(_draw(*shown) for shown in line.get("dice", ()))
            seat, action = line["seat"], line["action"]
            after, position = line.get("after", ""), line.get("position")
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as problem:
            raise SaveError(f"an entry needs seat, action and dice, not {line!r:.120}") from problem
        if not isinstance(seat, str) or not isinstance(action, str) or not isinstance(after, str):
            raise SaveError(f"seat, action and fingerprint of an entry are texts, not {line!r:.120}")
        if (position is not None) != (action == RESUMED) or not isinstance(position, (dict, type(None))):
            raise SaveError(f"a position belongs to {RESUMED} alone, not to {line!r:.120}")
        return cls(seat, action, dice, after, position)


def _draw(stream: object, value: object, sides: object = 0) -> Draw:
    if isinstance(stream, str) and type(value) is int and type(sides) is int and sides >= 0:
        return Draw(stream, value, sides)
    raise ValueError("a die is a stream, a number and its sides")


@dataclass
class Header:
    """What a game was started with."""

    game: str
    scenario: str
    options: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    rules_version: int = 1
    title: str = ""
    controllers: dict[str, str] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    start: str = ""
    """Fingerprint of the position it begins with, which other data would change."""
    dice: list[Source] = field(default_factory=list)
    """Where the dice come from; of a game without such a list they come from ``seed``."""
    data: str = ""
    """The version of the game's data that it is played with to its end; empty in older records."""
    rules: str = ""
    """Version and digest of the rules it was begun under; empty in older records."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        line: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION, **vars(self)}
        if self.position is None:
            del line["position"]
        if self.dice:
            line["dice"] = [source.to_json() for source in self.dice]
            del line["seed"]
        else:
            del line["dice"]
        return line

    @property
    def sources(self) -> list[Source]:
        """Where the dice come from; never empty."""
        return self.dice or [plain(self.seed)]

    def sealed(self) -> Header:
        """The same without what would foretell the dice."""
        return replace(self, seed=0, dice=[source.sealed() for source in self.sources])

    @property
    def lesson(self) -> str | None:
        """The lesson this is a game of, if it is one."""
        head = (self.position or {}).get("lesson")
        name = head.get("id") if isinstance(head, dict) else None
        return name if isinstance(name, str) else None

    @classmethod
    def from_json(cls, line: Any) -> Header:
        """The header of a parsed line; raises ``SaveError`` for another format or a newer version."""
        if not isinstance(line, dict) or line.get("format") != FORMAT:
            raise SaveError("this is not a saved game of this program")
        version = line.get("format_version")
        if not isinstance(version, int) or version < 1:
            raise SaveError("the saved game does not say which format version it has")
        if version > FORMAT_VERSION:
            raise SaveError(
                f"the saved game has format version {version}; this program reads up to {FORMAT_VERSION}. "
                "Update the program to open it"
            )
        kinds: dict[str, type | tuple[type, ...]] = {
            "game": str, "scenario": str, "options": dict, "seed": int, "rules_version": int,
            "title": str, "controllers": dict, "position": (dict, type(None)), "start": str, "dice": list,
            "data": str, "rules": str,
        }  # fmt: skip
        unknown = set(line) - set(kinds) - {"format", "format_version"}
        if unknown:
            raise SaveError(f"the header of the saved game has the unknown field {min(unknown)!r:.40}")
        values = {}
        for name, kind in kinds.items():
            if name not in line:
                if name in ("game", "scenario"):
                    raise SaveError(f"the header of the saved game lacks {name!r}")
                continue
            if not isinstance(line[name], kind) or isinstance(line[name], bool):
                raise SaveError(f"the header of the saved game has a bad value for {name!r}")
            values[name] = line[name]
        for name in ("options", "controllers"):
            if any(not isinstance(value, str) for value in values.get(name, {}).values()):
                raise SaveError(f"the header of the saved game has a bad value in {name!r}")
        values["dice"] = [Source.from_json(source) for source in values.get("dice", ())]
        check_order(values["dice"])
        return cls(**values)


def read_save(text: str) -> tuple[Header, list[Entry], dict[str, Any]]:
    """Header, entries and closing line of a saved game, not yet played.

    Raises:
        SaveError: naming the line that is wrong.
    """
    parsed = save_format.parsed(text)
    if len(parsed) < 2:
        raise SaveError("the saved game is cut short: a header and an end line are needed")
    header = Header.from_json(parsed[0])
    save_format.check_header(parsed[0])
    end = parsed[-1]
    if not isinstance(end, dict) or "end" not in end:
        raise SaveError("the saved game is cut short: its end line is missing")
    if end["end"] != len(parsed) - 2:
        raise SaveError(f"the saved game should have {end['end']!r:.40} entries but has {len(parsed) - 2}")
    for line in parsed[1:-1]:
        save_format.check_entry(line)
    return header, [Entry.from_json(line) for line in parsed[1:-1]], end
