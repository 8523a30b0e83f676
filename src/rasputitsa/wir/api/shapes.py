"""Shapes of what *War in Russia* says beyond the common ones (``core.shapes``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from rasputitsa.core import shapes
from rasputitsa.core.shapes import Front, Hexes, HexFigures, Piece, Shapes, SupplyLine, Trapped, Why
from rasputitsa.wir.api.answers import (
    Building,
    DepotReach,
    EarlyEnd,
    Menus,
    Odds,
    Plots,
    Rail,
    Reach,
    Route,
    StaffWork,
    Strikes,
    Supply,
    TerrainOf,
)
from rasputitsa.wir.model.shapes import PlotEnding, Scan, SideName, Tally


class Strike(TypedDict):
    """A plotted air strike."""

    hex: str
    manner: Literal["bomb", "ground"]


class GroupUnit(TypedDict):
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


class Group(Piece):
    """A group: what is missing is hidden from the seat, or not of its kind."""

    status: NotRequired[Literal["U", "S", "M", "N", ""]]
    waits: NotRequired[bool]
    """It may act, has not acted, and nothing is plotted for it; an air group finds something to strike."""
    supplied: NotRequired[bool]
    steps: NotRequired[int]
    plot: NotRequired[str]
    plot_ends: NotRequired[EarlyEnd]
    plot_meets: NotRequired[str]
    """The first hex on the way of its plot in which an enemy stands."""
    strike: NotRequired[Strike | None]
    aircraft: NotRequired[int]
    artillery: NotRequired[int]
    entrench: NotRequired[int]
    added_artillery: NotRequired[bool]
    strength: NotRequired[int]
    power: NotRequired[int]
    """What its strength counts now, before terrain and weather (7.6)."""
    formation: NotRequired[str]
    army: NotRequired[str]
    command: NotRequired[str]
    """The army group or front that it belonged to when the scenario began."""
    units: NotRequired[list[GroupUnit]]


class City(TypedDict):
    """A city; its factories are shown to the owner alone."""

    name: str
    hex: str
    owner: SideName
    population: int | None
    industry: int | None
    vehicle: int | None
    artillery: int | None
    aircraft: int | None
    supply: int | None


class Depot(TypedDict):
    """The depot on the move."""

    id: str
    side: SideName
    hex: str
    penalty: int
    relief: int
    route: list[str]


class Transfer(TypedDict):
    """Between which groups something is being transferred; nothing for the pool."""

    source: str | None
    target: str


class Limits(TypedDict):
    """What a side may still do this turn."""

    rail_moves: int
    air_moves: int
    seas: list[str]
    dismantle: bool


class LendLease(TypedDict):
    """What waits at Murmansk."""

    vehicle: int
    aircraft: int


class Partisans(TypedDict):
    """How often they try this week, at what percent, and on how many hexes."""

    tries: int
    percent: int
    hexes: int


class PublicFace(TypedDict):
    """What others see of a side that has given its orders (3.3)."""

    hexes: list[int]
    """The place of every group of the side, by number; -1 off the map."""
    control: str
    """Who controls what: a set of hexes, in hexadecimal digits."""


class Observation(shapes.ObservationBase):
    """A position; by side where a key is a side, and None where it is hidden from the seat."""

    units: Sequence[Group]
    victory: Tally
    scan: dict[str, Scan]
    """Whether a side's depots have moved this turn."""
    first: SideName | None
    level: int
    selected: str | None
    depot: Depot | None
    transfer: Transfer | None
    rail: dict[str, list[str]]
    rail_order: dict[str, str | None]
    cities: list[City]
    pools: dict[str, dict[str, int] | None]
    limits: dict[str, Limits | None]
    lend: LendLease | None
    partisans: Partisans | None


# ---------------------------------------------------------------------- what does not change


class Hex(shapes.StaticHex):
    """A hex; ``i`` is its number in the data of events."""

    i: int
    passable: bool
    russia: bool
    lon: float
    lat: float


class Place(shapes.StaticPlace):
    """A city or a source of supply."""

    scores: int
    start: SideName


class Map(shapes.StaticMapBase):
    """The map."""

    hexes: Sequence[Hex]
    places: Sequence[Place]


class Counter(shapes.StaticUnit):
    """A group of either side, and the home of a depot."""

    home: str | None


