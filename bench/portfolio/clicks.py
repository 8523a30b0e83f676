"""How many clicks a player-turn takes in the browser client, before and with its orders for several things at once.

The computer plays the first turn of *The Russian Portfolio*; what it orders is put into the gestures of the client. A
drag counts as one, like a click. The tests in a browser play the same gestures, and count what they press.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rasputitsa import ComputerPlayer, Session, new_match
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.actions import DONE

SEED = 1941
SEAT = "axis"
PATIENCE = 60.0
"""Seconds for the computer's plan, more than it takes: so that the turn is the same on every machine."""


class Gesture(NamedTuple):
    """One thing that a hand does, and the orders that it gives."""

    how: str
    """``drag``, ``drag alone`` (with Shift: nobody else follows), ``all`` (a click with Shift), ``strike`` (units
    dragged onto an enemy), ``click`` (on a hex), ``unit`` (on a counter) or ``button``."""
    what: str
    """The unit, hex or button."""
    to: str
    """Where units are dragged."""
    orders: tuple[str, ...]
    presses: int = 1


@dataclass
class Count:
    """Clicks of a player-turn: one for each small order, and as the client has them."""

    one_by_one: int = 0
    gestures: list[Gesture] = field(default_factory=list)

    @property
    def clicks(self) -> int:
        """All presses."""
        return sum(gesture.presses for gesture in self.gestures)


