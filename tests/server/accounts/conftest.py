"""A server that keeps accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from rasputitsa.server.accounts import passwords
from rasputitsa.server.config import ServerConfig
from tests.server.accounts.browsers import keeping
from tests.server.conftest import connect


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests of passwords that take no time; see ``test_digests_of_passwords_are_costly`` for the real ones."""
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))


@pytest.fixture
def house(config: ServerConfig) -> Iterator[TestClient]:
    with connect(keeping(config)) as client:
        yield client
