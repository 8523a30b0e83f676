"""What the computer thinks of a game: hints for the question at hand, and who stands better.

The server and the command line call this module and ``analysis_course``, and nothing beside them, for advice. Whatever
is asked for one seat is worked out from what that seat may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rasputitsa.ai.players import Clock, Player, close, player, players
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision, Game

if TYPE_CHECKING:
    from rasputitsa.ai.advice.hint import Hint, Teller, Thought

HINT_SEED = 1
"""A hint asked for twice is the same hint, if there was the same time."""
KNOWN = ("portfolio", "wir")


class NoAnalysisError(RasputitsaError):
    """The computer knows nothing of this game."""


def knows(game_id: str) -> bool:
    """Whether positions of a game can be analysed."""
    return game_id in KNOWN


def hint(
    game: Game[Any], view: Any, decision: Decision, clock: Clock, options: Mapping[str, str] | None = None
) -> Hint:
    """What the computer would do in a seat's place; ``view`` holds what that seat may see.

    Raises:
        NoAnalysisError: for a game the computer has no plan for.
    """
    return plan(game, view, decision, clock, options)[0]


def plan(
    game: Game[Any], view: Any, decision: Decision, clock: Clock, options: Mapping[str, str] | None = None
) -> tuple[Hint, list[Thought]]:
    """A hint, and the answers it is made of."""
    from rasputitsa.ai.advice.hint import think
    from rasputitsa.ai.advice.player_turns import judged

    _require(game)
    teller, mind, name = _of(game, view, decision, options or {})
    try:
        thoughts = think(game, teller, mind, clock)
    finally:
        close(mind)
    words: list[str] = []
    if game.id == "portfolio":
        from rasputitsa.ai.advice.portfolio import weighed

        thoughts, words = weighed(game, view, decision, thoughts, clock, mind)
    found = teller.tell(thoughts)
    found.reasons += words
    teller.look_ahead(found)
    found.player = name
    if judged(game.id, view, decision, 0):
        value = evaluate(game, view, decision.seat, options)
        first = game.seats(options or {})[0].side
        found.expectation = round(value if decision.side == first else 1 - value, 3)
    return found, thoughts


def judge(game: Game[Any], seat: str | None, options: Mapping[str, str] | None = None) -> Callable[[Any], float]:
    """What says how likely the first side is to win; with a seat, from what that seat may see.

    Where sides hide things it learns as the game goes on: show it the positions in their order.
    """
    if seat is None:
        return partial(score, game)
    if game.id == "wir":
        from rasputitsa.ai.advice.wir import Judge
        from rasputitsa.wir.model.theatre import SIDES

        side = next(known.side for known in game.seats(options or {}) if known.id == seat)
        learning = Judge(SIDES.index(side))
        return lambda state: learning(game.view_of(state, seat))
    return lambda state: score(game, game.view_of(state, seat))


def evaluate(
    game: Game[Any], state: Any, seat: str | None = None, options: Mapping[str, str] | None = None
) -> float:  # fmt: skip
    """How likely the first side is to win; with a seat, judged from what that seat may see."""
    return judge(game, seat, options)(state)


def score(game: Game[Any], state: Any) -> float:
    """How likely the first side is to win, by all that the position shows."""
    _require(game)
    if game.id == "wir":
        from rasputitsa.ai.advice.wir import expectation

        return expectation(state)
    from rasputitsa.ai.advice.portfolio import expectation as outlook

    return outlook(state)


def _require(game: Game[Any]) -> None:
    if not knows(game.id):
        raise NoAnalysisError(f"the computer has no advice for {game.title}")


def _of(
    game: Game[Any], view: Any, decision: Decision, options: Mapping[str, str]
) -> tuple[Teller, Player, str]:  # fmt: skip
    """Who thinks, and who puts it into words."""
    name = players(game.id)[-1].id
    if game.id == "wir":
        from rasputitsa.ai.advice.wir import Adviser, WirTeller

        officer = Adviser(game, options, HINT_SEED)
        return WirTeller(game, view, decision, officer), officer, name
    from rasputitsa.ai.advice.portfolio import PortfolioTeller

    return PortfolioTeller(game, view, decision), player(name, game, options, HINT_SEED), name
