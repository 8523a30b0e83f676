"""``lessons``: small positions with a goal, to learn with."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import DEFAULT_GAME, CommandError, DataOption, GameOption, known_game, out
from rasputitsa.cli.play import data_file
from rasputitsa.core.registry import game_ids

SEED_BITS = 127


def lessons(
    lesson: Annotated[
        str | None, typer.Argument(help="A lesson to begin, or a game; without a lesson, the list.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
    opponent: Annotated[
        str | None, typer.Option("--opponent", help="Computer player on the other side; by default the lesson's own.")
    ] = None,
    data: DataOption = None,
) -> None:
    """List the lessons, or start one as a match, to be played with `rasputitsa play`."""
    if lesson in game_ids():
        game, lesson = str(lesson), None
    rules = known_game(game)
    infos = {info.id: info for info in rules.lessons()}
    if lesson is None:
        table = Table("lesson", "side", "minutes", "goal", box=None)
        for info in infos.values():
            table.add_row(info.id, info.seat, str(info.minutes), info.goal)
        out.print(table)
        return
    if lesson not in infos:
        raise CommandError(f"there is no lesson {lesson!r}; known: {', '.join(infos) or 'none'}")
    _begin(game, lesson, opponent, data)


def _begin(game: str, lesson: str, opponent: str | None, data: DataOption) -> None:
    from rasputitsa.ai.players import player_names
    from rasputitsa.core.record.new import lesson_session
    from rasputitsa.server.matches import match_dice
    from rasputitsa.server.matches.archive import add_match, pack
    from rasputitsa.server.store import StoreError

    rules = known_game(game)
    info = next(info for info in rules.lessons() if info.id == lesson)
    bot = opponent or info.opponent
    known = player_names(game)
    if bot not in known:
        raise CommandError(f"there is no computer player {bot!r}; known: {', '.join(known)}")
    seats = [seat.id for seat in rules.seats(rules.lesson(lesson).get("options", {}))]
    session = lesson_session(
        game, lesson, seed=secrets.randbits(SEED_BITS), title=info.title,
        controllers={seat: f"bot {bot}" for seat in seats if seat != info.seat},
    )  # fmt: skip
    match_dice.go_on(session)
    try:
        number = add_match(data_file(data), pack(session))
    except StoreError as problem:
        raise CommandError(str(problem)) from problem
    out.print(f"match {number}: {info.title}. {info.goal}", soft_wrap=True)
    out.print("Start `rasputitsa play` and open it in the list.")
