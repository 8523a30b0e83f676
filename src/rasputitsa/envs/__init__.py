"""Learning environments: PettingZoo for all seats, Gymnasium for one. Needs the extra ``envs``.

from rasputitsa.envs import aec_env, seat_env
env = aec_env("portfolio", lesson="first_attack")
env.reset(seed=1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rasputitsa.core.errors import RasputitsaError

if TYPE_CHECKING:
    from rasputitsa.envs.aec import SeatsEnv, aec_env
    from rasputitsa.envs.course import Curriculum, curriculum
    from rasputitsa.envs.heads import Heads
    from rasputitsa.envs.indices import ActionIndex, ActionIndexError
    from rasputitsa.envs.layout import Layout, LayoutError
    from rasputitsa.envs.openspiel import SpielGame, SpielState
    from rasputitsa.envs.rewards import Rewards
    from rasputitsa.envs.seat import SeatEnv, seat_env
    from rasputitsa.envs.vector import ProcessError, VectorSeatEnv, vector_env

__all__ = [
    "ActionIndex",
    "ActionIndexError",
    "Curriculum",
    "Heads",
    "Layout",
    "LayoutError",
    "MissingExtraError",
    "ProcessError",
    "Rewards",
    "SeatEnv",
    "SeatsEnv",
    "SpielGame",
    "SpielState",
    "VectorSeatEnv",
    "aec_env",
    "curriculum",
    "seat_env",
    "vector_env",
]

_WHERE = {
    "ActionIndex": "indices", "ActionIndexError": "indices", "Curriculum": "course",
    "curriculum": "course", "Heads": "heads", "Layout": "layout", "LayoutError": "layout",
    "ProcessError": "vector", "Rewards": "rewards", "SeatEnv": "seat", "SeatsEnv": "aec",
    "SpielGame": "openspiel", "SpielState": "openspiel", "VectorSeatEnv": "vector",
    "aec_env": "aec", "seat_env": "seat", "vector_env": "vector",
}  # fmt: skip


class MissingExtraError(RasputitsaError, ImportError):
    """A package of the extra is not installed."""


def __getattr__(name: str) -> Any:
    """Import on demand, so that a missing package is named in plain words."""
    from importlib import import_module

    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rasputitsa"):
            raise
        raise MissingExtraError(
            f"{problem.name} is not installed; the environments need the extra: pip install 'rasputitsa[envs]'"
        ) from problem
