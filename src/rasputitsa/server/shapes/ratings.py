"""Shapes of ratings."""

from __future__ import annotations

from typing import TypedDict


class Rating(TypedDict):
    """How strong somebody seems: a figure, its 95 % interval, and the matches it rests on."""

    rating: int
    low: int
    high: int
    games: int
    provisional: bool
    """So little is known that the figure may still be far off."""


class RatedPlayer(Rating):
    """A line of the list of ratings."""

    name: str
    won: int
    drawn: int
    lost: int


class SideWorth(TypedDict):
    """What a side of a scenario is worth in points of rating, as far as its rated matches tell."""

    scenario: str
    side: str
    points: int
    low: int
    high: int
    games: int


class RatingList(TypedDict):
    """The ratings of a game, the best first."""

    game: str
    players: list[RatedPlayer]
    sides: list[SideWorth]


class OwnRating(Rating):
    """One's own rating in a game."""

    game: str


class RatedHost(TypedDict):
    """Who waits at the open table of a rated match, and how strong they seem in its game."""

    name: str
    rating: int
    provisional: bool


class RatedSeatInfo(TypedDict):
    """Who plays a seat of a rated match, and how strong they seemed before it; ``after`` it, where it is over."""

    seat: str
    name: str
    rating: int
    provisional: bool
    after: int | None
