"""Saved games of strangers: what they may hold, what reading them may cost, and who notices."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.cli.main import main
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.save_format import MOST_LINE
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Budget
from rasputitsa.server.matches import reading
from rasputitsa.server.matches.reading import SaveReader, packed_of
from tests.fuzz.mutate import NASTY, written
from tests.server.conftest import connect
from tests.server.player import Duelist
from tests.support import choose

SAVE = {"content-type": "application/x-ndjson"}

Lines = list[dict[str, Any]]


def sent(client: TestClient, content: str | bytes, **headers: str) -> Any:
    raw = content.encode() if isinstance(content, str) else content
    return client.post("/api/import", content=raw, headers={**SAVE, **headers})


def reader_pid(client: TestClient) -> int:
    assert isinstance(client.app, FastAPI)
    pid = client.app.state.reader._process.pid
    assert isinstance(pid, int)
    return pid


def lines_of(text: str) -> Lines:
    return [json.loads(line) for line in text.split("\n") if line]


def text_of(lines: Lines) -> str:
    return "".join(written(line) + "\n" for line in lines)


def lesson_save(seed: int = 0) -> Lines:
    """A game with every kind of field: a position, options, controllers, dice, an end."""
    game = get_game("portfolio")
    table = game.lesson("first_attack")
    session = new_session("portfolio", str(table["scenario"]), {}, seed=3, title="T", position=table)
    session.set_controller("soviet", "bot planner")
    chooser = random.Random(seed)
    while not any(entry.dice for entry in session.entries):
        decision = session.decision()
        if decision is None:
            return lesson_save(seed + 1)
        session.play(game.format(session.state, choose(chooser, list(decision.options))), decision.seat)
    return lines_of(session.save())


def places(value: Any) -> Iterator[list[Any]]:
    """The path of everything in a value."""
    yield []
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        for path in places(value[key]):
            yield [key, *path]


def changed(lines: Lines, path: list[Any], value: Any) -> Lines:
    whole: Any = copy.deepcopy(lines)
    holder = whole
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return list(whole)


# -- every field as an attack --------------------------------------------------------------------------


def test_every_field_of_a_saved_game_may_be_anything(tmp_path: Path) -> None:
    """It is refused in plain words, or it is harmless. Each field in turn holds each nasty value."""
    save = lesson_save()
    attacks = [*NASTY, f"bot external:touch {tmp_path / 'started'}", "x" * 100_000]
    tried = kept = 0
    for number, path in enumerate(path for path in places(save) if path):
        step = 1 if path[0] in (0, 1) and len(path) < 3 else 5 if len(path) < 4 else 20
        for attack in attacks[number % step :: step]:
            tried += 1
            try:
                packed = packed_of(text_of(changed(save, path, attack)).encode("utf-8", "surrogatepass"), 20)
            except SaveError as problem:
                assert 0 < len(str(problem)) < 1500 and str(problem).encode(), path
                continue
            kept += 1
            assert len(json.dumps(packed.summary)) + len(packed.title) < 3000, path
            assert packed.title.isprintable()
            assert all(len(row.line) < MOST_LINE for row in packed.lines)
    assert tried > 1000 and 0 < kept < tried / 2
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ([0, "title"], 200), ([0, "start"], 64), ([0, "data"], 64), ([0, "rules"], 64), ([0, "game"], 64),
        ([0, "scenario"], 64), ([1, "seat"], 64), ([1, "action"], 500), ([1, "after"], 64),
        ([0, "position", "title"], 2000), ([0, "position", "lesson", "id"], 2000),
        ([0, "position", "goal", "text"], 2000),
    ],
)  # fmt: skip
def test_a_field_that_is_too_long_is_refused_by_name(path: list[Any], most: int) -> None:
    with pytest.raises(SaveError, match="longer than") as refused:
        packed_of(text_of(changed(lesson_save(), path, "x" * (most + 1))).encode(), 20)
    assert str(path[-1]) in str(refused.value) and len(str(refused.value)) < 300


def test_a_save_brings_no_dice_for_entries_that_are_to_come() -> None:
    save = lesson_save()
    first = save[0]["dice"][0] if "dice" in save[0] else None
    chosen = {"from": 0, "made": "chosen", "digest": "", "seed": "3", "shares": []}
    later = {**chosen, "from": len(save) - 1, "seed": "4"}
    save[0].pop("seed", None)
    save[0]["dice"] = [first or chosen, later]
    with pytest.raises(SaveError, match="entries that it does not have"):
        packed_of(text_of(save).encode(), 20)
    save[0]["dice"] = [first or chosen, {**later, "from": len(save) - 2}]
    packed_of(text_of(save).encode(), 20)


def test_a_player_with_a_name_of_megabytes_is_refused(client: TestClient) -> None:
    save = lesson_save()
    save[0]["controllers"] = {"axis": "human " + "x" * 900_000}
    response = sent(client, text_of(save))
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_save")
    assert len(response.content) < 1000 and client.get("/api/matches").json() == []


@pytest.mark.parametrize("token", ["1e400", "-1e400", "1.5", "NaN", "Infinity", "-Infinity", "9" * 5000])
@pytest.mark.parametrize("path", [[0, "seed"], [0, "rules_version"], [0, "position", "turn"], [-1, "end"]])
def test_numbers_that_are_none_are_refused(token: str, path: list[Any]) -> None:
    save = changed(lesson_save(), path, f"\0raw:{token}")
    if path == [0, "seed"]:
        save[0].pop("dice", None)
    with pytest.raises(SaveError, match=r"line|seed"):
        packed_of(text_of(save).encode(), 20)


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff\\ud800", "\\uD83D"])
def test_half_characters_are_refused(client: TestClient, half: str) -> None:
    save = text_of(changed(lesson_save(), [0, "title"], f'\0raw:"A{half}"'))
    response = sent(client, save)
    assert response.status_code == 422 and "half a character" in response.json()["error"]["message"]


def test_seeds_of_any_length_are_answered(client: TestClient) -> None:
    for seed in (2**255, -(2**255) - 1, 10**400):
        save = lesson_save()
        save[0].pop("dice", None)
        response = sent(client, text_of(changed(save, [0, "seed"], seed)))
        assert response.status_code == 422, response.text


# -- titles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title", ["A\u2028B", "A\u2029B", "A\x85B", "A\x1cB\x1d\x1eC", "A\x0bB\x0cC", "A\rB", "A\nB", "Ä € 🎲"]
)
def test_what_is_exported_can_be_imported_whatever_the_title(client: TestClient, title: str) -> None:
    duel = Duelist.start(client, title=title)
    exported = client.get(duel.url("export"), params=duel.auth("red")).content
    response = sent(client, exported)
    assert response.status_code == 201, response.text
    again = Session.load(exported.decode())
    assert again.header.title == title


def test_lines_may_end_as_on_windows() -> None:
    text = new_session("duel", "short", seed=1).save().replace("\n", "\r\n")
    assert Session.load(text).version == 0


# -- what it may cost ----------------------------------------------------------------------------------


def long_save(entries: int) -> bytes:
    first, end = lines_of(new_session("duel", "long", seed=1).save())
    line = json.dumps({"seat": "red", "action": "@control human"})
    end = {**end, "end": entries}
    return "\n".join([json.dumps(first), *[line] * entries, json.dumps(end)]).encode()


@pytest.fixture
def reader() -> Iterator[Any]:
    made: list[SaveReader] = []

    def make(**budget: Any) -> SaveReader:
        made.append(SaveReader(Budget(**budget)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_save_that_takes_too_long_is_refused_and_the_next_one_is_read(reader: Any) -> None:
    slow = reader(seconds=0.2)
    with pytest.raises(SaveError, match="more time or memory"):
        slow.read_now(long_save(200_000))
    assert slow.read_now(long_save(2)).lines


def bomb() -> bytes:
    """Fifteen megabytes of text that take many times as much memory."""
    lines = [json.dumps(line) for line in lines_of(new_session("duel", "short", seed=1).save())]
    nested = "[" + ",".join(["{}"] * 300_000) + "]"
    return "\n".join([lines[0], *[nested] * 16, lines[-1]]).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
def test_a_save_that_takes_too_much_memory_is_refused_and_the_next_one_is_read(reader: Any) -> None:
    small = reader(megabytes=250)
    with pytest.raises(SaveError, match="more time or memory"):
        small.read_now(bomb())
    assert small.read_now(long_save(2)).lines


def test_a_save_nested_without_end_is_refused(reader: Any) -> None:
    save = text_of(changed(lesson_save(), [0, "position", "units"], "\0raw:" + "[" * 400_000 + "]" * 400_000))
    with pytest.raises(SaveError, match="not JSON"):
        reader().read_now(save.encode())


def test_a_reader_that_dies_is_replaced(reader: Any) -> None:
    one = reader()
    one.read_now(long_save(1))
    os.kill(one._process.pid, signal.SIGKILL)
    with pytest.raises(SaveError, match="more time or memory"):
        one.read_now(long_save(1))
    assert one.read_now(long_save(1)).lines


def test_others_notice_nothing_while_a_save_is_read(config: ServerConfig) -> None:
    """The process that reads is held, so that the read does not end: everything else is answered."""
    with connect(config) as client, ThreadPoolExecutor(2) as others:
        duel = Duelist.start(client)
        assert sent(client, long_save(1)).status_code == 201
        pid = reader_pid(client)
        os.kill(pid, signal.SIGSTOP)
        try:
            waiting = others.submit(sent, client, long_save(5000), **{"idempotency-key": "k" * 24})
            while not client.get("/api/import", headers={"idempotency-key": "k" * 24}).json()["total"]:
                time.sleep(0.02)
            duel.act("red", "hide 3")
            duel.act("blue", "guess 2")
            assert client.get("/api/games").status_code == 200
            assert not waiting.done()
        finally:
            os.kill(pid, signal.SIGCONT)
        assert waiting.result().status_code == 201


def test_who_sends_many_saves_lets_others_go_first(reader: Any) -> None:
    done = list[str]()

    async def send(one: SaveReader, group: str) -> None:
        await one.read(long_save(1), group=group)
        done.append(group)

    async def all_of_them() -> None:
        one = reader()
        await asyncio.gather(*(send(one, group) for group in ("many", "many", "many", "many", "other")))

    asyncio.run(all_of_them())
    assert done in (["many", "many", "other", "many", "many"], ["many", "other", "many", "many", "many"])


def test_when_too_many_wait_the_next_is_told_to_come_again(config: ServerConfig, monkeypatch: Any) -> None:
    monkeypatch.setattr(reading, "MOST_OF_ONE", 1)
    with connect(config) as client, ThreadPoolExecutor(2) as others:
        assert sent(client, long_save(1)).status_code == 201
        pid = reader_pid(client)
        os.kill(pid, signal.SIGSTOP)
        try:
            waiting = others.submit(sent, client, long_save(2), **{"idempotency-key": "k" * 24})
            while not client.get("/api/import", headers={"idempotency-key": "k" * 24}).json()["total"]:
                time.sleep(0.02)
            refused = sent(client, long_save(3))
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
            assert int(refused.headers["retry-after"]) > 0
        finally:
            os.kill(pid, signal.SIGCONT)
        assert waiting.result().status_code == 201


def test_progress_is_reported_to_who_sends_the_save(reader: Any) -> None:
    told: list[tuple[int, int]] = []
    reader().read_now(long_save(60_000), lambda done, total: told.append((done, total)))
    assert told and all(0 < done <= total == 60_001 for done, total in told)
    assert told == sorted(told)


def test_nobody_hears_of_the_imports_of_others(client: TestClient) -> None:
    assert client.get("/api/import").json() == {"done": 0, "total": 0}
    assert client.get("/api/import", headers={"idempotency-key": "z" * 24}).json() == {"done": 0, "total": 0}


def test_the_command_line_keeps_the_same_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(long_save(100_000))

    def imports() -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["rasputitsa", "import", str(file), "--data", str(tmp_path / "data")])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().err

    small = replace(ServerConfig(), import_budget=Budget(seconds=0.1), max_import=20_000_000)
    monkeypatch.setattr("rasputitsa.server.config.ServerConfig", lambda: small)
    code, said = imports()
    assert code == 1 and "more time or memory" in said
    monkeypatch.setattr("rasputitsa.server.config.ServerConfig", lambda: replace(small, max_import=1000))
    code, said = imports()
    assert code == 1 and "larger than 1,000 bytes" in said
