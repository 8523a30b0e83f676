"""A real server and a stranger who wants to stop it, from one address, while somebody plays from another."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.served import Served, read_answer, serving, wait_until
from tests.support import PATIENCE

STRANGER, PLAYER = "127.0.0.1", "127.0.0.2"
FILES = 1024
"""What many systems give a process."""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A server that nobody has asked anything."""
    with serving(tmp_path / "data", files=FILES) as served:
        yield served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served") / "data", files=FILES) as served:
        yield served


def start(served: Served, source: str = PLAYER) -> tuple[str, dict[str, str]]:
    made = served.ask("POST", "/api/matches", {"game": "duel", "scenario": "long"}, source=source)
    assert made.status == 201, made
    return made.json()["id"], made.json()["keys"]


def watch(served: Served, match: str) -> None:
    """A player asks for the view, a few times a second, and is answered each time. How soon, `make load` measures."""
    for _ in range(40):
        assert served.ask("GET", f"/api/matches/{match}/view", source=PLAYER).status == 200
        time.sleep(0.02)


def test_eleven_hundred_half_sent_requests_stop_nobody(own: Served) -> None:
    served = own
    match, _ = start(served)
    peers: list[socket.socket] = []
    try:
        for number in range(1100):
            peer = served.connect(f"127.0.0.{3 + number % 10}")
            peers.append(peer)
            peer.sendall(b"POST /api/matches HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n")
        watch(served, match)
        assert served.files() < FILES
        wait_until(lambda: served.files() <= 200)  # clients that do not finish the head of a request are let go
    finally:
        for peer in peers:
            peer.close()


def test_connections_of_one_address_are_limited(served: Served) -> None:
    peers: list[socket.socket] = []
    try:
        for _ in range(250):
            peers.append(served.connect(STRANGER))
        refused = served.raw(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", source=STRANGER)
        assert refused.status in (429, 0), "0: the refusal crossed with what was still being sent"
        assert served.ask("GET", "/api/games", source=PLAYER).status == 200
        peers.pop().close()
        wait_until(lambda: served.ask("GET", "/api/games", source=STRANGER).status == 200)
    finally:
        for peer in peers:
            peer.close()


def test_a_flood_from_one_address_is_not_felt_at_another(own: Served) -> None:
    served = own
    match, _ = start(served)
    answered: list[int] = []
    with flood(lambda: answered.append(served.ask("GET", f"/api/matches/{match}/view?at=0", source=STRANGER).status)):
        wait_until(lambda: answered.count(429) > 20)  # what the stranger had saved up is gone
        watch(served, match)
    assert answered.count(429) > 20


@contextlib.contextmanager
def flood(work: Callable[[], Any], hands: int = 16) -> Iterator[None]:
    """Do something as often as possible, many at a time."""
    stop = threading.Event()

    def go() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                work()

    threads = [threading.Thread(target=go, daemon=True) for _ in range(hands)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)


def test_a_refusal_says_in_the_usual_form_when_to_try_again(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--limit", "requests=1", "--limit", "requests_burst=3") as served:
        answers = [served.ask("GET", "/api/games", source=STRANGER) for _ in range(5)]
    refused = next(answer for answer in answers if answer.status == 429)
    assert refused.json()["error"]["code"] == "too_many"
    assert "please wait" in refused.json()["error"]["message"]
    assert int(refused.headers["retry-after"]) >= 1
    assert "content-security-policy" in refused.headers


def test_a_head_a_body_and_an_idle_connection_have_their_time(tmp_path: Path) -> None:
    limits = ("--limit", "header_seconds=1", "--limit", "body_seconds=1", "--limit", "idle_seconds=1")
    with serving(tmp_path / "data", *limits) as served:
        host = b"host: 127.0.0.1\r\n"
        head = served.raw(b"GET / HTTP/1.1\r\n" + host, seconds=PATIENCE)
        assert (head.status, head.json()["error"]["code"]) == (408, "too_slow")
        body = served.raw(
            b"POST /api/matches HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 50\r\n" + host + b"\r\n{",
            seconds=PATIENCE,
        )
        assert (body.status, body.json()["error"]["code"]) == (408, "too_slow")
        assert "content-security-policy" in body.headers
        idle = served.raw(b"GET /api/games HTTP/1.1\r\n" + host + b"\r\n", seconds=PATIENCE)
        assert idle.status == 200, "and the connection was closed afterwards, or this would have run out of time"
        assert served.raw(b"", seconds=PATIENCE).status == 0


def test_dripping_does_not_buy_time(tmp_path: Path) -> None:
    """Each drop comes before either limit is over, and still the connection ends."""
    with serving(tmp_path / "data", "--limit", "header_seconds=2", "--limit", "idle_seconds=2") as served:
        for first, drop in [(b"GET / HTTP/1.1\r\nx: ", b"a"), (b"\r\n", b"\r\n")]:
            with served.connect() as peer, pytest.raises(OSError, match=r"Broken pipe|reset"):
                peer.sendall(first)
                for _ in range(500):
                    time.sleep(0.2)
                    peer.sendall(drop)


def test_a_head_that_never_ends_is_cut_off(served: Served) -> None:
    for data in (b"GET / HTTP/1.1\r\nx: " + b"a" * 300_000, b"GET /" + b"a" * 300_000):
        answer = served.raw(data)
        assert answer.status in (431, 0)
    long = served.ask("GET", "/api/games", headers=b"x: " + b"a" * 20_000 + b"\r\n")
    assert (long.status, long.json()["error"]["code"]) == (431, "too_large")
    asked = served.ask("GET", "/api/games?" + "a" * 5000)
    assert (asked.status, asked.json()["error"]["code"]) == (414, "too_large")


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: 2\r\ncontent-length: 2\r\n",
        b"content-length: 2\r\ntransfer-encoding: chunked\r\n",
        b"transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
        b"transfer-encoding: xchunked\r\n",
        b"content-length: +2\r\n",
        b"content-length : 2\r\n",
        b" folded: x\r\n",
        b"x: \x00\r\n",
    ],
)
def test_requests_that_two_readers_would_read_differently_are_refused(served: Served, head: bytes) -> None:
    start_line = b"POST /api/matches HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    answer = served.raw(start_line + head + b"\r\n{}")
    assert answer.status == 400
    assert answer.json()["error"]["code"] == "bad_request"
    assert "content-security-policy" in answer.headers
    assert answer.headers["connection"] == "close"


