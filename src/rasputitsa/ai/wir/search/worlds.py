"""Dice for thinking ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core.dice import DIE, Draw, SeededDice
from rasputitsa.wir.frames import Play

if TYPE_CHECKING:
    from rasputitsa.wir.state import State


class WorldDice:
    """The dice of one imagined world: a fight for a hex meets the same luck, whatever else happens that week."""

    def __init__(self, s: State, seed: int) -> None:
        self.s = s
        self.dice = SeededDice(seed)
        self.drawn: list[Draw] = self.dice.drawn
        self.play = Play(self)

    def roll(self, stream: str, sides: int = DIE) -> int:
        """A throw that hangs on the week and the fight it belongs to."""
        events = self.play.events
        fight = next((e.args[0] for e in reversed(events) if e.kind == "fight"), -1)
        return self.dice.roll(f"{stream} {self.s.turn} {fight}", sides)
