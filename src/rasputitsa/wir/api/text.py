"""The events of the game: their classes, and their fields as JSON values."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.events import PLAIN, Encode, Event, EventData, events_of, named
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import CITY_VALUES, SIDES
from rasputitsa.wir.rules.execution.execution import SEGMENT_IDS
from rasputitsa.wir.rules.movement.air_plots import BOMB

_PACKAGES = ("rasputitsa.core.lessons", "rasputitsa.wir.model", "rasputitsa.wir.rules")


_NAMES: Mapping[str, Encode] = {
    **PLAIN,
    "unit": lambda s, group: str(group),
    "units": lambda s, groups: [str(group) for group in groups],
    "hex": lambda s, hex_: s.rules.grid.names[hex_],
    "hexes": lambda s, hexes: [s.rules.grid.names[hex_] for hex_ in hexes],
    "side": lambda s, side: SIDES[side],
    "place": lambda s, city: s.rules.map.cities[city].name,
    "unit_type": lambda s, kind: s.rules.types[kind].code,
    "works": lambda s, kind: CITY_VALUES[kind],
    "segment": lambda s, segment: SEGMENT_IDS[segment],
    "manner": lambda s, manner: "bomb" if manner == BOMB else "attack",
}


def events() -> Mapping[str, type[Event]]:
    """The class of each kind of event."""
    return events_of(*_PACKAGES)


def event_data(s: State, event: Event) -> EventData:
    """The fields of an event by name, as JSON values."""
    return named(event, _NAMES, s)
