"""3.3, 4.6 Orders are given in secret: what the other side sees meanwhile is the map as it was when they began."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.marks import group_mark, hex_mark
from rasputitsa.wir.model.records import Face
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import groups_of

NOWHERE: Final = -1
"""The hex of a group that is not on the map."""


def cover(s: State, side: Side, context: Context) -> None:
    """A side begins to give its orders; what those of the side before came to is seen now."""
    uncover(s, context)
    s.face = Face(side, tuple(s.hex), s.control)


def uncover(s: State, context: Context) -> None:
    """The orders of a side are given: all see where its groups stand, and nothing of how they came there."""
    face, s.face = s.face, None
    if face is None:
        return
    for group in groups_of(face.side):
        before, now = face.hexes[group], s.hex[group]
        if before == now:
            continue
        if before == NOWHERE:
            context.note(GroupAppeared(group, now))
        elif now == NOWHERE:
            context.note(GroupVanished(group, before))
        else:
            context.note(GroupRedeployed(group, before, now))


def as_shown(s: State) -> None:
    """Put everything that is public of the side that gives orders back to where it was when it began."""
    face = s.face
    if face is None:
        return
    for group in groups_of(face.side):
        s.hex[group] = face.hexes[group]
    s.rebuild()
    s.control = face.control


@event("redeployed", "3.3", "unit", "hex", "hex")
class GroupRedeployed(Event):
    """An enemy group that is seen stands elsewhere at the end of a phase."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return (
            f"{group_mark(s, self.group)} has moved from {hex_mark(s, self.origin)} to {hex_mark(s, self.destination)}"
        )


@event("appeared", "3.3", "unit", "hex")
class GroupAppeared(Event):
    """An enemy group stands where there was none."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} has appeared in {hex_mark(s, self.hex)}"


@event("vanished", "3.3", "unit", "hex")
class GroupVanished(Event):
    """An enemy group has left the map."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"Group {self.group} has left {hex_mark(s, self.hex)} and the map"
