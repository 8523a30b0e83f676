"""3.3, 4.6 Orders are given in secret: what the other side sees meanwhile is the map as it was when they began."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rasputitsa.core.event_records import record
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.marks import group_mark, hex_mark
from rasputitsa.wir.model.records import Face
from rasputitsa.wir.model.tables import groups_of

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State

NOWHERE: Final = -1
"""The hex of a group that is not on the map."""
NEWS: Final = ("redeployed", "appeared", "vanished")
"""Events for those who did not see the orders: what has become of a group that is their first argument."""


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
            context.note("appeared", group, now)
        elif now == NOWHERE:
            context.note("vanished", group, before)
        else:
            context.note("redeployed", group, before, now)


def as_shown(s: State) -> None:
    """Put everything that is public of the side that gives orders back to where it was when it began."""
    face = s.face
    if face is None:
        return
    for group in groups_of(face.side):
        s.hex[group] = face.hexes[group]
    s.rebuild()
    s.control = face.control


DESCRIBE = {
    "redeployed": lambda s, args: (
        f"{group_mark(s, args[0])} has moved from {hex_mark(s, args[1])} to {hex_mark(s, args[2])}"
    ),
    "appeared": lambda s, args: f"{group_mark(s, args[0])} has appeared in {hex_mark(s, args[1])}",
    "vanished": lambda s, args: f"Group {args[0]} has left {hex_mark(s, args[1])} and the map",
}
RECORDS = {
    "redeployed": record("3.3", group="unit", origin="hex", destination="hex"),
    "appeared": record("3.3", group="unit", hex="hex"),
    "vanished": record("3.3", group="unit", hex="hex"),
}
