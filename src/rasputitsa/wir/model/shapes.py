"""Shapes of what the rules work out for players, of *War in Russia* (the others: ``api.shapes``, ``api.answers``)."""

from __future__ import annotations

from typing import Literal, TypedDict

SideName = Literal["axis", "soviet"]
GroupStatus = Literal["U", "S", "M", "N"]
PlotEnding = Literal["", "S", "B"]
Scan = Literal["before", "during", "after"]
"""How far the depots of a side are this week."""


class OddsItem(TypedDict):
    """What a group puts in."""

    side: Literal["attack", "defence"]
    group: str
    text: str
    points: int
    strength: float
    multiple: float
    value: float
    rule: str


class Modifier(TypedDict):
    """What the odds are multiplied by, as it is written: 1.6, 1/2."""

    text: str
    value: str
    rule: str


class Percents(TypedDict):
    """Losses in percent."""

    attacker: float
    defender: float


class AttackPreview(TypedDict):
    """What an attack would come to, dice apart. Odds of None: the defender has no strength."""

    odds_before: float | None
    odds_before_text: str
    odds: float | None
    odds_text: str
    """As the log writes them, such as 2.35-1."""
    attack: float
    defence: float
    items: list[OddsItem]
    modifiers: list[Modifier]
    artillery: float
    shelling: float
    entrenchment: int
    entrenchment_destroyed: float
    """In percent."""
    retreat: float
    advance: float
    """In percent: that the hex is left and a group advances into it, as they are plotted now."""
    losses: Percents
    attacker_fatigue: list[float]


class Tally(TypedDict):
    """Victory points of each side by what they are for; the difference is Soviet less Axis."""

    axis: dict[str, int]
    soviet: dict[str, int]
    difference: int
    level: str
