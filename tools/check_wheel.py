"""Build the package, install it into an empty environment, and see that it is whole and starts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request
import zipfile
from pathlib import Path

from tools import compiled

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "rasputitsa"
RULES = ROOT / "docs" / "rules"
CLIENT_PAGE = "rasputitsa/server/static/index.html"
PLAY = """
import random
from rasputitsa.core import frames
from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import game_ids, get_game

for game in game_ids():
    choose = random.Random(1).choice
    session = new_session(game, get_game(game).scenarios()[0].id, seed=1)
    while (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, choose(decision.options)))
    assert session.game.outcome(session.state) is not None
print(frames.__file__)
"""
"""A game of each kind with random moves; at the end, where the engine lies."""


ALONE = """
from importlib.util import find_spec
found = [name for name in ("fastapi", "uvicorn", "sqlalchemy", "starlette", "typer", "numpy") if find_spec(name)]
assert not found, found
assert find_spec("rasputitsa.server") is None
import rasputitsa
match = rasputitsa.new_match(seed=1)
rasputitsa.ComputerPlayer(match, "random").play()
"""
"""The engine alone brings nothing else with it."""
LEARN = """
import copy, pickle
import gymnasium
import rasputitsa.envs.gym

names = [name for name in gymnasium.registry if name.startswith("rasputitsa/")]
for name in (names[0], names[-1]):
    env = gymnasium.make(name)
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env.unwrapped))):
        twin.step(int(env.unwrapped.action_masks().nonzero()[0][0]))

from rasputitsa.core.registry import game_ids
from rasputitsa.envs import seat_env

for game in game_ids():
    env = seat_env(game)
    seen, _ = env.reset(seed=1)
    for _ in range(20):
        seen, *_ = env.step(int(seen["action_mask"].nonzero()[0][-1]))
"""
"""A few steps of each learning environment, also by its id, and of copies."""
START = 60.0
"""Seconds that the server may take to start."""


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


def check_form(wheel: Path) -> str:
    """What the wheel holds, in words: the engine compiled where that can be done here, else its sources alone."""
    with zipfile.ZipFile(wheel) as archive:
        extensions = [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
    missing = compiled.compiler_missing()
    if missing:
        if extensions or not wheel.name.endswith("-none-any.whl"):
            raise WheelError(f"A wheel of Python sources alone was to be built, for {missing}.")
        return f"Python sources alone, for {missing}"
    if not extensions or wheel.name.endswith("-none-any.whl"):
        raise WheelError("There is a C compiler, and yet the engine in the package is not compiled.")
    return f"{len(extensions)} compiled modules"


def check_engine(programs: Path, wheel: Path, place: Path) -> None:
    """The installed engine is the compiled one, if the wheel has it, and plays every game to its end."""
    played = run(programs / "python", "-c", PLAY, cwd=place)
    form = played.split()[-1]
    if form.endswith(".py") != wheel.name.endswith("-none-any.whl"):
        raise WheelError(f"The installed engine is {form}, which is not the form the package was built in.")


def check_starts(programs: Path, wheel: Path, place: Path) -> None:
    """The installed program runs away from the source tree and names the version that was built."""
    version = wheel.name.split("-")[1]
    told = run(programs / "rasputitsa", "--version", cwd=place)
    if version not in told:
        raise WheelError(f"`rasputitsa --version` says {told.strip()!r}; the package is version {version}.")


def check_plays(programs: Path, place: Path) -> None:
    """`rasputitsa play` serves the client and starts a match, away from the source tree."""
    command: list[Path | str] = [
        programs / "rasputitsa",
        "play",
        "--no-browser",
        "--port",
        "0",
        "--data",
        place / "matches",
    ]
    environment = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    # its output goes through a pipe, where Python would keep it back
    environment["PYTHONUNBUFFERED"] = "1"
    with subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        timer = threading.Timer(START, server.kill)
        timer.start()
        try:
            assert server.stdout is not None
            told = ""
            for line in server.stdout:
                told += line
                address = re.search(r"http://\S+", line)
                if address:
                    check_address(address[0].rstrip("/."))
                    return
            raise WheelError(f"`rasputitsa play` does not start:\n{told}")
        finally:
            timer.cancel()
            server.terminate()


def check_address(address: str) -> None:
    """The client's page is there, and every game can be started with one request."""
    with urllib.request.urlopen(address) as answer:
        if b"<script" not in answer.read():
            raise WheelError(f"{address} is not the browser client.")
    with urllib.request.urlopen(f"{address}/api/games") as answer:
        games = json.load(answer)
    for game in games:
        body = json.dumps({"game": game["id"], "scenario": game["scenarios"][0]["id"]}).encode()
        request = urllib.request.Request(
            f"{address}/api/matches", body, {"Content-Type": "application/json", "Origin": address}
        )
        with urllib.request.urlopen(request) as answer:
            if answer.status != 201:
                raise WheelError(f"{game['id']} cannot be started: {answer.status}")


def check_engine_alone(place: Path) -> None:
    """The distribution `rasputitsa-engine` plays without any other package, and learns with its extra."""
    uv("build", "--quiet", "--wheel", "--out-dir", place / "engine", ROOT / "packaging" / "engine")
    [wheel] = (place / "engine").glob("*.whl")
    environment = place / "engine-venv"
    uv("venv", "--quiet", "--python", sys.executable, environment)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    uv("pip", "install", "--quiet", "--python", python, wheel)
    run(python, "-c", ALONE, cwd=place)
    run(python, "-c", PLAY, cwd=place)
    uv("pip", "install", "--quiet", "--python", python, f"{wheel}[envs]")
    run(python, "-c", LEARN, cwd=place)


def main() -> int:
    print("Checking the installable package ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        try:
            if compiled.find() is None:
                # Here it need not be fast, only the same: what the C compiler does quickly is enough.
                os.environ.setdefault("RASPUTITSA_OPTIMISE", "0")
            uv("build", "--quiet", "--wheel", "--out-dir", place)
            [wheel] = place.glob("*.whl")
            check_contents(wheel)
            form = check_form(wheel)
            programs = install(wheel, place)
            check_starts(programs, wheel, place)
            check_engine(programs, wheel, place)
            check_plays(programs, place)
            check_engine_alone(place)
        except WheelError as error:
            print(error, file=sys.stderr)
            return 1
    print(f"{wheel.name} is whole and starts ({form}); so is the engine alone.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
