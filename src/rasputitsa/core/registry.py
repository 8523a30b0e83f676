"""The games that are installed, found by their entry points (group ``rasputitsa.games``)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from inspect import signature
from pathlib import Path
from typing import Any

from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game

GROUP = "rasputitsa.games"


def game_ids() -> list[str]:
    """The ids of the games that can be played."""
    return sorted(point.name for point in entry_points(group=GROUP))


@cache
def get_game(game_id: str) -> Game[Any]:
    """A game by its id; raises ``SetupError`` for an unknown one."""
    for point in entry_points(group=GROUP, name=game_id):
        game: Game[Any] = point.load()()
        return game
    raise SetupError(f"there is no game called {game_id!r}; known: {', '.join(game_ids())}")


def game_with_data(game_id: str, data: Path | None) -> Game[Any]:
    """A game that plays with the data files of a folder; raises ``SetupError`` for a game that has none."""
    if data is None:
        return get_game(game_id)
    make: Any = type(get_game(game_id))
    if "data" not in signature(make).parameters:
        raise SetupError(f"{game_id} cannot be played with edited data")
    game: Game[Any] = make(data=data)
    return game
