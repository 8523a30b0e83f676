"""What a lesson asks for."""

from __future__ import annotations

from typing import NamedTuple

CHECKS = ("turn", "operations")


class Goal(NamedTuple):
    """What has to be reached, by whom and when. Hexes and units are sets, as everywhere."""

    side: int
    text: str
    last_turn: int
    hold: int
    at_least: int
    clear: int
    remove: int
    remove_at_least: int
    keep: int
    early: bool
    check: str
    replacements: bool
