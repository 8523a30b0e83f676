"""Pictures for notebooks and scripts: ``picture(game, state)``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rasputitsa.core import files
from rasputitsa.core.game import Game
from rasputitsa.render.board import Board
from rasputitsa.render.png import png

WIDTH = 700
"""Pixels of the picture that a notebook shows."""


class Picture:
    """The board of a position. A notebook shows it by itself; ``save`` writes SVG or PNG, by the name."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | Path, width: int | None = None) -> None:
        """Write the picture."""
        path = Path(path)
        if path.suffix == ".png":
            files.write_bytes(path, png(self.svg, width))
        else:
            files.write_text(path, self.svg)

    def _repr_png_(self) -> bytes:
        return png(self.svg, WIDTH)


def picture(game: Game[Any], state: Any, seat: str | None = None, around: Iterable[str] | None = None) -> Picture:
    """A position as a seat sees it, whole or as much of it as lies around some hexes.

    Without hexes, a lesson is shown around its goal.
    """
    view = game.observe(state, seat)
    goal = view.get("goal")
    if around is None and goal:
        groups = {unit["id"]: unit.get("hex") for unit in view["units"]}
        around = [*goal["hexes"], *filter(None, map(groups.get, goal["units"]))]
    return Picture(Board(game.static(game.begun_with(state)[0])).svg(view, around=list(around or ())))
