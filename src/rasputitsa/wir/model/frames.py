"""The open questions of this game: those of the core, about its own state."""

from __future__ import annotations

from rasputitsa.core import frames
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.frames import About, Context, pop, push, replace, settle
from rasputitsa.core.question import question
from rasputitsa.wir.model.actions import PARAGRAPHS
from rasputitsa.wir.model.state import State

__all__ = ["About", "Context", "Frame", "pop", "push", "question", "replace", "settle"]


@question
class Frame(frames.Frame[State]):
    """One open question."""

    def refuse(self, s: State, action: Action) -> IllegalAction:
        """Why an action that is not an option is refused."""
        return self.out_of_place(s, action, f"{action.verb!r} is not possible now: {self.prompt(s)}")

    def out_of_place(self, s: State, action: Action, reason: str) -> IllegalAction:
        """The refusal of an order that does not answer this question, by the paragraph of the order."""
        if any(option.verb == action.verb for option in self.options(s)):
            return IllegalAction(reason, self.rule)
        return IllegalAction(reason, PARAGRAPHS.get(action.verb, self.rule))
