"""A server on a fresh data directory, with the game Duel installed beside the real ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.store import Store
from tests.server.player import Duelist

PLUGIN = Path(__file__).parents[1] / "duel" / "plugin"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def duel_installed() -> Iterator[None]:
    """The game is found like any other: by its entry point, here and in processes started from here."""
    paths = [str(PLUGIN), str(ROOT)]
    sys.path[:0] = paths
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*paths, *([before] if before else [])])
    yield
    for path in paths:
        sys.path.remove(path)
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture
def config(tmp_path: Path) -> ServerConfig:
    return ServerConfig(data=tmp_path / "data", local=True, client=tmp_path / "client", bot_workers=1)


def connect(config: ServerConfig, host: str = "127.0.0.1") -> TestClient:
    """A client of a server on this data directory; use it as a context manager."""
    app = create_app(config, Store(config.database))
    return TestClient(app, base_url="http://127.0.0.1:8000", client=(host, 50000), raise_server_exceptions=False)


def rooms_of(client: TestClient) -> Rooms:
    """The matches of the server behind a client."""
    assert isinstance(client.app, FastAPI)
    rooms = client.app.state.rooms
    assert isinstance(rooms, Rooms)
    return rooms


@pytest.fixture
def client(config: ServerConfig) -> Iterator[TestClient]:
    with connect(config) as client:
        yield client


@pytest.fixture
def duel(client: TestClient) -> Duelist:
    return Duelist.start(client)
