"""A game whose open questions lie as frames on its state: what every such game does alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar

from rasputitsa.core.actions import Action, Outcome, listed
from rasputitsa.core.data.folder import DataFolder
from rasputitsa.core.dice import Dice, DiceError, ScriptedDice
from rasputitsa.core.errors import IllegalAction, SaveError
from rasputitsa.core.events import Event
from rasputitsa.core.frames import Asking, Context, answer, settle
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons import lessons
from rasputitsa.core.lessons.guide import Guide


class StackState(Asking, Protocol):
    """What such a game needs of its state."""

    rules: Any
    """The rule set: its ``seats`` and its ``grid``."""

    goal: Any
    """The goal of a lesson, with the number of its ``side``; None in a whole game."""

    def copy(self) -> Self:
        """An independent copy."""
        ...

    def key(self) -> object:
        """A value that two states share exactly when they are equal."""
        ...


StateT = TypeVar("StateT", bound=StackState)


class StackGame(Game[StateT]):
    """Decisions, actions and refusals of a game with a stack of frames."""

    sides: ClassVar[tuple[str, ...]]
    order_rule: ClassVar[str]
    """The paragraph that says which orders there are; empty if none does."""
    end_rule: ClassVar[str]
    """The paragraph under which nothing happens once the game is over."""

    data_folder: ClassVar[DataFolder]
    """The data files that come with the game."""
    data: Path
    """The folder it plays with."""

    def guide(self, lesson_id: str) -> Guide | None:
        return lessons.guide_of(self.data_folder, lesson_id, self.data)

    @property
    def data_version(self) -> str:
        return self.data_folder.version_in(self.data)

    def data_versions(self) -> list[str]:
        return list(dict.fromkeys([self.data_folder.version, *reversed(self.data_folder.versions)]))

    def with_data(self, version: str) -> StackGame[StateT] | None:
        if version == self.data_version:
            return self
        folder = self.data_folder.folder(version)
        make: Any = type(self)  # a game is made from its data folder
        return None if folder is None else make(folder)

    def thaw(self, frozen: Any, scenario: str, options: Mapping[str, str]) -> StateT:
        try:
            state = self.revive(frozen, scenario, options)
            decision = self.decision(state)
        except SaveError:
            raise
        except Exception as problem:  # values that fit one by one can still make no position
            raise SaveError(f"the stored position makes no sense: {problem}") from problem
        if decision is not None and not decision.options:
            raise SaveError("the stored position makes no sense: nobody can do anything")
        return state

    @abstractmethod
    def revive(self, raw: Any, scenario: str, options: Mapping[str, str]) -> StateT:
        """The position that was frozen, its fields and what depends on them checked; raises ``SaveError``."""

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

    def question(self, state: StateT) -> str:
        question: str = "" if state.outcome is not None else state.stack[-1].marked(state)
        return question

    def to_move(self, state: StateT) -> str | None:
        if state.outcome is not None:
            return None
        seat: str = state.rules.seats[state.stack[-1].seat(state)].id
        return seat

    def legal(self, state: StateT) -> list[Action]:
        if state.legal is None:
            legal: list[Action] = state.stack[-1].options(state)
            state.legal = legal
        return state.legal

    def gives_up(self, state: StateT, action: Action) -> str:
        frame = state.stack[-1]
        lost: str = frame.gives_up(state, action)
        if lost or state.goal is None or action.args:
            return lost
        return self._ends_lesson(state, frame.seat(state), action)

    def _ends_lesson(self, state: StateT, seat: int, action: Action) -> str:
        """Whether the learner's answer ends a lesson with its goal not reached, as far as no die is needed to tell."""
        side = state.rules.seats[seat].side
        if state.goal.side != side:
            return ""
        fork = state.copy()
        try:
            answer(fork, action, Context(ScriptedDice([])))
        except DiceError:
            return ""
        lost = fork.outcome is not None and fork.outcome.winner != self.sides[side]
        return "the lesson ends here, and its goal is not reached" if lost else ""

    def apply(self, state: StateT, action: Action, dice: Dice) -> list[Event]:
        if state.outcome is not None:
            raise IllegalAction("the game is over", self.end_rule)
        context = Context(dice)
        if listed(action, self.legal(state)):
            answer(state, action, context)
        elif self.begin_aside(state, action, context):
            state.legal = None
            settle(state, context)
        else:
            raise self.refusal(state, action)
        return context.events

    def begin_aside(self, state: StateT, action: Action, context: Context) -> bool:
        """Carry out an aside of some seat; whether the action is one."""
        return False

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

    def begun_with(self, state: StateT) -> tuple[str, Mapping[str, str]]:
        """The scenario and the options a position is played with."""
        return state.rules.scenario_id, state.rules.options

    def copy(self, state: StateT) -> StateT:
        return state.copy()

    def fingerprint(self, state: StateT) -> str:
        return blake2b(repr(state.key()).encode(), digest_size=12).hexdigest()

    def outcome(self, state: StateT) -> Outcome | None:
        return state.outcome
