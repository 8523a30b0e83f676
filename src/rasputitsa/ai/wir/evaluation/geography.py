"""What the planner makes of the map: prizes, sectors of the front, points of main effort (``geography.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data.folder import read_toml
from rasputitsa.wir.model.theatre import SIDES

FILE = Path(__file__).with_name("geography.toml")


class Geography(NamedTuple):
    """The map in the eyes of the planner."""

    prizes: tuple[Mapping[str, float], ...]
    """For each side, what some cities mean to it beyond their points, by name."""
    decisive: Mapping[str, float]
    """The same for cities by which the war may end (8.9), where it is not ``any_decisive``."""
    any_decisive: float
    sector_edges: tuple[int, ...]
    """First rows of the sectors of the front; what is north of them is the first sector, the far north."""
    sector_weights: tuple[float, ...]
    """By how much each sector is given more than its enemies and prizes ask, the far north first."""
    main_efforts: tuple[tuple[int, int], ...]
    """First and last rows of the parts of the map in each of which one point of main effort is sought."""


@cached
def geography() -> Geography:
    """The geography that comes with the program."""
    table = read_toml(FILE)
    _, *sectors = table["sectors"]["list"]
    return Geography(
        tuple(table["prizes"][side] for side in SIDES),
        table["decisive"]["worth"],
        table["decisive"]["any"],
        tuple(sector["first_row"] for sector in sectors),
        tuple(sector["weight"] for sector in table["sectors"]["list"]),
        tuple((first, last) for first, last in table["main_efforts"]["rows"]),
    )
