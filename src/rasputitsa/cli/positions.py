"""``positions``: what a computer player does where the right answer is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import DEFAULT_GAME, FAILED, CommandError, known_game, out, progress
from rasputitsa.cli.contests import ClockOption, GameArgument, SecondsOption, SeedOption, check_clock, check_players

if TYPE_CHECKING:
    from rasputitsa.ai.contests.positions import Solution


def positions(
    game: GameArgument = DEFAULT_GAME,
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", help="A computer player, or external:COMMAND.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Only positions with this id, or of this theme.")
    ] = None,
    tries: Annotated[int, typer.Option("--tries", "-n", min=1, help="Seeds for each position.")] = 1,
    seed: SeedOption = 1,
    bot_seconds: SecondsOption = 10.0,
    clock: ClockOption = "cpu",
    answers: Annotated[bool, typer.Option("--answers", help="Show each answer, and why another one is right.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if an answer was wrong.")] = False,
) -> None:
    """Try computer players on positions where the right answer is known."""
    from rasputitsa.ai.contests.positions import problems, run
    from rasputitsa.ai.players import check_countable, clock_of

    known_game(game)
    names = tuple(dict.fromkeys(player or ["planner"]))
    check_players(game, names)
    check_clock(clock)
    check_countable(names, clock)
    chosen = [p for p in problems(game) if not only or any(w == p.id or w.lower() in p.theme.lower() for w in only)]
    if not chosen:
        raise CommandError(f"there are no such positions of {game}")
    found: dict[str, list[Solution]] = {}
    with progress() as bar:
        task = bar.add_task("positions", total=len(names) * len(chosen) * tries)
        for name in names:
            found[name] = []
            for solution in run(game, chosen, name, range(seed, seed + tries), lambda: clock_of(clock, bot_seconds)):
                found[name].append(solution)
                bar.advance(task)
    _print_table(found)
    if answers:
        _print_answers(found)
    if strict and not all(solution.right for solutions in found.values() for solution in solutions):
        raise typer.Exit(FAILED)


def _print_table(found: dict[str, list[Solution]]) -> None:
    """A line for each position, a column for each player, and sums by theme."""
    table = Table("theme", "position", *found, box=None)
    rows: dict[tuple[str, str], list[str]] = {}
    for solutions in found.values():
        for key, cell in _cells(solutions).items():
            rows.setdefault(key, []).append(cell)
    for (theme, title), cells in rows.items():
        table.add_row(theme, title, *cells)
    table.add_row("", "right in all", *(_share(solutions) for solutions in found.values()))
    out.print(table)


def _cells(solutions: Sequence[Solution]) -> dict[tuple[str, str], str]:
    tried, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for solution in solutions:
        key = solution.problem.theme, f"{solution.problem.id}: {solution.problem.title}"
        tried[key] += 1
        right[key] += solution.right
    return {key: ("yes" if right[key] else "no") if n == 1 else f"{right[key]} of {n}" for key, n in tried.items()}


def _share(solutions: Sequence[Solution]) -> str:
    return f"{sum(s.right for s in solutions)} of {len(solutions)}"


def _print_answers(found: dict[str, list[Solution]]) -> None:
    for name, solutions in found.items():
        for solution in solutions:
            mark = "right" if solution.right else "wrong"
            line = f"{name}, {solution.problem.id}, seed {solution.seed}, {mark}: {', '.join(solution.answers)}"
            out.print(line, soft_wrap=True)
            if not solution.right:
                out.print(f"    {solution.problem.reason}", soft_wrap=True)
