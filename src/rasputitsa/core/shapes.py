"""Shapes of what games say as JSON: checked by the type checker, free at run time, documented by OpenAPI.

Here stands what games on a map have in common; each game extends it by its own (``Game.shapes``). A typed dictionary
cannot narrow a key that it inherits, so the keys that games narrow stand apart from a base with all others.

The contract itself (``Game.observe``, ``static`` and ``query``) speaks of mappings: a game may leave out any part of
these shapes, and a typed dictionary in which keys may be missing is no base of one that has them. Code that needs
all of them, as the server does, fills in what is missing and has an ``Observation`` from there on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict

from rasputitsa.core.symbols import Symbol

if TYPE_CHECKING:
    from rasputitsa.core import actions


class Shapes(NamedTuple):
    """What a game says beyond the common shapes, as typed dictionaries."""

    observation: Any = None
    static: Any = None
    answers: Mapping[str, Any] = {}
    """By the kind of question."""


class Turn(TypedDict):
    """The turn, and the weather in it."""

    number: int
    label: str
    short: str
    """The label where there is little room."""
    weather: str
    weather_title: str
    last: int | None
    first: int


class Phase(TypedDict):
    """The phase, and whose it is."""

    id: str
    label: str
    rule: str
    reserve: int | None
    side: str | None


class Attack(TypedDict):
    """An attack that was announced."""

    n: int
    targets: list[str]
    units: list[str]
    state: str
    odds: NotRequired[str | None]


class Piece(TypedDict):
    """A piece as a seat may know it; each game says more of its own."""

    id: str
    hex: str | None
    where: str
    side: NotRequired[str]
    type: NotRequired[str]
    nation: NotRequired[str]
    name: NotRequired[str]
    known: NotRequired[bool]
    moved: NotRequired[bool]


class GoalPart(TypedDict):
    """One thing to be reached."""

    text: str
    done: int
    needed: int


class Goal(TypedDict):
    """What a lesson asks of one side, in place of the victory conditions."""

    side: str
    text: str
    last_turn: int
    last_date: str
    hexes: list[str]
    units: list[str]
    parts: list[GoalPart]
    reached: bool
    out_of_reach: str
    """Why it can no longer be reached, in plain words; empty while it can."""


class Outcome(TypedDict):
    """How the game ended."""

    winner: str | None
    level: str
    reason: str
    rule: str


def outcome(found: actions.Outcome | None) -> Outcome | None:
    """How a game ended, as it is said."""
    return found and {"winner": found.winner, "level": found.level, "reason": found.reason, "rule": found.rule}


class ObservationBase(TypedDict):
    """What is said of a position in every game."""

    turn: Turn
    phase: Phase
    order: list[str]
    control: dict[str, list[str]]
    attacks: list[Attack]
    goal: Goal | None
    outcome: Outcome | None


class Observation(ObservationBase):
    """A position on a map, as a seat may know it."""

    units: Sequence[Piece]
    victory: Mapping[str, object]
    """How victory stands, by what counts for it: each game describes its own."""


# ---------------------------------------------------------------------- what does not change


class StaticHex(TypedDict):
    """A hex, its centre in the plane, and its ground."""

    id: str
    x: float
    y: float
    line: NotRequired[str]
    """The row or column that it is named by: N of N6, or 18 of 1814."""
    terrain: str
    country: NotRequired[str | None]
    coast: NotRequired[list[str]]
    """Names of the seas it lies on."""
    sea: NotRequired[str | None]
    edge: NotRequired[str | None]
    neutral: NotRequired[bool]
    in_play: NotRequired[bool]
    """False outside the part of the map that the scenario is played on."""
    freezes: NotRequired[bool]
    """Whether its terrain lies under ice where the ground brings ice."""


class StaticSide(TypedDict):
    """What runs between two hexes."""

    a: str
    b: str
    kind: str
    name: NotRequired[str | None]
    freezes: NotRequired[bool]
    """Whether it lies under ice where the ground brings ice."""


class StaticPlace(TypedDict):
    """A town."""

    hex: str
    name: str
    kind: str
    victory: int
    factory: bool | int
    port: list[str]
    fortress: bool | int
    fuel: str | None


class MapTitles(TypedDict):
    """What countries, seas and kinds of hexsides are called, where their ids say less."""

    countries: dict[str, str]
    seas: dict[str, str]
    sides: dict[str, str]


class StaticMapBase(TypedDict):
    """What is said of a map in every game: width and height in the units of the hexes' centres."""

    width: float
    height: float
    sides: list[StaticSide]
    hex_size: NotRequired[float]
    orientation: NotRequired[str]
    titles: NotRequired[MapTitles]


