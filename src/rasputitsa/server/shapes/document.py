"""The OpenAPI document, with the shapes of all answers, of the socket's messages and of each game's events.

The functions that make answers return these shapes, which the type checker holds them to. They are plain dictionaries,
so that nothing is checked or copied on the way; a test holds real answers against the document as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from rasputitsa.core.events import schema_of
from rasputitsa.core.game import Game
from rasputitsa.core.registry import game_ids, get_game
from rasputitsa.core.shapes import COMMON_ANSWERS, StaticGame
from rasputitsa.server.shapes import accounts, classes, letters, lists, live, ratings, standing, times, views
from rasputitsa.server.shapes.models import modelled

REF = "#/components/schemas/{model}"
SAVED = "text"
"""An answer that is no JSON."""

ANSWERS: Mapping[tuple[str, str], Any] = {
    ("get", "/api/health"): live.Alive,
    ("get", "/api/ready"): live.Ready,
    ("get", "/api/metrics"): SAVED,
    ("get", "/api/games"): list[lists.GameInfo],
    ("get", "/api/games/{game_id}/static"): StaticGame,
    ("get", "/api/games/{game_id}/rules"): lists.Rules,
    ("get", "/api/games/{game_id}/glossary"): lists.Glossary,
    ("get", "/api/games/{game_id}/guides"): lists.Guides,
    ("get", "/api/account"): accounts.AccountInfo,
    ("post", "/api/account/register"): accounts.AccountInfo,
    ("post", "/api/account/sign-in"): accounts.AccountInfo,
    ("post", "/api/account/sign-out"): live.Done,
    ("post", "/api/account/password"): accounts.AccountInfo,
    ("post", "/api/account/profile"): accounts.AccountInfo,
    ("post", "/api/account/sessions/end"): accounts.AccountInfo,
    ("post", "/api/account/seats"): accounts.SeatsKept,
    ("post", "/api/account/blocks"): accounts.AccountInfo,
    ("post", "/api/account/blocks/remove"): accounts.AccountInfo,
    ("post", "/api/account/export"): accounts.AccountExport,
    ("post", "/api/account/delete"): live.Done,
    ("post", "/api/account/passkeys/ask"): accounts.PasskeyAsked,
    ("post", "/api/account/passkeys/sign-in"): accounts.AccountInfo,
    ("post", "/api/account/passkeys/register/ask"): accounts.NewPasskeyAsked,
    ("post", "/api/account/passkeys/register"): accounts.AccountInfo,
    ("post", "/api/account/passkeys/add/ask"): accounts.NewPasskeyAsked,
    ("post", "/api/account/passkeys/add"): accounts.AccountInfo,
    ("post", "/api/account/passkeys/remove"): accounts.AccountInfo,
    ("get", "/api/ratings/{game_id}"): ratings.RatingList,
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
    ("post", "/api/matches/{match_id}/hurry"): live.Done,
    ("delete", "/api/matches/{match_id}"): live.Done,
    ("post", "/api/matches/{match_id}/sit"): lists.Sat,
    ("post", "/api/matches/{match_id}/keys"): lists.NewKey,
    ("post", "/api/matches/{match_id}/keys/only"): live.Done,
    ("post", "/api/matches/{match_id}/leave"): live.Done,
    ("post", "/api/matches/{match_id}/invitations"): lists.Token,
    ("post", "/api/matches/{match_id}/invitations/revoke"): live.Done,
    ("post", "/api/invitations/look"): lists.InvitationInfo,
    ("post", "/api/invitations/claim"): lists.Claimed,
    ("get", "/api/matches/{match_id}/seats"): lists.SeatsInfo,
    ("post", "/api/matches/{match_id}/controllers"): lists.Handed,
    ("post", "/api/matches/{match_id}/agree"): lists.Agreed,
    ("post", "/api/matches/{match_id}/end"): lists.Ended,
    ("post", "/api/matches/{match_id}/rematch"): lists.Created,
    ("get", "/api/matches/{match_id}/clock"): times.ClockInfo,
    ("post", "/api/matches/{match_id}/holiday"): times.ClockInfo,
    ("get", "/api/matches/{match_id}/standing"): standing.StandingInfo,
    ("post", "/api/matches/{match_id}/standing"): standing.StandingInfo,
    ("get", "/api/tables"): list[lists.OpenTable],
    ("post", "/api/tables/look"): lists.InvitationInfo,
    ("post", "/api/tables/take"): lists.Claimed,
    ("post", "/api/matches/{match_id}/publish"): live.Done,
    ("post", "/api/matches/{match_id}/publish/withdraw"): live.Done,
    ("get", "/api/matches/{match_id}/notices"): lists.NoticeInfo,
    ("post", "/api/matches/{match_id}/notices"): live.Done,
    ("post", "/api/matches/{match_id}/notices/off"): live.Done,
    ("get", "/api/matches/{match_id}/calendar"): times.CalendarInfo,
    ("post", "/api/matches/{match_id}/calendar"): times.CalendarMade,
    ("post", "/api/matches/{match_id}/calendar/off"): live.Done,
    ("post", "/api/calendar/void"): live.Done,
    ("get", "/api/calendar/{token}"): SAVED,
    ("post", "/api/notices/confirm"): lists.MailAgreed,
    ("post", "/api/notices/stop"): live.Done,
    ("post", "/api/notices/stop/{token}"): live.Done,
    ("get", "/api/matches/{match_id}/talk"): lists.Talk,
    ("post", "/api/matches/{match_id}/talk"): lists.Said,
    ("get", "/api/matches/{match_id}/notes"): lists.Notes,
    ("post", "/api/matches/{match_id}/notes"): lists.Noted,
    ("get", "/api/matches/{match_id}/map-notes"): lists.MapNotes,
    ("post", "/api/matches/{match_id}/map-notes"): lists.Noted,
    ("post", "/api/matches/{match_id}/hint"): live.Job,
    ("post", "/api/matches/{match_id}/course"): live.Job,
    ("get", "/api/matches/{match_id}/course"): live.KeptCourse,
    ("get", "/api/matches/{match_id}/analysis/{job_id}"): live.Job,
    ("delete", "/api/matches/{match_id}/analysis/{job_id}"): live.Job,
    ("get", "/api/classes"): classes.ClassBounds,
    ("post", "/api/classes"): classes.ClassMade,
    ("post", "/api/classes/matches"): classes.ClassMatchMade,
    ("post", "/api/classes/boards"): classes.ClassInfo,
    ("post", "/api/classes/door"): live.Done,
    ("post", "/api/classes/delete"): live.Done,
    ("post", "/api/classes/pause"): live.Done,
    ("post", "/api/classes/back"): live.Done,
    ("post", "/api/classes/computer"): live.Done,
    ("post", "/api/classes/pupils/word"): classes.PupilWord,
    ("post", "/api/classes/pupils/remove"): live.Done,
    ("post", "/api/classes/cards"): classes.CardNumber,
    ("post", "/api/classes/join"): classes.ClassJoined,
    ("post", "/api/matches/{match_id}/class"): classes.PupilDesk,
    ("post", "/api/matches/{match_id}/class/answer"): live.Done,
    ("get", "/api/letters"): list[letters.LetterMatch | letters.DamagedLetters],
    ("post", "/api/letters"): letters.LetterMatch,
    ("post", "/api/letters/look"): letters.LetterTerms,
    ("post", "/api/letters/join"): letters.LetterMatch,
    ("get", "/api/letters/{code}"): letters.LetterMatch,
    ("get", "/api/letters/{code}/file"): SAVED,
    ("delete", "/api/letters/{code}"): live.Done,
    ("get", "/api/letters/{code}/letters/{number}"): letters.LetterText,
    ("post", "/api/letters/{code}/read"): letters.LetterRead,
    ("post", "/api/letters/{code}/write"): letters.LetterMatch,
    ("post", "/api/letters/{code}/sit"): lists.Sat,
    ("get", "/api/letters/{code}/view"): views.View,
    ("get", "/api/letters/{code}/log"): list[views.LogEntry],
    ("get", "/api/letters/{code}/query"): dict[str, Any],
    ("post", "/api/letters/{code}/actions"): live.Acted,
    ("post", "/api/letters/{code}/undo"): live.Undone,
    ("get", "/api/letters/{code}/export"): letters.LetterText,
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
    adapters = {key: TypeAdapter(modelled(shape)) for key, shape in ANSWERS.items() if shape != SAVED}
    socket: TypeAdapter[Any] = TypeAdapter(modelled(live.LiveMessage))
    board: TypeAdapter[Any] = TypeAdapter(modelled(views.BoardView))
    inputs: list[tuple[Any, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        (key, "validation", adapter) for key, adapter in adapters.items()
    ]
    inputs += [("socket", "validation", socket), ("board", "validation", board)]
    inputs += [
        (shape, "validation", TypeAdapter(modelled(shape)))
        for shape in (lists.Asides, live.WindowMessage, *COMMON_ANSWERS)
    ]
    found, shared = TypeAdapter.json_schemas(inputs, ref_template=REF)
    components = made["components"]["schemas"]
    components.update(_bare(shared["$defs"]))
    components["LiveMessage"] = found["socket", "validation"]
    games = [get_game(game_id) for game_id in game_ids()]
    for game in games:
        components.update(event_schemas(game))
        components.update(game_schemas(game, components))
    components.update(_joined(components, [_prefix(game) for game in games]))
    for (method, path), _ in adapters.items():
        operation = made["paths"][path][method]
        (status,) = (code for code in operation["responses"] if code.startswith("2"))
        content = operation["responses"][status].setdefault("content", {}).setdefault("application/json", {})
        content["schema"] = found[(method, path), "validation"]

    for path in ("/api/matches/{match_id}/query", "/api/letters/{code}/query"):
        query = made["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        query["schema"] = {"anyOf": [*_answers(games), {"$ref": REF.format(model="Asides")}]}


def _joined(components: Mapping[str, Any], prefixes: list[str]) -> Iterator[tuple[str, Any]]:
    """Components in which every game says its own: the choice among these, open where a game does not describe it."""
    refs = [{"$ref": REF.format(model=f"{prefix}Event")} for prefix in prefixes if f"{prefix}Event" in components]
    yield "GameEvent", {"anyOf": refs}
    for name, part, member in (("StaticGame", "Static", "charts"), ("BoardView", "Observation", "victory")):
        common = components[name]["properties"]
        shapes = [components.get(f"{prefix}{part}", {}).get("properties", common)[member] for prefix in prefixes]
        properties = {**common, member: {"anyOf": _distinct(shapes)}}
        yield name, {**components[name], "properties": properties}
    view = {"anyOf": [{"$ref": REF.format(model="View")}, {"type": "null"}]}
    refused = components["Refused"]
    yield "Refused", {**refused, "properties": {**refused["properties"], "view": view}}


def _answers(games: Iterable[Game[Any]]) -> Iterator[dict[str, str]]:
    """What the games answer to questions: any object, where a game does not describe its answers."""
    described = {game: bool(game.shapes().answers) for game in games}
    yield from ({"$ref": REF.format(model=f"{_prefix(game)}Answer")} for game, is_so in described.items() if is_so)
    if not all(described.values()):
        yield {"type": "object"}


def _prefix(game: Game[Any]) -> str:
    """What the names of a game's own components begin with."""
    return game.id.capitalize()


