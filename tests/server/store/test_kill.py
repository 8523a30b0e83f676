"""The server is killed hundreds of times; no acknowledged action is lost, none happens twice.

``RASPUTITSA_RANDOM_KILLS=1000`` for a long run of kills at random moments, ``RASPUTITSA_KILLS=200`` for one of kills at
each write.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import ROOT
from tests.server.crash_server import PATIENCE
from tests.server.player import brought

KILLS_AT_EACH_STEP = int(os.environ.get("RASPUTITSA_KILLS", "16"))
RANDOM_KILLS = int(os.environ.get("RASPUTITSA_RANDOM_KILLS", "100"))
APPEND = ("request written", "version raised", "journal written", "match written", "commit", "committed")
STEPS = [step if step == "commit" else f"append: {step}" for step in APPEND]
TURN = ("red hide 3", "blue guess 2", "blue roll", "red step red A2", "red done", "blue done",
        "red hide 5", "blue guess 5", "blue roll", "red step red A1", "red done", "blue done")  # fmt: skip


class Crashing:
    """The server that dies, and a client that does not give up."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.crash_server", str(data)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        self._port = int(self._answer())
        self._connection: http.client.HTTPConnection | None = None
        self.pid: int | None = None
        self.kills = 0

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the parent of the servers died"
        return line

    def start(self, step: str = "-", number: int = 0) -> int:
        """Start a server that will die at a step."""
        assert self._process.stdin is not None and self.pid is None
        self._process.stdin.write(f"{step} {number}\n")
        self._process.stdin.flush()
        self.pid = int(self._answer())
        return self.pid

    def reap(self) -> None:
        """Wait for a killed server's end."""
        status = int(self._answer())
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
        self.kills += 1
        self.pid = self._connection = None

    def kill(self) -> None:
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)
        self.reap()

    def close(self) -> None:
        if self.pid is not None:
            self.kill()
        self._process.communicate()

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any] | None:
        """Status and answer, or None if the server died over it."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        text = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, text, {"content-type": "application/json", **headers})
            response = self._connection.getresponse()
            return response.status, json.loads(response.read())
        except (ConnectionError, http.client.HTTPException):
            self.reap()
            return None


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


class Journey:
    """A long match, played by a client that repeats what was not acknowledged, and counts."""

    def __init__(self, server: Crashing) -> None:
        self.server = server
        server.start()
        answer = server.request("POST", "/api/matches", {"game": "duel", "scenario": "long"})
        assert answer is not None and answer[0] == 201
        self.id, self.keys = answer[1]["id"], answer[1]["keys"]
        self.acknowledged = 0
        server.kill()

    def step(self) -> bool:
        """Send the next action; whether it was acknowledged."""
        seat, _, action = TURN[self.acknowledged % len(TURN)].partition(" ")
        number = self.acknowledged
        body = {
            "seat": seat, "key": self.keys[seat], "version": number, "action": action, "request_id": f"n{number}",
        }  # fmt: skip
        answer = self.server.request("POST", f"/api/matches/{self.id}/actions", body)
        if answer is None:
            return False
        assert answer[0] == 200, answer
        self.acknowledged += 1
        assert answer[1]["view"]["version"] == self.acknowledged
        return True

    def check(self) -> None:
        """What is stored is what was acknowledged, and at most the one action under way besides."""
        path = f"/api/matches/{self.id}/view?seat=red&key={self.keys['red']}"
        answer = self.server.request("GET", path)
        assert answer is not None
        assert self.acknowledged <= answer[1]["version"] <= self.acknowledged + 1

    def check_all(self) -> None:
        """Every action is in the log once, in order, and the database is sound."""
        self.server.start()
        answer = self.server.request("GET", f"/api/matches/{self.id}/log?seat=red&key={self.keys['red']}")
        assert answer is not None
        expected = list(itertools.islice(itertools.cycle(TURN), self.acknowledged))
        found = [f"{item['seat']} {item['action']}" for item in answer[1]]
        assert found[: self.acknowledged][:2000] == expected[:2000]
        assert len(found) in (self.acknowledged, self.acknowledged + 1) or len(found) == 2000
        self.server.kill()
        check_database(self.server.data)
        print(f"{self.server.kills} kills, {self.acknowledged} acknowledged actions, none lost or repeated")


def check_sound(data: Path) -> None:
    with sqlite3.connect(data / "matches.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def check_database(data: Path) -> None:
    check_sound(data)
    with sqlite3.connect(data / "matches.db") as database:
        rows = database.execute(
            "SELECT m.entries, (SELECT count(*) FROM journal j WHERE j.match_id = m.id),"
            " (SELECT count(*) FROM seats s WHERE s.match_id = m.id),"
            " (SELECT count(*) FROM requests r WHERE r.match_id = m.id) FROM matches m"
        ).fetchall()
    for entries, journal, seats, requests in rows:
        assert (journal, seats, requests) == (entries, 2, entries)


def test_killed_at_every_write_the_server_loses_and_repeats_nothing(server: Crashing) -> None:
    journey = Journey(server)
    dice = random.Random(11)
    for step in STEPS * KILLS_AT_EACH_STEP:
        server.start(step, dice.randrange(1, 6))
        while journey.step():
            pass
    assert server.kills == 1 + len(STEPS) * KILLS_AT_EACH_STEP
    journey.check_all()


def test_killed_at_any_time_the_server_loses_and_repeats_nothing(server: Crashing) -> None:
    journey = Journey(server)
    dice = random.Random(12)
    for _ in range(RANDOM_KILLS * 4 // 5):
        pid = server.start()
        begun = time.monotonic()
        journey.check()
        moment = dice.random() * max(0.02, 0.5 * (time.monotonic() - begun))  # also on a slow machine
        timer = threading.Timer(moment, os.kill, (pid, signal.SIGKILL))
        timer.start()
        while journey.step():
            pass
        timer.join()
    journey.check_all()


class Errands:
    """Matches are begun, a guest comes, one acts, a saved game is imported, and they are deleted, again and again."""

    def __init__(self, server: Crashing) -> None:
        self.server, self.dice = server, random.Random(13)
        self.done = 0
        self._timer: threading.Timer | None = None

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Ask until there is an answer; the server dies at some moment of it, over and over."""
        while True:
            if self.server.pid is None:
                pid = self.server.start()
                assert self.server.request("GET", "/api/import") is not None, "it is there before it dies"
                self._timer = threading.Timer(0.15 * self.dice.random(), os.kill, (pid, signal.SIGKILL))
                self._timer.start()
            answer = self.server.request(method, path, body, **headers)
            if answer is not None:
                self.done += 1
                return answer
            if self._timer is not None:
                self._timer.join()

    def mission(self, number: int) -> None:
        """One of each; whatever was cut short is sent again with the same id."""
        new = {"game": "duel", "scenario": "short", "guests": ["blue"], "share": "a1" * 16}
        status, made = self.ask("POST", "/api/matches", new, **{"idempotency-key": f"create-{number:020}"})
        assert status == 201, made
        match, token = f"/api/matches/{made['id']}", made["invitations"]["blue"]
        _, told = self.ask("POST", "/api/invitations/look", {"token": token})
        claim = {"token": token, "request_id": f"claim-{number:020}", "share": "b2" * 16}
        status, come = self.ask("POST", "/api/invitations/claim", claim)
        assert status == 200, come
        hide = {"seat": "red", "key": made["keys"]["red"], "action": "hide 3", "request_id": "one"}
        _, view = self.ask("GET", f"{match}/view?seat=red&key={hide['key']}")
        status, answer = self.ask("POST", f"{match}/actions", {**hide, "version": view["version"]})
        assert status == 200, answer
        _, view = self.ask("GET", f"{match}/view?seat=blue&key={come['key']}")
        assert view["ply"] == 1 and view["dice"]["digest"] == told["dice"], "one order, and the promised seed"
        assert brought("blue", "b2" * 16) in view["dice"]["sources"][0]["shares"]
        _, listed = self.ask("GET", "/api/matches")
        assert [f"/api/matches/{row['id']}" for row in listed] == [match], "never a second one, nor a part of one"
        status, answer = self.ask("DELETE", match)
        assert status in (200, 404), "done, or done by the request whose answer was lost"

    def close(self) -> None:
        if self._timer is not None:
            self._timer.join()
        if self.server.pid is not None:
            self.server.reap()


