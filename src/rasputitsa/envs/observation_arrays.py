"""All arrays of one seat's observation: what its sheet holds, and the mask of legal actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.envs.encoder import Encoder, PlainSheet
from rasputitsa.envs.indices import ActionIndex, Numbers
from rasputitsa.envs.parts import Spots

MASK = "action_mask"
NONE: Numbers = np.zeros(0, np.intp)


class ObservationArrays:
    """Written over with each observation; ``arrays`` are its own, or those it was given."""

    def __init__(
        self, encoder: Encoder, index: ActionIndex, spots: Spots, arrays: Mapping[str, Any] | None = None
    ) -> None:
        self.arrays = arrays or {**encoder.blank(), MASK: np.zeros(index.size, np.int8)}
        for array in self.arrays.values():
            array[...] = 0
        self._made_for = (encoder, index, spots)
        self._sheet = encoder.sheet(self.arrays)
        self._lasting = not isinstance(self._sheet, PlainSheet)
        """Whether what has been written stays until it is written over."""
        self._mask = self.arrays[MASK]
        self._legal = NONE
        self._asked = [Asked(self.arrays[name].reshape(-1), cells) for name, cells in spots.items()]

    def __reduce__(self) -> tuple[Any, ...]:
        return ObservationArrays, self._made_for

    def write(self, view: Any, options: Sequence[Action] | None, legal: Numbers, seat: str) -> None:
        """Show a position and the legal actions, which are given by their numbers too."""
        self._sheet.write(view, options, seat)
        if legal is self._legal and self._lasting:  # the very array that was shown last, and such arrays never change
            return
        self._mask[self._legal] = 0
        self._mask[legal] = 1
        self._legal = legal
        for asked in self._asked:
            asked.write(legal)


class Asked:
    """Cells of one array that are 1 while an action is offered."""

    def __init__(self, flat: Any, cells: Numbers) -> None:
        """``cells``: those of each number, of which -1 is none."""
        self._flat, self._cells, self._written = flat, cells, NONE

    def write(self, legal: Numbers) -> None:
        """Show these actions."""
        found = self._cells[legal].reshape(-1)
        found = found[found >= 0]
        self._flat[self._written] = 0
        self._flat[found] = 1
        self._written = found
