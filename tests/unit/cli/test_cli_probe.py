"""``probe``: a real move on a running server, and plain words where that fails."""

from __future__ import annotations

import json
import socket
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.request import urlopen

import pytest

from tests.server.served import Served, serving
from tests.support import PATIENCE
from tests.unit.cli.command import Command


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("probed"), "--log-format", "json") as server:
        yield server


def address(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}"


def figure(served: Served, name: str) -> float:
    with urlopen(f"{address(served)}/api/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    found = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(found[0]) if found else 0.0


def matches(served: Served) -> float:
    return figure(served, 'rasputitsa_matches{state="playing"}') + figure(served, 'rasputitsa_matches{state="over"}')


def test_a_move_is_played_and_nothing_stays(served: Served, run: Command) -> None:
    before, actions = matches(served), figure(served, "rasputitsa_actions_total")
    result = run("probe", address(served))
    assert result.code == 0, result
    assert "is well: a move was accepted in" in result.out
    assert figure(served, "rasputitsa_actions_total") == actions + 1
    assert matches(served) == before


def test_only_asked_whether_it_is_ready_it_begins_nothing(served: Served, run: Command) -> None:
    actions = figure(served, "rasputitsa_actions_total")
    assert run("probe", "--ready", address(served)).out.endswith("is ready\n")
    assert figure(served, "rasputitsa_actions_total") == actions


def test_one_match_is_played_on_as_long_as_it_goes(served: Served, run: Command, tmp_path: Path) -> None:
    keep, before = tmp_path / "probe.json", matches(served)
    for _ in range(3):
        assert run("probe", address(served), "--keep", keep).code == 0
    assert matches(served) == before + 1
    assert stat.S_IMODE(keep.stat().st_mode) == 0o600, "it opens all seats of the match"
    kept = json.loads(keep.read_text())
    keep.write_text(json.dumps({**kept, "match": "999999"}))
    assert run("probe", address(served), "--keep", keep).code == 0
    assert matches(served) == before + 2, "where it is gone another one is begun"


def test_a_file_of_somebody_else_is_left_alone(served: Served, run: Command, tmp_path: Path) -> None:
    for text in ("important", "[]", '{"match": "x", "keys": {}, "url": ""}', '{"match": 1, "keys": 3}'):
        keep = tmp_path / "notes.txt"
        keep.write_text(text)
        run.fails("probe", address(served), "--keep", keep, says="was not written by this command")
        assert keep.read_text() == text


@pytest.mark.parametrize("url", ["games.example", "ftp://games.example", "http://", "http://x:y", "http://x/?a=b"])
def test_what_is_no_address_is_said(run: Command, url: str) -> None:
    assert run("probe", url).code == 1
    run.fails("probe", url, says="games.example|Port could not be cast")


def test_a_server_that_is_not_there_is_said(run: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        run.fails("probe", f"http://127.0.0.1:{taken.getsockname()[1]}", says="does not answer")


class Sick(BaseHTTPRequestHandler):
    """A server that is not well."""

    answers: ClassVar[list[tuple[int, Any]]] = []

    def do_GET(self) -> None:
        status, body = self.answers[min(len(self.answers) - 1, self.server.asked)]  # type: ignore[attr-defined]
        self.server.asked += 1  # type: ignore[attr-defined]
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (
            503,
            {"error": {"code": "not_ready", "message": "the server is not ready: no"}},
            "503 the server is not ready",
        ),
        (200, b"<html>", "nothing that this program reads"),
        (502, b"bad gateway", "answers 502"),
        (429, [], "refuses GET /api/ready: 429"),
    ],
)
def test_what_a_sick_server_says_is_passed_on(run: Command, status: int, body: Any, says: str) -> None:
    Sick.answers = [(status, body)]
    server = HTTPServer(("127.0.0.1", 0), Sick)
    server.asked = 0  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        run.fails("probe", f"http://127.0.0.1:{server.server_port}", says=says)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
