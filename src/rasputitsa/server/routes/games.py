"""What can be played: games, maps and charts, rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

import rasputitsa
from rasputitsa.ai.advice.analysis import knows
from rasputitsa.ai.players import PlayerInfo, players
from rasputitsa.core.caching import cached
from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game
from rasputitsa.core.lessons.glossary import glossary
from rasputitsa.core.lessons.guidebook import marked, side_guide
from rasputitsa.core.lessons.lessons import LessonInfo
from rasputitsa.core.registry import game_ids, game_of_version, get_game
from rasputitsa.server.encoding import Kept
from rasputitsa.server.errors import unknown
from rasputitsa.server.matches.view_defaults import whole_static

router = APIRouter(prefix="/api")

PLAYERS_OPTION = "players"


@router.get("/games", response_model=list[dict[str, Any]])
async def games(request: Request) -> Response:
    """The games, with what is needed to set one up."""
    state = request.app.state
    if not hasattr(state, "games"):  # looked up once: what is installed does not change while a server runs
        found = await run_in_threadpool(lambda: [_game_json(known_game(game_id)) for game_id in game_ids()])
        state.games = await run_in_threadpool(lambda: Kept(found))
    kept: Kept = state.games
    return kept.answer(request)


@router.get("/games/{game_id}/static", response_model=dict[str, Any])
async def static(
    request: Request, game_id: str, scenario: str = Query(max_length=40), data: str = Query("", max_length=40)
) -> Response:
    """Map, units and charts of a scenario, as they are today or in the version of the data that a match names."""
    return (await run_in_threadpool(lambda: _static(game_id, scenario, data))).answer(request)


@router.get("/games/{game_id}/rules", response_model=dict[str, Any])
async def rules(request: Request, game_id: str) -> Response:
    """The rules register, paragraph by paragraph."""
    return (await run_in_threadpool(lambda: _rules(known_game(game_id).id))).answer(request)


@router.get("/games/{game_id}/glossary", response_model=dict[str, Any])
async def terms(request: Request, game_id: str) -> Response:
    """The terms of a game, each in a sentence or two with its paragraph."""
    return (await run_in_threadpool(lambda: _glossary(known_game(game_id).id))).answer(request)


@router.get("/games/{game_id}/guides", response_model=dict[str, Any])
async def guides(request: Request, game_id: str) -> Response:
    """How to play each side of a game."""
    return (await run_in_threadpool(lambda: _guides(known_game(game_id).id))).answer(request)


def known_game(game_id: str) -> Game[Any]:
    """A game by its id, or 404."""
    try:
        return get_game(game_id)
    except SetupError as problem:
        raise unknown("unknown_game", str(problem)) from problem


def seat_counts(game: Game[Any]) -> list[str]:
    """The numbers of players a game offers."""
    for option in game.options():
        if option.id == PLAYERS_OPTION:
            return [choice.id for choice in option.choices]
    return [str(len(game.seats({})))]


def _game_json(game: Game[Any]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "scenarios": [scenario._asdict() for scenario in game.scenarios()],
        "lessons": [_lesson_json(game, lesson) for lesson in game.lessons()],
        "options": [
            {**option._asdict(), "choices": [choice._asdict() for choice in option.choices]}
            for option in game.options()
            if option.id != PLAYERS_OPTION
        ],
        "seats": {
            count: [seat._asdict() for seat in game.seats(_with_players(game, count))] for count in seat_counts(game)
        },
        "bots": [_bot_json(info) for info in players(game.id)],
        "analysis": knows(game.id),
    }


def _lesson_json(game: Game[Any], lesson: LessonInfo) -> dict[str, Any]:
    guide = game.guide(lesson.id)
    return {**lesson._asdict(), "guided": guide is not None and bool(guide.steps)}


def _bot_json(info: PlayerInfo) -> dict[str, Any]:
    levels = [{"id": level.id, "title": level.title, "summary": level.summary} for level in info.levels]
    told = {"id": info.id, "title": info.title, "summary": info.summary}
    return {**told, "usual": info.usual, "first": info.first, "levels": levels}


def _with_players(game: Game[Any], count: str) -> dict[str, str]:
    return {PLAYERS_OPTION: count} if any(o.id == PLAYERS_OPTION for o in game.options()) else {}


@cached
def _static(game_id: str, scenario: str, data: str) -> Kept:
    known_game(game_id)
    try:
        game = game_of_version(game_id, data)
    except SetupError as problem:
        raise unknown("unknown_data", str(problem)) from problem
    try:
        return Kept({"verbs": verbs_json(game), "plainest": list(game.plainest), **whole_static(game.static(scenario))})
    except SetupError as problem:
        raise unknown("unknown_scenario", str(problem)) from problem


def verbs_json(game: Game[Any]) -> dict[str, Any]:
    """The verbs of a game and what they speak of."""
    return {
        verb: {"args": list(kinds), "title": verb.replace("_", " ").capitalize()} for verb, kinds in game.verbs.items()
    }


@cached
def _rules(game_id: str) -> Kept:
    path = rules_file(game_id)
    if path is None:
        raise unknown("no_rules", f"no rules are shipped for {game_id}")
    return Kept(
        {
            "paragraphs": [
                {
                    "id": paragraph.id,
                    "chapter": paragraph.chapter,
                    "title": paragraph.title,
                    "text": paragraph.text,
                    "ruling": paragraph.ruling,
                    "options": list(paragraph.options),
                    "code": list(paragraph.code),
                    "sources": paragraph.sources,
                }
                for paragraph in paragraphs(path)
            ]
        }
    )


@cached
def _glossary(game_id: str) -> Kept:
    path = glossary_file(game_id)
    if path is None:
        raise unknown("no_glossary", f"no glossary is shipped for {game_id}")
    return Kept({"terms": [term._asdict() for term in glossary(path)]})


@cached
def _guides(game_id: str) -> Kept:
    game = get_game(game_id)
    sides = {seat.side: seat.title for seat in game.seats(_with_players(game, seat_counts(game)[0]))}
    found = [(side, name, path) for side, name in sides.items() if (path := guide_file(game_id, side)) is not None]
    if not found:
        raise unknown("no_guides", f"no guides are shipped for {game_id}")
    return Kept({"guides": [{"side": side, "name": name, **_guide_json(path)} for side, name, path in found]})


def _guide_json(path: Path) -> dict[str, Any]:
    guide = side_guide(path)
    sections = [{"title": name, "points": list(map(marked, points))} for name, points in guide.sections]
    return {"title": guide.title, "summary": marked(guide.summary), "sections": sections}


def rules_file(game_id: str) -> Path | None:
    """The rules register of a game: in the installed package, or in the source tree."""
    return _written("rules", f"{game_id}.md")


def glossary_file(game_id: str) -> Path | None:
    """The glossary of a game, next to its rules register."""
    return _written("rules", f"{game_id}-glossary.md")


def guide_file(game_id: str, side: str) -> Path | None:
    """How to play a side of a game, next to the introduction to it."""
    return _written("play", f"{game_id}-{side}.md")


def _written(kind: str, name: str) -> Path | None:
    package = Path(rasputitsa.__file__).parent
    for folder in (package / kind, package.parents[1] / "docs" / kind):
        if (path := folder / name).is_file():
            return path
    return None
