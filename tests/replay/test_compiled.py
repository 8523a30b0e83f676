"""The compiled engine plays exactly as its sources do: same seeds, same logs, same positions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import compiled

ROOT = Path(__file__).resolve().parents[2]
WITHIN = 600
"""Seconds in which a game must be over, however busy the machine is."""

PLAY = """
import hashlib, json, pickle, random, sys
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.wir.search.player import SearchPlayer
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.hexes import grid

TRIES = 150

def play(game, scenario, seed, most, who, seconds):
    chooser = random.Random(seed)
    session = new_session(game, scenario, seed=seed)
    thinker = SearchPlayer(session.game, {}, seed, TRIES) if who == "drill" else player(who, session.game, {}, seed)
    made, met = 0, set()
    while made < most and (decision := session.decision()) is not None:
        met.add(type(session.state.stack[-1]).__name__)
        if who == "random":
            action = chooser.choice(decision.options)
        else:
            action = thinker.choose(session.game.view_of(session.state, decision.seat), decision, TimedClock(seconds))
        if action.verb not in {"end_game", "level"}:
            session.play(session.game.format(session.state, action))
            made += 1
    saved = session.save()
    mark = session.game.fingerprint(session.state)
    assert Session.load(saved).game.fingerprint(session.state) == mark
    travelled = pickle.loads(pickle.dumps(session.state))
    assert travelled == session.state == session.game.copy(session.state)
    return [game, scenario, seed, made, sorted(met), hashlib.sha256(saved.encode()).hexdigest(), mark]

games = [play(*asked) for asked in json.loads(sys.argv[1])]
print(json.dumps({"from": grid.__file__, "games": games}))
"""

AMPLE = 1_000_000
"""Seconds in which the planner thinks everything through."""

GAMES = [
    ("portfolio", "june22", 1, 2000, "random", 0),
    ("portfolio", "june1", 2, 2000, "random", 0),
    ("portfolio", "july10", 3, 2000, "random", 0),
    ("portfolio", "june22", 4, 1500, "planner", 0),
    ("portfolio", "june22", 5, 250, "planner", AMPLE),
    ("wir", "barbarossa_short", 1, 1500, "random", 0),
    ("wir", "barbarossa", 2, 800, "random", 0),
    ("wir", "case_blue_short", 3, 700, "planner", AMPLE),
    ("wir", "barbarossa_short", 4, 500, "planner-easy", AMPLE),
    ("wir", "case_blue_short", 5, 500, "drill", AMPLE),
]
"""Chance never gets as far as an attack after a breakthrough; the planner does, even in a hurry. The drill is the
search player of War in Russia with a number of changes of plots to try instead of a time."""

IMPORT = """
import importlib, json, os, sys
failed = []
for name in json.loads(sys.argv[1]):
    if not (child := os.fork()):
        importlib.import_module(name)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(name)
print(json.dumps(failed))
"""


def played(place: Path) -> tuple[str, list[list[Any]]]:
    """Where the engine of a folder was loaded from, and the games it played."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, json.dumps(GAMES)],
        env=os.environ | {"PYTHONPATH": str(place)}, capture_output=True, text=True, timeout=WITHIN, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return found["from"], found["games"]


@pytest.fixture(scope="module")
def place() -> Path:
    """The compiled engine: the copy that is there for these sources, else one made in haste."""
    reason = compiled.compiler_missing()
    if reason:
        pytest.skip(f"the engine cannot be compiled here: {reason}")
    return compiled.find() or compiled.build(optimise="0")


def test_compiled_and_pure_engine_play_the_same_games(place: Path) -> None:
    compiled_from, compiled_games = played(place)
    pure_from, pure_games = played(ROOT / "src")
    assert compiled_from.startswith(str(place)) and not compiled_from.endswith(".py")
    assert pure_from.endswith(".py")
    assert compiled_games == pure_games
    assert len(pure_games) == len(GAMES)
    assert "BuildBreakthrough" in pure_games[3][4]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each module is imported in a process of its own")
def test_every_compiled_module_can_be_imported_first(place: Path) -> None:
    """A class that names one of a module not yet imported brings the whole process down."""
    names = [".".join(path.relative_to(place).with_suffix("").parts) for path in compiled.modules(place)]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, json.dumps(names)],
        env=os.environ | {"PYTHONPATH": str(place)}, capture_output=True, text=True, timeout=WITHIN, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(names) > 100
    assert json.loads(done.stdout) == []


def test_the_environments_pass_their_tests_compiled(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/envs"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(place), "RASPUTITSA_TESTED": str(place)}, capture_output=True,
        text=True, timeout=2 * WITHIN, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
