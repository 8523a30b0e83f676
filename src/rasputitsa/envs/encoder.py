"""What a game has to supply for the environments: an order of its verbs, and its positions as arrays.

An encoder is named by an entry point of the group ``rasputitsa.encoders`` under the id of the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game
from rasputitsa.core.registry import ENCODERS, extended, extension
from rasputitsa.envs.rewards import Score
from rasputitsa.envs.sheets.sheet import Flat, Sheet

Array: TypeAlias = NDArray[np.float32]
Arrays = Mapping[str, Array]

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
    asked: ClassVar[str] = ""
    """The plane and the column of units that show the hexes and the units among the options, which environments
    write by the numbers of the actions; empty where there is nothing of the kind."""
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
    def encode(self, view: Any, options: Sequence[Action] | None, seat: str) -> Arrays:
        """``planes`` (planes x rows x columns), ``units`` (units x features), ``globals``, and the ``tables``.

        ``view`` holds no more than the seat may know (``Game.view_of``); ``options`` is what the seat may answer, None
        unless it is asked. What ``asked`` names stays 0.
        """

    def blank(self) -> Arrays:
        """Arrays of these shapes with nothing on them."""
        return {name: np.zeros(shape, np.float32) for name, shape in self.shapes().items()}

    def sheet(self, arrays: Arrays) -> Sheet:
        """What writes one position after another on blank arrays; a game can have a quick way."""
        return PlainSheet(self, arrays)

    @abstractmethod
    def scores(self, view: Any, seat: str) -> dict[str, Score]:
        """How each side stands, as far as a seat may know while the game is on; ``view`` is what it sees."""

    def arguments(self, verb: str) -> tuple[Names, ...] | None:
        """The values of a verb's arguments, where not all units, hexes or numbers of its kinds can occur."""
        return None

    def cell(self, place: int) -> int:
        """In which cell of a plane, counted row by row, the hex of this place in the list of hexes lies."""
        return place

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


class PlainSheet(Sheet):
    """Writes everything each time."""

    def __init__(self, encoder: Encoder, arrays: Arrays) -> None:
        super().__init__()
        self._encoder, self._arrays = encoder, arrays

    def write(self, view: Any, options: Sequence[Action] | None, seat: str) -> None:
        for name, array in self._encoder.encode(view, options, seat).items():
            self._arrays[name][...] = array


def flat(array: Array) -> Flat:
    """An array in one piece as one row of cells."""
    return array.reshape(-1).data


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
