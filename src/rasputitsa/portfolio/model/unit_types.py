"""Nations and types of counters, read from ``types.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, cast

from rasputitsa.core.errors import SetupError
from rasputitsa.core.symbols import Symbol
from rasputitsa.portfolio.model.data_folder import DATA, read_toml
from rasputitsa.portfolio.model.shapes import LaterFields

FILE = "types.toml"


class UnitType(NamedTuple):
    """What the rules say of every counter of a type."""

    id: str
    sizes: tuple[str, ...]
    armor_type: bool
    """Armor, mechanized and armored cavalry (XII, XIII.C)."""
    pure_armor: bool
    """Overruns, and goes from one zone of control to another (XIII.C, XI.B.3)."""
    cavalry: bool
    """Lives off the land, and one comes with the reserve from Siberia (XIV.B.2, IX.B.2)."""
    infantry_type: bool
    """Gets the bonuses of terrain and cities (III)."""
    fuelled: bool
    """Needs a supply line to its side's oil (XIV.D)."""
    crosses_water: bool
    """Attacks and retreats across lakes and straits (X.B.4)."""
    points: str
    """Which points pay for its replacement (IX.A): ``armor``, ``infantry`` or ``shock``."""
    smallest_factor: bool
    """Its replacement costs its smallest factor, not its largest (IX.A)."""
    title: str
    symbol: Symbol
    """The neutral symbol on its counters."""
    advance: str
    """The line of the advance chart that its counters have; if there is none, that of their nation and size."""


class UnitTypes(NamedTuple):
    """The types of counters, and the side of each nation."""

    types: dict[str, UnitType]
    nations: dict[str, str]


def known_types() -> dict[str, LaterFields]:
    """The later fields of the types that the shipped sheet has, for sheets that do not say them."""
    types = read_toml(DATA, FILE)["types"]
    return {
        name: cast(LaterFields, {key: fields[key] for key in _unsaid(name) if key in fields})
        for name, fields in types.items()
    }


def unit_types(folder: Path) -> UnitTypes:
    """The types of a data folder; raises ``SetupError`` for a file that does not say all of each."""
    table = read_toml(folder, FILE)
    try:
        known = known_types()
        types = {
            name: _unit_type(name, {**_unsaid(name), **known.get(name, {}), **fields})
            for name, fields in table["types"].items()
        }
        return UnitTypes(types, dict(table["nations"]))
    except (KeyError, TypeError, AttributeError) as problem:
        raise SetupError(f"{FILE}: {problem}") from problem


def _unsaid(name: str) -> LaterFields:
    title = name.replace("_", " ").capitalize()
    return {"title": title, "symbol": "infantry", "pure_armor": False, "cavalry": False, "advance": name}


def _unit_type(name: str, fields: dict[str, object]) -> UnitType:
    given = {field: fields[field] for field in UnitType._fields[1:]}
    sizes = given.pop("sizes")
    assert isinstance(sizes, list)
    return UnitType(id=name, sizes=tuple(sizes), **given)  # type: ignore[arg-type]  # checked with the data
