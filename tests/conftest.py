"""What holds for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# a test is right or wrong, not fast or slow: the machine may be busy with other things
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

os.environ.pop("COLUMNS", None)  # xdist gives its workers the width of the terminal, which tables would then keep to

BROWSER_TESTS = Path(__file__).parent / "e2e"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests last: Playwright keeps an event loop in this thread that lets no other begin."""
    items.sort(key=lambda item: BROWSER_TESTS in item.path.parents)
