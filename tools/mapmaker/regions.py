"""What is drawn by hand: lakes that count, seas, marshes, fortified regions, the Arctic Weather Line."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from shapely.geometry import Polygon

from tools.mapmaker.board import Flags, Floats

Box = tuple[float, float, float, float]


def inside(box: Box, lon: Floats, lat: Floats) -> Flags:
    """Which points lie in a box of west, south, east, north."""
    west, south, east, north = box
    return (lon > west) & (lon < east) & (lat > south) & (lat < north)


@dataclass(frozen=True)
class Sea:
    """A sea, or one box of it."""

    name: str
    box: Box
    is_lake: bool


@dataclass(frozen=True)
class Fortified:
    """A fortified region of the old border, north to south."""

    name: str
    river: str
    line: Floats


@dataclass(frozen=True)
class Regions:
    """The whole file."""

    lakes: dict[str, Box]
    seas: list[Sea]
    marshes: list[tuple[str, Polygon]]
    fortified: list[Fortified]
    arctic: Floats

    def sea_at(self, lon: float, lat: float) -> str:
        """Name of the sea a point of water belongs to."""
        for sea in self.seas:
            west, south, east, north = sea.box
            if west < lon <= east and south < lat <= north:
                return sea.name
        raise ValueError(f"no sea box covers {lon} {lat}")

    def lake_at(self, lon: float, lat: float) -> str:
        """Name of the lake at a point, or nothing."""
        for name, (west, south, east, north) in self.lakes.items():
            if west < lon < east and south < lat < north:
                return name
        return ""

    def is_arctic(self, lon: float, lat: float) -> bool:
        """Whether a point lies north-east of the Arctic Weather Line."""
        return bool(lat > np.interp(lon, self.arctic[:, 0], self.arctic[:, 1]))


def read_regions(path: Path) -> Regions:
    """The regions file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Regions(
        lakes={name: tuple(box) for name, box in data["lakes"].items()},
        seas=[Sea(s["name"], tuple(s["box"]), s.get("lake", False)) for s in data["sea"]],
        marshes=[(m["name"], Polygon(m["outline"])) for m in data.get("marsh", [])],
        fortified=[Fortified(f["name"], f.get("river", ""), np.array(f["line"])) for f in data.get("fortified", [])],
        arctic=np.array(data.get("arctic", {}).get("line", [])),
    )
