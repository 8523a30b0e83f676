"""The targets by their names."""

from __future__ import annotations

from tests.fuzz.http import Requests
from tests.fuzz.targets import Frozen, Notation, Positions, Saves, Target

TARGETS: dict[str, type[Target]] = {kind.name: kind for kind in (Positions, Frozen, Saves, Notation, Requests)}


def make(name: str) -> Target:
    """A target, ready to run."""
    return TARGETS[name]()
