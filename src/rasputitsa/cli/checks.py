"""``conform``, ``validate`` and ``bench``: is it right, are the data right (also for other commands), is it fast."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, cast

import typer

import rasputitsa
from rasputitsa.cli.console import FAILED, CommandError, err, out, progress, shown
from rasputitsa.core.conformance.conform import Report, find_cases, read_cases, run_case
from rasputitsa.core.data.checks import DataChecks
from rasputitsa.core.registry import DATA, extended, extension, game_with_data

MOST_SHOWN = 10


def conform(
    paths: Annotated[list[Path], typer.Argument(help="Case files, or folders of them.")],
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the passed cases too.")] = False,
) -> None:
    """Check the rules against conformance cases, paragraph by paragraph."""
    for path in paths:
        if not path.exists():
            raise CommandError(f"there is no {path}")
    files = list(find_cases(paths))
    passed = failed = 0
    with progress() as bar:
        task = bar.add_task("cases", total=len(files))
        for path in files:
            for case in read_cases(path):
                report = run_case(case)
                passed += report.passed
                failed += not report.passed
                if verbose or not report.passed:
                    _print_report(report)
            bar.advance(task)
    if passed + failed == 0:
        raise CommandError("no cases there")
    out.print(f"{passed} passed, {failed} failed", style="green" if not failed else "red")
    if failed:
        raise typer.Exit(FAILED)


def _print_report(report: Report) -> None:
    mark = "passed" if report.passed else "FAILED"
    case = report.case
    out.print(f"{mark} {', '.join(case.rules)}: {case.title}  ({case.path})", soft_wrap=True)
    for failure in report.failures:
        out.print(f"       {failure}", soft_wrap=True)


def validate(
    folder: Annotated[Path | None, typer.Argument(help="A data directory; by default those shipped.")] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="The game they belong to, if the files do not say.")
    ] = None,
) -> None:
    """Check the data directory of a game: map, units, charts, scenarios; by default those of all games."""
    games = _checks()
    if game is not None and game not in games:
        raise CommandError(f"there is no game {game!r}; choose from {', '.join(games)}")
    if folder is not None and not folder.is_dir():
        raise CommandError(f"there is no folder {folder}")
    if folder is not None and game is None:
        game = _game_of(folder, games)
    found = 0
    for checked in [games[game]] if game else games.values():
        place = folder or checked.DATA_DIR
        problems = checked.validate(place)
        for problem in problems:
            out.print(shown(problem), soft_wrap=True)
        if not problems:
            out.print(f"{place} is sound", soft_wrap=True)
        found += len(problems)
    if found:
        err.print(f"{found} problems", style="red")
        raise typer.Exit(FAILED)


def _checks() -> dict[str, DataChecks]:
    """The checks of every game that has data files."""
    return {game_id: cast(DataChecks, extension(DATA, game_id)) for game_id in extended(DATA)}


def _game_of(folder: Path, games: Mapping[str, DataChecks]) -> str:
    """The game whose shipped files a folder has most in common with."""
    files = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}

    def shared(game_id: str) -> int:
        shipped = games[game_id].DATA_DIR
        return sum((shipped / name).is_file() for name in files)

    return max(games, key=shared)


def playable(game: str, folder: Path | None) -> str:
    """The path of edited data, empty for none; raises ``CommandError`` if the game cannot be played with them."""
    if folder is None:
        return ""
    if not folder.is_dir():
        raise CommandError(f"there is no folder {folder}")
    check = _checks().get(game)
    problems = check.unsound(folder) if check else []
    for problem in problems[:MOST_SHOWN]:
        err.print(shown(problem), soft_wrap=True)
    if problems:
        raise CommandError(f"the data of {folder} cannot be played with; {len(problems)} problems were found")
    rules = game_with_data(game, folder)
    for scenario in rules.scenarios():
        rules.setup(scenario.id, {})
    return str(folder.resolve())


def bench(
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Length of a round (three each).")] = 4.0,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Also measure other engines, if installed.")] = True,
) -> None:
    """Measure the engine; needs the source tree."""
    root = Path(rasputitsa.__file__).parents[2]
    if not (root / "bench" / "__main__.py").is_file():
        raise CommandError("the benchmarks are part of the source tree, which is not here")
    command = [sys.executable, "-m", "bench", "--seconds", str(seconds), *([] if peers else ["--no-peers"])]
    code = subprocess.run(command, cwd=root, check=False).returncode
    if code:
        raise typer.Exit(FAILED)
