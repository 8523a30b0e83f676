"""Readers for the binned shoreline, river and outline files of the Generic Mapping Tools.

GSHHG stores its lines in bins of two degrees, with 16-bit offsets from the bin's south-west corner. Each
shoreline segment has a level: 1 sea to land, 2 land to lake, 3 lake to island, 4 island to pond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon

from tools.mapmaker.board import Floats, Ints

OFFSET_MAX = 65535
END_OF_PART = 65535
RIVER_LEVELS = 6  # main and lesser rivers; beyond these come canals


@dataclass(frozen=True)
class Window:
    """The part of the globe a map is made from; its south-west corner lies in the sea."""

    west: float
    east: float
    south: float
    north: float
    step: float = 0.02
    """Degrees between sample points."""


PORTFOLIO = Window(11.0, 54.0, 40.0, 67.0)


@dataclass(frozen=True)
class Line:
    """A piece of shoreline or river."""

    level: int
    points: Floats


@dataclass(frozen=True)
class Samples:
    """A lattice of sample points with the shoreline level each lies at (0 sea, 1 land, 2 lake, ...)."""

    lon: Floats
    lat: Floats
    level: Ints


def read_shorelines(path: Path, window: Window = PORTFOLIO) -> list[Line]:
    """All shoreline pieces in the window."""
    with h5py.File(path) as file:
        packed = file["Embedded_npts_levels_exit_entry_for_a_segment"][:]
        return list(_binned(file, packed >> 9, (packed >> 6) & 7, window))


def read_rivers(path: Path, window: Window = PORTFOLIO) -> list[Line]:
    """All river pieces in the window."""
    with h5py.File(path) as file:
        counts = file["N_points_for_a_segment"][:]
        levels = file["Hierarchial_level_of_a_segment"][:]
        lines = [line for line in _binned(file, counts, levels, window) if line.level < RIVER_LEVELS]
    return sorted(lines, key=lambda line: line.level)


def _binned(file: h5py.File, counts: Ints, levels: Ints, window: Window) -> Iterator[Line]:
    size = float(file["Bin_size_in_minutes"][0]) / 60
    across = int(file["N_bins_in_360_longitude_range"][0])
    first, number = file["Id_of_first_segment_in_a_bin"][:], file["N_segments_in_a_bin"][:]
    starts = file["Id_of_first_point_in_a_segment"][:]
    x = file["Relative_longitude_from_SW_corner_of_bin"][:].astype(np.uint16)
    y = file["Relative_latitude_from_SW_corner_of_bin"][:].astype(np.uint16)
    for row in range(int((90 - window.north) // size), int((90 - window.south) // size) + 1):
        for column in range(int(window.west // size), int(window.east // size) + 1):
            cell = row * across + column
            corner_lon, corner_lat = column * size, 90 - size * (row + 1)
            for segment in range(first[cell], first[cell] + number[cell]):
                part = slice(starts[segment], starts[segment] + counts[segment])
                lon = corner_lon + x[part] * (size / OFFSET_MAX)
                lat = corner_lat + y[part] * (size / OFFSET_MAX)
                yield Line(int(levels[segment]), np.column_stack([lon, lat]))


def sample(shorelines: list[Line], window: Window = PORTFOLIO) -> Samples:
    """Every point of a lattice over the window with its level, rows from north to south."""
    start = np.concatenate([line.points[:-1] for line in shorelines])
    end = np.concatenate([line.points[1:] for line in shorelines])
    level = np.concatenate([np.full(len(line.points) - 1, line.level) for line in shorelines])
    step = window.step
    lon: Floats = window.west + step * np.arange(round((window.east - window.west) / step) + 1, dtype=np.float64)
    lat: Floats = window.north - step * np.arange(round((window.north - window.south) / step) + 1, dtype=np.float64)
    edge = _scan(window.west, lat[::-1], start[:, ::-1], end[:, ::-1], level, 0)[::-1]
    rows = [_scan(y, lon, start, end, level, int(at_edge)) for y, at_edge in zip(lat, edge, strict=True)]
    return Samples(np.tile(lon, len(lat)), np.repeat(lat, len(lon)), np.concatenate(rows))


def _scan(at: float, along: Floats, start: Floats, end: Floats, level: Ints, before: int) -> Ints:
    """Levels along a straight line, from the level at its start and the shorelines it crosses."""
    crossed = (start[:, 1] <= at) != (end[:, 1] <= at)
    a, b, step_level = start[crossed], end[crossed], level[crossed]
    position = a[:, 0] + (at - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    inside = position > along[0]
    order = np.argsort(position[inside])
    levels = [before]
    for crossing in step_level[inside][order]:
        levels.append(int(crossing) - 1 if levels[-1] == crossing else int(crossing))
    return np.array(levels)[np.searchsorted(position[inside][order], along)]


def read_outline(path: Path, code: str) -> MultiPolygon | Polygon:
    """The outline of a present-day country."""
    with h5py.File(path) as file:
        lon, lat = file[f"{code}_lon"], file[f"{code}_lat"]
        raw_x, raw_y = lon[:], lat[:]
        x = raw_x / lon.attrs["scale"][0] + lon.attrs["min"][0]
        y = raw_y / lat.attrs["scale"][0] + lat.attrs["min"][0]
    breaks = np.flatnonzero(raw_x == END_OF_PART)
    parts = [
        Polygon(np.column_stack([x[a + 1 : b], y[a + 1 : b]])).buffer(0)
        for a, b in zip(breaks, [*breaks[1:], len(x)], strict=True)
        if b - a > 4
    ]
    return shapely.union_all(parts)
