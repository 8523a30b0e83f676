"""Whole moves as typed: a way of adjacent hexes is walked hex by hex, and refused where it fails."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.hexes.grid import BIT
from rasputitsa.portfolio.api.notation import MoveOrder
from rasputitsa.portfolio.api.trial import Trial
from rasputitsa.portfolio.model.actions import HALT, MOVE, STEP, TO, WITH
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.moves import MovingStack
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.rules.movement.movement import Moving
from rasputitsa.portfolio.rules.movement.refusals import why_not_to
from rasputitsa.portfolio.rules.movement.route import leg


def as_typed(s: State, order: MoveOrder) -> list[Action]:
    """The actions of a whole move, tried on a copy.

    Raises:
        IllegalAction: about the unit, or about the hex of the way, that cannot be.
    """
    return _Walk(s, order).actions()


class _Walk:
    def __init__(self, s: State, order: MoveOrder) -> None:
        self.trial = Trial(s)
        self.s = self.trial.s
        self.order = order

    def actions(self) -> list[Action]:
        """The small actions of the order; raises ``IllegalAction`` where a step cannot be."""
        first, *others = self.order.units
        self._check_start(first)
        self.trial.do(MOVE.actions[first])
        for unit in others:
            self.trial.do(WITH.actions[unit])
        for target in self.order.way:
            self._go(target)
        if self._moving() is not None:
            self.trial.do(HALT)
        return self.trial.done

    def _check_start(self, unit: Unit) -> None:
        start, stands = self.order.start, self.s.pos[unit]
        if start is not None and stands >= 0 and start != stands:
            names, name = self.s.rules.grid.names, self.s.rules.units[unit].name
            raise IllegalAction(f"{name} stands in {names[stands]}, not in {names[start]}", "XI.A.2")

    def _moving(self) -> Moving | None:
        """The move, as long as it goes on."""
        frame = self.s.stack[-1]
        return frame if isinstance(frame, Moving) and frame.units[0] in self.order.units else None

    def _go(self, target: Hex) -> None:
        moving = self._moving()
        if moving is None:
            raise self._move_is_over(target)
        m = moving.moving_stack(self.s)
        straight = STEP.actions[target]
        if target not in self.s.rules.grid.neighbours[m.here]:
            self.trial.do(TO.actions[target])
        elif self.s.legal is not None and straight in self.s.legal:
            self.trial.do(straight)
        else:
            self._check_direct(m, target)
            self.trial.do(TO.actions[target])

    def _check_direct(self, m: MovingStack, target: Hex) -> None:
        """A typed step is never walked by a way round."""
        if TO.actions[target] in (self.s.legal or ()) and len(leg(self.s, m, target).hexes) > 2:
            raise why_not_to(self.s, m, self.order.units, target)

    def _move_is_over(self, target: Hex) -> IllegalAction:
        """Why a group does not go on from where it is."""
        s, unit = self.s, self.order.units[0]
        here, where = s.rules.grid.names[s.pos[unit]], s.rules.grid.names[target]
        name = s.rules.units[unit].name
        if s.dispersed & BIT[unit]:
            return IllegalAction(f"{name} is Dispersed on entering {here} and does not go on to {where}", "XI.C")
        if zoc(s, 1 - s.rules.roster.side[unit]) & BIT[s.pos[unit]]:
            return IllegalAction(
                f"in {here} {name} enters an enemy zone of control, where a move ends; it does not go on to {where}",
                "XI.B.1",
            )
        return IllegalAction(f"{name} has no movement factors left in {here} to go on to {where}", "XI.C")
