"""Dice that travel: what is sent to another process goes on as if it had stayed."""

from __future__ import annotations

import copy
import pickle

from rasputitsa.core.dice import SeededDice


def test_the_numbers_of_a_seed_are_for_good() -> None:
    """Saved games and conformance cases depend on them."""
    dice = SeededDice(7)
    assert [dice.roll("combat", 100) for _ in range(5)] == [70, 30, 56, 56, 94]
    assert dice.fork("x").seed == 305066063314347941747510667716901616080


def test_dice_go_on_in_another_process() -> None:
    dice = SeededDice(-3)
    dice.roll("combat")
    sent, doubled = pickle.loads(pickle.dumps(dice)), copy.deepcopy(dice)
    assert sent.drawn == dice.drawn
    rolls = [dice.roll(stream) for stream in ("combat", "combat", "air")]
    assert [sent.roll(stream) for stream in ("combat", "combat", "air")] == rolls
    assert [doubled.roll(stream) for stream in ("combat", "combat", "air")] == rolls
    assert sent.fork("a").seed == dice.fork("a").seed
