"""What the computer players of a game remember: made from what their seats are shown, and from nothing else.

A memory belongs to a seat of a game, not to a process. One who carries a game on shows it to the memories; one who has
only the record feeds them from that, and they come to the same. In between they can be kept as plain JSON values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import Dice, ScriptedDice
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import RESUMED, Entry
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import MEMORY, extension


class Memory(Protocol):
    """What a seat remembers."""

    @property
    def heeds(self) -> frozenset[str]:
        """Kinds of events that are taken in at once."""
        ...

    def begin(self, view: Any, known: Any = None) -> None:
        """Take in the position in which the game begins, or is taken up; ``known``: the same with all that is common
        knowledge in it, as the order of battle of a lesson."""
        ...

    def remarkable(self, state: Any, action: Action) -> bool:
        """Whether what an action leads to is worth remembering. Asked of the true position, and the same for all."""
        ...

    def take(self, before: Any, events: Sequence[Event], after: Any) -> None:
        """Take in what a seat saw before an action, all that it was shown of the result, and what it saw then."""
        ...

    def hear(self, view: Any, event: Event) -> None:
        """Take in an event at once; ``view`` is what the seat sees now."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, from which ``recalled`` makes it again."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """A player that uses a memory."""

    def remember(self, memory: Any) -> None:
        """Think with this memory from now on."""
        ...


