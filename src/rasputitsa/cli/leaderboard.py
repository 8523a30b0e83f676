"""``submit`` and ``leaderboard``: games of a bot against a fixed opponent, in a form that others can check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rasputitsa.cli.console import FAILED, CommandError, err, known_game, out, progress
from rasputitsa.cli.contests import GameArgument, ProcessesOption, check_players
from rasputitsa.core import files

if TYPE_CHECKING:
    from rasputitsa.ai.contests.leaderboard import Board, Standing

AgainstOption = Annotated[str, typer.Option("--against", help="The opponent, a computer player of the game.")]
WordOption = Annotated[str, typer.Option("--word", help="The word of the board, which gives the seeds.")]
ScenarioOption = Annotated[str | None, typer.Option("--scenario", help="Starting position; by default the first.")]
LessonOption = Annotated[str | None, typer.Option("--lesson", help="A lesson instead of a whole game.")]
GamesOption = Annotated[int, typer.Option("--games", "-n", min=2, help="How many games, half with each side.")]
TurnOption = Annotated[float, typer.Option("--bot-seconds", min=0, help="Seconds of thinking for a player-turn.")]


def submit(
    game: GameArgument,
    player: Annotated[str, typer.Option("--player", "-p", help="The bot: external:COMMAND or a computer player.")],
    name: Annotated[str, typer.Option("--name", help="What the bot is called on the board.")],
    to: Annotated[Path, typer.Option("--to", help="The file to write.")],
    against: AgainstOption = "greedy",
    word: WordOption = "open",
    scenario: ScenarioOption = None,
    lesson: LessonOption = None,
    games: GamesOption = 200,
    bot_seconds: TurnOption = 10.0,
    processes: ProcessesOption = 1,
) -> None:
    """Play the games that a leaderboard asks for, and write them down as a submission."""
    from rasputitsa.ai.contests.leaderboard import line_of
    from rasputitsa.ai.contests.workers import play_all

    board = _board(game, against, word, scenario, lesson, games, bot_seconds)
    check_players(game, [player])
    jobs = board.jobs(player)
    lines = {}
    with progress() as bar:
        task = bar.add_task("games", total=len(jobs))
        for played in play_all(jobs, processes):
            lines[played.id] = line_of(played)
            bar.advance(task)
    values = [{**board.header(), "name": name}, *(lines[job.id] for job in jobs)]
    files.write_text(to, "".join(f"{json.dumps(value)}\n" for value in values))
    out.print(f"{len(jobs)} games against {against} are in {to}; the command leaderboard checks them", soft_wrap=True)


def leaderboard(
    game: GameArgument,
    submission: Annotated[list[Path], typer.Argument(help="The files to check.")],
    against: AgainstOption = "greedy",
    word: WordOption = "open",
    scenario: ScenarioOption = None,
    lesson: LessonOption = None,
    games: GamesOption = 200,
    bot_seconds: TurnOption = 10.0,
    processes: ProcessesOption = 1,
    to: Annotated[Path | None, typer.Option("--to", help="Write the table to this file as well.")] = None,
) -> None:
    """Play submissions again, refuse those that are not true, and print the leaderboard of the others."""
    from rasputitsa.ai.contests.leaderboard import SubmissionError, check, ranked

    board, standings, refused = _board(game, against, word, scenario, lesson, games, bot_seconds), [], 0
    for path in submission:
        try:
            if not path.is_file():
                raise SubmissionError("there is no such file")
            standings.append(check(board, path, processes))
        except (SubmissionError, files.FileError) as problem:
            refused += 1
            err.print(f"{path}: {problem}", soft_wrap=True, markup=False)
    table = "\n".join(_table(board, ranked(standings)))
    out.print(table, soft_wrap=True, markup=False)
    if to is not None:
        files.write_text(to, table + "\n")
    if refused:
        err.print(f"refused: {refused} of {len(submission)}")
        raise typer.Exit(FAILED)


def _board(
    game: str, against: str, word: str, scenario: str | None, lesson: str | None, games: int, seconds: float
) -> Board:
    from rasputitsa.ai.contests.leaderboard import Board
    from rasputitsa.ai.players import EXTERNAL

    rules = known_game(game)
    check_players(game, [against])
    if against.startswith(EXTERNAL):
        raise CommandError("the opponent of a board is a computer player of the game, so that all can play it again")
    if games % 2:
        raise CommandError("half of the games are played with each side: give an even number")
    if lesson and scenario:
        raise CommandError("a lesson brings its own scenario")
    start = scenario or ("" if lesson else rules.scenarios()[0].id)
    board = Board(game, against, word, start, lesson or "", games, seconds)
    board.sides()
    return board


def _table(board: Board, standings: Sequence[Standing]) -> Iterator[str]:
    """The lines of the leaderboard, in Markdown."""
    one, other = board.sides()
    yield (
        f"{board.game}, {board.lesson or board.scenario}: {board.games} games against {board.opponent}, word "
        f"{board.word!r}, {board.seconds:g} s a player-turn"
    )
    yield ""
    yield f"| | bot | score | 95 % | as {one} | as {other} | drawn | faults | submission |"
    yield "|---:|---|---:|---|---:|---:|---:|---:|---|"
    for place, bot in enumerate(standings, start=1):
        low, high = bot.interval
        won = " | ".join(f"{bot.by_side[side]} of {board.games // 2}" for side in (one, other))
        yield (
            f"| {place} | {bot.name} | {bot.score:.1%} | {low:.0%} to {high:.0%} | {won} | {bot.draws} | {bot.faults} "
            f"| {bot.digest} |"
        )
