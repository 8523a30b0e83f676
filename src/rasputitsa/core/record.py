"""The record of a game: a header and what was done, with every chance outcome. The record is the truth.

A saved game is JSON lines: the header, one line an entry, and a closing line with the number of entries
and the fingerprint of the position they lead to. Reading a record replays it with the recorded dice.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rasputitsa.core.actions import Event
from rasputitsa.core.dice import Draw, ScriptedDice, SeededDice
from rasputitsa.core.errors import IllegalAction, RasputitsaError, SaveError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import get_game

FORMAT = "rasputitsa-game"
FORMAT_VERSION = 1
CONTROL = "@control"
HALT = "halt"


class Entry(NamedTuple):
    """One line of the log: who did what, and how the dice fell.

    ``action`` is notation; an entry starting with ``@`` records a change at the table, such as a seat
    handed to the computer, and does not touch the position.
    """

    seat: str
    action: str
    dice: tuple[Draw, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        line: dict[str, Any] = {"seat": self.seat, "action": self.action}
        if self.dice:
            line["dice"] = [list(draw) for draw in self.dice]
        return line

    @classmethod
    def from_json(cls, line: Any) -> Entry:
        """The entry of a parsed line; raises ``SaveError``."""
        try:
            dice = tuple(Draw(str(stream), int(value)) for stream, value in line.get("dice", ()))
            seat, action = line["seat"], line["action"]
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise SaveError(f"an entry needs seat, action and dice, not {line!r:.120}") from problem
        if not isinstance(seat, str) or not isinstance(action, str):
            raise SaveError(f"seat and action of an entry are texts, not {line!r:.120}")
        return cls(seat, action, dice)


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

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        line: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION, **vars(self)}
        if self.position is None:
            del line["position"]
        return line

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
            "title": str, "controllers": dict, "position": (dict, type(None)), "start": str,
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
        return cls(**values)


@contextmanager
def _no_collection() -> Iterator[None]:
    """What a record leaves behind all stays; to look through it for garbage again and again is a fifth of the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


