"""Shapes of what games say as JSON: documentation for OpenAPI and the client's types, never checked on the way.

Here stands what games on a map have in common; each game extends it by its own (``Game.shapes``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Shapes(NamedTuple):
    """What a game says beyond the common shapes, as dataclasses."""

    observation: Any = None
    static: Any = None
    answers: Mapping[str, Any] = {}
    """By the kind of question."""


@dataclass(kw_only=True)
class Turn:
    """The turn, and the weather in it."""

    number: int
    label: str
    short: str
    """The label where there is little room."""
    weather: str
    weather_title: str
    last: int | None
    first: int


@dataclass(kw_only=True)
class Phase:
    """The phase, and whose it is."""

    id: str
    label: str
    rule: str
    reserve: int | None
    side: str | None


@dataclass(kw_only=True)
class Attack:
    """An attack that was announced."""

    n: int
    targets: list[str]
    units: list[str]
    state: str
    odds: str | None = None


@dataclass(kw_only=True)
class Piece:
    """A piece as a seat may know it; each game says more of its own."""

    id: str
    hex: str | None
    where: str
    side: str = ""
    type: str = ""
    nation: str = ""
    name: str = ""
    known: bool = True
    moved: bool = False


@dataclass(kw_only=True)
class GoalPart:
    """One thing to be reached."""

    text: str
    done: int
    needed: int


@dataclass(kw_only=True)
class Goal:
    """What a lesson asks of one side, in place of the victory conditions."""

    side: str
    text: str
    last_turn: int
    last_date: str
    hexes: list[str]
    units: list[str]
    parts: list[GoalPart]
    reached: bool


@dataclass(kw_only=True)
class Outcome:
    """How the game ended."""

    winner: str | None
    level: str
    reason: str
    rule: str


@dataclass(kw_only=True)
class Observation:
    """A position on a map, as a seat may know it."""

    turn: Turn
    phase: Phase
    order: list[str]
    units: Sequence[Piece]
    control: dict[str, list[str]]
    attacks: list[Attack]
    victory: Any
    """How victory stands: each game describes its own, and a further game may say anything."""
    goal: Goal | None
    outcome: Outcome | None


# ---------------------------------------------------------------------- what does not change


@dataclass(kw_only=True)
class StaticHex:
    """A hex, its centre in the plane, and its ground."""

    id: str
    x: float
    y: float
    terrain: str
    country: str | None = None
    coast: list[str] = field(default_factory=list)
    """Names of the seas it lies on."""
    sea: str | None = None
    edge: str | None = None
    neutral: bool = False
    in_play: bool = True
    """False outside the part of the map that the scenario is played on."""


@dataclass(kw_only=True)
class StaticSide:
    """What runs between two hexes."""

    a: str
    b: str
    kind: str
    name: str | None = None


@dataclass(kw_only=True)
class StaticPlace:
    """A town."""

    hex: str
    name: str
    kind: str
    victory: int
    factory: bool | int
    port: list[str]
    fortress: bool | int
    fuel: str | None


@dataclass(kw_only=True)
class StaticMap:
    """The map: width and height in the units of the hexes' centres."""

    width: float
    height: float
    hexes: Sequence[StaticHex]
    sides: list[StaticSide]
    places: Sequence[StaticPlace]
    hex_size: float = 1
    orientation: str = "pointy"


@dataclass(kw_only=True)
class StaticUnit:
    """A counter as it is printed."""

    id: str
    side: str
    nation: str
    type: str
    size: str
    name: str = ""


@dataclass(kw_only=True)
class Verb:
    """A verb of the notation, and what it speaks of."""

    args: list[str]
    title: str


@dataclass(kw_only=True)
class HistoricalFront:
    """Where the front ran on a date: for each row of hexes the easternmost one that the Axis held."""

    turn: int
    date: str
    note: str
    line: list[str]
    source: str


@dataclass(kw_only=True)
class ChronicleCard:
    """What happened in the war from a turn to another; both are 0 for what is over before the scenario starts."""

    first: int
    last: int
    date: str
    text: str
    sources: list[str]
    sure: str
    """How sure it is, in words."""


@dataclass(kw_only=True)
class Command:
    """Who commanded a unit on the first day of each turn from one to another."""

    unit: str
    first: int
    last: int
    commander: str
    source: str
    sure: str
    """How sure it is, in words."""
    agreed: bool


@dataclass(kw_only=True)
class History:
    """What happened in the war; no rule knows it."""

    fronts: list[HistoricalFront] = field(default_factory=list)
    chronicle: list[ChronicleCard] = field(default_factory=list)
    commanders: list[Command] = field(default_factory=list)


@dataclass(kw_only=True)
class StaticGame:
    """Map, units and charts of a scenario."""

    map: StaticMap
    units: Sequence[StaticUnit]
    charts: Any
    """Tables of the rules: each game describes its own, and a further game may say anything."""
    verbs: dict[str, Verb]
    history: History = field(default_factory=History)


# ---------------------------------------------------------------------- answers


@dataclass(kw_only=True)
class Why:
    """Whether an order could be given now, and if not, why not."""

    legal: bool
    reason: str
    rule: str


@dataclass(kw_only=True)
class HexCost:
    """A hex within reach, and what it costs to go there."""

    hex: str
    cost: int


@dataclass(kw_only=True)
class Hexes:
    """Some hexes."""

    hexes: list[str]


@dataclass(kw_only=True)
class HexPair:
    """Two adjacent hexes."""

    a: str
    b: str


@dataclass(kw_only=True)
class Front:
    """Pairs of adjacent hexes held by different sides."""

    sides: list[HexPair]


@dataclass(kw_only=True)
class SupplyLine:
    """How a unit is supplied: in words, the hexes of the line from the unit on, and where its loss would cut it off."""

    unit: str
    supplied: bool
    text: str
    hexes: list[str]
    cut: list[str]


@dataclass(kw_only=True)
class HexFigure:
    """What a layer says of a hex."""

    hex: str
    side: str
    """Whose units stand there."""
    value: float | None
    """Nothing where the seat does not know."""
    text: str
    estimated: bool = False
    """Whether it rests on what is believed of hidden units."""


@dataclass(kw_only=True)
class HexFigures:
    """A figure for each hex that has one; ``unknown``: hidden units that are part of it."""

    hexes: list[HexFigure]
    unknown: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class TrappedUnit:
    """A unit that has no way to retreat, and what that means; ``pressed``: enemies beside it could drive it out."""

    unit: str
    text: str
    rule: str
    pressed: bool


@dataclass(kw_only=True)
class Trapped:
    """Who has no way to retreat, as far as the seat knows; ``unknown``: hidden units that could press them."""

    units: list[TrappedUnit]
    unknown: list[str] = field(default_factory=list)


COMMON_ANSWERS = (Why, HexCost, Hexes, Front, SupplyLine, HexFigures, Trapped)
