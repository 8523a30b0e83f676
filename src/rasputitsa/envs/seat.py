"""One seat as a Gymnasium environment, the other seats played by computer players."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rasputitsa.ai.external import any_player
from rasputitsa.ai.memory import Listens, MemoryTracker, Remembers
from rasputitsa.ai.players import CLOCKS, EXTERNAL, WALL, WORK, Clock, Player, clock_of
from rasputitsa.core.errors import SetupError
from rasputitsa.envs.rendering import HUMAN, RENDER_MODES, check_render_mode, rendered
from rasputitsa.envs.table import NO_OPTIONS, SEED_BITS, Snapshot, Table

Policy = Callable[[dict[str, Any]], int]
"""A player as a function: from what its seat observes, the number of its action."""
Opponent = str | Policy


class LegalDiscrete(spaces.Discrete):
    """Numbers of actions; ``sample()`` without a mask draws among those that are legal now.

    One who seeds a space is about to begin an episode (Gymnasium's ``check_env`` seeds, draws, and only then resets),
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
        if mask is None and probability is None and self._table.asked is not None:
            first = self.first if self._beginning else None
            mask = self._table.mask() if first is None else first
        self._beginning = False
        return super().sample(mask, probability)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, spaces.Discrete) and (self.n, self.start) == (other.n, other.start)

    def __deepcopy__(self, memo: dict[int, Any]) -> spaces.Discrete:
        return spaces.Discrete(int(self.n))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to other processes as an ordinary space."""
        return spaces.Discrete, (int(self.n),)


class SeatSnapshot(NamedTuple):
    """A game as it stood, with what the opponents were planning."""

    table: Snapshot
    players: Any


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """The agent holds one seat. ``step`` returns when that seat has to decide again, or the game is over.

    An illegal action raises ``IllegalAction`` and changes nothing. The reward of a step is the sum of what the seat
    earned by its own action and by everything the others did before its next decision.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        table: Table,
        seat: str,
        opponents: Opponent | Mapping[str, Opponent],
        opponent_seconds: float,
        opponent_clock: str,
        render_mode: str | None,
    ) -> None:
        if opponent_clock not in CLOCKS:
            raise SetupError(f"there is no clock {opponent_clock!r}; known: {', '.join(CLOCKS)}")
        check_render_mode(render_mode)
        seat = seat or table.seats[0].id
        others = [info.id for info in table.seats if info.id != seat]
        if len(others) == len(table.seats):
            raise SetupError(f"there is no seat {seat!r}; known: {', '.join(others)}")
        self.table = table
        self.seat = seat
        self.opponents = dict(opponents) if isinstance(opponents, Mapping) else dict.fromkeys(others, opponents)
        # a function is offered what the agent is, and counted as it is: else it could stall without end
        table.learners = frozenset(
            {seat, *(name for name, made in self.opponents.items() if not isinstance(made, str))}
        )
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
                self._show()
                return observation, self.table.info(self.seat)

    def _deal(self) -> None:
        draws = self.np_random
        self.table.deal(int(draws.integers(2**SEED_BITS)))
        self._players, self.table.onlookers = self._opponents(
            self.table.state, lambda: int(draws.integers(2**SEED_BITS))
        )

    def _opponents(self, state: Any, seed: Callable[[], int]) -> tuple[dict[str, Player], MemoryTracker | None]:
        """Players who begin with a position, and what they remember."""
        game, options = self.table.game, self.table.options
        players = {
            seat: any_player(name, game, options, seed())
            for seat, name in self.opponents.items()
            if isinstance(name, str)
        }
        if not any(isinstance(player, (Remembers, Listens)) for player in players.values()):
            return players, None
        onlookers = MemoryTracker(game, options, state, self.opponents)
        onlookers.introduce(players)
        return players, onlookers

    def _others(self) -> float:
        """Let the others decide until it is the seat's turn; gives what the seat earned meanwhile."""
        earned = 0.0
        table = self.table
        while table.asked is not None and table.asked != self.seat and not table.cut:
            earned += table.play(self._choice_of(table.asked))[self.seat]
        return earned

    def _choice_of(self, seat: str) -> int:
        """The number of the action that an opponent chooses."""
        opponent, table = self.opponents[seat], self.table
        if not isinstance(opponent, str):
            return opponent(table.observation(seat))
        decision = table.decision
        assert decision is not None
        view = table.game.view_of(table.state, seat)
        return table.index.number(self._players[seat].choose(view, decision, self._clock_of(seat)))

    def _clock_of(self, seat: str) -> Clock:
        """A clock for a decision of an opponent; a program of its own has no other than that on the wall."""
        name = self.opponents[seat]
        outside = isinstance(name, str) and name.startswith(EXTERNAL)
        return clock_of(WALL if outside and self._clock == WORK else self._clock, self._seconds)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One decision of the seat."""
        if self.table.over:
            raise gymnasium.error.ResetNeeded("the game is over: reset() first")
        reward = self.table.play(action)[self.seat] + self._others()
        self._show()
        return self.table.observation(self.seat), reward, self.table.over, self.table.cut, self.table.info(self.seat)

    def _show(self) -> None:
        """People see each position without asking."""
        if self.render_mode == HUMAN:
            self.render()

    def snapshot(self) -> SeatSnapshot:
        """The game as it stands now, with its dice and the plans of the opponents; ``SetupError`` where one
        of them is a program of its own, or compiled. Functions are taken to plan nothing."""
        self._check_copies()
        return SeatSnapshot(self.table.snapshot(), self._copied((self._players, self.table.onlookers)))

    def _check_copies(self) -> None:
        """``SetupError`` where an opponent cannot be copied."""
        if any(isinstance(name, str) and name.startswith(EXTERNAL) for name in self.opponents.values()):
            raise SetupError("an opponent that is a program of its own cannot be copied")
        if not all(hasattr(player, "__dict__") for player in self._players.values()):
            raise SetupError(
                "a compiled computer player cannot be copied: take a function or 'steady' as opponent, or install the "
                "package with RASPUTITSA_PURE=1"
            )

    def resample(self, seed: int) -> SeatSnapshot:
        """A game that the agent cannot tell from this one, for search under hidden information: to be taken up with
        ``restore``. What the agent may not know is drawn (``Game.resample``), dice fall otherwise, and opponents begin
        with that position. ``SetupError`` as for ``snapshot``."""
        self._check_copies()
        rng = random.Random(seed)
        table = self.table.resampled(self.seat, rng)
        return SeatSnapshot(table, self._opponents(table.state, lambda: rng.getrandbits(SEED_BITS)))

    def restore(self, snapshot: SeatSnapshot, seed: int | None = None) -> None:
        """Go back to a snapshot; with a seed the dice of the game fall differently from here on."""
        self.table.restore(snapshot.table, seed)
        self._players, self.table.onlookers = self._copied(snapshot.players)

    def _copied(self, players: Any) -> Any:
        """Players and what they remember, each as often as it occurs in the other; the game itself is no one's."""
        game = self.table.game
        return copy.deepcopy(players, {id(game): game})

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them."""
        return self.table.mask().astype(bool)

    def render(self) -> Any:
        """The board as the seat sees it, in the way that ``render_mode`` names."""
        return rendered(self.table, self.render_mode, self.seat)


def seat_env(
    game: str | Any | None = None,
    seat: str = "",
    opponents: Opponent | Mapping[str, Opponent] = "steady",
    *,
    opponent_seconds: float = 1.0,
    opponent_clock: str = WORK,
    render_mode: str | None = None,
    **kwargs: Any,
) -> SeatEnv:
    """A Gymnasium environment for one seat.

    Args:
        game: id of a game, or a game; by default the first of ``rasputitsa games``.
        seat: the agent's seat; by default the first of the game.
        opponents: a computer player for all other seats, or one for each: its name, or a function that gives the number
            of an action for an observation, such as a policy; by default one that plays at random, but neither
            proposes an early end, nor agrees to it, nor gambles.
        opponent_seconds: how long an opponent may think about one decision.
        opponent_clock: ``work`` counts what it thinks, so that the same seed gives the same game on any machine;
            ``cpu`` and ``wall`` count seconds.
        render_mode: ``ansi`` for the board as text, ``human`` for text on the terminal after each step,
            ``rgb_array`` for a picture (extra ``envs``, with Pillow).
        kwargs: ``scenario``, ``lesson`` or ``position``; ``options``; ``rewards``; ``max_decisions`` of the seat;
            ``without`` some verbs; ``take_backs``; ``copy=False`` for observations that are written over by the next.
    """
    return SeatEnv(Table(game, **kwargs), seat, opponents, opponent_seconds, opponent_clock, render_mode)
