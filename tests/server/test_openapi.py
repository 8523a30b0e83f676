"""The description of the API keeps its word: whatever it allows is answered, and only as it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.fuzz.http import without_processes
from tests.server.conftest import connect
from tests.server.player import Duelist

EXAMPLES = 25
"""For each operation of the API."""
PROMISES = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]


@schemathesis.serializer("application/x-ndjson")
def _lines(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, duel_installed: None) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    with connect(ServerConfig(data=folder, local=True, client=folder, bot_workers=1)) as client:
        without_processes(client.app)
        yield client


@pytest.fixture(scope="module")
def schema(client: TestClient) -> Any:
    return schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())


def operations(schema: Any) -> dict[str, Any]:
    return {operation.ok().label: operation.ok() for operation in schema.get_all_operations()}


def test_every_operation_is_described_with_its_refusals(schema: Any) -> None:
    found = operations(schema)
    assert {"POST /api/import", "POST /api/matches", "GET /api/matches/{match_id}/view"} <= set(found)
    assert len(found) > 20


def test_what_the_description_allows_is_answered_as_it_says(client: TestClient, schema: Any) -> None:
    duel = Duelist.start(client)
    for label, operation in operations(schema).items():
        check(client, duel, label, operation)


def check(client: TestClient, duel: Duelist, label: str, operation: Any) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy())
    def one(case: Any) -> None:
        if "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = duel.id
        if isinstance(case.query, dict) and case.query.get("seat") and case.method != "DELETE":
            case.query |= duel.auth("red")
        if isinstance(case.body, dict) and "key" in case.body:
            case.body |= duel.auth("red")
        asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
        response = client.request(**{name: value for name, value in asked.items() if name != "cookies"})
        case.validate_response(told(response, asked), checks=PROMISES)

    try:
        one()
    except BaseException as problem:
        problem.add_note(label)
        raise


def told(response: Any, asked: dict[str, Any]) -> Any:
    import requests

    request = requests.Request(asked["method"], asked["url"]).prepare()
    return schemathesis.Response(
        status_code=response.status_code,
        headers={name: [value] for name, value in response.headers.items()},
        content=response.content,
        request=request,
        elapsed=0.1,
        verify=False,
    )
