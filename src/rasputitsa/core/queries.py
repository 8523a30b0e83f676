"""What games have in common where they answer read-only questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rasputitsa.core import lines
from rasputitsa.core.errors import NotationError
from rasputitsa.core.game import Game
from rasputitsa.hexes.grid import Grid, members

if TYPE_CHECKING:
    from rasputitsa.core.shapes import Front, HexPair, Why

Args = Mapping[str, Any]
"""What a question is asked with."""
MOST_NAMES = 40
"""Units or groups that one question names."""


def unknown(kind: str, known: Iterable[str]) -> NotationError:
    """What to raise for a question that a game does not know."""
    return NotationError(f"there is no question {kind!r:.40}; known: why, {', '.join(sorted(known))}")


def side_of(args: Args, sides: Sequence[str], usual: int) -> int:
    """The number of the side that is asked about, the usual one if none is named."""
    name = args.get("side", sides[usual])
    if name not in sides:
        raise NotationError(f"side is {' or '.join(sides)}")
    return sides.index(name)


def why(game: Game[Any], state: Any, args: Args) -> Why:
    """Whether a line of notation could be played now, and if not, why not."""
    problem = lines.why_not(game, state, str(args.get("action", "")))
    if problem:
        return {"legal": False, "reason": problem.reason, "rule": problem.rule}
    return {"legal": True, "reason": "", "rule": ""}


def front(grid: Grid, first: int, second: int) -> Front:
    """The pairs of adjacent hexes of two sets: those that one side holds, and those of the other."""
    names = grid.names
    pairs: list[HexPair] = [
        {"a": names[a], "b": names[b]}
        for a in members(first & grid.spread(second))
        for b in members(grid.adjacent[a] & second)
    ]
    return {"sides": pairs}
