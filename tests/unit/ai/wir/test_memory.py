"""What goes with the memory of a seat: whole depot hints, history for programs of one's own, and calibration."""

from __future__ import annotations

from typing import Any

from rasputitsa.ai.advice.analysis import hint
from rasputitsa.ai.external import ExternalPlayer
from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock
from rasputitsa.ai.wir.campaigns.calibration import Sample, play, report
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.rules.turn import sequence
from tests.support import AMPLE
from tests.unit.wir.board import GAME


def week_to(kind: str, turn: int = 1) -> Any:
    """The first question of a kind in a scenario whose orders are left to the staff."""
    s, dice = GAME.setup("case_blue_short", {}), SeededDice(1)
    while (decision := GAME.decision(s)) is not None and (decision.kind, s.turn) != (kind, turn):
        verb = {"depot": "auto_supply"}.get(decision.kind, "done")
        GAME.apply(s, next(action for action in decision.options if action.verb == verb), dice)
    return s


def test_a_depot_hint_can_be_carried_out_step_by_step_to_the_end() -> None:
    """Not only its first answer: nothing but to ask again remained."""
    s, dice = week_to("depot"), SeededDice(2)
    decision = GAME.decision(s)
    assert decision is not None
    found = hint(GAME, GAME.view_of(s, decision.seat), decision, TimedClock(AMPLE), {})
    assert len(found.steps) > 2
    for step in found.steps:
        assert step.ordered and step.line
        asked = GAME.decision(s)
        assert asked is not None and asked.kind == "depot", "each is an answer to the question of then"
        for text in step.line.split("; "):
            (action,) = GAME.parse(s, text)
            GAME.apply(s, action, dice)
    assert sequence.phase_of(s)[0] != sequence.SUPPLY


def test_a_program_of_ones_own_is_told_what_its_seat_may_read() -> None:
    mind = ExternalPlayer("none", GAME, {})
    s = week_to("movement")
    onlookers = MemoryTracker(GAME, {}, s)
    onlookers.introduce({"axis": mind})
    turn = s.turn
    while s.turn == turn:
        asked = GAME.decision(s)
        assert asked is not None
        onlookers.apply(s, Action("auto_supply" if asked.kind == "depot" else "done"), SeededDice(3))
    kinds = {event["kind"] for event in mind._history}
    assert {"phase", "turn"} <= kinds
    sides = {event["args"][0] for event in mind._history if event["kind"] in ("supplied", "production", "losses")}
    assert sides == {0}, "of the enemy's production nothing is told"
    assert all(event["text"] for event in mind._history)


def test_calibration_compares_belief_and_truth() -> None:
    samples = play("zitadelle", 1, "greedy", 3)
    assert {one.seat for one in samples} == {"axis", "soviet"}
    assert all(0.5 < one.told / one.true < 2 and one.inside <= one.groups for one in samples)
    made = [
        Sample("barbarossa", n, "axis", "1943-01-03", True, told, 100.0, 10, 8) for n, told in enumerate((90.0, 130.0))
    ]
    text = report(made)
    assert "| barbarossa | 1943 | axis | 1.10 | 0.71 to 1.49 | 2 |" in text
    assert "| all | | | 80% | 20 |" in text
