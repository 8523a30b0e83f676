"""Moves as text: what can be read, and what is refused in words."""

from __future__ import annotations

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import NotationError
from rasputitsa.portfolio.api.notation import LABELS, MoveOrder, format_action, move_order, parse
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import ruleset

RULES = ruleset("june22", {}, DATA)


def u(name: str) -> int:
    return RULES.roster.index[name]


def h(name: str) -> int:
    return RULES.grid.index(name)


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("to N6", [("to", h("N6"))]),
        ("TO n6", [("to", h("N6"))]),
        ("/to N6", [("to", h("N6"))]),
        ("  / done ", [("done",)]),
        ("end", [("done",)]),
        ("stand-all", [("stand_all",)]),
        ("move 39Pz", [("move", u("39Pz"))]),
        ("move 39.PzKps", [("move", u("39Pz"))]),
        ("attack N7: 39Pz,56Pz", [("attack", h("N7")), ("with", u("39Pz")), ("with", u("56Pz")), ("ready",)]),
        ("attack N7+N8: 39Pz", [("attack", h("N7")), ("also", h("N8")), ("with", u("39Pz")), ("ready",)]),
        ("replace 8A at Q19", [("replace", u("8A")), ("at", h("Q19"))]),
        ("rail 8A L5-Q19", [("rail", u("8A")), ("at", h("Q19"))]),
        ("reduce WestF as 8A", [("reduce", u("WestF")), ("as", u("8A"))]),
        ("resolve 2", [("resolve", 2)]),
    ],
)
def test_lines_that_can_be_read(line: str, actions: list[tuple[str, int]]) -> None:
    assert parse(RULES, line) == [Action(verb, tuple(args)) for verb, *args in actions]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("move 39Pz N6", MoveOrder((u("39Pz"),), None, (h("N6"),))),
        ("/move 39Pz N4-N6", MoveOrder((u("39Pz"),), h("N4"), (h("N6"),))),
        ("move 39Pz+2Inf N4-N5-N6", MoveOrder((u("39Pz"), u("2Inf")), h("N4"), (h("N5"), h("N6")))),
        ("move 39Pz", None),
        ("to N6", None),
    ],
)
def test_whole_moves(line: str, order: MoveOrder | None) -> None:
    assert move_order(RULES, line) == order


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "empty"),
        ("/", "empty"),
        ("fly 39Pz", "no order"),
        ("to", "comes HEX"),
        ("to N99", "no hex"),
        ("to N6 N7", "comes HEX"),
        ("move 99Pz", "no unit"),
        ("move Army", "no unit"),
        ("resolve two", "not a number"),
        ("resolve ²", "not a number"),
        ("resolve 99999", "not a number"),
        ("done now", "comes nothing"),
        ("to N6" * 100, "too long"),
    ],
)
def test_lines_that_cannot(line: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse(RULES, line)


def test_every_verb_has_a_label_and_reads_back() -> None:
    assert set(LABELS) == set(VERBS)
    example = {"unit": u("39Pz"), "hex": h("N6"), "number": 3}
    for verb, kinds in VERBS.items():
        action = Action(verb, tuple(example[kind] for kind in kinds))
        assert parse(RULES, format_action(RULES, action)) == [action]
