"""Actions by their parts, and where observations show the units and hexes of those that are offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rasputitsa.envs.encoder import Encoder
from rasputitsa.envs.indices import ActionIndex

NAMES: Final = ("verb", "unit", "second unit", "hex", "number", "second number")
PLACES: Final = {"unit": (1, 2), "hex": (3,), "number": (4, 5)}
"""Of the arguments of a kind, the first stands in the first of these columns."""

Spots = Mapping[str, NDArray[np.intp]]
"""For some arrays and each number of an action the cells, counted row by row, that say that it is offered; -1: none."""


def parts_of(index: ActionIndex, encoder: Encoder) -> NDArray[np.int32]:
    """A row for each number of an action. A part is 0 where the action has none; else it is one more than

    * the place of the verb in ``index.blocks``,
    * the row of the unit in ``units``,
    * the cell of the hex in a plane, counted row by row,
    * the place of the number among those that the verb can have.
    """
    parts = np.zeros((index.size, len(NAMES)), np.int32)
    units = {value: row for row, value in enumerate(index.values["unit"])}
    cells = {value: encoder.cell(place) for place, value in enumerate(index.values["hex"])}
    for place, block in enumerate(index.blocks):
        rows = parts[block.start : block.start + block.size]
        rows[:, 0] = place + 1
        shape = [len(values) for values in block.values]
        spread = np.unravel_index(np.arange(block.size), shape) if shape else ()
        free = {kind: list(columns) for kind, columns in PLACES.items()}
        for kind, values, at in zip(block.kinds, block.values, spread, strict=True):
            known = {"unit": units, "hex": cells}.get(kind)
            meant = range(len(values)) if known is None else [known[value] for value in values]
            rows[:, free[kind].pop(0)] = np.array(meant, np.int32)[at] + 1
    return parts


def spots_of(index: ActionIndex, encoder: Encoder) -> Spots:
    """Where observations show the actions that are offered, if the encoder leaves that to the environment."""
    if not encoder.asked:
        return {}
    parts = parts_of(index, encoder).astype(np.intp) - 1
    plane, column = encoder.planes.index(encoder.asked), encoder.features.index(encoder.asked)
    units = parts[:, PLACES["unit"]] * len(encoder.features) + column
    hexes = parts[:, PLACES["hex"]] + plane * encoder.rows * encoder.columns
    return {
        "planes": np.where(parts[:, PLACES["hex"]] < 0, -1, hexes),
        "units": np.where(parts[:, PLACES["unit"]] < 0, -1, units),
    }
