"""All arrays of one seat's observation: what its sheet holds, and the mask of legal actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.envs.encoder import Encoder
from rasputitsa.envs.indices import ActionIndex

MASK = "action_mask"


class Page:
    """Written over with each observation; ``arrays`` are its own, or those it was given."""

    def __init__(self, encoder: Encoder, index: ActionIndex, arrays: Mapping[str, Any] | None = None) -> None:
        self.arrays = arrays or {**encoder.blank(), MASK: np.zeros(index.size, np.int8)}
        for array in self.arrays.values():
            array[...] = 0
        self._made_for = (encoder, index)
        self._sheet = encoder.sheet(self.arrays)
        self._mask = self.arrays[MASK]
        self._legal = np.zeros(0, np.intp)

    def __reduce__(self) -> tuple[Any, ...]:
        return Page, self._made_for

    def write(self, view: Any, options: Sequence[Action] | None, numbers: list[int], seat: str) -> None:
        """Show a position and the legal actions, which are given by their numbers too."""
        self._sheet.write(view, options, seat)
        self._mask[self._legal] = 0
        self._legal = np.array(numbers, np.intp)
        self._mask[self._legal] = 1
