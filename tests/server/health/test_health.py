"""Alive, ready, figures for the host: who is told, what, and that it is true."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.health import ready
from rasputitsa.server.health.metrics import BUCKETS, Metrics, Sample
from rasputitsa.server.health.ready import KEPT_SECONDS, PATIENCE_SECONDS, STUCK_SECONDS, Readiness, WriteWatch
from rasputitsa.server.routes import health as routes
from rasputitsa.server.store import DiskFullError, LowDiskError
from rasputitsa.server.store.alarm import WriteAlarm
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist
from tests.support import PATIENCE

TOKEN = "a token of the host"


@pytest.fixture
def host(config: ServerConfig) -> Iterator[TestClient]:
    """A server for others, asked from the machine itself."""
    with connect(replace(config, local=False, metrics_token=TOKEN)) as client:
        yield client


@pytest.fixture
def stranger(config: ServerConfig) -> Iterator[TestClient]:
    with connect(replace(config, local=False, metrics_token=TOKEN), "203.0.113.7") as client:
        yield client


def figures(client: TestClient, **headers: str) -> dict[str, float]:
    """What a program that reads Prometheus's form finds."""
    answer = client.get("/api/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        sample.name + "".join(f" {value}" for name, value in sample.labels.items() if name != "le"): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# -- alive and ready ---------------------------------------------------------------------------------


def test_a_server_that_is_well_says_so_to_everybody(stranger: TestClient) -> None:
    assert stranger.get("/api/health").json() == {"alive": True}
    assert stranger.get("/api/ready").json() == {"ready": True}


@pytest.mark.parametrize(
    ("problem", "says"),
    [(DiskFullError("/srv/secret is full"), "nothing can be written"), (LowDiskError("low"), "nothing can be written")],
)
def test_a_server_that_cannot_write_lives_and_is_not_ready(
    host: TestClient, monkeypatch: pytest.MonkeyPatch, problem: Exception, says: str
) -> None:
    def full() -> None:
        raise problem

    monkeypatch.setattr(rooms_of(host).store, "note_up", full)
    answer = host.get("/api/ready")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_ready")
    assert says in answer.json()["error"]["message"]
    assert "secret" not in answer.text, "no path or name of the host's"
    assert "retry-after" in answer.headers
    assert host.get("/api/health").status_code == 200


def test_a_database_of_another_revision_is_not_ready(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "is_up_to_date", lambda *_: False)
    assert "not up to date" in host.get("/api/ready").json()["error"]["message"]


def test_threads_that_hang_are_noticed_and_not_joined_by_more(
    host: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, tries = threading.Event(), []

    def hang() -> None:
        tries.append(1)
        going.wait(PATIENCE)

    monkeypatch.setattr(ready, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(ready, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(rooms_of(host).store, "note_up", hang)
    try:
        for _ in range(4):
            assert "do not answer" in host.get("/api/ready").json()["error"]["message"]
        assert len(tries) == 1
    finally:
        going.set()


def test_many_who_ask_make_one_look(host: TestClient) -> None:
    rooms, now = rooms_of(host), [100.0]
    note, writes = rooms.store.note_up, [0]

    def counting() -> None:
        writes[0] += 1
        note()

    rooms.store.note_up = counting  # type: ignore[method-assign]
    readiness = Readiness(rooms, (), lambda: now[0])

    async def ask() -> list[str]:
        return list(await asyncio.gather(*(readiness.trouble() for _ in range(20))))

    assert host.portal is not None
    assert host.portal.call(ask) == [""] * 20
    assert writes == [1]
    now[0] += KEPT_SECONDS
    host.portal.call(ask)
    assert writes == [2]


def test_a_watch_that_stands_still_is_noticed(host: TestClient) -> None:
    rooms, now = rooms_of(host), [1000.0]
    watch = WriteWatch(rooms)
    readiness = Readiness(rooms, [watch], lambda: now[0])
    assert host.portal is not None
    assert host.portal.call(readiness.trouble) == "", "one that has not begun yet is in order"
    watch.seen_at = now[0]
    now[0] += STUCK_SECONDS
    assert host.portal.call(readiness.trouble) == ""
    now[0] += KEPT_SECONDS
    assert "stands still" in host.portal.call(readiness.trouble)


def test_a_server_on_which_nobody_plays_writes_now_and_then(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    store = rooms_of(host).store
    now = [0.0]
    monkeypatch.setattr(store, "alarm", WriteAlarm(lambda: now[0]))
    now[0] = 100.0
    assert store.alarm.since_written() == 100
    assert host.portal is not None
    host.portal.call(WriteWatch(rooms_of(host)).look)
    assert store.alarm.since_written() == 0


# -- the alarm ---------------------------------------------------------------------------------------


def test_the_alarm_counts_from_the_first_write_that_failed() -> None:
    now = [0.0]
    alarm = WriteAlarm(lambda: now[0])
    assert alarm.wanting() == 0
    for _ in range(3):
        now[0] += 100
        with pytest.raises(DiskFullError), alarm.watching():
            raise DiskFullError("full")
    now[0] += 100
    assert alarm.wanting() == 300
    with alarm.watching():
        pass
    assert (alarm.wanting(), alarm.since_written()) == (0, 0)


def test_a_write_that_never_ends_counts_as_well_unless_others_are_written() -> None:
    now = [10.0]
    alarm = WriteAlarm(lambda: now[0])
    with alarm.watching():
        now[0] += 400
        assert alarm.wanting() == 400
        with alarm.watching():
            pass
        now[0] += 5
        assert alarm.wanting() == 5
    assert alarm.wanting() == 0


def test_five_minutes_without_a_write_are_a_figure(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = rooms_of(host).store, [0.0]
    monkeypatch.setattr(store, "alarm", WriteAlarm(lambda: now[0]))
    assert figures(host)["rasputitsa_write_alarm"] == 0
    with pytest.raises(DiskFullError), store.alarm.watching():
        raise DiskFullError("full")
    now[0] = 299.0
    assert figures(host)["rasputitsa_write_alarm"] == 0
    now[0] = 300.0
    told = figures(host)
    assert (told["rasputitsa_write_alarm"], told["rasputitsa_write_wanting_seconds"]) == (1, 300)
    now[0] += 60
    assert figures(host)["rasputitsa_write_alarm"] == 1, "it goes on"


# -- figures -----------------------------------------------------------------------------------------


def test_figures_count_matches_windows_orders_and_refusals(host: TestClient) -> None:
    duel = Duelist.start(host)
    before = figures(host)
    duel.play(TURN[:2])
    duel.refused("blue", "nonsense", 422, "bad_notation")
    host.get("/api/matches/999/view")
    host.get("/nothing-here")
    with duel.live("red") as window:
        window.receive_json()
        assert figures(host)["rasputitsa_windows"] == 1
    after = figures(host)
    assert after["rasputitsa_matches playing"] == 1
    assert after["rasputitsa_matches over"] == 0
    assert after["rasputitsa_matches_in_memory"] == 1
    assert after["rasputitsa_actions_total"] - before.get("rasputitsa_actions_total", 0) == 2
    assert after["rasputitsa_refused_total 422"] == 1
    assert after["rasputitsa_refused_total 404"] >= 1
    assert after["rasputitsa_answer_seconds_count order"] == 3
    assert after["rasputitsa_last_write_timestamp_seconds"] >= before["rasputitsa_last_write_timestamp_seconds"]
    assert after["rasputitsa_database_bytes"] > 0
    assert after["rasputitsa_disk_free_bytes"] > 0


def test_answers_are_counted_by_what_they_are() -> None:
    metrics = Metrics("1.2", lambda: 1000.0)
    for method, path, status, seconds in (
        ("POST", "/api/matches/1/actions", 200, 0.25), ("POST", "/api/matches/1/actions", 399, 2.0),
        ("GET", "/api/matches/1/actions", 200, 3.0), ("HEAD", "/api/matches", 400, 6.0),
        ("DELETE", "/api/matches/1/actions", 499, 11.0), ("POST", "/api/matches/1/actions/2", 500, 0.004),
        ("GET", "/a/api/matches", 599, 0.02), ("POST", "/", 200, 0.0),
    ):  # fmt: skip
        metrics.answered(method, path, status, seconds)
    sample = Sample(5, 4, 3, 2, [True, False, True, False, False], 7.0, 0.5, 11, 13)
    families = text_string_to_metric_families(metrics.text(sample).decode())
    told = {
        " ".join([one.name.removeprefix("rasputitsa_"), *one.labels.values()]): one.value
        for family in families
        for one in family.samples
        if not one.name.startswith("process_") and not one.name.endswith("_created")
    }
    for name, value in {
        "info 1.2": 1, "matches playing": 5, "matches over": 4, "matches_in_memory": 3, "windows": 2,
        "bot_processes running": 2, "bot_processes ended": 3, "last_write_timestamp_seconds": 993,
        "disk_free_bytes": 11, "database_bytes": 13, "write_wanting_seconds": 0.5, "write_alarm": 0,
        "actions_total": 2, "refused_total 400": 1, "refused_total 499": 1,
        "errors_total 500": 1, "errors_total 599": 1, "answer_seconds_count order": 2,
        "answer_seconds_count look": 2, "answer_seconds_count change": 2, "answer_seconds_count page": 2,
        "answer_seconds_sum order": 2.25, "answer_seconds_bucket order 0.2": 0, "answer_seconds_bucket order 0.3": 1,
    }.items():  # fmt: skip
        assert told[name] == value, name
    assert "refused_total 399" not in told


def test_an_answer_takes_as_long_as_until_it_begins(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []
    monkeypatch.setattr(Metrics, "answered", lambda *said: taken.append(said[-1]))
    began = time.perf_counter()
    host.get("/api/health")
    assert len(taken) == 1 and 0 < taken[0] <= time.perf_counter() - began


def test_a_fault_of_the_server_is_counted_as_such(host: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("a fault")

    monkeypatch.setattr(routes, "_sample", broken)
    assert host.get("/api/metrics").status_code == 500
    monkeypatch.undo()
    assert figures(host)["rasputitsa_errors_total 500"] == 1


def test_figures_name_nobody_and_nothing(host: TestClient) -> None:
    """What callers send becomes neither a name nor a label, and no match, seat, key or address is in them."""
    duel = Duelist.start(host, title="Secret meeting", controllers={"red": {"kind": "human", "name": "Ludmila"}})
    duel.play(TURN[:2])
    host.request("DELETE", "/api/matches/12345678/nobody", headers={"user-agent": "Ludmila"})
    host.get("/api/notices/stop/topsecrettoken")
    text = host.get("/api/metrics").text
    for word in ("Secret", "Ludmila", "duel", "red", "blue", "topsecret", "12345678", "127.0.0", *duel.keys.values()):
        assert not re.search(rf"\b{re.escape(word)}\b", re.sub(r"(?m)^#.*$", "", text)), word
    labels = set(re.findall(r'(\w+)="', text))
    assert labels == {"kind", "le", "state", "status", "version"}


def test_figures_are_for_the_machine_itself_and_for_who_has_the_token(host: TestClient, stranger: TestClient) -> None:
    def asked(client: TestClient, **headers: str) -> int:
        return client.get("/api/metrics", headers={k.replace("_", "-"): v for k, v in headers.items()}).status_code

    assert asked(host) == 200
    assert asked(stranger) == 403
    assert asked(stranger, authorization=f"Bearer {TOKEN}") == 200
    for wrong in ("Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN):
        assert asked(stranger, authorization=wrong) == 403
    assert asked(host, authorization="Bearer wrong") == 403, "a wrong token is no right one, wherever it comes from"
    for header in ("x_forwarded_for", "forwarded", "x_real_ip"):
        assert asked(host, **{header: "127.0.0.1"}) == 403, "a proxy on the machine asks for somebody else"


def test_without_a_token_nobody_elsewhere_sees_figures(config: ServerConfig) -> None:
    with connect(replace(config, local=False), "203.0.113.7") as client:
        for given in ("Bearer ", "Bearer", f"Bearer {TOKEN}"):
            assert client.get("/api/metrics", headers={"authorization": given}).status_code == 403


def test_who_comes_through_a_named_proxy_is_not_on_the_machine(config: ServerConfig) -> None:
    with connect(replace(config, local=False, proxies=("127.0.0.1/32",))) as client:
        assert client.get("/api/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 403
        assert client.get("/api/metrics").status_code == 200


def test_the_manual_names_the_times_that_count() -> None:
    """Alarms are set by them, so none changes without a word."""
    docs = Path(__file__).parents[3] / "docs"
    buckets = ", ".join(f"{bound:g}" for bound in BUCKETS)
    assert f"buckets up to {buckets} s" in (docs / "reference" / "limits.md").read_text()
    assert PATIENCE_SECONDS == KEPT_SECONDS == 5
    told = " ".join((docs / "server.md").read_text().split())
    assert "answer in five seconds" in told and "is reused for five seconds" in told
