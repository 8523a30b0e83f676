"""What the terrain effects chart says of kinds of terrain, waters and strongholds (TEC): what freezes and the like."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from rasputitsa.portfolio.model.charts import WATERS, charts, flag

UNEVEN: Final = ("swamp", "hills", "mountain")
"""Terrain that is not clear."""


class TerrainChart(NamedTuple):
    """Names of terrain, waters and strongholds, as the charts sheet has them."""

    freezing: frozenset[str]
    """What Snow freezes beyond the Arctic Weather Line (VI.B.1)."""
    crowding: frozenset[str]
    """Terrain that holds one armor-type unit (XII)."""
    no_overrun: frozenset[str]
    """Where armor overruns nobody (XIII.C, X.B)."""


def terrain_chart(folder: Path) -> TerrainChart:
    """The chart of a data folder; raises ``SetupError`` for a value that is neither true nor false."""
    sheet = charts(folder)

    def chosen(table: str, names: tuple[str, ...], key: str, wanted: bool = True) -> frozenset[str]:
        return frozenset(name for name in names if flag(folder, sheet, f"{table}.{name}.{key}") is wanted)

    terrain = ("clear", *UNEVEN)
    return TerrainChart(
        chosen("terrain", ("swamp", "mountain"), "freezes") | chosen("feature", ("river", *WATERS), "freezes"),
        chosen("terrain", terrain, "rough"),
        chosen("terrain", terrain, "overrun", False) | chosen("feature", ("fortress", "major"), "overrun", False),
    )
