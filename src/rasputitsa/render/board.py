"""The board as SVG: map, control and counters, from what a game shows its clients."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import cos, hypot, pi, sin, sqrt
from typing import Any

from rasputitsa.render.counters import counter
from rasputitsa.render.palette import (
    CONTROL_VEIL,
    FAINT,
    INK,
    NEUTRAL_VEIL,
    RAILS,
    SIDES,
    STAR,
    TERRAIN,
    UNKNOWN_TERRAIN,
)
from rasputitsa.render.svg import Point, line, path, tag, text

SCALE = 64
"""Pixels to the width of a hex."""

MARGIN = 0.3
_RADIUS = 1 / sqrt(3)
_STACK_STEP = 0.07
AROUND = 3.5
"""How much of the map a picture of a part shows around its hexes, in widths of a hex."""
NEAR = 1.1
"""Neighbours are one width of a hex apart."""
_FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"


class Board:
    """A map ready to be drawn, with or without a position on it."""

    def __init__(self, static: Mapping[str, Any]) -> None:
        self._map = static["map"]
        self._units = {unit["id"]: unit for unit in static.get("units", ())}
        self._hexes = {h["id"]: h for h in self._map["hexes"]}
        self._turn = 0.0 if self._map.get("orientation") == "flat" else pi / 6
        """The direction of the first corner of a hex."""

    def svg(self, view: Mapping[str, Any] | None = None, title: str = "", around: Sequence[str] = ()) -> str:
        """The picture, whole or the part that lies around some hexes; ``view`` is an observation."""
        width, height = self._map["width"] + 2 * MARGIN, self._map["height"] + 2 * MARGIN
        head = 0.7 if title else 0.0
        layers = [
            tag("rect", x=-MARGIN, y=-MARGIN - head, width=width, height=height + head, fill="#fbf8ee"),
            self._ground(),
            self._veil(view["control"]) if view and view.get("control") else "",
            self._sides(),
            self._rails(view["rail"]) if view and view.get("rail") else "",
            self._signs(),
            self._counters(view["units"]) if view else "",
            self._names(),
        ]
        if title:
            layers.append(text(self._map["width"] / 2, -MARGIN - 0.12, title, 0.42, fill=INK, font_weight="bold"))
        left, top, height = -MARGIN, -MARGIN - head, height + head
        if around:
            left, top, width, height = self._part(around, (left, top, width, height))
        return tag(
            "svg",
            "".join(layers),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{left:.3f} {top:.3f} {width:.3f} {height:.3f}",
            width=f"{width * SCALE:.0f}",
            height=f"{height * SCALE:.0f}",
            font_family=_FONT,
        )

    def _part(
        self, names: Sequence[str], whole: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float]:
        """Left, top, width and height of what lies around some hexes, inside the whole."""
        centres = [self._centre(name) for name in names]
        left, top, width, height = whole
        west = max(left, min(x for x, _ in centres) - AROUND)
        north = max(top, min(y for _, y in centres) - AROUND)
        east = min(left + width, max(x for x, _ in centres) + AROUND)
        south = min(top + height, max(y for _, y in centres) + AROUND)
        return west, north, east - west, south - north

    def _ground(self) -> str:
        parts = []
        for h in self._hexes.values():
            shape = path(self._corners(h))
            fill = TERRAIN.get(h["terrain"], UNKNOWN_TERRAIN)
            parts.append(tag("path", d=shape, fill=fill, stroke="#c9c0a4", stroke_width=0.012))
            if h.get("neutral"):
                parts.append(tag("path", d=shape, fill=NEUTRAL_VEIL, fill_opacity=0.35))
            parts.append(_texture(h))
            parts.append(text(h["x"], h["y"] - 0.43, h["id"], 0.105, fill=FAINT))
        return tag("g", "".join(parts))

    def _veil(self, control: Mapping[str, Iterable[str]]) -> str:
        """Shade what the first side named controls; the other side has the rest."""
        side = next(iter(control))
        shapes = "".join(path(self._corners(h)) for h in map(self._hexes.get, control[side]) if h)
        return tag("path", d=shapes, fill=CONTROL_VEIL, fill_opacity=0.14) if shapes else ""

    def _sides(self) -> str:
        by_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for side in self._map["sides"]:
            by_kind[side["kind"]].append(side)
        parts = []
        for kind in [*SIDES, *sorted(set(by_kind) - set(SIDES))]:
            colour, width, dashes = SIDES.get(kind, ("#000000", 0.05, ""))
            pen: dict[str, str | float] = {
                "stroke": colour, "stroke_width": width, "stroke_linecap": "butt" if dashes else "round",
            }  # fmt: skip
            if dashes:
                pen["stroke_dasharray"] = dashes
            for side in by_kind.get(kind, ()):
                a, b = self._centre(side["a"]), self._centre(side["b"])
                parts.append(line(*_edge(a, b), **pen))
                if kind == "stalin":
                    parts += _ticks(a, b, pen)
        return tag("g", "".join(parts))

    def _signs(self) -> str:
        return tag("g", "".join(_place_sign(place, *self._centre(place["hex"])) for place in self._map["places"]))

    def _names(self) -> str:
        """Above the counters, so that a garrison does not hide the name of its town."""
        halo: dict[str, str | float] = {"stroke": "#fbf8ee", "stroke_width": 0.04, "paint_order": "stroke"}
        parts = []
        for place in self._map["places"]:
            x, y = self._centre(place["hex"])
            major = place["kind"] in ("major", "fortified")
            size, weight = (0.16, "bold") if major else (0.125, "normal")
            parts.append(text(x, y + 0.4, _label(place), size, fill=INK, font_weight=weight, **halo))
        return tag("g", "".join(parts))

    def _counters(self, units: Iterable[Mapping[str, Any]]) -> str:
        stacks: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for unit in units:
            if unit.get("hex") and unit["id"] in self._units:
                stacks[unit["hex"]].append(unit)
        parts = []
        for name, stack in sorted(stacks.items()):
            x, y = self._centre(name)
            first = -(len(stack) - 1) / 2
            for n, unit in enumerate(stack):
                shift = (first + n) * _STACK_STEP
                parts.append(counter(self._units[unit["id"]], unit, x + shift, y - shift))
        return tag("g", "".join(parts))

    def _corners(self, h: Mapping[str, Any]) -> list[Point]:
        angles = [self._turn + n * pi / 3 for n in range(6)]
        return [(h["x"] + _RADIUS * cos(angle), h["y"] + _RADIUS * sin(angle)) for angle in angles]

    def _rails(self, rails: Mapping[str, Iterable[str]]) -> str:
        """Each side's gauge, from hex to hex and into the cities."""
        towns = {place["hex"] for place in self._map["places"]}
        parts = []
        for colour, hexes in zip(RAILS, rails.values(), strict=False):
            laid = set(hexes)
            pen: dict[str, str | float] = {"stroke": colour, "stroke_width": 0.05, "stroke_dasharray": "0.12 0.05"}
            for a, b in combinations(sorted(laid | towns), 2):
                if (a in laid or b in laid) and _adjacent(self._centre(a), self._centre(b)):
                    parts.append(line(self._centre(a), self._centre(b), **pen))
        return tag("g", "".join(parts))

    def _centre(self, name: str) -> Point:
        h = self._hexes[name]
        return h["x"], h["y"]


