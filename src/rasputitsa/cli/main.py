"""The command ``rasputitsa``."""

from __future__ import annotations

import sys
from importlib import metadata
from io import TextIOWrapper
from typing import Annotated

import typer

from rasputitsa.cli import (
    analyse,
    balance,
    baselines,
    board,
    checks,
    class_,
    contests,
    dice,
    files,
    games,
    history,
    leaderboard,
    lessons,
    mail,
    play,
    positions,
    probe,
    simulate,
    upkeep,
)
from rasputitsa.cli.console import FAILED, complain, plain_errors
from rasputitsa.cli.exit_codes import INTERRUPTED
from rasputitsa.core.registry import COMMANDS

app = typer.Typer(
    name="rasputitsa",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Eastern Front wargames, played by their own rules.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rasputitsa {metadata.version('rasputitsa')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


for _command in (
    play.play, play.serve, class_.class_, probe.probe, games.games, history.history, lessons.lessons, simulate.simulate,
    contests.ladder, positions.positions, balance.balance, baselines.baselines, leaderboard.submit,
    leaderboard.leaderboard, analyse.analyse, files.replay, dice.check_dice,
    board.show, board.odds, checks.conform, checks.validate, files.export, files.import_, upkeep.backup, upkeep.restore,
    checks.bench,
):  # fmt: skip
    app.command(_command.__name__.rstrip("_").replace("_", "-"))(_command)
for _point in sorted(metadata.entry_points(group=COMMANDS), key=lambda point: point.name):
    app.command(_point.name)(_point.load())
app.add_typer(upkeep.matches, name="matches")
app.add_typer(upkeep.accounts, name="accounts")
app.add_typer(mail.mail, name="mail")


def main() -> None:
    """Entry point: errors as one line of plain words, and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that has not all letters stops nothing
    try:
        with plain_errors():
            app()
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(FAILED)
