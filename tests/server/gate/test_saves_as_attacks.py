"""A saved game is data: whatever stands in it, nothing is started, opened or believed because of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.cli.main import main
from rasputitsa.core.game import Decision
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.rebuilding import pack, unpack
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.bots import BotError, BotPool
from tests.server.conftest import connect
from tests.server.player import Duelist

WAIT_SECONDS = 1.5
"""How long a program that is started would need at most to leave its mark."""

Lines = list[dict[str, Any]]


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there once a program was started."""
    return tmp_path / "started"


def program(mark: Path) -> str:
    return f"bot external:touch {mark}"


def header(lines: Lines, controller: str) -> None:
    """It is Red who begins."""
    lines[0]["controllers"] = {"red": controller}


def entry(lines: Lines, controller: str) -> None:
    lines[1:1] = [{"seat": "red", "action": f"@control {controller}"}]
    lines[-1]["end"] += 1


def once(lines: Lines, controller: str) -> None:
    """Handed back again at once: a rewind would bring it to life."""
    header(lines, controller)
    entry(lines, "human")


WAYS = [header, entry, once]


def saved(change: Callable[[Lines, str], None] | None = None, controller: str = "") -> str:
    lines = [json.loads(line) for line in new_session("duel", "short", seed=1).save().splitlines()]
    if change is not None:
        change(lines, controller)
    return "".join(json.dumps(line) + "\n" for line in lines)


def imported(client: TestClient, text: str) -> Any:
    return client.post("/api/import", content=text.encode(), headers={"content-type": "application/x-ndjson"})


def started(mark: Path) -> bool:
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until and not mark.exists():
        time.sleep(0.05)
    return mark.exists()


@pytest.mark.parametrize("way", WAYS)
def test_an_imported_save_starts_no_program(client: TestClient, mark: Path, way: Callable[[Lines, str], None]) -> None:
    response = imported(client, saved(way, program(mark)))
    assert not started(mark)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_save")
    assert "external:" in response.json()["error"]["message"]
    assert client.get("/api/matches").json() == []