def test_a_monitor_that_asks_for_the_head_alone_is_answered(served: Served) -> None:
    for path in ("/api/health", "/api/ready", "/api/games", "/"):
        whole, head = served.ask("GET", path), served.ask("HEAD", path)
        assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(whole.body))), path
    assert served.ask("HEAD", "/api/matches/77/view").status == 404


def test_headers_after_a_body_change_nothing(served: Served) -> None:
    head = (
        b"POST /api/matches HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\n"
        b"transfer-encoding: chunked\r\n\r\n"
    )
    body = b'{"game": "duel", "scenario": "long"}'
    chunk = b"%x\r\n%s\r\n0\r\n" % (len(body), body)
    assert served.raw(head + chunk + b"origin: http://evil.example\r\n\r\n").status == 201
    with served.connect() as peer:
        peer.sendall(head + b"0\r\n")
        with contextlib.suppress(OSError):
            for _ in range(2000):
                peer.sendall(b"x: " + b"a" * 1000 + b"\r\n")
        assert read_answer(peer).status in (0, 400, 431)


def test_a_reader_that_does_not_read_is_let_go(tmp_path: Path) -> None:
    """The log has no word of it: requests that still waited on such a connection are no fault of ours."""
    with serving(tmp_path / "data", "--limit", "write_seconds=1", "--limit", "slowest_rate=1000000") as served:
        assert served.ask("GET", "/api/games/wir/static?scenario=barbarossa").status == 200
        files, memory = served.files(), served.memory()
        peers = []
        for _ in range(20):
            peer = socket.socket()
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.connect(("127.0.0.1", served.port))
            peer.sendall(b"GET /api/games/wir/static?scenario=barbarossa HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n" * 20)
            peers.append(peer)
        wait_until(lambda: served.files() >= files + 20)
        wait_until(lambda: served.files() <= files + 2)
        assert served.memory() - memory < 150_000_000
        for peer in peers:
            peer.close()
        assert served.ask("GET", "/api/games/wir/static?scenario=barbarossa").status == 200
        log = served.last_words()
    assert "Traceback" not in log and "failed" not in log, log[-2000:]


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PUT", "PATCH", "PROPFIND"])
def test_other_methods_are_refused_on_every_path(served: Served, method: str) -> None:
    for path in ("/", "/match/1", "/api/matches", "/api/games"):
        answer = served.ask(method, path)
        assert (answer.status, answer.json()["error"]["code"]) == (405, "bad_method")


