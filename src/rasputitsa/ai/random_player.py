"""The simplest player: any legal action. It measures others and finds errors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game


class RandomPlayer:
    """Chooses evenly among the options, with dice of its own."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self._dice: random.Random | None = random.Random(seed)
        self._stand: tuple[Any, ...] | None = None
        """How the dice stand, where that is known: copies are made far more often than they cast any."""

    def __deepcopy__(self, memo: dict[int, Any]) -> RandomPlayer:
        if self._stand is None:
            assert self._dice is not None
            self._stand = self._dice.getstate()
        twin = copy(self)
        twin._dice = None
        return twin

    def _one_of(self, options: Sequence[Action]) -> Action:
        if self._dice is None:
            assert self._stand is not None
            self._dice = random.Random(0)
            self._dice.setstate(self._stand)
        self._stand = None
        return self._dice.choice(options)

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """Any of the options."""
        return self._one_of(decision.options)


class SteadyPlayer(RandomPlayer):
    """Chooses evenly among the options that do not end the game before its time (``Game.early_ends``)."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        super().__init__(game, options, seed)
        self._ends = game.early_ends

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """Any of these options; of all where there are no others."""
        options = [option for option in decision.options if option.verb not in self._ends]
        return self._one_of(options or decision.options)
