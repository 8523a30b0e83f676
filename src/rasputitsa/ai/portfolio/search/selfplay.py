"""Quick games of the planner against itself with randomised policies, noted position by position with their results.

``python -m rasputitsa.ai.portfolio.search.selfplay FILE --games 1000`` adds games to a file of JSON lines.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import FiniteFloat, TypeAdapter

from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController, always
from rasputitsa.ai.portfolio.search.features import NAMES, features
from rasputitsa.ai.shapes import misfit
from rasputitsa.core.caching import cached
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.files import FileError, JsonLines, LineWriter
from rasputitsa.core.game import Decision
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.indices import Side, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES

LEVELS = (
    Level(tries=0, rounds=0, sweeps=0, candidates=3, polish=0, plans=1),
    Level(tries=300, rounds=0, sweeps=1, candidates=6, polish=0, plans=1),
    Level(tries=600, rounds=0, sweeps=1, candidates=8, polish=60, plans=1),
)
SHARES = (5, 4, 1)
"""How often each level plays."""
SPREAD, WIDE_SPREAD = 0.35, 0.8
"""How far policies deviate from the usual, for a game and for a single phase."""
WIDE_SHARE = 0.15
"""Share of phases that are played far from the usual."""
MAX_DECISIONS_OF_GAME = 20_000
MOST_SEEDS, MAX_FEATURE = 2**63, 1e12
"""Bounds of what is read again."""


def drawn_profile(rng: random.Random, spread: float) -> RiskProfile:
    """A risk profile drawn at random around the usual."""
    return RiskProfile(*(round(rng.lognormvariate(0.0, spread), 3) for _ in range(7)))


class VariedPlanner:
    """A quick planner with a risk profile of its own, and now and then another for one phase."""

    def __init__(self, side: Side, level: Level, rng: random.Random, profile: RiskProfile) -> None:
        self.level = level
        self.rng = rng
        self.profile = profile
        self.answer = SeatController(side, level, rng, self.plan).answer

    def plan(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        """A plan by its risk profile, or by one drawn for this phase."""
        profile = drawn_profile(self.rng, WIDE_SPREAD) if self.rng.random() < WIDE_SHARE else self.profile
        return PhasePlanner(s, side, mine, self.level, profile, self.rng, always).plan()


def play(seed: int, scenario: str = "june22") -> dict[str, Any]:
    """One game: risk profiles, positions before each Initial Movement Phase, result."""
    rng = random.Random(f"search {seed}")
    state = get_game("portfolio").setup(scenario, {})
    planners = [
        VariedPlanner(side, rng.choices(LEVELS, SHARES)[0], random.Random(rng.random()), drawn_profile(rng, SPREAD))
        for side in (0, 1)
    ]
    dice = SeededDice(seed)
    rows: list[list[float]] = []
    seen = None
    for _ in range(MAX_DECISIONS_OF_GAME):
        if state.outcome is not None:
            break
        frame = state.stack[-1]
        if frame.kind == "movement" and not state.reserve and seen != (state.turn, state.side):
            seen = state.turn, state.side
            rows.append([round(x, 4) for x in features(state)])
        options = state.legal if state.legal is not None else frame.options(state)
        seat = state.rules.seats[frame.seat(state)]
        decision = Decision(seat.id, SIDES[seat.side], frame.kind, frame.rule, "", options)
        action = options[0] if len(options) == 1 else planners[seat.side].answer(state, decision)
        turn = Context(dice)
        state.legal = None
        frame.apply(state, action, turn)
        settle(state, turn)
    winner = state.outcome.winner if state.outcome else None
    return {
        "seed": seed, "axis_won": winner == SIDES[AXIS], "turn": state.turn,
        "levels": [planner.level.tries for planner in planners],
        "profiles": [asdict(planner.profile) for planner in planners],
        "rows": rows,
    }  # fmt: skip


@dataclass
class Game:
    """What is read of a game."""

    seed: int
    axis_won: bool
    rows: list[list[FiniteFloat]]


@cached
def _reader() -> TypeAdapter[Game]:
    return TypeAdapter(Game)


def wrong_in(line: object) -> str:
    """What keeps a value that was read from being a game; empty if it is one."""
    if problem := misfit(_reader(), line):
        return problem
    read = cast(dict[str, Any], line)
    if not 0 <= read["seed"] < MOST_SEEDS:
        return "seed: it is no seed"
    if wrong := [len(row) for row in read["rows"] if len(row) != len(NAMES)]:
        return f"rows: a position has {len(NAMES)} numbers, not {wrong[0]}"
    if any(abs(number) > MAX_FEATURE for row in read["rows"] for number in row):
        return "rows: a number is too large"
    return ""


def read(path: Path) -> JsonLines:
    """The games of a file; a last line that was not finished does not count. Raises ``FileError`` and ``OSError``."""
    found = JsonLines(path)
    for number, line in enumerate(found.values, start=1):
        if problem := wrong_in(line):
            raise FileError(f"{path}, line {number} is no game: {problem}")
    return found


def add(path: Path, seeds: Iterable[int]) -> None:
    """Add the games of these seeds that a file lacks. Raises ``FileError`` and ``OSError``."""
    found = read(path)
    known = {game["seed"] for game in found.values}
    writer = LineWriter(path, found.size)
    try:
        for seed in seeds:
            if seed not in known:
                writer.add(json.dumps(play(seed)))
    finally:
        writer.close()


def main() -> None:
    """Add games to a file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="games in the file when done")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
    args = parser.parse_args()
    try:
        add(args.file, range(args.seed, args.seed + args.games))
    except (FileError, OSError) as problem:
        raise SystemExit(f"selfplay: {problem}") from problem


if __name__ == "__main__":
    main()
