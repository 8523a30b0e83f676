"""A decision names the units and hexes it is about, so that a client can show them."""

from __future__ import annotations

import random

from rasputitsa.core.dice import SeededDice
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.rules.logistics.replacements import Replaced
from rasputitsa.portfolio.rules.turn.victory import VictoryCounted
from tests.support import GAME, choose
from tests.unit.portfolio.board import board, unit_of

ABOUT_UNITS = {
    "moving", "rail", "sea", "replace", "reinforce", "retreat", "retreat_length", "advance_step", "reduce",
    "displace_to", "displace",
}  # fmt: skip
ABOUT_HEXES = {"build_attack", "overstack"}


def test_questions_name_what_they_are_about() -> None:
    chooser, dice = random.Random(0), SeededDice(0)
    s = GAME.setup("june22", {})
    seen: set[str] = set()
    while (decision := GAME.decision(s)) is not None:
        seen.add(decision.kind)
        names = {unit.id for unit in s.rules.units}
        assert set(decision.units) <= names and all(s.rules.grid.find(h) is not None for h in decision.hexes)
        assert bool(decision.units) == (decision.kind in ABOUT_UNITS) or decision.kind == "build_attack", decision
        assert bool(decision.hexes) >= (decision.kind in ABOUT_HEXES)
        GAME.apply(s, choose(chooser, list(decision.options)), dice)
    assert len(seen & (ABOUT_UNITS | ABOUT_HEXES)) > 6


def test_what_a_unit_on_the_move_has_left_to_spend() -> None:
    """Short of fuel, 39. PzKps has a factor of 2 (XIV.D), and a bonus of 2."""
    s = GAME.load_position({"empty": True, "turn": 3, "phase": "movement", "side": "axis", "units": {"39Pz": "X16"}})
    dice = SeededDice(0)
    left, asked = [], []
    for line in ("move 39Pz", "to X17", "to X19"):
        GAME.apply(s, GAME.parse(s, line)[0], dice)
        answer = GAME.query(s, "axis", "reach", {"units": ["39Pz"]})
        left.append((answer["factor"], answer["left"], answer["bonus_left"]))
        asked.append(s.stack[-1].prompt(s).removeprefix("39. PzKps: "))
    assert left == [(2, 2, 2), (2, 1, 2), (2, 0, 1)]
    assert asked == ["choose where to move", *["go on to another hex, or halt"] * 2]


def test_the_units_on_the_move_and_the_attack_being_built() -> None:
    s = GAME.setup("june22", {})
    dice = SeededDice(1)
    for line in ("done", "done", "move 39Pz", "with 2Inf"):
        for action in GAME.parse(s, line):
            GAME.apply(s, action, dice)
    decision = GAME.decision(s)
    assert decision is not None and decision.units == ("39Pz", "2Inf")


def test_the_log_names_counts_units_and_hexes_in_their_order() -> None:
    s = board({"1Inf": "V23"})
    unit, hex_ = unit_of(s, "1Inf"), s.rules.grid.index("V23")
    counted = VictoryCounted(3, 7).words(s)
    assert counted == "Victory cities reached by Axis supply lines count 3 of 7 needed"
    rebuilt = Replaced(unit, hex_)
    assert rebuilt.words(s) == f"{unit_mark(s, unit)} is rebuilt for {hex_mark(s, hex_)}"
