"""``play`` and ``serve``: how a server starts and stops, and what keeps it from starting."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store
from tests.support import PATIENCE
from tests.unit.cli.command import Command


@dataclass
class Running:
    process: subprocess.Popen[str]
    address: str

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out


def start(*args: object) -> Running:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = subprocess.Popen(
        [sys.executable, "-m", "rasputitsa.cli", *map(str, args)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+/", line)
    assert found, line + process.communicate()[0]
    return Running(process, found.group())


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--limit", "nothing=3", "there is no limit 'nothing'"),
        ("--limit", "requests=many", "the limit requests needs a number"),
        ("--limit", "requests=-1", "a number from 0 up"),
        ("--push-contact", "host@games.example", "needs --notices"),
        ("--push-contact", "host", "--push-contact: "),
        ("--log-format", "xml", "text or json, not .xml."),
        ("--metrics-token-file", "/dev/null", "device"),
        ("--behind-proxy", "proxy.example", "'proxy.example' does not appear to be an IPv4 or IPv6 network"),
    ],
)
def test_a_server_is_not_started_with_settings_that_make_no_sense(
    run: Command, tmp_path: Path, option: str, value: str, says: str
) -> None:
    run.fails("serve", "--port", 0, "--data", tmp_path, option, value, says=says)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_play_starts_stops_and_keeps_matches(tmp_path: Path) -> None:
    server = start("play", "--no-browser", "--port", 0, "--data", tmp_path)
    assert json.loads(server.get("api/matches")) == []
    assert "<html" in server.get("")
    second = subprocess.run(
        [sys.executable, "-m", "rasputitsa.cli", "play", "--no-browser", "--data", tmp_path],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert second.returncode == 0
    assert f"already running at {server.address}" in second.stdout
    code, out = server.stop()
    assert (code, out.splitlines()[-1]) == (0, "Stopped.")
    again = start("play", "--port", 0, "--data", tmp_path)
    assert again.process.stdout is not None
    assert "Matches are kept in" in again.process.stdout.readline()
    assert again.process.stdout.readline() == "Open this address in a browser.\n"
    again.stop(signal.SIGTERM)


def test_play_takes_another_port_when_its_own_is_taken(tmp_path: Path, taken: int) -> None:
    server = start("play", "--no-browser", "--port", taken, "--data", tmp_path)
    assert f":{taken}/" not in server.address
    assert server.get("api/games")
    server.stop()


def test_serve_keeps_to_its_port(run: Command, tmp_path: Path, taken: int) -> None:
    run.fails("serve", "--port", taken, "--data", tmp_path, says="is taken; choose another with --port")
    run.fails("serve", "--host", "203.0.113.1", "--data", tmp_path, says="cannot serve on 203.0.113.1")


def test_no_trouble_with_the_data_passes_for_one_with_the_port(run: Command, tmp_path: Path, taken: int) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "matches.db").write_text("")
    for data, says in (("file", "a file is in its way"), ("empty", "is empty (0 bytes)"), ("file/x", "a file is in")):
        for how in (("serve",), ("play", "--no-browser")):
            run.fails(*how, "--port", taken, "--data", tmp_path / data, says=re.escape(says))


def test_a_second_server_hears_of_the_first_and_not_of_its_port(run: Command, tmp_path: Path) -> None:
    first = start("serve", "--port", 0, "--data", tmp_path)
    port = first.address.rstrip("/").rpartition(":")[2]
    run.fails("serve", "--port", port, "--data", tmp_path, says=f"already running at {first.address}")
    first.stop()


def test_a_database_that_cannot_be_used_is_refused_in_a_line(run: Command, tmp_path: Path) -> None:
    config = ServerConfig(data=tmp_path)
    Store(config.database).close()
    content = bytearray(config.database.read_bytes())
    content[100:4096] = b"\xa5" * 3996
    config.database.write_bytes(content)
    run.fails("play", "--no-browser", "--port", 0, "--data", tmp_path, says="damaged")
    run.fails("export", "--data", tmp_path, says="damaged")
