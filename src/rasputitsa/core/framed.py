"""A game whose open questions lie as frames on its state: what every such game does alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, ClassVar, Protocol, Self, TypeVar

from rasputitsa.core.actions import Action, Event, Outcome, listed
from rasputitsa.core.dice import Dice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.frames import Asking, Play, answer
from rasputitsa.core.game import Decision, Game


class Framed(Asking, Protocol):
    """What such a game needs of its state."""

    rules: Any
    """The rule set: its ``seats`` and its ``grid``."""

    def copy(self) -> Self:
        """An independent copy."""
        ...

    def key(self) -> object:
        """A value that two states share exactly when they are equal."""
        ...


StateT = TypeVar("StateT", bound=Framed)


class FramedGame(Game[StateT]):
    """Decisions, actions and refusals of a game with a stack of frames."""

    sides: ClassVar[tuple[str, ...]]
    order_rule: ClassVar[str]
    """The paragraph that says which orders there are; empty if none does."""
    end_rule: ClassVar[str]
    """The paragraph under which nothing happens once the game is over."""

    @abstractmethod
    def unit_name(self, state: StateT, unit: int) -> str:
        """The id of a unit."""

    @abstractmethod
    def limits(self, state: StateT) -> Mapping[str, int]:
        """For each kind of argument, the first number that is too high."""

    def decision(self, state: StateT) -> Decision | None:
        if state.outcome is not None:
            return None
        options = self.legal(state)
        frame = state.stack[-1]
        seat = state.rules.seats[frame.seat(state)]
        units, hexes = frame.about(state)
        return Decision(
            seat.id, self.sides[seat.side], frame.kind, frame.rule, frame.prompt(state), options,
            tuple(self.unit_name(state, u) for u in units), tuple(state.rules.grid.names[h] for h in hexes),
        )  # fmt: skip

    def to_move(self, state: StateT) -> str | None:
        if state.outcome is not None:
            return None
        seat: str = state.rules.seats[state.stack[-1].seat(state)].id
        return seat

    def legal(self, state: StateT) -> list[Action]:
        """The legal actions alone: the quick way for players that think ahead."""
        if state.legal is None:
            legal: list[Action] = state.stack[-1].options(state)
            state.legal = legal
        return state.legal

    def apply(self, state: StateT, action: Action, dice: Dice) -> list[Event]:
        if state.outcome is not None:
            raise IllegalAction("the game is over", self.end_rule)
        if not listed(action, self.legal(state)):
            raise self.refusal(state, action)
        play = Play(dice)
        answer(state, action, play)
        return play.events

    def refusal(self, state: StateT, action: Action) -> IllegalAction:
        """Why an action that is not among the options is refused."""
        kinds = self.verbs.get(action.verb)
        if kinds is None or len(kinds) != len(action.args):
            return IllegalAction(f"{action.verb!r:.40} is no order of this game", self.order_rule)
        limits = self.limits(state)
        for kind, number in zip(kinds, action.args, strict=True):
            if not 0 <= number < limits[kind]:
                return IllegalAction(f"there is no {kind} {number}", self.order_rule)
        refused: IllegalAction = state.stack[-1].refuse(state, action)
        return refused

    def copy(self, state: StateT) -> StateT:
        return state.copy()

    def fingerprint(self, state: StateT) -> str:
        return blake2b(repr(state.key()).encode(), digest_size=12).hexdigest()

    def outcome(self, state: StateT) -> Outcome | None:
        return state.outcome
