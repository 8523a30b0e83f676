"""Anything may be sent to a server: it answers, in one form, and only what is legal changes a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect
from tests.server.player import Duelist

FUZZ = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
words = st.sampled_from(
    ["hide", "guess", "roll", "step", "done", "walk", "red", "blue", "A1", "A2", "A2-A3", "-", "3", "99", "@control"]
)
lines = st.lists(words | st.text(max_size=6), max_size=5).map(" ".join)
seats = st.sampled_from(["red", "blue", "green", ""]) | st.text(max_size=5)
counts = st.integers(-3, 12) | st.integers()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory, duel_installed: None) -> Iterator[Duelist]:
    data: Path = tmp_path_factory.mktemp("fuzz")
    with connect(ServerConfig(data=data, local=True, client=data, bot_workers=1)) as client:
        yield Duelist.start(client, scenario="long")


def checked(response: Any) -> Any:
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        error = response.json()["error"]
        assert error["code"] and error["message"]
    return response


@FUZZ
@given(seat=seats, key_of=seats, version=counts, action=lines, request_id=st.text(max_size=6))
def test_any_action(table: Duelist, seat: str, key_of: str, version: int, action: str, request_id: str) -> None:
    before = table.view("red")
    key = table.keys.get(key_of, key_of)
    body = {"seat": seat, "key": key, "version": version, "action": action, "request_id": request_id}
    try:
        response = checked(table.client.post(table.url("actions"), json=body))
    except UnicodeEncodeError:
        return  # lone surrogates cannot even be sent
    after = table.view("red")
    if response.status_code == 200:
        assert seat == key_of and seat in table.keys
        assert after["version"] >= before["version"]
    else:
        assert after == before


@FUZZ
@given(choice=st.integers(0, 1000), back=st.booleans())
def test_whatever_is_listed_is_accepted_and_taken_back_as_promised(table: Duelist, choice: int, back: bool) -> None:
    view = next(v for v in (table.view("red"), table.view("blue")) if v["decision"]["mine"])
    seat, options = view["seat"], view["decision"]["options"]
    after = table.act(seat, options[choice % len(options)]["action"])
    if after["can_undo"] and back:
        again = checked(table.undo(seat)).json()["view"]
        for name in set(view) - {"version", "last_events", "tag"}:
            assert again[name] == view[name]


@FUZZ
@given(path=st.sampled_from(["actions", "undo", "controllers", "copy", "hurry"]), body=json_values)
def test_any_json(table: Duelist, path: str, body: Any) -> None:
    try:
        response = table.client.post(table.url(path), json=body)
    except UnicodeEncodeError:
        return
    assert checked(response).status_code in (400, 415) or path == "copy"


@FUZZ
@given(path=st.sampled_from(["actions", "undo", "controllers", "copy", "hurry"]), body=st.binary(max_size=200))
def test_any_bytes(table: Duelist, path: str, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert checked(table.client.post(table.url(path), content=body, headers=headers)).status_code == 400


@FUZZ
@given(
    path=st.sampled_from(["view", "log", "query", "export"]),
    query=st.dictionaries(
        st.sampled_from(["seat", "key", "at", "from", "kind", "units"]),
        st.text(max_size=12) | counts.map(str),
        max_size=4,
    ),
)
def test_any_question(table: Duelist, path: str, query: dict[str, str]) -> None:
    try:
        checked(table.client.get(table.url(path), params=query))
    except UnicodeEncodeError:
        return


@FUZZ
@given(
    save=st.binary(max_size=300)
    | st.lists(json_values, max_size=4).map(lambda v: "\n".join(map(str, v)).encode(errors="replace"))
)
def test_any_save(table: Duelist, save: bytes) -> None:
    headers = {"content-type": "application/x-ndjson"}
    assert checked(table.client.post("/api/import", content=save, headers=headers)).status_code == 422


@FUZZ
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_save_with_one_byte_changed_is_read_or_refused(table: Duelist, place: int, byte: int) -> None:
    short = Duelist.start(table.client)
    for seat, action in [("red", "hide 3"), ("blue", "guess 1"), ("blue", "roll"), ("red", "walk A2-A3")]:
        short.act(seat, action)
    save = bytearray(short.client.get(short.url("export")).content)
    save[place % len(save)] = byte
    headers = {"content-type": "application/x-ndjson"}
    response = checked(table.client.post("/api/import", content=bytes(save), headers=headers))
    assert response.status_code in (201, 422)
    for match_id in (short.id, response.json().get("id")):
        if match_id:
            table.client.delete(f"/api/matches/{match_id}")
