"""A computer player as it was at another commit, to measure today's against.

`python -m tools.reference 22753ba planner` takes the package out of the history into a folder under build/reference/,
compiles it where that is possible, and prints the `external:` player for `rasputitsa ladder`. A former player needs the
rules and helpers of its day, so the whole package is kept, by its commit, instead of a second copy of the source.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from tools.compiled import CompileError, build

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "reference"
BOT = Path(__file__).with_name("reference_bot.py")
PLANNER_1 = "22753ba5a56a14af53d8af872d92b423f52f4d4e"
"""The commit whose planner is kept as ``planner-1``: the last before what it believes belonged to its seat."""


class NoCommitError(Exception):
    """A clone without the commit asked for."""


def fetch(commit: str, home: Path = HOME, repository: Path = ROOT) -> Path:
    """The folder with the sources of the package at a commit, taken from the history if it is not there yet.

    Raises:
        NoCommitError: there is no such commit in this clone.
    """
    full = _git(repository, "rev-parse", "--verify", f"{commit}^{{commit}}").decode().strip()
    target = home / full
    if not target.exists():
        home.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(dir=home) as folder,
            zipfile.ZipFile(BytesIO(_git(repository, "archive", "--format=zip", full, "src/rasputitsa"))) as packed,
        ):
            making = Path(folder) / "tree"
            packed.extractall(making)
            making.rename(target)
    return target / "src"


def _git(repository: Path, *words: str) -> bytes:
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=False)
    if done.returncode:
        raise NoCommitError(done.stderr.decode(errors="replace").strip())
    return done.stdout


def command(sources: Path, player: str) -> str:
    """The name by which a ladder knows the player."""
    words = ["env", f"PYTHONPATH={sources}", sys.executable, str(BOT), player]
    return "external:" + shlex.join(words)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.reference", description="Keep a former computer player.")
    parser.add_argument("commit", nargs="?", default=PLANNER_1, help="of which commit; by default that of planner-1")
    parser.add_argument("player", nargs="?", default="planner", help="which computer player")
    parser.add_argument("--plain", action="store_true", help="do not compile it")
    given = parser.parse_args()
    try:
        sources = fetch(given.commit)
    except NoCommitError as problem:
        print(f"There is no commit {given.commit!r} in this clone: {problem}", file=sys.stderr)
        return 1
    if not given.plain:
        print("Compiling it, unless that has been done (a few minutes) ...", file=sys.stderr, flush=True)
        try:
            sources = build(sources, HOME / "compiled")
        except CompileError as error:
            print(f"It runs from its Python sources: {error}", file=sys.stderr)
    print(command(sources, given.player))
    return 0


if __name__ == "__main__":
    sys.exit(main())
