"""Shapes of what *War in Russia* answers when it is asked something (``api.queries``)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from rasputitsa.core.shapes import HexCost
from rasputitsa.wir.model.shapes import AttackPreview, Percents, Scan, SideName


class March(HexCost):
    """A hex within strategic movement, the fatigue of the way, and whether the group is worn out when it arrives."""

    fatigue: int
    worn_out: bool


class Reach(TypedDict):
    """Where a group can go: on foot, by rail, and by a plot; ``stops`` are hexes where a march ends, and ``wears_out``
    says what it means for a group to be worn out where some march ends so."""

    units: list[str]
    origin: str
    plain: list[March]
    dispersed: list[HexCost]
    stops: list[str]
    wears_out: Caution | None
    rail: list[str]
    plot: list[str]
    status: str


class Route(TypedDict):
    """The way to a hex, and the line of notation that carries it out; or why there is none."""

    hexes: list[str]
    cost: int
    line: str
    reason: NotRequired[str]
    rule: NotRequired[str]


class Plots(TypedDict):
    """The plots a group may be given; asked for a hex, also why none leads there."""

    unit: str
    plots: list[str]
    present: str
    reason: NotRequired[str]
    rule: NotRequired[str]


class DepotRange(TypedDict):
    """A depot, and the hexes it supplies."""

    id: str
    hex: str
    hexes: list[str]


class Supply(TypedDict):
    """Which groups have received supplies this turn."""

    told: Scan
    supplied: list[str]
    unsupplied_units: list[str]
    depots: list[DepotRange]


class DepotReach(TypedDict):
    """Where a depot can stop, by the number of penalty hexes from ``penalty`` on, and the relief it then brings."""

    origin: str
    penalty: int
    waves: list[list[str]]
    relief: list[int]
    supplies: list[str]


class Rail(TypedDict):
    """Railways of a side; the zone in which the Axis builds this turn."""

    hexes: list[str]
    open: list[str]
    zone: Literal["north", "south"]
    where: str
    """Where this side builds this turn, in words, if not everywhere."""
    south_from_row: int
    moves_left: int


class EstimateEnd(TypedDict):
    """What an attack comes to at one end of the range."""

    odds: float | None
    odds_text: str
    retreat: float
    losses: Percents
    defence: float


class EstimatedGroup(TypedDict):
    """What a hidden group is believed to be, and why."""

    group: str
    points: int
    least: int
    most: int
    experience: int
    fatigue: int
    entrenchment: int
    why: str


class OddsEstimate(TypedDict):
    """How far an estimate of hidden groups may be wrong; ``likelihood`` in percent."""

    likelihood: int
    best: EstimateEnd
    worst: EstimateEnd
    groups: list[EstimatedGroup]


class Caution(TypedDict):
    """What is to be considered, and the paragraph."""

    text: str
    rule: str


class EarlyEnd(Caution):
    """Where the weather ends a plot before its second step."""

    hex: str


class PlainOdds(AttackPreview):
    """What an attack would come to by what is known and supposed, before anything is estimated."""

    units: list[str]
    known: bool
    unknown: list[str]
    supposed: bool
    digging: Caution | None
    """That the defender may still gain entrenchment before the execution."""


class Odds(PlainOdds):
    """What an attack would come to. Odds of None: the defender has no strength.

    ``known``: nothing of the defender is hidden; ``supposed``: all that is has been supposed by the player.
    """

    estimate: NotRequired[OddsEstimate | None]


class Building(TypedDict):
    """Where units can be built; if nowhere, why not in the largest city."""

    hexes: list[str]
    hex: str
    reason: str
    rule: str


class Menus(TypedDict):
    """For each menu of group adjustment that offers nothing, why."""

    closed: dict[str, Caution]


class StepFatigue(TypedDict):
    """Fatigue of a step, and what the weather multiplies it by for each side."""

    strategic: float
    tactical: float
    weather: list[float]


class TerrainOf(TypedDict):
    """The ground of a hex; rivers by direction."""

    hex: str
    terrain: str
    beneath: str
    rail: SideName | None
    rivers: list[int]
    fatigue: StepFatigue


class Flak(TypedDict):
    """The share of a raid that flak shoots down, in percent."""

    least: int
    most: int


class Outlook(TypedDict):
    """What an air strike may come to; chances and effects in percent."""

    target: str
    distance: int
    escort_range: int
    escorted: bool
    interceptors: list[str]
    flak: Flak
    overcast: float
    weather: float
    ground: float | None
    aircraft: float | None
    factories: list[float]


class Strikes(TypedDict):
    """What an air group can strike, and how far it has an escort."""

    unit: str
    reach: list[str]
    range: int
    escort_range: int
    escort: list[str]
    bomb: list[str]
    ground: list[str]
    outlook: NotRequired[Outlook | None]


class StaffWork(TypedDict):
    """What the staff would do with an automatic order, and what it would leave undone."""

    does: list[str]
    leaves: list[str]
