"""``rear``: what the computer players of War in Russia leave open behind their line."""

from __future__ import annotations

from typing import Annotated

import typer

from rasputitsa.cli.console import CommandError, err, known_game, out, progress
from rasputitsa.cli.contests import ProcessesOption, SeedOption, check_players


def rear(
    scenario: Annotated[str, typer.Argument(help="Starting position.")] = "case_blue_short",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many campaigns.")] = 2,
    seed: SeedOption = 1,
    axis: Annotated[str, typer.Option("--axis", help="The computer player of the Axis.")] = "planner",
    soviet: Annotated[str, typer.Option("--soviet", help="The computer player of the Soviet side.")] = "planner",
    weeks: Annotated[int, typer.Option("--weeks", min=0, help="Stop in this turn; 0 plays to the end.")] = 0,
    processes: ProcessesOption = 1,
) -> None:
    """Play War in Russia between computer players and count the places left empty behind the line."""
    from rasputitsa.ai.wir.campaigns.rear_report import Sample, report, run

    known = [info.id for info in known_game("wir").scenarios()]
    if scenario not in known:
        raise CommandError(f"there is no scenario {scenario!r}; known: {', '.join(known)}")
    check_players("wir", [axis, soviet])
    samples: list[Sample] = []
    points: list[int] = []
    try:
        with progress() as bar:
            task = bar.add_task("campaigns", total=games)
            for found, difference in run(scenario, range(seed, seed + games), (axis, soviet), weeks, processes):
                samples += found
                points.append(difference)
                bar.advance(task)
    except KeyboardInterrupt:
        err.print(f"stopped after {len(points)} campaigns")
    if not samples:
        raise CommandError("no campaign was played")
    out.print(report(samples), soft_wrap=True)
    out.print(f"Points, Soviet less Axis: {', '.join(map(str, points))}", soft_wrap=True)
