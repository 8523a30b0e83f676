"""The verbs of the game, and ready-made actions so that listing options costs next to nothing."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.core.actions import Action

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

HEXES, UNITS, NUMBERS = 1200, 256, 128

BARE: dict[str, Action] = {verb: Action(verb) for verb, args in VERBS.items() if not args}


class ActionTable:
    """One ready-made action of a verb for each argument, and a quick way to list those of a set."""

    def __init__(self, verb: str) -> None:
        size = {"hex": HEXES, "unit": UNITS, "number": NUMBERS}[VERBS[verb][0]]
        self.actions = [Action(verb, (n,)) for n in range(size)]
        self._octets: dict[int, list[Action]] = {}

    def pick(self, numbers: int) -> list[Action]:
        """The actions for a set of hexes or units, ascending."""
        if numbers.bit_count() < FEW:
            found = []
            while numbers:
                low = numbers & -numbers
                found.append(self.actions[low.bit_length() - 1])
                numbers ^= low
            return found
        return self._pick_many(numbers)

    def _pick_many(self, numbers: int) -> list[Action]:
        """Eight numbers at a time, by tables filled on the way."""
        first = ((numbers & -numbers).bit_length() - 1) // 8
        numbers >>= first * 8
        found: list[Action] = []
        octets = self._octets
        for place, octet in enumerate(numbers.to_bytes((numbers.bit_length() + 7) // 8, "little"), start=first):
            if octet:
                key = place << 8 | octet
                if key not in octets:
                    octets[key] = [self.actions[place * 8 + n] for n in range(8) if octet >> n & 1]
                found += octets[key]
        return found


FEW = 12


TABLES: dict[str, ActionTable] = {verb: ActionTable(verb) for verb, args in VERBS.items() if len(args) == 1}
TO, AT, ATTACK, ALSO = (TABLES[verb] for verb in ("to", "at", "attack", "also"))
MOVE, WITH, WITHOUT = (TABLES[verb] for verb in ("move", "with", "without"))
DONE, BACK, HALT, STAND, STAND_ALL = (BARE[v] for v in ("done", "back", "halt", "stand", "stand_all"))
READY, DROP, PASS = BARE["ready"], BARE["drop"], BARE["pass"]


def each(verb: str, numbers: Iterable[int]) -> list[Action]:
    """One action of a verb for each argument."""
    table = TABLES[verb].actions
    return [table[n] for n in numbers]
