"""Events in plain words and as records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.core.actions import Event
from rasputitsa.core.event_records import PLAIN, Encode, Record, named, records_of
from rasputitsa.core.event_text import words_of
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import CITY_VALUES, SIDES
from rasputitsa.wir.rules.execution.execution import SEGMENT_IDS
from rasputitsa.wir.rules.movement.air_plots import BOMB

_PACKAGES = ("rasputitsa.wir.model", "rasputitsa.wir.rules")


def describe(s: State, event: Event) -> str:
    """An event in plain words, units and hexes marked for clients."""
    return words_of(*_PACKAGES)[event.kind](s, event.args)


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


def event_records() -> Mapping[str, Record]:
    """What events of each kind say, and the paragraph behind them."""
    return records_of(*_PACKAGES)


def event_data(s: State, event: Event) -> dict[str, Any]:
    """The arguments of an event by name, as JSON values."""
    return named(records_of(*_PACKAGES)[event.kind], _NAMES, s, event.args)
