"""``python -m bench.one WHAT``: one measurement in a process of its own, printed as one line of JSON.

Which form of the engine is measured, the sources or their compiled copy, is decided by PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib import import_module

from bench.games import measured, package

PEERS = {"catanatron": "catan_game", "chess": "chess_game", "backgammon": "backgammon_game"}
"""Other engines: the function of ``bench.peers`` that plays a game."""
ENVIRONMENT = "env-"
"""What the name of a learning environment begins with; then comes the game."""
PEER_ENVIRONMENTS = ("chess", "backgammon")


def environments() -> list[str]:
    """The learning environments that are measured."""
    return [f"{ENVIRONMENT}{game}" for game in (*measured(), *PEER_ENVIRONMENTS)]


def random_game(what: str) -> Callable[[int], int]:
    """The function that plays one game at random; imported only now, so that one engine lacks no other."""
    found: Callable[[int], int]
    if what.startswith(ENVIRONMENT):
        game = what.removeprefix(ENVIRONMENT)
        make = "openspiel_game" if game in PEER_ENVIRONMENTS else "steps_of"
        found = getattr(import_module("bench.envs"), make)(game)
    elif what in PEERS:
        found = getattr(import_module("bench.peers"), PEERS[what])
    else:
        found = package(what).random_game
    return found


def details(what: str) -> dict[str, float]:
    """What else is worth knowing of a game of ours."""
    if what.startswith(ENVIRONMENT):
        from bench.envs import snapshot_times

        return snapshot_times(what.removeprefix(ENVIRONMENT))
    found: dict[str, float] = package(what).particulars()
    return found


def main() -> None:
    """Measure one thing."""
    parser = argparse.ArgumentParser(prog="python -m bench.one")
    parser.add_argument("what", choices=[*measured(), *PEERS, *environments()])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--task", choices=("rate", "throughput", "details", "vector"), default="rate")
    given = parser.parse_args()
    from bench.measure import rate, throughput

    if given.task == "details":
        print(json.dumps(details(given.what)))
    elif given.task == "vector":
        from bench.envs import vector_steps

        game = given.what.removeprefix(ENVIRONMENT)
        print(json.dumps({str(count): vector_steps(game, count, given.seconds) for count in (1, 2)}))
    elif given.task == "throughput":
        print(json.dumps(throughput(random_game(given.what), given.seconds)._asdict()))
    else:
        print(json.dumps(rate(random_game(given.what), given.seconds)._asdict()))


if __name__ == "__main__":
    main()
