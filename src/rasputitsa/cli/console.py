"""What all commands share: output, progress, errors in plain words, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from rasputitsa.core import files
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Game
from rasputitsa.core.registry import default_game, game_ids, get_game

FAILED = 1


class PlainConsole(Console):
    """A terminal that no text from a file or database can steer: what is not printable is shown as a mark."""

    def render_str(self, text: str, **how: Any) -> Text:
        """The text, styled as asked, without control characters but for line ends and tabs."""
        return super().render_str("".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text), **how)


out = PlainConsole(highlight=False, markup=False, emoji=False)
err = PlainConsole(stderr=True, highlight=False, markup=False, emoji=False)

DEFAULT_GAME = default_game()
GameOption = Annotated[str, typer.Option("--game", help="Which game.")]
DataOption = Annotated[
    Path | None, typer.Option("--data", help="Where matches are kept; by default the usual place of your system.")
]
OptionsOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A game option, NAME=VALUE; may be repeated.")
]


class CommandError(Exception):
    """A command cannot do what was asked; the text says why."""


def shown(text: object, most: int = 2000) -> str:
    """Text from a file or a database, on one line and without anything that moves the cursor of a terminal."""
    return "".join(c if c.isprintable() else " " for c in str(text)[:most])


def cell(text: object) -> str:
    """The same for a table, where room is scarce."""
    return shown(text, 60)


def complain(message: object) -> None:
    """One line on the error stream."""
    err.print(f"rasputitsa: {shown(message)}", style="red", soft_wrap=True)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors that the program foresees become a line and exit code 1, without a traceback."""
    try:
        yield
    except (CommandError, RasputitsaError) as problem:
        complain(problem)
        sys.exit(FAILED)
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            raise
        where = f"{problem.filename}: " if problem.filename else ""
        complain(f"{where}{problem.strerror or problem}")
        sys.exit(FAILED)


def progress() -> Progress:
    """A bar for work that takes longer than a moment; silent where nobody watches."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def read_options(game: Game[object], given: list[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` texts as options."""
    options: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        known = {option.id: [choice.id for choice in option.choices] for option in game.options()}
        if not equals or value not in known.get(name, ()):
            choices = "; ".join(f"{name}={'|'.join(values)}" for name, values in known.items())
            raise CommandError(f"{text!r} is no option of {game.title}; known: {choices}")
        options[name] = value
    return options


def known_game(game_id: str) -> Game[object]:
    """A game by its id, or the list of games."""
    if game_id not in game_ids():
        raise CommandError(f"there is no game {game_id!r}; known: {', '.join(game_ids())}")
    return get_game(game_id)


def read_text(path: Path) -> str:
    """A text file, or ``-`` for standard input."""
    return files.as_text(read_bytes(path, files.MOST_BYTES), "standard input" if str(path) == "-" else path)


def read_bytes(path: Path, most: int) -> bytes:
    """A file of at most ``most`` bytes, or ``-`` for standard input."""
    if str(path) != "-":
        return files.read_bytes(path, most)
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise CommandError(f"standard input is larger than {most:,} bytes")
    return content


def write_text(path: Path | None, text: str) -> None:
    """Write a file, or standard output, in UTF-8 whatever the terminal has."""
    if path is None or str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        files.write_text(path, text)
