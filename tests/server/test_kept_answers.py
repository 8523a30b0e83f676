"""What never changes is written and packed once, whoever asks for it and how often."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server import encoding

PATHS = [
    "/api/games", "/api/openapi.json", "/api/games/portfolio/rules", "/api/games/wir/glossary",
    "/api/games/portfolio/static?scenario=june22",
    "/api/games/wir/static?scenario=barbarossa",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_it_is_written_and_packed_once(client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    first = client.get(path, headers={"accept-encoding": "gzip"})
    assert (first.status_code, first.headers["content-encoding"]) == (200, "gzip")

    def again(*_: Any, **__: Any) -> bytes:
        raise AssertionError("the same work is done again")

    monkeypatch.setattr(encoding, "dumps", again)
    monkeypatch.setattr(gzip, "compress", again)
    monkeypatch.setattr(gzip.GzipFile, "write", again)
    monkeypatch.setattr(client.app, "openapi", again)
    monkeypatch.setattr("fastapi.routing.serialize_response", again)
    for accepted, packed in (("gzip", "gzip"), ("identity", None)):
        answer = client.get(path, headers={"accept-encoding": accepted})
        assert answer.headers.get("content-encoding") == packed and answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"] == "application/json" and answer.json() == first.json()
