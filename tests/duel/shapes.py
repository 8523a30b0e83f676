"""What the duel says as JSON, beyond what every game says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from rasputitsa.core import shapes


class Standing(TypedDict):
    """How victory stands."""

    score: int
    turns: int


class Charts(TypedDict):
    """The die that Blue casts."""

    die: list[int]


class Observation(shapes.ObservationBase):
    """A position."""

    units: Sequence[shapes.Piece]
    victory: Standing
    score: int
    secret: int | None


class Static(shapes.StaticGameBase, shapes.Served):
    """The row of hexes."""

    map: shapes.StaticMap
    units: Sequence[shapes.StaticUnit]
    charts: Charts
