"""Waters that the charts sheet names, checked against the map when a game is set up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rasputitsa.portfolio.model.charts import bad_figure, kerch_sea
from rasputitsa.portfolio.model.theatre import Theatre


def disagreements(sheet: dict[str, Any], board: Theatre) -> Iterator[tuple[str, str]]:
    """The keys of the charts sheet that name other waters than the map has, and what is wrong with each."""
    closed = sorted(({*board.sea_zone, *board.coast} - {""}) - set(sheet["sea"]["control"]))
    if sorted(sheet["sea"]["closed_waters"]) != closed:
        yield "sea.closed_waters", f"the map has {', '.join(closed) or 'no such waters'} (hexes.csv)"
    sea = kerch_sea(sheet)
    if sea not in list(sheet["sea"]["control"]):
        yield "feature.kerch.controlled_sea", f"sea.control has no sea {sea!r:.40}"


def require_agreement(folder: Path, sheet: dict[str, Any], board: Theatre) -> None:
    """Raise ``SetupError`` for the first disagreement; it names file, line and key."""
    for key, message in disagreements(sheet, board):
        raise bad_figure(folder, key, message)