def _adjacent(a: Point, b: Point) -> bool:
    return hypot(a[0] - b[0], a[1] - b[1]) < NEAR


def _edge(a: Point, b: Point) -> tuple[Point, Point]:
    """The ends of the side that two neighbours share."""
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    along = (-(b[1] - a[1]) * _RADIUS / 2, (b[0] - a[0]) * _RADIUS / 2)
    return (middle[0] - along[0], middle[1] - along[1]), (middle[0] + along[0], middle[1] + along[1])


def _ticks(defended: Point, front: Point, pen: Mapping[str, str | float]) -> list[str]:
    """Teeth of a fortified line, towards the hex in front of it."""
    start, end = _edge(defended, front)
    out = ((front[0] - defended[0]) * 0.09, (front[1] - defended[1]) * 0.09)
    ticks = []
    for share in (0.2, 0.4, 0.6, 0.8):
        at = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        ticks.append(line(at, (at[0] + out[0], at[1] + out[1]), **pen))
    return ticks


def _texture(h: Mapping[str, Any]) -> str:
    """A hint of the terrain that needs no colour to be told apart."""
    x, y = h["x"], h["y"]
    pen: dict[str, str | float] = {"fill": "none", "stroke_width": 0.02}
    if h["terrain"] == "swamp":
        rows = [(x - 0.2, y - 0.15), (x + 0.16, y - 0.05), (x - 0.12, y + 0.14)]
        marks = "".join(
            path([(sx - 0.08, sy), (sx + 0.08, sy)], closed=False) + path([(sx, sy), (sx, sy - 0.07)], closed=False)
            for sx, sy in rows
        )
        return tag("path", d=marks, stroke="#6f8f5a", **pen)
    if h["terrain"] == "forest":
        marks = "".join(
            path([(sx - 0.06, sy), (sx, sy - 0.13), (sx + 0.06, sy)]) for sx, sy in
            [(x - 0.22, y - 0.1), (x + 0.18, y - 0.14), (x - 0.05, y + 0.18), (x + 0.22, y + 0.16)]
        )  # fmt: skip
        return tag("path", d=marks, fill="#a9c088", stroke="none")
    if h["terrain"] in ("hills", "mountain"):
        peak = 0.16 if h["terrain"] == "mountain" else 0.08
        marks = "".join(
            path([(sx - 0.1, sy), (sx, sy - peak), (sx + 0.1, sy)], closed=False)
            for sx, sy in [(x - 0.2, y - 0.1), (x + 0.18, y - 0.14), (x, y + 0.15)]
        )
        return tag("path", d=marks, stroke="#8f6f45", **pen)
    return ""


def _place_sign(place: Mapping[str, Any], x: float, y: float) -> str:
    """A town, a city, a major city, or a city that counts for victory."""
    if place.get("victory"):
        points = [
            (x + r * sin(n * pi / 5), y - r * cos(n * pi / 5))
            for n in range(10)
            for r in [0.2 if n % 2 == 0 else 0.085]
        ]
        return tag("path", d=path(points), fill=STAR, stroke="#ffffff", stroke_width=0.02)
    if place["kind"] in ("major", "fortified"):
        return tag("rect", x=x - 0.11, y=y - 0.11, width=0.22, height=0.22, fill=INK)
    radius = 0.08 if place["kind"] == "city" else 0.05
    return tag("circle", cx=x, cy=y, r=radius, fill=INK if place["kind"] == "city" else "#ffffff", stroke=INK,
               stroke_width=0.02)  # fmt: skip


def _label(place: Mapping[str, Any]) -> str:
    """The name, with letters for what else is there: factory, port, fortress, fuel."""
    letters = "".join(
        letter
        for letter, field in (("T", "factory"), ("P", "port"), ("F", "fortress"), ("O", "fuel"))
        if place.get(field)
    )
    return f"{place['name']} [{letters}]" if letters else str(place["name"])
