"""``campaigns``: whole campaigns of War in Russia between computer players, compared with the course of the war."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rasputitsa.cli.console import CommandError, OptionsOption, err, known_game, out, progress, read_options, write_text
from rasputitsa.cli.contests import ProcessesOption, SeedOption, check_players

PlayerOption = Annotated[str, typer.Option(help="The computer player of this side.")]


def campaigns(
    scenario: Annotated[str, typer.Argument(help="Starting position.")] = "barbarossa",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many campaigns.")] = 30,
    seed: SeedOption = 1,
    axis: PlayerOption = "planner",
    soviet: PlayerOption = "planner",
    option: OptionsOption = None,
    bot_seconds: Annotated[
        float, typer.Option("--bot-seconds", min=0, help="Seconds of thinking time for a decision.")
    ] = 10.0,
    weeks: Annotated[int, typer.Option("--weeks", min=0, help="Stop in this turn; 0 plays to the end.")] = 0,
    processes: ProcessesOption = 1,
    results: Annotated[
        Path | None, typer.Option("--results", help="File of results; run the command again to continue.")
    ] = None,
    pools: Annotated[bool, typer.Option("--pools", help="Add what lies in the pools, month by month.")] = False,
    to: Annotated[Path | None, typer.Option("--to", help="File of the report (Markdown).")] = None,
) -> None:
    """Play War in Russia many times between computer players and compare the course with that of the war."""
    from rasputitsa.ai.wir.campaigns import pools_report
    from rasputitsa.ai.wir.campaigns.campaigns import Job, run
    from rasputitsa.ai.wir.campaigns.history_report import report

    rules = known_game("wir")
    known = [info.id for info in rules.scenarios()]
    if scenario not in known:
        raise CommandError(f"there is no scenario {scenario!r}; known: {', '.join(known)}")
    check_players("wir", [axis, soviet])
    options = tuple(sorted(read_options(rules, option).items()))
    jobs = [Job(scenario, n, axis, soviet, options, bot_seconds, weeks) for n in range(seed, seed + games)]
    lines = []
    try:
        with progress() as bar:
            task = bar.add_task("campaigns", total=len(jobs))
            for line in run(jobs, processes, results):
                lines.append(line)
                bar.advance(task)
    except KeyboardInterrupt:
        err.print(f"stopped after {len(lines)} campaigns")
    if not lines:
        raise CommandError("no campaign was played")
    lines.sort(key=lambda line: line["seed"])
    text = report(lines)
    if pools:
        text = f"{text}\n\n{pools_report.report(lines)}"
    if to:
        write_text(to, text + "\n")
        out.print(f"wrote {to}", soft_wrap=True)
    else:
        out.print(text, soft_wrap=True)
