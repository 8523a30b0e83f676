"""Quick games of the planner against itself with all sorts of leanings, noted week by week.

``python -m rasputitsa.ai.wir.search.selfplay FILE SCENARIO --games 40`` adds games to a file of JSON lines.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rasputitsa.ai.wir.campaign import SteadyClock
from rasputitsa.ai.wir.planner import PlannerPlayer
from rasputitsa.ai.wir.search.features import features
from rasputitsa.ai.wir.search.leanings import USUAL, Leaning, campaigner
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir import victory
from rasputitsa.wir.game import WirGame

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SPREAD, WHIM = 0.35, 0.8
"""How far leanings stray from the usual, for a game and for a single week."""
WHIMS = 0.15
"""Share of weeks that are played on a whim."""
SECONDS = 10.0
WEEKS = 41
"""Longer games are broken off."""


class Wilful(PlannerPlayer):
    """The planner without its rehearsals, with a leaning of its own, and whims."""

    leaning: Leaning = USUAL

    def move(self, s: State, side: int, going: Callable[[], bool]) -> tuple[list[Action], set[int]]:
        leaning = USUAL.strayed(self.rng, WHIM) if self.rng.random() < WHIMS else self.leaning
        work = campaigner(s, side, leaning, self.rng, going, 0)
        return work.plan(), work.attacked


def play(scenario: str, seed: int, weeks: int = WEEKS) -> dict[str, Any]:
    """One game: the position as each week begins, and the lead of the Axis then and at the end."""
    rng = random.Random(f"{scenario} {seed}")
    game = WirGame()
    s, dice = game.setup(scenario, {}), SeededDice(rng.getrandbits(62))
    minds = {seat: Wilful(game, {}, rng.getrandbits(62)) for seat in ("axis", "soviet")}
    for mind in minds.values():
        mind.leaning = USUAL.strayed(rng, SPREAD)
    rows: list[list[float]] = []
    leads: list[int] = []
    turn = 0
    while (decision := game.decision(s)) is not None:
        if s.turn != turn:
            turn = s.turn
            if turn > weeks:
                break
            rows.append([round(x, 4) for x in features(s)])
            leads.append(-victory.tally(s)["difference"])
        view = game.view_of(s, decision.seat)
        game.apply(s, minds[decision.seat].choose(view, decision, SteadyClock(SECONDS)), dice)
        dice.drawn.clear()
    leads.append(-victory.tally(s)["difference"])
    moods = {seat: minds[seat].leaning._asdict() for seat in minds}
    return {"scenario": scenario, "seed": seed, "turn": s.turn, "leads": leads, "leanings": moods, "rows": rows}


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
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=40, help="games of the scenario in the file when done")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
    args = parser.parse_args()
    known = set()
    if args.file.exists():
        known = {(game["scenario"], game["seed"]) for game in read(args.file)}
    for seed in range(args.seed, args.seed + args.games):
        if (args.scenario, seed) not in known:
            with args.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(play(args.scenario, seed)) + "\n")


if __name__ == "__main__":
    main()
