"""The open questions of this game: those of the core, about its own state."""

from __future__ import annotations

from rasputitsa.core import frames
from rasputitsa.core.frames import About, Context, pop, push, replace, settle
from rasputitsa.core.question import question
from rasputitsa.wir.model.state import State

__all__ = ["About", "Context", "Frame", "pop", "push", "question", "replace", "settle"]


@question
class Frame(frames.Frame[State]):
    """One open question."""
