"""What can be played: games, maps and charts, rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Query, Request, Response
from starlette.concurrency import run_in_threadpool

import rasputitsa
from rasputitsa.ai.advice.analysis import knows
from rasputitsa.ai.players import PlayerInfo, players
from rasputitsa.core import game as core
from rasputitsa.core.caching import cached
from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game
from rasputitsa.core.lessons import lessons
from rasputitsa.core.lessons.glossary import glossary
from rasputitsa.core.lessons.guidebook import marked, side_guide
from rasputitsa.core.registry import game_ids, game_of_version, get_game
from rasputitsa.core.shapes import StaticGame, Verb
from rasputitsa.server.encoding import ReadyAnswer
from rasputitsa.server.errors import unknown
from rasputitsa.server.matches.view_defaults import whole_static
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.lists import (
    BotInfo,
    Choice,
    GameInfo,
    Glossary,
    Guides,
    GuideSection,
    LessonInfo,
    LevelInfo,
    Rules,
    ScenarioInfo,
    SideGuide,
)

router = api_router()

PLAYERS_OPTION = "players"


@router.get("/games")
async def games(request: Request) -> Response:
    """The games, with what is needed to set one up."""
    state = request.app.state
    if not hasattr(state, "games"):  # looked up once: what is installed does not change while a server runs
        found = await run_in_threadpool(lambda: [_game_json(known_game(game_id)) for game_id in game_ids()])
        state.games = await run_in_threadpool(lambda: ReadyAnswer(found))
    kept: ReadyAnswer = state.games
    return kept.answer(request)


@router.get("/games/{game_id}/static")
async def static(
    request: Request, game_id: str, scenario: str = Query(max_length=40), data: str = Query("", max_length=40)
) -> Response:
    """Map, units and charts of a scenario, as they are today or in the version of the data that a match names."""
    return (await run_in_threadpool(lambda: _static(game_id, scenario, data))).answer(request)


@router.get("/games/{game_id}/rules")
async def rules(request: Request, game_id: str) -> Response:
    """The rules register, paragraph by paragraph."""
    return (await run_in_threadpool(lambda: _rules(known_game(game_id).id))).answer(request)


@router.get("/games/{game_id}/glossary")
async def terms(request: Request, game_id: str) -> Response:
    """The terms of a game, each in a sentence or two with its paragraph."""
    return (await run_in_threadpool(lambda: _glossary(known_game(game_id).id))).answer(request)


@router.get("/games/{game_id}/guides")
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


def _game_json(game: Game[Any]) -> GameInfo:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "scenarios": [_scenario_json(scenario) for scenario in game.scenarios()],
        "lessons": [_lesson_json(game, lesson) for lesson in game.lessons()],
        "options": [
            {
                "id": option.id, "title": option.title, "help": option.help, "rule": option.rule,
                "default": option.default, "choices": [choice_json(choice) for choice in option.choices],
            }
            for option in game.options()
            if option.id != PLAYERS_OPTION
        ],
        "seats": {
            count: [
                {"id": seat.id, "side": seat.side, "title": seat.title, "named": seat.named or seat.title}
                for seat in _seats(game, count)
            ]
            for count in seat_counts(game)
        },
        "bots": [_bot_json(info) for info in players(game.id)],
        "analysis": knows(game.id),
    }  # fmt: skip


def _scenario_json(scenario: core.ScenarioInfo) -> ScenarioInfo:
    return {
        "id": scenario.id, "title": scenario.title, "summary": scenario.summary, "date": scenario.date,
        "turns": scenario.turns, "hours": scenario.hours, "history": scenario.history,
        "sources": list(scenario.sources),
    }  # fmt: skip


def choice_json(choice: core.Choice) -> Choice:
    """A choice of an option, or of what answers a question beforehand."""
    return {"id": choice.id, "title": choice.title, "help": choice.help}


def _lesson_json(game: Game[Any], lesson: lessons.LessonInfo) -> LessonInfo:
    guide = game.guide(lesson.id)
    return {
        "id": lesson.id, "title": lesson.title, "summary": lesson.summary, "goal": lesson.goal, "seat": lesson.seat,
        "minutes": lesson.minutes, "turns": lesson.turns, "opponent": lesson.opponent,
        "guided": guide is not None and bool(guide.steps),
    }  # fmt: skip


def _bot_json(info: PlayerInfo) -> BotInfo:
    levels: list[LevelInfo] = [
        {"id": level.id, "title": level.title, "summary": level.summary} for level in info.levels
    ]
    return {
        "id": info.id, "title": info.title, "summary": info.summary, "usual": info.usual, "first": info.first,
        "levels": levels,
    }  # fmt: skip


def _seats(game: Game[Any], count: str) -> list[core.SeatInfo]:
    return game.seats(_with_players(game, count))


def _with_players(game: Game[Any], count: str) -> dict[str, str]:
    return {PLAYERS_OPTION: count} if any(o.id == PLAYERS_OPTION for o in game.options()) else {}


@cached
def _static(game_id: str, scenario: str, data: str) -> ReadyAnswer:
    known_game(game_id)
    try:
        game = game_of_version(game_id, data)
    except SetupError as problem:
        raise unknown("unknown_data", str(problem)) from problem
    try:
        told = whole_static(game.static(scenario))
        answer: StaticGame = {"verbs": verbs_json(game), "plainest": list(game.plainest), **told}
        return ReadyAnswer(answer)
    except SetupError as problem:
        raise unknown("unknown_scenario", str(problem)) from problem


def verbs_json(game: Game[Any]) -> dict[str, Verb]:
    """The verbs of a game and what they speak of."""
    return {
        verb: {"args": list(kinds), "title": verb.replace("_", " ").capitalize(), "rule": ""}
        for verb, kinds in game.verbs.items()
    }


@cached
def _rules(game_id: str) -> ReadyAnswer:
    path = rules_file(game_id)
    if path is None:
        raise unknown("no_rules", f"no rules are shipped for {game_id}")
    answer: Rules = {
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
    return ReadyAnswer(answer)


@cached
def _glossary(game_id: str) -> ReadyAnswer:
    path = glossary_file(game_id)
    if path is None:
        raise unknown("no_glossary", f"no glossary is shipped for {game_id}")
    answer: Glossary = {
        "terms": [
            {"name": term.name, "also": list(term.also), "rule": term.rule, "text": term.text}
            for term in glossary(path)
        ]
    }
    return ReadyAnswer(answer)


@cached
def _guides(game_id: str) -> ReadyAnswer:
    game = get_game(game_id)
    sides = {seat.side: seat.title for seat in game.seats(_with_players(game, seat_counts(game)[0]))}
    found = [(side, name, path) for side, name in sides.items() if (path := guide_file(game_id, side)) is not None]
    if not found:
        raise unknown("no_guides", f"no guides are shipped for {game_id}")
    answer: Guides = {"guides": [_guide_json(side, name, path) for side, name, path in found]}
    return ReadyAnswer(answer)


def _guide_json(side: str, name: str, path: Path) -> SideGuide:
    guide = side_guide(path)
    sections: list[GuideSection] = [
        {"title": title, "points": list(map(marked, points))} for title, points in guide.sections
    ]
    return {
        "side": side, "name": name, "title": guide.title, "summary": marked(guide.summary), "sections": sections,
    }  # fmt: skip


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
