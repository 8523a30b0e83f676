"""Rows that are damaged, or were let in by an earlier version: their match suffers, the list and the others do not."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from rasputitsa.core.record.new import new_session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.archive import export_match, keep, pack
from rasputitsa.server.store import Store
from rasputitsa.server.store.summaries import MAX_SHOWN_LETTERS, read_summary
from tests.server.conftest import connect
from tests.server.player import Duelist

HUGE = "x" * 15_900_000
BOT = {"red": {"kind": "bot", "bot": "random"}}


def summary(**changes: Any) -> str:
    return json.dumps({
        "game": "duel", "scenario": "short", "turn_label": "Turn 1", "phase_label": "Hide", "to_move": "red",
        "controllers": BOT, **changes,
    })  # fmt: skip


DAMAGE = {
    "summary of megabytes": ("matches", "summary", summary(controllers={"red": {"kind": "human", "name": HUGE}})),
    "summary no JSON": ("matches", "summary", "{"),
    "summary null": ("matches", "summary", "null"),
    "summary a list": ("matches", "summary", "[1]"),
    "summary nested": ("matches", "summary", "[" * 3000),
    "summary of numbers": (
        "matches",
        "summary",
        summary(to_move=["red"], controllers={"red": 5, "blue": {"kind": []}}),
    ),
    "summary of players in a list": ("matches", "summary", summary(controllers=["red"])),
    "title of megabytes": ("matches", "title", HUGE),
    "header of megabytes": ("matches", "header", json.dumps({"title": HUGE})),
    "header no JSON": ("matches", "header", "{"),
    "header null": ("matches", "header", "null"),
    "header of a game that is gone": ("matches", "header", json.dumps({"format": "rasputitsa-game", "game": "x"})),
    "line no JSON": ("journal", "line", "{"),
    "line null": ("journal", "line", "null"),
    "line of the wrong kind": ("journal", "line", '{"undo": "x"}'),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_row_harms_no_other_match(config: ServerConfig, name: str) -> None:
    table, column, value = DAMAGE[name]
    with connect(config) as client:
        bad, good = Duelist.start(client), Duelist.start(client)
        bad.act("red", "hide 2")
    with sqlite3.connect(config.database) as raw:
        condition = "id" if table == "matches" else "match_id"
        raw.execute(f"UPDATE {table} SET {column} = ? WHERE {condition} = ?", [value, int(bad.id)])
        if column != "summary":  # the computer is to move, so the match is opened at the start
            raw.execute("UPDATE matches SET summary = ? WHERE id = ?", [summary(), int(bad.id)])
        raw.execute("DELETE FROM snapshots WHERE match_id = ?", [int(bad.id)])
    with connect(config) as client:
        listed = client.get("/api/matches")
        assert listed.status_code == 200 and len(listed.content) < 10_000
        assert {row["id"] for row in listed.json()} == {bad.id, good.id}
        for row in listed.json():
            assert {"game", "scenario", "turn_label", "phase_label", "to_move", "controllers"} <= set(row)
        Duelist(client, good.id, good.keys).act("red", "hide 1")
        seen = client.get(bad.url("view"), params=bad.auth("red"))
        assert seen.status_code == 200 or seen.json()["error"]["code"] == "broken_match", seen.text[:300]
        exported = client.get(bad.url("export"), params=bad.auth("red"))
        assert exported.status_code == 200 and exported.text.strip()
        assert client.delete(bad.url("")[:-1], params=bad.auth("red")).status_code == 200
        assert [row["id"] for row in client.get("/api/matches").json()] == [good.id]


MORE = {
    "entries lowered": "UPDATE matches SET entries = entries - 3 WHERE id = :id",
    "no journal": "DELETE FROM journal WHERE match_id = :id",
    "a gap in the journal": "DELETE FROM journal WHERE match_id = :id AND seq = 2",
    "place an object": "UPDATE journal SET place = '{}' WHERE match_id = :id",
    "place no JSON": "UPDATE journal SET place = '[' WHERE match_id = :id",
    "events of another form": "UPDATE journal SET events = '[[1, {}]]' WHERE match_id = :id",
    "events no JSON": "UPDATE journal SET events = '[' WHERE match_id = :id",
    "a number twice": "UPDATE journal SET ply = 1 WHERE match_id = :id AND ply = 2",
    "no seats": "DELETE FROM seats WHERE match_id = :id",
}


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "june22"), ("wir", "barbarossa_short")])
def test_whatever_is_damaged_of_a_match_it_can_be_saved_and_deleted(
    config: ServerConfig, game: str, scenario: str
) -> None:
    """Its positions are as they were, so that it is opened before the damage is met."""
    session, chooser = new_session(game, scenario, seed=1), random.Random(1)
    while session.version < 80 and (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, chooser.choice(list(decision.options))))
    with closing(Store(config.database)) as store:
        bad = {keep(store, pack(session)).number: harm for harm in MORE.values()}
        good = keep(store, pack(session)).number
    with sqlite3.connect(config.database) as raw:
        for number, harm in bad.items():
            raw.execute(harm, {"id": number})
    for number, harm in bad.items():
        assert export_match(config.database, number).strip(), harm
    with connect(config) as client:
        for number, harm in bad.items():
            url = f"/api/matches/{number}"
            for path in ("view", "log", "seats", "query?kind=asides"):
                seen = client.get(f"{url}/{path}")
                assert seen.status_code < 500 or seen.json()["error"]["code"] == "broken_match", (harm, path)
            assert client.get(f"{url}/export").text.strip(), harm
            assert client.delete(url).status_code == 200, harm
        assert [row["id"] for row in client.get("/api/matches").json()] == [str(good)]


@pytest.mark.parametrize("text", [None, b"\xff", "", "nonsense", summary(), summary(game="x" * 1000), "[]", HUGE])
def test_a_summary_has_all_its_fields_whatever_is_stored(text: Any) -> None:
    found = read_summary(text)
    assert set(found) == {"game", "scenario", "turn_label", "phase_label", "to_move", "controllers"}
    assert len(json.dumps(found)) < 6 * MAX_SHOWN_LETTERS
    if text == summary():
        assert found == json.loads(text)
