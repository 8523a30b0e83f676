"""The open questions of this game: those of the core, about its own state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core import frames
from rasputitsa.core.frames import About, Play, pop, push, replace, settle

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

    Question = frames.Frame[State]
else:
    Question = frames.Frame

__all__ = ["About", "Frame", "Play", "pop", "push", "replace", "settle"]


class Frame(Question):
    """One open question."""

    __slots__ = ()
