"""Two Eastern Front wargames, played by their own rules.

A match with a computer player for both sides:

>>> import rasputitsa
>>> match = rasputitsa.new_match("portfolio", "june22", seed=1941)
>>> computer = rasputitsa.ComputerPlayer(match, "greedy", seed=1)
>>> computer.play() in {entry.action for entry in match.entries}
True

By hand it is `match.decision()` for the question, `rasputitsa.legal_actions(match)` for the answers and
`match.play(answer)`. Nothing is imported before it is asked for, and none of this needs the packages of the server.

>>> rasputitsa.games()
['portfolio', 'wir']
>>> rasputitsa.get_game("wir").title
'War in Russia'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from rasputitsa.ai.match import ComputerPlayer, legal_actions, new_match
    from rasputitsa.core.actions import Action
    from rasputitsa.core.dice import SeededDice
    from rasputitsa.core.errors import IllegalAction, RasputitsaError
    from rasputitsa.core.game import Decision, Game
    from rasputitsa.core.record.session import Session
    from rasputitsa.core.registry import game_ids as games
    from rasputitsa.core.registry import get_game
    from rasputitsa.render.picture import picture

__all__ = [
    "Action", "ComputerPlayer", "Decision", "Game", "IllegalAction", "RasputitsaError", "SeededDice", "Session",
    "games", "get_game", "legal_actions", "new_match", "picture",
]  # fmt: skip

_WHERE = {
    "Action": "core.actions:Action",
    "ComputerPlayer": "ai.match:ComputerPlayer",
    "Decision": "core.game:Decision",
    "Game": "core.game:Game",
    "IllegalAction": "core.errors:IllegalAction",
    "RasputitsaError": "core.errors:RasputitsaError",
    "SeededDice": "core.dice:SeededDice",
    "Session": "core.record.session:Session",
    "games": "core.registry:game_ids",
    "get_game": "core.registry:get_game",
    "legal_actions": "ai.match:legal_actions",
    "new_match": "ai.match:new_match",
    "picture": "render.picture:picture",
}


def __getattr__(name: str) -> Any:
    """Import on demand."""
    if name == "__version__":
        return _version()
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _WHERE[name].split(":")
    return getattr(import_module(f"{__name__}.{module}"), attribute)


def _version() -> str:
    """The version that is installed, of the whole program or of the engine alone."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rasputitsa")
    except PackageNotFoundError:
        return version("rasputitsa-engine")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
