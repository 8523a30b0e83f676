"""XI A group on the move, and how far it can go."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.portfolio.model.indices import Hex, HexBits, Side


class Reach(NamedTuple):
    """Where a group can stop next. ``plain`` costs nothing further, ``dispersing`` disperses it on arrival."""

    plain: HexBits
    dispersing: HexBits


class MovingStack(NamedTuple):
    """A group on the move: what the search has to know about it."""

    side: Side
    here: Hex
    steps: int
    """Hexes entered so far in this move."""
    rivers: int
    """Rivers crossed so far in this move."""
    basic: int
    """Movement factor, after weather, fuel and Reserves Phase."""
    total: int
    """Movement factor and bonus together."""
    pays_rivers: bool
    pure_armor: bool
    passable: HexBits
    enemy_zoc: HexBits
    room: HexBits
    left_zones: HexBits = 0
    """Hexes of the zones that the move began in, which it may not enter again (XI.B.2, where so agreed)."""
