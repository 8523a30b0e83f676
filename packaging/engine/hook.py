"""What hatch runs when it builds the engine alone: its games, their parts and its rooms are those of the whole.

So a further game, named in pyproject.toml, is in both distributions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import engine_parts

ROOT = Path(engine_parts.__file__).resolve().parent.parent


class EngineParts(MetadataHookInterface):  # type: ignore[misc]  # Hatchling has no types
    """Gives the engine the entry points of the whole."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Before the metadata are read."""
        metadata["entry-points"] = engine_parts.entry_points(ROOT)


class EngineRooms(BuildHookInterface):  # type: ignore[misc]  # Hatchling has no types
    """Puts the rooms of the engine into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is put together."""
        for source, target in engine_parts.contents(ROOT).items():
            build_data["force_include"][str(source)] = target
