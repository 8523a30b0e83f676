"""Feed everything that reads from outside with anything, by coverage: `make fuzz ARGS="--seconds 3600"`.

Atheris (libFuzzer) drives the targets of `tests/fuzz`, one after the other, each in a process of its own, from the
kept corpus there and from what earlier runs left in build/fuzz/. A finding is written to build/fuzz/findings/ and the
run goes on. What libFuzzer calls slow it has timed by the clock on the wall: that is run again alone, and is a finding
if it is slow then. A regression case is such a file moved to tests/fuzz/regressions/TARGET/. `--keep` adds to the kept
corpus what this run found that covers more.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import os
import random
import re
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "fuzz"
FINDINGS = WORK / "findings"
TARGETS = {
    "notation": 1, "requests": 1, "people": 1, "letters": 1, "positions": 1, "frozen": 1, "saves": 1, "results": 1,
    "learning": 1,
}  # fmt: skip
"""The targets and their shares of the time."""
SLOW_SECONDS = 10
"""Of processor time: what takes longer alone is a finding."""
SLOWEST_SECONDS = 30
"""Of any time: here the fuzzer stops, and begins again where it was the machine that was slow."""
STUCK_SECONDS = 600
MOST_MB = 3000
MOST_BYTES = 20_000
DRIVE, KEEP, AGAIN = "--drive", "--keep-of", "--again"
MOST_KEPT_BYTES = 6000
"""Larger inputs stay out of the checkout."""
FORM_KEPT = 0.8
"""How often a change keeps the form of an input."""


def main() -> int:
    """Run the targets; 1 if there was a finding."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"which of {', '.join(TARGETS)}; by default all")
    parser.add_argument("--seconds", type=int, default=60, help="how long altogether")
    parser.add_argument("--keep", action="store_true", help="add what covers more to the kept corpus")
    if KEEP in sys.argv:
        keep_corpus(sys.argv[-1])
        return 0
    if AGAIN in sys.argv:
        run_again(*sys.argv[sys.argv.index(AGAIN) + 1 :])
        return 0
    if DRIVE in sys.argv:  # what follows is for libFuzzer
        name, *rest = sys.argv[sys.argv.index(DRIVE) + 1 :]
        drive(name, rest)
        return 0
    args = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("Atheris does not exist for this machine: the kept corpus is tested, and nothing new is looked for.")
        return 0
    chosen = args.targets or list(TARGETS)
    if unknown := set(chosen) - set(TARGETS):
        parser.error(f"there is no target {', '.join(sorted(unknown))}; known: {', '.join(TARGETS)}")
    shares = sum(TARGETS[name] for name in chosen)
    started = time.time()
    sound = [_run(name, max(1, args.seconds * TARGETS[name] // shares), args.keep) for name in chosen]
    found = [path for path in sorted(FINDINGS.glob("*/*")) if path.stat().st_mtime >= started]
    for path in found:
        print(f"FOUND {path.relative_to(ROOT)}")
    return 0 if all(sound) and not found else 1


def _run(name: str, seconds: int, keep: bool) -> bool:
    """Run a target for so long and tell what came of it; whether its process ended as it should."""
    work = WORK / name
    work.mkdir(parents=True, exist_ok=True)
    print(f"{name}: {seconds} s ...", flush=True)
    executions, until = 0, time.monotonic() + seconds
    while True:
        said = _drive(name, f"-max_total_time={max(1, round(until - time.monotonic()))}", str(work))
        runs = re.search(r"stat::number_of_executed_units:\s+(\d+)", said)
        covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", said)
        if runs is None or not covered:
            print(said[-3000:])
            print(f"{name}: the fuzzer ended before its time")
            return False
        executions += int(runs[1])
        if not acquit(name) or time.monotonic() > until:
            break
    print(
        f"{name}: {executions:,} executions, {covered[-1][0]} branches covered, {covered[-1][2]} inputs in the corpus"
    )
    if keep:
        subprocess.run([sys.executable, "-m", "tools.fuzz", KEEP, name], cwd=ROOT, check=True)
    return True


def _drive(name: str, *args: str) -> str:
    command = [
        sys.executable, "-m", "tools.fuzz", DRIVE, name, f"-max_len={MOST_BYTES}", f"-timeout={SLOWEST_SECONDS}",
        f"-rss_limit_mb={MOST_MB}", "-print_final_stats=1", f"-artifact_prefix={FINDINGS / name}/", *args,
    ]  # fmt: skip
    (FINDINGS / name).mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, errors="replace"
    )
    return done.stdout + done.stderr


def acquit(name: str) -> bool:
    """Drop what seemed slow and is not when it runs alone; whether the fuzzer had stopped for one of these."""
    stopped = False
    for path in sorted((FINDINGS / name).glob("*")):
        if path.name.startswith(("slow-unit-", "timeout-")) and not is_slow(name, path):
            stopped |= path.name.startswith("timeout-")
            path.unlink()
    return stopped


def is_slow(name: str, path: Path) -> bool:
    """Whether an input takes long though nothing else runs in its process."""
    command = [sys.executable, "-m", "tools.fuzz", AGAIN, name, str(path)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=STUCK_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    told = re.search(r"^took ([\d.]+) s, worked ([\d.]+) s$", done.stdout, re.MULTILINE)
    return told is None or float(told[1]) >= SLOWEST_SECONDS or float(told[2]) >= SLOW_SECONDS


def run_again(name: str, path: str) -> None:
    """Run one input and tell how long it takes, by the wall and of the processor, when all is imported."""
    from tests.fuzz.all_targets import make

    target, data = make(name), Path(path).read_bytes()
    target.run(next(iter(target.seeds())))
    began, worked = time.monotonic(), time.process_time()
    with contextlib.suppress(Exception):
        target.run(data)
    print(f"took {time.monotonic() - began:.3f} s, worked {time.process_time() - worked:.3f} s")


def drive(name: str, args: list[str]) -> None:
    """The process of one target: libFuzzer takes over and ends it."""
    import atheris

    with atheris.instrument_imports(include=["rasputitsa"]):
        from tests.fuzz import all_targets, corpus

        target = all_targets.make(name)  # games and server are imported on the way
        seeds = list(target.seeds())
    work = WORK / name
    work.mkdir(parents=True, exist_ok=True)
    for data in [*seeds, *corpus.read_corpus(name), *corpus.regressions(name).values()]:
        (work / hashlib.sha256(data).hexdigest()).write_bytes(data)

    def one(data: bytes) -> None:
        try:
            target.run(data)
        except Exception as problem:
            _note(name, data, problem)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chooser = random.Random(seed)
        if chooser.random() < FORM_KEPT:
            changed = target.mutate(data, chooser)
            if changed is not None and len(changed) <= most:
                return changed
        found: bytes = atheris.Mutate(data, most)
        return found

    atheris.Setup([sys.argv[0], *args], one, custom_mutator=mutate)
    atheris.Fuzz()


def keep_corpus(name: str) -> None:
    """Add to the kept corpus each input, from the smallest up, that runs lines which none before it does."""
    from tests.fuzz.all_targets import make
    from tests.fuzz.corpus import read_corpus, write_corpus

    seen = set[tuple[str, int]]()

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if "rasputitsa" not in frame.f_code.co_filename:
            return None
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    def runs_more(data: bytes) -> bool:
        before = len(seen)
        sys.settrace(trace)
        try:
            with contextlib.suppress(Exception):
                target.run(data)
        finally:
            sys.settrace(None)
        return len(seen) > before

    threading.settrace(trace)  # before the target starts any
    target = make(name)
    kept = read_corpus(name)
    for data in [*target.seeds(), *kept]:
        runs_more(data)
    found = {path.read_bytes() for path in (WORK / name).iterdir()} - set(kept)
    small = sorted((data for data in found if len(data) <= MOST_KEPT_BYTES), key=lambda data: (len(data), data))
    kept += filter(runs_more, small)
    write_corpus(name, kept)
    print(f"{name}: {len(kept)} inputs are kept, {len(seen):,} lines run")


_noted: set[str] = set()


def _note(name: str, data: bytes, problem: Exception) -> None:
    """Keep the first input that fails in a place, with how it fails next to it."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f"{type(problem).__name__}-" + "-".join(f"{Path(f.filename).stem}.{f.lineno}" for f in frames[-2:])
    if place in _noted:
        return
    _noted.add(place)
    folder = FINDINGS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / place).write_bytes(data)
    (folder / f"{place}.txt").write_text("".join(traceback.format_exception(problem)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
