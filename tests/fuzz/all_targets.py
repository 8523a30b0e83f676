"""The targets by their names."""

from __future__ import annotations

from tests.fuzz.http import Requests
from tests.fuzz.learning import Learning
from tests.fuzz.letters import Letters
from tests.fuzz.people import People
from tests.fuzz.results import Results
from tests.fuzz.targets import Frozen, Notation, Positions, Saves, Target

TARGETS: dict[str, type[Target]] = {
    kind.name: kind for kind in (Positions, Frozen, Saves, Notation, Requests, People, Letters, Results, Learning)
}


def make(name: str) -> Target:
    """A target, ready to run."""
    return TARGETS[name]()
