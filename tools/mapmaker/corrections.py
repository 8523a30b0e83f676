"""The corrections file: what the rules say, or history knows, against what geography alone would give."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("sea", "lake", "kerch", "kronshtadt", "river", "open")


@dataclass(frozen=True)
class Because:
    """Why a value was set by hand."""

    source: str
    confidence: str
    reason: str


@dataclass(frozen=True)
class HexFix:
    """A value set on a hex: its water, country or terrain, or a sea it also touches."""

    hex: str
    field: str
    value: str
    because: Because


@dataclass(frozen=True)
class SideFix:
    """The kind of a side: one of ``KINDS``."""

    side: str
    kind: str
    name: str
    because: Because


@dataclass(frozen=True)
class Sealed:
    """A hex whose sides are all sea, except towards ``open_to``."""

    hex: str
    open_to: tuple[str, ...]
    because: Because


@dataclass(frozen=True)
class OneWay:
    """A river that hinders attacks from one hex into the other only."""

    attacker: str
    defender: str
    name: str
    because: Because


@dataclass(frozen=True)
class Course:
    """Sides a river takes: the whole of it, its upper or its lower end, or points on its way."""

    river: str
    part: str
    sides: tuple[str, ...]
    because: Because


@dataclass(frozen=True)
class Works:
    """A side of the Stalin Line put in (``held`` behind, ``front`` before it) or taken out."""

    held: str
    front: str
    name: str
    because: Because
    remove: bool


@dataclass
class Corrections:
    """The whole file, in order."""

    hexes: list[HexFix] = field(default_factory=list)
    sides: list[SideFix] = field(default_factory=list)
    sealed: list[Sealed] = field(default_factory=list)
    one_way: list[OneWay] = field(default_factory=list)
    courses: list[Course] = field(default_factory=list)
    works: list[Works] = field(default_factory=list)


def read_corrections(path: Path) -> Corrections:
    """The corrections file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    found = Corrections()
    for row in data.get("hex", []):
        for name in row["hexes"].split():
            for key in ("water", "country", "terrain", "coast"):
                if key in row:
                    found.hexes.append(HexFix(name, key, row[key], _because(row)))
    for row in data.get("side", []):
        if row["kind"] not in KINDS:
            raise ValueError(f"{path.name}: {row['kind']!r} is not one of {', '.join(KINDS)}")
        for side in row["sides"].split():
            found.sides.append(SideFix(side, row["kind"], row.get("name", ""), _because(row)))
    for row in data.get("sealed", []):
        found.sealed.append(Sealed(row["hex"], tuple(row["open_to"].split()), _because(row)))
    for row in data.get("one_way", []):
        found.one_way.append(OneWay(row["from"], row["into"], row["name"], _because(row)))
    for row in data.get("course", []):
        found.courses.append(Course(row["river"], row["part"], tuple(row["sides"].split()), _because(row)))
    for row in data.get("works", []):
        found.works.append(
            Works(row["held"], row["front"], row.get("name", ""), _because(row), row.get("remove", False))
        )
    return found


def _because(row: dict[str, Any]) -> Because:
    return Because(row["source"], row.get("confidence", "reconstructed"), row["reason"])
