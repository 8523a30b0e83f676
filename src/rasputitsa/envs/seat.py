"""One seat as a Gymnasium environment, the other seats played by computer players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rasputitsa.ai.external import any_player
from rasputitsa.ai.players import EXTERNAL, TIMERS, WALL, Clock, Player, TimedClock, WorkClock
from rasputitsa.core.errors import SetupError
from rasputitsa.envs.table import NO_OPTIONS, SEED_BITS, Table, check_render_mode

WORK = "work"
CLOCKS = (WORK, *TIMERS)
"""What the thinking time of opponents is counted in. Only with the first is the same seed always the same game."""


class LegalDiscrete(spaces.Discrete):
    """Numbers of actions; ``sample()`` without a mask draws among those that are legal now.

    Whoever seeds a space is about to begin an episode (Gymnasium's ``check_env`` seeds, draws, and only then resets),
    so the first draw after ``seed()`` is one that is legal at the seat's first decision.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table.index.size)
        self._table = table
        self._beginning = False
        self.first: NDArray[np.int8] | None = None
        """The mask of the seat's first decision in the present game."""

    def seed(self, seed: Any = None) -> Any:
        """Begin again."""
        self._beginning = seed is not None
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action, or one of the mask's."""
        if mask is None and probability is None and self._table.decision is not None:
            first = self.first if self._beginning else None
            mask = self._table.index.mask(self._table.decision.options) if first is None else first
        self._beginning = False
        return super().sample(mask, probability)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, spaces.Discrete) and (self.n, self.start) == (other.n, other.start)

    def __deepcopy__(self, memo: dict[int, Any]) -> spaces.Discrete:
        return spaces.Discrete(int(self.n))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to other processes as an ordinary space."""
        return spaces.Discrete, (int(self.n),)


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """The agent holds one seat. ``step`` returns when that seat has to decide again, or the game is over.

    An illegal action raises ``IllegalAction`` and changes nothing. The reward of a step is the sum of what the seat
    earned by its own action and by everything the others did before its next decision.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        table: Table,
        seat: str,
        opponents: str | Mapping[str, str],
        opponent_seconds: float,
        opponent_clock: str,
        render_mode: str | None,
    ) -> None:
        if opponent_clock not in CLOCKS:
            raise SetupError(f"there is no clock {opponent_clock!r}; known: {', '.join(CLOCKS)}")
        check_render_mode(render_mode, self.metadata["render_modes"])
        others = [info.id for info in table.seats if info.id != seat]
        if len(others) == len(table.seats):
            raise SetupError(f"there is no seat {seat!r}; known: {', '.join(others)}")
        self.table = table
        self.seat = seat
        table.learners = frozenset({seat})
        self.opponents = dict.fromkeys(others, opponents) if isinstance(opponents, str) else dict(opponents)
        if set(self.opponents) != set(others):
            raise SetupError(f"opponents are needed for {', '.join(others)}")
        self.render_mode = render_mode
        self._seconds, self._clock = opponent_seconds, opponent_clock
        self._players: dict[str, Player] = {}
        self.observation_space = table.observation_space()
        self._numbers = LegalDiscrete(table)
        self.action_space = self._numbers  # type: ignore[assignment]  # a Discrete that lists the legal numbers

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A fresh game, played up to the seat's first decision. There are no options."""
        if options:
            raise SetupError(NO_OPTIONS)
        super().reset(seed=seed)
        while True:
            self._deal()
            self._others()
            if not self.table.over:  # a game that ends before the seat is asked at all teaches nothing
                observation = self.table.observation(self.seat)
                self._numbers.first = observation["action_mask"].copy()
                return observation, self.table.info(self.seat)

    def _deal(self) -> None:
        draws = self.np_random
        self.table.deal(int(draws.integers(2**SEED_BITS)))
        self._players = {
            seat: any_player(name, self.table.game, self.table.options, int(draws.integers(2**SEED_BITS)))
            for seat, name in self.opponents.items()
        }
        self.table.onlookers.introduce(self._players)

    def _others(self) -> float:
        """Let the others decide until it is the seat's turn; gives what the seat earned meanwhile."""
        earned = 0.0
        table = self.table
        while table.decision is not None and table.decision.seat != self.seat:
            decision = table.decision
            view = table.game.view_of(table.state, decision.seat)
            action = self._players[decision.seat].choose(view, decision, self._clock_of(decision.seat))
            earned += table.play(table.index.number(action))[self.seat]
        return earned

    def _clock_of(self, seat: str) -> Clock:
        """A clock for a decision of an opponent; a program of its own has no other than that on the wall."""
        if self._clock == WORK and not self.opponents[seat].startswith(EXTERNAL):
            return WorkClock(self._seconds)
        return TimedClock(self._seconds, kind=self._clock if self._clock in TIMERS else WALL)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One decision of the seat."""
        if self.table.over:
            raise gymnasium.error.ResetNeeded("the game is over: reset() first")
        reward = self.table.play(action)[self.seat] + self._others()
        return self.table.observation(self.seat), reward, self.table.over, self.table.cut, self.table.info(self.seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them."""
        decision = self.table.decision
        return self.table.index.mask(decision.options if decision else ()).astype(bool)

    def render(self) -> str | None:
        """The board as text, with ``render_mode="ansi"``."""
        return self.table.picture() if self.render_mode == "ansi" else None


def seat_env(
    game: str | Any | None = None,
    seat: str = "axis",
    opponents: str | Mapping[str, str] = "steady",
    *,
    opponent_seconds: float = 1.0,
    opponent_clock: str = WORK,
    render_mode: str | None = None,
    **kwargs: Any,
) -> SeatEnv:
    """A Gymnasium environment for one seat.

    Args:
        game: id of a game, or a game; by default the first of ``rasputitsa games``.
        seat: the agent's seat.
        opponents: a computer player for all other seats, or one for each; by default one that plays at random, but
            neither proposes an early end, nor agrees to it, nor gambles.
        opponent_seconds: how long an opponent may think about one decision.
        opponent_clock: ``work`` counts what it thinks, so that the same seed gives the same game on any machine;
            ``cpu`` and ``wall`` count seconds.
        render_mode: ``ansi`` for the board as text.
        kwargs: ``scenario``, ``lesson`` or ``position``; ``options``; ``rewards``; ``max_decisions`` of the seat;
            ``without`` some verbs; ``take_backs``.
    """
    return SeatEnv(Table(game, **kwargs), seat, opponents, opponent_seconds, opponent_clock, render_mode)
