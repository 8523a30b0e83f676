"""What one address may ask for: the counting, without a network."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Scope

from bench.load.server import NO_LIMIT, SOURCE, no_limits
from rasputitsa.server import logs
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.gate import throttle as throttle_module
from rasputitsa.server.gate.throttle import COSTLY, Throttle, cost_of
from rasputitsa.server.limits import Buckets, Limits, TokenBucket, address_key
from rasputitsa.server.matches import creating
from rasputitsa.server.routes import matches as routes
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

STRANGER = "10.1.2.3"


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"), ("fe80::1%eth0", "fe80::/64"), ("evil\n", "unknown"), (None, "unknown"),
    ],
)  # fmt: skip
def test_an_address_is_what_one_household_has(host: str | None, key: str) -> None:
    assert address_key(host) == key


def test_tokens_come_back_at_their_rate() -> None:
    bucket = TokenBucket(rate=2, burst=4, now=0)
    assert [bucket.take(1, 0) for _ in range(4)] == [0, 0, 0, 0]
    assert bucket.take(1, 0) == 0.5
    assert bucket.take(1, 0.5) == 0
    assert bucket.take(4, 1.5) == 1
    assert bucket.full(2.5)
    assert bucket.take(100, 2.5) == 0, "the most costly request passes a full bucket"
    assert bucket.take(1, 2.5) == 48.5, "and is paid for afterwards"


def test_full_buckets_are_forgotten() -> None:
    buckets = Buckets(rate=1, burst=2)
    for number in range(5000):
        buckets.take(str(number), 1, now=number * 0.001)
        if number >= 2500:
            buckets.take(str(number), 1, now=number * 0.01)
    assert len(buckets) < 3000


@pytest.mark.parametrize(
    "setting", ["nothing=3", "requests", "requests=", "requests=x", "requests=-1", "requests=nan", "requests=inf"]
)
def test_a_limit_that_makes_no_sense_is_refused_in_plain_words(setting: str) -> None:
    with pytest.raises(ValueError, match="limit"):
        Limits().changed([setting])


def test_limits_are_changed_by_name() -> None:
    limits = Limits().changed(["requests=5", "costly-at-once = 0"])
    assert (limits.requests, limits.costly_at_once, limits.windows) == (5, 0, Limits().windows)


def test_every_limit_is_in_the_manual_with_its_default() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "reference" / "limits.md").read_text()
    for name in Limits.__dataclass_fields__:
        assert f"| `{name}` | {getattr(Limits(), name):.0f} |" in manual, name


def test_what_works_the_server_hard_counts_for_more() -> None:
    for query in (b"seat=a", b"seat=%C3%A9", b"seat=\xc3\xa9", b"%ff=1"):
        assert cost_of("GET", "/api/matches/1/view", query) == 1
    for query in (b"%61t=3", b"x=1&a%74=2", b"at=3", b"seat=a&at=3"):
        assert cost_of("GET", "/api/matches/1/view", query) == 10
    assert (
        cost_of("POST", "/api/import", b"")
        > cost_of("POST", "/api/matches", b"")
        > cost_of("POST", "/api/matches/1/actions", b"")
    )


def test_files_of_the_page_count_for_little_since_a_page_without_one_of_them_does_not_come() -> None:
    """A school behind one address: thirty browsers ask for 24 of them each at the same moment."""
    assert 30 * 24 * cost_of("GET", "/assets/MatchPage-BjKdp_Bl.js", b"") < Limits().requests_burst / 2
    for path in ("/", "/assets/", "/assets/a/../../api/matches", "/api/matches/1/assets/x"):
        assert cost_of("GET", path, b"") >= 1


def test_requests_of_one_address_are_limited_and_those_of_another_are_not(config: ServerConfig) -> None:
    limits = Limits(requests=0.1, requests_burst=5)
    with connect(
        ServerConfig(data=config.data, client=config.client, bot_workers=1, limits=limits), STRANGER
    ) as client:
        answers = [client.get("/api/games") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert answers[5].json()["error"]["code"] == "too_many"
        assert 1 <= int(answers[5].headers["retry-after"]) <= 10
        other = TestClient(client.app, base_url="http://127.0.0.1:8000", client=("10.9.9.9", 1))
        assert other.get("/api/games").status_code == 200


def test_the_owner_of_the_machine_is_not_limited(config: ServerConfig) -> None:
    limits = Limits(requests=0.1, requests_burst=1, windows=1)
    with connect(
        ServerConfig(data=config.data, local=True, client=config.client, bot_workers=1, limits=limits)
    ) as client:
        duels = [Duelist.start(client) for _ in range(5)]
        with duels[0].live("red"), duels[0].live("red"), duels[1].live("red") as window:
            assert window.receive_json()["type"] == "view"


def test_a_calendar_counts_like_a_copy_and_the_list_of_open_tables_like_several_looks() -> None:
    """Two hundred turns take 75 ms to write, and two hundred tables 30."""
    for path in ("/api/calendar/token.ics", "/api/calendar/token", "/api/calendar/%20.ics"):
        assert cost_of("GET", path, b"") >= COSTLY
    assert cost_of("POST", "/api/calendar/void", b"") == 1
    assert cost_of("GET", "/api/tables", b"") == 6


def test_a_long_log_counts_for_more_than_what_came_last(
    config: ServerConfig, duel_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the match up while it is read, and an onlooker may ask for it."""
    monkeypatch.setattr(routes, "SHORT_LOG", 3)
    counted: list[float] = []
    real = Throttle.look_back

    def look_back(self: Throttle, client: Any, cost: float) -> Any:
        counted.append(cost)
        return real(self, client, cost)

    monkeypatch.setattr(Throttle, "look_back", look_back)
    with connect(replace(config, local=False), host=STRANGER) as client:
        duel = Duelist.start(client, scenario="long")
        duel.play(TURN)
        for start, most in ((0, 5), (3, 2), (10**9, 0), (1, 4)):
            answer = client.get(duel.url("log"), params={"from": start})
            assert answer.status_code == 200 and len(answer.json()) == most
    assert counted == [COSTLY, COSTLY], "from the beginning, and from near it"


