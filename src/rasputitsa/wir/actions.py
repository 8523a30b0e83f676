"""The verbs of the game, and ready-made actions so that listing options costs next to nothing.

``unit`` stands for a combat or air group: groups are the pieces on the map.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rasputitsa.core.actions import Action

VERBS: dict[str, tuple[str, ...]] = {
    "done": (), "back": (), "abort": (),
    # adjustment and building (4)
    "divide": ("unit",), "form": ("number",), "send": ("number",), "guns": ("number",),
    "transfer": ("unit", "unit"), "aircraft": ("unit", "unit"), "reinforce": ("unit",), "points": ("number",),
    "build": ("number",), "type": ("number",), "strength": ("number",),
    "factory": ("number",), "industry": (), "vehicle": (), "artillery": (), "aircraft_factory": (),
    "dismantle": ("number",), "naval": ("unit", "unit"),
    "end_game": (), "level": ("number",), "agree": (), "decline": (),
    # supply (5)
    "step": ("number",), "depot": ("hex",), "auto": (), "rail": (), "skip": (),
    # movement and plot (6)
    "get": ("unit",), "railmove": ("hex",), "replace": ("number", "number"),
    "plot": ("number",), "unplot": (), "bomb": ("hex",), "ground": ("hex",), "hold": (),
    # staff
    "auto_supply": (), "auto_replace": (), "auto_guns": (),
}  # fmt: skip

BARE: dict[str, Action] = {verb: Action(verb) for verb, args in VERBS.items() if not args}
DONE, BACK, ABORT = BARE["done"], BARE["back"], BARE["abort"]


@cache
def action(verb: str, *args: int) -> Action:
    """An action, made once."""
    return Action(verb, args)


def each(verb: str, numbers: Iterable[int]) -> list[Action]:
    """One action of a verb for each argument."""
    return [action(verb, n) for n in numbers]
