"""The preview of an attack on a hidden group: an estimate from what the attacker's seat has seen, with a range."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from rasputitsa.ai.memory import MemoryTracker, answered, common_knowledge
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.wir.evaluation import attack_estimate
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.record.new import lesson_session
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.execution import combat
from tests.support import AMPLE
from tests.unit.wir.board import GAME, change_what_is_hidden

if TYPE_CHECKING:
    from rasputitsa.ai.players import Player


def first_lesson() -> Any:
    return lesson_session("wir", "first_attack", seed=1)


def memories(session: Any) -> MemoryTracker:
    onlookers = MemoryTracker(GAME, session.header.options, session.state_at(0), known=common_knowledge(session))
    onlookers.follow(session)
    return onlookers


def asked(session: Any, seat: str | None, **args: str) -> Mapping[str, Any]:
    onlookers = memories(session)
    return answered(GAME, session.state, seat, "odds", args, lambda: onlookers.of(seat or ""))


def test_the_first_lesson_shows_odds_with_a_range_and_its_reason() -> None:
    """It showed a question mark."""
    session = first_lesson()
    found = asked(session, "axis", units="6,21,22", target="0519")
    truth = combat.preview(session.state, [6, 21, 22], session.state.rules.grid.names.index("0519"))["odds"]
    assert truth is not None
    assert found["unknown"] == ["85"] and not found["known"]
    estimate = found["estimate"]
    assert estimate["worst"]["odds"] < truth < estimate["best"]["odds"]
    assert estimate["best"]["odds"] < 1.5 * truth, "so narrow that it is of use"
    assert found["odds"] == pytest.approx(truth, rel=0.1)
    (told,) = estimate["groups"]
    assert told["group"] == "85" and told["least"] < told["points"] < told["most"]
    assert told["why"] == "the order of battle at the start"


def test_what_the_player_supposes_comes_first() -> None:
    found = asked(first_lesson(), "axis", units="6", target="0519", assume="85:600:90:5")
    assert found["supposed"] and "estimate" not in found
    assert found["odds"] < 1


def test_an_onlooker_and_another_seat_are_told_nothing() -> None:
    session = first_lesson()
    for seat in (None, "soviet"):
        found = asked(session, seat, units="6,21", target="0519")
        assert "estimate" not in found
    assert "estimate" not in asked(session, "soviet", units="85", target="0619"), "nobody stands there"


def test_a_position_of_ones_own_is_no_common_knowledge() -> None:
    """Else a person who writes another strength into the file of a lesson gives it away to the other seat."""
    session = first_lesson()
    session.header.position["groups"]["85"]["units"] = ["28 RIFLE 71 45 20"]
    assert common_knowledge(session) is None


def test_after_a_fight_the_odds_of_the_report_are_the_reason() -> None:
    session = first_lesson()
    session.play("plot 22 2", "axis")
    session.play("done", "axis")
    while session.state.turn == 1:
        decision = session.decision()
        assert decision is not None
        session.play("auto supply" if decision.kind == "depot" else "done", decision.seat)
    (fight,) = [event for events in session.events for event in events if event.kind == "fight"]
    memory = memories(session).of("axis")
    assert isinstance(memory, SeatMemory)
    told = combat.odds_text(int(str(fight.args[2])))
    why = attack_estimate.reason(session.state, memory.enemy.guesses[85])
    assert why == f"its fight in the week of 22 June 1941 at {told}, as reported"


def weeks_later(scenario: str, turn: int) -> tuple[Any, MemoryTracker]:
    """A campaign in which simple computer players have fought for some weeks."""
    s, dice = GAME.setup(scenario, {}), SeededDice(3)
    minds: dict[str, Player] = {seat: player("greedy", GAME, {}, n) for n, seat in enumerate(SIDES)}
    onlookers = MemoryTracker(GAME, {}, s)
    onlookers.introduce(minds)
    while s.turn < turn:
        decision = GAME.decision(s)
        assert decision is not None
        view = GAME.view_of(s, decision.seat)
        onlookers.apply(s, minds[decision.seat].choose(view, decision, TimedClock(AMPLE)), dice)
    return s, onlookers


def test_nothing_hidden_has_a_part_in_it_and_the_truth_is_mostly_between() -> None:
    """Four times in five is promised; it is counted over all attacks by one group after three weeks of a campaign."""
    s, onlookers = weeks_later("zitadelle", 4)
    inside = total = 0
    for side in (AXIS, SOVIET):
        seat = SIDES[side]
        recall = partial(onlookers.of, seat)
        changed = s.copy()
        change_what_is_hidden(changed, 1 - side)
        for group in s.on_map(groups_of(side, MECHANIZED, INFANTRY)):
            for target in s.rules.map.step[s.hex[group]][1:]:
                if target < 0 or not combat.defenders_in(s, target, 1 - side):
                    continue
                args = {"units": str(group), "target": s.rules.grid.names[target]}
                found = answered(GAME, s, seat, "odds", args, recall)
                assert found == answered(GAME, changed, seat, "odds", args, recall)
                truth = combat.preview(s, [group], target)["odds"]
                if "estimate" in found and truth is not None:
                    total += 1
                    inside += found["estimate"]["worst"]["odds"] <= truth <= found["estimate"]["best"]["odds"]
    assert total > 100
    assert inside / total > 0.65
