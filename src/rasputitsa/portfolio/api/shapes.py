"""Shapes of what *The Russian Portfolio* says beyond the common ones (``core.shapes``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rasputitsa.core import shapes
from rasputitsa.core.shapes import Front, HexCost, Hexes, HexFigures, Piece, Shapes, SupplyLine, Trapped, Why
from rasputitsa.portfolio.api.chart_shapes import Charts


@dataclass(kw_only=True)
class Unit(Piece):
    """A unit, and its markers."""

    spent: bool
    dispersed: bool
    moved: bool
    attacked: bool
    hold: bool
    """Under "No Retreat!" orders."""
    fuel_short: bool


@dataclass(kw_only=True)
class Points:
    """Replacement points."""

    armor: int
    infantry: int


@dataclass(kw_only=True)
class VictoryCity:
    """A victory city: held, and linked to the Axis by supply."""

    hex: str
    name: str
    value: int
    held: bool
    linked: bool


@dataclass(kw_only=True)
class Prize:
    """A hex that wins the game for the Soviets."""

    hex: str
    name: str
    held: bool


@dataclass(kw_only=True)
class Victory:
    """How victory stands."""

    points: int
    needed: int
    held: list[str]
    cities: list[VictoryCity]
    soviet_prizes: list[Prize]
    may_stop: bool


@dataclass(kw_only=True)
class Siberia:
    """The Siberian Reserve: when its troops came, and the number picked, for who may know it."""

    turns: list[int]
    points: list[int]
    picked: int | None


@dataclass(kw_only=True)
class Offensive:
    """The winter offensive."""

    began: int | None
    turns: int


@dataclass(kw_only=True)
class Observation(shapes.Observation):
    """A position."""

    units: Sequence[Unit]
    points: dict[str, Points]
    victory: Victory
    seas: dict[str, str | None]
    factories_lost: list[str]
    siberia: Siberia
    offensive: Offensive


# ---------------------------------------------------------------------- what does not change


@dataclass(kw_only=True)
class Hex(shapes.StaticHex):
    """A hex."""

    arctic: bool


@dataclass(kw_only=True)
class Map(shapes.StaticMap):
    """The map."""

    hexes: Sequence[Hex]


@dataclass(kw_only=True)
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


@dataclass(kw_only=True)
class Static(shapes.StaticGame):
    """Map, counters and charts."""

    map: Map
    units: Sequence[Counter]
    charts: Charts


# ---------------------------------------------------------------------- answers


@dataclass(kw_only=True)
class Reach:
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


@dataclass(kw_only=True)
class Route:
    """The way to a hex."""

    hexes: list[str]
    cost: int
    rivers: int
    dispersed: bool
    stops: bool


@dataclass(kw_only=True)
class OddsItem:
    """A line of the calculation of odds."""

    text: str
    value: int
    rule: str
    side: str = ""
    hex: str = ""


@dataclass(kw_only=True)
class DefenderColumn:
    """The column that is read for a defender."""

    hex: str
    unit: str
    dispersed: bool
    column: str


@dataclass(kw_only=True)
class Cause:
    """Why a result is another one than the table says."""

    text: str
    rule: str


@dataclass(kw_only=True)
class UnitFate:
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


@dataclass(kw_only=True)
class Face:
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


@dataclass(kw_only=True)
class Chance:
    """How likely a result is."""

    result: str
    p: float


@dataclass(kw_only=True)
class Odds:
    """An attack as it would go now; with the reason if it is not allowed.

    ``held``: the same if the defenders were ordered not to retreat; empty where that changes nothing.
    """

    units: list[str]
    """Who would attack."""
    attack: int
    defence: int
    items: list[OddsItem]
    basic: str
    shifts: list[OddsItem]
    columns: list[DefenderColumn]
    final: str
    faces: list[Face]
    held: list[Face]
    chances: list[Chance]
    legal: bool
    reason: str
    rule: str


@dataclass(kw_only=True)
class AdvanceWay:
    """A hex that a unit can advance to, by which way, and the line that orders it."""

    unit: str
    hex: str
    hexes: list[str]
    dispersed: bool
    line: str


@dataclass(kw_only=True)
class Advances:
    """Where units can advance to after combat."""

    ways: list[AdvanceWay]


@dataclass(kw_only=True)
class UnitState:
    """A unit's movement factor now, and whether it is in supply."""

    id: str
    factor: int
    bonus: int
    supplied: bool
    fuel: bool
    room: list[str]


@dataclass(kw_only=True)
class SideLosses:
    """What a side has on the map, in attack factors and units, and which units it has lost."""

    on_map: int
    units_on_map: int
    units_lost: list[str]


@dataclass(kw_only=True)
class Losses:
    """What each side has lost."""

    axis: SideLosses
    soviet: SideLosses


@dataclass(kw_only=True)
class Pocket:
    """Units cut off together, and how many of them are lost."""

    units: list[str]
    loses: int


@dataclass(kw_only=True)
class Supply:
    """Supply of a side."""

    supplied: list[str]
    fuel: list[str]
    unsupplied_units: list[str]
    fuel_short: list[str]
    pockets: list[Pocket]
    seas: list[str]


@dataclass(kw_only=True)
class Capacity:
    """How much of the railways is used."""

    used: int
    limit: int


@dataclass(kw_only=True)
class Rail:
    """Strategic movement of a side."""

    net: list[str]
    termini: list[str]
    rail_units: list[str]
    sea_units: list[str]
    capacity: Capacity
    sea_used: list[str]
    arrived: list[str]


@dataclass(kw_only=True)
class PoolUnit:
    """A unit off the map: its price, and why it cannot come back now."""

    id: str
    where: str
    cost: int | None
    cost_kind: str | None
    replace: bool
    reason: str | None
    rule: str | None
    reinforce: bool


@dataclass(kw_only=True)
class SiberianRisk:
    """The Siberian Reserve: what was drafted when, and whether a further draft puts units at risk."""

    turns: list[int]
    points: list[int]
    at_risk: bool


@dataclass(kw_only=True)
class Pools:
    """The units of a side off the map, and its points."""

    units: list[PoolUnit]
    points: Points
    income: Points
    entry: list[str]
    fronts_built: int
    working_cities: list[str] = field(default_factory=list)
    siberia: SiberianRisk | None = None


SHAPES = Shapes(
    observation=Observation,
    static=Static,
    answers={
        "why": Why, "reach": Reach, "route": Route, "odds": Odds, "advance": Advances, "zoc": Hexes, "control": Hexes,
        "front": Front, "unit": UnitState, "line": SupplyLine, "losses": Losses, "supply": Supply, "rail": Rail,
        "pools": Pools, "victory": Victory, "strengths": HexFigures, "all_odds": HexFigures, "trapped": Trapped,
    },
)  # fmt: skip