class Turn:
    """The first player-turn of the Axis, as the computer plays it, gesture by gesture."""

    def __init__(self, match: Session | None = None) -> None:
        self.match = match or new_match("portfolio", "june22", seed=SEED)
        self.computer = ComputerPlayer(self.match, "planner", seconds=PATIENCE, seed=SEED)
        self.attacks: list[tuple[str, ...]] | None = None
        self.count = Count()
        self.resolving = False
        self.by_hand = False
        """Whether the last attack was put together by hand."""

    def gestures(self) -> Iterator[Gesture]:
        """What the hand does, as the turn goes on; the other side answers by itself."""
        before: Gesture | None = None
        for gesture in self._single():
            if gesture.how == "nobody else" and before and before.how == "drag":
                before = before._replace(how="drag alone", orders=(*before.orders, *gesture.orders))
                continue
            if before:
                yield self._counted(before)
            before = gesture._replace(how="button") if gesture.how == "nobody else" else gesture
        if before:
            yield self._counted(before)

    def _counted(self, gesture: Gesture) -> Gesture:
        self.count.gestures.append(gesture)
        return gesture

    def _single(self) -> Iterator[Gesture]:
        """Drags and what follows them each for itself."""
        while (decision := self.match.decision()) is not None and not self._is_over(decision):
            gesture = self._next(decision) if decision.seat == SEAT else None
            if decision.seat != SEAT:
                self.computer.play()
            elif gesture:
                yield gesture

    def _is_over(self, decision: Decision) -> bool:
        """The Initial Operations of the Axis are over when the other side moves."""
        return decision.kind == "movement" and decision.seat != SEAT

    def _next(self, decision: Decision) -> Gesture | None:
        kind = decision.kind
        if kind == "movement":
            return self._march(decision)
        if kind == "attack":
            return self._announce(decision)
        if kind == "resolve":
            return self._resolve(decision)
        if kind in ("advance", "advance_step"):
            return self._advance(decision)
        if kind == "breakthrough":
            return self._break_through()
        # questions that the client answers by itself, unless told otherwise
        state = self.match.state
        answers_itself = (kind == "window" and not decision.hexes) or (
            kind == "retreat_length" and any(state.stack[-1].gives_up(state, a) for a in decision.options)
        )
        order = self.computer.play()
        self.count.one_by_one += kind != "window" or not answers_itself
        if answers_itself and order in ("stand", "continue"):
            return None
        if kind == "replacement" and len(decision.options) > 1:
            self.count.one_by_one += 1
            return Gesture("button", order, "", (order,), 2)
        named = order.split()[1:]
        return Gesture("click" if named else "button", named[0] if named else order, "", (order,))

    # -- movement --------------------------------------------------------------------------------------

    def _march(self, decision: Decision) -> Gesture:
        """A unit is dragged to where it stops; the next one taken up puts it down."""
        acting = sum(a.verb == "move" for a in decision.options)
        first = self.computer.play()
        if first == "done":
            # with units that could still move, the client asks once more
            asked = (2 if acting else 1) + (self.count.gestures[-1].orders[-1] == "halt")
            self.count.one_by_one += asked
            return Gesture("button", "done", "", ("done",), asked)
        orders = [first]
        while self._kind() == "moving":
            orders.append(self.computer.play())
        self.count.one_by_one += sum(order != "halt" for order in orders)
        unit, goal = first.split()[1], next(o for o in reversed(orders) if o.startswith("to ")).split()[1]
        return Gesture("drag", unit, goal, tuple(orders))

    def _kind(self) -> str:
        decision = self.match.decision()
        return decision.kind if decision is not None and decision.seat == SEAT else ""

    # -- attacks ---------------------------------------------------------------------------------------

    def _announce(self, decision: Decision) -> Gesture:
        if self.attacks is None:
            self.attacks = self._planned()
        if not self.attacks:
            self.count.one_by_one += 1
            self.match.play("done", SEAT)
            # an attack put together by hand is announced when the next one is begun; the last one by its button
            last = self.by_hand
            return Gesture("button", "done", "", ("done",), 2 if last else 1)
        # units that are wanted elsewhere are sent there first, so that all that are left are those that are meant
        ready = [a for a in self.attacks if self._is_by_all(a)]
        others = [a for a in self.attacks if a not in ready]
        attack = min(others, key=len) if others and len(ready) < 2 else ready[0]
        self.attacks.remove(attack)
        return self._attack(attack)

    def _planned(self) -> list[tuple[str, ...]]:
        """The attacks that the computer has in mind: their orders, played on a copy."""
        copy = Session.load(self.match.save())
        computer = ComputerPlayer(copy, "planner", seconds=PATIENCE, seed=SEED)
        found: list[list[str]] = []
        while (order := computer.play()) != "done":
            if order.startswith("attack "):
                found.append([])
            found[-1].append(order)
        return [tuple(orders) for orders in found]

    def _is_by_all(self, orders: tuple[str, ...]) -> bool:
        """Whether an attack by everybody who can join is the one that is meant."""
        game, state = self.match.game, self.match.state
        if any(not o.startswith(("attack ", "with ", "ready")) for o in orders):
            return False
        return {game.format(state, a) for a in game.parse(state, f"{orders[0]}: all")} == set(orders)

    def _attack(self, orders: tuple[str, ...]) -> Gesture:
        target = orders[0].split()[1]
        by_all = self._is_by_all(orders)
        self.by_hand = not by_all
        self.count.one_by_one += len(orders)
        for order in [f"{orders[0]}: all"] if by_all else orders:
            self.match.play(order, SEAT)
        if by_all:
            return Gesture("all", target, "", orders)
        return Gesture("strike", "", target, orders, len(orders) - 2)

    def _break_through(self) -> Gesture:
        copy = Session.load(self.match.save())
        computer = ComputerPlayer(copy, "planner", seconds=PATIENCE, seed=SEED)
        orders = [computer.play()]
        while orders[0].startswith("attack ") and orders[-1] not in ("ready", "drop"):
            orders.append(computer.play())
        if orders[0].startswith("attack "):
            gesture = self._attack(tuple(orders))
            # its die is cast at once, by the button
            return gesture._replace(presses=gesture.presses + (gesture.how == "strike"))
        self.match.play(orders[0], SEAT)
        self.count.one_by_one += 1
        return Gesture("button", orders[0], "", tuple(orders))

    # -- results ---------------------------------------------------------------------------------------

    def _resolve(self, decision: Decision) -> Gesture | None:
        order = next(o for o in self._words(decision) if o.startswith("resolve "))
        self.match.play(order, SEAT)
        self.count.one_by_one += 1
        if self.resolving:
            return None
        self.resolving = True
        return Gesture("button", "Resolve all", "", (order,))

    def _words(self, decision: Decision) -> list[str]:
        return [self.match.game.format(self.match.state, a) for a in decision.options]

    def _advance(self, decision: Decision) -> Gesture:
        """A unit is dragged to where its advance ends."""
        unit, state = self._in_hand(decision), self.match.state
        free = not state.stack[-1].gives_up(state, DONE)
        orders = [self.computer.play()]
        if orders[0] == "done":
            self.count.one_by_one += 1
            return Gesture("nobody else", "done", "", ("done",), 1 if free else 2)
        unit = unit or orders[0].split()[1]
        while self._kind() == "advance_step" and self._in_hand(self._asked()) == unit:
            orders.append(self.computer.play())
        self.count.one_by_one += len(orders)
        roster, state = self.match.state.rules.roster, self.match.state
        place = state.rules.grid.names[state.pos[roster.find(unit)]]
        return Gesture("unit" if orders == ["halt"] else "drag", unit, place, tuple(orders))

    def _asked(self) -> Decision:
        decision = self.match.decision()
        assert decision is not None
        return decision

    def _in_hand(self, decision: Decision) -> str:
        units = decision.units
        return units[0] if decision.kind == "advance_step" and units else ""


def first_turn() -> Count:
    """The clicks of the whole first player-turn."""
    turn = Turn()
    for _ in turn.gestures():
        pass
    return turn.count


def report() -> Iterator[str]:
    """The table of clicks, line by line."""
    count = first_turn()
    yield f"{'Clicks of a player':<52}{'one by one':>12}{'at once':>10}{'mark':>8}"
    yield f"{'The Russian Portfolio, first turn of the Axis':<52}{count.one_by_one:>12}{count.clicks:>10}{90:>8}"
