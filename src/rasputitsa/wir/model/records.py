"""Small records that a position holds and the rules make and read: what is shown of a side, the goal of a lesson."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.wir.model.indices import GroupBits, Hex, HexBits, Side


class Face(NamedTuple):
    """What everybody sees of a side that gives its orders (3.3)."""

    side: Side
    hexes: tuple[Hex, ...]
    """The hex of every group, by number."""
    control: HexBits


class Goal(NamedTuple):
    """What has to be reached in a lesson, by whom and when. Hexes and groups are sets, as everywhere."""

    side: Side
    text: str
    last_turn: int
    hold: HexBits
    at_least: int
    clear: HexBits
    remove: GroupBits
    remove_at_least: int
    keep: GroupBits
    supplied: GroupBits
    early: bool
    production: bool
