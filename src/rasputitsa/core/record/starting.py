"""How a record begins: its game with the data and the readings it was begun with, and the first position."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rasputitsa.core.errors import RasputitsaError, SaveError, SetupError
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import Header
from rasputitsa.core.registry import game_of_version, get_game


def game_for(header: Header) -> Game[Any]:
    """The game of a record; options that came later than its rules get their former reading in the header.

    Raises:
        SetupError: there is no such game, or no such version of its data.
        SaveError: it was played under newer rules.
    """
    game = game_of_version(header.game, header.data)
    if header.rules_version > game.rules_version:
        raise SaveError(
            f"this game was played with rules version {header.rules_version}; "
            f"this program knows up to {game.rules_version}. Update the program to open it"
        )
    kept = game.readings_of(header.rules_version)
    if kept:
        header.options = {**kept, **header.options}
        chosen = header.position.get("options") if header.position is not None else False
        if header.position is not None and (chosen is None or isinstance(chosen, dict)):
            header.position = {**header.position, "options": {**kept, **(chosen or {})}}
    return game


def start_position(game: Game[Any], header: Header) -> Any:
    """The position a record begins with; raises ``SetupError``, also for one that could not be kept on the way."""
    if header.position is None:
        return game.setup(header.scenario, header.options)
    state = game.load_position(header.position)
    try:
        game.thaw(game.freeze(state), header.scenario, header.options)
    except SaveError as problem:
        raise SetupError(f"a game from this position could not be kept: {problem}") from problem
    return state


def check_position(game: Game[Any], state: Any, options: dict[str, str]) -> None:
    """Raises ``SaveError`` where a position that was read cannot be looked at, or played from."""
    try:
        for seat in game.seats(options):
            game.observe(state, seat.id)
        decision = game.decision(state)
        for option in decision.options if decision else ():
            game.format(state, option)
            game.label(state, option)
    except Exception as problem:  # values that fit one by one can still make no position
        raise SaveError(f"the position at the end of the saved game makes no sense: {problem}") from problem


def versions_of(header: Header) -> list[str]:
    """The versions of the data that a record can have been played with, the likeliest first; raises ``SaveError``."""
    try:
        known = get_game(header.game).data_versions()
    except RasputitsaError as problem:
        raise SaveError(f"the saved game cannot be started: {problem}") from problem
    if header.data:
        return [header.data]
    fitting = [version for version in known if header.start and _begins(replace(header, data=version))]
    return fitting or known[:1]


def _begins(header: Header) -> bool:
    """Whether a record begins with the position it says."""
    try:
        game = game_for(header)
        return game.fingerprint(start_position(game, header)) == header.start
    except RasputitsaError:
        return False
