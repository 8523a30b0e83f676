"""Nations and types of counters, read from ``types.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.model.data_folder import read_toml

FILE = "types.toml"


class UnitType(NamedTuple):
    """What the rules say of every counter of a type."""

    id: str
    sizes: tuple[str, ...]
    armor_type: bool
    """Armor, mechanized and armored cavalry (XII, XIII.C)."""
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


class UnitTypes(NamedTuple):
    """The types of counters, and the side of each nation."""

    types: dict[str, UnitType]
    nations: dict[str, str]


def unit_types(folder: Path) -> UnitTypes:
    """The types of a data folder; raises ``SetupError`` for a file that does not say all of each."""
    table = read_toml(folder, FILE)
    try:
        types = {name: _unit_type(name, fields) for name, fields in table["types"].items()}
        return UnitTypes(types, dict(table["nations"]))
    except (KeyError, TypeError, AttributeError) as problem:
        raise SetupError(f"{FILE}: {problem}") from problem


def _unit_type(name: str, fields: dict[str, object]) -> UnitType:
    given = {field: fields[field] for field in UnitType._fields[1:]}
    sizes = given.pop("sizes")
    assert isinstance(sizes, list)
    return UnitType(id=name, sizes=tuple(sizes), **given)  # type: ignore[arg-type]  # checked with the data
