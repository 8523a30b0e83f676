"""How hexes and groups are marked in texts, so that a client can make them clickable."""

from __future__ import annotations

from rasputitsa.wir.model.indices import Hex
from rasputitsa.wir.model.state import State

SIDE_NAMES = ("Axis", "Soviet")


def number(value: object) -> int:
    """An argument of an event as a number."""
    return int(str(value))


def group_mark(s: State, group: object) -> str:
    """``{unit:17}``: the pieces on the map are groups."""
    return f"{{unit:{number(group)}}}"


def hex_mark(s: State, hex_: object) -> str:
    """``{hex:1814}``"""
    return f"{{hex:{s.rules.grid.names[number(hex_)]}}}"


def groups_marks(s: State, groups: object) -> str:
    """Several groups, joined by commas."""
    assert isinstance(groups, (tuple, list))
    return ", ".join(group_mark(s, g) for g in groups)


def side_name(value: object) -> str:
    """A side in words."""
    return SIDE_NAMES[number(value)]


def place_name(s: State, hex_: Hex) -> str:
    """A hex in words: its city's name, if it has one."""
    city = s.rules.map.city_at.get(hex_)
    name = s.rules.grid.names[hex_]
    return name if city is None else f"{s.rules.map.cities[city].name} ({name})"


def city_name(s: State, city: object) -> str:
    """The name of a city."""
    return s.rules.map.cities[number(city)].name
