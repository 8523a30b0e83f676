"""The OpenAPI document, with the shapes of all answers, of the socket's messages and of each game's events.

The server writes its answers as plain dictionaries, so that nothing is checked or copied on the way; a test holds
real answers against the document instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from rasputitsa.core.event_records import schema_of
from rasputitsa.core.game import Game
from rasputitsa.core.registry import game_ids, get_game
from rasputitsa.server.shapes import lists, live, views

REF = "#/components/schemas/{model}"
SAVED = "saved game"
"""An answer that is no JSON."""

ANSWERS: Mapping[tuple[str, str], Any] = {
    ("get", "/api/games"): list[lists.GameInfo],
    ("get", "/api/games/{game_id}/static"): lists.StaticGame,
    ("get", "/api/games/{game_id}/rules"): lists.Rules,
    ("get", "/api/matches"): list[lists.MatchSummary],
    ("post", "/api/lobby"): list[lists.MatchSummary],
    ("post", "/api/matches"): lists.Created,
    ("post", "/api/import"): lists.Created,
    ("get", "/api/import"): lists.Progress,
    ("post", "/api/matches/{match_id}/copy"): lists.Created,
    ("get", "/api/matches/{match_id}/view"): views.View,
    ("get", "/api/matches/{match_id}/log"): list[views.LogEntry],
    ("get", "/api/matches/{match_id}/query"): dict[str, Any],
    ("get", "/api/matches/{match_id}/export"): SAVED,
    ("post", "/api/matches/{match_id}/actions"): live.Acted,
    ("post", "/api/matches/{match_id}/undo"): live.Undone,
    ("post", "/api/matches/{match_id}/hurry"): dict[str, Any],
    ("delete", "/api/matches/{match_id}"): dict[str, Any],
    ("post", "/api/matches/{match_id}/sit"): lists.Sat,
    ("post", "/api/matches/{match_id}/keys"): lists.NewKey,
    ("post", "/api/matches/{match_id}/keys/only"): dict[str, Any],
    ("post", "/api/matches/{match_id}/leave"): dict[str, Any],
    ("post", "/api/matches/{match_id}/invitations"): lists.Token,
    ("post", "/api/matches/{match_id}/invitations/revoke"): dict[str, Any],
    ("post", "/api/invitations/look"): lists.InvitationInfo,
    ("post", "/api/invitations/claim"): lists.Claimed,
    ("get", "/api/matches/{match_id}/seats"): lists.SeatsInfo,
    ("post", "/api/matches/{match_id}/controllers"): lists.Handed,
    ("post", "/api/matches/{match_id}/agree"): lists.Agreed,
    ("post", "/api/matches/{match_id}/hint"): live.Job,
    ("post", "/api/matches/{match_id}/course"): live.Job,
    ("get", "/api/matches/{match_id}/course"): live.KeptCourse,
    ("get", "/api/matches/{match_id}/analysis/{job_id}"): live.Job,
    ("delete", "/api/matches/{match_id}/analysis/{job_id}"): live.Job,
}
"""What each operation answers when it succeeds."""


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the application."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, routes=app.routes)
        _describe(made)
        app.openapi_schema = made
    return app.openapi_schema


def _describe(made: dict[str, Any]) -> None:
    adapters = {key: TypeAdapter(shape) for key, shape in ANSWERS.items() if shape != SAVED}
    socket: TypeAdapter[Any] = TypeAdapter(live.LiveMessage)
    board: TypeAdapter[Any] = TypeAdapter(views.BoardView)
    inputs: list[tuple[Any, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        (key, "validation", adapter) for key, adapter in adapters.items()
    ]
    inputs += [("socket", "validation", socket), ("board", "validation", board)]
    found, shared = TypeAdapter.json_schemas(inputs, ref_template=REF)
    components = made["components"]["schemas"]
    components.update(_bare(shared["$defs"]))
    components["LiveMessage"] = found["socket", "validation"]
    for game_id in game_ids():
        components.update(event_schemas(get_game(game_id)))
    for (method, path), _ in adapters.items():
        operation = made["paths"][path][method]
        (status,) = (code for code in operation["responses"] if code.startswith("2"))
        content = operation["responses"][status].setdefault("content", {}).setdefault("application/json", {})
        content["schema"] = found[(method, path), "validation"]


def _bare(schema: Any) -> Any:
    """A schema without titles, and without defaults: what is optional may be missing, and nothing stands for it."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _bare(item) for name, item in schema.items() if name not in {"title", "default", "properties"}}
    if "properties" in schema:
        made["properties"] = {name: _bare(item) for name, item in schema["properties"].items()}
    return made


def event_schemas(game: Game[Any]) -> dict[str, Any]:
    """The events of a game as components: one for each kind, and the choice among all."""
    prefix = game.id.capitalize()
    kinds = {
        f"{prefix}{''.join(word.capitalize() for word in kind.split('_'))}Event": (kind, entry)
        for kind, entry in game.event_records().items()
    }
    if not kinds:
        return {}
    schemas = {
        name: {
            "type": "object",
            "properties": {
                "kind": {"type": "string", "const": kind},
                "text": {"type": "string"},
                "rule": {"type": "string", "const": entry.rule},
                "data": schema_of(entry),
            },
            "required": ["kind", "text", "rule", "data"],
        }
        for name, (kind, entry) in kinds.items()
    }
    refs = [{"$ref": REF.format(model=name)} for name in sorted(schemas)]
    return {**schemas, f"{prefix}Event": {"oneOf": refs}}
