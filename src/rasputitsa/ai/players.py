"""What a computer player is, and the list of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Decision, Game


class Clock(Protocol):
    """Tells a player how long it may think; a player tells it how far it has come."""

    def left(self) -> float:
        """Seconds left for this decision; 0 when it should answer at once."""
        ...

    def report(self, done: int, total: int, text: str) -> None:
        """Progress, for those who wait."""
        ...


class Player(Protocol):
    """A computer player in one seat of one game. It may keep plans between decisions."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """One of the decision's options; ``state`` holds only what the seat may know and is the player's own."""
        ...


class PlayerInfo(NamedTuple):
    """A kind of computer player, as shown to people."""

    id: str
    title: str
    summary: str
    games: tuple[str, ...] = ()
    """The games it knows; empty for any."""


class TimedClock:
    """A clock that runs for a number of seconds, or until somebody is in a hurry."""

    def __init__(
        self,
        seconds: float,
        hurried: Callable[[], bool] = lambda: False,
        report: Callable[[int, int, str], None] = lambda done, total, text: None,
    ) -> None:
        self._end = time.monotonic() + seconds
        self._hurried = hurried
        self._report = report

    def left(self) -> float:
        """Seconds left; 0 when hurried."""
        return 0.0 if self._hurried() else max(0.0, self._end - time.monotonic())

    def report(self, done: int, total: int, text: str) -> None:
        """Pass progress on."""
        self._report(done, total, text)


EXTERNAL = "external:"
"""A player named so is a program of its own. It stands in no list: a server must never start one for a stranger."""

_PLAYERS = {
    PlayerInfo("random", "Random", "Any legal action, each as likely as the next"): (
        "rasputitsa.ai.random_player:RandomPlayer"
    ),
    PlayerInfo(
        "greedy",
        "Greedy",
        "Every unit for itself: the nearest gain, attacks wherever the odds are good",
        ("portfolio",),
    ): ("rasputitsa.ai.greedy:GreedyPlayer"),
    PlayerInfo("planner", "Planner", "Plans attacks, encirclements and lines as a whole", ("portfolio",)): (
        "rasputitsa.ai.portfolio.planner:PlannerPlayer"
    ),
    PlayerInfo(
        "greedy", "Greedy", "Every group for itself: attacks what it outweighs, marches for the nearest city", ("wir",)
    ): "rasputitsa.ai.wir.greedy:GreedyPlayer",
    PlayerInfo("planner", "Planner", "Plans supply, attacks, the line and reserves as a whole", ("wir",)): (
        "rasputitsa.ai.wir.planner:PlannerPlayer"
    ),
}


def players(game_id: str) -> list[PlayerInfo]:
    """The computer players that know a game."""
    return [info for info in _PLAYERS if not info.games or game_id in info.games]


def known_player(name: str, game_id: str) -> bool:
    """Whether there is such a computer player, for those who may start programs on this machine."""
    return name.startswith(EXTERNAL) or name in (info.id for info in players(game_id))


def close(made: Player) -> None:
    """Let a player give back what it holds, such as a program of its own."""
    closing = getattr(made, "close", None)
    if closing is not None:
        closing()


def player(name: str, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> Player:
    """A computer player by its id; raises ``SetupError`` for one the game does not have.

    With a seed, and a clock that allows the same work, it plays the same game again. ``external:COMMAND`` is a program
    of your own (``docs/bots.md``).
    """
    if name.startswith(EXTERNAL):
        from rasputitsa.ai.external import ExternalPlayer

        return ExternalPlayer(name.removeprefix(EXTERNAL), game, options, seed)
    for info, where in _PLAYERS.items():
        if info.id == name and (not info.games or game.id in info.games):
            module, attribute = where.split(":")
            made: Player = getattr(import_module(module), attribute)(game, options, seed)
            return made
    known = ", ".join(info.id for info in players(game.id))
    raise SetupError(f"{game.id} has no computer player called {name!r}; known: {known}")
