"""The computer players of Duel."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.ai.players import Clock, PlayerInfo
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from tests.duel.game import Duel, Table

PLAYERS = (PlayerInfo("stubborn", "Stubborn", "Always the last answer on the list", "tests.duel.players:Stubborn"),)


class Stubborn:
    """Takes the last legal action, which ends every walk at once."""

    def __init__(self, game: Duel, options: Mapping[str, str], seed: int | None) -> None:
        pass

    def choose(self, state: Table, decision: Decision, clock: Clock) -> Action:
        return decision.options[-1]