@pytest.mark.parametrize("way", WAYS)
def test_a_save_imported_at_the_command_line_starts_no_program(
    tmp_path: Path,
    mark: Path,
    way: Callable[[Lines, str], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, data = tmp_path / "evil.jsonl", tmp_path / "data"
    file.write_text(saved(way, program(mark)), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "import", str(file), "--data", str(data)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "external:" in capsys.readouterr().err
    with connect(ServerConfig(data=data, local=True, client=tmp_path / "client", bot_workers=1)) as client:
        assert client.get("/api/matches").json() == []
    assert not mark.exists()


def stored(config: ServerConfig, change: Callable[[sqlite3.Connection, str], None], mark: Path) -> Duelist:
    """A match whose rows say that a program plays Red, as an earlier version let them."""
    with connect(config) as client:
        duel = Duelist.start(client)
    with sqlite3.connect(config.database) as raw:
        change(raw, program(mark))
        if change is not row_position:
            raw.execute("DELETE FROM snapshots")  # an earlier version kept none
        summary = json.loads(raw.execute("SELECT summary FROM matches").fetchone()[0])
        summary["controllers"] = {"red": {"kind": "bot", "bot": program(mark).removeprefix("bot ")}}
        raw.execute("UPDATE matches SET summary = ?", [json.dumps(summary)])
    return duel


def row_header(raw: sqlite3.Connection, controller: str) -> None:
    line = json.loads(raw.execute("SELECT header FROM matches").fetchone()[0])
    raw.execute("UPDATE matches SET header = ?", [json.dumps({**line, "controllers": {"red": controller}})])


def row_entry(raw: sqlite3.Connection, controller: str) -> None:
    line = json.dumps({"seat": "red", "action": f"@control {controller}"})
    raw.execute("INSERT INTO journal (match_id, seq, seat, line, created_ms) VALUES (1, 0, 'red', ?, 0)", [line])
    raw.execute("UPDATE matches SET entries = 1")
    raw.execute("UPDATE seats SET version = 1")


def row_position(raw: sqlite3.Connection, controller: str) -> None:
    row_header(raw, controller)
    (body,) = raw.execute("SELECT body FROM snapshots").fetchone()
    packed = pack(unpack(body)._replace(controllers={"red": controller}))
    raw.execute("UPDATE snapshots SET body = ?", [packed])


@pytest.mark.parametrize("change", [row_header, row_entry, row_position])
def test_a_stored_row_starts_no_program_and_its_match_goes_on(
    config: ServerConfig, mark: Path, change: Callable[[sqlite3.Connection, str], None]
) -> None:
    made = stored(config, change, mark)
    with connect(config) as client:  # a match in which a bot is to move is resumed
        duel = Duelist(client, made.id, made.keys)
        assert duel.view("red")["controllers"]["red"] == {"kind": "human"}
        assert client.post(duel.url("hurry"), json=duel.auth("red")).status_code == 200
        assert not started(mark)
        duel.act("red", "hide 3")
        assert duel.undo("red", to=0).status_code == 200
        assert not started(mark)
        exported = client.get(duel.url("export")).text
        assert "external:" in exported  # the record is not rewritten; it is only not believed
        assert imported(client, exported).status_code == 422
        assert client.delete(f"/api/matches/{duel.id}").status_code == 200


@pytest.mark.parametrize("way", ["create", "hand over"])
def test_no_request_names_a_program(client: TestClient, mark: Path, way: str) -> None:
    bot = {"kind": "bot", "bot": f"external:touch {mark}"[:40]}
    if way == "create":
        body = {"game": "duel", "scenario": "short", "controllers": {"red": bot}}
        response = client.post("/api/matches", json=body)
    else:
        duel = Duelist.start(client)
        response = client.post(duel.url("controllers"), json={**duel.auth("red"), "controller": bot})
    assert response.status_code == 400
    assert not started(mark)


@pytest.fixture
def pool() -> Iterator[BotPool]:
    pool = BotPool(1, 1.0)
    yield pool
    pool.close()


async def ask(pool: BotPool, bot: str) -> str:
    session: Session = new_session("duel", "short", seed=1)
    decision = session.decision()
    assert isinstance(decision, Decision)
    turn = BotTurn(1, 0, "duel", {}, "red", bot, session.state, decision)
    return (await pool.choose(turn, lambda done, total, text: None)).action


def test_the_bot_process_itself_refuses_programs(pool: BotPool, mark: Path) -> None:
    with pytest.raises(BotError, match="failed"):
        asyncio.run(ask(pool, f"external:touch {mark}"))
    assert not mark.exists()
    assert asyncio.run(ask(pool, "random"))


@pytest.mark.parametrize(
    "controller",
    [
        "bot nobody", "bot", "bot ", "robot random", "", "human\nbot random", "bot random\n", "human " + "x" * 121,
        "human \u202eevil", "human a\u2028b", "bot planner",  # the planner does not know Duel
    ],
)  # fmt: skip
def test_players_that_cannot_be_are_refused(client: TestClient, controller: str) -> None:
    for way in (header, entry):
        assert imported(client, saved(way, controller)).status_code == 422, controller


@pytest.mark.parametrize("text", ["bot nobody", "bot planner", "external:true", "android Anna", "robot random", ""])
def test_whatever_is_no_player_is_a_person_without_a_name(text: str) -> None:
    """A row of the store is read even where it was let in by an earlier version."""
    assert Controller.from_text(text, "duel") == Controller("human", "")


def test_seats_that_are_not_there_have_no_players(client: TestClient) -> None:
    text = saved(header, "human").replace('"red"', '"green"')
    response = imported(client, text)
    assert (response.status_code, "'green'" in response.json()["error"]["message"]) == (422, True)


def test_honest_players_are_read(client: TestClient) -> None:
    for controller in ("human", "human Anna Łukasz", "bot random"):
        for way in WAYS:
            assert imported(client, saved(way, controller)).status_code == 201, controller
