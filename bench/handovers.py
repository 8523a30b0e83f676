"""How often a turn-by-turn match goes from one player to the other: without standing orders, and with all of them.

Two planners play; each time somebody is asked who is not at the table counts as one, and as one mail at most. A player
who is asked stays at the table until another is asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from bench.games import measured, package
from rasputitsa.ai.players import WorkClock, player
from rasputitsa.core.game import AS_COMPUTER
from rasputitsa.core.record.new import new_session

THOUGHT = 0.3
POLICIES = {
    "withdraw": "never", "hold": "worth", "leave": "open", "way": "supply", "exchange": "decline", "losses": "weakest",
    "airlift": "strongest", "proposal": "decline",
}  # fmt: skip
"""A policy for each standing order of both games."""
KINDS: Mapping[str, Mapping[str, str]] = {
    "none": {},
    "by policy": POLICIES,
    "as the computer": dict.fromkeys(POLICIES, AS_COMPUTER.id),
}


def a_turn(game_id: str, scenario: str, seed: int, turns: int, policies: Mapping[str, str]) -> float:
    """Hand-overs for each turn of each player."""
    match = new_session(game_id, scenario, seed=seed)
    game, at_table, count, seen = match.game, "", 0, list[str]()
    seats = [seat.id for seat in game.seats({})]
    players = {seat: player("planner", game, {}, 10 * seed + number) for number, seat in enumerate(seats)}
    while (decision := match.decision()) is not None:
        turn = game.turn_and_phase(match.state)[0]
        if turn not in seen:
            if len(seen) == turns:
                break
            seen.append(turn)
        view = game.view_of(match.state, decision.seat)
        policy = "" if decision.seat == at_table else policies.get(game.standing_order(view), "")
        action = game.standing_answer(view, policy) if policy not in ("", AS_COMPUTER.id) else None
        if action is None:
            action = players[decision.seat].choose(view, decision, WorkClock(THOUGHT))
            if not policy:
                count += decision.seat != at_table
                at_table = decision.seat
        match.play(game.format(match.state, action), decision.seat)
    return count / len(seen) / len(seats)


def report(seeds: int, turns: int) -> Iterator[str]:
    """A table of all games and kinds of standing orders."""
    yield f"{'hand-overs, planner v planner':<37}{'standing orders':<18}{'mean':>6}{'least':>7}{'most':>7}"
    for game_id in measured():
        scenario, unit = package(game_id).HANDOVERS
        for kind, policies in KINDS.items():
            found = [a_turn(game_id, scenario, seed, turns, policies) for seed in range(1, seeds + 1)]
            name = f"{game_id}, {scenario}, a {unit}"
            yield f"{name:<37}{kind:<18}{sum(found) / seeds:6.1f}{min(found):7.1f}{max(found):7.1f}"


def main() -> None:
    """Print the table, line by line."""
    parser = argparse.ArgumentParser(prog="python -m bench.handovers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4, help="matches of each kind")
    parser.add_argument("--turns", type=int, default=5, help="turns of a match")
    given = parser.parse_args()
    for line in report(given.seeds, given.turns):
        print(line, flush=True)


if __name__ == "__main__":
    main()
