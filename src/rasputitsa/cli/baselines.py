"""``baselines``: how often players reach the goals of the lessons, as a table to compare others with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rasputitsa.cli.console import known_game, out
from rasputitsa.cli.contests import (
    ClockOption,
    ProcessesOption,
    SecondsOption,
    SeedOption,
    check_clock,
    check_players,
    open_results,
    play_jobs,
)
from rasputitsa.core import files
from rasputitsa.core.registry import game_ids, get_game

if TYPE_CHECKING:
    from rasputitsa.ai.contests.baselines import Baselines, Cell

USUAL = ("steady", "greedy", "planner-easy", "planner")
OPPONENTS = ("steady", "greedy", "planner")


def baselines(
    game: Annotated[list[str] | None, typer.Argument(help="Which games; by default all with lessons.")] = None,
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", help=f"Who learns; by default {', '.join(USUAL)}.")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", help=f"The opponents; by default {' and '.join(OPPONENTS)}.")
    ] = None,
    lesson: Annotated[list[str] | None, typer.Option("--lesson", help="Only these lessons.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Seeds for each line of the table.")] = 100,
    seed: SeedOption = 1,
    bot_seconds: SecondsOption = 1.0,
    clock: ClockOption = "work",
    processes: ProcessesOption = 1,
    to: Annotated[
        Path, typer.Option("--to", help="Folder of results and table; run the command again to go on.")
    ] = Path("baselines"),
) -> None:
    """Let computer players play the lessons in the learner's seat, and tell how often they reach the goal."""
    from rasputitsa.ai.contests.baselines import Baselines

    check_clock(clock)
    names, opponents = tuple(dict.fromkeys(player or USUAL)), tuple(dict.fromkeys(against or OPPONENTS))
    plans = []
    for name in dict.fromkeys(game or [name for name in game_ids() if get_game(name).lessons()]):
        known_game(name)
        check_players(name, [*names, *opponents])
        plans.append(Baselines(name, names, opponents, games, seed, bot_seconds, clock, tuple(lesson or ())))
        plans[-1].seats()  # refuses a lesson that there is not
    to.mkdir(parents=True, exist_ok=True)
    told: list[str] = []
    for plan in plans:
        sides = dict.fromkeys(side for pair in plan.seats().values() for side in pair)
        file = open_results(to / f"{plan.game}.jsonl", plan.header(), list(sides))
        in_turn = zip_longest(*plan.jobs().values())  # seed by seed, so that all lines grow together
        jobs = [job for row in in_turn for job in row if job is not None]
        finished = play_jobs([job for job in jobs if job.id not in file.ids()], len(jobs), file, processes, False, "")
        told += _table(plan, plan.cells(file.played))
        if not finished:
            break
    files.write_text(to / "baselines.md", "\n".join(told) + "\n")
    out.print("\n".join(told), soft_wrap=True)


def _table(plan: Baselines, cells: Mapping[tuple[str, str, str], Cell]) -> Iterator[str]:
    """The lines of the table of one game, in Markdown."""
    rules = get_game(plan.game)
    yield f"## {rules.title}"
    yield ""
    yield f"Goals reached, with 95 % intervals; {plan.games} games each, seeds from {plan.seed}, " + (
        f"{plan.seconds:g} s of {plan.clock} a player-turn, data {rules.data_version}."
    )
    yield ""
    yield f"| lesson | seat | against | {' | '.join(plan.players)} |"
    yield f"|---|---|---|{'---:|' * len(plan.players)}"
    for lesson, (mine, _) in plan.seats().items():
        for opponent in plan.against:
            found = [_words(cells.get((lesson, opponent, name))) for name in plan.players]
            yield f"| {lesson} | {mine} | {opponent} | {' | '.join(found)} |"
    times = []
    for name in plan.players:
        mine_all = [cell for (_, _, player), cell in cells.items() if player == name]
        times.append(f"{1000 * sum(c.turn_seconds for c in mine_all) / max(1, len(mine_all)):.0f} ms")
    yield f"| *a player-turn* | | | {' | '.join(times)} |"
    yield ""


def _words(cell: Cell | None) -> str:
    if cell is None:
        return ""
    low, high = cell.interval
    lost = f", {cell.forfeits} forfeited" if cell.forfeits else ""
    return f"{cell.score:.0%} ({low:.0%} to {high:.0%}{lost})"
