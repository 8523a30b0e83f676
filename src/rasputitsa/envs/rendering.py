"""How environments show a position: as text, on the terminal, or as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import numpy as np

from rasputitsa.core.errors import SetupError
from rasputitsa.envs.table import Table

ANSI: Final = "ansi"
HUMAN: Final = "human"
RGB_ARRAY: Final = "rgb_array"
RENDER_MODES = (ANSI, HUMAN, RGB_ARRAY)
WIDTH = 700
"""Pixels of a picture; all of one map have the same size."""


def check_render_mode(mode: str | None) -> None:
    """Refuse a way of rendering that there is not; raises ``SetupError``."""
    if mode is not None and mode not in RENDER_MODES:
        raise SetupError(f"there is no render mode {mode!r}; known: {', '.join(RENDER_MODES)}")


def rendered(table: Table, mode: str | None, seat: str | None) -> Any:
    """The whole board as a seat sees it, None: as an onlooker does. ``human`` prints it and gives nothing."""
    if mode is None:
        return None
    view = table.game.observe(table.state, seat)
    static = table.game.static(table.scenario)
    try:
        return _pixels(static, view) if mode == RGB_ARRAY else _text(static, view, mode)
    except ModuleNotFoundError as problem:
        raise SetupError(f"{problem.name} is not installed; {mode} needs it") from problem


def _text(static: Mapping[str, Any], view: Mapping[str, Any], mode: str) -> str | None:
    from rasputitsa.render.terminal import text_map

    text = text_map(static, view)
    if mode == ANSI:
        return text.plain
    print(text.plain, flush=True)
    return None


def _pixels(static: Mapping[str, Any], view: Mapping[str, Any]) -> Any:
    from PIL import Image

    from rasputitsa.render.board import Board
    from rasputitsa.render.png import png

    with Image.open(BytesIO(png(Board(static).svg(view), WIDTH))) as image:
        return np.asarray(image.convert("RGB"))
