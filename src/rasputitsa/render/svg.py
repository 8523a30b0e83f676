"""A few helpers for writing SVG by hand."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"


def tag(name: str, content: str = "", /, **attributes: str | float) -> str:
    """An element; underscores in attribute names become hyphens."""
    parts = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    head = " ".join(parts)
    return f"<{head}>{content}</{name}>" if content else f"<{head}/>"


def text(x: float, y: float, words: str, size: float, /, **attributes: str | float) -> str:
    """A line of text, centred on x unless told otherwise."""
    given: dict[str, str | float] = {"x": x, "y": y, "font_size": size, "text_anchor": "middle", **attributes}
    return tag("text", escape(words), **given)


def line(start: Point, end: Point, /, **attributes: str | float) -> str:
    """A straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def path(points: Iterable[Point], *, closed: bool = True) -> str:
    """Path data through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
