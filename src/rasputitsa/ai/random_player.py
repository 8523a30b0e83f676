"""The simplest player: any legal action. It measures others and finds errors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import copy
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game


class RandomPlayer:
    """Chooses evenly among the options, with dice of its own."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def __deepcopy__(self, memo: dict[int, Any]) -> RandomPlayer:
        twin = copy(self)
        twin._random = random.Random()
        twin._random.setstate(self._random.getstate())
        return twin

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """Any of the options."""
        return self._random.choice(decision.options)


class SteadyPlayer(RandomPlayer):
    """Chooses evenly among the options that do not end the game before its time (``Game.early_ends``)."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        super().__init__(game, options, seed)
        self._ends = game.early_ends

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """Any of these options; of all where there are no others."""
        options = [option for option in decision.options if option.verb not in self._ends]
        return self._random.choice(options or decision.options)
