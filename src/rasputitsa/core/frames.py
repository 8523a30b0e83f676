"""Open questions. A state keeps a stack of them; the top one is what has to be decided now.

A frame is immutable: it says whom it asks, lists what is legal, and carries an answer out. A frame that
asks nothing (``options`` empty) is a step of the sequence: ``proceed`` carries it out.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.dice import Dice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event
from rasputitsa.core.question import question


class Asking(Protocol):
    """What a state needs for its questions."""

    stack: tuple[Any, ...]
    outcome: Outcome | None
    legal: list[Action] | None


StateT = TypeVar("StateT", bound=Asking)
FrameT = TypeVar("FrameT")


class About(NamedTuple):
    """What a question is about, as numbers of units and hexes."""

    units: tuple[int, ...] = ()
    hexes: tuple[int, ...] = ()


NOTHING: Final = About()


class Context:
    """What an action may use and leave behind: dice, and the events for the log."""

    __slots__ = ("dice", "events")

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.events: list[Event] = []

    def note(self, event: Event) -> None:
        """Put an event on the log."""
        self.events.append(event)

    def roll(self, stream: str, sides: int = 6) -> int:
        """Cast a die of a named stream."""
        return self.dice.roll(stream, sides)


@question
class Frame(Generic[StateT]):
    """One open question."""

    kind: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    ask_single: ClassVar[bool] = False
    """Ask even when only one answer is legal (a die about to be cast, a hex about to be shown)."""
    written_as: ClassVar[str] = ""
    """The name in fingerprints and saved games, where the class had another one in the first recorded games."""

    def seat(self, s: StateT) -> int:
        """Number of the seat that is asked."""
        raise TypeError(f"{type(self).__name__} asks nobody")

    def prompt(self, s: StateT) -> str:
        """The question in plain words."""
        raise TypeError(f"{type(self).__name__} asks nothing")

    def marked(self, s: StateT) -> str:
        """The question with its hexes marked as in the words of events."""
        return self.prompt(s)

    def about(self, s: StateT) -> About:
        """The units and hexes the question is about."""
        return NOTHING

    def options(self, s: StateT) -> list[Action]:
        """Every legal answer; empty for a step that asks nothing."""
        return []

    def gives_up(self, s: StateT, action: Action) -> str:
        """What a legal answer throws away for good, in plain words; empty for one that throws nothing away."""
        return ""

    def apply(self, s: StateT, action: Action, context: Context) -> None:
        """Carry out a legal answer."""
        raise TypeError(f"{type(self).__name__} takes no answer")

    def proceed(self, s: StateT, context: Context) -> None:
        """Carry out a step that asks nothing."""
        raise TypeError(f"{type(self).__name__} is no step of the sequence")

    def refuse(self, s: StateT, action: Action) -> IllegalAction:
        """Why an action that is not an option is refused, and which paragraph forbids it."""
        return IllegalAction(f"{action.verb!r} is not possible now: {self.prompt(s)}", self.rule)


def asked(s: Asking, kind: type[FrameT]) -> FrameT:
    """The open question, known to be of a kind."""
    frame = s.stack[-1]
    assert isinstance(frame, kind)
    return frame


def push(s: Asking, frame: Any) -> None:
    """Ask a further question before the present one goes on."""
    s.stack = (*s.stack, frame)


def pop(s: Asking) -> None:
    """The present question is answered."""
    s.stack = s.stack[:-1]


def replace(s: Asking, frame: Any) -> None:
    """Put another question in the place of the present one."""
    s.stack = (*s.stack[:-1], frame)


def settle(s: Asking, context: Context, before: tuple[type, ...] = ()) -> None:
    """Go on until somebody has a real choice, or the game is over; at the latest up to a frame of the given kinds."""
    while s.outcome is None:
        frame = s.stack[-1]
        if before and isinstance(frame, before):
            return
        options = frame.options(s)
        if not options:
            frame.proceed(s, context)
        elif len(options) == 1 and not frame.ask_single:
            frame.apply(s, options[0], context)
        else:
            s.legal = options
            return
    s.legal = []


def answer(s: Asking, action: Action, context: Context) -> None:
    """Carry out a legal answer to the open question, and go on."""
    frame = s.stack[-1]
    s.legal = None
    frame.apply(s, action, context)
    settle(s, context)
