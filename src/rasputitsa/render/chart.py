"""Small charts as SVG: lines with a band, and bars with intervals. No library, no colours that must be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rasputitsa.render.svg import line, path, tag, text

WIDTH, HEIGHT = 720.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 24.0, 48.0, 56.0
INK, FAINT, PAPER = "#2b2a26", "#d8d2c2", "#fbf8ee"
COLOURS = ("#3c4a3c", "#a3241b", "#2f5f8f", "#bd9a6c")
DASHES = ("", "8 4", "2 3", "10 3 2 3")
FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Series:
    """One line: a value for each place, None where there is none, and a band around it."""

    name: str
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


@dataclass(frozen=True)
class Bar:
    """One bar and its interval."""

    name: str
    value: float
    low: float
    high: float
    note: str = ""


def lines(title: str, labels: Sequence[str], series: Sequence[Series], unit: str = "") -> str:
    """A line chart over the labels, such as dates."""
    known = [v for s in series for part in (s.values, s.low, s.high) for v in part if v is not None]
    top = _ceiling(max(known, default=1.0))
    parts = [_frame(title, top, unit), _labels(labels)]
    for number, one in enumerate(series):
        colour, dashes = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        band = _points(one.low, top), _points(one.high, top)
        if band[0] and band[1]:
            shape = path([*band[0], *reversed(band[1])])
            parts.append(tag("path", d=shape, fill=colour, fill_opacity=0.14))
        points = _points(one.values, top)
        if points:
            pen: dict[str, str | float] = {"stroke": colour, "stroke_width": 2.5, "fill": "none"}
            if dashes:
                pen["stroke_dasharray"] = dashes
            parts.append(tag("path", d=path(points, closed=False), **pen))
        x = LEFT + 8 + number * 150
        parts.append(line((x, TOP - 14), (x + 26, TOP - 14), stroke=colour, stroke_width=2.5,
                          **({"stroke_dasharray": dashes} if dashes else {})))  # fmt: skip
        parts.append(text(x + 32, TOP - 10, one.name, 12, fill=INK, text_anchor="start"))
    return _picture("".join(parts), title)


def bars(title: str, values: Sequence[Bar], top: float = 1.0, percent: bool = True) -> str:
    """Bars with intervals, such as shares of wins."""
    parts = [_frame(title, top, "%" if percent else "")]
    step = (WIDTH - LEFT - RIGHT) / max(1, len(values))
    for number, bar in enumerate(values):
        x = LEFT + step * (number + 0.5)
        width = min(90.0, step * 0.6)
        y = _y(bar.value, top)
        parts.append(tag("rect", x=x - width / 2, y=y, width=width, height=HEIGHT - BOTTOM - y,
                         fill=COLOURS[number % len(COLOURS)], fill_opacity=0.75))  # fmt: skip
        low, high = _y(bar.low, top), _y(bar.high, top)
        for start, end in (((x, low), (x, high)), ((x - 8, low), (x + 8, low)), ((x - 8, high), (x + 8, high))):
            parts.append(line(start, end, stroke=INK, stroke_width=1.5))
        parts.append(text(x, HEIGHT - BOTTOM + 18, bar.name, 12, fill=INK))
        if bar.note:
            parts.append(text(x, HEIGHT - BOTTOM + 34, bar.note, 11, fill=INK))
    return _picture("".join(parts), title)


def _ceiling(value: float) -> float:
    """A round number not below a value."""
    if value <= 0:
        return 1.0
    size = 1.0
    while size * 10 <= value:
        size *= 10
    while size > value:
        size /= 10
    return next(size * step for step in STEPS if size * step >= value)


def _y(value: float, top: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - max(0.0, min(top, value)) / top)


def _points(values: Sequence[float | None], top: float) -> list[tuple[float, float]]:
    step = (WIDTH - LEFT - RIGHT) / max(1, len(values) - 1)
    return [(LEFT + step * n, _y(value, top)) for n, value in enumerate(values) if value is not None]


def _frame(title: str, top: float, unit: str) -> str:
    parts = [text(WIDTH / 2, 20, title, 15, fill=INK, font_weight="bold")]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(top * share, top)
        parts.append(line((LEFT, y), (WIDTH - RIGHT, y), stroke=FAINT, stroke_width=1))
        value = f"{top * share * 100:.0f} %" if unit == "%" else f"{top * share:g}{unit and ' ' + unit}"
        parts.append(text(LEFT - 8, y + 4, value, 11, fill=INK, text_anchor="end"))
    return "".join(parts)


def _labels(labels: Sequence[str]) -> str:
    """As many labels below as there is room for."""
    step = (WIDTH - LEFT - RIGHT) / max(1, len(labels) - 1)
    every = max(1, round(70 / step + 0.49))
    return "".join(
        text(LEFT + step * n, HEIGHT - BOTTOM + 18, label, 11, fill=INK)
        for n, label in enumerate(labels)
        if n % every == 0
    )


def _picture(content: str, title: str) -> str:
    ground = tag("rect", x=0, y=0, width=WIDTH, height=HEIGHT, fill=PAPER)
    return tag(
        "svg", ground + content, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        width=WIDTH, height=HEIGHT, font_family=FONT, role="img", aria_label=title,
    )  # fmt: skip
