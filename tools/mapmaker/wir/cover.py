"""What grows on the land: the mean brightness of each hex in a picture of the earth without clouds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from tools.mapmaker.board import Floats
from tools.mapmaker.surface import LAND, Ground

GREEN = 1
Image.MAX_IMAGE_PIXELS = None  # one picture of the whole earth, whose size is known


def read_cover(picture: Path, ground: Ground, hexes: int) -> Floats:
    """Mean of the green channel over the land of each hex; forest is dark, fields are not."""
    with Image.open(picture) as image:
        green = np.asarray(image.convert("RGB"))[:, :, GREEN].astype(float)
    height, width = green.shape
    land = ground.kind == LAND
    column = ((ground.lon[land] + 180) / 360 * width).astype(np.int64)
    row = ((90 - ground.lat[land]) / 180 * height).astype(np.int64)
    total = np.bincount(ground.hex[land], ground.area[land] * green[row, column], hexes)
    mean: Floats = total / np.maximum(np.bincount(ground.hex[land], ground.area[land], hexes), 1e-9)
    return mean
