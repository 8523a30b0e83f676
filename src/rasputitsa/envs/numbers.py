"""Sets of bits as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rasputitsa.hexes.grid import Grid


def unpacked(sets: Sequence[int], size: int) -> NDArray[np.uint8]:
    """Sets of bits as rows of zeros and ones, ``size`` columns each."""
    width = (size + 7) // 8
    raw = b"".join([bits.to_bytes(width, "little") for bits in sets])
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(len(sets), width)
    return np.unpackbits(rows, axis=1, bitorder="little")[:, :size]


def lines_of(sets: Sequence[int], grid: Grid, lines: int, length: int) -> NDArray[np.uint8]:
    """Sets of hexes as zeros and ones: for each set a row for each line of the grid, by as many hexes as it is long."""
    return unpacked(sets, lines * grid.stride).reshape(len(sets), lines, grid.stride)[:, :, :length]
