"""What tests of secrecy share: two servers for twin matches, and a counter of the work that answers cost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.server.secrecy.twins import Work, counting, server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """The owner's client of a server, and a guest's."""
    with server(tmp_path_factory.mktemp("secrecy")) as clients:
        yield clients


@pytest.fixture
def work() -> Iterator[Work]:
    """Counts the work that is done during a test."""
    counter = Work()
    with counting(counter):
        yield counter
