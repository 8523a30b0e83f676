"""Position files with a field of the wrong kind: each is refused with the field's name, and nothing else happens."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import get_game

GOAL = {"side": "axis", "text": "T", "last_turn": 2, "hold": ["N5"]}
WIR_GOAL = {**GOAL, "hold": ["0519"]}
WRONG = [
    ("scenario", 5), ("options", []), ("options", {"overrun": 1}), ("turn", "1"), ("turn", 1.5), ("turn", True),
    ("turn", 10**400), ("weather", []), ("empty", "yes"), ("empty", 1.5), ("phase", 3), ("side", None), ("goal", []),
    ("control", []), ("control.axis", "N5"), ("control.axis", [5]), ("control.only", "no"), ("gaol", 1),
]  # fmt: skip
PORTFOLIO = [
    *WRONG, ("units", []), ("units.39Pz", 5), ("units.39Pz", None), ("points", 3), ("points.soviet", 3),
    ("points.soviet.armor", "5"), ("points.soviet.armor", 10**30), ("points.red", {}), ("offensive", "x"),
    ("offensive", 99), ("reserve", -1), ("reserve", 99), ("fronts_built", 0.5), ("rail_used", None),
    ("idle_sides", 7), ("sea_used", "black"), ("sea_used", ["moon"]), ("siberia", 7), ("siberia", ["7"]),
    ("siberia", [7, 8, 9, 10]), ("siberia_points", [1]), ("siberia_points", [1, "2", 3]), ("entered", "8A"),
    ("entered", [8]), ("entered", ["nobody"]), ("amphibious_used", 1), ("germans_in_finland", "no"),
    ("captured", {"N5": 1}), ("goal.side", ["axis"]), ("goal.text", 5), ("goal.last_turn", "2"),
    ("goal.hold", "N5"), ("goal.remove", "10A"), ("goal.early", "no"), ("goal.check", []), ("goal.at_least", True),
    ("goal.replacements", 0),
]  # fmt: skip
WIR = [
    *WRONG, ("level", 9), ("groups", []), ("groups.12", []), ("groups.²", {}), ("groups.999999999999", {}),
    ("groups.12.hex", 316), ("groups.12.units", "1 INF 70 70 0"), ("groups.12.units", ["1 INF ² 70 0"]),
    ("groups.12.units", ["99999 INF 70 70 0"]), ("groups.12.units", [["1 INF 70 70 0"]]),
    ("groups.12.artillery", "60"), ("groups.12.supplied", 1), ("groups.12.plot", 2), ("groups.12.plot", "\ud800"),
    ("groups.12.strike", []), ("cities.Riga", []), ("cities.Riga.owner", ["axis"]), ("cities.Riga.supply", 256),
    ("cities.Atlantis", {}), ("pools", 1), ("pools.axis", []), ("pools.axis.infantry", None), ("rest.axis.gold", 1),
    ("rail", []), ("rail.axis", {}), ("rail.follows_control", "x"), ("rail_order.axis", []), ("used", []),
    ("used.axis", "x"), ("used.axis.rail", -1), ("naval", 64), ("dismantled", "1"), ("routes", []),
    ("routes.²", ["0316"]), ("routes.1", "0316"), ("lend", 5), ("lend.vehicle", -1), ("returning", 5),
    ("returning", [5]), ("returning", [["53", 1]]), ("returning", [[53]]), ("returning", [[12, 1]]),
    ("months", -1), ("goal.side", None), ("goal.text", []), ("goal.last_turn", 1.0), ("goal.remove", [85]),
    ("goal.keep", ["²"]), ("goal.production", "no"),
]  # fmt: skip


def table(field: str, value: Any, game: str) -> dict[str, Any]:
    first, *rest = field.split(".")
    made: Any = value
    for name in reversed(rest):
        made = {name: made}
    if first == "goal" and rest:
        made = {**(WIR_GOAL if game == "wir" else GOAL), **made}
    if first == "groups" and len(rest) == 2:
        made = {rest[0]: {"hex": "0316", "units": ["1 INF 70 70 0"], **made[rest[0]]}}
    return {"empty": True, first: made}


CASES = [("portfolio", *case) for case in PORTFOLIO] + [("wir", *case) for case in WIR]


@pytest.mark.parametrize(("game", "field", "value"), CASES)
def test_a_field_of_the_wrong_kind_is_refused_by_name(game: str, field: str, value: Any) -> None:
    with pytest.raises(SetupError) as refused:
        get_game(game).load_position(table(field, value, game))
    message = str(refused.value)
    named = [part for part in field.split(".") if part.isascii()]
    assert named[-1] in message or (len(named) > 1 and named[-2] in message), message
    assert len(message) < 700 and message.encode()


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_fields_that_fit_are_read(game: str) -> None:
    rules = get_game(game)
    for info in rules.lessons():
        state = rules.load_position(rules.lesson(info.id))
        assert rules.load_position(rules.dump_position(state)) is not None
