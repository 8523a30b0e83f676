"""The open questions of this game: those of the core, about its own state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core import frames
from rasputitsa.core.frames import About, Play, pop, push, replace, settle
from rasputitsa.core.question import question

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State  # noqa: F401 (in quotes below)

__all__ = ["About", "Frame", "Play", "pop", "push", "question", "replace", "settle"]


@question
class Frame(frames.Frame["State"]):
    """One open question."""
