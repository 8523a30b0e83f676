"""The open questions of this game and its die (PARTS.D): those of the core, about its own state."""

from __future__ import annotations

from rasputitsa.core import frames
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.frames import About, Context, pop, push, replace, settle
from rasputitsa.core.question import question
from rasputitsa.portfolio.model.actions import ORDER_TIMES, WAITING_FOR_BATTLE
from rasputitsa.portfolio.model.indices import UnitBits
from rasputitsa.portfolio.model.state import State

__all__ = ["About", "Context", "Frame", "pop", "push", "question", "replace", "settle"]


@question
class Frame(frames.Frame["State"]):
    """One open question."""

    def in_hand(self, s: State) -> UnitBits:
        """Units that the question is about, or that it counts on; nobody reduces or gives up these (XIV.C)."""
        return 0

    def refuse(self, s: State, action: Action) -> IllegalAction:
        """Why an action that is not an option is refused: what belongs elsewhere, by the paragraph it belongs to."""
        when, rule = ORDER_TIMES.get(action.verb, ("", self.rule))
        battle_first = s.battle is not None and action.verb in WAITING_FOR_BATTLE
        if not when or battle_first or any(option.verb == action.verb for option in self.options(s)):
            return IllegalAction(f"{action.verb!r} is not possible now: {self.prompt(s)}", self.rule)
        return IllegalAction(f"{when}. Now: {self.prompt(s)}", rule)
