"""Hints and the course of a match, asked of the server."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.core.game import Decision
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.workers import analysis_jobs
from tests.server import workers
from tests.server.conftest import connect
from tests.server.player import Duelist
from tests.support import PATIENCE, random_session


@pytest.fixture
def config(tmp_path: Path) -> ServerConfig:
    return ServerConfig(data=tmp_path / "data", local=True, client=tmp_path / "client", bot_workers=1, bot_seconds=0.5)


@pytest.fixture
def client(config: ServerConfig) -> Iterator[TestClient]:
    with connect(config) as client:
        yield client


def begin(client: TestClient, game: str = "portfolio", scenario: str = "june22") -> Duelist:
    return Duelist.start(client, game=game, scenario=scenario, seed=5)


def ask(one: Duelist, what: str, seat: str) -> dict[str, Any]:
    response = one.client.post(one.url(what), json=one.auth(seat))
    assert response.status_code == 202, response.text
    job: dict[str, Any] = response.json()
    return job


def finished(one: Duelist, job: dict[str, Any], seat: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while job["state"] in ("waiting", "running"):
        assert time.monotonic() < end, job
        time.sleep(0.05)
        job = one.client.get(one.url(f"analysis/{job['id']}"), params=one.auth(seat)).json()
    return job


def kept(one: Duelist, seat: str) -> Any:
    """What is stored, once the job that has just ended has stored it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = one.client.get(one.url("course"), params=one.auth(seat)).json()["course"]
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing was kept")


@pytest.mark.parametrize(
    ("game", "scenario", "seat"), [("portfolio", "june22", "axis"), ("wir", "barbarossa_short", "axis")]
)
def test_a_hint_is_legal_and_touches_nothing(client: TestClient, game: str, scenario: str, seat: str) -> None:
    match = begin(client, game, scenario)
    before = match.view(seat)
    job = finished(match, ask(match, "hint", seat), seat)
    assert job["state"] == "done", job
    assert job["ply"] == before["ply"]
    assert job["result"]["action"] in [option["action"] for option in before["decision"]["options"]]
    assert job["result"]["headline"]
    assert match.view(seat) == before
    assert ask(match, "hint", seat)["id"] == job["id"], "the same question is not thought about twice"
    match.act(seat, job["result"]["action"])


