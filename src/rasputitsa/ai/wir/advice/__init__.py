"""Hints and analysis of War in Russia."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rasputitsa.ai.advice.contract import HINT_SEED, Advice
from rasputitsa.ai.advice.errors import NoAnalysisError
from rasputitsa.ai.advice.hint import PlanExplainer
from rasputitsa.ai.advice.player_turns import Judge, PlayerTurn
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.ai.memory import Memory
from rasputitsa.ai.players import Player
from rasputitsa.ai.wir.advice import explainer, player_turns
from rasputitsa.ai.wir.advice.adviser import Adviser
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.core.record.session import Session
from rasputitsa.wir.api.notation import read_group
from rasputitsa.wir.model.tables import groups_of
from rasputitsa.wir.model.theatre import SIDES


class WirAdvice(Advice):
    """The search player's orders in words. The start of a week can be judged fairly."""

    begins_with, simultaneous = "movement", True

    def adviser(self, view: Any, decision: Decision, options: Mapping[str, str]) -> tuple[PlanExplainer, Player]:
        player = Adviser(self.game, options, HINT_SEED)
        return explainer.WirPlanExplainer(self.game, view, decision, player), player

    def staff(
        self, view: Any, decision: Decision, options: Mapping[str, str], limits: StaffLimits
    ) -> tuple[Any, Decision, PlanExplainer, Player]:
        """A staff orders some groups and leaves alone the others, and those that have their orders already."""
        if decision.kind != "movement":
            raise NoAnalysisError("a staff gives orders in the movement phase, with no group in hand")
        side = SIDES.index(decision.side)
        meant = {read_group(unit) for unit in limits.units}
        alone = self.game.copy(view)
        for group in groups_of(side):
            if group not in meant or alone.plot[group] or alone.strike[group]:
                alone.halted |= 1 << group
        asked = self.game.decision(alone)
        assert asked is not None
        player = Adviser(self.game, options, HINT_SEED, holds=limits.stance == "hold")
        return alone, asked, explainer.WirPlanExplainer(self.game, alone, asked, player), player

    def expectation(self, state: Any) -> float:
        return explainer.expectation(state)

    def judge(self, seat: str, options: Mapping[str, str], memory: Memory | None = None) -> Judge:
        side = next(known.side for known in self.game.seats(options) if known.id == seat)
        learning = explainer.Judge(memory if isinstance(memory, SeatMemory) else SeatMemory.of_side(side))
        return lambda state: learning(self.game.view_of(state, seat))

    def judged(self, state: Any, decision: Decision | None, last_turn: int) -> bool:
        return decision is None or bool(state.turn != last_turn)

    def phase_key(self, state: Any) -> tuple[object, ...]:
        phase = next((frame.index for frame in state.stack if frame.kind == "sequence"), 0)
        return state.turn, state.side, phase, state.outcome is not None

    def changes(self, before: Any, after: Any) -> list[str]:
        return player_turns.changes(before, after)

    def planned(
        self, session: Session, player_turn: PlayerTurn, actions: Sequence[Action], judge: Judge, seconds: float
    ) -> float | None:
        return player_turns.planned(session, player_turn, actions, judge)

    def made(self, session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
        return player_turns.made(session, player_turn, judge)
