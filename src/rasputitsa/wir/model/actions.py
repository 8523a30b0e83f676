"""1.2 The verbs of the game, and ready-made actions so that listing options costs next to nothing.

``unit`` stands for a combat or air group: groups are the pieces on the map.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached, cached_up_to
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Hex, HexBits

ADJUSTING: Final[dict[str, tuple[str, ...]]] = {
    "divide": ("unit",), "form": ("number",), "send": ("number",), "guns": ("number",),
    "transfer": ("unit", "unit"), "aircraft": ("unit", "unit"), "reinforce": ("unit",), "points": ("number",),
    "build": ("hex",), "type": ("number",), "strength": ("number",),
    "factory": ("hex",), "works": ("number",), "dismantle": ("hex",), "naval": ("unit", "unit"),
    "end_game": (), "level": ("number",), "agree": (), "decline": (),
}  # fmt: skip
"""Adjustment and building (4)."""
SUPPLYING: Final[dict[str, tuple[str, ...]]] = {
    "depot": ("hex",), "auto": (), "rail": (), "supply": (), "skip": (), "auto_supply": (),
}  # fmt: skip
"""Supply (5)."""
MOVING: Final[dict[str, tuple[str, ...]]] = {
    "get": ("unit",), "railmove": ("hex",), "replace": ("number", "number"), "artillery": (),
    "plot": ("number",), "unplot": (), "bomb": ("hex",), "ground": ("hex",), "auto_replace": (), "auto_all": (),
}  # fmt: skip
"""Movement and plot (6)."""
VERBS: Final[dict[str, tuple[str, ...]]] = {
    "done": (), "halt": (), "back": (), "abort": (), **ADJUSTING, "step": ("number",), **SUPPLYING, **MOVING,
}  # fmt: skip

PARAGRAPHS: Final[dict[str, str]] = {
    "divide": "4.3", "form": "4.3", "transfer": "4.4", "send": "4.4", "guns": "4.4",
    "aircraft": "4.5", "reinforce": "4.5", "points": "4.5", "factory": "4.8", "works": "4.8", "dismantle": "4.8",
    "build": "4.9", "type": "4.9", "strength": "4.9", "naval": "4.10",
    "end_game": "4.11", "agree": "4.11", "decline": "4.11", "level": "10.0",
    "depot": "5.2", "auto": "5.2", "supply": "5.2", "skip": "5.2", "auto_supply": "5.2", "rail": "5.3",
    "get": "6.1", "abort": "6.1", "step": "6.2", "railmove": "6.3", "replace": "6.4", "auto_replace": "6.4",
    "artillery": "6.5", "auto_all": "6.5", "plot": "6.6", "unplot": "6.6", "bomb": "6.9", "ground": "6.9",
}  # fmt: skip
"""The paragraph of each order, which refuses it where it is out of place; ``done``, ``halt`` and ``back`` only end or
leave what was begun."""

BARE: Final[dict[str, Action]] = {verb: Action(verb) for verb, args in VERBS.items() if not args}
DONE: Final = BARE["done"]
HALT: Final = BARE["halt"]
BACK: Final = BARE["back"]
ABORT: Final = BARE["abort"]


@cached
def act(verb: str, *args: int) -> Action:
    """An action, made once."""
    return Action(verb, args)


def each(verb: str, numbers: Iterable[int]) -> list[Action]:
    """One action of a verb for each argument."""
    return [act(verb, n) for n in numbers]


@cached_up_to(512)
def _at_hexes(verb: str, hexes: HexBits) -> list[Action]:
    return [act(verb, h) for h in members(hexes)]


def at_hexes(verb: str, hexes: HexBits, *, but: Hex = -1) -> list[Action]:
    """One action of a verb for each hex of a set, leaving out one hex. The same sets come again and again."""
    if not hexes:
        return []
    found = _at_hexes(verb, hexes)[:]
    if but >= 0 and hexes >> but & 1:
        del found[(hexes & (1 << but) - 1).bit_count()]
    return found
