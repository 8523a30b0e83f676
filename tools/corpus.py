"""Record matches of this version of the program, so that every later one can be held against them.

`python -m tools.corpus` plays matches of both games, with every scenario, every choice of every option and every lesson
in turn, and puts them into tests/corpus/ under the version of the program (`--name` gives another name). Each entry
carries the fingerprint of the position after it; `tests/replay/test_corpus.py` replays them all. `--option ID` records
what a new option needs: a match of every cast for each of its choices, and nothing else.
"""

from __future__ import annotations

import argparse
import gzip
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.actions import Action
from rasputitsa.core.record.new import lesson_session, new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import game_ids, get_game

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
TALK = frozenset({"end_game", "agree"})
CASTS = (("random",), ("greedy",), ("greedy", "random"), ("planner",), ("planner", "greedy"), ("random", "planner"))
SECONDS = 0.2
"""For a decision of a computer player."""
SELDOM = 0.01
"""How often a step is taken back, or a seat handed on."""
STRAY = 0.05
"""How often an action is chosen by chance, no matter who plays."""


def sessions(game_id: str, option_id: str) -> Iterator[Session]:
    """Beginnings of matches that between them use all there is to choose, or all choices of one option."""
    game, rng = get_game(game_id), random.Random(game_id)
    scenarios = [info.id for info in game.scenarios()]
    if option_id:
        offered = [choice.id for option in game.options() if option.id == option_id for choice in option.choices]
        for choice in offered:
            for number, scenario in enumerate(islice(cycle(scenarios), len(CASTS))):
                title = f"{game_id}-{option_id}-{choice}-{number}-{scenario}"
                yield new_session(game_id, scenario, {option_id: choice}, seed=number, title=title)
        return
    chosen = [{option.id: choice.id} for option in game.options() for choice in option.choices]
    mixed = [{option.id: rng.choice(option.choices).id for option in game.options()} for _ in scenarios]
    for number, (options, scenario) in enumerate(zip([*chosen, *mixed], cycle(scenarios), strict=False)):
        yield new_session(game_id, scenario, options, seed=number, title=f"{game_id}-{number:02d}-{scenario}")
    for number, info in enumerate(game.lessons()):
        yield lesson_session(game_id, info.id, seed=number, title=f"{game_id}-lesson-{info.id}")


def play(session: Session, cast: Sequence[str], most: int) -> None:
    """Play on until the game is over or has ``most`` entries."""
    game, options, rng = session.game, session.header.options, random.Random(session.header.title)
    seats = zip(game.seats(options), cycle(cast), strict=False)
    minds = {seat.id: player(name, game, options, session.header.seed) for seat, name in seats}
    while session.version < most and (decision := session.decision()) is not None:
        action = minds[decision.seat].choose(game.view_of(session.state, decision.seat), decision, TimedClock(SECONDS))
        if action.verb in TALK or rng.random() < STRAY:
            action = _stray(rng, decision.options) or action
        session.play(game.format(session.state, action), decision.seat)
        if rng.random() < SELDOM and session.can_undo():
            session.undo()
        if rng.random() < SELDOM:
            session.set_controller(decision.seat, rng.choice(("human", "human Anna", "bot planner")))


def _stray(rng: random.Random, options: Sequence[Action]) -> Action | None:
    """An action of any kind that is offered, so that those come up that no player chooses; None if all is talk."""
    kinds = sorted({action.verb for action in options} - TALK)
    if not kinds:
        return None
    verb = rng.choice(kinds)
    return rng.choice([action for action in options if action.verb == verb])


def main(arguments: list[str] | None = None) -> int:
    """The command; gives its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.corpus", description=__doc__)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    parser.add_argument("--name", default=commit.stdout.strip(), help="the version; by default the commit")
    parser.add_argument("--option", default="", metavar="ID", help="only matches with this option of a game")
    parser.add_argument("--entries", type=int, default=500, help="the most in a match")
    asked = parser.parse_args(arguments)
    folder = CORPUS / str(asked.name)
    folder.mkdir(parents=True, exist_ok=True)
    for game_id in game_ids():
        for session, cast in zip(sessions(game_id, asked.option), cycle(CASTS), strict=False):
            play(session, cast, asked.entries)
            name = f"{session.header.title}.jsonl.gz"
            (folder / name).write_bytes(gzip.compress(session.save().encode(), mtime=0))
            print(f"{name}: {session.version} entries", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