def test_only_a_handshake_becomes_a_window(served: Served) -> None:
    """The rest is answered like any request, and with the same headers; nothing waits forever."""
    upgrade = b"host: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: %s\r\n"
    key = b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
    odd = b"upgrade: websocket\r\n"
    websocket, live = upgrade % b"websocket", b"GET /api/matches/1/live HTTP/1.1\r\n"
    body = b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    for data, status in [
        (b"POST /api/matches/1/live HTTP/1.1\r\n" + websocket + key + body, 405),
        (live + websocket + b"\r\n", 404),
        (live + websocket + key + key + b"\r\n", 404),
        (live + websocket + b"sec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n", 404),
        (b"GET /api/games HTTP/1.1\r\n" + websocket + key + b"\r\n", 404),
        (live.replace(b"live", b"live?seat=" + b"x" * 50) + websocket + key + b"\r\n", 400),
        (live + websocket + odd + key + b"\r\n", 400),
        (live + b"origin: http://evil.example\r\n" + websocket + key + b"\r\n", 403),
        (b"POST /api/matches HTTP/1.1\r\n" + upgrade % b"h2c" + body, 400),
    ]:
        answer = served.raw(data)
        assert answer.status == status, data
        assert answer.json()["error"]["message"]
        assert "content-security-policy" in answer.headers
    assert not [line for line in served.said if "ERROR" in line]


def test_a_window_that_says_too_much_is_closed(served: Served) -> None:
    match, keys = start(served)
    for say in (
        lambda window: [window.ping() for _ in range(100_000)],
        lambda window: [window.send(secrets.token_hex(250)) for _ in range(1000)],
        lambda window: [window.send("{}") for _ in range(1000)],
        lambda window: window.send("x" * 5000),
        lambda window: window.send(iter(["x"] * 5000)),
        lambda window: window.send(" " * 20_000_000),
    ):
        with window_on(served, match, "red", keys["red"]) as window:
            window.recv(PATIENCE)
            with pytest.raises(ConnectionClosed):
                say(window)
                while True:
                    window.recv(PATIENCE)
    with window_on(served, match, "red", keys["red"]) as window:
        assert json.loads(window.recv(PATIENCE))["type"] == "view"


def test_windows_that_read_nothing_hold_nobody_up(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        new = {"game": "wir", "scenario": "barbarossa"}
        made = served.ask("POST", "/api/matches", new, source=PLAYER).json()
        seat, key = next(iter(made["keys"].items()))
        served.ask("GET", f"/api/matches/{made['id']}/view", source=PLAYER)
        files, memory = served.files(), served.memory()
        peers = [deaf_window(served, made["id"]) for _ in range(8)]
        wait_until(lambda: served.files() >= files + 8)
        auth = {"seat": seat, "key": key}
        for turn in range(30):  # one that waited for a deaf window would get no answer in the patience of ``ask``
            to = {"kind": "human", "name": f"{turn}"}
            answer = served.ask(
                "POST", f"/api/matches/{made['id']}/controllers", {**auth, "controller": to}, source=PLAYER
            )
            assert answer.status == 200, answer
        assert served.memory() - memory < 100_000_000
        for peer in peers:
            peer.close()


def deaf_window(served: Served, match: str) -> socket.socket:
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.connect(("127.0.0.1", served.port))
    head = f"GET /api/matches/{match}/live HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    peer.sendall(head.encode() + b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n")
    return peer


def window_on(served: Served, match: str, seat: str, key: str) -> ClientConnection:
    url = f"ws://127.0.0.1:{served.port}/api/matches/{match}/live?seat={seat}&key={key}"
    return connect(url, max_size=None, ping_interval=None, close_timeout=2)


def test_no_key_is_in_the_log(own: Served) -> None:
    served = own
    match, keys = start(served)
    key = keys["red"]
    place = f"/api/matches/{match}"
    auth = {"seat": "red", "key": key}
    for asked in (f"view?seat=red&key={key}", f"view?seat={key}&at=x", f"query?kind={key}", f"{key}/../../../{key}"):
        served.ask("GET", f"{place}/{asked}")
    served.ask("POST", f"{place}/actions", {**auth, "version": -1, "action": key, "request_id": key})
    served.ask("POST", f"/api/matches?key={key}", {"key": key}, headers=f"idempotency-key: {key}\r\n".encode())
    served.raw(f"GET {place}/view?key={key} HTTP/1.1\r\nx-seat-key: {key}\r\nbroken\r\n\r\n".encode())
    with window_on(served, match, "red", key) as window:
        window.recv(PATIENCE)
        window.send(key)
    with contextlib.suppress(Exception), window_on(served, "999999", "red", key) as window:
        window.recv(PATIENCE)
    served.ask("DELETE", f"{place}?seat=red&key={key}")
    said = served.last_words()
    assert said and key not in said
