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
    from rasputitsa.envs.indices import ActionIndex
    from rasputitsa.envs.layout import Layout, LayoutError
    from rasputitsa.envs.rewards import Rewards
    from rasputitsa.envs.seat import SeatEnv, seat_env

__all__ = [
    "ActionIndex",
    "Layout",
    "LayoutError",
    "MissingExtraError",
    "Rewards",
    "SeatEnv",
    "SeatsEnv",
    "aec_env",
    "seat_env",
]

_WHERE = {
    "ActionIndex": "indices", "Layout": "layout", "LayoutError": "layout", "Rewards": "rewards", "SeatEnv": "seat",
    "SeatsEnv": "aec", "aec_env": "aec", "seat_env": "seat",
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
