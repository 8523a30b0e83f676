"""Bytes on the wire, somewhere between a request and nonsense: whatever is answered is answered in the usual form."""

from __future__ import annotations

import os
import random
import secrets
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.server.served import Served, serving
from tests.support import PATIENCE

ROUNDS = int(os.environ.get("RASPUTITSA_RAW_REQUESTS", "400"))
NO_LIMITS = [part for name in ("requests", "matches", "matches_week") for part in ("--limit", f"{name}=0")]
SOON = ("--limit", "header_seconds=2", "--limit", "body_seconds=2")

METHODS = [b"GET"] * 4 + [b"POST"] * 3 + [b"HEAD", b"PUT", b"OPTIONS", b"get"]
PATHS = [
    b"/", b"/index.html", b"/icon.svg", b"/api/games", b"/api/matches", b"/api/matches/1/view", b"/api/matches/1/live",
    b"/api/matches/1/actions", b"/api/matches/1/export", b"/api/matches/1/copy", b"/api/import", b"/api/lobby",
    b"/api/matches/1/query", b"/api/invitations/claim", b"/api/matches/1/undo", b"/api/matches/1/seats", b"*",
    b"http://x/", b"/%2e%2e/", b"/api/matches/99999999999999999999/view", b"/api/matches/0/view",
]  # fmt: skip
QUERY = [b"seat", b"key", b"at", b"from", b"kind", b"hex", b"", b"have", b"game"]
NAMES = [
    b"host", b"origin", b"connection", b"upgrade", b"expect", b"content-type", b"content-length", b"transfer-encoding",
    b"sec-websocket-key", b"sec-websocket-version", b"sec-websocket-protocol", b"sec-websocket-extensions",
    b"x-seat-key", b"idempotency-key", b"accept-encoding", b"range", b"if-none-match", b"if-modified-since",
    b"x-forwarded-for", b"sec-fetch-site", b"cookie", b"te", b"trailer",
]  # fmt: skip
VALUES = [
    b"127.0.0.1", b"[::1]:80", b"[", b"x", b"", b"null", b"http://127.0.0.1", b"chunked", b"close", b"upgrade",
    b"websocket", b"keep-alive, upgrade", b"100-continue", b"application/json", b"gzip", b"0", b"2", b"-1",
    b"99999999999", b"a" * 3000, b"\xff\xfe", b"%00", b"13", b"dGhlIHNhbXBsZSBub25jZQ==", b"rasputitsa, key.x", b"\t",
    b"permessage-deflate; server_max_window_bits=99", b"bytes=0-", b"bytes=-1,5-2", b'W/"x"', b"*;q=0",
    b"Wed, 21 Oct 2015 07:28:00 GMT",
]  # fmt: skip
BODIES = [
    b"", b"{}", b"[", b"\xff", b'{"game": "duel", "scenario": "long"}', b"2\r\n{}\r\n0\r\n\r\n", b'{"keys": {"1": {}}}',
    b'{"seat": "red", "key": "x", "version": 0, "action": "hide 3", "request_id": "a"}',
]  # fmt: skip
HANDSHAKE = [
    (b"connection", b"upgrade"), (b"upgrade", b"websocket"), (b"sec-websocket-key", b"dGhlIHNhbXBsZSBub25jZQ=="),
    (b"sec-websocket-version", b"13"),
]  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("raw") / "data", *NO_LIMITS, *SOON) as served:
        yield served


def nearly_a_request(dice: random.Random) -> bytes:
    """Something a careless or hostile program might send."""
    path, body = dice.choice(PATHS), dice.choice(BODIES)
    method = dice.choice(METHODS)
    if dice.random() < 0.4:
        values = [value.replace(b" ", b"+") for value in VALUES if value.isascii() and b"\t" not in value]
        path += b"?" + b"&".join(dice.choice(QUERY) + b"=" + dice.choice(values) for _ in range(dice.randrange(4)))
    headers = [(b"host", b"127.0.0.1")] if dice.random() < 0.9 else []
    if method == b"POST" and dice.random() < 0.8:
        headers += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if dice.random() < 0.2:
        headers += HANDSHAKE
    headers += [(dice.choice(NAMES), dice.choice(VALUES)) for _ in range(dice.randrange(3))]
    if dice.random() < 0.7:
        headers.append((b"connection", b"close"))
    data = method + b" " + path + b" HTTP/1.1\r\n" + b"".join(k + b": " + v + b"\r\n" for k, v in headers)
    data += b"\r\n" + body
    if dice.random() < 0.1:
        at = dice.randrange(len(data))
        data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
    return data


def test_windows_that_go_away_at_any_moment_are_no_error(tmp_path: Path) -> None:
    dice = random.Random(3)
    handshake = b"".join(name + b": " + value + b"\r\n" for name, value in HANDSHAKE) + b"\r\n"
    with serving(tmp_path / "data", *NO_LIMITS, *SOON) as served:
        for _ in range(300):
            seat, match = dice.choice(["x", "x" * 50, ""]), dice.choice(["1", "9", "x"])
            head = f"GET /api/matches/{match}/live?seat={seat} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
            with served.connect() as peer:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                greeting = b"\x81\x85\0\0\0\0hello" if dice.random() < 0.3 else b""
                peer.sendall(head.encode() + handshake + greeting)
                time.sleep(dice.random() * 0.004)
        said = served.last_words()
    assert "ERROR" not in said, said[-5000:]


def first_answer(served: Served, data: bytes) -> bytes:
    """What comes first; nothing where what was no whole request is given up by the server, which waits two seconds."""
    out = b""
    with served.connect(seconds=PATIENCE) as peer, suppress(ConnectionError):
        peer.sendall(data)
        while b"\r\n\r\n" not in out and (piece := peer.recv(65536)):
            out += piece
    return out.partition(b"\r\n\r\n")[0]


def test_whatever_comes_is_answered_in_form_and_never_with_an_error_of_ours(served: Served) -> None:
    made = served.ask("POST", "/api/matches", {"game": "duel", "scenario": "long"})
    assert made.status == 201
    seed = int(os.environ.get("RASPUTITSA_RAW_SEED", "1")) or secrets.randbits(32)
    dice, seen = random.Random(seed), Counter[int]()
    for _ in range(ROUNDS):
        data = nearly_a_request(dice)
        head = first_answer(served, data)
        if not head:
            seen[0] += 1
            continue
        status = int(head.split()[1])
        seen[status] += 1
        assert status < 500, (seed, data, head)
        assert status in (100, 101) or b"content-security-policy" in head, (seed, data, head)
    assert seen[0] < ROUNDS / 20
    assert {200, 400, 403, 404, 405} <= set(seen)
    assert not [line for line in served.said if "ERROR" in line], "".join(served.said[-200:])
    assert served.process.poll() is None
