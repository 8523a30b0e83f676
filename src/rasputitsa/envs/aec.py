"""All seats as agents: a PettingZoo AEC environment with two agents, or four."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rasputitsa.envs.table import NO_OPTIONS, SEED_BITS, Table, check_render_mode


class SeatsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Agents are the seats of the game, named as the game names them.

    Only the agent that has to decide acts; one side decides many times in a row, and the other may be asked in
    between. An illegal action raises ``IllegalAction`` and changes nothing: there is no penalty to learn from and no
    silent pass. ``max_decisions`` truncates when an agent that has made this number is asked again.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "rasputitsa_v1", "render_modes": ["ansi"], "is_parallelizable": False,
    }  # fmt: skip

    def __init__(self, table: Table, render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.table = table
        self.render_mode = render_mode
        self.possible_agents = [seat.id for seat in table.seats]
        self.agents: list[str] = []
        space = table.observation_space()
        self.observation_spaces = {agent: spaces.Dict(dict(space.spaces)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(table.index.size) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object every time, as PettingZoo asks."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object every time, as PettingZoo asks."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A fresh game; with a seed, this game and all that follow repeat. Options have no effect, and warn."""
        if options:  # PettingZoo asks that they be taken
            warnings.warn(NO_OPTIONS, stacklevel=2)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.table.deal(int(self._rng.integers(2**SEED_BITS)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.table.info(agent) for agent in self.agents}
        self._turn_over()

    def _turn_over(self) -> None:
        """Ask whoever has to decide; at the end, everybody once."""
        decision = self.table.decision
        self.agent_selection = decision.seat if decision and not self.table.cut else self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know now."""
        return self.table.observation(agent)

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent that has to decide; None when it is finished."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide, and None is no action")
        rewards = self.table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: rewards[name] for name in self.agents}
        over, cut = self.table.over, self.table.cut
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.infos = {name: self.table.info(name) for name in self.agents}
        self._turn_over()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, with ``render_mode="ansi"``."""
        return self.table.picture() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""


def aec_env(game: str | Any | None = None, *, render_mode: str | None = None, **kwargs: Any) -> SeatsEnv:
    """A PettingZoo environment.

    Args:
        game: id of a game, or a game; by default the first of ``rasputitsa games``.
        render_mode: ``ansi`` for the board as text.
        kwargs: ``scenario``, ``lesson`` or ``position``; ``options`` (``{"players": "4"}`` for four agents);
            ``rewards``; ``max_decisions`` of each agent; ``without`` some verbs; ``take_backs``.
    """
    return SeatsEnv(Table(game, **kwargs), render_mode)
