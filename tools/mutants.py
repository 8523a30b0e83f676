"""Break the rules on purpose and see whether the tests notice: mutation testing with Cosmic Ray.

`python -m tools.mutants` changes one operator, number or word at a time in a copy of the checkout and runs the tests
of that room against it. A change that no test notices is shown: it asks for a test, or changes nothing. A whole run
would take days, so each run draws a sample; the same seed draws the same one.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult

from tools.compiled import GAMES

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutants"
SAMPLE = 40
PATIENCE = 5
"""How many times as long as without a change the tests may take; then the change has sent them round in circles."""


class Room(NamedTuple):
    """A part of the program, and the tests that must notice a change in it."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    cases: str = ""
    """A folder of conformance cases, checked first: most changes are noticed there within seconds."""

    def command(self) -> str:
        """What tests the room, as a line of the shell."""
        tests = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *self.tests]
        if not self.cases:
            return shlex.join(tests)
        return f"{shlex.join([sys.executable, '-m', 'rasputitsa.cli', 'conform', self.cases])} && {shlex.join(tests)}"


STORE = (
    "store/test_store", "store/test_batches", "store/test_backup", "store/test_damaged_rows", "store/test_migrations",
    "store/test_opening", "store/test_obstacles", "store/test_strange_databases", "store/test_rebuilding",
    "store/test_slices", "seats/test_seats", "seats/test_tables", "seats/test_table", "seats/test_talk",
    "seats/test_rematch", "seats/test_notices", "seats/test_mail", "seats/test_clocks", "test_analysis",
    "test_creating",
)  # fmt: skip
"""The tests of the store itself first, then those of what keeps something in it."""
MATCHES = (
    "test_matches", "test_ending", "test_restored_dice", "test_match_dice", "seats/test_tables", "seats/test_rematch",
    "seats/test_clocks", "test_live",
)  # fmt: skip
"""The tests of what is done in a match, the quick ones first."""
GATE = (
    "gate/test_limits", "gate/test_one_packet", "gate/test_connections", "gate/test_turns", "gate/test_requests",
    "gate/test_limits_served",
)  # fmt: skip
ROUTES = (
    "test_creating", "test_matches", "test_lessons", "test_ending", "seats/test_seats", "seats/test_tables",
    "seats/test_table", "seats/test_talk", "seats/test_map_notes", "seats/test_rematch", "seats/test_clocks",
    "seats/test_notices", "seats/test_calendar", "seats/test_standing", "test_analysis", "test_live", "test_imports",
    "accounts/test_signing_in", "accounts/test_account_seats", "classroom/test_lesson", "classroom/test_pupils",
    "letters/test_letters", "health/test_health",
)  # fmt: skip
"""The tests of what the server answers, by what is asked."""
LETTERS = ("letters/test_letters",)
WORKERS = ("test_workers", "test_process", "gate/test_turns", "secrecy/test_late", "test_analysis", "test_live")
SHAPES = ("shapes/test_models", "shapes/test_shapes", "shapes/test_options", "test_openapi")
HEALTH = ("health/test_health",)
RATINGS = ("accounts/test_standings", "accounts/test_rated_games", "test_creating")
RATING = (
    "server/ratings", "server/accounts/rated_games.py", "server/routes/ratings.py", "server/routes/starting.py",
    "server/store/people/rated.py",
)  # fmt: skip
PASSKEY = ("server/accounts/passkeys.py", "server/routes/accounts/passkeys.py", "server/store/people/passkeys.py")
RECORD = (
    "unit/core/test_undo_floor", "unit/core/test_fair", "unit/core/test_endings", "unit/cli/test_check_dice",
    "replay/test_replay", "server/test_restored_dice",
)  # fmt: skip
"""The tests of records themselves, then those of what checks and replays them."""
ROOMS = {
    **{game: Room((f"{game}/rules",), (f"tests/unit/{game}",), f"tests/conformance/{game}") for game in GAMES},
    "store": Room(("server/store",), tuple(f"tests/server/{name}.py" for name in STORE)),
    "matches": Room(("server/matches",), tuple(f"tests/server/{name}.py" for name in MATCHES)),
    "gate": Room(("server/gate",), tuple(f"tests/server/{name}.py" for name in GATE)),
    "routes": Room(("server/routes",), tuple(f"tests/server/{name}.py" for name in ROUTES)),
    "letters": Room(("server/letters",), tuple(f"tests/server/{name}.py" for name in LETTERS)),
    "workers": Room(("server/workers",), tuple(f"tests/server/{name}.py" for name in WORKERS)),
    "shapes": Room(("server/shapes",), tuple(f"tests/server/{name}.py" for name in SHAPES)),
    "health": Room(("server/health",), tuple(f"tests/server/{name}.py" for name in HEALTH)),
    "ratings": Room(RATING, tuple(f"tests/server/{name}.py" for name in RATINGS)),
    "passkeys": Room(PASSKEY, ("tests/server/accounts/test_passkeys.py",)),
    "record": Room(("core/record",), tuple(f"tests/{name}.py" for name in RECORD)),
}
FEWEST = {
    "server/routes/calendar.py": ("seats/test_calendar",),
    "server/routes/ending.py": ("test_ending",),
    "server/routes/map_notes.py": ("seats/test_map_notes",),
    "server/routes/ratings.py": ("accounts/test_rated_games",),
    "server/routes/rematch.py": ("seats/test_rematch",),
    "server/routes/tables.py": ("seats/test_tables",),
    "server/routes/talk.py": ("seats/test_talk",),
    "server/accounts/rated_games.py": ("accounts/test_rated_games",),
    "server/ratings": ("accounts/test_standings",),
    "server/store/people/rated.py": ("accounts/test_rated_games",),
    "server/workers": ("gate/test_turns", "test_workers", "test_process"),
}
"""Of modules that are tried alone, the tests that must notice, where those of the whole room would take too long."""


