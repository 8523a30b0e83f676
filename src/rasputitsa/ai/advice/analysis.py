"""What the computer thinks of a game: hints for the question at hand, and who stands better.

The server and the command line ask for advice here and in ``course``. What each game supplies is found by its entry
point (``contract.Advice``). Whatever is asked for one seat is worked out from what that seat may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rasputitsa.ai.advice.contract import Advice
from rasputitsa.ai.advice.errors import NoAnalysisError
from rasputitsa.ai.advice.hint import Hint, Thought
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.ai.memory import Memory, give
from rasputitsa.ai.players import Clock, close, players
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import ADVICE, extended, extension


def knows(game_id: str) -> bool:
    """Whether positions of a game can be analysed."""
    return game_id in extended(ADVICE)


def advice_for(game: Game[Any]) -> Advice:
    """What the computer can say about a game; raises ``NoAnalysisError`` where that is nothing."""
    made = extension(ADVICE, game.id)
    if made is None:
        raise NoAnalysisError(f"the computer has no advice for {game.title}")
    found: Advice = made(game)
    return found


def hint(
    game: Game[Any],
    view: Any,
    decision: Decision,
    clock: Clock,
    options: Mapping[str, str] | None = None,
    memory: Memory | None = None,
    staff: StaffLimits | None = None,
) -> Hint:
    """What the computer would do in a seat's place; ``view`` holds what that seat may see, ``memory`` what it
    remembers of the game. With ``staff`` it plans for the units named alone.

    Raises:
        NoAnalysisError: for a game or a question the computer has no plan for.
        NotationError: the limits name an unknown unit.
    """
    return plan(game, view, decision, clock, options, memory, staff)[0]


def plan(
    game: Game[Any],
    view: Any,
    decision: Decision,
    clock: Clock,
    options: Mapping[str, str] | None = None,
    memory: Memory | None = None,
    staff: StaffLimits | None = None,
) -> tuple[Hint, list[Thought]]:
    """A hint, and the answers it is made of."""
    from rasputitsa.ai.advice.hint import think

    advice = advice_for(game)
    if staff is None:
        explainer, player = advice.adviser(view, decision, options or {})
    else:
        view, decision, explainer, player = advice.staff(view, decision, options or {}, staff)
    give(player, memory)
    try:
        thoughts = think(game, explainer, player, clock)
    finally:
        close(player)
    thoughts, words = advice.weighed(view, decision, thoughts, clock, player)
    found = explainer.explain(thoughts)
    found.reasons += words
    explainer.look_ahead(found)
    found.player = players(game.id)[-1].id
    if advice.judged(view, decision, 0) and game.observe(view, decision.seat).get("goal") is None:
        value = evaluate(game, view, decision.seat, options, memory)
        first = game.seats(options or {})[0].side
        found.expectation = round(value if decision.side == first else 1 - value, 3)
    return found, thoughts


def judge(
    game: Game[Any], seat: str | None, options: Mapping[str, str] | None = None, memory: Memory | None = None
) -> Callable[[Any], float]:
    """What says how likely the first side is to win; with a seat, from what that seat may see and remembers.

    Where sides hide things and no memory is given, it learns from the positions it is shown, in their order.
    """
    advice = advice_for(game)
    return advice.expectation if seat is None else advice.judge(seat, options or {}, memory)


def evaluate(
    game: Game[Any],
    state: Any,
    seat: str | None = None,
    options: Mapping[str, str] | None = None,
    memory: Memory | None = None,
) -> float:
    """How likely the first side is to win; with a seat, judged from what that seat may see and remembers."""
    return judge(game, seat, options, memory)(state)
