"""The clock of a match as views show it: the same to everybody."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rasputitsa.server.store import ClockTerms
from rasputitsa.server.store.company.clocks import Times


def terms_json(terms: ClockTerms | None) -> dict[str, Any] | None:
    """What is agreed about time, in milliseconds."""
    return None if terms is None else asdict(terms)


def times_json(times: Times | None) -> dict[str, Any] | None:
    """How the clock stands now."""
    if times is None:
        return None
    seats = {seat: asdict(time) for seat, time in times.seats.items()}
    return {"terms": asdict(times.terms), "running": times.running or None, "seats": seats}
