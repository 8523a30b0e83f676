"""Build the package, install it into an empty environment, and see that it is whole and starts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "rasputitsa"
RULES = ROOT / "docs" / "rules"
CLIENT_PAGE = "rasputitsa/server/static/index.html"


class WheelError(Exception):
    """What is wrong with the package, in words."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command outside this environment and return what it printed."""
    environment = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        words = " ".join(str(word) for word in command)
        raise WheelError(f"`{words}` failed (exit {done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def uv(*args: str | Path) -> str:
    # `uv run` hands its own place to what it runs; a machine set up by `make` may have no uv on the PATH.
    return run(os.environ.get("UV", "uv"), *args)


def check_contents(wheel: Path) -> None:
    """The wheel holds every file of the package folder, client and data included, and the rules registers."""
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    rules = {f"rasputitsa/rules/{path.name}" for path in RULES.glob("*.md")}
    missing = sorted((wanted | rules | {CLIENT_PAGE}) - packed)
    if missing:
        raise WheelError("The package lacks:\n  " + "\n  ".join(missing))
    for name in ("LICENSE", "NOTICE"):
        if not any(entry.endswith(f".dist-info/licenses/{name}") for entry in packed):
            raise WheelError(f"The package lacks {name}.")


def install(wheel: Path, place: Path) -> Path:
    """Install the wheel and its locked dependencies into a new environment; its folder of programs."""
    environment = place / "venv"
    locked = place / "requirements.txt"
    uv("venv", "--quiet", "--python", sys.executable, environment)
    uv("export", "--quiet", "--locked", "--no-default-groups", "--no-emit-project", "--output-file", locked)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    uv("pip", "install", "--quiet", "--python", programs / "python", "--requirements", locked)
    uv("pip", "install", "--quiet", "--python", programs / "python", "--no-deps", wheel)
    return programs


def check_starts(programs: Path, wheel: Path, place: Path) -> None:
    """The installed program runs away from the source tree and names the version that was built."""
    version = wheel.name.split("-")[1]
    told = run(programs / "rasputitsa", "--version", cwd=place)
    if version not in told:
        raise WheelError(f"`rasputitsa --version` says {told.strip()!r}; the package is version {version}.")


def main() -> int:
    print("Checking the installable package ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        try:
            uv("build", "--quiet", "--wheel", "--out-dir", place)
            [wheel] = place.glob("*.whl")
            check_contents(wheel)
            check_starts(install(wheel, place), wheel, place)
        except WheelError as error:
            print(error, file=sys.stderr)
            return 1
    print(f"{wheel.name} is whole and starts.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
