"""The record of a game: a header and what was done, with every chance outcome. The record is the truth.

A saved game is JSON lines: the header, one line an entry, and a closing line with the number of entries
and the position they lead to. Reading a record replays it with the recorded dice, and compares each position
with the fingerprint that was noted.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from rasputitsa.core import lines
from rasputitsa.core.actions import Outcome
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import IllegalAction, RasputitsaError, RulesChangedError, SaveError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Decision, Game, SeatInfo
from rasputitsa.core.record import undo
from rasputitsa.core.record.ending import Ending, check_entry, outcome_of
from rasputitsa.core.record.entries import CONTROL, ENDINGS, RESUMED, Entry, Header, read_save
from rasputitsa.core.record.seeds import Audit, Source, dice_of, numbers, passed_over, rewound
from rasputitsa.core.record.snapshot import Past, Snapshot, ledgers
from rasputitsa.core.record.starting import check_position, game_for, start_position, versions_of
from rasputitsa.core.registry import rules_digest

CHANGED = "the rules of this program have changed since then; this part of the match cannot be gone back to"


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


class _Kept(NamedTuple):
    """A position on the way, with what else is needed to go on from it."""

    state: Any
    dice: dict[str, int]
    controllers: dict[str, str]


class Session:
    """A game being played or read: the position now, and the record that led to it.

    Examples:
        >>> from rasputitsa.core.record.new import new_session
        >>> match = new_session("portfolio", "june22", seed=1941)
        >>> entries = match.play("done")
        >>> again = Session.load(match.save())
        >>> again.game.fingerprint(again.state) == match.game.fingerprint(match.state)
        True
    """

    SNAPSHOT_EVERY = 64

    def __init__(self, header: Header, at: Snapshot | None = None, past: Past | None = None) -> None:
        """Start a game, or go on from a snapshot; then ``past`` has whatever lies before it.

        Raises:
            SetupError: there is no such game, scenario, option or version of the data.
            SaveError: it was played under newer rules, or the snapshot makes no sense.
        """
        self.header = header if at is None else replace(header, dice=list(map(Source.from_json, at.sources)))
        header = self.header
        self.game: Game[Any] = game_for(header)
        self._past = past
        version = 0 if at is None else at.version
        self.entries, self.events, self.places = ledgers(version, past)
        """The entries, what came of each, and the turn and phase each was made in."""
        self.state: Any = start_position(self.game, header) if at is None else self._thawed(at)
        self.controllers = dict(header.controllers if at is None else at.controllers)
        self.floor = 0 if at is None else at.floor
        """How many entries lie before the position the game goes on from, since its rules have changed; else 0."""
        self.ending: Ending | None = None if at is None or at.ending is None else Ending(*at.ending)
        """The entry with which people ended the game before its rules did."""
        begun = [source for source in header.sources if source.start <= version]
        self.dice = dice_of(begun[-1], numbers(begun, []) if at is None else dict(at.dice))
        self._later = {source.start: source for source in header.sources if source.start > version}
        told = at.audit if at is not None else None
        self._audit = Audit(header.sources) if told is None else Audit.resumed(header.sources, told)
        self._snapshots: dict[int, _Kept] = {}
        self._floors = undo.Floors()
        self._asked: tuple[int, Any, Decision | None] = (-1, None, None)
        """The decision that was asked for last, after how many entries, and in which position."""
        self.seats: list[SeatInfo] = self.game.seats(header.options)
        """The seats of the game with the options that are played."""
        self._keep()

    def _thawed(self, at: Snapshot) -> Any:
        state = self.game.thaw(at.state, self.header.scenario, self.header.options)
        if lines.short_print(self.game, state) != at.after:
            raise SaveError("a stored position is not the one it claims to be")
        return state

    @property
    def version(self) -> int:
        """How many entries the record has."""
        return len(self.entries)

    def decision(self) -> Decision | None:
        """Who must decide what now; None when the game is over."""
        if self.ending:
            return None
        version, state, decision = self._asked
        if version != self.version or state is not self.state:
            decision = self.game.decision(self.state)
            self._asked = self.version, self.state, decision
        return decision

    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or at the table; None as long as it goes on."""
        if self.ending is None:
            return self.game.outcome(self.state)
        return outcome_of(self.ending, self.seats)

    def play(self, text: str, seat: str | None = None) -> list[Entry]:
        """Play one line of notation, whole or not at all, and return the new entries.

        The last order may cast dice, reveal something or hand the decision on; a line that goes on after one that
        does is refused, so that no refusal tells what would have come.

        Raises:
            IllegalAction: not legal now, or not for this seat.
            NotationError: cannot be read.
        """
        mover = self.game.to_move(self.state)
        if mover is None or self.ending:
            raise IllegalAction("the game is over")
        counts = dict(self.dice.counts)
        try:
            trial, played = lines.perform(self.game, self.state, text, mover if seat is None else seat, self.dice)
        except BaseException:
            self.dice.counts = counts
            raise
        self.state = trial
        for order in played:
            self._note(Entry(order.seat, order.notation, order.dice, order.after), order.events, order.place)
        self._snapshot()
        return self.entries[-len(played) :]

    def take_dice_from(self, source: Source) -> None:
        """Let the dice come from another source from now on; the numbers of the streams go on."""
        self.change_sources(passed_over(self.header.sources, source, self.version, {}, {}))

    def change_sources(self, sources: list[Source]) -> None:
        """Let the dice come from these sources, also those of entries that are to come."""
        if sources != self.header.sources:
            self.header.dice = sources
        self._later = {source.start: source for source in sources[1:]}
        self._audit = Audit(sources)
        self.dice = dice_of(sources[-1], numbers(sources, [entry.dice for entry in self.entries]))

    def audit(self) -> Audit:
        """The recorded dice held against where they are said to come from."""
        for entry in self.entries[self._audit.entries :]:
            self._audit.add(entry.dice)
        return self._audit

    def set_controller(self, seat: str, controller: str) -> Entry:
        """Hand a seat to another kind of player; the change goes on record."""
        entry = Entry(seat, f"{CONTROL} {controller}")
        self.controllers[seat] = controller
        self._note(entry, [], self.game.turn_and_phase(self.state))
        return entry

    def remark(self, seat: str, text: str) -> Entry:
        """Put something that a person has done at the table on record; ``text`` is one of ``REMARKS``."""
        entry = Entry(seat, text)
        self._note(entry, [], self.game.turn_and_phase(self.state))
        return entry

    def end(self, seat: str, how: str) -> Entry:
        """End the game at the table: a seat resigns for its side, or all have agreed to a draw.

        Args:
            how: ``RESIGNED`` or ``DRAWN``.

        Raises:
            IllegalAction: it is over already.
        """
        if self.decision() is None:
            raise IllegalAction("the game is over")
        entry = Entry(seat, how)
        self._note(entry, [], self.game.turn_and_phase(self.state))
        return entry

    def _note(self, entry: Entry, events: list[Event], place: tuple[str, str]) -> None:
        if entry.action in ENDINGS:
            self.ending = Ending(self.version, entry.seat, entry.action)
        self.entries.append(entry)
        self.events.append(events)
        self.places.append(place)
        if (source := self._later.get(self.version)) is not None:
            for stream, taken in source.skip:
                self.dice.counts[stream] = self.dice.counts.get(stream, 0) + taken
            self.dice = dice_of(source, self.dice.counts)

    def _snapshot(self) -> None:
        """Keep the position, if none has been kept for a while."""
        if self.version - max(self._snapshots) >= self.SNAPSHOT_EVERY:
            self._keep()

    def snapshot(self, version: int | None = None) -> Snapshot:
        """All that is needed to go on from here, or from an earlier position that was kept."""
        if version is None or version == self.version:
            kept, version, audit = _Kept(self.state, self.dice.counts, self.controllers), self.version, self.audit()
        else:
            kept, audit = self._snapshots[version], None
        noted = self.entries[version - 1].after if version else ""
        return Snapshot(
            version, noted or lines.short_print(self.game, kept.state), self.floor, rules_digest(self.header.game),
            dict(kept.controllers), dict(kept.dice), [source.to_json() for source in self.header.dice],
            None if audit is None else audit.to_json(), self.game.freeze(kept.state),
            self.ending[:] if self.ending and self.ending.number < version else None,
        )  # fmt: skip

    @property
    def kept(self) -> list[int]:
        """After how many entries the positions were that are kept in memory."""
        return sorted(self._snapshots)

    def _keep(self) -> None:
        self._snapshots[self.version] = _Kept(
            self.game.copy(self.state), dict(self.dice.counts), dict(self.controllers)
        )

    def forget(self, most: int) -> None:
        """Keep no more than the last ``most`` entries in memory, if the others can be read elsewhere."""
        if self._past is None:
            return
        for ledger in (self.entries, self.events, self.places):
            ledger.forget(most)
        for version in sorted(self._snapshots)[:-2]:
            del self._snapshots[version]

    def replay_entry(self, entry: Entry) -> None:
        """Add a recorded entry, with its recorded dice; raises ``SaveError`` if it does not fit."""
        if self.ending or entry.action in ENDINGS:
            check_entry(entry, self.version + 1, self.ending, self.seats)
        if entry.action == RESUMED:
            self._take_up(entry)
            return
        if entry.action.startswith("@"):
            if entry.dice:
                raise SaveError(f"entry {self.version + 1} ({entry.action!r:.80}) records dice, but casts none")
            if entry.action.startswith(CONTROL):
                self.controllers[entry.seat] = entry.action[len(CONTROL) :].strip()
            if entry.action in ENDINGS and self.decision() is None:
                raise SaveError(f"entry {self.version + 1} ({entry.action!r}) ends a game that is over")
            self._note(entry, [], self.game.turn_and_phase(self.state))
            return
        number, place = self.version + 1, self.game.turn_and_phase(self.state)
        try:
            action = self.game.read(self.state, entry.action)
            lines.check_seat(self.game, self.state, action, entry.seat)
            if self.game.to_move(self.state) != entry.seat and action not in self.game.asides(self.state, entry.seat):
                raise SaveError(f"entry {number}: it is not {entry.seat} who decides here")
            dice = ScriptedDice(entry.dice)
            events = self.game.apply(self.state, action, dice)
        except SaveError:
            raise
        except Exception as problem:  # after a stored position that makes no sense, anything can go wrong
            raise SaveError(f"entry {number} ({entry.action!r:.80}) cannot be replayed: {problem}") from problem
        if dice.left:
            raise SaveError(f"entry {number} ({entry.action!r:.80}) records more dice than were rolled")
        after = lines.short_print(self.game, self.state)
        if entry.after and entry.after != after:
            raise SaveError(
                f"entry {number} ({entry.action!r:.80}) leads to another position than it did when recorded"
            )
        self._count_dice(entry)
        self._note(entry._replace(dice=tuple(dice.drawn), after=after), events, place)
        self._snapshot()

    def _count_dice(self, entry: Entry) -> None:
        for draw in entry.dice:
            self.dice.counts[draw.stream] = self.dice.counts.get(draw.stream, 0) + 1

    def tell_entry(self, entry: Entry) -> None:
        """Add an entry that is not replayed, since the game goes on from a position stored after it."""
        if self.ending or entry.action in ENDINGS:
            check_entry(entry, self.version + 1, self.ending, self.seats)
        if entry.action.startswith(CONTROL):
            self.controllers[entry.seat] = entry.action[len(CONTROL) :].strip()
        self._count_dice(entry)
        self._note(entry, [], ("", ""))

    def recall(self, told: Sequence[tuple[list[Event], tuple[str, str]]]) -> None:
        """Know again what came of the first entries, and turn and phase of each, where they were not replayed."""
        for number, (events, place) in enumerate(told[: max(self.floor - 1, 0)]):
            self.events.put(number, events)
            self.places.put(number, place)

    def resume(self, position: dict[str, Any], after: str) -> Entry:
        """Go on from a stored position under the rules of today; the change goes on record.

        Raises:
            SaveError: the position makes no sense, or is not the one of that fingerprint.
        """
        entry = Entry("", RESUMED, (), after, position)
        self._take_up(entry)
        return entry

    def _take_up(self, entry: Entry) -> None:
        state = self.game.thaw(entry.position, self.header.scenario, self.header.options)
        if entry.after != lines.short_print(self.game, state):
            raise SaveError(f"entry {self.version + 1}: the stored position is not the one it claims to be")
        self.state = state
        self._note(entry, [], self.game.turn_and_phase(state))
        self.floor = self.version
        self._floors.clear()
        self._snapshots = {}
        self._keep()

    def state_at(self, version: int) -> Any:
        """The position after the first ``version`` entries."""
        if not 0 <= version <= self.version:
            raise SaveError(f"this game has {self.version} entries, not {version}")
        if version < self.floor:
            raise RulesChangedError(CHANGED)
        number, state = self._kept(version)
        after = ""
        try:
            for entry in self.entries[number:version]:
                if entry.action == RESUMED:
                    state = self.game.thaw(entry.position, self.header.scenario, self.header.options)
                elif not entry.action.startswith("@"):
                    self.game.apply(state, self.game.read(state, entry.action), ScriptedDice(entry.dice))
                    after = entry.after
        except RasputitsaError as problem:  # these entries were played under other rules; all else is a bug in today's
            raise RulesChangedError(CHANGED) from problem
        if after and after != lines.short_print(self.game, state):
            raise RulesChangedError(CHANGED)
        return state

    def _kept(self, version: int) -> tuple[int, Any]:
        """The newest position kept at or before a version, with its own version, to play on from."""
        here = max((known for known in self._snapshots if known <= version), default=None)
        if here is not None:
            return here, self.game.copy(self._snapshots[here].state)
        found = self._past.snapshot(version) if self._past else None
        if self.floor and (found is None or found.version < self.floor):
            return self.floor - 1, None  # the entry there brings its position with it
        return (0, start_position(self.game, self.header)) if found is None else (found.version, self._thawed(found))

    def can_undo(self, seat: str | None = None) -> bool:
        """Whether the last entry may be taken back: no die fell, and the same seat still decides."""
        decision = self.decision() if undo.is_open(self.entries, seat) else None
        return decision is not None and decision.seat == self.entries[-1].seat

    def undo_floor(self, seat: str) -> int | None:
        """The smallest version that a seat may go back to by itself; None where it can take nothing back."""
        return self._floors.of(self.entries, seat, self.floor) if self.can_undo(seat) else None

    def undo(self, seat: str | None = None) -> Entry:
        """Take the last entry back; raises ``IllegalAction`` beyond the last die or change of seat."""
        if not self.can_undo(seat):
            raise IllegalAction("nothing can be taken back beyond the last die roll or change of seat")
        return self.rewind(self.version - 1)

    def rewind(self, version: int, onward: Source | None = None) -> Entry:
        """Drop everything after the first ``version`` entries, as agreed by both players.

        The same dice fall again, unless they are to come ``onward`` from a source: then it goes on with new numbers.
        """
        self.state = self.state_at(version)
        taken, cast = self.entries[version:], self.dice.counts
        again = onward is not None or any(entry.dice for entry in taken)
        for ledger in (self.entries, self.events, self.places):
            ledger.cut(version)
        self._floors.clear()
        if self._past is not None:
            self._past.changed()
        if again or self.header.sources[-1].start > version:
            self.change_sources(rewound(self.header.sources, version))
        else:
            self._audit.entries = min(self._audit.entries, version)
        if onward is not None:
            self.change_sources(passed_over(self.header.sources, onward, version, cast, self.dice.counts))
        self._snapshots = {v: kept for v, kept in self._snapshots.items() if v <= version}
        if self.ending and self.ending.number >= version:
            self.ending = None
        if any(entry.action.startswith(CONTROL) for entry in taken):
            self.controllers = dict(self.header.controllers)
            for entry in self.entries:
                if entry.action.startswith(CONTROL):
                    self.controllers[entry.seat] = entry.action[len(CONTROL) :].strip()
        if not self._snapshots:
            self._keep()
        return taken[0]

    def save_lines(self, *, sealed: bool = False) -> Iterator[str]:
        """The saved game, a line at a time, without line ends; sealed: without what would foretell the dice."""
        header = self.header.sealed() if sealed else self.header
        yield json.dumps(header.to_json(), ensure_ascii=False, sort_keys=True)
        for entry in self.entries:
            yield json.dumps(entry.to_json(), ensure_ascii=False)
        yield json.dumps(
            {
                "end": len(self.entries), "position": self.game.fingerprint(self.state),
                "rules": rules_digest(self.header.game), "state": self.game.freeze(self.state),
            }
        )  # fmt: skip

    def save(self, *, sealed: bool = False) -> str:
        """The saved game as one text; sealed: without what would foretell the dice."""
        return "\n".join(self.save_lines(sealed=sealed)) + "\n"

    @classmethod
    def load(cls, text: str) -> Session:
        """A session from a saved game; raises ``SaveError`` naming the line that is wrong."""
        header, entries, end = read_save(text)
        if header.sources[-1].start > len(entries):
            raise SaveError("the header of the saved game names dice for entries that it does not have")
        try:
            session = cls.from_entries(header, entries)
        except SaveError:
            resumed = _resumed(header, entries, end)
            if resumed is None:
                raise
            return resumed
        if "position" in end and not _is_print(end["position"], session.game.fingerprint(session.state)):
            raise SaveError("the saved game does not lead to the position it claims")
        return session

    @classmethod
    def from_entries(cls, header: Header, entries: Sequence[Entry]) -> Session:
        """A session that replays recorded entries; raises ``SaveError``.

        A record that does not name the version of its data is tried with every version that begins it as it began.
        """
        problems = []
        for version in versions_of(header):
            try:
                session = cls._started(replace(header, data=version), entries)
                with _no_collection():
                    session._replay(entries)
            except SaveError as problem:
                problems.append(problem)
            else:
                return session
        raise problems[0]

    @classmethod
    def _started(cls, header: Header, entries: Sequence[Entry]) -> Session:
        """A session at the beginning of a record; raises ``SaveError`` if it began with another position."""
        try:
            session = cls(header)
        except RasputitsaError as problem:
            raise SaveError(f"the saved game cannot be started: {problem}") from problem
        taken_up = any(entry.action == RESUMED for entry in entries)
        if header.start and header.start != session.game.fingerprint(session.state) and not taken_up:
            raise SaveError(
                "the saved game begins with another position than this program does: its units or places have been "
                "edited since. Open it with the version, or the data, it was made with"
            )
        return session

    def _replay(self, entries: Sequence[Entry]) -> None:
        last = max((n for n, entry in enumerate(entries) if entry.action == RESUMED), default=0)
        for entry in entries[:last]:
            self.tell_entry(entry)
        for entry in entries[last:]:
            self.replay_entry(entry)


def _is_print(noted: Any, fingerprint: str) -> bool:
    """Whether a fingerprint, or the beginning of one, was noted."""
    return isinstance(noted, str) and len(noted) >= lines.SHORT and fingerprint.startswith(noted)


def _resumed(header: Header, entries: Sequence[Entry], end: dict[str, Any]) -> Session | None:
    """A saved game of other rules, taken up from the position at its end; None if that cannot be."""
    state, rules, position = end.get("state"), end.get("rules"), end.get("position")
    if not isinstance(state, dict) or not isinstance(position, str):
        return None
    try:
        session = Session(header)
    except RasputitsaError:
        return None
    if rules == rules_digest(header.game):
        return None
    for entry in entries:
        session.tell_entry(entry)
    session.resume(state, position[: lines.SHORT])
    check_position(session.game, session.state, header.options)
    return session
