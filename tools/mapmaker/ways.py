"""The cheapest way from one place to another."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar


class Place(Protocol):
    """Anything that can be told apart and put in order: a name, a number, a corner."""

    def __hash__(self) -> int: ...
    def __lt__(self, other: Any, /) -> bool: ...


PlaceT = TypeVar("PlaceT", bound=Place)


def cheapest(
    start: PlaceT,
    goal: PlaceT,
    onward: Callable[[PlaceT], Iterable[tuple[PlaceT, float]]],
    limit: float = math.inf,
) -> list[PlaceT]:
    """The places on the way, both ends among them; nothing if there is none within the limit.

    ``onward`` names the neighbours of a place and what each step costs.
    """
    best, before = {start: 0.0}, dict[PlaceT, PlaceT]()
    queue = [(0.0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if here == goal:
            path = [goal]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1]
        if spent > best[here]:
            continue
        for there, cost in onward(here):
            total = spent + cost
            if total <= limit and total < best.get(there, math.inf):
                best[there], before[there] = total, here
                heapq.heappush(queue, (total, there))
    return []
