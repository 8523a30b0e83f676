"""What a game has to supply for the environments: an order of its verbs, and its positions as arrays.

An encoder is named by an entry point of the group ``rasputitsa.encoders`` under the id of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import ENCODERS, extended, extension
from rasputitsa.envs.rewards import Score
from rasputitsa.hexes.grid import Grid

Array = NDArray[np.float32]

Names = Mapping[str, int]
"""The values that an argument may have, by their names in notation."""


def lines_of(hexes: int, grid: Grid, lines: int, length: int) -> Array:
    """A set of hexes as zeros and ones, one row for each line of the grid, by as many hexes as it is long."""
    raw = np.frombuffer(hexes.to_bytes((grid.size + 7) // 8, "little"), dtype=np.uint8)
    bits = np.unpackbits(raw, bitorder="little")[: lines * grid.stride]
    return bits.reshape(lines, grid.stride)[:, :length].astype(np.float32)


class Encoder(ABC):
    """Positions of one game and map as arrays of numbers from 0 to 1."""

    verbs: ClassVar[tuple[str, ...]]
    """Every verb of the game. The order is for good: new verbs go to the end."""
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
        """``planes`` (planes x rows x columns), ``units`` (units x features) and ``globals``.

        ``view`` holds no more than the seat may know (``Game.view_of``); ``decision`` is None unless it is the seat's.
        """

    @abstractmethod
    def scores(self, view: Any, seat: str) -> dict[str, Score]:
        """How each side stands, as far as a seat may know while the game is on; ``view`` is what it sees."""

    def arguments(self, verb: str) -> tuple[Names, ...] | None:
        """The values of a verb's arguments, where not all units, hexes or numbers of its kinds can occur."""
        return None

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays."""
        return {
            "planes": (len(self.planes), self.rows, self.columns),
            "units": (self.units, len(self.features)),
            "globals": (len(self.globals),),
        }


def encoder_for(game: Game[Any], state: Any) -> Encoder:
    """The encoder of a game; raises ``SetupError`` for a game without one."""
    made = extension(ENCODERS, game.id)
    if made is None:
        raise SetupError(f"{game.id} has no encoder; known: {', '.join(extended(ENCODERS))}")
    encoder: Encoder = made(game, state)
    return encoder
