"""The names of the seas, hex by hex. No rule reads them."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.hexes.grid import Grid, members
from rasputitsa.wir.model.indices import Hex, HexBits


def spread(grid: Grid, sea: HexBits, seeds: Mapping[Hex, str]) -> list[str]:
    """For each hex the name of the nearest seed across water, one ring after the other; empty on land."""
    names = [""] * grid.size
    front = dict(seeds)
    while front:
        for hex_, name in front.items():
            names[hex_] = name
        ring: dict[Hex, str] = {}
        for hex_, name in front.items():
            for there in members(grid.adjacent[hex_] & sea):
                if not names[there]:
                    ring.setdefault(there, name)
        front = ring
    return names