def tests_of(room: Room, modules: Sequence[str]) -> tuple[str, ...]:
    """The tests that must notice a change in some modules of a room, or in all of it where none are named."""
    if not modules or not all(module in FEWEST for module in modules):
        return room.tests
    return tuple(dict.fromkeys(f"tests/server/{name}.py" for module in modules for name in FEWEST[module]))


def copy_checkout(place: Path) -> Path:
    """The files of the checkout that git knows or would take up, in a folder where they may be broken."""
    tree = place / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    return tree


Place = tuple[int, int]
"""A line of a module, from 1, and a column in it, from 0."""


def words_only(path: Path) -> list[tuple[Place, Place]]:
    """The places, start and end, that only annotate or are read by the type checker: a change there changes nothing."""
    places: list[tuple[Place, Place]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            parts = [node.returns, *(argument.annotation for argument in arguments)]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            parts = [node]
        for part in parts:
            if isinstance(part, ast.expr | ast.stmt):
                end = (part.end_lineno or part.lineno, part.end_col_offset or part.col_offset)
                places.append(((part.lineno, part.col_offset), end))
    return places


def worth_trying(tree: Path, items: Sequence[WorkItem]) -> Iterator[WorkItem]:
    """The changes that are to code and not to annotations."""
    known: dict[Path, list[tuple[Place, Place]]] = {}
    for item in items:
        (change,) = item.mutations
        path = tree / change.module_path
        if path not in known:
            known[path] = words_only(path)
        if not any(start <= change.start_pos < end for start, end in known[path]):
            yield item


def environment(tree: Path) -> dict[str, str]:
    """The environment in which programs import the copy of the checkout."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)])}


def ray(command: str, *words: Path | str, tree: Path) -> None:
    """Run Cosmic Ray in the copy of the checkout."""
    program = Path(sys.executable).with_name("cosmic-ray")
    subprocess.run([program, command, *words], cwd=tree, env=environment(tree), check=True)


def unchanged(command: Sequence[str], tree: Path) -> float:
    """The seconds that the tests take without a change.

    Raises SystemExit where they fail: then they would fail with every change, and seem to notice it.
    """
    began = time.monotonic()
    done = subprocess.run(command, cwd=tree, env=environment(tree), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"The tests fail without any change:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return time.monotonic() - began


def run(name: str, modules: Sequence[str], tests: Sequence[str], sample: int, seed: int) -> int:
    """Try a sample of changes in a room; the number of those that no test noticed, of the room's or of those given."""
    room = ROOMS[name]
    room = room._replace(tests=tuple(tests), cases="") if tests else room._replace(tests=tests_of(room, modules))
    place = PLACE / name
    tree = copy_checkout(place)
    config, session = place / "config.toml", place / "session.sqlite"
    session.unlink(missing_ok=True)
    command = ["sh", "-c", room.command()]
    seconds = unchanged(command, tree)
    paths = [f"src/rasputitsa/{module}" for module in modules or room.modules]
    config.write_text(
        f"[cosmic-ray]\nmodule-path = {json.dumps(paths)}\ntimeout = {PATIENCE * seconds}\nexcluded-modules = []\n"
        f"test-command = {json.dumps(shlex.join(command))}\n[cosmic-ray.distributor]\nname = \"local\"\n",
        encoding="utf-8",
    )  # fmt: skip
    ray("init", config, session, tree=tree)
    with use_db(session, WorkDB.Mode.open) as work:
        items = list(work.work_items)
        worth = {item.job_id for item in worth_trying(tree, items)}
        # their names are drawn again in every run, so they are put in the order of their places
        ordered = [item.job_id for item in sorted(items, key=lambda item: repr(item.mutations)) if item.job_id in worth]
        tried = set(random.Random(seed).sample(ordered, min(sample, len(ordered))))
        left = [item.job_id for item in items if item.job_id not in tried]
        work.set_multiple_results(left, WorkResult(WorkerOutcome.SKIPPED))
    print(f"{name}: {len(tried)} of {len(worth)} changes in {', '.join(paths)}", flush=True)
    ray("exec", config, session, tree=tree)
    return report(session)


def report(session: Path) -> int:
    """Print the changes that no test noticed; how many there are."""
    survived = noticed = endless = 0
    with use_db(session, WorkDB.Mode.open) as work:
        for _, result in work.completed_work_items:
            if result.worker_outcome == WorkerOutcome.SKIPPED:
                continue
            noticed += result.is_killed
            endless += result.is_killed and result.output == "timeout"
            if not result.is_killed:
                survived += 1
                print(result.diff)
    print(f"{noticed} noticed ({endless} of them by running out of time), {survived} not")
    return survived


def main() -> int:
    """The command; its exit code is 1 where a change was not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", help=f"{', '.join(ROOMS)}; by default all of them")
    parser.add_argument("--module", action="append", default=[], help="only this file or folder of the package")
    parser.add_argument("--test", action="append", default=[], help="only these tests, instead of those of the room")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many changes in each room")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    unknown = set(given.rooms) - set(ROOMS)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; known: {', '.join(ROOMS)}")
    return int(sum(run(name, given.module, given.test, given.sample, given.seed) for name in given.rooms or ROOMS) > 0)


if __name__ == "__main__":
    sys.exit(main())