def test_who_may_ask_for_what(client: TestClient) -> None:
    match = begin(client)
    for what in ("hint", "course"):
        wrong = client.post(match.url(what), json={"seat": "axis", "key": match.keys["soviet"]})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "bad_key")
    other = client.post(match.url("hint"), json=match.auth("soviet"))
    assert (other.status_code, other.json()["error"]["code"]) == (409, "not_your_turn")
    onlooker = client.get(match.url("course"))
    assert (onlooker.status_code, onlooker.json()["error"]["code"]) == (403, "still_playing")
    assert client.get(match.url("course"), params=match.auth("axis")).json() == {"course": None}
    job = ask(match, "hint", "axis")
    for seat, status in (("axis", 200), ("soviet", 404)):
        assert client.get(match.url(f"analysis/{job['id']}"), params=match.auth(seat)).status_code == status
    assert client.get(match.url(f"analysis/{job['id']}")).status_code == 404
    assert client.delete(match.url(f"analysis/{job['id']}"), params=match.auth("soviet")).status_code == 404
    duel = Duelist.start(client)
    refused = client.post(duel.url("hint"), json=duel.auth("red"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "no_analysis")


def test_a_hint_is_worked_out_from_the_seats_view_alone(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[analysis_jobs.HintTask] = []

    def look(
        self: analysis_jobs.AnalysisJobs, match_id: int, seat: str, ply: int, task: Any, finish: Any = None, **_: Any
    ) -> Any:
        tasks.append(task)
        return analysis_jobs.Job("x", match_id, seat, "hint", ply, state="done")

    monkeypatch.setattr(analysis_jobs.AnalysisJobs, "start", look)
    match = begin(client, "wir", "barbarossa_short")
    ask(match, "hint", "axis")
    view = tasks[0].view
    from rasputitsa.wir.model.tables import groups_of

    assert any(view.group_units[group] for group in groups_of(0))
    assert not any(view.group_units[group] for group in groups_of(1))


def test_a_job_can_be_cancelled_and_the_next_one_still_works(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(client)
    with monkeypatch.context() as slow:
        slow.setattr(analysis_jobs, "serve", workers.slow_analysis)
        job = ask(match, "hint", "axis")
        end = time.monotonic() + PATIENCE
        while job["state"] != "running" or not job["total"]:
            assert time.monotonic() < end, job
            time.sleep(0.05)
            job = client.get(match.url(f"analysis/{job['id']}"), params=match.auth("axis")).json()
        assert (job["done"], job["total"], job["text"]) == (1, 3, "thinking")
        gone = client.delete(match.url(f"analysis/{job['id']}"), params=match.auth("axis")).json()
        assert gone["state"] == "cancelled"
    again = finished(match, ask(match, "hint", "axis"), "axis")
    assert again["state"] == "done" and again["id"] != job["id"]


def test_a_worker_that_dies_is_reported_and_replaced(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(client)
    with monkeypatch.context() as broken:
        broken.setattr(analysis_jobs, "serve", workers.die)
        job = finished(match, ask(match, "hint", "axis"), "axis")
    assert (job["state"], job["text"]) == ("failed", "the analysis stopped unexpectedly")
    assert finished(match, ask(match, "hint", "axis"), "axis")["state"] == "done"


def test_a_fault_of_the_program_is_said_in_plain_words(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(client)
    with monkeypatch.context() as broken:
        broken.setattr(analysis_jobs, "serve", workers.faulty_analysis)
        job = finished(match, ask(match, "hint", "axis"), "axis")
    words = "the computer could not work this out; the log of the server says why"
    assert (job["state"], job["text"]) == ("failed", words)


def test_the_course_of_a_match_is_kept_and_built_upon(config: ServerConfig) -> None:
    text = random_session(4, 260).save()
    with connect(config) as client:
        made = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"}).json()
        match = Duelist(client, made["id"], made["keys"])
        assert client.get(match.url("course"), params=match.auth("axis")).json() == {"course": None}
        job = finished(match, ask(match, "course", "axis"), "axis")
        assert job["state"] == "done", job
        course = job["result"]
        assert course["complete"] and course["sides"] == ["axis", "soviet"] and course["seat"] == "axis"
        plies = [point["ply"] for point in course["points"]]
        assert plies == sorted(set(plies)) and plies[-1] == match.view("axis")["ply"]
        assert all(0 <= point["value"] <= 1 for point in course["points"])
        assert {turn["side"] for turn in course["turns"]} <= {"axis"}, "a seat is told of its own decisions"
        assert kept(match, "axis")["points"] == course["points"]
        assert client.get(match.url("course"), params=match.auth("soviet")).json() == {"course": None}
    with connect(replace(config, bot_seconds=0.2)) as client:
        match = Duelist(client, made["id"], made["keys"])
        assert kept(match, "axis")["points"] == course["points"], "it outlives the server"
        again = finished(match, ask(match, "course", "axis"), "axis")["result"]
        assert again["turns"] == course["turns"], "what is known is not worked out again"
        client.delete(match.url("").rstrip("/"))
        assert client.get(match.url("course"), params=match.auth("axis")).status_code == 404


def test_an_undo_makes_what_was_kept_worthless(client: TestClient) -> None:
    match = begin(client)
    match.act("axis", match.view("axis")["decision"]["options"][0]["action"])
    job = finished(match, ask(match, "course", "axis"), "axis")
    assert job["result"]["entries"] == 1
    assert kept(match, "axis")["entries"] == 1
    assert match.undo("axis").status_code == 200
    assert client.get(match.url("course"), params=match.auth("axis")).json() == {"course": None}


def test_a_hint_is_of_the_position_it_is_asked_in(client: TestClient) -> None:
    """A player who takes a step back and plays another one has as many entries as before."""
    one = begin(client)
    options = [option["action"] for option in one.view("axis")["decision"]["options"]]
    found = []
    for action in options[:2]:
        one.act("axis", action)
        found.append(finished(one, ask(one, "hint", "axis"), "axis"))
        assert one.undo("axis").status_code == 200
    assert found[0]["id"] != found[1]["id"]


def test_a_staff_is_asked_for_some_units(client: TestClient) -> None:
    match = begin(client)
    body = match.auth("axis")
    for wrong in ({"units": ["x" * 500]}, {"units": "39Pz"}, {"units": ["39Pz"], "stance": "flee"}):
        assert client.post(match.url("hint"), json={**body, **wrong}).status_code == 400
    response = client.post(match.url("hint"), json={**body, "units": ["39Pz"]})
    job = finished(match, response.json(), "axis")
    assert (job["state"], job["text"]) == ("failed", "in this game no staff orders some of the units")


def test_one_address_does_not_fill_the_queue_of_questions() -> None:
    async def ask() -> list[analysis_jobs.Job | None]:
        asked = analysis_jobs.AnalysisJobs(most_of_one=2)
        task = analysis_jobs.HintTask(
            "nowhere", {}, None, Decision("axis", "axis", "movement", "", "", [], (), ()), 1.0
        )
        try:
            jobs = [asked.start(match, "axis", 0, task, version=0, caller="10.0.0.1") for match in (1, 2)]
            with pytest.raises(ApiError) as refused:
                asked.start(3, "axis", 0, task, version=0, caller="10.0.0.1")
            assert (refused.value.status, refused.value.code) == (429, "too_many")
            again = asked.start(2, "axis", 0, task, version=0, caller="10.0.0.1")
            staff = dataclasses.replace(task, staff=StaffLimits(("1",)))
            assert asked.start(2, "axis", 0, staff, version=0, caller="10.0.0.3") is not again
            return [*jobs, again, asked.start(3, "axis", 0, task, version=0, caller="10.0.0.2")]
        finally:
            await asked.close()

    first, second, again, other = asyncio.run(ask())
    assert again is second is not first
    assert other is not None
