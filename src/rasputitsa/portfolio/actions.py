"""The verbs of the game, and ready-made actions so that listing options costs next to nothing."""

from __future__ import annotations

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


def _table(verb: str) -> list[Action]:
    size = {"hex": HEXES, "unit": UNITS, "number": NUMBERS}[VERBS[verb][0]]
    return [Action(verb, (n,)) for n in range(size)]


TO, AT, ATTACK, ALSO = _table("to"), _table("at"), _table("attack"), _table("also")
MOVE, WITH, WITHOUT = _table("move"), _table("with"), _table("without")
DONE, BACK, HALT, STAND, STAND_ALL = (BARE[v] for v in ("done", "back", "halt", "stand", "stand_all"))
READY, DROP, PASS = BARE["ready"], BARE["drop"], BARE["pass"]


def each(verb: str, numbers: list[int]) -> list[Action]:
    """One action of a verb for each argument."""
    return [Action(verb, (n,)) for n in numbers]
