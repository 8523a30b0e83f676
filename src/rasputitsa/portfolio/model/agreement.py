"""Facts that the charts sheet repeats or names from other data, checked against it when a game is set up.

No rule reads those that it repeats; they are there for readers. A sheet that says otherwise than the map, the types
or its own dates is refused: the edit would change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rasputitsa.portfolio.model.charts import WATERS, bad_figure, kerch_sea
from rasputitsa.portfolio.model.theatre import Theatre
from rasputitsa.portfolio.model.unit_types import UnitType

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def disagreements(sheet: dict[str, Any], board: Theatre, types: dict[str, UnitType]) -> Iterator[tuple[str, str]]:
    """The keys of the charts sheet that say otherwise than the rest of the data, and what is wrong with each."""
    majors = board.majors.bit_count()
    if sheet["production"]["major_cities"] != majors:
        yield "production.major_cities", f"the map has {majors} (places.csv)"
    surcharge = sheet["movement"]["river_surcharge"]
    if sheet["feature"]["river"].get("surcharge") != surcharge:
        yield "feature.river.surcharge", f"movement.river_surcharge is {surcharge}"
    closed = sorted(({*board.sea_zone, *board.coast} - {""}) - set(sheet["sea"]["control"]))
    if sorted(sheet["sea"]["closed_waters"]) != closed:
        yield "sea.closed_waters", f"the map has {', '.join(closed) or 'no such waters'} (hexes.csv)"
    sea = kerch_sea(sheet)
    if sea not in list(sheet["sea"]["control"]):
        yield "feature.kerch.controlled_sea", f"sea.control has no sea {sea!r:.40}"
    dry = sorted(name for name, kind in types.items() if not kind.crosses_water)
    for water in WATERS:
        if sorted(sheet["feature"][water]["barred_types"]) != dry:
            yield f"feature.{water}.barred_types", f"those that do not cross water are {', '.join(dry)} (types.toml)"
    for number, turn in enumerate(sheet["turns"]):
        month = month_of(turn["date"])
        if turn.get("month") != month:
            yield f"turns.{number}.month", f"the date of the box is in {month}"


def month_of(date: str) -> str:
    """The month of a printed date: ``1941-06`` of "22 Jun 41"; empty if it is none."""
    _, _, month_and_year = date.partition(" ")
    month, _, year = month_and_year.partition(" ")
    return f"19{year}-{MONTHS.index(month) + 1:02}" if month in MONTHS else ""


def require_agreement(folder: Path, sheet: dict[str, Any], board: Theatre, types: dict[str, UnitType]) -> None:
    """Raise ``SetupError`` for the first disagreement; it names file, line and key."""
    for key, message in disagreements(sheet, board, types):
        raise bad_figure(folder, key, message)