class StaticMap(StaticMapBase):
    """The map: width and height in the units of the hexes' centres."""

    hexes: Sequence[StaticHex]
    places: Sequence[StaticPlace]


class StaticUnit(TypedDict):
    """A counter as it is printed."""

    id: str
    side: str
    nation: str
    type: str
    size: str
    name: NotRequired[str]
    type_title: NotRequired[str]
    """What its type is called."""
    symbol: NotRequired[Symbol]
    """The neutral symbol it bears."""


class Verb(TypedDict):
    """A verb of the notation, what it speaks of, and what all its actions have in common."""

    args: list[str]
    title: str
    rule: str
    """The paragraph of the order; empty for words that only end an order or go on with it."""


class HistoricalFront(TypedDict):
    """Where the front ran on a date: for each row of hexes the easternmost one that the Axis held."""

    turn: int
    date: str
    note: str
    line: list[str]
    source: str


class ChronicleCard(TypedDict):
    """What happened in the war from a turn to another; both are 0 for what is over before the scenario starts."""

    first: int
    last: int
    date: str
    text: str
    sources: list[str]
    sure: str
    """How sure it is, in words."""


class Command(TypedDict):
    """Who commanded a unit on the first day of each turn from one to another."""

    unit: str
    first: int
    last: int
    commander: str
    source: str
    sure: str
    """How sure it is, in words."""
    agreed: bool


class Sign(TypedDict):
    """What a sign on the map or a counter, or a reminder in a panel, says of the rules; and the paragraph."""

    text: str
    rule: str


class Ground(TypedDict):
    """What the land looks like: under snow (all of it, or where the cold comes first), sodden, or icebound."""

    snow: Literal["none", "cold zone", "all"]
    wet: bool
    ice: bool
    """Whether the hexes and hexsides that freeze lie under ice."""


class History(TypedDict):
    """What happened in the war; no rule knows it."""

    fronts: NotRequired[list[HistoricalFront]]
    chronicle: NotRequired[list[ChronicleCard]]
    commanders: NotRequired[list[Command]]


class StaticGameBase(TypedDict):
    """What is said of a scenario in every game, besides map, units and charts."""

    verbs: dict[str, Verb]
    history: NotRequired[History]
    signs: NotRequired[Mapping[str, Sign]]
    """By the names that clients use."""
    grounds: NotRequired[Mapping[str, Ground]]
    """By the kinds of weather."""


class Served(TypedDict):
    """What the server adds to what a game says of a scenario."""

    plainest: list[str]
    """Verbs that leave things as they are, the plainest first."""


class StaticGame(StaticGameBase, Served):
    """Map, units and charts of a scenario."""

    map: StaticMap
    units: Sequence[StaticUnit]
    charts: Mapping[str, object]
    """Tables of the rules by their names: each game describes its own."""


# ---------------------------------------------------------------------- answers


class Why(TypedDict):
    """Whether an order could be given now, and if not, why not."""

    legal: bool
    reason: str
    rule: str


class HexCost(TypedDict):
    """A hex within reach, and what it costs to go there."""

    hex: str
    cost: int


class Hexes(TypedDict):
    """Some hexes."""

    hexes: list[str]


class HexPair(TypedDict):
    """Two adjacent hexes."""

    a: str
    b: str


class Front(TypedDict):
    """Pairs of adjacent hexes held by different sides."""

    sides: list[HexPair]


class SupplyLine(TypedDict):
    """How a unit is supplied: in words, the hexes of the line from the unit on, and where its loss would cut it off."""

    unit: str
    supplied: bool
    text: str
    hexes: list[str]
    cut: list[str]


class HexFigure(TypedDict):
    """What a layer says of a hex."""

    hex: str
    side: str
    """Whose units stand there."""
    value: float | None
    """Nothing where the seat does not know."""
    text: str
    estimated: NotRequired[bool]
    """Whether it rests on what is believed of hidden units."""


class HexFigures(TypedDict):
    """A figure for each hex that has one; ``unknown``: hidden units that are part of it."""

    hexes: list[HexFigure]
    unknown: NotRequired[list[str]]


class TrappedUnit(TypedDict):
    """A unit that has no way to retreat, and what that means; ``pressed``: adjacent enemies could drive it out."""

    unit: str
    text: str
    rule: str
    pressed: bool


class Trapped(TypedDict):
    """Who has no way to retreat, as far as the seat knows; ``unknown``: hidden units that could press them."""

    units: list[TrappedUnit]
    unknown: NotRequired[list[str]]


COMMON_ANSWERS = (Why, HexCost, Hexes, Front, SupplyLine, HexFigures, Trapped)
