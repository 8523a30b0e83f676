"""A match in a few lines, for scripts and notebooks; ``import rasputitsa`` offers what is here."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import randbits

from rasputitsa.ai.players import Player, TimedClock, player
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import default_game, get_game

SEED_BITS = 63


def new_match(
    game: str | None = None,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    *,
    seed: int | None = None,
) -> Session:
    """A new match.

    Args:
        game: the id of a game; by default the first of `rasputitsa.games()`.
        scenario: the id of a starting position; by default the first of the game.
        options: choices about the rules, each by its id; the others keep their defaults.
        seed: of the dice, of at most 255 bits; by default drawn at random.

    Raises:
        SetupError: there is no such game, scenario, option or value.

    Examples:
        >>> match = new_match("portfolio", "june22", seed=1941)
        >>> match.decision().seat
        'axis'
        >>> match.version
        0
    """
    rules = get_game(game or default_game())
    start = scenario or rules.scenarios()[0].id
    return new_session(rules.id, start, options, seed=randbits(SEED_BITS) if seed is None else seed)


def legal_actions(match: Session) -> list[str]:
    """Every legal answer to the question at hand, in notation; empty when the match is over.

    Examples:
        >>> match = new_match("portfolio", "june22", seed=1941)
        >>> "done" in legal_actions(match)
        True
        >>> entries = match.play("done")
        >>> entries[0].action
        'done'
    """
    decision = match.decision()
    return [] if decision is None else [match.game.format(match.state, action) for action in decision.options]


class ComputerPlayer:
    """A computer player for any seats of one match; it keeps its plans from one answer to the next.

    Examples:
        >>> match = new_match("portfolio", "june22", seed=1941)
        >>> computer = ComputerPlayer(match, "greedy", seed=7)
        >>> answer = computer.play()
        >>> answer == match.entries[-1].action
        True

    Args:
        match: the match to play in.
        name: the player, with its level where it has several, such as ``planner-easy``.
        seconds: how long it may think about one answer.
        seed: of the player's own chance, apart from the dice.

    Raises:
        SetupError: the game has no such computer player.
    """

    def __init__(self, match: Session, name: str = "planner", *, seconds: float = 1.0, seed: int | None = None) -> None:
        self.match = match
        self.name = name
        self.seconds = seconds
        self._seats: dict[str, Player] = {}
        for seat in match.game.seats(match.header.options):
            self._seats[seat.id] = player(name, match.game, match.header.options, seed)

    def play(self) -> str:
        """Answer the question at hand, for whichever seat is asked, and return the answer in notation.

        Raises:
            IllegalAction: the match is over.
        """
        match = self.match
        decision = match.decision()
        if decision is None:
            raise IllegalAction("the game is over")
        view = match.game.view_of(match.state, decision.seat)
        action = self._seats[decision.seat].choose(view, decision, TimedClock(self.seconds))
        notation = match.game.format(match.state, action)
        match.play(notation, decision.seat)
        return notation
