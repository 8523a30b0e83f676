"""What a player does: one small, hashable, printable step."""

from __future__ import annotations

from typing import Final, NamedTuple

MAX_NUMBER: Final = 1000
"""Arguments of actions that are neither units nor hexes are below this."""


class Action(NamedTuple):
    """An intention of a player: a verb and whole-number arguments (unit, hex or plain number).

    Actions are equal when they say the same, and are written in the notation of their game.

    Examples:
        >>> from rasputitsa.core.registry import get_game
        >>> game = get_game("portfolio")
        >>> state = game.setup("june22", {})
        >>> Action("done") in game.decision(state).options
        True
        >>> game.format(state, Action("done"))
        'done'
    """

    verb: str
    args: tuple[int, ...] = ()


def listed(action: Action, options: list[Action]) -> bool:
    """Whether an action is among some, no matter who made it; most often it is the very one that was listed."""
    for option in options:
        if option is action:
            return True
    return action in options


class Outcome(NamedTuple):
    """How a game ended."""

    winner: str | None
    level: str
    reason: str
    rule: str
