"""The verbs of the game, and ready-made actions so that listing options costs next to nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import members

VERBS: dict[str, tuple[str, ...]] = {
    "place": ("unit",), "lift": ("unit",), "at": ("hex",), "back": (), "done": (),
    "stop": (), "continue": (),
    "replace": ("unit",), "reinforce": ("unit",), "rail": ("unit",), "sea": ("unit",),
    "reduce": ("unit",), "as": ("unit",), "eliminate": ("unit",), "siberia": (), "displace": ("unit",),
    "pick": ("number",), "cast": (),
    "move": ("unit",), "with": ("unit",), "to": ("hex",), "halt": (),
    "retreat": ("unit",), "stand": (), "stand_all": (),
    "attack": ("hex",), "also": ("hex",), "without": ("unit",), "amphibious": (), "ready": (), "drop": (),
    "withdraw": ("number",), "offensive": (), "hold": ("unit",), "resolve": ("number",),
    "cancel": ("number",), "lose": ("unit",), "exchange": ("unit",), "decline": (),
    "exchange_first": (), "refrain": (), "advance": ("unit",), "join": ("unit", "number"),
    "airlift": ("hex",), "pass": (),
}  # fmt: skip

HEXES: Final = 1200
UNITS: Final = 256
NUMBERS: Final = 128

BARE: Final[dict[str, Action]] = {verb: Action(verb) for verb, args in VERBS.items() if not args}


class ActionTable:
    """One ready-made action of a verb for each argument, and a quick way to list those of a set."""

    def __init__(self, verb: str) -> None:
        size = {"hex": HEXES, "unit": UNITS, "number": NUMBERS}[VERBS[verb][0]]
        self.actions = [Action(verb, (n,)) for n in range(size)]
        self._octets: list[list[Action] | None] = [None] * (256 * (size // 8))
        """For each eight numbers the actions of each set of them, made when first needed."""

    def pick(self, numbers: int) -> list[Action]:
        """The actions for a set of hexes or units, ascending."""
        if numbers.bit_count() < FEW:
            actions = self.actions
            return [actions[n] for n in members(numbers)]
        found: list[Action] = []
        for place, octet in enumerate(numbers.to_bytes((numbers.bit_length() + 7) // 8, "little")):
            if octet:
                found.extend(self._octets[place * 256 + octet] or self._chunk(place, octet))
        return found

    def _chunk(self, place: int, octet: int) -> list[Action]:
        chunk = [self.actions[place * 8 + n] for n in range(8) if octet >> n & 1]
        self._octets[place * 256 + octet] = chunk
        return chunk


FEW: Final = 12
"""Below this many, a set is gone through one by one."""


TABLES: Final[dict[str, ActionTable]] = {verb: ActionTable(verb) for verb, args in VERBS.items() if len(args) == 1}
TO: Final = TABLES["to"]
AT: Final = TABLES["at"]
ATTACK: Final = TABLES["attack"]
ALSO: Final = TABLES["also"]
MOVE: Final = TABLES["move"]
WITH: Final = TABLES["with"]
WITHOUT: Final = TABLES["without"]
DONE: Final = BARE["done"]
BACK: Final = BARE["back"]
HALT: Final = BARE["halt"]
STAND: Final = BARE["stand"]
STAND_ALL: Final = BARE["stand_all"]
READY: Final = BARE["ready"]
DROP: Final = BARE["drop"]
PASS: Final = BARE["pass"]


def each(verb: str, numbers: Iterable[int]) -> list[Action]:
    """One action of a verb for each argument."""
    table = TABLES[verb].actions
    return [table[n] for n in numbers]
