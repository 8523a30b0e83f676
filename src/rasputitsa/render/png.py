"""SVG to PNG."""

from __future__ import annotations

import resvg_py


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, in its own size or ``width`` pixels wide."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
