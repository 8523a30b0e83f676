"""The verbs of the game, and ready-made actions so that listing options costs next to nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import BIT

VERBS: dict[str, tuple[str, ...]] = {
    "place": ("unit",), "lift": ("unit",), "at": ("hex",), "back": (), "done": (),
    "stop": (), "continue": (),
    "replace": ("unit",), "reinforce": ("unit",), "rail": ("unit",), "sea": ("unit",),
    "reduce": ("unit",), "as": ("unit",), "eliminate": ("unit",), "siberia": (), "displace": ("unit",),
    "pick": ("number",), "cast": (),
    "move": ("unit",), "with": ("unit",), "to": ("hex",), "step": ("hex",), "halt": (),
    "retreat": ("unit",), "stand": (), "stand_all": (),
    "attack": ("hex",), "also": ("hex",), "without": ("unit",), "amphibious": (), "ready": (), "drop": (),
    "withdraw": ("number",), "offensive": (), "hold": ("unit",), "resolve": ("number",),
    "cancel": ("number",), "lose": ("unit",), "exchange": ("unit",), "decline": (),
    "exchange_first": (), "refrain": (), "advance": ("unit",), "join": ("unit", "number"),
    "airlift": ("hex",), "pass": (),
}  # fmt: skip

ORDER_TIMES: Final[dict[str, tuple[str, str]]] = {
    "place": ("units are set up before the first game-turn", "XVI"),
    "lift": ("units are set up before the first game-turn", "XVI"),
    "stop": ("a player stops the game at the very start of a player-turn of their own, from March 1942 on", "XVI.A"),
    "replace": ("replacements come in the owner's replacement and strategic movement phase", "IX.A"),
    "reinforce": ("reinforcements come in the Soviet replacement and strategic movement phase", "IX.B.2"),
    "siberia": ("the Siberian Reserve is called in the Soviet replacement and strategic movement phase", "IX.B.1"),
    "rail": ("rail movement belongs to the owner's replacement and strategic movement phase", "VIII.A"),
    "sea": ("sea movement belongs to the owner's replacement and strategic movement phase", "VIII.B"),
    "pick": ("a number is picked when an instalment of the Siberian Reserve has come early", "IX.B.3"),
    "offensive": ("the Winter Offensive begins while Soviet attacks are announced", "VI.B.3"),
    "hold": ('"No Retreat!" is ordered before the first die of the attack phase is cast', "XIII.B.6"),
    "airlift": ("isolated units are supplied by air in the supply phase", "XIV.B.2"),
    "reduce": ("the Soviet player reduces fronts to armies in any decision of their own", "XIV.C"),
    "eliminate": ("a player gives up units of their own, in a player-turn of their own", "XIV.C"),
}  # fmt: skip
"""When orders outside the course of a battle are given, and the paragraph that says so."""

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
        found: list[Action] = []
        if numbers.bit_count() < FEW:
            while numbers:  # as in ``members``, which would make another list first
                top = numbers.bit_length() - 1
                found.append(self.actions[top])
                numbers ^= BIT[top]
            found.reverse()
            return found
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
STEP: Final = TABLES["step"]
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