class Session:
    """A game being played or read: the position now, and the record that led to it."""

    SNAPSHOT_EVERY = 64

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game: Game[Any] = get_game(header.game)
        if header.rules_version > self.game.rules_version:
            raise SaveError(
                f"this game was played with rules version {header.rules_version}; "
                f"this program knows up to {self.game.rules_version}. Update the program to open it"
            )
        self.state: Any = self._start()
        self.entries: list[Entry] = []
        self.events: list[list[Event]] = []
        self.places: list[tuple[str, str] | None] = []
        """Turn and phase in which each entry was made, where the game can tell that quickly."""
        self.controllers = dict(header.controllers)
        self.dice = SeededDice(header.seed)
        self._snapshots: dict[int, Any] = {0: self.game.copy(self.state)}

    def _start(self) -> Any:
        if self.header.position is not None:
            return self.game.load_position(self.header.position)
        return self.game.setup(self.header.scenario, self.header.options)

    @property
    def version(self) -> int:
        """How many entries the record has."""
        return len(self.entries)

    def decision(self) -> Decision | None:
        """Who must decide what now."""
        return self.game.decision(self.state)

    def play(self, text: str, seat: str | None = None) -> list[Entry]:
        """Play one line of notation, whole or not at all, and return the new entries.

        Raises:
            IllegalAction: not legal now, or not for this seat.
            NotationError: cannot be read.
        """
        trial, counts = self.game.copy(self.state), dict(self.dice.counts)
        played: list[tuple[Entry, list[Event], tuple[str, str] | None]] = []
        try:
            actions = self.game.parse(trial, text)
            for action in actions:
                decision = self.game.decision(trial)
                if len(actions) > 1 and action.verb == HALT and not (decision and action in decision.options):
                    continue  # the compound line closes a move that has ended by itself
                if decision is None:
                    raise IllegalAction("the game is over")
                if seat is not None and decision.seat != seat:
                    raise IllegalAction(f"it is {decision.seat} who must decide now, not {seat}")
                self.dice.drawn = []
                notation, place = self.game.format(trial, action), self.game.place(trial)
                events = self.game.apply(trial, action, self.dice)
                played.append((Entry(decision.seat, notation, tuple(self.dice.drawn)), events, place))
        except BaseException:
            self.dice.counts = counts
            raise
        self.state = trial
        for entry, events, place in played:
            self._note(entry, events, place)
        if played:
            self._snapshot()
        return [entry for entry, _, _ in played]

    def set_controller(self, seat: str, controller: str) -> Entry:
        """Hand a seat to another kind of player; the change goes on record."""
        entry = Entry(seat, f"{CONTROL} {controller}")
        self.controllers[seat] = controller
        self._note(entry, [], self.game.place(self.state))
        return entry

    def _note(self, entry: Entry, events: list[Event], place: tuple[str, str] | None) -> None:
        self.entries.append(entry)
        self.events.append(events)
        self.places.append(place)

    def _snapshot(self) -> None:
        self._snapshots[self.version] = self.game.copy(self.state)
        if len(self._snapshots) > 2 * self.SNAPSHOT_EVERY:
            keep_from = self.version - self.SNAPSHOT_EVERY
            last_kept = 0
            for version in sorted(self._snapshots):
                if 0 < version < keep_from:
                    if version - last_kept < self.SNAPSHOT_EVERY:
                        del self._snapshots[version]
                    else:
                        last_kept = version

    def replay_entry(self, entry: Entry) -> None:
        """Add a recorded entry, with its recorded dice; raises ``SaveError`` if it does not fit."""
        if entry.action.startswith("@"):
            if entry.action.startswith(CONTROL):
                self.controllers[entry.seat] = entry.action[len(CONTROL) :].strip()
            self._note(entry, [], self.game.place(self.state))
            return
        number, place = self.version + 1, self.game.place(self.state)
        try:
            action = self.game.read(self.state, entry.action)
            if self.game.to_move(self.state) != entry.seat:
                raise SaveError(f"entry {number}: it is not {entry.seat} who decides here")
            dice = ScriptedDice(entry.dice)
            events = self.game.apply(self.state, action, dice)
        except SaveError:
            raise
        except (RasputitsaError, ValueError) as problem:
            raise SaveError(f"entry {number} ({entry.action!r:.80}) cannot be replayed: {problem}") from problem
        if dice.left:
            raise SaveError(f"entry {number} ({entry.action!r:.80}) records more dice than were rolled")
        for stream, _ in entry.dice:
            self.dice.counts[stream] = self.dice.counts.get(stream, 0) + 1
        self._note(entry, events, place)
        if self.version % self.SNAPSHOT_EVERY == 0:
            self._snapshots[self.version] = self.game.copy(self.state)

    def state_at(self, version: int) -> Any:
        """The position after the first ``version`` entries."""
        if not 0 <= version <= self.version:
            raise SaveError(f"this game has {self.version} entries, not {version}")
        start = max(known for known in self._snapshots if known <= version)
        state = self.game.copy(self._snapshots[start])
        for entry in self.entries[start:version]:
            if not entry.action.startswith("@"):
                self.game.apply(state, self.game.read(state, entry.action), ScriptedDice(entry.dice))
        return state

    def can_undo(self, seat: str | None = None) -> bool:
        """Whether the last entry may be taken back: no die fell, and the same seat still decides."""
        if not self.entries:
            return False
        last = self.entries[-1]
        if last.dice or last.action.startswith("@") or (seat is not None and last.seat != seat):
            return False
        decision = self.decision()
        return decision is not None and decision.seat == last.seat

    def undo(self, seat: str | None = None) -> Entry:
        """Take the last entry back; raises ``IllegalAction`` beyond the last die or change of seat."""
        if not self.can_undo(seat):
            raise IllegalAction("nothing can be taken back beyond the last die roll or change of seat")
        return self.rewind(self.version - 1)

    def rewind(self, version: int) -> Entry:
        """Drop everything after the first ``version`` entries, as agreed by both players."""
        self.state = self.state_at(version)
        dropped = self.entries[version]
        for entry in self.entries[version:]:
            for stream, _ in entry.dice:
                self.dice.counts[stream] -= 1
        del self.entries[version:], self.events[version:], self.places[version:]
        self._snapshots = {v: s for v, s in self._snapshots.items() if v <= version}
        self.controllers = dict(self.header.controllers)
        for entry in self.entries:
            if entry.action.startswith(CONTROL):
                self.controllers[entry.seat] = entry.action[len(CONTROL) :].strip()
        return dropped

    def save_lines(self) -> Iterator[str]:
        """The saved game, a line at a time, without line ends."""
        yield json.dumps(self.header.to_json(), ensure_ascii=False, sort_keys=True)
        for entry in self.entries:
            yield json.dumps(entry.to_json(), ensure_ascii=False)
        yield json.dumps({"end": len(self.entries), "position": self.game.fingerprint(self.state)})

    def save(self) -> str:
        """The saved game as one text."""
        return "\n".join(self.save_lines()) + "\n"

    @classmethod
    def load(cls, text: str) -> Session:
        """A session from a saved game; raises ``SaveError`` naming the line that is wrong."""
        parsed: list[Any] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                parsed.append(json.loads(line))
            except (ValueError, RecursionError) as problem:
                raise SaveError(f"line {number} of the saved game is not JSON") from problem
        if len(parsed) < 2:
            raise SaveError("the saved game is cut short: a header and an end line are needed")
        header = Header.from_json(parsed[0])
        end = parsed[-1]
        if not isinstance(end, dict) or "end" not in end:
            raise SaveError("the saved game is cut short: its end line is missing")
        if end["end"] != len(parsed) - 2:
            raise SaveError(f"the saved game should have {end['end']!r} entries but has {len(parsed) - 2}")
        session = cls.from_entries(header, [Entry.from_json(line) for line in parsed[1:-1]])
        if "position" in end and end["position"] != session.game.fingerprint(session.state):
            raise SaveError("the saved game does not lead to the position it claims")
        return session

    @classmethod
    def from_entries(cls, header: Header, entries: list[Entry]) -> Session:
        """A session that replays recorded entries; raises ``SaveError``."""
        try:
            session = cls(header)
        except RasputitsaError as problem:
            raise SaveError(f"the saved game cannot be started: {problem}") from problem
        if header.start and header.start != session.game.fingerprint(session.state):
            raise SaveError(
                "the saved game begins with another position than this program does: its units or places have been "
                "edited since. Open it with the version, or the data, it was made with"
            )
        with _no_collection():
            for entry in entries:
                session.replay_entry(entry)
        return session


def new_session(
    game: str,
    scenario: str,
    options: Mapping[str, str] | None = None,
    *,
    seed: int,
    title: str = "",
    controllers: Mapping[str, str] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Session:
    """Start a game from a scenario, or from a position file's table; raises ``SetupError``."""
    rules = get_game(game)
    header = Header(
        game=game, scenario=scenario, options=dict(options or {}), seed=seed,
        rules_version=rules.rules_version, title=title, controllers=dict(controllers or {}),
        position=None if position is None else dict(position),
    )  # fmt: skip
    session = Session(header)
    header.start = session.game.fingerprint(session.state)
    return session


def lesson_session(
    game: str, lesson: str, *, seed: int, title: str = "", controllers: Mapping[str, str] | None = None
) -> Session:
    """Start a lesson; raises ``SetupError``."""
    position = get_game(game).lesson(lesson)
    return new_session(
        game, str(position.get("scenario", "")), position.get("options", {}), seed=seed, title=title,
        controllers=controllers, position=position,
    )  # fmt: skip
