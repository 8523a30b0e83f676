"""A calendar that says whose turn it is, in the form of iCalendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.store.people.calendars import CalendarTurn

if TYPE_CHECKING:
    from icalendar import Event

CALENDAR_TYPE = "text/calendar"
REFRESH = timedelta(hours=1)
"""So often programs are asked to read it again; many do so a few times a day only."""


def calendar_text(turns: Iterable[CalendarTurn], *, store: str, now: datetime, url: str = "") -> bytes:
    """What a calendar program reads: for each match a day, today, and where a clock runs the time at which it is up.

    Args:
        store: the public name of the store, for numbers of matches come again in another one.
        now: in UTC.
        url: the address at which players find the server; empty where that is not known.
    """
    from icalendar import Calendar  # half a second, which a server that nobody asks for a calendar does without

    calendar = Calendar()
    calendar.add("prodid", "-//rasputitsa//turns//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "rasputitsa: your turns")
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for turn in turns:
        name = one_line(turn.title) or f"match {turn.match_id}"
        where = f"{name} ({turn.turn})" if turn.turn else name
        own = f"{turn.match_id}.{turn.seat}.{store}@rasputitsa"
        asked = _event(f"turn.{own}", f"Your turn: {where}", now, url, turn.match_id)
        asked.add("dtstart", now.date())
        asked.add("dtend", now.date() + timedelta(days=1))
        calendar.add_component(asked)
        if turn.left_ms is not None:
            up = _event(f"clock.{own}", f"Your time is up: {where}", now, url, turn.match_id)
            up.add("dtstart", (now + timedelta(milliseconds=turn.left_ms)).replace(second=0, microsecond=0))
            calendar.add_component(up)
    text: bytes = calendar.to_ical()
    return text


def _event(uid: str, summary: str, now: datetime, url: str, match_id: int) -> Event:
    """An event that keeps nobody from being asked to dinner."""
    from icalendar import Event

    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", now)
    event.add("summary", summary)
    event.add("transp", "TRANSPARENT")
    if url:
        event.add("url", f"{url}/#/match/{match_id}")
    return event
