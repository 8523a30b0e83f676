"""``ladder``: which computer player is the strongest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rasputitsa.cli.checks import playable
from rasputitsa.cli.console import (
    DEFAULT_GAME,
    CommandError,
    OptionsOption,
    cell,
    err,
    known_game,
    out,
    progress,
    read_options,
)

if TYPE_CHECKING:
    from rasputitsa.ai.contests.contest import Job
    from rasputitsa.ai.contests.ladder import Ladder, Record, Results

GameArgument = Annotated[str, typer.Argument(help="Which game.")]
ProcessesOption = Annotated[int, typer.Option("--processes", "-j", min=1, help="Games at the same time.")]
ClusterOption = Annotated[bool, typer.Option("--cluster", help="Play on a Ray cluster instead (extra: cluster).")]
AddressOption = Annotated[
    str, typer.Option("--address", help="Address of the cluster; auto: the running one; local: start one here.")
]
SecondsOption = Annotated[
    float, typer.Option("--bot-seconds", min=0, help="Seconds of thinking time for a player-turn.")
]
EditedOption = Annotated[Path | None, typer.Option("--data", help="Play with the data files of this folder.")]
ClockOption = Annotated[
    str,
    typer.Option(
        "--clock", help="Count thinking time as it passes (wall), in processor time (cpu), or as work (work)."
    ),
]
COUNTED = ("games", "score", "drawn")
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the first game; the next ones follow.")]


def ladder(
    game: GameArgument = DEFAULT_GAME,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", "-p", help="A computer player, or external:COMMAND; give at least two."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Seeds for each pairing, each played twice.")] = 10,
    seed: SeedOption = 1,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Starting position.")] = None,
    lesson: Annotated[str | None, typer.Option("--lesson", help="A lesson instead of a whole game.")] = None,
    option: OptionsOption = None,
    bot_seconds: SecondsOption = 10.0,
    clock: ClockOption = "wall",
    processes: ProcessesOption = 1,
    cluster: ClusterOption = False,
    address: AddressOption = "auto",
    results: Annotated[
        Path | None, typer.Option("--results", help="File of results; run the command again to continue.")
    ] = None,
    data: EditedOption = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
    exploits: Annotated[
        bool, typer.Option("--exploits", help="Each player meets opponents that exploit one weakness each.")
    ] = False,
) -> None:
    """Let computer players play each other, sides swapped, and rate them."""
    from rasputitsa.ai.contests.ladder import Ladder

    rules = known_game(game)
    against = exploit_names(game) if exploits else ()
    names = tuple(dict.fromkeys(player or (["planner"] if exploits else [])))
    check_players(game, names)
    if len(names) < 2 and not exploits:
        raise CommandError("a ladder needs at least two players: --player greedy --player random")
    check_clock(clock)
    if lesson and (scenario or option):
        raise CommandError("a lesson brings its own scenario and options")
    plan = Ladder(
        game, names, games, seed, scenario or ("" if lesson else rules.scenarios()[0].id), lesson or "",
        read_options(rules, option), bot_seconds, playable(game, data), clock, against,
    )  # fmt: skip
    file = open_results(results, plan.header(), plan.sides())
    done = file.ids()
    jobs = plan.jobs()
    finished = play_jobs([job for job in jobs if job.id not in done], len(jobs), file, processes, cluster, address)
    mine = [g for g in file.played if set(g["players"].values()) <= {*names, *against}]
    if not mine:
        raise CommandError("no game was played")
    _print_tables(plan, mine, markdown)
    if not finished and results:
        out.print(f"Run the same command again to go on with {results}.", soft_wrap=True)


def open_results(path: Path | None, header: dict[str, object], sides: Sequence[str]) -> Results:
    """The results file, as far as it has come."""
    from rasputitsa.ai.contests.ladder import Results

    return Results(path, header, sides)


def exploit_names(game: str) -> tuple[str, ...]:
    """The players that test others for a weakness."""
    from rasputitsa.ai.players import exploits

    found = tuple(info.id for info in exploits(game))
    if not found:
        raise CommandError(f"there are no exploits of {game}")
    return found


def check_players(game: str, names: Sequence[str]) -> None:
    """Refuse a computer player the game does not have."""
    from rasputitsa.ai.players import known_player, player_names

    for name in names:
        if not known_player(name, game):
            known = ", ".join([*player_names(game), "external:COMMAND"])
            raise CommandError(f"there is no computer player {name!r}; known: {known}")


def check_clock(clock: str) -> None:
    """Refuse a clock that does not exist."""
    from rasputitsa.ai.players import CLOCKS

    if clock not in CLOCKS:
        raise CommandError(f"there is no clock {clock!r}; known: {', '.join(CLOCKS)}")


def play_jobs(
    jobs: Sequence[Job], total: int, file: Results, processes: int, cluster: bool, address: str
) -> bool:  # fmt: skip
    """Play what is missing, with a bar; whether all was played. Ctrl-C ends it and keeps what is done."""
    from rasputitsa.ai.contests.workers import play_all

    played = total - len(jobs)  # the file may hold games that are not asked for now
    try:
        with progress() as bar:
            task = bar.add_task("games", total=total, completed=played)
            for result in play_all(jobs, processes, address if cluster else None):
                file.add(result)
                played += 1
                bar.advance(task)
    except KeyboardInterrupt:
        err.print(f"stopped after {played} games")
        return False
    finally:
        file.close()
    if played < total:
        err.print(f"only {played} of {total} games were played; give the same command to go on")
        return False
    return True


def _print_tables(plan: Ladder, played: Sequence[dict[str, object]], markdown: bool) -> None:
    from rasputitsa.ai.contests.ladder import pairings, side_wins, standings

    sides = plan.sides()
    rows, ratings = standings(played, sides)
    of_side = [f"as {side}" for side in sides]
    heads = ["player", "Elo", "95 %", *COUNTED, *of_side, "s a turn", "slowest", "overruns", "forfeits"]
    found = []
    for row in rows:
        faults = ", ".join(f"{count} {fault}" for fault, count in sorted(row.faults.items())) or "0"
        found.append([
            row.player, f"{row.elo:.0f}", f"{row.low:.0f}-{row.high:.0f}", *_counts(row.record),
            *_by_side(row.record),
            f"{row.turn_seconds:.2f}", f"{row.slowest:.1f} s", str(row.overruns), faults,
        ])  # fmt: skip
    _print_table(heads, found, markdown)
    met = pairings(played, sides, [row.player for row in rows])
    _print_table(
        ["player", "against", *COUNTED, "95 %", *of_side],
        [
            [
                pair.player, pair.opponent, *_counts(pair.record), "{:.0%}-{:.0%}".format(*pair.record.interval),
                *_by_side(pair.record),
            ]
            for pair in met
        ],
        markdown,
    )  # fmt: skip
    for side, (wins, games, (low, high)) in side_wins(played).items():
        out.print(f"{side} won {wins} of {games} ({low:.0%} to {high:.0%} with 95 % confidence)")
    edge = ratings.advantage
    out.print(f"{sides[0]} is worth {edge.elo:+.0f} Elo ({edge.low:+.0f} to {edge.high:+.0f})")


def _counts(record: Record) -> list[str]:
    return [str(record.games), f"{record.score:.0%}", str(record.draws)]


def _by_side(record: Record) -> list[str]:
    return [f"{won} of {games}" for won, games in record.by_side.values()]


def _print_table(heads: list[str], rows: list[list[str]], markdown: bool) -> None:
    if markdown:
        lines = [heads, ["---"] * len(heads), *rows]
        out.print("\n".join(f"| {' | '.join(line)} |" for line in lines), soft_wrap=True)
    else:
        table = Table(*heads, box=None)
        for row in rows:
            table.add_row(*map(cell, row))
        out.print(table)
    out.print()
