"""Shapes of what *War in Russia* says beyond the common ones (``core.shapes``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rasputitsa.core import shapes
from rasputitsa.core.shapes import Front, HexCost, Hexes, Piece, Shapes, Why

Side = Literal["axis", "soviet"]


@dataclass(kw_only=True)
class Strike:
    """A plotted air strike."""

    hex: str
    manner: Literal["bomb", "ground"]


@dataclass(kw_only=True)
class GroupUnit:
    """A unit of a group; ``most`` is the strength at which it is full."""

    n: int
    label: str
    name: str
    type: str
    nation: str
    strength: int
    most: int
    experience: int
    fatigue: int


@dataclass(kw_only=True)
class Group(Piece):
    """A group: what is missing is hidden from the seat, or not of its kind."""

    status: Literal["U", "S", "M", "N", ""] = ""
    waits: bool = False
    """It may act, has not acted, and nothing is plotted for it; an air group finds something to strike."""
    supplied: bool = False
    steps: int = 0
    plot: str = ""
    strike: Strike | None = None
    aircraft: int = 0
    artillery: int = 0
    entrench: int = 0
    gunned: bool = False
    strength: int = 0
    formation: str = ""
    crew: list[GroupUnit] = field(default_factory=list)


@dataclass(kw_only=True)
class City:
    """A city; its factories are told to the owner alone."""

    name: str
    hex: str
    owner: Side
    population: int | None
    industry: int | None
    vehicle: int | None
    artillery: int | None
    aircraft: int | None
    supply: int | None


@dataclass(kw_only=True)
class Depot:
    """The depot on the move."""

    id: str
    side: Side
    hex: str
    penalty: int
    relief: int
    route: list[str]


@dataclass(kw_only=True)
class Limits:
    """What a side may still do this turn."""

    rail_moves: int
    air_moves: int
    seas: list[str]
    dismantle: bool


@dataclass(kw_only=True)
class LendLease:
    """What waits at Murmansk."""

    vehicle: int
    aircraft: int


@dataclass(kw_only=True)
class Partisans:
    """How often they try this week, at what percent, and on how many hexes."""

    tries: int
    percent: int
    hexes: int


@dataclass(kw_only=True)
class Tally:
    """Victory points of each side by what they are for; the difference is Soviet less Axis."""

    axis: dict[str, int]
    soviet: dict[str, int]
    difference: int
    level: str


@dataclass(kw_only=True)
class Observation(shapes.Observation):
    """A position; by side where a key is a side, and None where it is hidden from the seat."""

    units: Sequence[Group]
    victory: Tally
    scan: dict[str, Literal["before", "during", "after"]]
    """Whether a side's depots have moved this turn."""
    first: Side | None
    level: int
    selected: str | None
    depot: Depot | None
    rail: dict[str, list[str]]
    rail_order: dict[str, str | None]
    cities: list[City]
    pools: dict[str, dict[str, int] | None]
    limits: dict[str, Limits | None]
    lend: LendLease | None
    partisans: Partisans | None


# ---------------------------------------------------------------------- what does not change


@dataclass(kw_only=True)
class Hex(shapes.StaticHex):
    """A hex; ``i`` is its number in the data of events."""

    i: int
    passable: bool
    russia: bool
    lon: float
    lat: float


@dataclass(kw_only=True)
class Place(shapes.StaticPlace):
    """A city or a source of supply."""

    scores: int
    start: Side


@dataclass(kw_only=True)
class Map(shapes.StaticMap):
    """The map."""

    hexes: Sequence[Hex]
    places: Sequence[Place]


@dataclass(kw_only=True)
class Counter(shapes.StaticUnit):
    """A group of either side, and the home of a depot."""

    home: str | None


@dataclass(kw_only=True)
class UnitKind:
    """A kind of unit: what it costs, and its strength and experience by year."""

    id: str
    code: str
    title: str
    side: Side
    nation: str
    infantry: int
    vehicle: int
    mechanized: bool
    strength: dict[str, int]
    experience: dict[str, int]


@dataclass(kw_only=True)
class PlotEntry:
    """A plot, and the plots that it may become; empty for none (``api.plot_table``)."""

    steps: list[int]
    ending: Literal["", "S", "B"]
    words: str
    longer: dict[str, str]
    stop: str
    bombard: str
    pause: str


@dataclass(kw_only=True)
class TurnBox:
    """A turn, the month it starts in (as 1941-06), and how likely each kind of weather is, in percent."""

    number: int
    date: str
    month: str
    weather: None
    title: str
    chances: dict[str, int]


@dataclass(kw_only=True)
class SupplyChart:
    """How far a depot supplies, and how many penalty hexes it may enter."""

    radius: int
    penalty_hexes: int


@dataclass(kw_only=True)
class GroupForm:
    """A kind of group that can be formed, by its number in the menu."""

    number: int
    title: str


@dataclass(kw_only=True)
class SupposeChart:
    """The most that may be supposed of a hidden group."""

    strength: int
    experience: int
    works: int


@dataclass(kw_only=True)
class Coming:
    """What changes in the course of the war, from a month on."""

    month: str
    side: Side
    text: str
    rule: str
    levels: list[int]


@dataclass(kw_only=True)
class Charts:
    """Tables of the rules; those without a shape are told as the data files have them."""

    types: list[UnitKind]
    terrain: list[str]
    city_values: list[str]
    pools: dict[str, int]
    plots: dict[str, PlotEntry]
    directions: list[str]
    turns: list[TurnBox]
    supply: SupplyChart
    suppose: SupposeChart
    forms: list[GroupForm]
    relief: list[int]
    production: dict[str, Any]
    agenda: list[Coming]
    victory: dict[str, Any]
    victory_levels: list[tuple[int, str]]


