"""The shape of the tables and charts, as the client is given them."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class CombatTable(TypedDict):
    """The combat results table: rows by the die."""

    columns: list[str]
    rows: dict[str, list[str]]


class TurnBox(TypedDict):
    """A box of the turn track; no weather where a die decides."""

    number: int
    date: str
    may_stop: bool
    last: bool
    weather: str | None
    title: str


class WeatherEffect(TypedDict):
    """What a kind of weather does."""

    id: str
    title: str
    movement: list[str]
    """The Axis' and the Soviet movement factors: whole, or halved one way or the other."""
    freezes: bool
    closed_seas: list[str]
    advance: str
    overrun: list[bool]
    """Whether armor of the Axis, and of the Soviet side, may overrun."""
    air_supply: bool
    axis_first: bool
    decline_exchange: list[str]
    """The nations that may decline an exchange."""


class Bonus(TypedDict):
    """Factors that ground adds to some units that defend; ``number``: to how many of them, 0 for all."""

    who: list[str]
    number: int
    factors: int


class Sourced(TypedDict):
    """Where figures of a chart come from."""

    source: NotRequired[str]
    confidence: NotRequired[str]
    note: NotRequired[str]


class TerrainEffect(Sourced):
    """What a kind of ground does."""

    title: str
    overrun: bool
    rough: bool
    bonus: list[Bonus]
    freezes: NotRequired[bool]
    armor_column_shift: NotRequired[int]


class FeatureEffect(Sourced):
    """What something on or between hexes does."""

    bonus: NotRequired[list[Bonus]]
    overrun: NotRequired[bool]
    freezes: NotRequired[bool]
    column_shift: NotRequired[int]
    controlled_column_shift: NotRequired[int]
    controlled_sea: NotRequired[str]
    attack_factor: NotRequired[str]
    move_limit: NotRequired[int]
    intrinsic: NotRequired[int]


class LendLease(Sourced):
    """What comes from overseas."""

    hex: str
    points: int
    from_turn_played: int


class Production(Sourced):
    """What is produced in a turn, and how much of it can be used."""

    city_points: int
    double_cities: list[str]
    siberia_infantry: int
    factory_points: int
    siberia_armor: int
    axis_armor: int
    axis_infantry: int
    fronts_per_turn: int
    shock_min_armor: int
    arrivals_per_hex: int
    axis_entry: list[str]
    lend_lease: LendLease


class Stacking(Sourced):
    """How many units a hex holds."""

    units: int
    above_corps: int
    front: int
    armor_in_rough: int


class Paragraphs(TypedDict):
    """Where the rules treat of what a client shows: the paragraph of each subject."""

    victory: str
    seas: str


class Charts(TypedDict):
    """Tables and charts of the rules."""

    crt: CombatTable
    turns: list[TurnBox]
    weather: dict[str, WeatherEffect]
    terrain: dict[str, TerrainEffect]
    features: dict[str, FeatureEffect]
    reserve: list[int]
    production: Production
    advance: dict[str, dict[str, int]]
    stacking: Stacking
    paragraphs: Paragraphs
