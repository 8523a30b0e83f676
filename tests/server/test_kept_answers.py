"""What never changes is written and packed once, no matter who asks for it and how often."""

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


@pytest.mark.parametrize("path", ["/api/games", "/api/games/portfolio/scenarios", "/"])
@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        (["gzip"], True), (["br, GZIP;q=0.5"], True), (["x-gzip"], True), (["br", "gzip ; q=1.000"], True), ([], False),
        (["gzip;q=0"], False), (["gzip; Q=0.000, br"], False), (["br"], False), (["gzipped"], False),
        (["identity;q=0.5, gzip;q=0.0"], False), (["gzip;q=nan"], False), (["gzip;q=2"], False), (["gzip;x=1"], False),
        (["gzip;q="], False),
    ],
)  # fmt: skip
def test_only_who_takes_packed_answers_gets_them(
    client: TestClient, path: str, accepted: list[str], packed: bool
) -> None:
    sent = [("accept-encoding", value) for value in accepted] or [("accept-encoding", "")]
    answer = client.get(path, headers=sent)
    large = len(answer.content) >= 2000
    assert (answer.headers.get("content-encoding") == "gzip") == (packed and large)
    assert answer.headers.get("vary", "Accept-Encoding") == "Accept-Encoding"
