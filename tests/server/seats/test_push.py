"""Notices to browsers: encrypted for the one that asked, signed by the server, and refused in plain words."""

from __future__ import annotations

import base64
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import http_ece
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from rasputitsa.server.config import NoticeSettings, ServerConfig
from rasputitsa.server.notices import notifier
from rasputitsa.server.notices.notice import Notice
from rasputitsa.server.notices.push import KEY_FILE, PushKey, PushKeyError
from tests.server.conftest import connect
from tests.server.player import Duelist
from tests.server.seats.test_notices import URL, House
from tests.server.seats.test_rematch import refusal
from tests.server.seats.test_seats import post

CONTACT = "mailto:host@games.example"


class Service(ThreadingHTTPServer):
    """A push service on this machine, which keeps what it is given."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.given: list[tuple[dict[str, str], bytes]] = []
        self.answer = 201
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.given.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


class Browser:
    """The keys of a browser that takes notices."""

    def __init__(self, service: Service) -> None:
        self._key, self._secret, self._service = generate_private_key(SECP256R1()), os.urandom(16), service
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.address = f"{service.origin}/to/me#{packed(point)}.{packed(self._secret)}"

    def heard(self) -> list[dict[str, str]]:
        """What it shows since this was asked last."""
        given, self._service.given[:] = list(self._service.given), []
        return [json.loads(self.opened(body)) for _, body in given]

    def opened(self, body: bytes) -> bytes:
        plain: bytes = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return plain


def packed(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed(authorization: str) -> tuple[dict[str, Any], str]:
    """What a server has signed, and its key; raises ``InvalidSignature``."""
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    head, claims, signature = parts["t"].split(".")
    raw = unpacked(signature)
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), unpacked(parts["k"]))
    numbers = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    key.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(unpacked(claims))
    return found, parts["k"]


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.shutdown()
    service.server_close()


@pytest.fixture
def pushing(config: ServerConfig, monkeypatch: pytest.MonkeyPatch) -> ServerConfig:
    monkeypatch.setattr(notifier.Notifier, "seconds", 1e6)
    return replace(config, local=False, notices=NoticeSettings(URL, inside=True, push=CONTACT))


@pytest.fixture
def house(pushing: ServerConfig) -> Iterator[House]:
    with connect(pushing, host="10.0.0.1") as client:
        yield House(client)


def public(house: House, duel: Duelist) -> str:
    found: str = house.client.get(duel.url("notices"), params=duel.auth("blue")).json()["push"]
    return found


def tell(duel: Duelist, browser: Browser) -> None:
    answer = post(duel, "notices", "blue", form="push", address=browser.address)
    assert answer.status_code == 200, answer.text


def test_a_browser_is_told_when_it_is_its_players_turn(house: House, service: Service) -> None:
    duel, browser = Duelist.between_two(house.client), Browser(service)
    tell(duel, browser)
    house.look()
    (first,) = browser.heard()
    assert first["text"].startswith("You will get notices here")
    duel.act("red", "hide 3")
    house.away()
    (turn,) = browser.heard()
    assert turn["text"] == "It is your turn: Duel: Short (Turn 1)"
    assert turn["link"] == f"{URL}/#/match/{duel.id}"
    house.away()
    assert browser.heard() == [], "once a turn"
    token = turn["stop"].rpartition("/")[2]
    assert house.client.post("/api/notices/stop", json={"token": token}).status_code == 200
    assert house.client.get(duel.url("notices"), params=duel.auth("blue")).json()["way"] is None


def test_the_service_that_carries_it_reads_nothing_and_knows_who_sends(house: House, service: Service) -> None:
    duel, browser = Duelist.between_two(house.client, title="Our duel"), Browser(service)
    tell(duel, browser)
    house.look()
    ((headers, body),) = service.given
    assert b"Our duel" not in body and b"games.example" not in body
    assert (headers["content-encoding"], headers["ttl"], headers["urgency"]) == ("aes128gcm", "86400", "normal")
    claims, key = signed(headers["authorization"])
    assert claims["aud"] == service.origin and claims["sub"] == CONTACT
    assert key == public(house, duel)
    with pytest.raises(http_ece.ECEException):
        Browser(service).opened(body)


def test_a_signature_is_good_for_half_a_day(tmp_path: Path, service: Service) -> None:
    made = PushKey.of(tmp_path, CONTACT)
    timed = PushKey(made._vapid, CONTACT, lambda: 1_000_000.0)
    _, headers = timed.message(Browser(service).address, Notice("text", "link", "stop"))
    claims, _ = signed(headers["Authorization"])
    assert claims["exp"] == 1_000_000 + 12 * 3600
    forged = headers["Authorization"].replace("t=ey", "t=eZ")
    with pytest.raises((InvalidSignature, ValueError)):
        signed(forged)


def test_the_key_stays_and_is_its_owners_alone(pushing: ServerConfig) -> None:
    keys = set()
    for _ in range(2):
        with connect(pushing) as client:
            duel = Duelist.between_two(client)
            keys.add(client.get(duel.url("notices"), params=duel.auth("red")).json()["push"])
    assert len(keys) == 1 and len(unpacked(keys.pop())) == 65
    path = pushing.data / KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n")
    with pytest.raises(PushKeyError, match="holds no key"):
        connect(pushing)


def test_what_is_no_browser_is_refused(house: House, service: Service) -> None:
    duel = Duelist.between_two(house.client)
    good = Browser(service).address
    place, _, keys = good.partition("#")
    point, secret = keys.split(".")
    for bad in (
        place, f"{place}#", f"{place}#{point}", f"{place}#{point}.", f"{place}#{point}.{secret}.x", f"#{keys}",
        f"{place}#{secret}.{secret}", f"{place}#{point}.{point}", f"{place}#{point[:-4]}AAAA.{secret}",
        f"{place}#{point}.{secret[:-2]}", f"{place}#{point}.!!!{secret}", f"ftp://x#{keys}",
    ):  # fmt: skip
        refusal(house.client, duel.url("notices"), {**duel.auth("blue"), "form": "push", "address": bad})
    assert house.client.get(duel.url("notices"), params=duel.auth("blue")).json()["way"] is None


def test_a_subscription_that_has_ended_is_given_up(house: House, service: Service) -> None:
    duel, browser = Duelist.between_two(house.client), Browser(service)
    service.answer = 410
    tell(duel, browser)
    house.look()
    house.look(10_000)
    assert len(service.given) == 1
    assert house.client.get(duel.url("notices"), params=duel.auth("blue")).json()["way"]["trouble"] == "answered 410"


def test_no_browser_is_told_where_the_host_has_not_said_so(config: ServerConfig, service: Service) -> None:
    with connect(replace(config, local=False, notices=NoticeSettings(URL, inside=True))) as client:
        duel = Duelist.between_two(client)
        found = client.get(duel.url("notices"), params=duel.auth("blue")).json()
        assert (found["offered"], found["push"]) == (True, "")
        answer = post(duel, "notices", "blue", form="push", address=Browser(service).address)
        assert answer.json()["error"]["code"] == "no_notices"
    assert not (config.data / KEY_FILE).exists()