def test_killed_at_any_time_what_is_asked_is_done_once_or_not_at_all(server: Crashing) -> None:
    missions = Errands(server)
    with contextlib.closing(missions):
        for number in itertools.count():
            missions.mission(number)
            if server.kills >= RANDOM_KILLS // 5:
                break
    check_sound(server.data)
    print(f"{server.kills} kills, {missions.done} answers")


def test_killed_while_matches_come_and_go_none_is_left_in_part(server: Crashing) -> None:
    new = {"game": "duel", "scenario": "short"}
    for step in ("match written", "seats written", "journal written", "request written", "committed"):
        server.start(f"create: {step}", 1)
        assert server.request("POST", "/api/matches", new) is None
        server.start()
        answer = server.request("GET", "/api/matches")
        assert answer is not None and len(answer[1]) == (1 if step == "committed" else 0)
        server.kill()
    for step in ("match removed", "committed"):
        server.start(f"delete: {step}", 1)
        answer = server.request("GET", "/api/matches")
        assert answer is not None
        assert server.request("DELETE", f"/api/matches/{answer[1][0]['id']}") is None
        server.start()
        answer = server.request("GET", "/api/matches")
        assert answer is not None and len(answer[1]) == (0 if step == "committed" else 1)
        server.kill()
    check_database(server.data)
