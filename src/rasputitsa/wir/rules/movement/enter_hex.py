"""7.3, 8.8, 8.10 What happens when a group enters a hex by tactical movement or advance."""

from __future__ import annotations

from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.groups import return_artillery
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, Side
from rasputitsa.wir.model.marks import city_name, group_mark, hex_mark, side_name
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.rules.movement.fatigue import TACTICAL, march_points, tire_group


def enter(s: State, context: Context, group: Group, there: Hex, event: type[Moved | Advanced]) -> None:
    """Bring a group into an adjacent hex: its guns go back to the pool, its entrenchment is left behind, it tires,
    and an enemy city is captured. It may fall apart on the way."""
    here, side = s.hex[group], group_side(group)
    context.note(event(group, here, there))
    return_artillery(s, group)
    s.entrench[group] = 0
    points = march_points(s, group, here, there, TACTICAL)
    s.place(group, there)
    if s.city_hexes[1 - side] >> there & 1:
        city = s.rules.map.city_at[there]
        s.capture(city, side)
        context.note(CityCaptured(city, side))
    tire_group(s, group, points, context, strain=True)


@event("moves", "7.3", "unit", "hex", "hex")
class Moved(Event):
    """A group moves in its plot."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} moves from {hex_mark(s, self.origin)} to {hex_mark(s, self.destination)}"


@event("advances", "7.8", "unit", "hex", "hex")
class Advanced(Event):
    """A group advances after combat."""

    group: Group
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} advances into {hex_mark(s, self.destination)}"


@event("city", "8.8", "place", "side")
class CityCaptured(Event):
    """A city is captured."""

    city: CityNumber
    side: Side

    def words(self, s: State) -> str:
        return f"{city_name(s, self.city)} is captured by the {side_name(self.side)} side"
