"""Taking turns at something there is one of, so that one who asks much does not keep others waiting long."""

from __future__ import annotations

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
        groups = dict.fromkeys(waiting.values())
        # a group that has had its turn comes behind those that wait already
        self._groups = dict.fromkeys((*(group for group in self._groups if group in groups), *groups))
        group = next(iter(self._groups))
        del self._groups[group]
        return next(called for called, known in waiting.items() if known == group)
