"""Duel as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.core.game import Game
from rasputitsa.envs.encoder import Arrays, Encoder, Names
from rasputitsa.envs.rewards import Score
from tests.duel.game import HEXES, UNITS, Table


class DuelEncoder(Encoder):
    """Two planes with a unit each, no table of units, the score."""

    verbs = ("hide", "guess", "roll", "step", "done")
    numbers: ClassVar[Mapping[str, tuple[int, int]]] = {"hide": (1, 6), "guess": (1, 6)}
    planes = ("red", "blue")
    features = ("column",)
    globals = ("secret",)
    rows, columns, units = 1, len(HEXES), 2

    def __init__(self, game: Game[Table], state: Table) -> None:
        pass

    def encode(self, view: Table, options: Sequence[Action] | None, seat: str) -> Arrays:
        planes = np.zeros((2, 1, len(HEXES)), np.float32)
        for plane, column in enumerate(view.places):
            planes[plane, 0, column] = 1.0
        columns = np.array([[column / len(HEXES)] for column in view.places], np.float32)
        return {"planes": planes, "units": columns, "globals": np.array([view.secret / 6], np.float32)}

    def arguments(self, verb: str) -> tuple[Names, ...] | None:
        if verb != "step":
            return None
        return {name: n for n, name in enumerate(UNITS)}, {name: n for n, name in enumerate(HEXES)}

    def scores(self, view: Table, seat: str) -> dict[str, Score]:
        return {"red": Score(-view.score, 0.0), "blue": Score(view.score, 0.0)}
