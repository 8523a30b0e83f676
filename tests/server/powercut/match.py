"""Several people who play at once on a server that is cut off, and remember what was confirmed to them."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.server.conftest import ROOT
from tests.support import PATIENCE

TURN = ("red hide 3", "blue guess 2", "blue roll", "red step red A2", "red done", "blue done",
        "red hide 5", "blue guess 5", "blue roll", "red step red A1", "red done", "blue done")  # fmt: skip


class LostError(AssertionError):
    """Something that was confirmed is not there."""


class NoStartError(AssertionError):
    """A server refuses what a power cut left."""


class CutServer:
    """Servers started one after the other, each on the disk the last one left."""

    def __init__(self, recorder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.powercut.serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "LD_PRELOAD": str(recorder)},
        )  # fmt: skip
        self.port = 0
        self.pid: int | None = None

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the parent of the servers died"
        return line

    def start(self, root: Path, log: Path, synchronous: str) -> None:
        """Start a server on a folder, its changes recorded."""
        assert self._process.stdin is not None and self.pid is None
        self._process.stdin.write(f"{root} {log} {synchronous}\n")
        self._process.stdin.flush()
        self.pid = int(self._answer())
        self.port = int(self._answer())
        if self.port < 1024:
            self.pid = None
            raise NoStartError(f"the server ended with {self.port} instead of starting")

    def kill(self) -> None:
        """End the server at once."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)
        self.reap()

    def reap(self) -> None:
        """Wait for the end of a server that was killed."""
        status = int(self._answer())
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, f"the server ended: {status}"
        self.pid = None

    def close(self) -> None:
        """End everything."""
        if self.pid is not None:
            self.kill()
        self._process.communicate()


@dataclass
class Player:
    """Plays both seats of one match after the other."""

    server: CutServer
    log: Path
    id: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    played: int = 0
    confirmed: list[tuple[int, str, int]] = field(default_factory=list)
    """How long the record was when an answer came, the match, and how many entries it had then."""
    answered: bool = False
    _connection: http.client.HTTPConnection | None = None

    def begin(self, log: Path) -> None:
        """Go on with what is there, on another record."""
        self.log, self.confirmed, self.answered, self._connection = log, [], False, None
        if self.id:
            self.confirmed.append((0, self.id, self.played))

    def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any] | None:
        """Status and answer, or None if the server is gone."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        text = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, text, {"content-type": "application/json"})
            response = self._connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException):
            self._connection = None
            return None

    def play(self, until: threading.Event) -> None:
        """Play until the server is gone."""
        while not until.is_set():
            if not (self.step() if self.id else self.create()):
                return

    def create(self) -> bool:
        """Start a match."""
        answer = self.request("POST", "/api/matches", {"game": "duel", "scenario": "long"})
        if answer is None:
            return False
        assert answer[0] == 201, answer
        self.id, self.keys, self.played = answer[1]["id"], answer[1]["keys"], 0
        self._confirm()
        return True

    def step(self) -> bool:
        """Play the next action."""
        seat, _, action = TURN[self.played % len(TURN)].partition(" ")
        body = {
            "seat": seat, "key": self.keys[seat], "version": self.played, "action": action,
            "request_id": f"n{self.played}",
        }  # fmt: skip
        answer = self.request("POST", f"/api/matches/{self.id}/actions", body)
        if answer is None:
            return False
        assert answer[0] == 200, answer
        self.played += 1
        assert answer[1]["view"]["version"] == self.played
        self._confirm()
        return True

    def _confirm(self) -> None:
        self.answered = True
        self.confirmed.append((self.log.stat().st_size, self.id, self.played))

    def confirmed_at(self, position: int) -> int | None:
        """How many entries of the match had been confirmed when the record was so long; None: not even the match."""
        return max((n for at, _, n in self.confirmed if at <= position), default=None)

    def look(self, position: int) -> None:
        """The match after the cut: all that was confirmed, and at most the one action under way besides."""
        expected = self.confirmed_at(position)
        if expected is None:
            self.id = ""  # nobody was told of it
            return
        answer = self.request("GET", f"/api/matches/{self.id}/log?seat=red&key={self.keys['red']}")
        assert answer is not None, "the server died over a match"
        if answer[0] == 404:
            raise LostError(f"match {self.id} with {expected} confirmed entries is gone")
        assert answer[0] == 200, answer
        found = [f"{item['seat']} {item['action']}" for item in answer[1]]
        if len(found) < min(expected, 2000):
            raise LostError(f"{expected - len(found)} of {expected} confirmed entries are gone")
        assert len(found) <= expected + 1 or len(found) == 2000
        assert found == list(itertools.islice(itertools.cycle(TURN), len(found)))
        self.played = len(found)


def play_at_once(players: list[Player], server: CutServer, dice: random.Random, seconds: float) -> None:
    """All play until the server is killed, some time after its first answer."""
    gone = threading.Event()
    threads = [threading.Thread(target=player.play, args=(gone,)) for player in players]
    for thread in threads:
        thread.start()
    while not any(player.answered for player in players) and any(thread.is_alive() for thread in threads):
        time.sleep(0.005)
    time.sleep(dice.random() * seconds)
    server.kill()
    gone.set()
    for thread in threads:
        thread.join()
