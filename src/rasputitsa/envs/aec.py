"""All seats as agents: a PettingZoo AEC environment with two agents, or four."""

from __future__ import annotations

import random
import warnings
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rasputitsa.envs.rendering import HUMAN, RENDER_MODES, check_render_mode, rendered
from rasputitsa.envs.table import NO_OPTIONS, SEED_BITS, Snapshot, Table


class SeatsSnapshot(NamedTuple):
    """A game as it stood, with what the agents had been shown."""

    table: Snapshot
    told: dict[str, Any]


AEC_FIELDS = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")


class SeatsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Agents are the seats of the game, named as the game names them.

    Only the agent that has to decide acts; one side decides many times in a row, and the other may be asked in
    between. An illegal action raises ``IllegalAction`` and changes nothing: there is no penalty to learn from and no
    silent pass. ``max_decisions`` truncates when an agent that has made this number is asked again.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "rasputitsa_v1", "render_modes": list(RENDER_MODES), "is_parallelizable": False,
        "render_fps": 4,
    }  # fmt: skip

    def __init__(self, table: Table, render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode)
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
        """Ask the agent that has to decide; at the end, everybody once."""
        asked = self.table.asked
        self.agent_selection = asked if asked is not None and not self.table.cut else self.agents[0]

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
        if self.render_mode == HUMAN:
            self.render()

    def snapshot(self) -> SeatsSnapshot:
        """The game as it stands now, with its dice."""
        return SeatsSnapshot(self.table.snapshot(), {name: getattr(self, name).copy() for name in AEC_FIELDS})

    def resample(self, agent: str, seed: int) -> SeatsSnapshot:
        """A game that an agent cannot tell from this one, for search under hidden information: to be taken up with
        ``restore``. What the agent may not know is drawn (``Game.resample``), and dice fall differently."""
        table = self.table.resampled(agent, random.Random(seed))
        return SeatsSnapshot(table, {name: getattr(self, name).copy() for name in AEC_FIELDS})

    def restore(self, snapshot: SeatsSnapshot, seed: int | None = None) -> None:
        """Go back to a snapshot; with a seed the dice of the game fall differently from here on."""
        self.table.restore(snapshot.table, seed)
        for name, value in snapshot.told.items():
            setattr(self, name, value.copy())
        self._turn_over()

    def render(self) -> Any:
        """The board as an onlooker sees it, in the way that ``render_mode`` names."""
        return rendered(self.table, self.render_mode, None)

    def close(self) -> None:
        """Nothing is held open."""


def aec_env(game: str | Any | None = None, *, render_mode: str | None = None, **kwargs: Any) -> SeatsEnv:
    """A PettingZoo environment.

    Args:
        game: id of a game, or a game; by default the first of ``rasputitsa games``.
        render_mode: ``ansi`` for the board as text, ``human`` for text on the terminal after each step,
            ``rgb_array`` for a picture (extra ``envs``, with Pillow).
        kwargs: ``scenario``, ``lesson`` or ``position``; ``options`` (``{"players": "4"}`` for four agents);
            ``rewards``; ``max_decisions`` of each agent; ``without`` some verbs; ``take_backs``; ``copy=False`` for
            observations of an agent that are written over by its next.
    """
    return SeatsEnv(Table(game, **kwargs), render_mode)