def test_costly_requests_of_one_address_wait_for_each_other() -> None:
    throttle = Throttle(Limits(), local=False)
    scope: Scope = {"method": "POST", "path": "/api/import", "query_string": b"", "client": (STRANGER, 1)}
    at_once, most = 0, 0

    async def request(client: str) -> None:
        nonlocal at_once, most
        async with throttle.request({**scope, "client": (client, 1)}):
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.02)
            at_once -= 1

    async def many(clients: list[str]) -> None:
        await asyncio.gather(*map(request, clients))

    asyncio.run(many([STRANGER] * 6))
    assert most == 2
    asyncio.run(many([f"10.0.0.{number}" for number in range(6)]))
    assert most == 6


def test_strangers_make_matches_by_turns_from_however_many_addresses(
    config: ServerConfig, duel_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a player waits for one of them at most, and never behind all that wait."""
    at_once, most = set[object](), [0]

    def watched(real: Any) -> Any:
        def work(*args: Any, **kwargs: Any) -> Any:
            mark = object()
            at_once.add(mark)
            most[0] = max(most[0], len(at_once))
            time.sleep(0.01)
            try:
                return real(*args, **kwargs)
            finally:
                at_once.discard(mark)

        return work

    for module, name in ((routes, "new_scenario"), (creating, "pack"), (creating, "keep")):
        monkeypatch.setattr(module, name, watched(getattr(module, name)))

    with connect(replace(config, local=False), STRANGER) as here:

        def start(number: int) -> int:
            client = TestClient(here.app, base_url="http://127.0.0.1:8000", client=(f"10.0.{number}.1", 50000))
            client.portal = here.portal  # one server for all
            return client.post("/api/matches", json={"game": "duel", "scenario": "short"}).status_code

        with ThreadPoolExecutor(10) as strangers:
            assert list(strangers.map(start, range(10))) == [201] * 10
    assert most == [1]


def test_large_matches_hold_up_no_small_ones_and_strangers_not_the_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle_module, "PATIENCE_SECONDS", 0.01)
    throttle = Throttle(Limits(), local=True)
    one, other, owner, again, late = (
        throttle.place((address, 1), known=False)
        for address in ("10.0.0.1", "10.0.0.2", "127.0.0.1", "10.0.0.1", "10.0.0.1")
    )
    assert owner is None

    async def work() -> None:
        async with throttle.making(one, large=True), throttle.making(other), throttle.making(owner):
            with pytest.raises(ApiError, match="many matches are being started"):
                async with throttle.making(again):
                    """One who waits in vain."""
        async with throttle.making(late):
            """One who has a turn afterwards."""

    asyncio.run(work())


def test_windows_of_one_address_are_limited_and_the_player_is_told(config: ServerConfig) -> None:
    limits = Limits(windows=3, match_windows=2)
    with connect(
        ServerConfig(data=config.data, client=config.client, bot_workers=1, limits=limits), STRANGER
    ) as client:
        one, two = Duelist.start(client), Duelist.start(client)
        with one.live("red"), one.live("blue"):
            with one.live("red") as third:
                assert third.receive_json()["code"] == "too_many_windows"
            with two.live("red") as window, two.live("blue") as fourth:
                assert window.receive_json()["type"] == "view"
                assert fourth.receive_json()["code"] == "too_many_windows"
        with two.live("blue") as window:
            assert window.receive_json()["type"] == "view"


def test_bodies_of_everybody_together_have_room_or_wait_outside() -> None:
    throttle = Throttle(Limits(bodies_bytes=100), local=False)
    with throttle.body() as first, throttle.body() as second:
        first(60)
        second(40)
        with pytest.raises(ApiError) as refused:
            second(1)
        assert (refused.value.status, refused.value.retry_after) == (503, 10)
    with throttle.body() as third:
        third(100)


def test_a_proxy_is_believed_and_nobody_else(config: ServerConfig) -> None:
    limits = Limits(requests=0.1, requests_burst=2)
    settings = replace(config, local=False, limits=limits, proxies=("10.0.0.0/30",))

    def status(client: TestClient, forwarded: str) -> int:
        return client.get("/api/games", headers={"x-forwarded-for": forwarded}).status_code

    with connect(settings, "10.0.0.1") as proxy:
        assert [status(proxy, "5.5.5.5") for _ in range(3)] == [200, 200, 429]
        assert status(proxy, "6.6.6.6") == 200
        assert [status(proxy, f"6.6.6.{n}, 7.7.7.7") for n in range(3)] == [200, 200, 429], "the last hop counts"
        other = TestClient(proxy.app, base_url="http://127.0.0.1:8000", client=("8.8.8.8", 1))
        assert [status(other, f"9.9.9.{n}") for n in range(3)] == [200, 200, 429]


def test_a_caller_in_a_named_network_is_no_proxy(config: ServerConfig) -> None:
    """In a school whose whole network is named everybody could else forge the hop before their own."""
    limits = Limits(requests=0.1, requests_burst=2)
    proxies = ("127.0.5.1", "10.0.0.0/8", "2001:db8::1")
    settings = replace(config, local=False, limits=limits, proxies=proxies)

    def status(client: TestClient, forwarded: str) -> int:
        return client.get("/api/games", headers={"x-forwarded-for": forwarded}).status_code

    with connect(settings, "127.0.5.1") as proxy:
        assert [status(proxy, f"6.6.6.{n}, 10.1.2.3") for n in range(3)] == [200, 200, 429]
        assert status(proxy, "10.1.2.3, 127.0.5.1") == 429, "a chain of proxies named by their addresses"
        assert status(proxy, "9.9.9.9, [2001:db8::1]:443") == 200
        assert [status(proxy, f"9.9.9.9:{n}, 127.0.5.1:80, 2001:db8::1") for n in range(2)] == [200, 429]
    with connect(settings, "10.7.7.7") as inner:
        assert [status(inner, "7.7.7.7") for _ in range(3)] == [200, 200, 429]


def test_a_proxy_that_nobody_named_is_told_of_once(config: ServerConfig, caplog: pytest.LogCaptureFixture) -> None:
    for address, told in (("10.0.0.1", 1), ("8.8.8.8", 0)):
        caplog.clear()
        with connect(replace(config, local=False), address) as client:
            for _ in range(3):
                client.get("/api/games", headers={"x-forwarded-for": "5.5.5.5"})
        assert sum("--behind-proxy" in line for line in caplog.messages) == told, address


def test_a_server_for_one_person_answers_no_proxy(client: TestClient) -> None:
    """A proxy on the same machine would make every stranger look like its owner."""
    for name in ("x-forwarded-for", "forwarded", "x-real-ip"):
        response = client.get("/api/matches", headers={name: "8.8.8.8"})
        assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_host")


def record(message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord("x", logging.WARNING, "f", 1, message, args, None)


def test_a_flood_of_log_lines_is_summed_up() -> None:
    now = 0.0
    summary = logs.Summary(3, clock=lambda: now)
    assert sum(summary.filter(record("bad %d", number)) for number in range(1000)) == 3
    assert summary.filter(record("other")), "another kind has a count of its own"
    now = 61.0
    late = record("third %d", 1)
    assert summary.filter(late)
    assert late.getMessage() == "third 1 [997 more lines were left out before]"
    again = record("bad %d", 1)
    assert summary.filter(again) and again.getMessage() == "bad 1"


def test_a_log_line_is_one_line_whatever_it_quotes() -> None:
    shown = logs.OneLine().format(record("path %s", "/a\n2026 INFO all is well\x1b[2J\u2028\ud800"))
    assert "\n" not in shown and "\x1b" not in shown
    assert "\\n2026 INFO" in shown
    try:
        raise ValueError("a\n2026-01-01 INFO all is well")
    except ValueError as problem:
        line = record("failed")
        line.exc_info = (type(problem), problem, problem.__traceback__)
        shown = logs.OneLine().format(line)
    assert all(rest.startswith("    | ") for rest in shown.splitlines()[1:])
    assert len(logs.plain("a" * 10_000)) < 2100


def test_what_measures_the_server_lifts_its_limits() -> None:
    arguments = no_limits(SOURCE)
    names = [given.partition("=")[0] for given in arguments[1::2]]
    assert names == list(NO_LIMIT) and set(names) <= {known.name for known in fields(Limits)}


def test_repeating_an_old_request_counts_like_a_copy(config: ServerConfig) -> None:
    """Its answer is worked out again, from before all that has happened since."""
    limits = Limits(requests=1, requests_burst=100)
    with connect(
        ServerConfig(data=config.data, client=config.client, bot_workers=1, limits=limits), STRANGER
    ) as client:
        duel = Duelist.start(client, scenario="long")
        duel.view("red")
        old = duel.body("red", "hide 3")
        assert duel.send(old).status_code == 200
        assert duel.send(old).status_code == 200, "a lost answer costs nothing"
        duel.act("blue", "guess 2")
        first = duel.send(old)
        assert first.status_code == 200 and first.json()["view"]["version"] == 1
        answers = [duel.send(old) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]
        assert answers[1].json()["error"]["code"] == "too_many"
        assert duel.view("red")["version"] == 2, "plain requests go on"


def test_without_a_limit_looks_into_the_past_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle_module, "PATIENCE_SECONDS", 0.05)
    throttle = Throttle(Limits(costly_at_once=0), local=False)

    async def look(deeper: int) -> int:
        async with throttle.look_back((STRANGER, 1)):
            return await look(deeper - 1) + 1 if deeper else 1

    assert asyncio.run(look(2)) == 3
