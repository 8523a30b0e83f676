"""A bot for rasputitsa in Python, with nothing but the standard library: it attacks where it may.

    rasputitsa simulate -n 1 --player "axis=external:python -m rasputitsa.examples.bots.first"

It reads one JSON object a line from standard input and writes one a line to standard output.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

LIKED = ("ready", "resolve", "advance", "attack", "with")


def say(message: dict[str, Any]) -> None:
    """One line for the program that asks."""
    print(json.dumps(message), flush=True)


def choose(options: list[str], dice: random.Random) -> tuple[str, str]:
    """An option and the reason for it."""
    for verb in LIKED:
        fitting = [option for option in options if option.split()[0] == verb]
        if fitting and dice.random() < 0.75:
            return dice.choice(fitting), f"I like to {verb}"
    return dice.choice(options), "nothing better to do"


def main() -> None:
    """Answer until told to quit."""
    dice = random.Random()
    options: list[str] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "First (Python)"})
        elif message["type"] == "newgame":
            dice = random.Random(message["seed"])
        elif message["type"] == "observe":
            options = message["decision"]["options"]
        elif message["type"] == "go":
            action, reason = choose(options, dice)
            say({"type": "bestaction", "id": message["id"], "action": action, "reasons": [reason]})
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main()
