"""What a game supplies so that hints can be given in it and its matches analysed.

A class of this kind is named by an entry point of the group ``rasputitsa.advice`` under the id of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rasputitsa.ai.advice.errors import NoAnalysisError
from rasputitsa.ai.advice.hint import PlanExplainer, Thought
from rasputitsa.ai.advice.player_turns import Judge, PlayerTurn
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.ai.memory import Memory
from rasputitsa.ai.players import Clock, Player
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.record.session import Session

HINT_SEED = 1
"""A hint asked for twice is the same hint, if there was the same time."""


class Advice(ABC):
    """What the computer can say about one game; it keeps nothing between calls."""

    open_to_all: ClassVar[bool] = False
    """Whether one seat sees enough of a position to play on from it with other dice."""
    begins_with: ClassVar[str]
    """The kind of question with which a player-turn begins."""
    simultaneous: ClassVar[bool] = False
    """Whether the player-turns of both sides end together."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    # -- hints -----------------------------------------------------------------------------------------

    @abstractmethod
    def adviser(self, view: Any, decision: Decision, options: Mapping[str, str]) -> tuple[PlanExplainer, Player]:
        """Who puts a plan into words, and the player who makes it; ``view`` holds what the seat may see."""

    def staff(
        self, view: Any, decision: Decision, options: Mapping[str, str], limits: StaffLimits
    ) -> tuple[Any, Decision, PlanExplainer, Player]:
        """The question as it stands for some units alone, and who answers it.

        Raises:
            NoAnalysisError: in this game, or at this question, there is no staff for that.
            NotationError: a unit is unknown.
        """
        raise NoAnalysisError("in this game no staff orders some of the units")

    def weighed(
        self, view: Any, decision: Decision, thoughts: list[Thought], clock: Clock, player: Player
    ) -> tuple[list[Thought], list[str]]:
        """The plan compared with others: the better of them, and what there is to say about it."""
        return thoughts, []

    # -- who stands better -----------------------------------------------------------------------------

    @abstractmethod
    def expectation(self, state: Any) -> float:
        """How likely the first side is to win, by all that the position shows."""

    def judge(self, seat: str, options: Mapping[str, str], memory: Memory | None = None) -> Judge:
        """The same from what a seat may see and remembers. Without a memory it may learn: show it the positions in
        their order."""
        return lambda state: self.expectation(self.game.view_of(state, seat))

    @abstractmethod
    def judged(self, state: Any, decision: Decision | None, last_turn: int) -> bool:
        """Whether a position can be judged fairly: in the middle of a player-turn everything is in the air."""

    # -- the course of a match -------------------------------------------------------------------------

    @abstractmethod
    def phase_key(self, state: Any) -> tuple[object, ...]:
        """What tells one phase from another."""

    @abstractmethod
    def changes(self, before: Any, after: Any) -> list[str]:
        """What a player-turn changed (places taken, units lost), each as part of a sentence."""

    def planned(
        self, session: Session, player_turn: PlayerTurn, actions: Sequence[Action], judge: Judge, seconds: float
    ) -> float | None:
        """What a plan leads to on average over the dice, if it is carried out instead of what was done."""
        return None

    def made(self, session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
        """What the moves that were made lead to on average over the dice."""
        return None

    def stood(self, session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
        """Where a player-turn really led, seen on to the same point as the two above."""
        return None
