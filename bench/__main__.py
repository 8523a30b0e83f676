"""``python -m bench``: the engine, from its sources and compiled, compared with well-known engines, in one run."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.games import clicks, measured, package
from bench.measure import Rate
from rasputitsa.core.registry import default_game, get_game
from tools import compiled

ROOT = Path(__file__).resolve().parent.parent
PEERS = {
    "catanatron": "catanatron, 2 players",
    "chess": "python-chess",
    "backgammon": "OpenSpiel, backgammon (C++)",
}
ENVIRONMENTS = {f"env-{game}": get_game(game).title for game in measured()}
PEER_ENVIRONMENTS = {"env-chess": "OpenSpiel, chess", "env-backgammon": "OpenSpiel, backgammon"}
BUSY = 0.5
"""Load of the other programs above which a comparison of one process with two says little."""


class BenchError(Exception):
    """A measurement that could not be made."""


def measure(what: str, place: Path, seconds: float, task: str = "rate") -> dict[str, float]:
    """One measurement in a process of its own, of the engine that lies in a folder."""
    command = [sys.executable, "-m", "bench.one", what, "--seconds", str(seconds), "--task", task]
    environment = os.environ | {"PYTHONPATH": str(place)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compiled_copy(make: bool) -> Path | None:
    """The folder with the compiled engine; made if asked for, else only if it is there already."""
    try:
        return compiled.build() if make else compiled.find()
    except compiled.CompileError as error:
        print(f"Only the Python sources are measured: {error}", file=sys.stderr)
        return None


@contextmanager
def announced(text: str) -> Iterator[None]:
    """Say what is being waited for, on the terminal only."""
    if sys.stderr.isatty():
        print(f"\r{text} ...\033[K", end="", file=sys.stderr, flush=True)
    yield
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def line(name: str, what: str, place: Path, seconds: float) -> None:
    """Measure one engine and print its line."""
    try:
        with announced(name):
            found = Rate(**measure(what, place, seconds))
    except BenchError as error:
        print(f"{name:<40} not measured: {error}")
        return
    print(f"{name:<40}{found.per_second:12,.0f}{found.games_per_second:10.2f}{found.per_game:18,.0f}", flush=True)


def particulars(form: str, place: Path) -> None:
    """Copies, saves and weeks."""
    print(f"\n{form}")
    for game in measured():
        with announced("copies, saves, weeks"):
            found = measure(game, place, 0, "details")
        for told in package(game).told(found):
            print(f"  {get_game(game).title}: {told}")


def environments(forms: dict[str, Path], seconds: float, peers: bool) -> None:
    """Steps of learning environments, with observation and mask; snapshots."""
    print(f"\n{'environment, observation and mask':<40}{'steps/s':>12}{'games/s':>10}{'steps a game':>18}")
    for what, name in ENVIRONMENTS.items():
        for form, place in forms.items():
            line(f"{name} ({form})", what, place, seconds)
    for what, name in PEER_ENVIRONMENTS.items() if peers else ():
        line(name, what, ROOT / "src", seconds)
    for what, name in ENVIRONMENTS.items():
        for form, place in forms.items():
            try:
                took = measure(what, place, 0, "details")
            except BenchError as error:
                print(f"{name} ({form}): no snapshots: {error}")
                continue
            print(f"{name} ({form}): snapshot {took['snapshot']:.1f} us, restore {took['restore']:.1f} us", flush=True)


def vectors(forms: dict[str, Path], seconds: float) -> None:
    """What a second process adds to environments that are stepped together."""
    for what, name in ENVIRONMENTS.items():
        for form, place in forms.items():
            try:
                found = measure(what, place, max(1.0, 2 * seconds), "vector")
            except BenchError as error:
                print(f"{name} ({form}): no vector: {error}")
                continue
            one, two = found["1"], found["2"]
            print(f"{name} ({form}): 16 at once {one:,.0f} steps/s, over 2 processes {two:,.0f}, {two / one:.2f} times")
    warn_if_busy()


def warn_if_busy() -> None:
    """Say so where a comparison by the clock means little."""
    load = os.getloadavg()[0] - 2 if hasattr(os, "getloadavg") else 0.0
    if load > BUSY:
        print(f"  (Other programs keep this machine busy, load {load:.0f}: the clock says little now.)")


def two_processes(place: Path, seconds: float) -> None:
    """What a second process adds."""
    game = default_game()
    ask = partial(measure, game, place, max(1.0, 2 * seconds), "throughput")
    with announced("one process, then two"), ThreadPoolExecutor(2) as pool:
        alone = ask()
        both = list(pool.map(lambda _: ask(), range(2)))
    print(f"\n{get_game(game).title}, decisions/s of one process and of two at once")
    for key, words in (("by_clock", "by the clock"), ("by_processor", "by the processor time they got")):
        together = sum(found[key] for found in both)
        print(f"  {words:<32}{alone[key]:10,.0f}{together:12,.0f}   {together / alone[key]:.2f} times")
    warn_if_busy()


def main() -> None:
    """Measure everything, printing each figure as it comes."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the engine against its peers.")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a round (three rounds each)")
    parser.add_argument("--no-peers", action="store_true", help="leave the other engines out")
    parser.add_argument("--compile", action="store_true", help="compile the engine first, if that can be done here")
    given = parser.parse_args()
    forms = {"Python": ROOT / "src"}
    copy = compiled_copy(given.compile)
    if copy is not None:
        forms["compiled"] = copy
    print(
        f"Python {platform.python_version()} on {platform.machine()}, one core; random legal play, every option listed"
    )
    print(f"{'engine':<40}{'decisions/s':>12}{'games/s':>10}{'decisions a game':>18}")
    for game in measured():
        for form, place in forms.items():
            line(f"{package(game).PLAYED} ({form})", game, place, given.seconds)
    if not given.no_peers:
        for what, name in PEERS.items():
            line(name, what, ROOT / "src", given.seconds)
    environments(forms, given.seconds, not given.no_peers)
    vectors(forms, given.seconds)
    for form, place in forms.items():
        particulars(f"Engine from {form if form == 'Python' else 'its compiled form'}", place)
    two_processes(copy or ROOT / "src", given.seconds)
    print()
    for game in measured():
        for told in clicks(game).report():
            print(told)


if __name__ == "__main__":
    main()
