"""Actions by their parts, for policies with a head for the verb, one for the unit, one for the hex and so on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rasputitsa.envs.indices import ActionIndexError
from rasputitsa.envs.parts import NAMES, parts_of
from rasputitsa.envs.table import Table


class Heads:
    """Every action as a row of parts; ``parts_of`` says what they are."""

    names = NAMES

    def __init__(self, table: Table) -> None:
        self.parts: NDArray[np.int32] = parts_of(table.index, table.encoder)
        """A row for each number of an action."""
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
