"""The map while it is being made."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tools.mapmaker.board import Board, Side
from tools.mapmaker.corrections import Because, OneWay


@dataclass(frozen=True)
class Place:
    """A city or town as the places file has it; ``hex`` is where it was put."""

    name: str
    lon: float
    lat: float
    kind: str
    victory: int
    factory: bool
    port: str
    fortress: bool
    fuel: str
    fixed: str
    country: str
    minor: bool
    source: str
    confidence: str
    note: str
    hex: str = ""


@dataclass(frozen=True)
class Stalin:
    """A side of the Stalin Line: the hex behind it and the hex before it."""

    held: str
    front: str
    name: str
    because: Because | None = None


@dataclass
class Draft:
    """Everything known so far about each hex and side."""

    board: Board
    named: set[str]
    """Hexes the rules or the set-up name."""
    water: dict[str, str] = field(default_factory=dict)
    country: dict[str, str] = field(default_factory=dict)
    terrain: dict[str, str] = field(default_factory=dict)
    marsh: dict[str, str] = field(default_factory=dict)
    sea: dict[str, str] = field(default_factory=dict)
    coast: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    arctic: set[str] = field(default_factory=set)
    edge: dict[str, str] = field(default_factory=dict)
    barrier: dict[Side, str] = field(default_factory=dict)
    """Sides that are water: ``sea``, ``lake``, ``kerch`` or ``kronshtadt``."""
    side_name: dict[Side, str] = field(default_factory=dict)
    rivers: dict[Side, list[str]] = field(default_factory=lambda: defaultdict(list))
    one_way: list[OneWay] = field(default_factory=list)
    stalin: list[Stalin] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    hex_because: dict[str, list[Because]] = field(default_factory=lambda: defaultdict(list))
    side_because: dict[Side, Because] = field(default_factory=dict)

    def is_land(self, name: str) -> bool:
        """Whether units can stand on a hex."""
        return self.water[name] == "land"

    def place(self, name: str) -> Place | None:
        """A place by name, when it is on the map."""
        return next((p for p in self.places if p.name == name), None)
