"""Run the tests of every door with the lowest versions of the packages that the project says it works with.

`python -m tools.lowest` resolves the direct dependencies to their lower bounds into build/lowest/ and leaves uv.lock
and the environment of the checkout alone. `--install` stops after installing and importing.

Where the index of packages cannot be asked, nothing is checked: the last line says so, and the exit code is 3. `make
test` then goes on, and names it once more at its end.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "lowest"
TESTING = ("pytest", "hypothesis", "httpx2>=2.16.2", "schemathesis>=4.32")
"""What the tests themselves need, in any version that fits."""
TESTS = (
    "tests/duel", "tests/unit/cli/test_cli.py", "tests/unit/cli/test_cli_server.py", "tests/unit/envs",
    "tests/unit/core", "tests/unit/ai/test_ladder.py", "tests/mail", "tests/server/test_matches.py",
    "tests/server/store/test_store.py", "tests/server/test_live.py", "tests/server/test_openapi.py",
)  # fmt: skip
IMPORTS = "import rasputitsa.server.app, rasputitsa.cli.main, rasputitsa.envs.seat, rasputitsa.render.png"


UNREACHABLE = ("error sending request", "failed to fetch", "dns error", "timed out", "403 forbidden", "network")
"""What uv says when an index cannot be asked, or does not keep old versions."""


NOT_CHECKED = 3
"""The exit code where nothing is known of the lowest versions."""


class UnreachableError(Exception):
    """The index of packages cannot be asked."""


def uv(*words: Path | str) -> None:
    """Run uv, the one that `make` has found or installed."""
    done = subprocess.run([os.environ.get("UV", "uv"), *words], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    print(done.stderr, end="", file=sys.stderr)
    if done.returncode and any(word in done.stderr.lower() for word in UNREACHABLE):
        raise UnreachableError(done.stderr.strip().splitlines()[-1])
    done.check_returncode()


def install() -> Path:
    """An environment with the lowest versions; its Python."""
    PLACE.mkdir(parents=True, exist_ok=True)
    wanted, environment = PLACE / "requirements.txt", PLACE / "venv"
    uv("pip", "compile", "--quiet", "--resolution", "lowest-direct", "--extra", "envs", "--extra", "dataset",
       "--extra", "cluster", "--python", sys.executable, "pyproject.toml", "--output-file", wanted)  # fmt: skip
    uv("venv", "--quiet", "--clear", "--python", sys.executable, environment)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    uv("pip", "install", "--quiet", "--python", python, "--requirements", wanted, *TESTING)
    uv("pip", "install", "--quiet", "--python", python, "--no-deps", "--editable", ".")
    uv("pip", "install", "--quiet", "--python", python, "--requirements", wanted)
    return python


def main() -> int:
    """The command; gives its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.lowest", description=__doc__)
    parser.add_argument("--install", action="store_true", help="install and import, run no tests")
    only = parser.parse_args().install
    print("Installing the lowest versions of all packages ...")
    try:
        python = install()
        environment = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH"}}
        command = ["-c", IMPORTS] if only else ["-m", "pytest", "-q", "-x", *TESTS]
        subprocess.run([python, *command], cwd=ROOT, env=environment, check=True)
    except UnreachableError as problem:
        print(f"NOT CHECKED: whether the lowest versions will do. The index of packages cannot be asked ({problem}).")
        return NOT_CHECKED
    except subprocess.CalledProcessError as problem:
        print(f"With the lowest versions: {problem}", file=sys.stderr)
        return 1
    print("The lowest versions of all packages will do.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
