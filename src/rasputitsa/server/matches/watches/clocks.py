"""Periodically checks whose time is up, and does what was agreed for that."""

from __future__ import annotations

import logging
from typing import ClassVar

from rasputitsa.core.record.entries import RESIGNED, TIMED
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.rooms import SEATS_CHANGED, Room, Rooms
from rasputitsa.server.matches.seating import Controller, stand_in
from rasputitsa.server.matches.watches.watching import Watch
from rasputitsa.server.store import PlayerWanted, Store, StoreError

log = logging.getLogger(__name__)

LATE_MS = 30_000
"""A look that comes so much later, or fails so long, means that the server could not be played on meanwhile."""
NOTE_MS = 60_000
"""So often it is noted how long the server has been up, while a clock runs: no more is lost when it is killed."""
START_MS = 60_000
"""Given to the player who is asked when the server starts, to find it again."""
GRANTED_MS = 60_000
"""The least that somebody who takes a seat over has, where a turn adds less."""


class ClockWatch(Watch):
    """Watches the clocks of all matches."""

    seconds: ClassVar[float] = 5.0
    failing: ClassVar[str] = "no clock is looked at for now"

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._looked = self._noted = rooms.store.up.ms()

    @property
    def _store(self) -> Store:
        return self._rooms.store

    async def begin(self) -> None:
        """The server has started: everybody whose time runs gets some to find it again."""
        if await self._rooms.in_thread(self._store.any_runs):
            await self._rooms.in_thread(lambda: self._store.give_back_time(START_MS))

    async def look(self) -> None:
        """Look once; time in which nothing could be written, or nobody was answered, is given back first."""
        now = self._store.up.ms()
        if await self._rooms.in_thread(self._store.any_runs):
            await self._rooms.in_thread(lambda: self._count(now))
        self._looked = now
        for match_id in await self._rooms.in_thread(self._store.run_out):
            try:
                await self._time_is_up(match_id)
            except (ApiError, StoreError) as problem:
                log.error("match %d: its clock cannot be followed: %s", match_id, problem)
            except Exception:
                log.exception("match %d: its clock cannot be followed", match_id)  # and the others go on

    def _count(self, now: int) -> None:
        self._store.disk.check()
        if now - self._noted >= NOTE_MS:
            self._store.note_up()
            self._noted = now
        if now - self._looked > LATE_MS:
            self._store.give_back_time(now - self._looked)

    async def _time_is_up(self, match_id: int) -> None:
        room = await self._rooms.open(match_id)
        if await self._rooms.change(room, self._lapse, bot=True):
            _tell(room)

    def _lapse(self, match: Match) -> bool:
        """Do what was agreed, if the time is still up; it is looked at again in the transaction that does it."""
        store = self._store
        with match.together():
            seat, decision, times = store.look_at_clock(match.id), match.session.decision(), store.times(match.id)
            if times is None or decision is None or decision.seat != seat:
                return False
            again = match.was_noted(seat, TIMED)
            match.remark(seat, TIMED)
            if times.terms.lapse == "end":
                for topic in store.agreements(match.id):
                    if topic.partition(":")[0] in ("draw", "resign"):
                        store.settle(match.id, topic)
                match.end(seat, RESIGNED)
                return True
            others = [row.holder for row in match.seats.values() if row.holder != match.seats[seat].holder]
            store.release(match.id, seat)
            if times.terms.lapse == "open":
                store.invite(match.id, seat, "guest", next(filter(None, others), ""), match_dice.draw_seed())
                store.publish(match.id, [seat], PlayerWanted("live" if times.terms.pace == "live" else "day", "any"))
            match.reseat()
            match.set_controller(
                seat, stand_in(match.session.header.game) if times.terms.lapse == "computer" else Controller()
            )
            store.look_at_clock(match.id)
            store.grant_time(match.id, seat, 0 if again else max(times.terms.turn_ms, GRANTED_MS))
        return True


def _tell(room: Room) -> None:
    room.close_strangers()
    room.notify(SEATS_CHANGED)
