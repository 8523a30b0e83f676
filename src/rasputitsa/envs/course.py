"""The lessons of a game one after another: the next one joins when those before it are won often enough."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import default_game, get_game
from rasputitsa.envs.seat import SeatEnv, seat_env


class Curriculum(gymnasium.Env[dict[str, Any], int]):
    """One environment whose games are lessons. All have the same arrays and action numbers, so one policy plays them.

    ``info["lesson"]`` names the lesson that is played; ``wins`` holds how its last games went.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, envs: dict[str, SeatEnv], share: float, games: int, review: float
    ) -> None:  # fmt: skip
        if not envs:
            raise SetupError("a curriculum needs at least one lesson")
        if not 0 < share <= 1 or not 0 <= review < 1 or games < 1:
            raise SetupError("share goes from 0 to 1, review from 0 to below 1, and games are at least one")
        self.envs = envs
        self.lessons = tuple(envs)
        self.opened = 1
        """How many lessons are played so far, the last of them most."""
        self.wins = {lesson: deque[bool](maxlen=games) for lesson in envs}
        self.playing = self.lessons[0]
        self._share, self._games, self._review = share, games, review
        first = envs[self.playing]
        self.observation_space = first.observation_space
        self.action_space = first.action_space

    @property
    def env(self) -> SeatEnv:
        """The environment of the lesson that is played."""
        return self.envs[self.playing]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A game of the newest lesson, or now and then of one before it."""
        super().reset(seed=seed)
        chance = self.np_random
        older = self.opened > 1 and chance.random() < self._review
        self.playing = self.lessons[int(chance.integers(self.opened - 1)) if older else self.opened - 1]
        self.action_space = self.env.action_space
        observation, info = self.env.reset(seed=int(chance.integers(2**31)), options=options)
        return observation, info | {"lesson": self.playing}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One decision. The end of a game may open the next lesson; a game that was broken off counts as lost."""
        observation, reward, over, cut, info = self.env.step(action)
        if over or cut:
            self._note(over and info["winner"] == self.env.table.side[self.env.seat])
        return observation, reward, over, cut, info | {"lesson": self.playing}

    def _note(self, won: bool) -> None:
        self.wins[self.playing].append(won)
        newest = self.wins[self.lessons[self.opened - 1]]
        if len(newest) == self._games and sum(newest) >= self._share * self._games:
            self.opened = min(self.opened + 1, len(self.lessons))

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them."""
        return self.env.action_masks()


def curriculum(
    game: str | None = None,
    lessons: Sequence[str] = (),
    *,
    share: float = 0.8,
    games: int = 50,
    review: float = 0.2,
    **kwargs: Any,
) -> Curriculum:
    """The lessons of a game as one environment, in the learner's seat of each.

    Args:
        game: id of a game; by default the first of ``rasputitsa games``.
        lessons: which, in their order; by default all, from the first one up.
        share: of the last games of the newest lesson that has to be won before the next one joins.
        games: how many these are.
        review: how often a game is one of the lessons before the newest.
        kwargs: as for ``seat_env``; take-backs and what ends a game before its time are left out unless asked for.
    """
    rules = get_game(game or default_game())
    seats = {lesson.id: lesson.seat for lesson in rules.lessons()}
    unknown = [lesson for lesson in lessons if lesson not in seats]
    if unknown:
        raise SetupError(f"there is no lesson {unknown[0]!r}; known: {', '.join(seats)}")
    usual: dict[str, Any] = {"take_backs": False, "without": sorted(rules.early_ends), "max_decisions": 2000}
    chosen = dict.fromkeys(lessons or seats)
    envs = {lesson: seat_env(rules, seats[lesson], lesson=lesson, **usual | kwargs) for lesson in chosen}
    return Curriculum(envs, share, games, review)
