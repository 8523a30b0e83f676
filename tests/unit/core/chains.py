"""Rivers as chains of hex-sides, for the tests of both maps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable


def pieces(chain: Iterable[frozenset[str]], around: Callable[[str], Collection[str]]) -> int:
    """Into how many connected pieces a river falls: sides touch where three hexes meet."""

    def corners(a: str, b: str) -> set[frozenset[str]]:
        return {frozenset((a, b, other)) for other in around(a) if other in around(b)}

    left, found = set(chain), 0
    while left:
        found += 1
        todo = [left.pop()]
        while todo:
            here = corners(*todo.pop())
            touching = {pair for pair in left if corners(*pair) & here}
            left -= touching
            todo += touching
    return found
