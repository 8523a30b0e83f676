"""What each seat of a match is shown: worked out and written once for a change, for all who look from that seat.

A screen has a tag. A client that names the tag of its screen is sent the difference, if that is still known.
"""

from __future__ import annotations

from hashlib import blake2b
from weakref import WeakValueDictionary

from rasputitsa.server.encoding import dumps
from rasputitsa.server.matches.differences import difference
from rasputitsa.server.matches.match import Match
from rasputitsa.server.shapes.views import BoardView, Change, LogEntry, ShownBoard

TAG_BYTES = 12
OBJECTS = 3
"""How many times the room of its text a view takes in memory."""

TextKey = tuple[str | None, bool]


def key_of(base: Screen | None, differs: bool) -> TextKey:
    """What the text for a window is found by that shows ``base`` and takes differences, or does not."""
    return (base.tag if base else None, differs)


class Screen:
    """One view of one seat, with its tag, and the texts in which it was sent.

    The tag follows from what the seat is shown and from nothing else: it tells nothing that the view does not tell.
    """

    def __init__(self, view: ShownBoard) -> None:
        self.view = view
        self._body = dumps({name: value for name, value in view.items() if name != "match"})
        self.tag = blake2b(self._body, digest_size=TAG_BYTES).hexdigest()
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
        return (OBJECTS + 1) * len(self._body)

    def retire(self) -> None:
        """There is a newer one: the texts are not sent any more, and only what it showed is still asked for."""
        self._body = b""
        self.texts.clear()

    def whole(self, events: list[LogEntry]) -> bytes:
        """All of it."""
        head = dumps({"match": self.view["match"], "tag": self.tag, "last_events": events})
        return head[:-1] + b"," + self._body[1:]

    def change(self, base: Screen, events: list[LogEntry]) -> bytes:
        """What makes it of another screen of the same seat."""
        found = difference(base.view, self.view)
        if base is not self:
            found["put"] |= {"tag": self.tag, "last_events": events}
        change: Change = {"base": base.tag, **found}
        return dumps(change)


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

    def look(self, match: Match, seat: str | None) -> Screen:
        """The screen of a seat now; a new one only if something on it changed."""
        view = match.shown(seat)
        newest = self._newest.get(seat)
        if newest is None or (newest.view is not view and newest.view != view):
            if newest is not None:
                newest.retire()
            newest = self._newest[seat] = Screen(view)
            self._known[seat, newest.tag] = newest
        newest.view = view
        return newest

    def view(self, match: Match, seat: str | None) -> bytes:
        """The whole view of a seat now."""
        return self.look(match, seat).whole(match.events(seat))

    def answer(self, match: Match, seat: str | None, view: BoardView, base: Screen | None) -> bytes:
        """The body of an answer that holds a view just taken of a match, or what changed of the one the caller has."""
        screen = self.look(match, seat)
        if (view["version"], view["ply"]) != (screen.view["version"], screen.ply):
            return dumps({"view": view})  # what a request was answered the first time
        if base is not None:
            return b'{"change":' + screen.change(base, view["last_events"]) + b"}"
        return b'{"view":' + screen.whole(view["last_events"]) + b"}"

    def message(
        self, match: Match, seat: str | None, base: Screen | None, differs: bool, revision: int
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
