"""``replay``, ``export`` and ``import``: saved games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rasputitsa.cli.console import (
    CommandError,
    DataOption,
    cell,
    err,
    out,
    progress,
    read_bytes,
    read_text,
    shown,
    write_text,
)
from rasputitsa.cli.play import data_file
from rasputitsa.core.marks import plain
from rasputitsa.core.record.entries import read_save
from rasputitsa.core.record.session import Session

MOST_DIGITS = 19
"""Of the number of a match; no database has more."""


def replay(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Check only; print nothing but the result.")] = False,
    start: Annotated[int, typer.Option("--from", min=0, help="First entry to print.")] = 0,
) -> None:
    """Replay a saved game under the rules, with its recorded dice, and print what happened."""
    session = Session.load(read_text(file))
    if not quiet:
        _print_log(session, start)
    outcome = session.outcome()
    end = f"{outcome.winner or 'nobody'} wins ({outcome.level}): {outcome.reason}" if outcome else "not over yet"
    how = f"replayed from the position stored in entry {session.floor} on" if session.floor else "replayed"
    out.print(f"{session.version} entries, {how} without a fault; {end}", soft_wrap=True)
    out.print(session.audit().words, soft_wrap=True)


def _print_log(session: Session, start: int) -> None:
    last = ""
    for ply, (entry, events) in enumerate(zip(session.entries, session.events, strict=True)):
        if ply < start:
            continue
        heading = shown(entry.seat)
        if heading != last:
            out.print(heading, style="bold")
            last = heading
        dice = f"  [{', '.join(str(draw.value) for draw in entry.dice)}]" if entry.dice else ""
        out.print(f"  {ply:5} {shown(entry.action)}{dice}", soft_wrap=True)
        for event in events:
            words = plain(session.game.describe(session.state, event))
            out.print(f"        {shown(words)}", style="dim", soft_wrap=True)


def export(
    match: Annotated[
        str | None, typer.Argument(help="Number of the match; without it, the matches are listed.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="File to write; by default standard output.")] = None,
    data: DataOption = None,
) -> None:
    """Write a match of the data directory as a saved game."""
    from rasputitsa.server.matches.archive import export_match, list_matches
    from rasputitsa.server.store import StoreError

    path = data_file(data)
    if not path.is_file():
        raise CommandError(f"there are no matches in {path.parent}")
    try:
        if match is not None:
            text = export_match(path, _number(match))
            write_text(to, text)
            if read_save(text)[0].sources[-1].key is None:
                err.print("Several people play this match: until it is over, it is saved without the seed of its dice.")
            return
        table = Table("match", "title", "turn", "to move", box=None)
        for row in list_matches(path):
            moving = "over" if row.over else str(row.summary.get("to_move"))
            table.add_row(str(row.id), cell(row.title), cell(row.summary.get("turn_label", "")), cell(moving))
        out.print(table)
    except StoreError as problem:
        raise CommandError(str(problem)) from problem


def import_(
    file: Annotated[Path, typer.Argument(help="A saved game; - for standard input.")],
    data: DataOption = None,
) -> None:
    """Add a saved game to the matches of the data directory."""
    from rasputitsa.server.config import ServerConfig

    number, doubts = added(read_bytes(file, ServerConfig().max_import), data)
    out.print(f"match {number}")
    if doubts:
        out.print(doubts, soft_wrap=True)


def added(content: bytes, data: Path | None) -> tuple[int, str]:
    """The number of the match that a saved game has become, and what is to be said of its dice."""
    from rasputitsa.server.config import ServerConfig
    from rasputitsa.server.matches.archive import add_match
    from rasputitsa.server.matches.reading import SaveReader
    from rasputitsa.server.store import StoreError

    reader = SaveReader(ServerConfig().import_budget)
    with progress() as bar:
        task = bar.add_task("entries", total=content.count(b"\n"))
        try:
            packed = reader.read_now(content, lambda done, total: bar.update(task, completed=done, total=total))
        finally:
            reader.close()
    try:
        return add_match(data_file(data), packed), packed.doubts
    except StoreError as problem:
        raise CommandError(str(problem)) from problem


def exported(data: Path | None, number: int) -> str:
    """A match of the data directory as a saved game."""
    from rasputitsa.server.matches.archive import export_match
    from rasputitsa.server.store import StoreError

    path = data_file(data)
    if not path.is_file():
        raise CommandError(f"there are no matches in {path.parent}")
    try:
        return export_match(path, number)
    except StoreError as problem:
        raise CommandError(str(problem)) from problem


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > MOST_DIGITS:
        raise CommandError(f"{text!r:.60} is not the number of a match")
    return int(text)