@dataclass(kw_only=True)
class Static(shapes.StaticGame):
    """Map, groups and charts."""

    map: Map
    units: Sequence[Counter]
    charts: Charts


# ---------------------------------------------------------------------- answers


@dataclass(kw_only=True)
class March(HexCost):
    """A hex within strategic movement, and the fatigue of the way."""

    fatigue: int


@dataclass(kw_only=True)
class Reach:
    """Where a group can go: on foot, by rail, and by a plot; ``stops`` are hexes where a march ends."""

    units: list[str]
    origin: str
    plain: list[March]
    dispersed: list[HexCost]
    stops: list[str]
    rail: list[str]
    plot: list[str]
    status: str


@dataclass(kw_only=True)
class Route:
    """The way to a hex, and the line of notation that carries it out; or why there is none."""

    hexes: list[str]
    cost: int
    line: str
    reason: str = ""
    rule: str = ""


@dataclass(kw_only=True)
class Plots:
    """The plots a group may be given; asked for a hex, also why none leads there."""

    unit: str
    plots: list[str]
    present: str
    reason: str = ""
    rule: str = ""


@dataclass(kw_only=True)
class DepotRange:
    """A depot, and the hexes it supplies."""

    id: str
    hex: str
    hexes: list[str]


@dataclass(kw_only=True)
class Supply:
    """Which groups have received supplies this turn."""

    told: Literal["before", "during", "after"]
    supplied: list[str]
    unsupplied_units: list[str]
    depots: list[DepotRange]


@dataclass(kw_only=True)
class DepotReach:
    """Where a depot can stop, by the number of penalty hexes from ``penalty`` on, and the relief it then brings."""

    origin: str
    penalty: int
    waves: list[list[str]]
    relief: list[int]
    supplies: list[str]


@dataclass(kw_only=True)
class Rail:
    """Railways of a side; the zone in which the Axis builds this turn."""

    hexes: list[str]
    open: list[str]
    zone: Literal["north", "south"]
    south_from_row: int
    moves_left: int


@dataclass(kw_only=True)
class OddsItem:
    """What a group puts in."""

    side: Literal["attack", "defence"]
    group: str
    text: str
    points: int
    strength: float
    multiple: float
    value: float
    rule: str


@dataclass(kw_only=True)
class Modifier:
    """What the odds are multiplied by, as it is written."""

    text: str
    value: str
    rule: str


@dataclass(kw_only=True)
class Percents:
    """Losses in percent."""

    attacker: float | None
    defender: float | None


@dataclass(kw_only=True)
class EstimateEnd:
    """What an attack comes to at one end of the range."""

    odds: float | None
    retreat: float | None
    losses: Percents
    defence: float | None


@dataclass(kw_only=True)
class EstimatedGroup:
    """What a hidden group is believed to be, and why."""

    group: str
    points: int
    least: int
    most: int
    experience: int
    fatigue: int
    works: int
    why: str


@dataclass(kw_only=True)
class OddsEstimate:
    """How far an estimate of hidden groups may be wrong; ``likelihood`` in percent."""

    likelihood: int
    best: EstimateEnd
    worst: EstimateEnd
    groups: list[EstimatedGroup]


@dataclass(kw_only=True)
class Odds:
    """What an attack would come to. Odds of None: the defender has no strength.

    ``known``: nothing of the defender is hidden; ``supposed``: all that is has been supposed by the player.
    """

    units: list[str]
    known: bool
    unknown: list[str]
    supposed: bool
    odds_before: float | None
    odds: float | None
    attack: float
    defence: float
    items: list[OddsItem]
    modifiers: list[Modifier]
    artillery: float
    shelling: float
    entrenchment: int
    entrenchment_destroyed: int
    retreat: float | None
    losses: Percents
    attacker_fatigue: list[float]
    estimate: OddsEstimate | None = None


@dataclass(kw_only=True)
class Building:
    """Where units can be built; if nowhere, why not in the largest city."""

    hexes: list[str]
    hex: str
    reason: str
    rule: str


@dataclass(kw_only=True)
class StepFatigue:
    """Fatigue of a step, and what the weather multiplies it by for each side."""

    strategic: float
    tactical: float
    weather: list[float]


@dataclass(kw_only=True)
class TerrainOf:
    """The ground of a hex; rivers by direction."""

    hex: str
    terrain: str
    beneath: str
    rail: Side | None
    rivers: list[int]
    fatigue: StepFatigue


@dataclass(kw_only=True)
class Outlook:
    """What an air strike may come to; chances and effects in percent."""

    target: str
    distance: int
    escort_range: int
    escorted: bool
    interceptors: list[str]
    flak: list[int]
    overcast: int
    weather: float
    ground: float | None
    aircraft: float | None
    factories: list[float]


@dataclass(kw_only=True)
class Strikes:
    """What an air group can strike, and how far it has an escort."""

    unit: str
    reach: list[str]
    range: int
    escort_range: int
    escort: list[str]
    bomb: list[str]
    ground: list[str]
    outlook: Outlook | None = None


@dataclass(kw_only=True)
class StaffWork:
    """What the staff would do with an automatic order, and what it would leave undone."""

    does: list[str]
    leaves: list[str]


SHAPES = Shapes(
    observation=Observation,
    static=Static,
    answers={
        "why": Why, "reach": Reach, "route": Route, "plots": Plots, "supply": Supply, "depot": DepotReach, "rail": Rail,
        "odds": Odds, "building": Building, "zoc": Hexes, "control": Hexes, "front": Front, "terrain": TerrainOf,
        "strike": Strikes, "forecast": dict[str, int], "staff": StaffWork, "victory": Tally,
    },
)  # fmt: skip
