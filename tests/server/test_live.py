"""Windows that are told of changes, and the bots that make them."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import subscriber as windows
from rasputitsa.server.matches.rooms import SEATS_CHANGED, Rooms
from rasputitsa.server.matches.subscriber import Subscriber
from rasputitsa.server.routes.talk import TALK
from rasputitsa.server.shapes.live import LiveMessage
from rasputitsa.server.store import Store
from rasputitsa.server.workers import bots
from tests.server import workers
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim
from tests.support import PATIENCE

BOT = {"kind": "bot", "bot": "random"}


def test_every_window_is_told_what_its_seat_may_know(duel: Duelist) -> None:
    with duel.live("red") as red, duel.live("red") as red_too, duel.live("blue") as blue:
        for window in (red, red_too, blue):
            message = window.receive_json()
            assert (message["type"], message["view"]["version"]) == ("view", 0)
        duel.act("red", "hide 3")
        views = [window.receive_json()["view"] for window in (red, red_too, blue)]
        assert [view["version"] for view in views] == [1, 1, 1]
        assert [view["secret"] for view in views] == [3, 3, None]
        assert [view["decision"]["mine"] for view in views] == [False, False, True]
        assert views[2]["last_events"][0]["action"] == ""


def test_a_window_gets_everything_since_it_last_looked(duel: Duelist) -> None:
    with duel.live("blue") as blue:
        blue.receive_json()
        seen: list[int] = []
        for seat, action in [("red", "hide 3"), ("blue", "guess 1"), ("blue", "roll"), ("red", "walk A2-A3")]:
            duel.act(seat, action)
        while not seen or seen[-1] < 4:
            seen += [item["ply"] for item in blue.receive_json()["view"]["last_events"]]
        assert seen == [0, 1, 2, 3, 4], "nothing twice, nothing left out"


def test_an_undo_reaches_the_other_window(duel: Duelist) -> None:
    for seat, action in [("red", "hide 3"), ("blue", "guess 1"), ("blue", "roll"), ("red", "walk A2")]:
        duel.act(seat, action)
    with duel.live("blue") as blue:
        assert blue.receive_json()["view"]["ply"] == 4
        duel.undo("red")
        assert blue.receive_json()["view"]["ply"] == 3
        duel.undo("red", to=0)
        assert blue.receive_json()["view"]["undo_offers"] == {"red": 0}


def test_a_window_needs_the_key(duel: Duelist) -> None:
    with duel.live("red", key=duel.keys["blue"]) as window:
        assert window.receive_json()["code"] == "bad_key"
        with pytest.raises(WebSocketDisconnect) as closed:
            window.receive_json()
        assert closed.value.code == 4403
    nowhere = Duelist(duel.client, "999", duel.keys)
    with nowhere.live("red") as window:
        assert window.receive_json()["code"] == "unknown_match"


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}])
def test_other_sites_cannot_open_a_window(duel: Duelist, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), duel.live("red", **headers):
        pass


def test_a_window_may_send_nonsense(duel: Duelist) -> None:
    with duel.live("red") as window:
        window.receive_json()
        for text in ("", "{", "[]", "[" * 900, '{"type": 3}', "x" * 100_000, '{"type": "hurry"}'):
            window.send_text(text)
        for length in (1001, 1000):
            window.send_text('{"type": "ping"}'.ljust(length))
        assert window.receive_json() == {"type": "pong"}
        window.send_json({"type": "view"})
        assert window.receive_json()["type"] == "view", "one of them was answered, and not the one that is too long"


def test_a_window_that_asks_for_everything_again_and_again_gets_it_a_few_times(
    duel: Duelist, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view is 65 kB long and asking for it takes 15 bytes."""
    monkeypatch.setattr(windows, "WHOLE_SECONDS", 3600.0)
    with duel.live("red") as window:
        window.receive_json()
        window.send_text('{"type": "view"}')
        heard = [window.receive_json()["type"]]
        for _ in range(20):
            window.send_text('{"type": "view"}')
            window.send_text('{"type": "ping"}')
            while (message := window.receive_json())["type"] != "pong":
                heard.append(message["type"])
        assert set(heard) == {"view"} and len(heard) <= windows.WHOLE_BURST


