"""The player-turns of a match, what happened in them, and positions played on with other dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision, Game

Judge = Callable[[Any], float]
"""How likely the first side is to win in a position, from 0 to 1."""


@dataclass(slots=True)
class PlayerTurn:
    """One player-turn: where it starts and ends, and what the position was worth."""

    side: str
    seat: str
    start: int
    end: int
    before: float
    after: float


class PlayerTurns:
    """Finds the player-turns of operations while the game is walked through."""

    def __init__(self, begins_with: str, simultaneous: bool, first_side: str) -> None:
        self.begins_with = begins_with
        self.simultaneous = simultaneous
        self.first_side = first_side
        self.value = 0.5
        self.open: dict[str, PlayerTurn] = {}
        self.done: list[list[PlayerTurn]] = []
        """The player-turns that ended together."""

    def judge(self, ply: int, value: float) -> None:
        """A position was judged: whatever was under way ends here."""
        for player_turn in self.open.values():
            player_turn.end, player_turn.after = ply, value
        if self.open:
            self.done.append(list(self.open.values()))
        self.open.clear()
        self.value = value

    def look(self, ply: int, decision: Decision | None) -> None:
        """The start of a phase: perhaps a side begins to move."""
        if decision is not None and decision.kind == self.begins_with and decision.side not in self.open:
            if self.open and not self.simultaneous:
                return  # reserves that move while the other side's player-turn goes on
            self.open[decision.side] = PlayerTurn(decision.side, decision.seat, ply, ply, self.value, self.value)

    def found(self, side: str | None) -> list[PlayerTurn]:
        """The player-turns; where both sides moved at once, that of the side which lost by it.

        With a side, the player-turns are all those of that side.
        """
        if side is not None:
            return [player_turn for together in self.done for player_turn in together if player_turn.side == side]
        return [min(together, key=self._gain) for together in self.done]

    def _gain(self, player_turn: PlayerTurn) -> float:
        """What a side won."""
        change = player_turn.after - player_turn.before
        return change if player_turn.side == self.first_side else -change


def carried_out(game: Game[Any], state: Any, action: Action) -> bool:
    """Carry an order out on a position of one's own, unless chance or the rules are against it."""
    trial = game.copy(state)
    try:
        game.apply(trial, action, SeededDice(0))
        game.apply(state, action, SeededDice(0))
    except RasputitsaError:
        return False
    return True


def mean(judge: Judge, states: Iterable[Any]) -> float | None:
    """The average value of some positions; None is left out."""
    values = [judge(state) for state in states if state is not None]
    return sum(values) / len(values) if values else None
