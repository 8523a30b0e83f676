"""Many games at once, spread over processes, with all observations in one piece of memory."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from typing import Any, Final, NamedTuple

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rasputitsa.core.errors import IllegalAction, RasputitsaError, SetupError
from rasputitsa.envs.observation_arrays import MASK
from rasputitsa.envs.seat import SeatEnv, seat_env
from rasputitsa.envs.table import NO_OPTIONS

STARTED_BY: Final = "spawn"
"""Children begin as fresh interpreters: a fork would copy the threads of a learner in the middle of something."""
PATIENCE = 5.0
"""Seconds that a child may take to end before it is killed."""

Seeds = Mapping[int, int | None]
EnvInfos = list[tuple[int, dict[str, Any]]]
"""What is to be reported of some environments, by their numbers."""


class ProcessError(RasputitsaError):
    """A process with environments in it has failed; the others are of no use without it."""


class Piece(NamedTuple):
    """An array in shared memory, as it goes to another process."""

    memory: Any
    dtype: str
    shape: tuple[int, ...]

    def array(self) -> NDArray[Any]:
        """The array itself."""
        return np.frombuffer(self.memory, self.dtype)[: int(np.prod(self.shape))].reshape(self.shape)


class Batch:
    """The arrays of all environments: what they observe, are to do, and earn."""

    def __init__(self, pieces: Mapping[str, Piece], observed: Sequence[str]) -> None:
        arrays = {name: piece.array() for name, piece in pieces.items()}
        self.observed = {name: arrays[name] for name in observed}
        self.actions, self.rewards = arrays["actions"], arrays["rewards"]
        self.terminated, self.truncated = arrays["terminated"], arrays["truncated"]


def _pieces(context: Any, count: int, observed: gymnasium.spaces.Dict) -> dict[str, Piece]:
    layout: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {
        "actions": (np.dtype(np.int64), (count,)), "rewards": (np.dtype(np.float64), (count,)),
        "terminated": (np.dtype(np.bool_), (count,)), "truncated": (np.dtype(np.bool_), (count,)),
    }  # fmt: skip
    for name, space in observed.items():
        layout[name] = np.dtype(space.dtype), (count, *(space.shape or ()))
    return {
        name: Piece(context.RawArray("d", -(-int(np.prod(shape)) * dtype.itemsize // 8)), dtype.str, shape)
        for name, (dtype, shape) in layout.items()
    }


class Group:
    """The environments of one process."""

    def __init__(self, batch: Batch, envs: Mapping[int, SeatEnv]) -> None:
        self._batch, self.envs = batch, envs
        for number, env in envs.items():
            env.table.write_to(env.seat, {name: array[number] for name, array in batch.observed.items()})

    def reset(self, seeds: Seeds) -> EnvInfos:
        """Begin games; the others go on as they stand."""
        batch = self._batch
        told: EnvInfos = []
        for number, env in self.envs.items():
            if number in seeds:
                told.append((number, env.reset(seed=seeds[number])[1]))
                batch.rewards[number] = 0
                batch.terminated[number] = batch.truncated[number] = False
        return told

    def step(self, given: None) -> EnvInfos:
        """Carry out the actions. Where a game has ended, the next one begins instead."""
        batch = self._batch
        told: EnvInfos = []
        for number, env in self.envs.items():
            if batch.terminated[number] or batch.truncated[number]:
                told += self.reset({number: None})
                continue
            _, reward, over, cut, info = env.step(int(batch.actions[number]))
            batch.rewards[number], batch.terminated[number], batch.truncated[number] = reward, over, cut
            if over or cut:
                told.append((number, info))
        return told


def _serve(
    line: Connection, pieces: Mapping[str, Piece], observed: list[str], numbers: list[int], arguments: dict[str, Any]
) -> None:  # fmt: skip
    """What a child does: carry out one order after another."""
    try:
        group = Group(Batch(pieces, observed), {number: seat_env(**arguments) for number in numbers})
        orders: dict[str, Callable[[Any], EnvInfos]] = {"reset": group.reset, "step": group.step}
        while (order := line.recv()) is not None:
            name, given = order
            line.send((orders[name](given), ""))
    except (EOFError, KeyboardInterrupt):  # whom it worked for is gone
        return
    except Exception:  # raised again by the parent, with these words
        line.send(([], traceback.format_exc()))


class VectorSeatEnv(VectorEnv[dict[str, Any], NDArray[np.int64], NDArray[Any]]):
    """Many games of one kind, the agent in the same seat of each.

    Observations are arrays with one row for each environment. They are the memory that the environments write to:
    what is to be kept beyond the next step has to be copied. A step after the end of a game begins the next one,
    whatever the action; its reward is 0. An illegal action raises ``IllegalAction``, and no environment has moved.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, num_envs: int, processes: int, arguments: dict[str, Any]) -> None:
        if num_envs < 1 or processes < 1:
            raise SetupError("a vector needs at least one environment and one process")
        self.num_envs = num_envs
        first = seat_env(**arguments)
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(gymnasium.spaces.Discrete(first.table.index.size), num_envs)
        self.index = first.table.index
        self.layout = first.table.layout
        context: SpawnContext = multiprocessing.get_context(STARTED_BY)
        pieces = _pieces(context, num_envs, first.table.observation_space())
        observed = list(first.table.observation_space())
        self._batch = Batch(pieces, observed)
        shares = [list(range(num_envs))[part::processes] for part in range(min(processes, num_envs))]
        self._group = Group(self._batch, {n: seat_env(**arguments) if n else first for n in shares[0]})
        self._lines: list[Connection] = []
        self._children: list[Any] = []
        self._begun = False
        for share in shares[1:]:
            here, there = context.Pipe()
            child = context.Process(target=_serve, args=(there, pieces, observed, share, arguments), daemon=True)
            try:
                child.start()
            except (pickle.PicklingError, AttributeError, TypeError) as problem:
                self.close()
                raise SetupError(f"an argument cannot go to another process: {problem}") from problem
            there.close()
            self._lines.append(here)
            self._children.append(child)

    def _all(self, order: str, given: Any) -> EnvInfos:
        """Let all processes carry out an order, this one among them."""
        try:
            return self._carried_out(order, given)
        except BaseException as problem:  # they no longer stand at the same step
            self._begun = False
            self.close()
            if isinstance(problem, EOFError | OSError):
                raise ProcessError("a process with environments has ended") from problem
            raise

    def _carried_out(self, order: str, given: Any) -> EnvInfos:
        for line in self._lines:
            line.send((order, given))
        told: EnvInfos = getattr(self._group, order)(given)
        for line in self._lines:
            found, problem = line.recv()
            if problem:
                raise ProcessError(f"a process with environments has failed:\n{problem}")
            told += found
        return told

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game in each environment. The seed of each is one more than that of the one before, or given."""
        if options:
            raise SetupError(NO_OPTIONS)
        if isinstance(seed, int):
            seed = range(seed, seed + self.num_envs)
        seeds = [None] * self.num_envs if seed is None else list(seed)
        if len(seeds) != self.num_envs:
            raise SetupError(f"{self.num_envs} environments need as many seeds, not {len(seeds)}")
        told = self._all("reset", dict(enumerate(seeds)))
        self._begun = True
        return dict(self._batch.observed), self._infos(told)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One decision in each environment. Of games that begin or end here ``infos`` tells more."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("reset() first")
        batch = self._batch
        batch.actions[:] = self._checked(np.asarray(actions))
        told = self._all("step", None)
        return (
            dict(batch.observed), batch.rewards.copy(), batch.terminated.copy(), batch.truncated.copy(),
            self._infos(told),
        )  # fmt: skip

    def _checked(self, actions: NDArray[Any]) -> NDArray[Any]:
        """The actions, if there is one for each environment and all are legal."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise SetupError(f"step takes {self.num_envs} whole numbers")
        mask, over = self._batch.observed[MASK], self._batch.terminated | self._batch.truncated
        for action in actions[(actions < 0) | (actions >= self.index.size)]:
            self.index.action(int(action))  # refuses what is no number of an action
        for number in np.flatnonzero((mask[np.arange(self.num_envs), actions] == 0) & ~over):
            name, action = self.index.name(int(actions[number])), actions[number]
            raise IllegalAction(f"{name!r} (action {action}) is not legal in environment {number}")
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of each environment, in a row of its own."""
        masks: NDArray[np.bool_] = self._batch.observed[MASK].view(np.bool_)
        return masks

    def _infos(self, told: EnvInfos) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for number, info in sorted(told, key=lambda item: item[0]):
            infos = self._add_info(infos, info, number)
        return infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the other processes."""
        for line in self._lines:
            with suppress(OSError):
                line.send(None)
            line.close()
        for child in self._children:
            child.join(PATIENCE)
            if child.is_alive():
                child.kill()
                child.join()
        self._lines, self._children = [], []


def vector_env(game: str | Any | None = None, num_envs: int = 8, processes: int = 1, **kwargs: Any) -> VectorSeatEnv:
    """Many environments for one seat, stepped together.

    Args:
        game: id of a game, or a game; by default the first of ``rasputitsa games``.
        num_envs: how many there are.
        processes: over how many processes they are spread, this one among them. With more than one, a program has to
            begin under ``if __name__ == "__main__":``, and opponents that are functions have to be importable.
        kwargs: as for ``seat_env``, except ``copy`` and ``render_mode``.
    """
    return VectorSeatEnv(num_envs, processes, {"game": game, **kwargs, "copy": False})
