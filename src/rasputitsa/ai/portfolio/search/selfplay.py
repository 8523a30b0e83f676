"""Quick games of the planner against itself with all sorts of leanings, noted position by position with their results.

``python -m rasputitsa.ai.portfolio.search.selfplay FILE --games 1000`` adds games to a file of JSON lines.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController, always
from rasputitsa.ai.portfolio.search.features import features
from rasputitsa.core.dice import SeededDice
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
SPREAD, WHIM = 0.35, 0.8
"""How far leanings stray from the usual, for a game and for a single phase."""
WHIMS = 0.15
"""Share of phases that are played on a whim."""
LONGEST = 20_000


def leaning(rng: random.Random, spread: float) -> RiskProfile:
    """A risk profile drawn at random around the usual."""
    return RiskProfile(*(round(rng.lognormvariate(0.0, spread), 3) for _ in range(7)))


class VariedPlanner:
    """A quick planner with leanings of its own, and whims."""

    def __init__(self, side: Side, level: Level, rng: random.Random, profile: RiskProfile) -> None:
        self.level = level
        self.rng = rng
        self.profile = profile
        self.answer = SeatController(side, level, rng, self.lean).answer

    def lean(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        """A plan by the risk profile, or by a whim."""
        profile = leaning(self.rng, WHIM) if self.rng.random() < WHIMS else self.profile
        return PhasePlanner(s, side, mine, self.level, profile, self.rng, always).plan()


def play(seed: int, scenario: str = "june22") -> dict[str, Any]:
    """One game: leanings, positions before each Initial Movement Phase, result."""
    rng = random.Random(f"search {seed}")
    state = get_game("portfolio").setup(scenario, {})
    planners = [VariedPlanner(side, rng.choices(LEVELS, SHARES)[0], random.Random(rng.random()), leaning(rng, SPREAD))
             for side in (0, 1)]  # fmt: skip
    dice = SeededDice(seed)
    rows: list[list[float]] = []
    seen = None
    for _ in range(LONGEST):
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


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The games of a file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)


def main() -> None:
    """Add games to a file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="games in the file when done")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
    args = parser.parse_args()
    known = {game["seed"] for game in read(args.file)} if args.file.exists() else set()
    with args.file.open("a", encoding="utf-8", newline="\n") as out:
        for seed in range(args.seed, args.seed + args.games):
            if seed not in known:
                out.write(json.dumps(play(seed)) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
