"""What the distribution of the engine alone holds of the whole."""

from __future__ import annotations

import tomllib
from pathlib import Path

NOT_THE_ENGINE = frozenset({"server", "cli", "mail"})
"""The rooms that need other packages."""
OF_THE_COMMAND = frozenset({"rasputitsa.commands"})
"""The groups of entry points that lead there."""


def entry_points(root: Path) -> dict[str, dict[str, str]]:
    """The games and their parts, as the pyproject.toml of a checkout names them."""
    whole = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    points: dict[str, dict[str, str]] = whole["project"]["entry-points"]
    return {group: named for group, named in points.items() if group not in OF_THE_COMMAND}


def contents(root: Path) -> dict[Path, str]:
    """The files and folders of a checkout that go into the wheel, and where they go."""
    package = root / "src" / "rasputitsa"
    rooms = [path for path in package.iterdir() if (path / "__init__.py").exists() and path.name not in NOT_THE_ENGINE]
    files = [package / "__init__.py", package / "py.typed"]
    packed = {path: f"rasputitsa/{path.name}" for path in sorted([*files, *rooms])}
    return {**packed, root / "docs" / "rules": "rasputitsa/rules"}
