"""What a view says of clocks."""

from __future__ import annotations

from typing import TypedDict

from rasputitsa.server.shapes.words import ClockPace, Lapse


class ClockTerms(TypedDict):
    """What is agreed about time, in milliseconds: at first and at most, more with each turn, holidays."""

    pace: ClockPace
    bank_ms: int
    turn_ms: int
    holiday_ms: int
    lapse: Lapse


class SeatTime(TypedDict):
    """The time of a seat, in milliseconds: left, before it counts, of holidays left, until a holiday ends."""

    left_ms: int
    free_ms: int
    holiday_ms: int
    away_ms: int


class Times(TypedDict):
    """The clock of a match, and the seat whose time runs."""

    terms: ClockTerms
    running: str | None
    seats: dict[str, SeatTime]


class ClockInfo(TypedDict):
    """How much time everybody has left; null where nobody counts it."""

    clock: Times | None


class CalendarInfo(TypedDict):
    """Whether the turns of the caller's seat are in a calendar."""

    offered: bool
    """Whether several people play: nobody else waits for anybody."""
    on: bool


class CalendarMade(TypedDict):
    """The token that is the private part of a calendar's address."""

    token: str
