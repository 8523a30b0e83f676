"""Shapes of what *The Russian Portfolio* says beyond the common ones (``core.shapes``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from rasputitsa.core import shapes
from rasputitsa.core.shapes import Front, HexCost, Hexes, HexFigures, Piece, Shapes, SupplyLine, Trapped, Why
from rasputitsa.portfolio.api.chart_shapes import Charts
from rasputitsa.portfolio.model.shapes import Points, Pools, Rail, SiberianPoints, Supply, Victory


class Unit(Piece):
    """A unit, and its markers."""

    spent: bool
    dispersed: bool
    attacked: bool
    hold: bool
    """Under "No Retreat!" orders."""
    fuel_short: bool


class Siberia(TypedDict):
    """The Siberian Reserve: when its troops came, and the number picked, for who may know it."""

    turns: list[int]
    points: SiberianPoints
    picked: int | None


class Offensive(TypedDict):
    """The winter offensive."""

    began: int | None
    turns: int


class Observation(shapes.ObservationBase):
    """A position."""

    units: Sequence[Unit]
    points: dict[str, Points]
    victory: Victory
    seas: dict[str, str | None]
    factories_lost: list[str]
    siberia: Siberia
    offensive: Offensive


# ---------------------------------------------------------------------- what does not change


class Hex(shapes.StaticHex):
    """A hex."""

    arctic: bool


class Map(shapes.StaticMapBase):
    """The map."""

    hexes: Sequence[Hex]
    places: Sequence[shapes.StaticPlace]


class Counter(shapes.StaticUnit):
    """A counter: attack, defence and movement factors, and what it costs to replace."""

    af: int
    df: int
    mf: int
    mark: str | None
    cost: int | None
    cost_kind: str | None
    replaceable: bool
    pool: str | None
    group: str | None


class StaticParts(shapes.StaticGameBase):
    """Map, counters and charts, as the game gives them."""

    map: Map
    units: Sequence[Counter]
    charts: Charts


class Static(StaticParts, shapes.Served):
    """Map, counters and charts."""


# ---------------------------------------------------------------------- answers


class Reach(TypedDict):
    """Where units can go, plainly or arriving Dispersed; their movement factor and what is added to it."""

    units: list[str]
    origin: str
    plain: list[HexCost]
    dispersed: list[HexCost]
    factor: int
    bonus: int
    left: int
    """What of the movement factor is not spent yet."""
    bonus_left: int


class Route(TypedDict):
    """The way to a hex."""

    hexes: list[str]
    cost: int
    rivers: int
    dispersed: bool
    stops: bool


class ItemPlace(TypedDict):
    """What a line of the calculation of odds is about."""

    side: NotRequired[str]
    hex: NotRequired[str]


class OddsItem(ItemPlace):
    """A line of the calculation of odds."""

    text: str
    value: int
    rule: str


class DefenderColumn(TypedDict):
    """The column that is read for a defender."""

    hex: str
    unit: str
    dispersed: bool
    column: str


class Cause(TypedDict):
    """Why a result is another one than the table says."""

    text: str
    rule: str


class UnitFate(TypedDict):
    """What a face of the die means for a defender."""

    unit: str
    table: str
    result: str
    lost: bool
    reach: int
    dicey: bool
    may_leave: bool
    to: list[str]
    causes: list[Cause]


class Face(TypedDict):
    """What a face of the die brings, as the resolver works it out; ``told`` in words, with marks for units."""

    die: int
    result: str
    units: list[UnitFate]
    lost: list[str]
    choice: str
    owing: int
    dispersed: list[str]
    broken: list[str]
    told: list[str]
    under_orders: list[str]
    """What "No Retreat!" orders would make of it, in words, as far as that is something else."""


class Chance(TypedDict):
    """How likely a result is."""

    result: str
    p: float


class AttackPreview(TypedDict):
    """An attack as it would go now; with the reason if it is not allowed."""

    attack: int
    defence: int
    items: list[OddsItem]
    basic: str
    shifts: list[OddsItem]
    columns: list[DefenderColumn]
    final: str
    faces: list[Face]
    chances: list[Chance]
    legal: bool
    reason: str
    rule: str


class Odds(AttackPreview):
    """An attack as it would go now; with the reason if it is not allowed."""

    units: list[str]
    """Who would attack."""


class AdvanceWay(TypedDict):
    """A hex that a unit can advance to, by which way, and the line that orders it."""

    unit: str
    hex: str
    hexes: list[str]
    dispersed: bool
    line: str


class Advances(TypedDict):
    """Where units can advance to after combat."""

    ways: list[AdvanceWay]


class UnitState(TypedDict):
    """A unit's movement factor now, and whether it is in supply."""

    id: str
    factor: int
    bonus: int
    supplied: bool
    fuel: bool
    room: list[str]


class SideLosses(TypedDict):
    """What a side has on the map, in attack factors and units, and which units it has lost."""

    on_map: int
    units_on_map: int
    units_lost: list[str]


class Losses(TypedDict):
    """What each side has lost."""

    axis: SideLosses
    soviet: SideLosses


SHAPES = Shapes(
    observation=Observation,
    static=Static,
    answers={
        "why": Why, "reach": Reach, "route": Route, "odds": Odds, "advance": Advances, "zoc": Hexes, "control": Hexes,
        "front": Front, "unit": UnitState, "line": SupplyLine, "losses": Losses, "supply": Supply, "rail": Rail,
        "pools": Pools, "victory": Victory, "strengths": HexFigures, "all_odds": HexFigures, "trapped": Trapped,
    },
)  # fmt: skip