def game_schemas(game: Game[Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """The shapes of a game as components: its ``View``, ``Static``, ``Answers`` by the kind of question, ``Answer`` for
    any of them, and all that these are made of. Names of its own begin with the game's."""
    shapes, prefix = game.shapes(), _prefix(game)
    whole = {"Observation": shapes.observation, "Static": shapes.static, **shapes.answers}
    inputs: list[tuple[Any, Literal["validation"], TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(modelled(shape))) for name, shape in whole.items() if shape is not None
    ]
    if not inputs:
        return {}
    found, made = TypeAdapter.json_schemas(inputs, ref_template=REF)
    schemas = _bare(made["$defs"])
    own = {name: f"{prefix}{name}" for name in schemas if shared.get(name) != schemas[name]}
    renamed = {REF.format(model=name): REF.format(model=new) for name, new in own.items()}
    components = {own[name]: _with_refs(schemas[name], renamed) for name in own}
    answers = {kind: _with_refs(_bare(found[kind, "validation"]), renamed) for kind in shapes.answers}
    if answers:
        components[f"{prefix}Answers"] = {"type": "object", "properties": answers, "required": sorted(answers)}
        components[f"{prefix}Answer"] = {"anyOf": _distinct(answers.values())}
    if shapes.observation is not None:
        parts = ["View", f"{prefix}Observation"]
        components[f"{prefix}View"] = {"allOf": [{"$ref": REF.format(model=part)} for part in parts]}
    return components


def _distinct(schemas: Iterable[Any]) -> list[Any]:
    return [json.loads(text) for text in dict.fromkeys(json.dumps(schema, sort_keys=True) for schema in schemas)]


def _with_refs(schema: Any, renamed: Mapping[str, str]) -> Any:
    """A schema that refers to components by their new names."""
    if isinstance(schema, list):
        return [_with_refs(item, renamed) for item in schema]
    if isinstance(schema, dict):
        return {
            key: renamed.get(value, value) if key == "$ref" else _with_refs(value, renamed)
            for key, value in schema.items()
        }
    return schema


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
    prefix = _prefix(game)
    kinds = {
        f"{prefix}{''.join(word.capitalize() for word in kind.split('_'))}Event": (kind, entry)
        for kind, entry in sorted(game.events().items())  # in whatever order their modules were read
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
