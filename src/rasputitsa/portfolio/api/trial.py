"""Orders tried one after the other on a copy of the position, before any of them counts."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import NoDice, NoDiceError
from rasputitsa.core.events import Event
from rasputitsa.core.frames import answer
from rasputitsa.portfolio.model.frames import Context
from rasputitsa.portfolio.model.state import State


class Trial:
    """A copy of the position, and what has been tried on it."""

    def __init__(self, s: State) -> None:
        self.s = s.copy()
        self.done: list[Action] = []
        self.events: list[Event] = []
        self.chance = False
        """Whether a die has to fall before it goes on: the trial ends there."""

    def legal(self) -> list[Action]:
        """What may be answered now."""
        s = self.s
        if self.chance or s.outcome is not None:
            return []
        return s.legal if s.legal is not None else s.stack[-1].options(s)

    def do(self, action: Action) -> None:
        """Give one order; raises ``IllegalAction`` with the engine's reason."""
        s = self.s
        if action not in self.legal():
            raise s.stack[-1].refuse(s, action)
        context = Context(NoDice())
        try:
            answer(s, action, context)
        except NoDiceError:
            self.chance = True
        self.done.append(action)
        self.events += context.events

    def branch(self) -> Trial:
        """The same from here, to try something else with."""
        other = Trial(self.s)
        other.done, other.events = self.done.copy(), self.events.copy()
        return other
