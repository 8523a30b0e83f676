"""The layers of strength and odds under fog: estimates of the seat that looks, with nothing hidden from it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from rasputitsa.ai.memory import MemoryTracker, answered
from rasputitsa.wir.api import strengths
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import SIDES
from tests.unit.ai.wir.test_attack_estimate import weeks_later
from tests.unit.wir.board import GAME, change_what_is_hidden


@pytest.fixture(scope="module")
def played() -> tuple[State, MemoryTracker]:
    return weeks_later("zitadelle", 3)


@pytest.mark.parametrize("seat", SIDES)
def test_odds_are_those_of_the_card_and_said_to_be_an_estimate(played: tuple[State, MemoryTracker], seat: str) -> None:
    s, onlookers = played
    ask = partial(answered, GAME, s, seat, memory=partial(onlookers.of, seat))
    rows = ask("all_odds", {"side": seat})["hexes"]
    attacks = strengths.adjacent_attackers(GAME.view_of(s, seat), SIDES.index(seat))
    assert len(rows) == len(attacks) > 5 and any(row["estimated"] for row in rows if "estimated" in row)
    for row in rows:
        units = ",".join(map(str, attacks[s.rules.grid.index(row["hex"])]))
        card = ask("odds", {"units": units, "target": row["hex"]})
        assert row["value"] == card["odds"], row
        assert row.get("estimated", False) is ("estimate" in card)
        if "estimate" not in card:
            assert row["text"] == card["odds_text"]
        elif card["odds"] < 10:
            assert row["text"] == f"≈ {card['odds_text']}"
        else:
            assert row["text"] == f"≈ {card['odds']:.0f}-1"


@pytest.mark.parametrize("kind", ["strengths", "all_odds", "trapped"])
@pytest.mark.parametrize("seat", SIDES)
def test_nothing_hidden_has_a_part_in_a_layer(played: tuple[State, MemoryTracker], seat: str, kind: str) -> None:
    s, onlookers = played
    changed = s.copy()
    change_what_is_hidden(changed, 1 - SIDES.index(seat))
    for side in SIDES:
        first, second = (
            answered(GAME, state, seat, kind, {"side": side}, partial(onlookers.of, seat)) for state in (s, changed)
        )
        assert first == second


def test_nobody_is_told_what_another_seat_believes(played: tuple[State, MemoryTracker]) -> None:
    s, onlookers = played
    told = answered(GAME, s, "axis", "all_odds", {"side": "soviet"}, partial(onlookers.of, "axis"))
    assert {row["text"] for row in told["hexes"] if not row.get("estimated")} <= {"?"}
    bare = answered(GAME, s, None, "strengths", {}, lambda: onlookers.of("axis"))
    assert {row["text"] for row in bare["hexes"]} == {"?"}


def test_the_strength_of_every_hidden_hex_is_estimated(played: tuple[State, MemoryTracker]) -> None:
    s, onlookers = played
    rows = answered(GAME, s, "soviet", "strengths", {}, partial(onlookers.of, "soviet"))["hexes"]
    enemy: list[dict[str, Any]] = [row for row in rows if row["side"] == "axis"]
    assert enemy and all(row["estimated"] and row["text"] == f"≈ {row['value']:.0f}" for row in enemy)
    assert not any(row.get("estimated") for row in rows if row["side"] == "soviet")


def test_in_the_first_week_a_group_is_pressed_only_by_an_enemy_that_could_drive_it_out() -> None:
    """Behind the spearheads of 22 June all hexes are full: no way to retreat, and nobody who could force them to."""
    s = GAME.setup("barbarossa", {})
    onlookers = MemoryTracker(GAME, {}, s)
    rows = answered(GAME, s, "axis", "trapped", {}, partial(onlookers.of, "axis"))["units"]
    assert len(rows) > 5
    assert sum(row["pressed"] for row in rows) <= len(rows) // 4
