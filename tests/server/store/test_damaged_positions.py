"""Stored positions that are damaged, met after an update of the program: the match goes on, or can be taken away."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import rebuilding
from rasputitsa.server.store import history
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

Spoil = Callable[[bytes], bytes]


def changed(**values: Any) -> Spoil:
    def spoil(body: bytes) -> bytes:
        return zlib.compress(json.dumps({**json.loads(zlib.decompress(body)), **values}).encode())

    return spoil


SPOILT: dict[str, Spoil] = {
    "rules without a number": changed(rules="x-1"),
    "rules of a huge number": changed(rules="9" * 5000),
    "sources that are none": changed(sources=[5]),
    "no sources": changed(sources=[]),
    "an audit that is none": changed(audit={"entries": "x"}),
    "an audit of other kinds": changed(audit={"entries": 2, "counts": 5, "confirmed": 5, "unknown": 5,
                                              "unknown_until": "x", "faults": [[1]]}),
    "dice counted far ahead": changed(dice={"x": 10**30}),
    "a floor beyond the end": changed(floor=10**6),
    "more entries than there are": changed(version=10**6),
    "fewer entries than there are": changed(version=0),
    "no snapshot": lambda body: b"x",
    "a bomb": lambda body: zlib.compress(b"[" * 10**7),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
@pytest.mark.parametrize(("which", "updated"), [("newest", False), ("newest", True), ("oldest", True)])
def test_a_damaged_position_strands_no_match(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch, name: str, which: str, updated: bool
) -> None:
    monkeypatch.setattr(history, "KEPT_EVERY", 2)
    with connect(config) as client:
        duel = Duelist.start(client)
        for seat, action in TURN:
            duel.act(seat, action)
    with sqlite3.connect(config.database) as raw:
        rows = raw.execute("SELECT id, body, seq, ply FROM snapshots ORDER BY seq").fetchall()
        id_, body = (rows[-1] if which == "newest" else rows[0])[:2]
        raw.execute("UPDATE snapshots SET body = ? WHERE id = ?", [SPOILT[name](body), id_])
    if updated:
        monkeypatch.setattr(rebuilding, "rules_digest", lambda game: "1-0123456789ab")
    with connect(config) as client:
        for path in ("view", "log", "seats", "export", "view?at=1", "view?at=3"):
            url = duel.url(path) + ("&" if "?" in path else "?") + "seat=red"
            seen = client.get(url, headers={"x-seat-key": duel.keys["red"]})
            assert seen.status_code == 200 or seen.json()["error"]["code"] == "broken_match", (path, seen.text[:300])
        assert client.get(duel.url("export"), params=duel.auth("red")).status_code == 200
        undone = client.post(duel.url("undo"), json={**duel.auth("red"), "version": 5, "to": 1})
        assert undone.status_code < 500 or undone.json()["error"]["code"] == "broken_match", undone.text[:300]
        assert client.delete(duel.url("")[:-1], params=duel.auth("red")).status_code == 200
