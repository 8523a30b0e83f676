"""VIII.A The rail net of a side."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.portfolio.model.indices import HexBits


class RailNet(NamedTuple):
    """Hexes trains run through, in connected parts; with each part the hexes one can board it from."""

    hexes: HexBits
    parts: tuple[tuple[HexBits, HexBits], ...]
