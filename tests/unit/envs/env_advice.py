"""The advice of PettingZoo that the environments do not follow, and why."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from rasputitsa.envs.table import NO_OPTIONS

# PettingZoo would rather have other names and spaces; a seat that waits has no legal action; its test gives options.
ADVICE = {
    NO_OPTIONS,
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    'We recommend agents to be named in the format <descriptor>_<number>, like "player_0"',
    "Action mask numpy array is all zeros (no legal actions).",
}


@contextmanager
def known_advice_only() -> Iterator[None]:
    """No other warning comes up, but for what the garbage collector says of files that an earlier test left open."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        yield
    unknown = {str(warning.message) for warning in seen} - ADVICE
    assert not unknown, unknown