@runtime_checkable
class Estimates(Protocol):
    """A memory with which queries can be answered that reach into what is hidden."""

    def estimated(self, view: Any, kind: str, args: Mapping[str, Any], answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a query with the gaps filled as is likeliest, and how far that may be wrong."""
        ...


@runtime_checkable
class Resumes(Protocol):
    """A player that can go on with a plan it made in another process."""

    planned: int
    """How many plans it has made."""

    def notes(self) -> dict[str, Any]:
        """The plan in hand, as plain JSON values."""
        ...

    def take_up(self, notes: Mapping[str, Any], given: Sequence[Action]) -> None:
        """Go on with the plan of some notes; ``given`` are its seat's answers since they were made."""
        ...


@runtime_checkable
class Listens(Protocol):
    """A player that is notified of events as they happen, and makes a memory of its own."""

    def listen(self, state: Any, events: Sequence[Event]) -> None:
        """Take in events that its seat may read; ``state`` is for describing them."""
        ...


def blank(game: Game[Any], side: str) -> Memory | None:
    """A memory in which nothing is yet; None in a game in which all lies open."""
    kind = extension(MEMORY, game.id)
    made: Memory | None = None if kind is None else kind.of_side(side)
    return made


def recalled(game: Game[Any], side: str, kept: Mapping[str, Any]) -> Memory | None:
    """A memory from what was kept of it; a blank one if that cannot be read any more."""
    made: Any = blank(game, side)
    if made is None or not made.read(kept):
        return None
    memory: Memory = made
    return memory


def give(player: Any, memory: Memory | None) -> None:
    """Let a player think with a memory, if it is one that can."""
    if memory is not None and isinstance(player, Remembers):
        player.remember(memory)


def answered(
    game: Game[Any],
    state: Any,
    seat: str | None,
    kind: str,
    args: Mapping[str, Any],
    memory: Callable[[], Memory | None],
) -> Mapping[str, Any]:
    """The answer to a query; what is hidden in it from the seat is estimated from the seat's memory, which is asked for
    only then. Raises what ``Game.query`` raises."""
    answer = game.query(state, seat, kind, args)
    known = memory() if answer.get("unknown") and seat is not None else None
    if not isinstance(known, Estimates):
        return answer
    return known.estimated(game.view_of(state, seat), kind, args, answer)


def common_knowledge(session: Session) -> Any | None:
    """The position a match began with, if all of it is common knowledge: that of a lesson that comes with the game."""
    game, header = session.game, session.header
    if header.lesson not in {info.id for info in game.lessons()}:
        return None
    lesson = game.lesson(header.lesson)
    return game.load_position(lesson) if header.position == lesson and not session.floor else None


def own_seed(secret: object, seat: str) -> int:
    """The seed of a player's own dice, which gives nothing of the game's away."""
    return int.from_bytes(sha256(f"player in seat {seat} of {secret}".encode()).digest()[:8], "big")


Glimpse = dict[str, Any] | None
"""What some seats see before an action that is worth remembering; None for any other."""


class MemoryTracker:
    """The memories of some seats of a game that is being carried on."""

    def __init__(
        self,
        game: Game[Any],
        options: Mapping[str, str],
        state: Any | None = None,
        seats: Iterable[str] | None = None,
        known: Any | None = None,
    ) -> None:
        """They begin with ``state``, unless they are still to be taken from what was kept; ``seats``: whose; None for
        all; ``known``: see ``Memory.begin``."""
        self.game = game
        wanted = None if seats is None else set(seats)
        found = {seat.id: blank(game, seat.side) for seat in game.seats(options) if wanted is None or seat.id in wanted}
        self.memories: dict[str, Memory] = {seat: memory for seat, memory in found.items() if memory is not None}
        self._listeners: dict[str, Listens] = {}
        self.told = 0
        """How often something was added to them."""
        if state is not None:
            for seat, memory in self.memories.items():
                memory.begin(game.view_of(state, seat), known)

    def apply(self, state: Any, action: Action, dice: Dice) -> list[Event]:
        """Carry out an action before their eyes."""
        glimpse = self.before(state, action)
        events = self.game.apply(state, action, dice)
        self.after(glimpse, state, events)
        return events

    def before(self, state: Any, action: Action) -> Glimpse:
        """What they see before an action, where what it leads to is worth remembering."""
        if not any(memory.remarkable(state, action) for memory in self.memories.values()):
            return None
        return {seat: self.game.view_of(state, seat) for seat in self.memories}

    def after(self, glimpse: Glimpse, state: Any, events: Sequence[Event]) -> None:
        """Show them what came of it."""
        game = self.game
        for seat, player in self._listeners.items():
            if told := [event for event in events if game.is_visible(state, event, seat)]:
                player.listen(state, told)
        for seat, memory in self.memories.items():
            heeded = [event for event in events if event.kind in memory.heeds and game.is_visible(state, event, seat)]
            if heeded:
                view = game.view_of(state, seat)
                for event in heeded:
                    memory.hear(view, event)
            self.told += bool(heeded) + (glimpse is not None)
            if glimpse is not None:
                told = [event for event in events if game.is_visible(state, event, seat)]
                memory.take(glimpse[seat], told, game.view_of(state, seat))

    def witness(self, before: Any, action: Action, events: Sequence[Event], after: Any) -> None:
        """Show them an action that has been carried out, with the positions before and after it."""
        self.after(self.before(before, action), after, events)

    def of(self, seat: str) -> Memory | None:
        """The memory of a seat."""
        return self.memories.get(seat)

    def kept(self) -> dict[str, str]:
        """What each of them remembers now, as text."""
        return {seat: json.dumps(memory.to_json()) for seat, memory in self.memories.items()}

    def introduce(self, players: Mapping[str, Any]) -> None:
        """Let the players of these seats think with their memories."""
        for seat, player in players.items():
            give(player, self.of(seat))
            if isinstance(player, Listens):
                self._listeners[seat] = player

    def follow(self, session: Session, start: int = 0, end: int | None = None, state: Any = None) -> Any:
        """Show them what has been recorded of a game since an entry, up to another one or to the last.

        Gives the position then. ``state`` is that before the first of them, where it is at hand; it is used up.
        """
        state = session.state_at(start) if state is None else state
        for entry in session.entries[start:end]:
            state = self._replay(session, state, entry)
        return state

    def _replay(self, session: Session, state: Any, entry: Entry) -> Any:
        game, header = self.game, session.header
        if entry.action == RESUMED:
            return game.thaw(entry.position, header.scenario, header.options)
        if not entry.action.startswith("@"):
            self.apply(state, game.read(state, entry.action), ScriptedDice(entry.dice))
        return state
