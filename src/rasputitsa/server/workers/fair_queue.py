"""Taking turns at something there is one of, so that whoever asks much does not keep others waiting long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rasputitsa.server.turns import Called, Turns


class FairQueue(Turns[str]):
    """Those who wait stand in groups; the groups take turns, whatever their length.

    Somebody from another group waits for one turn of each group at most.
    """

    def __init__(self) -> None:
        super().__init__()
        self._groups: dict[str, None] = {}
        """In the order of their turns."""

    def _choose(self, waiting: Mapping[Called, str]) -> Called:
        """The first of the group that has waited longest for a turn."""
        sizes = Counter(waiting.values())
        self._groups = dict.fromkeys(group for group in (*self._groups, *sizes) if group in sizes)
        group = next(iter(self._groups))
        del self._groups[group]
        if sizes[group] > 1:
            self._groups[group] = None  # at the end of the groups
        return next(called for called, known in waiting.items() if known == group)
