"""What hatch runs when it builds the wheel: the compiled engine goes in next to its sources, where it can be made.

Set RASPUTITSA_PURE=1 for a wheel without it, which runs everywhere.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import compiled


class CompiledEngine(BuildHookInterface):  # type: ignore[misc]
    """Adds the extension modules to the wheel and names it after the platform they are for."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is put together; an editable install stays with the sources."""
        if version == "editable":
            return
        if os.environ.get("RASPUTITSA_PURE"):
            self.app.display_info("RASPUTITSA_PURE is set: the wheel holds the Python sources alone.")
            return
        root = Path(self.root)
        try:
            place = compiled.build(root / "src", root / "build" / "compiled")
        except compiled.CompileError as error:
            self.app.display_warning(f"The wheel holds the Python sources alone: {error}.")
            return
        for path in compiled.extensions(place):
            build_data["force_include"][str(path)] = path.relative_to(place).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def get_build_hook() -> type[CompiledEngine]:
    """What hatch looks for."""
    return CompiledEngine
