"""``python -m bench``: print the figures."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable

from bench import peers, portfolio, wir
from bench.measure import rate


def main() -> None:
    """Measure everything, printing each figure as it comes."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the engine beside its peers.")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a round (three rounds each)")
    parser.add_argument("--no-peers", action="store_true", help="leave the other engines out")
    given = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}; random legal play, every option listed")
    print(f"{'engine':<28}{'decisions/s':>12}{'games/s':>10}{'decisions a game':>18}")
    line("The Russian Portfolio", portfolio.random_game, given.seconds)
    if not given.no_peers:
        line("catanatron, 2 players", peers.catan_game, given.seconds)
        line("python-chess", peers.chess_game, given.seconds)
    print()
    print(f"options a decision           {portfolio.options_per_decision(1):10.1f}")
    print(f"copy of a state              {portfolio.copy_time():10.2f} us")
    stored = portfolio.storage()
    print(f"save of a game               {stored.save * 1000:10.1f} ms, {stored.size / 1024:.0f} KiB")
    print(f"replay of a game             {stored.replay:10.3f} s, {stored.entries} entries")
    print()
    print(f"War in Russia: a week resolved {wir.week_time() / 1000:8.2f} ms")
    print(f"War in Russia: copy of a state {wir.copy_time():8.2f} us")


def line(name: str, play: Callable[[int], int], seconds: float) -> None:
    """Measure one engine and print its line."""
    found = rate(play, seconds)
    print(f"{name:<28}{found.per_second:12,.0f}{found.games_per_second:10.2f}{found.per_game:18,.0f}", flush=True)


if __name__ == "__main__":
    main()
