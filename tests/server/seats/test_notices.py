"""Notices: players who are away learn once that it is their turn, at the address they gave, and of nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.server.config import NoticeSettings, ServerConfig
from rasputitsa.server.notices import notifier
from rasputitsa.server.store import Store
from rasputitsa.server.store.uptimes import Uptime
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim
from tests.server.seats.test_rematch import refusal, resigned
from tests.server.seats.test_seats import post

URL = "https://games.example"
MINUTE = 60.0


class Endpoint(ThreadingHTTPServer):
    """A local web server that keeps what it is told, and answers as it is bidden."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told: list[dict[str, Any]] = []
        self.answer = 204
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def address(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"

    def heard(self) -> list[str]:
        """The texts since this was asked last."""
        texts = [told["text"] for told in self.told]
        self.told.clear()
        return texts


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.told.append(json.loads(body))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


class House:
    """A server that tells people, with a clock that the test sets."""

    def __init__(self, client: TestClient) -> None:
        self.client, self.now = client, 0.0
        self.store = rooms_of(client).store
        self.store.up = Uptime(0, lambda: self.now)

    def look(self, seconds: float = 0.0) -> None:
        """Let time pass, and the server look."""
        self.now += seconds
        self.call("look")

    def begin(self) -> None:
        """What is done when the server starts."""
        self.call("begin")

    def call(self, what: str) -> None:
        """Have the server do it, where it runs."""
        assert self.client.portal is not None and isinstance(self.client.app, FastAPI)
        work: Callable[[], Awaitable[None]] = getattr(self.client.app.state.telling, what)
        self.client.portal.call(work)

    def leads_to(self, found: str | Exception) -> list[str]:
        """What every name leads to from now on; the names that are looked up."""
        asked: list[str] = []

        async def lookup(host: str, port: int) -> list[str]:
            asked.append(host)
            if isinstance(found, Exception):
                raise found
            return [found]

        assert isinstance(self.client.app, FastAPI)
        self.client.app.state.telling._lookup = lookup
        return asked

    def away(self, seconds: float = MINUTE) -> None:
        """The server looks, time passes, and it looks again."""
        self.look()
        self.look(seconds)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    yield endpoint
    endpoint.shutdown()
    endpoint.server_close()


@pytest.fixture
def noticing(config: ServerConfig, monkeypatch: pytest.MonkeyPatch) -> ServerConfig:
    monkeypatch.setattr(notifier.Notifier, "seconds", 1e6)
    return replace(config, local=False, notices=NoticeSettings(URL, inside=True))


@pytest.fixture
def house(noticing: ServerConfig) -> Iterator[House]:
    with connect(noticing, host="10.0.0.1") as client:
        yield House(client)


def tell(duel: Duelist, seat: str, address: str) -> None:
    answer = post(duel, "notices", seat, form="json", address=address)
    assert answer.status_code == 200, answer.text


def way(duel: Duelist, seat: str) -> Any:
    answer = duel.client.get(duel.url("notices"), params=duel.auth(seat))
    assert answer.status_code == 200, answer.text
    return answer.json()["way"]


def table(house: House, endpoint: Endpoint, seat: str = "blue", title: str = "Friday") -> Duelist:
    """A match of two people, one of whom wants to be told, and knows it."""
    duel = Duelist.between_two(house.client, title=title)
    tell(duel, seat, endpoint.address())
    house.look()
    (first,) = endpoint.heard()
    assert first.startswith(f"You will get notices here when it is your turn: {title}")
    return duel


def test_who_is_away_is_told_once_for_each_turn(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    house.away()
    assert endpoint.heard() == [], "it is Red's turn"
    duel.act("red", "hide 3")
    house.look()
    house.look(MINUTE - 1)
    assert endpoint.heard() == [], "perhaps Blue is coming"
    house.look(1)
    (told,) = endpoint.told
    assert told["text"].startswith("It is your turn: Friday (")
    assert told["link"] == f"{URL}/#/match/{duel.id}" and told["stop"].startswith(f"{URL}/#/notices/")
    endpoint.heard()
    for _ in range(3):
        house.away(24 * 60 * MINUTE)
    assert endpoint.heard() == [], "once"
    for seat, action in [("blue", "guess 2"), ("blue", "roll"), ("red", "done")]:
        duel.act(seat, action)
    house.away()
    assert len(endpoint.heard()) == 1, "the next turn"


def test_who_leaves_in_the_middle_of_a_turn_knows_of_it(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    duel.act("blue", "guess 2")
    house.away()
    house.away()
    assert endpoint.heard() == []


def test_what_others_agree_on_meanwhile_makes_no_second_notice(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    house.away()
    assert len(endpoint.heard()) == 1
    named = {"kind": "human", "name": "Anna"}
    assert post(duel, "controllers", "red", controller=named).status_code == 200
    house.away()
    assert endpoint.heard() == []


def test_nobody_is_told_what_is_in_sight(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    with duel.live("blue") as window:
        window.receive_json()
        duel.act("red", "hide 3")
        house.away()
        house.away()
        assert endpoint.heard() == []
        window.send_json({"type": "ping", "hidden": True})
        while window.receive_json()["type"] != "pong":
            pass
        house.look()
        house.look(MINUTE / 2)
        window.send_json({"type": "ping"})
        while window.receive_json()["type"] != "pong":
            pass
        house.look(MINUTE)
        assert endpoint.heard() == [], "seen meanwhile"
        window.send_json({"type": "ping", "hidden": True})
        while window.receive_json()["type"] != "pong":
            pass
        house.away()
        assert len(endpoint.heard()) == 1, "out of sight"


def test_what_goes_to_one_address_goes_together(house: House, endpoint: Endpoint) -> None:
    duels = [table(house, endpoint, title=title) for title in ("Friday", "Sunday", "Monday")]
    for duel in duels:
        duel.act("red", "hide 3")
    house.look()
    duels[2].act("blue", "guess 2")
    house.look(MINUTE)
    (told,) = endpoint.heard()
    assert told.startswith("It is your turn in 2 games: ") and "Monday" not in told
    assert "Friday" in told and "Sunday" in told


def test_who_has_answered_before_it_goes_out_is_not_told(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    endpoint.answer = 503
    house.away()
    assert len(endpoint.heard()) == 1 and way(duel, "blue")["trouble"] == "answered 503"
    endpoint.answer = 204
    duel.play([("blue", "guess 2"), ("blue", "roll"), ("red", "done"), ("blue", "done")])
    house.look(10 * MINUTE)
    assert endpoint.heard() == []


def test_it_is_tried_again_some_times_and_then_given_up(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    endpoint.answer = 500
    house.away()
    for minutes in (0.9, 0.2, 4.9, 0.2, 31, 121, 500, 500):
        house.look(minutes * MINUTE)
    assert len(endpoint.heard()) == 5
    endpoint.answer = 404
    tell(duel, "blue", endpoint.address("other"))
    for _ in range(4):
        house.look(10 * MINUTE)
    assert len(endpoint.heard()) == 2, "the first notice and that of the turn, each once: it is of no use"
    assert way(duel, "blue")["trouble"] == "answered 404"
    endpoint.answer = 204
    tell(duel, "blue", endpoint.address())
    house.look()
    assert way(duel, "blue")["trouble"] == "" and len(endpoint.heard()) == 1


def test_a_restart_tells_nothing_twice_and_forgets_nothing(noticing: ServerConfig, endpoint: Endpoint) -> None:
    with connect(noticing, host="10.0.0.1") as client:
        house = House(client)
        duel = table(house, endpoint)
        duel.act("red", "hide 3")
        house.look()
        house.now += MINUTE
        house.store.note_asked(set())  # laid by, and the server ends before it is sent
    with connect(noticing, host="10.0.0.1") as client:
        house = House(client)
        house.begin()
        house.away()
        assert len(endpoint.heard()) == 1
        duel.client = client
        duel.play([("blue", "guess 2"), ("blue", "roll"), ("red", "done")])
        house.look()
        house.now += MINUTE
        house.store.note_asked(set())
        assert len(house.store.due_notices()) == 1  # under way, and the server ends before it is noted as sent
    with connect(noticing, host="10.0.0.1") as client:
        house = House(client)
        house.begin()
        house.away()
        house.away(60 * MINUTE)
        assert endpoint.heard() == [], "it may have arrived"


class PowerError(Exception):
    """Is cut."""


@pytest.mark.parametrize("step", ["notice: laid by", "notice: under way", "commit"])
def test_what_breaks_off_is_done_whole_at_the_next_look(house: House, endpoint: Endpoint, step: str) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    house.look()
    store, names = house.store, [step]

    def cut(name: str) -> None:
        if name in names:
            names.remove(name)
            raise PowerError

    store._step = cut
    house.now += MINUTE
    with pytest.raises(PowerError):
        store.note_asked(set())
        store.due_notices()
    house.look()
    assert len(endpoint.heard()) == 1


def test_nobody_is_told_of_a_game_against_the_computer_or_one_that_is_over(house: House, endpoint: Endpoint) -> None:
    alone = Duelist.start(house.client, controllers={"blue": {"kind": "bot", "bot": "random"}})
    tell(alone, "red", endpoint.address())
    alone.act("red", "hide 3")
    while alone.view("red")["decision"]["seat"] != "red":
        time.sleep(0.05)  # the computer thinks
    house.look()
    endpoint.heard()
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    resigned(duel)
    house.away()
    assert endpoint.heard() == []


def test_a_seat_that_changes_hands_takes_nobody_elses_address_along(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    token = post(duel, "invitations", "blue", of="blue", kind="guest").json()["token"]
    duel.keys["blue"] = claim(house.client, token)["key"]
    assert way(duel, "blue") is None
    duel.act("red", "hide 3")
    house.away()
    assert endpoint.heard() == []


def test_whoever_is_told_may_end_it_for_all_games(house: House, endpoint: Endpoint) -> None:
    duels = [table(house, endpoint), table(house, endpoint)]
    other = Duelist.between_two(house.client)
    tell(other, "blue", endpoint.address("another"))
    for duel in (*duels, other):
        duel.act("red", "hide 3")
    house.away()
    stop = next(told["stop"] for told in endpoint.told if "Friday" in told["text"]).rpartition("/")[2]
    endpoint.heard()
    assert refusal(house.client, "/api/notices/stop", {"token": "x"}) == "unknown_notice"
    assert house.client.post("/api/notices/stop", json={"token": stop}).status_code == 200
    assert refusal(house.client, "/api/notices/stop", {"token": stop}) == "unknown_notice"
    assert [way(duel, "blue") for duel in duels] == [None, None] and way(other, "blue") is not None
    assert post(other, "notices/off", "blue").status_code == 200
    assert way(other, "blue") is None


def test_where_a_player_is_told_is_for_that_seat_alone(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    assert way(duel, "blue") == {"form": "json", "address": endpoint.address(), "trouble": "", "waiting": False}
    assert way(duel, "red") is None
    assert house.client.get(duel.url("notices")).json() == {"offered": True, "mail": False, "push": "", "way": None}
    body = {"seat": "blue", "key": duel.keys["red"], "form": "json", "address": endpoint.address()}
    assert refusal(house.client, duel.url("notices"), body) == "bad_key"
    assert refusal(house.client, duel.url("notices/off"), {"seat": "blue", "key": "x"}) == "bad_key"
    assert (
        refusal(house.client, duel.url("notices"), {**duel.auth("blue"), "form": "json", "address": "x"})
        == "bad_request"
    )
    assert way(duel, "blue") is not None


def test_no_notice_holds_anything_that_is_secret_or_opens_a_seat(house: House, endpoint: Endpoint) -> None:
    duel = table(house, endpoint)
    duel.act("red", "hide 3")
    house.away()
    (told,) = endpoint.told
    assert set(told) == {"text", "link", "stop"}
    assert not any(secret in json.dumps(told) for secret in (*duel.keys.values(), *duel.links.values(), "hide", "seed"))
    stop = {"token": told["stop"].rpartition("/")[2]}
    assert refusal(house.client, duel.url("view") + "?seat=blue&key=" + stop["token"], {}) != ""


def test_a_server_whose_host_has_not_set_it_up_tells_nobody(config: ServerConfig, endpoint: Endpoint) -> None:
    with connect(replace(config, local=False), host="10.0.0.1") as client:
        duel = Duelist.between_two(client)
        assert client.get(duel.url("notices")).json()["offered"] is False
        body = {**duel.auth("red"), "form": "json", "address": endpoint.address()}
        assert refusal(client, duel.url("notices"), body) == "no_notices"


PRIVATE = "the address is not a public one"


def test_without_the_hosts_leave_nothing_goes_to_the_hosts_own_network(
    noticing: ServerConfig, endpoint: Endpoint
) -> None:
    with connect(replace(noticing, notices=NoticeSettings(URL)), host="10.0.0.1") as client:
        house = House(client)
        duel = Duelist.between_two(client)
        house.leads_to("8.8.8.8")
        tell(duel, "blue", endpoint.address().replace("127.0.0.1", "hook.example"))
        house.leads_to("127.0.0.1")  # the name has changed hands
        house.look()
        assert endpoint.heard() == [] and way(duel, "blue")["trouble"] == PRIVATE


def test_an_address_that_nothing_would_go_to_is_refused_when_it_is_given(noticing: ServerConfig) -> None:
    settings = NoticeSettings(URL, never=("8.8.8.0/24",))
    with connect(replace(noticing, notices=settings), host="10.0.0.1") as client:
        house, duel = House(client), Duelist.between_two(client)

        def reason(address: str, key: str = duel.keys["blue"]) -> Any:
            body = {"seat": "blue", "key": key, "form": "json", "address": address}
            answer = client.post(duel.url("notices"), json=body)
            return answer.json()["error"]["message"] if answer.status_code == 400 else answer.status_code

        for host in ("127.0.0.1", "[::1]", "10.1.2.3", "2130706433", "localhost", "[::ffff:169.254.169.254]"):
            assert reason(f"http://{host}/") == PRIVATE
        assert reason("http://8.8.8.8/") == "the host of this server lets no notice go to that address"
        house.leads_to("192.168.1.1")
        assert reason("https://inside.example/") == PRIVATE
        asked = house.leads_to("127.0.0.1")
        assert reason("https://inside.example/", "no key") == 403 and not asked, "nobody else has names looked up"
        assert way(duel, "blue") is None
        house.leads_to(OSError("not found"))
        assert reason("https://later.example/") == 200


def test_places_named_by_one_address_are_limited_by_the_hour(noticing: ServerConfig, endpoint: Endpoint) -> None:
    limited = replace(noticing, limits=noticing.limits.changed(["notices=2"]))
    with connect(limited, host="10.0.0.1") as client:
        duel = Duelist.between_two(client)
        tell(duel, "blue", endpoint.address())
        tell(duel, "red", endpoint.address())
        body = {**duel.auth("red"), "form": "json", "address": endpoint.address()}
        assert refusal(client, duel.url("notices"), body) == "too_many"


def test_a_damaged_row_harms_no_other_notice(house: House, endpoint: Endpoint) -> None:
    bad, good = table(house, endpoint), table(house, endpoint)
    for duel in (bad, good):
        duel.act("red", "hide 3")
    with house.store._writing() as connection:
        connection.exec_driver_sql(
            "UPDATE notice_ways SET form = 'pigeon', address = 'x y' WHERE match_id = ?", (int(bad.id),)
        )
    house.away()
    assert len(endpoint.heard()) == 1


def test_the_store_tells_nobody_where_nobody_asks(tmp_path: Any) -> None:
    store = Store(tmp_path / "matches.db")
    store.note_asked(set())
    assert store.due_notices() == [] and store.drop_unsure() == 0
    store.close()
