"""Actions by their parts, for policies with a head for the verb, one for the unit, one for the hex and so on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rasputitsa.envs.indices import ActionIndexError
from rasputitsa.envs.table import Table

NAMES = ("verb", "unit", "second unit", "hex", "number", "second number")
PLACES = {"unit": (1, 2), "hex": (3,), "number": (4, 5)}
"""Of the arguments of a kind, the first stands in the first of these columns."""


class Heads:
    """Every action as a row of parts. A part is 0 where the action has none; else it is one more than

    * the place of the verb in ``index.blocks``,
    * the row of the unit in ``units``,
    * the cell of the hex in a plane, counted row by row,
    * the place of the number among those that the verb can have.
    """

    names = NAMES

    def __init__(self, table: Table) -> None:
        index, encoder = table.index, table.encoder
        self._size = index.size
        self.parts: NDArray[np.int32] = np.zeros((index.size, len(NAMES)), np.int32)
        """A row for each number of an action."""
        units = {value: row for row, value in enumerate(index.values["unit"])}
        cells = {value: encoder.cell(place) for place, value in enumerate(index.values["hex"])}
        for place, block in enumerate(index.blocks):
            rows = self.parts[block.start : block.start + block.size]
            rows[:, 0] = place + 1
            shape = [len(values) for values in block.values]
            spread = np.unravel_index(np.arange(block.size), shape) if shape else ()
            free = {kind: list(columns) for kind, columns in PLACES.items()}
            for kind, values, at in zip(block.kinds, block.values, spread, strict=True):
                known = {"unit": units, "hex": cells}.get(kind)
                meant = range(len(values)) if known is None else [known[value] for value in values]
                rows[:, free[kind].pop(0)] = np.array(meant, np.int32)[at] + 1
        self.sizes = tuple(int(most) + 1 for most in self.parts.max(axis=0))
        """How many values each head has."""

    def mask(self, legal: Sequence[int] | NDArray[np.intp], chosen: Sequence[int] = ()) -> NDArray[np.bool_]:
        """The values of the next head that lead to a legal action, after those chosen for the heads before it."""
        rows = self.parts[np.asarray(legal, np.intp)]
        rows = rows[(rows[:, : len(chosen)] == np.asarray(chosen, np.int32)).all(axis=1)]
        found = np.zeros(self.sizes[len(chosen)], np.bool_)
        found[rows[:, len(chosen)]] = True
        return found

    def number(self, parts: Sequence[int]) -> int:
        """The number of an action by its parts; raises ``ActionIndexError`` where there is none."""
        if len(parts) != len(NAMES):
            raise ActionIndexError(f"an action has {len(NAMES)} parts, not {len(parts)}")
        found = np.flatnonzero((self.parts == np.asarray(parts, np.int64)).all(axis=1))
        if not len(found):
            raise ActionIndexError(f"no action has the parts {', '.join(map(str, parts))}")
        return int(found[0])
