"""4.11, 10.0 What both players must agree on: ending the game early, another level of play."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.wir.model.actions import BARE, act
from rasputitsa.wir.model.figures import LEVELS
from rasputitsa.wir.model.frames import Context, Frame, pop, push, question
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.victory import victory

VERBS: Final[tuple[str, ...]] = ("end_game", "level")


def options(s: State) -> list[Action]:
    """What may be proposed to the other player; a game with a goal is played to it."""
    if s.goal is not None:
        return []
    return [BARE["end_game"], *(act("level", n) for n in LEVELS if n != s.level)]


def apply(s: State, side: Side, action: Action) -> None:
    """Ask the other player."""
    push(s, Proposal(side, action.args[0] if action.args else 0))


def why_not(s: State, action: Action) -> IllegalAction:
    """Why a proposal cannot be made."""
    if s.goal is not None:
        return IllegalAction("a game with a goal is played to the end, at the level of play it gives", "4.11")
    if action.args[0] == s.level:
        return IllegalAction(f"the game is played at level {s.level}", "10.0")
    return IllegalAction(f"levels of play run from {min(LEVELS)} to {max(LEVELS)}", "10.0")


@question
class Proposal(Frame):
    """A proposal of one player to the other: a level of play, or 0 for the end of the game."""

    side: Side
    level: int

    kind = "proposal"

    @property
    def rule(self) -> str:  # type: ignore[override]  # a class variable elsewhere
        """Level of play or end of the game."""
        return "10.0" if self.level else "4.11"

    def seat(self, s: State) -> Side:
        return 1 - self.side

    def prompt(self, s: State) -> str:
        return f"Play on at level {self.level}?" if self.level else "End the game now, by its score?"

    def options(self, s: State) -> list[Action]:
        return [BARE["agree"], BARE["decline"]]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        agreed = action.verb == "agree"
        context.note(EndProposed(self.level, agreed))
        if not agreed:
            return
        if self.level:
            s.level = self.level
        else:
            victory.finish(s, context, victory.BOTH_AGREED, "4.11")


@event("proposal", "4.11", "number", "flag")
class EndProposed(Event):
    """A proposal to end the game, or to change its level, is answered."""

    level: int
    agreed: bool

    def words(self, s: State) -> str:
        what = f"Level of play {self.level}" if self.level else "Ending the game"
        return f"{what}: {'agreed' if self.agreed else 'declined'}"
