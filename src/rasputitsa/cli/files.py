"""``replay``, ``export`` and ``import``: saved games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import CommandError, DataOption, out, read_text, write_text
from rasputitsa.cli.play import data_file
from rasputitsa.core.record import Session

_MARK = re.compile(r"\{(?:unit|hex):([^{}]+)\}")


def plain(text: str) -> str:
    """The words of an event without the marks for units and hexes."""
    return _MARK.sub(r"\1", text)


def replay(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Check only; print nothing but the result.")] = False,
    start: Annotated[int, typer.Option("--from", min=0, help="First entry to print.")] = 0,
) -> None:
    """Play a saved game again by the rules, with its own dice, and print what happened."""
    session = Session.load(read_text(file))
    if not quiet:
        _print_log(session, start)
    outcome = session.game.outcome(session.state)
    end = f"{outcome.winner or 'nobody'} wins ({outcome.level}): {outcome.reason}" if outcome else "not over yet"
    out.print(f"{session.version} entries, replayed without a fault; {end}", markup=False, soft_wrap=True)


def _print_log(session: Session, start: int) -> None:
    last = ""
    for ply, (entry, events) in enumerate(zip(session.entries, session.events, strict=True)):
        if ply < start:
            continue
        heading = entry.seat
        if heading != last:
            out.print(heading, style="bold", markup=False)
            last = heading
        dice = f"  [{', '.join(str(draw.value) for draw in entry.dice)}]" if entry.dice else ""
        out.print(f"  {ply:5} {entry.action}{dice}", markup=False, soft_wrap=True)
        for event in events:
            words = plain(session.game.describe(session.state, event))
            out.print(f"        {words}", style="dim", markup=False, soft_wrap=True)


def export(
    match: Annotated[
        str | None, typer.Argument(help="Number of the match; without it, the matches are listed.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="File to write; by default standard output.")] = None,
    data: DataOption = None,
) -> None:
    """Write a match of the data directory as a saved game."""
    from rasputitsa.server.archive import export_match, list_matches
    from rasputitsa.server.store import StoreError

    path = data_file(data)
    if not path.is_file():
        raise CommandError(f"there are no matches in {path.parent}")
    try:
        if match is not None:
            write_text(to, export_match(path, _number(match)))
            return
        table = Table("match", "title", "turn", "to move", box=None)
        for row in list_matches(path):
            moving = "over" if row.over else str(row.summary.get("to_move"))
            table.add_row(str(row.id), row.title, str(row.summary.get("turn_label", "")), moving)
        out.print(table)
    except StoreError as problem:
        raise CommandError(str(problem)) from problem


def import_(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    data: DataOption = None,
) -> None:
    """Add a saved game to the matches of the data directory."""
    from rasputitsa.server.archive import import_match
    from rasputitsa.server.store import StoreError

    session = Session.load(read_text(file))
    try:
        number = import_match(data_file(data), session)
    except StoreError as problem:
        raise CommandError(str(problem)) from problem
    out.print(f"match {number}")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise CommandError(f"{text!r} is not the number of a match")
    return int(text)
