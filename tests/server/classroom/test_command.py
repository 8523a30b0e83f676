"""``rasputitsa class``: a server for the room, and the address of the teacher's page."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from rasputitsa.cli import class_
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.gate.throttle import Throttle
from tests.server.classroom.schoolroom import Schoolroom
from tests.server.conftest import ROOT, connect
from tests.support import PATIENCE

PAGE = re.compile(r"Your page: http://127\.0\.0\.1:(\d+)/#/teach")


def test_the_command_serves_a_class_and_names_the_page(tmp_path: Path) -> None:
    command = ["class", "--no-browser", "--port", "0", "--data", str(tmp_path / "data"), "--address", "127.0.0.1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "rasputitsa.cli", *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=os.environ | {"COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        said = ""
        while (found := PAGE.search(said)) is None:
            line = process.stdout.readline()
            assert line, said
            said += line
        body = urllib.request.Request(f"http://127.0.0.1:{found[1]}/api/classes", b"{}", method="POST")
        body.add_header("content-type", "application/json")
        with urllib.request.urlopen(body, timeout=PATIENCE) as answer:
            assert answer.status == 201
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/api/matches", timeout=PATIENCE) as answer:
            assert answer.read() == b"[]", "nobody is the owner of this machine"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_addresses_of_this_machine_are_addresses() -> None:
    found = class_.own_addresses()
    assert found and all(ipaddress.ip_address(address) for address in found)


def test_a_machine_without_a_network_has_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_, "_towards", lambda address: "")
    monkeypatch.setattr("socket.gethostbyname_ex", lambda name: (name, [], ["127.0.1.1"]))
    assert class_.own_addresses() == ["127.0.0.1"]


def test_a_room_has_boards_for_each_pupil_of_two_classes(config: ServerConfig) -> None:
    with connect(replace(config, local=False, limits=replace(class_.LIMITS, requests=0)), host="10.0.0.1") as client:
        for _ in range(2):
            assert len(Schoolroom.open(client, boards=32).info()["boards"]) == 32


def test_a_class_behind_one_address_opens_page_and_boards_at_the_same_moment() -> None:
    throttle = Throttle(class_.LIMITS, local=False, clock=lambda: 0.0)
    pupils, files, asked = 40, 24, 28  # as a browser with nothing in its store does, until the board is there

    async def come() -> None:
        for path in ["/assets/page-3f.js"] * files + ["/api/matches/1/view"] * asked + ["/api/classes/join"]:
            scope = {"method": "GET", "path": path, "query_string": b"", "client": ("10.0.0.1", 1)}
            async with throttle.request(scope):
                pass

    async def all_come() -> None:
        for _ in range(pupils):
            await come()

    asyncio.run(all_come())


def test_classes_are_kept_apart_from_the_teachers_own_matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(class_, "default_data_dir", lambda: tmp_path / "rasputitsa")
    assert class_.class_dir() == tmp_path / "rasputitsa-class"
