"""How the open questions of a game are written down."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import get_annotations
from typing import TypeVar, dataclass_transform

ClassT = TypeVar("ClassT")

OF_THE_CLASS = ("kind", "rule", "ask_single", "written_as")
"""What belongs to every question of a class, and is no field of one."""


@dataclass_transform()
def question(cls: type[ClassT]) -> type[ClassT]:
    """Make a frame of a class: its annotated attributes tell one question from another.

    A frame is to be treated as frozen; a dataclass that is would only be slower to make.
    """
    # Once compiled, a class annotates all that is assigned in it.
    cls.__annotations__ = {name: note for name, note in get_annotations(cls).items() if name not in OF_THE_CLASS}
    return dataclass(slots=True, unsafe_hash=True)(cls)
