"""``calibrate``: what the seats of War in Russia believe of the enemy, against what is true."""

from __future__ import annotations

from typing import Annotated

import typer

from rasputitsa.cli.console import CommandError, err, known_game, out, progress
from rasputitsa.cli.contests import ProcessesOption, SeedOption, check_players


def calibrate(
    scenario: Annotated[str, typer.Argument(help="Starting position.")] = "barbarossa",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many campaigns.")] = 10,
    seed: SeedOption = 1,
    player: Annotated[str, typer.Option("--player", "-p", help="The computer player of both sides.")] = "planner",
    weeks: Annotated[int, typer.Option("--weeks", min=0, help="Stop in this turn; 0 plays to the end.")] = 0,
    processes: ProcessesOption = 1,
) -> None:
    """Play War in Russia between computer players and compare what they believe of the enemy with the truth."""
    from rasputitsa.ai.wir.campaigns.calibration import Sample, report, run

    known = [info.id for info in known_game("wir").scenarios()]
    if scenario not in known:
        raise CommandError(f"there is no scenario {scenario!r}; known: {', '.join(known)}")
    check_players("wir", [player])
    samples: list[Sample] = []
    played = 0
    try:
        with progress() as bar:
            task = bar.add_task("campaigns", total=games)
            for found in run(scenario, range(seed, seed + games), player, weeks, processes):
                samples += found
                played += 1
                bar.advance(task)
    except KeyboardInterrupt:
        err.print(f"stopped after {played} campaigns")
    if not samples:
        raise CommandError("no campaign was played")
    out.print(report(samples), soft_wrap=True)
