"""War in Russia: the player whose plans hints explain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.wir.planning.assault import Attack
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.players.planner import PlannerPlayer
from rasputitsa.ai.wir.search.expected_attacks import expected
from rasputitsa.ai.wir.search.player import SearchPlayer
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Game
from rasputitsa.wir.model.actions import DONE
from rasputitsa.wir.model.indices import Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.supply import auto_orders


class Adviser(SearchPlayer):
    """The search player, in lessons the planner, who tells what it expects of its attacks."""

    expected: dict[Hex, Attack]

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int, *, holds: bool = False) -> None:
        """``holds``: everybody stays, and is given what a staff gives."""
        super().__init__(game, options, seed)
        self.holds = holds
        self.lesson_planner: MovementPlanner | None = None
        """Who made the last plan of a movement phase in a lesson."""

    def move(self, s: State, side: Side, going: Any) -> list[Action]:
        if self.holds:
            return [*auto_orders.all_orders(s, side), DONE]
        # in a lesson the planner reaches the goal at least as often: trials look one week ahead
        found = super().move(s, side, going) if s.goal is None else PlannerPlayer.move(self, s, side, going)
        work = self.work or self.lesson_planner
        assert work is not None
        self.expected = expected(work.s, side)
        return found

    def planner(self, s: State, side: Side, going: Any) -> MovementPlanner:
        self.lesson_planner = super().planner(s, side, going)
        return self.lesson_planner