def test_what_a_window_asks_for_too_often_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "WHOLE_SECONDS", 0.01)

    async def waits() -> bool:
        subscriber = Subscriber("red")
        for _ in range(windows.WHOLE_BURST + 3):
            subscriber.due = False
            subscriber.wake.clear()
            subscriber.show_all()
            await asyncio.wait_for(subscriber.wake.wait(), PATIENCE)
        return subscriber.due

    assert asyncio.run(waits())


def test_a_binary_message_harms_nobody(duel: Duelist) -> None:
    with duel.live("red") as red, duel.live("blue") as blue:
        red.receive_json(), blue.receive_json()
        red.send_bytes(b"\x00\xff")
        duel.act("red", "hide 3")
        assert blue.receive_json()["view"]["version"] == 1


def test_a_window_whose_key_is_void_counts_for_nobody_and_hurries_nobody(
    duel: Duelist, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that reads nothing keeps it open for a while, though somebody else may have the seat by now."""
    rooms, hurried = rooms_of(duel.client), []

    async def hurry(*_: object, **__: object) -> None:
        hurried.append("red")

    monkeypatch.setattr("rasputitsa.server.routes.live.hurry_bot", hurry)
    old = duel.client.post(duel.url("keys"), json=duel.auth("red")).json()["key"]
    with duel.live("red", key=old) as window:
        window.receive_json()
        assert rooms.watched() == {(int(duel.id), "red")} and rooms.attended(int(duel.id))
        assert duel.client.post(duel.url("keys/only"), json=duel.auth("red")).status_code == 200
        assert window.receive_json()["code"] == "bad_key"
        assert not rooms.watched() and not rooms.attended(int(duel.id))
        window.send_text('{"type": "hurry"}')
    assert not hurried


def test_windows_are_told_of_a_deletion(duel: Duelist) -> None:
    with duel.live("red") as red:
        red.receive_json()
        duel.client.delete(f"/api/matches/{duel.id}")
        assert red.receive_json()["code"] == "deleted"
        with pytest.raises(WebSocketDisconnect):
            red.receive_json()


# -- bots ----------------------------------------------------------------------------------------------


def bots_at_rest(client: TestClient, duel: Duelist) -> None:
    """Wait until no bot of the match thinks or will be asked again."""
    room = rooms_of(client)._in_memory[int(duel.id)]
    end = time.monotonic() + PATIENCE
    while room.bots is not None and not room.bots.done():
        assert time.monotonic() < end, "a bot still thinks"
        time.sleep(0.02)


def wait_for(duel: Duelist, seat: str, done: Any, seconds: float = PATIENCE) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        view = duel.view(seat)
        if done(view):
            return view
        time.sleep(0.05)
    raise AssertionError(f"still waiting after {seconds} s: {view['decision']}")


def my_turn(view: dict[str, Any]) -> bool:
    return view["decision"] is None or view["decision"]["mine"]


def test_a_bot_answers_and_windows_see_it(client: TestClient) -> None:
    duel = Duelist.start(client, controllers={"blue": BOT})
    with duel.live("red") as red:
        red.receive_json()
        duel.act("red", "hide 3")
        seen: list[str] = []
        while "roll" not in seen:
            message = red.receive_json()
            seen += [item["action"] for item in message["view"]["last_events"]]
        assert seen[0] == "hide 3" and seen[1].startswith("guess ") and seen[2] == "roll"


def test_two_bots_play_a_match_to_its_end(client: TestClient) -> None:
    duel = Duelist.start(client, controllers={"red": BOT, "blue": BOT})
    view = wait_for(duel, "red", lambda view: view["outcome"])
    assert view["turn"]["number"] == 3


def test_a_seat_changes_hands_in_mid_game_and_the_log_says_so(client: TestClient) -> None:
    duel = Duelist.start(client)
    duel.act("red", "hide 3")
    url = duel.url("controllers")
    for controller in ({"kind": "bot"}, {"kind": "bot", "bot": "none"}):
        assert client.post(url, json={**duel.auth("blue"), "controller": controller}).status_code == 400
    refused = client.post(url, json={**duel.auth("blue"), "key": duel.keys["red"], "controller": BOT})
    assert refused.status_code == 403
    answer = client.post(url, json={**duel.auth("blue"), "controller": BOT})
    assert answer.json()["view"]["controllers"]["blue"] == BOT
    wait_for(duel, "red", my_turn)
    duel.refused("blue", "done", 409, "not_your_seat")
    back = client.post(url, json={**duel.auth("blue"), "controller": {"kind": "human", "name": "Jan"}})
    assert back.json()["view"]["controllers"]["blue"] == {"kind": "human", "name": "Jan"}
    actions = [item["action"] for item in client.get(duel.url("log"), params=duel.auth("red")).json()]
    assert actions[1] == "@control bot random" and actions[-1] == "@control human Jan"
    duel.act("red", "done")
    duel.act("blue", "done")


def test_a_bot_goes_on_after_a_restart_with_nobody_looking(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.start(client, controllers={"blue": BOT})
        rooms_of(client).bots.close()
        duel.act("red", "hide 3")
    with connect(config) as client:
        end = time.monotonic() + PATIENCE
        while client.get("/api/matches").json()[0]["to_move"] != "red":
            assert time.monotonic() < end, "the bot does not go on"
            time.sleep(0.1)


def test_a_killed_worker_is_replaced(client: TestClient) -> None:
    duel = Duelist.start(client, scenario="long", controllers={"blue": BOT})
    duel.act("red", "hide 3")
    wait_for(duel, "red", my_turn)
    for _ in range(3):
        (worker,) = rooms_of(client).bots._workers
        pid = worker.process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        while not duel.view("red")["decision"]["options"][0]["action"].startswith("hide"):
            duel.act("red", "done")
            wait_for(duel, "red", my_turn)
        duel.act("red", "hide 1")
        wait_for(duel, "red", my_turn)


def test_a_worker_that_always_dies_is_reported_and_the_seat_can_be_taken_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(bots, "serve", workers.die)
        duel = Duelist.start(client, controllers={"blue": BOT})
        error = error_after_hiding(duel)
        bots_at_rest(client, duel)
    assert error["message"] == "the computer player random could not finish its move"
    foreign = duel.send({**duel.body("red", "guess 3"), "seat": "blue"})
    assert foreign.json()["error"]["code"] == "bad_key", "the computer's seat is nobody's"
    duel.take_over("blue", by="red")
    duel.act("blue", "guess 3")


def test_a_bot_that_gave_up_tries_again_when_asked(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(bots, "serve", workers.die)
        duel = Duelist.start(client, controllers={"blue": BOT})
        error_after_hiding(duel)
        bots_at_rest(client, duel)
    assert client.post(duel.url("hurry"), json=duel.auth("red")).status_code == 200
    wait_for(duel, "red", my_turn)


def test_a_bot_cannot_break_the_rules(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "serve", workers.cheat)
    duel = Duelist.start(client, controllers={"blue": BOT})
    assert error_after_hiding(duel)["message"] == "the computer player random failed", "why is in the log alone"
    assert duel.view("red")["ply"] == 1


def test_a_bot_is_told_no_secrets(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "serve", workers.peek)
    duel = Duelist.start(client, controllers={"blue": BOT})
    duel.act("red", "hide 3")
    wait_for(duel, "red", my_turn)
    items = client.get(duel.url("log"), params=duel.auth("red")).json()
    assert items[1]["action"] == "guess 1", "it would have guessed 3 had it seen it"


def error_after_hiding(duel: Duelist) -> dict[str, Any]:
    with duel.live("red") as red:
        red.receive_json()
        duel.act("red", "hide 3")
        while (message := red.receive_json())["type"] != "error":
            pass
    assert message["code"] == "bot"
    error: dict[str, Any] = message
    return error


def test_thinking_is_shown_holds_nobody_up_and_can_be_hurried(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "serve", workers.slow)
    with connect(replace(config, bot_seconds=60)) as client:
        duel = Duelist.start(client, controllers={"blue": BOT})
        with duel.live("red") as red:
            red.receive_json()
            duel.act("red", "hide 3")
            while (message := red.receive_json())["type"] != "thinking":
                pass
            assert message == {"type": "thinking", "seat": "blue", "done": 1, "total": 60, "text": "thinking"}
            other = Duelist.start(client)
            other.act("red", "hide 1")
            assert duel.view("red")["ply"] == 1, "it still thinks"
            assert client.post(duel.url("hurry"), json={**duel.auth("red"), "key": "x"}).status_code == 403
            assert client.post(duel.url("hurry"), json=duel.auth("red")).status_code == 200
            wait_for(duel, "red", lambda view: view["ply"] == 2, 40)
            red.send_json({"type": "hurry"})
            wait_for(duel, "red", lambda view: view["ply"] == 3, 40)


def test_a_computer_player_is_hurried_once_for_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that thinks reads nothing: a few hundred more would fill the pipe, and the server would stand still."""
    ours, theirs = multiprocessing.Pipe()
    worker, turn = bots._Worker(), cast(Any, SimpleNamespace(match_id=7, bot="random"))
    monkeypatch.setattr(worker.process, "_pipe", ours)
    with ThreadPoolExecutor(1) as threads:
        for _ in range(2):
            choice = threads.submit(worker._ask, turn, PATIENCE, lambda *_: None)
            assert theirs.recv()[0].match_id == 7
            for match_id in (7, 7, 8, 7):
                worker.hurry(match_id)
            theirs.send(("done", "pass", None))
            assert choice.result().action == "pass"
            assert theirs.recv() == bots.HURRY and not theirs.poll()


def test_nobody_of_the_other_side_hurries_the_computer_beside_a_partner(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays the worse for it; a partner may, and so may a player against the computer alone."""
    hurries: list[int] = []
    monkeypatch.setattr(bots, "serve", workers.slow)
    monkeypatch.setattr(bots.BotPool, "hurry", lambda pool, match_id: hurries.append(match_id))
    with connect(replace(config, bot_seconds=3600)) as client:
        four = {"game": "portfolio", "scenario": "june22", "players": 4, "controllers": {"axis_north": BOT}}
        match = Duelist.start(client, **four, guests=["axis_south"])
        match.keys["axis_south"] = claim(client, match.links["axis_south"])["key"]
        assert match.view("soviet_north")["decision"]["seat"] == "axis_north"
        hurried = client.post(match.url("hurry"), json=match.auth("soviet_north"))
        assert (hurried.status_code, hurried.json()["error"]["code"]) == (403, "not_yours")
        renamed = {**match.auth("soviet_north"), "controller": {"kind": "human", "name": "Boris"}}
        assert client.post(match.url("controllers"), json=renamed).status_code == 200
        with match.live("soviet_north") as enemy:
            enemy.receive_json()
            enemy.send_json({"type": "hurry"})
            enemy.send_json({"type": "ping"})
            while enemy.receive_json()["type"] != "pong":
                pass
        assert hurries == []
        assert client.post(match.url("hurry"), json=match.auth("axis_south")).status_code == 200
        assert hurries == [int(match.id)]


def test_a_seat_taken_back_while_its_bot_thinks_is_the_persons(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "serve", workers.slow)
    with connect(replace(config, bot_seconds=60)) as client:
        duel = Duelist.start(client, controllers={"blue": BOT})
        with duel.live("red") as red:
            duel.act("red", "hide 3")
            while red.receive_json()["type"] != "thinking":
                pass
        duel.take_over("blue", by="red")
        duel.act("blue", "guess 3")
        bots_at_rest(client, duel)
        log = client.get(duel.url("log"), params=duel.auth("blue")).json()
        assert [item["action"] for item in log][-2:] == ["@control human", "guess 3"], "what the bot chose is dropped"


def test_a_server_that_ends_while_the_computer_thinks_has_nothing_to_complain_of(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bots, "serve", workers.slow)
    with connect(replace(config, bot_seconds=60)) as client:
        duel = Duelist.start(client, controllers={"blue": BOT})
        with duel.live("red") as red:
            duel.act("red", "hide 3")
            while red.receive_json()["type"] != "thinking":
                pass
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_work_that_nobody_waits_for_leaves_no_trace_in_the_log_when_its_match_is_deleted(
    config: ServerConfig, caplog: pytest.LogCaptureFixture
) -> None:
    """As a computer player's, whose task is cancelled."""
    with connect(config) as client:
        number = int(Duelist.start(client).id)

    async def deleted_meanwhile() -> None:
        rooms = Rooms(Store(config.database), cast(Any, None), config)
        room = await rooms.open(number)
        async with room.lock:
            reader = asyncio.create_task(rooms.read(room, lambda match: None))
            await asyncio.sleep(0.02)
            reader.cancel()
            room.gone = True
            await asyncio.sleep(0.02)
        while rooms._running:
            await asyncio.sleep(0.02)
        gc.collect()

    asyncio.run(deleted_meanwhile())
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def test_many_matches_of_one_stranger_do_not_keep_the_computer_from_others(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "serve", workers.pause)
    stranger, player = ({"x-forwarded-for": f"10.0.0.{number}"} for number in (1, 2))
    with connect(replace(config, local=False, proxies=("127.0.0.1",))) as client:
        client.headers.update(stranger)
        theirs = [Duelist.start(client, scenario="long", controllers={"red": BOT, "blue": BOT}) for _ in range(12)]

        def moves() -> int:
            return sum(client.get(duel.url("view")).json()["ply"] for duel in theirs)

        client.headers.update(player)
        mine = Duelist.start(client, controllers={"blue": BOT})
        mine.act("red", "hide 3")
        before = moves()
        wait_for(mine, "red", lambda view: view["ply"] >= 2, 20)
        assert moves() - before <= 6, "they take turns with the player, not twelve turns for one"


def test_a_window_is_not_told_to_ask_for_the_seats_as_often_as_somebody_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each such word has a page send requests of its own, which count for the address of its player."""

    async def heard() -> list[str]:
        subscriber, told = Subscriber("red"), list[str]()
        for _ in range(100):
            for notice in (SEATS_CHANGED, TALK):
                subscriber.notify(notice)
            told += [notice["type"] for notice in subscriber.take_notices()]
        subscriber.notify({"type": "pong"})
        return told + [notice["type"] for notice in subscriber.take_notices()]

    monkeypatch.setattr(windows, "NOTICE_SECONDS", 3600.0)
    assert asyncio.run(heard()) == ["seats", "talk"] * windows.NOTICE_BURST + ["pong"]


def test_what_a_window_was_not_told_at_once_it_is_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "NOTICE_SECONDS", 0.01)

    async def waits() -> list[LiveMessage]:
        subscriber = Subscriber("red")
        while "seats" not in subscriber._held_back:
            subscriber.notify(SEATS_CHANGED)
        subscriber.take_notices()
        subscriber.wake.clear()
        await asyncio.wait_for(subscriber.wake.wait(), PATIENCE)
        return subscriber.take_notices()

    assert asyncio.run(waits()) == [SEATS_CHANGED]
