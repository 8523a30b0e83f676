"""Hints and analysis of The Russian Portfolio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rasputitsa.ai.advice.contract import HINT_SEED, Advice
from rasputitsa.ai.advice.hint import PlanExplainer, Thought
from rasputitsa.ai.advice.player_turns import Judge, PlayerTurn
from rasputitsa.ai.players import Clock, Player
from rasputitsa.ai.portfolio.advice import player_turns
from rasputitsa.ai.portfolio.advice.explainer import PortfolioPlanExplainer, expectation, weighed
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.ai.portfolio.search.player import SearchPlayer
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.core.record.session import Session


class PortfolioAdvice(Advice):
    """The plans of the search player, in lessons of the planner, in words.

    A side that is about to make its Initial moves can be judged fairly.
    """

    begins_with, open_to_all = "movement", True

    def adviser(self, view: Any, decision: Decision, options: Mapping[str, str]) -> tuple[PlanExplainer, Player]:
        # a lesson's goal lies a turn or two ahead: the planner reaches it more often than trials that end before it
        player = SearchPlayer if view.goal is None else PlannerPlayer
        return PortfolioPlanExplainer(self.game, view, decision), player(self.game, options, HINT_SEED)

    def weighed(
        self, view: Any, decision: Decision, thoughts: list[Thought], clock: Clock, player: Player
    ) -> tuple[list[Thought], list[str]]:
        return weighed(self.game, view, decision, thoughts, clock, player)

    def expectation(self, state: Any) -> float:
        return expectation(state)

    def judged(self, state: Any, decision: Decision | None, last_turn: int) -> bool:
        return decision is None or (decision.kind == "movement" and not state.reserve)

    def phase_key(self, state: Any) -> tuple[object, ...]:
        phase = next((frame.index for frame in state.stack if frame.kind == "sequence"), 0)
        return state.turn, state.side, state.reserve, phase, state.outcome is not None

    def changes(self, before: Any, after: Any) -> list[str]:
        return player_turns.changes(before, after)

    def planned(
        self, session: Session, player_turn: PlayerTurn, actions: Sequence[Action], judge: Judge, seconds: float
    ) -> float | None:
        return player_turns.planned(session, player_turn, actions, judge, seconds)

    def made(self, session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
        return player_turns.made(session, player_turn, judge, seconds)

    def stood(self, session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
        return player_turns.stood(session, player_turn, judge, seconds)