class UnitKind(TypedDict):
    """A kind of unit: what it costs, and its strength and experience by year."""

    id: str
    code: str
    title: str
    side: SideName
    nation: str
    infantry: int
    vehicle: int
    mechanized: bool
    strength: dict[str, int]
    experience: dict[str, int]


class PlotEntry(TypedDict):
    """A plot, and the plots that it may become; empty for none (``api.plot_table``)."""

    steps: list[int]
    """Directions, 0 for a pause."""
    ending: PlotEnding
    words: str
    longer: dict[str, str]
    """By the direction added."""
    stop: str
    """With the ending S, or without it."""
    bombard: str
    """With the ending B, or without it."""
    pause: str
    """With the pause before its last step, or without it."""


class TurnBox(TypedDict):
    """A turn, the month it starts in (as 1941-06), and how likely each kind of weather is, in percent."""

    number: int
    date: str
    month: str
    weather: None
    title: str
    chances: dict[str, int]


class SupplyChart(TypedDict):
    """How far a depot supplies, and how many penalty hexes it may enter."""

    radius: int
    penalty_hexes: int


class GroupForm(TypedDict):
    """A kind of group that can be formed, by its number in the menu."""

    number: int
    title: str


class SupposeChart(TypedDict):
    """The most that may be supposed of a hidden group."""

    strength: int
    experience: int
    entrenchment: int


class Coming(TypedDict):
    """What changes in the course of the war, from a month on."""

    month: str
    side: SideName
    text: str
    rule: str
    levels: list[int]


class VictoryLevel(TypedDict):
    """A level of victory, from a difference in points on."""

    points: int
    title: str


class FromMonth(TypedDict):
    """A percentage that counts from a month on."""

    month: str
    percent: int


class Production(TypedDict):
    """What factories and cities make of what they have."""

    source: str
    confidence: str
    pool: dict[str, int]
    axis_fails: dict[str, int]
    """By the year, in percent."""
    soviet_infantry: list[FromMonth]
    """Of what the population gives."""
    yields: dict[str, int]
    """By the kind of city."""
    factory_cost: int
    points_per_new_factory: int
    factories_per_city: int


class VictoryRules(TypedDict):
    """What counts for victory."""

    source: str
    confidence: str
    city: int
    month: int
    months_from: str
    short_factor: int
    worst: str
    axis_wins: list[str]
    soviet_needs: list[str]
    soviet_one_of: list[str]


class Titles(TypedDict):
    """What is called how: by the words of the other tables, of cities, groups and the score."""

    values: dict[str, str]
    pools: dict[str, str]
    scores: dict[str, str]
    statuses: dict[str, str]
    weathers: dict[str, str]


class Paragraphs(TypedDict):
    """Where the rules treat of what a client shows: the paragraph of each subject."""

    supply_scan: str
    hidden: str
    air_strike: str
    bombardment: str
    odds: str
    fatigue: str
    weather: str
    production: str
    partisans: str
    victory: str


class Charts(TypedDict):
    """Tables of the rules."""

    types: list[UnitKind]
    terrain: list[str]
    city_values: list[str]
    pools: dict[str, int]
    plots: dict[str, PlotEntry]
    directions: list[str]
    turns: list[TurnBox]
    supply: SupplyChart
    suppose: SupposeChart
    most_fatigue: int
    """At which a unit is worn out (8.1)."""
    forms: list[GroupForm]
    relief: list[int]
    production: Production
    timeline: list[Coming]
    titles: Titles
    paragraphs: Paragraphs
    victory: VictoryRules
    victory_levels: list[VictoryLevel]


class StaticParts(shapes.StaticGameBase):
    """Map, groups and charts, as the game gives them."""

    map: Map
    units: Sequence[Counter]
    charts: Charts


class Static(StaticParts, shapes.Served):
    """Map, groups and charts."""


SHAPES = Shapes(
    observation=Observation,
    static=Static,
    answers={
        "why": Why, "reach": Reach, "route": Route, "plots": Plots, "supply": Supply, "depot": DepotReach, "rail": Rail,
        "area": Hexes, "menus": Menus,
        "odds": Odds, "building": Building, "zoc": Hexes, "control": Hexes, "front": Front, "terrain": TerrainOf,
        "strike": Strikes, "forecast": dict[str, int], "line": SupplyLine, "staff": StaffWork, "victory": Tally,
        "strengths": HexFigures, "all_odds": HexFigures, "trapped": Trapped,
    },
)  # fmt: skip
