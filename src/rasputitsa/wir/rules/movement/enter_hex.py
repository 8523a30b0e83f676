"""7.3, 8.8, 8.10 What happens when a group enters a hex by tactical movement or advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core.event_records import record
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.groups import return_artillery
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.marks import city_name, group_mark, hex_mark, side_name
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.rules.movement.fatigue import TACTICAL, march_points, tire_group

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State


def enter(s: State, context: Context, group: Group, there: Hex, event: str) -> None:
    """Bring a group into an adjacent hex: its guns go back to the pool, its works are left behind, it tires,
    and an enemy city is captured. It may fall apart on the way."""
    here, side = s.hex[group], group_side(group)
    context.note(event, group, here, there)
    return_artillery(s, group)
    s.entrench[group] = 0
    points = march_points(s, group, here, there, TACTICAL)
    s.place(group, there)
    if s.city_hexes[1 - side] >> there & 1:
        city = s.rules.map.city_at[there]
        s.capture(city, side)
        context.note("city", city, side)
    tire_group(s, group, points, context, strain=True)


DESCRIBE = {
    "moves": lambda s, args: f"{group_mark(s, args[0])} moves from {hex_mark(s, args[1])} to {hex_mark(s, args[2])}",
    "advances": lambda s, args: f"{group_mark(s, args[0])} advances into {hex_mark(s, args[2])}",
    "city": lambda s, args: f"{city_name(s, args[0])} is captured: {side_name(args[1])}",
}
RECORDS = {
    "moves": record("7.3", group="unit", origin="hex", destination="hex"),
    "advances": record("7.8", group="unit", origin="hex", destination="hex"),
    "city": record("8.8", city="place", side="side"),
}
