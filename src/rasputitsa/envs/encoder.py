"""What a game has to supply for the environments: an order of its verbs, and its positions as arrays.

An encoder is named by an entry point of the group ``rasputitsa.encoders`` under the id of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import ENCODERS, extended, extension
from rasputitsa.envs.rewards import Score

Array = NDArray[np.float32]

Names = Mapping[str, int]
"""The values that an argument may have, by their names in notation."""


class Encoder(ABC):
    """Positions of one game and map as arrays of numbers from 0 to 1."""

    layout: ClassVar[int] = 1
    """The version of the arrays: one more whenever a number in them comes to mean something else."""
    verbs: ClassVar[tuple[str, ...]]
    """Every verb of the game. The order is for good: new verbs go to the end."""
    take_backs: ClassVar[frozenset[str]] = frozenset()
    """Verbs with which a seat can undo what it has just chosen; some do so only at times."""
    numbers: ClassVar[Mapping[str, tuple[int, int]]]
    """For verbs with a plain number: the lowest and the highest it can have."""
    planes: tuple[str, ...]
    """What each plane of hexes shows."""
    features: tuple[str, ...]
    """The columns of the table of units."""
    globals: tuple[str, ...]
    """The single numbers."""
    rows: int
    columns: int
    units: int

    @abstractmethod
    def __init__(self, game: Game[Any], state: Any) -> None:
        """``state`` is a fresh game of the same map and options."""

    @abstractmethod
    def encode(self, view: Any, decision: Decision | None, seat: str) -> dict[str, Array]:
        """``planes`` (planes x rows x columns), ``units`` (units x features), ``globals``, and the ``tables``.

        ``view`` holds no more than the seat may know (``Game.view_of``); ``decision`` is None unless it is the seat's.
        """

    @abstractmethod
    def scores(self, view: Any, seat: str) -> dict[str, Score]:
        """How each side stands, as far as a seat may know while the game is on; ``view`` is what it sees."""

    def arguments(self, verb: str) -> tuple[Names, ...] | None:
        """The values of a verb's arguments, where not all units, hexes or numbers of its kinds can occur."""
        return None

    def tables(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """Further tables of this game: for each its number of rows, and its columns."""
        return {}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays."""
        return {
            "planes": (len(self.planes), self.rows, self.columns),
            "units": (self.units, len(self.features)),
            "globals": (len(self.globals),),
            **{name: (rows, len(columns)) for name, (rows, columns) in self.tables().items()},
        }

    @property
    def digest(self) -> str:
        """A short text that changes whenever any number of the arrays comes to mean something else."""
        text = repr((self.layout, self.planes, self.features, self.globals, dict(self.tables()), self.shapes()))
        return blake2b(text.encode(), digest_size=8).hexdigest()


def option_names(game: Game[Any]) -> tuple[str, ...]:
    """A name for each value of each option of a game, for ``globals``."""
    return tuple(f"option_{option.id}_{choice.id}" for option in game.options() for choice in option.choices)


def option_values(game: Game[Any], chosen: Mapping[str, str]) -> tuple[bool, ...]:
    """Which of them are chosen."""
    return tuple(chosen[option.id] == choice.id for option in game.options() for choice in option.choices)


def encoder_for(game: Game[Any], state: Any) -> Encoder:
    """The encoder of a game; raises ``SetupError`` for a game without one."""
    made = extension(ENCODERS, game.id)
    if made is None:
        raise SetupError(f"{game.id} has no encoder; known: {', '.join(extended(ENCODERS))}")
    encoder: Encoder = made(game, state)
    return encoder
