"""Orders written down on a copy of the position, to be given one by one afterwards."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import settle
from rasputitsa.wir.model.actions import act
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.state import State

CLOSING = ("halt", "back", "skip", "done", "decline")
"""What ends a question without doing anything, the best first."""


class OrderList:
    """A list of orders that were all legal on a trial copy of the position, and that copy after them."""

    def __init__(self, s: State) -> None:
        self.s = s.copy()
        self.actions: list[Action] = []
        self._play = Context(SeededDice(0))

    @property
    def kind(self) -> str:
        """Kind of the question that is open on the trial copy."""
        return self.s.stack[-1].kind if self.s.stack else ""

    def legal(self) -> list[Action]:
        """What is legal now on the trial copy."""
        if self.s.legal is None:
            self.s.legal = self.s.stack[-1].options(self.s)
        return self.s.legal

    def give(self, verb: str, *args: int) -> bool:
        """Write down an order if it is legal; returns whether it was."""
        action = act(verb, *args)
        if action not in self.legal():
            return False
        frame = self.s.stack[-1]
        self.s.legal = None
        frame.apply(self.s, action, self._play)
        settle(self.s, self._play)
        self._play.events.clear()
        self.actions.append(action)
        return True

    def put_down(self) -> None:
        """Close whatever has been opened above the menu of the phase."""
        while self.kind in ("orders", "transfer", "divide", "aircraft", "build", "raise", "factory", "naval"):
            if not (self.give("halt") or self.give("back")):
                return

    def orders(self, group: Group) -> bool:
        """Take up a group to give it orders, unless it is in hand; returns whether it can be."""
        if self.kind == "orders":
            if getattr(self.s.stack[-1], "group", 0) == group:
                return True
            self.put_down()
        return self.give("get", group)

    def finish(self, verb: str = "done") -> list[Action]:
        """All orders, with the one that ends the phase."""
        self.put_down()
        if verb:
            self.actions.append(act(verb))
        return self.actions


def closing(options: list[Action]) -> Action:
    """The answer that does the least."""
    for verb in CLOSING:
        for action in options:
            if action.verb == verb:
                return action
    return options[0]
