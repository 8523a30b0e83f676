"""Shapes of what the rules work out for players, of *The Russian Portfolio* (the others: ``api.shapes``)."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Points(TypedDict):
    """Replacement points."""

    armor: int
    infantry: int


class VictoryCity(TypedDict):
    """A victory city: held, and linked to the Axis by supply."""

    hex: str
    name: str
    value: int
    held: bool
    linked: bool


class Prize(TypedDict):
    """A hex that wins the game for the Soviets."""

    hex: str
    name: str
    held: bool


class Victory(TypedDict):
    """How victory stands."""

    points: int
    needed: int
    held: list[str]
    cities: list[VictoryCity]
    soviet_prizes: list[Prize]
    may_stop: bool


class Pocket(TypedDict):
    """Units cut off together, and how many of them are lost."""

    units: list[str]
    loses: int


class Supply(TypedDict):
    """Supply of a side."""

    supplied: list[str]
    fuel: list[str]
    unsupplied_units: list[str]
    fuel_short: list[str]
    pockets: list[Pocket]
    seas: list[str]


class Capacity(TypedDict):
    """How much of the railways is used."""

    used: int
    limit: int


class Rail(TypedDict):
    """Strategic movement of a side."""

    net: list[str]
    termini: list[str]
    rail_units: list[str]
    sea_units: list[str]
    capacity: Capacity
    sea_used: list[str]
    arrived: list[str]


class PoolUnit(TypedDict):
    """A unit off the map: its price, and why it cannot come back now."""

    id: str
    where: str
    cost: int | None
    cost_kind: str | None
    replace: bool
    reason: str | None
    rule: str | None
    reinforce: bool


class SiberianPoints(TypedDict):
    """What is left of the instalments that have entered."""

    armor: int
    infantry: int
    cavalry_corps: int


class SiberianRisk(TypedDict):
    """The Siberian Reserve: the turns on which instalments entered, what is left of them, and whether a die is due."""

    turns: list[int]
    points: SiberianPoints
    at_risk: bool


class Pools(TypedDict):
    """The units of a side off the map, and its points."""

    units: list[PoolUnit]
    points: Points
    income: Points
    entry: list[str]
    fronts_built: int
    working_cities: NotRequired[list[str]]
    siberia: NotRequired[SiberianRisk | None]


class LaterFields(TypedDict, total=False):
    """What the sheets of earlier versions of the data do not say of a type of counters."""

    title: str
    symbol: str
    pure_armor: bool
    cavalry: bool
    advance: str
