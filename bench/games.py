"""The games that are measured: each has a package of its name here, which says what is measured of it.

Such a package offers ``PLAYED`` (what a random game of it is called), ``HANDOVERS`` (a scenario, and what a player's
turn is called), ``random_game(seed)``, ``particulars()`` with figures by name, and ``told(figures)``, lines about them;
its module ``clicks`` offers ``report()``, the lines of a table.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from rasputitsa.core.registry import game_ids


def measured() -> list[str]:
    """The games with a package of their name in this folder."""
    return [game for game in game_ids() if find_spec(f"bench.{game}")]


def package(game: str) -> ModuleType:
    """What is measured of a game; imported only now, so that a process loads one engine."""
    return import_module(f"bench.{game}")


def clicks(game: str) -> ModuleType:
    """The count of clicks of a game."""
    return import_module(f"bench.{game}.clicks")
