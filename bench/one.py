"""``python -m bench.one WHAT``: one measurement in a process of its own, printed as one line of JSON.

Which form of the engine is measured, the sources or their compiled copy, is decided by PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib import import_module

PLAYS = {
    "portfolio": ("bench.portfolio", "random_game"),
    "wir": ("bench.wir", "random_game"),
    "catanatron": ("bench.peers", "catan_game"),
    "chess": ("bench.peers", "chess_game"),
    "backgammon": ("bench.peers", "backgammon_game"),
}

ENVIRONMENTS = {
    "env-portfolio": ("steps_of", "portfolio"),
    "env-wir": ("steps_of", "wir"),
    "env-chess": ("openspiel_game", "chess"),
    "env-backgammon": ("openspiel_game", "backgammon"),
}
"""Learning environments: the function of ``bench.envs`` that gives what plays, and the game."""


def random_game(what: str) -> Callable[[int], int]:
    """The function that plays one game at random; imported only now, so that one engine lacks no other."""
    if what in ENVIRONMENTS:
        make, game = ENVIRONMENTS[what]
        made: Callable[[int], int] = getattr(import_module("bench.envs"), make)(game)
        return made
    module, name = PLAYS[what]
    found: Callable[[int], int] = getattr(import_module(module), name)
    return found


def details(what: str) -> dict[str, float]:
    """What else is worth knowing of a game of ours."""
    if what in ENVIRONMENTS:
        from bench.envs import snapshot_times

        return snapshot_times(ENVIRONMENTS[what][1])
    if what == "wir":
        from bench import wir

        return {"week": wir.week_time(), "weeks": wir.weeks_a_campaign(), "copy": wir.copy_time()}
    from bench import portfolio

    saved = portfolio.storage()
    return {
        "options": portfolio.options_per_decision(1), "copy": portfolio.copy_time(), "clock": portfolio.slowest_turn(),
        "save": saved.save, "size": saved.size, "replay": saved.replay, "entries": saved.entries,
    }  # fmt: skip


def main() -> None:
    """Measure one thing."""
    parser = argparse.ArgumentParser(prog="python -m bench.one")
    parser.add_argument("what", choices=[*PLAYS, *ENVIRONMENTS])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--task", choices=("rate", "throughput", "details", "vector"), default="rate")
    given = parser.parse_args()
    from bench.measure import rate, throughput

    if given.task == "details":
        print(json.dumps(details(given.what)))
    elif given.task == "vector":
        from bench.envs import vector_steps

        game = ENVIRONMENTS[given.what][1]
        print(json.dumps({str(count): vector_steps(game, count, given.seconds) for count in (1, 2)}))
    elif given.task == "throughput":
        print(json.dumps(throughput(random_game(given.what), given.seconds)._asdict()))
    else:
        print(json.dumps(rate(random_game(given.what), given.seconds)._asdict()))


if __name__ == "__main__":
    main()
