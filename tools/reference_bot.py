"""A computer player of another version of this program, as a bot (``docs/bots.md``).

``tools.reference`` starts it with that version's package on the path; nothing but the player's contract is used of it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.registry import get_game


def main(name: str) -> None:
    """Answer every question with the player's choice."""
    chosen: Any = None
    game: Any = None
    new: dict[str, Any] = {}
    asked: dict[str, Any] = {}
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                game = get_game(message["game"]["id"])
                say(type="hello", protocol=1, name=name, wants=["position"])
            case "newgame":
                new = message
                chosen = player(name, game, known(game, new["options"]), new["seed"])
            case "observe":
                asked = message
            case "go":
                position = asked["position"]
                state = game.thaw(position["state"], position["scenario"], known(game, position["options"]))
                clock = TimedClock(message["clock"]["left_ms"] / 1000)
                action = chosen.choose(state, game.decision(state), clock)
                say(type="bestaction", id=message["id"], action=game.format(state, action))
            case "quit":
                return


def known(game: Any, options: dict[str, str]) -> dict[str, str]:
    """The options that there were in the player's day: it plays by the rules of that day."""
    ids = {option.id for option in game.options()}
    return {key: value for key, value in options.items() if key in ids}


def say(**message: Any) -> None:
    """Write a line."""
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
