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
    "place": ("units are set up before the first game-turn", "XVI.C"),
    "lift": ("units are set up before the first game-turn", "XVI.C"),
    "stop": ("players stop the game at the very start of their player-turns, once the turn track allows it", "XVI.A"),
    "replace": ("replacements come in the owner's replacement and strategic movement phase", "IX.A"),
    "reinforce": ("reinforcements come in the Soviet replacement and strategic movement phase", "IX.B.2"),
    "siberia": ("the Siberian Reserve is called in the Soviet replacement and strategic movement phase", "IX.B.1"),
    "rail": ("rail movement belongs to the owner's replacement and strategic movement phase", "VIII.A.2"),
    "sea": ("sea movement belongs to the owner's replacement and strategic movement phase", "VIII.B"),
    "pick": ("a number is picked when an instalment of the Siberian Reserve has come early", "IX.B.3"),
    "offensive": ("the Winter Offensive begins while Soviet attacks are announced", "VI.B.3"),
    "hold": ('"No Retreat!" is ordered before the first die of the attack phase is cast', "XIII.B.6"),
    "airlift": ("isolated units are supplied by air in the supply phase", "XIV.B.2"),
    "displace": ("a unit makes room when another arrives in a full hex", "IX.A"),
    "cast": ("the die for the Siberian Reserve is cast when the Axis has picked a number", "IX.B.3"),
    "move": ("units move in the movement phase of their own player-turn", "XI.A.1"),
    "step": ("a unit goes one hex at a time once it has been chosen to move", "XI.A.2"),
    "attack": ("attacks are announced at the beginning of the owner's attack phase", "XIII.A"),
    "ready": ("an attack is made ready while it is being announced", "XIII.A"),
    "drop": ("an attack is dropped while it is being announced", "XIII.A"),
    "withdraw": ("an announced attack is taken back before the announcements end", "XIII.A"),
    "with": ("units are added to an attack while it is being announced", "XIII.A.4"),
    "without": ("units are left out of an attack while it is being announced", "XIII.A.4"),
    "join": ("units join an announced attack before the announcements end", "XIII.A.4"),
    "also": ("an attack is extended to further hexes while it is being announced", "XIII.A.5"),
    "amphibious": ("amphibious tanks are used while an attack of the first game-turn is being announced", "XVI.B.2"),
    "resolve": ("attacks are resolved one by one when all have been announced", "XIII.C"),
    "cancel": ("attacks are called off when all have been announced, before they are resolved", "XIII.A.7"),
    "lose": ("units are lost when a result or a rule takes some of several", "XIII.C.AE"),
    "exchange": ("units are exchanged when the result of a battle is an exchange", "XIII.C.Exchange"),
    "decline": ("an exchange is declined when the result of a battle is one", "XIII.C.Decline"),
    "exchange_first": ("the attacker exchanges before the retreat when the result of a battle is DX", "XIII.C.DX"),
    "refrain": ("the attacker goes without the exchange when the result of a battle is DX", "XIII.C.DX"),
    "retreat": ("units retreat after a result against them, or to avoid combat in the enemy's attack phase", "XIII.D"),
    "stand": ("units stand when they could retreat in the enemy's attack phase", "XIII.D.2"),
    "stand_all": ("a player lets all units stand when some could avoid combat in the enemy's attack phase", "XIII.D.8"),
    "advance": ("attackers advance when the hex they attacked is vacated", "XIII.E"),
    "pass": ("supply by air is declined in the supply phase", "XIV.B.2"),
    "reduce": ("the Soviet player reduces fronts to armies at any time once the game has begun", "XIV.C"),
    "as": ("the army is chosen when a front is being reduced", "XIV.C"),
    "eliminate": ("a player gives up units of their own, in a player-turn of their own", "XIV.C"),
}  # fmt: skip
"""When orders are given, and the paragraph that says so. Words that go on with an order or end it (``to``, ``halt``,
``done``) have no time of their own."""

WAITING_FOR_BATTLE: Final = frozenset(
    verb for verb, (_, rule) in ORDER_TIMES.items()
    if rule.startswith(("XIII.A.7", "XIII.C", "XIII.D", "XIII.E"))
)  # fmt: skip
"""Orders about results and about the next attack: what follows a combat comes at once (XIII.D.1), and before them."""

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
