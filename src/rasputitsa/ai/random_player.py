"""The simplest player: any legal action. It measures others and finds errors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game


class RandomPlayer:
    """Chooses evenly among the options, with dice of its own."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """Any of the options."""
        return self._random.choice(decision.options)
