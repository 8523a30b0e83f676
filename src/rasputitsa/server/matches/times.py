"""The clock of a match as views show it: the same to everybody."""

from __future__ import annotations

from rasputitsa.server.shapes import times as shapes
from rasputitsa.server.store import ClockTerms
from rasputitsa.server.store.people.clocks import Times


def terms_json(terms: ClockTerms | None) -> shapes.ClockTerms | None:
    """What is agreed about time, in milliseconds."""
    return None if terms is None else _terms(terms)


def _terms(terms: ClockTerms) -> shapes.ClockTerms:
    return {
        "pace": terms.pace,
        "bank_ms": terms.bank_ms,
        "turn_ms": terms.turn_ms,
        "holiday_ms": terms.holiday_ms,
        "lapse": terms.lapse,
    }


def times_json(times: Times | None) -> shapes.Times | None:
    """How the clock stands now."""
    if times is None:
        return None
    seats: dict[str, shapes.SeatTime] = {
        seat: {
            "left_ms": time.left_ms, "free_ms": time.free_ms, "holiday_ms": time.holiday_ms, "away_ms": time.away_ms,
        }
        for seat, time in times.seats.items()
    }  # fmt: skip
    return {"terms": _terms(times.terms), "running": times.running or None, "seats": seats}
