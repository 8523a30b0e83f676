"""Every action of a game as a whole number that never changes for one map.

The numbers are laid out verb by verb in the order the game's encoder fixes; within a verb the last argument runs
fastest. Units count in the order of the unit list, hexes from the north-west corner row by row, numbers from the
lowest the encoder allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import NotationError, RasputitsaError
from rasputitsa.core.game import Game
from rasputitsa.envs.encoder import Encoder

Mask: TypeAlias = NDArray[np.int8]
Numbers: TypeAlias = NDArray[np.intp]

KEPT = 16
"""How many lists of options that occurred lately keep their numbers."""


class ActionIndexError(RasputitsaError):
    """An action that the table of numbers does not hold."""


class Block(NamedTuple):
    """The numbers of one verb: ``start`` to ``start + size - 1``."""

    verb: str
    kinds: tuple[str, ...]
    start: int
    size: int
    values: tuple[tuple[int, ...], ...]
    """For each argument, the values it may have, in order."""
    names: tuple[tuple[str, ...], ...]
    """The same values as notation spells them."""


class ActionIndex:
    """The table of numbers of one game and map."""

    def __init__(self, game: Game[Any], scenario: str, state: Any, encoder: Encoder) -> None:
        verbs, numbers = encoder.verbs, encoder.numbers
        missing = set(game.verbs) - set(verbs)
        if missing:
            raise ActionIndexError(f"the encoder of {game.id} gives no place to {', '.join(sorted(missing))}")
        static = game.static(scenario)
        names = {"unit": [u["id"] for u in static["units"]], "hex": [h["id"] for h in static["map"]["hexes"]]}
        tables = {kind: _values(game, state, kind, found) for kind, found in names.items()}
        self.values = {kind: tuple(table.values()) for kind, table in tables.items()}
        """All units and all hexes, as arguments have them, in their order."""
        self.blocks: list[Block] = []
        start = 0
        for verb in verbs:
            kinds = game.verbs[verb]
            own = encoder.arguments(verb)
            arguments = own or [tables[kind] if kind in tables else _range(*numbers[verb]) for kind in kinds]
            values = tuple(tuple(table.values()) for table in arguments)
            size = 1
            for table in values:
                size *= len(table)
            spelt = tuple(tuple(table) for table in arguments)
            self.blocks.append(Block(verb, kinds, start, size, values, spelt))
            start += size
        self.size = start
        self._block = {block.verb: block for block in self.blocks}
        self._number: dict[Action, int] = {}
        self._actions: list[Action | None] = [None] * start
        self._kept: dict[tuple[int, Action, Action], tuple[Sequence[Action], Numbers]] = {}

    def number(self, action: Action) -> int:
        """The number of an action; raises ``ActionIndexError`` for one that the table does not hold."""
        found = self._number.get(action)
        if found is None:
            found = self._number[action] = self._work_out(action)
        return found

    def numbers(self, actions: Sequence[Action]) -> Numbers:
        """The numbers of some actions, in an array that nobody may change."""
        if not actions:
            return np.zeros(0, np.intp)
        # many questions are asked again and again; to compare lists of the same actions takes next to no time
        key = (len(actions), actions[0], actions[-1])
        known = self._kept.get(key)
        if known is not None and known[0] == actions:
            return known[1]
        try:
            found = np.fromiter(map(self._number.__getitem__, actions), np.intp, len(actions))
        except KeyError:
            found = np.array([self.number(action) for action in actions], np.intp)
        found.flags.writeable = False
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[key] = list(actions), found
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}}

    def _work_out(self, action: Action) -> int:
        block = self._block.get(action.verb)
        if block is None or len(block.values) != len(action.args):
            raise ActionIndexError(f"there is no number for {action}")
        place = 0
        for value, table in zip(action.args, block.values, strict=True):
            try:
                place = place * len(table) + table.index(value)
            except ValueError:
                raise ActionIndexError(f"{action}: {value} is beyond the table of {block.verb!r}") from None
        return block.start + place

    def action(self, number: int) -> Action:
        """The action of a number; raises ``ActionIndexError``."""
        if not 0 <= number < self.size:
            raise ActionIndexError(f"{number} is no action; there are {self.size}")
        found = self._actions[number]
        if found is None:
            block = next(block for block in reversed(self.blocks) if block.start <= number)
            place, args = number - block.start, []
            for table in reversed(block.values):
                place, at = divmod(place, len(table))
                args.append(table[at])
            found = self._actions[number] = Action(block.verb, tuple(reversed(args)))
        return found

    def name(self, number: int) -> str:
        """The action of a number in notation."""
        action = self.action(number)
        block = self._block[action.verb]
        words = [names[t.index(v)] for v, t, names in zip(action.args, block.values, block.names, strict=True)]
        return " ".join((block.verb, *words))

    def mask(self, options: Sequence[Action]) -> Mask:
        """1 for every legal action, 0 elsewhere."""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[self.numbers(options)] = 1
        return mask

    @property
    def digest(self) -> str:
        """A short text that changes whenever any number comes to mean something else."""
        text = repr([(block.verb, block.start, block.names) for block in self.blocks])
        return blake2b(text.encode(), digest_size=8).hexdigest()


def _range(low: int, high: int) -> dict[str, int]:
    return {str(number): number for number in range(low, high + 1)}


def _values(game: Game[Any], state: Any, kind: str, names: Sequence[str]) -> dict[str, int]:
    """What the names of a kind are as arguments, asked of the notation itself."""
    verb = next((verb for verb, kinds in game.verbs.items() if kinds == (kind,)), None)
    if verb is None:
        return {}
    found: dict[str, int] = {}
    for name in names:
        try:
            (action,) = game.parse(state, f"{verb} {name}")
        except NotationError as problem:
            raise ActionIndexError(f"{kind} {name!r} has no notation: {problem}") from problem
        found[name] = action.args[0]
    return found
