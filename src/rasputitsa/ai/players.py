"""What a computer player is, and how it is found: each game lists its own (``core.registry.PLAYERS``)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import PLAYERS, extension


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


class LevelInfo(NamedTuple):
    """A strength at which a computer player can be had. ``planner`` is its normal one, ``planner-easy`` another."""

    id: str
    title: str
    summary: str
    pace: float = 1.0
    """The thinking time it takes, as a share of the usual."""
    where: str = ""
    """What makes the player at this level, if it is not made as usual."""


NORMAL = "normal"
QUICK = LevelInfo("quick", "Quick", "Answers in a third of the usual time", 1 / 3)
USUAL = LevelInfo(NORMAL, "Normal", "Plays as well as it can in the usual time")
PATIENT = LevelInfo("patient", "Strong", "Thinks three times as long", 3.0)
BY_TIME = (QUICK, USUAL, PATIENT)
"""The levels of a player that plays the better the longer it thinks."""


class PlayerInfo(NamedTuple):
    """A kind of computer player, as shown to people."""

    id: str
    title: str
    summary: str
    where: str
    """What makes the player, ``module:name``: called with the game, the options and a seed or None."""
    levels: tuple[LevelInfo, ...] = ()
    """The strengths to choose from, weak to strong; none if there is but one."""
    usual: bool = False
    """Whether a match against the computer is against this one unless another is chosen."""
    first: str = NORMAL
    """Its level where nobody has chosen yet."""
    exploit: bool = False
    """Whether it plays on one weakness of others: a test for them (``ladder --exploits``), not offered to people."""
    offered: bool = True
    """Whether people may want to play it."""


TELL_SECONDS = 0.3
"""How often a clock tells by itself how much of its time is gone."""
LOOK_SECONDS = 0.02
"""How often a clock looks whether somebody is in a hurry."""


WALL, CPU, WORK = "wall", "cpu", "work"
TIMERS: Mapping[str, Callable[[], float]] = {WALL: time.monotonic, CPU: time.process_time}
CLOCKS = (*TIMERS, WORK)
"""What thinking time is counted in: time as it passes; time of the processor, which is fair on a busy machine; or an
amount of work, with which the same seed is the same game on any machine."""


def check_countable(names: Iterable[str], clock: str) -> None:
    """Refuse to count processor time or work of programs of their own, which would never run out; ``SetupError``."""
    if clock != WALL and any(name.startswith(EXTERNAL) for name in names):
        raise SetupError(
            "processor time and work of a player that is a program of its own cannot be counted; choose the clock wall"
        )


class TimedClock:
    """A clock that runs for a number of seconds, or until somebody is in a hurry.

    Of a player that says nothing of its progress, it tells how much of the time is gone.
    """

    def __init__(
        self,
        seconds: float,
        hurried: Callable[[], bool] = lambda: False,
        report: Callable[[int, int, str], None] = lambda done, total, text: None,
        kind: str = WALL,
    ) -> None:
        self._timer = TIMERS[kind]
        self._begun = self._told = self._looked = self._timer()
        self._seconds = seconds
        self._hurried = hurried
        self._report = report
        self._hurry = hurried()
        self._silent = True

    def left(self) -> float:
        """Seconds left; 0 when hurried."""
        now = self._timer()
        if not self._hurry and now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._hurry = self._hurried()
        if self._silent and now - self._told >= TELL_SECONDS:
            self._told = now
            gone = min(self._seconds, now - self._begun)
            self._report(round(gone * 10), round(self._seconds * 10) + 1, "The computer is thinking")
        return 0.0 if self._hurry else max(0.0, self._begun + self._seconds - now)

    def report(self, done: int, total: int, text: str) -> None:
        """Pass progress on."""
        self._silent = False
        self._report(done, total, text)


LOOKS_A_SECOND = 200
"""How often a player looks at the clock of work in what counts as a second."""


class WorkClock:
    """A clock that counts how often it is looked at instead of time: the same thoughts take as long on any machine."""

    def __init__(self, seconds: float) -> None:
        self._looks = round(seconds * LOOKS_A_SECOND)

    def left(self) -> float:
        """Seconds left: ``LOOKS_A_SECOND`` looks count for one."""
        self._looks = max(0, self._looks - 1)
        return self._looks / LOOKS_A_SECOND

    def report(self, done: int, total: int, text: str) -> None:
        """Nobody waits."""


def clock_of(kind: str, seconds: float) -> Clock:
    """A clock of one of the kinds, which nobody hurries."""
    return WorkClock(seconds) if kind == WORK else TimedClock(seconds, kind=kind)


EXTERNAL = "external:"
"""A player named so is a program of its own, and only ``external.any_player`` starts it: a server must never."""

RANDOM = PlayerInfo(
    "random",
    "Random",
    "Any legal action, each as likely as the next",
    "rasputitsa.ai.random_player:RandomPlayer",
)
"""Plays every game."""

STEADY = PlayerInfo(
    "steady",
    "Steady",
    "Any legal action but those that end a game before its time",
    "rasputitsa.ai.random_player:SteadyPlayer",
    offered=False,
)
"""Plays every game to its end: chance as an opponent in learning environments."""


def players(game_id: str) -> list[PlayerInfo]:
    """The computer players that know a game, weak to strong."""
    return [info for info in _all(game_id) if info.offered and not info.exploit]


def exploits(game_id: str) -> list[PlayerInfo]:
    """The players of a game that test others for a weakness."""
    return [info for info in _all(game_id) if info.exploit]


def _all(game_id: str) -> list[PlayerInfo]:
    return [RANDOM, STEADY, *(extension(PLAYERS, game_id) or ())]


def find(name: str, game_id: str) -> tuple[PlayerInfo, LevelInfo] | None:
    """The player and level that a name such as ``planner`` or ``planner-easy`` stands for."""
    for info in _all(game_id):
        if name == info.id:
            return info, next((level for level in info.levels if level.id == NORMAL), USUAL)
        for level in info.levels:
            if name == f"{info.id}-{level.id}" and level.id != NORMAL:
                return info, level
    return None


def player_names(game_id: str) -> list[str]:
    """Every name of a computer player of a game, its levels included."""
    return [
        info.id if level.id == NORMAL else f"{info.id}-{level.id}"
        for info in players(game_id)
        for level in info.levels or (USUAL,)
    ]


def pace(name: str, game_id: str) -> float:
    """How much of the usual thinking time a player is to be given."""
    found = find(name, game_id)
    return found[1].pace if found else 1.0


def known_player(name: str, game_id: str) -> bool:
    """Whether there is such a computer player, for those who may start programs on this machine."""
    return name.startswith(EXTERNAL) or find(name, game_id) is not None


def close(made: Player) -> None:
    """Let a player give back what it holds, such as a program of its own."""
    closing = getattr(made, "close", None)
    if closing is not None:
        closing()


def player(name: str, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> Player:
    """A computer player by its name; raises ``SetupError`` for one the game does not have.

    With a seed, and a clock that allows the same work, it plays the same game again. It never starts a program:
    ``external.any_player`` does, for those who may.
    """
    found = find(name, game.id)
    if found is None:
        raise SetupError(f"{game.id} has no computer player called {name!r}; known: {', '.join(player_names(game.id))}")
    info, level = found
    module, attribute = (level.where or info.where).split(":")
    made: Player = getattr(import_module(module), attribute)(game, options, seed)
    return made
