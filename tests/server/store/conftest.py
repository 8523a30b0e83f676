"""Where the store of a test lies."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database that does not exist yet, in a folder that does not either."""
    return tmp_path / "data" / "matches.db"
