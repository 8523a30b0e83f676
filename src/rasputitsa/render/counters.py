"""Counters: nation's colour, NATO symbol, size, factors, status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.render.palette import NATIONS, OTHER_NATION, SIZE_MARKS, STAR
from rasputitsa.render.svg import line, path, tag, text

SIZE = 0.6
"""Length of a counter's side."""

_BOX = (0.3, 0.19)
"""Width and height of the symbol's frame."""


def counter(unit: Mapping[str, Any], status: Mapping[str, Any], x: float, y: float) -> str:
    """A counter centred at (x, y)."""
    ground, ink = NATIONS.get(unit["nation"], OTHER_NATION)
    half = SIZE / 2
    parts = [
        tag("rect", x=-half, y=-half, width=SIZE, height=SIZE, rx=0.05, fill=ground, stroke=ink, stroke_width=0.015),
        text(0, -0.2, str(unit["id"]), 0.115, fill=ink, font_weight="bold"),
        tag("g", _symbol(str(unit.get("symbol") or unit["type"]), ink), transform="translate(0 0.02)"),
        text(0, -0.085, SIZE_MARKS.get(str(unit["size"]), ""), 0.065, fill=ink),
        text(0, 0.255, _figures(unit, status), 0.145, fill=ink, font_weight="bold"),
    ]
    parts += _marks(unit, status, ink)
    return tag("g", "".join(parts), transform=f"translate({x:.3f} {y:.3f})")


def _figures(unit: Mapping[str, Any], status: Mapping[str, Any]) -> str:
    """Printed factors, or a group's strength or aircraft where they are known."""
    if "af" in unit:
        return f"{unit['af']}-{unit['df']}-{unit['mf']}"
    return str(status.get("strength", status.get("aircraft", "")))


def _marks(unit: Mapping[str, Any], status: Mapping[str, Any], ink: str) -> list[str]:
    """What the counter says besides: printed mark, spent, dispersed."""
    marks = []
    if unit.get("mark"):
        marks.append(text(0.23, 0.06, str(unit["mark"]), 0.09, fill=ink))
    if status.get("entrench"):
        marks.append(text(0.24, 0.06, str(status["entrench"]), 0.1, fill=ink, font_weight="bold"))
    if status.get("dispersed"):
        marks.append(tag("circle", cx=-0.22, cy=0.02, r=0.075, fill="#ffffff", stroke=STAR, stroke_width=0.02))
        marks.append(text(-0.22, 0.06, "D", 0.11, fill=STAR, font_weight="bold"))
    if status.get("spent"):
        half = SIZE / 2
        marks.append(tag("rect", x=-half, y=-half, width=SIZE, height=SIZE, rx=0.05, fill="#ffffff", fill_opacity=0.35))
        marks.append(line((half - 0.16, -half), (half, -half + 0.16), stroke=ink, stroke_width=0.03))
    return marks


def _symbol(kind: str, ink: str) -> str:
    """A NATO symbol by its name, centred at the origin."""
    width, height = _BOX
    w, h = width / 2, height / 2
    pen: dict[str, str | float] = {"stroke": ink, "stroke_width": 0.016, "fill": "none"}
    cross = line((-w, -h), (w, h), **pen) + line((-w, h), (w, -h), **pen)
    slash = line((-w, h), (w, -h), **pen)
    tracks = tag("rect", x=-w * 0.66, y=-h * 0.5, width=w * 1.32, height=h, rx=h * 0.5, **pen)
    wheels = "".join(tag("circle", cx=at, cy=h + 0.025, r=0.018, fill=ink) for at in (-w * 0.6, w * 0.6))
    peak = tag("path", d=path([(-0.045, h), (0, h - 0.075), (0.045, h)]), fill=ink)
    inside = {
        "armor": tracks,
        "mechanized": cross + tracks,
        "motorized": cross + wheels,
        "armored_cavalry": slash + tracks,
        "cavalry": slash,
        "mountain": cross + peak,
        "light": cross + text(0, h - 0.01, "L", 0.07, fill=ink),
        "shock": cross + tag("path", d=path([(-w, -h), (-w * 0.35, 0), (-w, h)]), fill=ink),
        "front": cross + line((0, -h), (0, h), **pen),
        "air": tag("path", d=path([(-w * 0.7, -h * 0.6), (0, 0), (-w * 0.7, h * 0.6)]), fill=ink)
        + tag("path", d=path([(w * 0.7, -h * 0.6), (0, 0), (w * 0.7, h * 0.6)]), fill=ink),
        "depot": line((-w, h * 0.5), (w, h * 0.5), **pen),
    }
    frame = tag("rect", x=-w, y=-h, width=width, height=height, **pen)
    return frame + inside.get(kind, cross)
