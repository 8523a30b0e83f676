"""What each seat of a match is shown: worked out and written once for a change, for all who look from that seat.

A screen has a tag. A client that names the tag of its screen is sent the difference, if that is still known.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any
from weakref import WeakValueDictionary

from rasputitsa.core.record.session import Session
from rasputitsa.server.encoding import dumps
from rasputitsa.server.matches.differences import difference
from rasputitsa.server.matches.open_match import OpenMatch
from rasputitsa.server.matches.views import observed
from rasputitsa.server.shapes.views import BoardView, Change, LogEntry, ShownBoard

TAG_BYTES = 12

_ROOM: dict[str, float] = {}
"""By game, what ``room_of`` measured at the first view that anybody took."""

TextKey = tuple[str | None, bool]


def key_of(base: Screen | None, differs: bool) -> TextKey:
    """What the text for a window is found by that shows ``base`` and takes differences, or does not."""
    return (base.tag if base else None, differs)


class Screen:
    """One view of one seat, with its tag, and the texts in which it was sent.

    The tag follows from what the seat is shown and from nothing else: it tells nothing that the view does not tell.
    """

    def __init__(self, view: ShownBoard, room: float) -> None:
        """``room``: bytes that a view takes in memory for each byte of its text."""
        self.view = view
        self._room = room
        body = dumps(self._shown())
        self.tag = blake2b(body, digest_size=TAG_BYTES).hexdigest()
        self._size = len(body)
        self.revision = -1
        """The revision of the room at which it was last known to be the newest."""
        self.texts: dict[TextKey, bytes] = {}
        """The messages to windows, by what they show and whether they want differences."""

    @property
    def ply(self) -> int:
        """The number of entries it shows."""
        return self.view["ply"]

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return int(self._room * self._size) + sum(map(len, self.texts.values()))

    def retire(self) -> None:
        """There is a newer one: the texts are not sent any more, and only what it showed is still asked for."""
        self._size = 0
        self.texts.clear()

    def _shown(self) -> dict[str, Any]:
        """The view without the number of its match."""
        return {name: value for name, value in self.view.items() if name != "match"}

    def whole(self, events: list[LogEntry]) -> bytes:
        """All of it; written again, since few ask for it and a kept text would take more room than the view."""
        return dumps({"match": self.view["match"], "tag": self.tag, "last_events": events, **self._shown()})

    def change(self, base: Screen, events: list[LogEntry]) -> bytes:
        """What makes it of another screen of the same seat."""
        found = difference(base.view, self.view)
        if base is not self:
            found["put"] |= {"tag": self.tag, "last_events": events}
        change: Change = {"base": base.tag, **found}
        return dumps(change)


def room_of(session: Session) -> float:
    """Bytes that a view of a game takes in memory for each byte of its text, without what its views share."""
    known = _ROOM.get(session.game.id)
    if known is None:
        one, other = (observed(session, session.state, None) for _ in range(2))
        shared = {id(part) for part in _parts(one)}
        own = {id(part): sys.getsizeof(part) for part in _parts(other) if id(part) not in shared}
        known = _ROOM[session.game.id] = sum(own.values()) / len(dumps(other))
    return known


def _parts(told: Any) -> Iterator[Any]:
    yield told
    for part in told.values() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ():
        yield from _parts(part)


class Screens:
    """The screens of one match. Views are never shared between seats."""

    def __init__(self) -> None:
        self._newest: dict[str | None, Screen] = {}
        self._known: WeakValueDictionary[tuple[str | None, str], Screen] = WeakValueDictionary()

    def newest(self, seat: str | None) -> Screen | None:
        """The screen last worked out for a seat."""
        return self._newest.get(seat)

    def weight(self) -> int:
        """About how many bytes of memory they take."""
        return sum(screen.weight for screen in self._newest.values())

    def forget(self) -> None:
        """Drop everything that no window holds."""
        self._newest.clear()

    def look(self, match: OpenMatch, seat: str | None) -> Screen:
        """The screen of a seat now; a new one only if something on it changed."""
        view = match.shown(seat)
        newest = self._newest.get(seat)
        if newest is None or (newest.view is not view and newest.view != view):
            if newest is not None:
                newest.retire()
            newest = self._newest[seat] = Screen(view, room_of(match.session))
            self._known[seat, newest.tag] = newest
        newest.view = view
        return newest

    def view(self, match: OpenMatch, seat: str | None) -> bytes:
        """The whole view of a seat now."""
        return self.look(match, seat).whole(match.events(seat))

    def answer(self, match: OpenMatch, seat: str | None, view: BoardView, base: Screen | None) -> bytes:
        """The body of an answer that holds a view just taken of a match, or what changed of the one the caller has."""
        screen = self.look(match, seat)
        if (view["version"], view["ply"]) != (screen.view["version"], screen.ply):
            return dumps({"view": view})  # what a request was answered the first time
        if base is not None:
            return b'{"change":' + screen.change(base, view["last_events"]) + b"}"
        return b'{"view":' + screen.whole(view["last_events"]) + b"}"

    def message(
        self, match: OpenMatch, seat: str | None, base: Screen | None, differs: bool, revision: int
    ) -> tuple[Screen, bytes]:
        """The screen of a seat now, and the text for windows that show ``base``."""
        screen = self.look(match, seat)
        asked = key_of(base, differs)
        if asked not in screen.texts:
            events = match.events(seat, base.ply if base else None)
            if base is not None and differs:
                screen.texts[asked] = b'{"type":"change","change":' + screen.change(base, events) + b"}"
            else:
                screen.texts[asked] = b'{"type":"view","view":' + screen.whole(events) + b"}"
        screen.revision = revision
        return screen, screen.texts[asked]

    def find(self, seat: str | None, tag: str) -> Screen | None:
        """The screen of a seat with a tag, while anybody has it."""
        return self._known.get((seat, tag))
