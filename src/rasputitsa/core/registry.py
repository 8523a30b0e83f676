"""The games that are installed, and what comes with each of them, found by entry points.

A package that brings a game names it in the group ``rasputitsa.games``, and in the other groups below what
it has for the rest of the program, each time under the id of the game. Nothing but the game itself is required.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from inspect import getfile, signature
from pathlib import Path
from typing import Any

from rasputitsa import core, hexes
from rasputitsa.core.caching import cached, cached_up_to
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game

GROUP = "rasputitsa.games"
PLAYERS = "rasputitsa.players"
"""A list of its computer players (`ai.players.PlayerInfo`), the strongest last."""
ADVICE = "rasputitsa.advice"
"""What its hints and analyses are made of, a class (`ai.advice.contract.Advice`)."""
MEMORY = "rasputitsa.memory"
"""What its players remember of a game in which sides hide things, a class (`ai.memory.Memory`)."""
ENCODERS = "rasputitsa.encoders"
"""Its positions as arrays for learning programs, a class (`envs.encoder.Encoder`)."""
DATA = "rasputitsa.data"
"""The checks of its data files, a module (`core.data.checks.DataChecks`)."""
DEFAULT = "rasputitsa.default"
"""The game that is meant where none is named; only that of this program counts."""
POSITIONS = "rasputitsa.positions"
"""A folder of positions with accepted answers, to try players on (`ai.contests.positions`)."""
COMMANDS = "rasputitsa.commands"
"""Further commands of the command line; the only group whose entries are not named after games."""


OWN = ("rasputitsa", "rasputitsa-engine")
"""The distributions of this program."""


@cached_up_to(64)
def _points_on(path: tuple[str, ...], group: str) -> EntryPoints:
    return entry_points(group=group)


def _points(group: str) -> EntryPoints:
    """The entry points of a group. Looking takes milliseconds, so they are kept for as long as ``sys.path`` stays."""
    return _points_on(tuple(sys.path), group)


def game_ids() -> list[str]:
    """The ids of the games that can be played: the default, those that come with the program, all others, by name."""
    points, first = _points(GROUP), _names(_ours(_points(DEFAULT)))
    ours = _names(_ours(points))
    return sorted(_names(points), key=lambda name: (name not in first, name not in ours, name))


def _ours(points: Iterable[EntryPoint]) -> Iterable[EntryPoint]:
    return (point for point in points if point.dist is not None and point.dist.name in OWN)


def _names(points: Iterable[EntryPoint]) -> set[str]:
    return {point.name for point in points}


def default_game() -> str:
    """The id of the game that is meant where none is named."""
    return game_ids()[0]


def extension(group: str, game_id: str) -> Any | None:
    """What a game has for a part of the program (one of the groups above); None if it has nothing."""
    for point in _points(group).select(name=game_id):
        return point.load()
    return None


def extended(group: str) -> list[str]:
    """The ids of the games that have something for a part of the program."""
    found = {point.name for point in _points(group)}
    return [game_id for game_id in game_ids() if game_id in found]


@cached
def get_game(game_id: str) -> Game[Any]:
    """A game by its id; raises ``SetupError`` for an unknown one.

    Examples:
        >>> [info.id for info in get_game("portfolio").scenarios()]
        ['june22', 'leningrad_1941', 'kiev', 'smolensk', 'typhoon', 'july10', 'june1']
    """
    for point in _points(GROUP).select(name=game_id):
        game: Game[Any] = point.load()()
        return game
    raise SetupError(f"there is no game called {game_id!r}; known: {', '.join(game_ids())}")


@cached
def game_of_version(game_id: str, version: str) -> Game[Any]:
    """A game with a version of its data, by its digest; empty: the data of today. Raises ``SetupError``."""
    game = get_game(game_id)
    found = game.with_data(version) if version else game
    if found is None:
        raise SetupError(
            f"{game_id}: the data of version {version!r:.40} did not come with this program. Update the program"
        )
    return found


def _package(module: Path) -> Path:
    """The folder of the game's package, of whose modules this is one."""
    ours = Path(str(core.__file__)).resolve().parents[1]
    folder = module.parent
    while (folder.parent / "__init__.py").is_file() and folder.parent != ours:
        folder = folder.parent
    return folder


@cached
def rules_digest(game_id: str) -> str:
    """The version of a game's rules and a digest of the program text that carries them out."""
    game = type(get_game(game_id))
    own = Path(getfile(game)).resolve()
    paths = [path for part in (core, hexes) for path in Path(str(part.__file__)).parent.rglob("*.py")]
    paths += _package(own).rglob("*.py") if (own.parent / "__init__.py").is_file() else [own]
    total = sha256()
    for path in sorted(paths):
        total.update(f"{path.name}\n".encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{game.rules_version}-{total.hexdigest()[:12]}"


def game_with_data(game_id: str, data: Path | None) -> Game[Any]:
    """A game that plays with the data files of a folder; raises ``SetupError`` for a game that has none."""
    if data is None:
        return get_game(game_id)
    make: Any = type(get_game(game_id))
    if "data" not in signature(make).parameters:
        raise SetupError(f"{game_id} cannot be played with edited data")
    game: Game[Any] = make(data=data)
    return game
