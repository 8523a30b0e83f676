"""What a lesson asks for."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.portfolio.model.indices import HexBits, Side, UnitBits

CHECKS = ("turn", "operations")


class Goal(NamedTuple):
    """What has to be reached, by whom and when. Hexes and units are sets, as everywhere."""

    side: Side
    text: str
    last_turn: int
    hold: HexBits
    at_least: int
    clear: HexBits
    remove: UnitBits
    remove_at_least: int
    keep: UnitBits
    early: bool
    check: str
    replacements: bool
