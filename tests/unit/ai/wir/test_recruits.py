"""Mechanized corps, raised while vehicles and numbers of groups allow; else recruits become riflemen."""

from __future__ import annotations

from typing import Any

from rasputitsa.ai.advice.analysis import hint
from rasputitsa.ai.advice.hint import Hint
from rasputitsa.ai.players import TimedClock
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.production import Production, unused
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.model.theatre import SOVIET
from tests.support import AMPLE
from tests.unit.wir.board import board, inf, rifles, tanks

NUMBERS = groups_of(SOVIET, MECHANIZED)
BRIGADE = "{0} TANK 100 50 0"
PLACES = [f"{column}{row}" for column in (20, 21, 22) for row in (16, 18, 20, 22)]
FRONT = {12: inf("1320", "50 INF 90 70 0"), 110: rifles("1520")}


def held(many: int, **more: Any) -> dict[int, Any]:
    """Mechanized groups of one unit each, in hexes of their own."""
    return {g: tanks(where, BRIGADE.format(g), **more) for g, where in zip(NUMBERS[:many], PLACES, strict=False)}


def soviet(groups: dict[int, Any], phase: str, infantry: int = 360, vehicle: int = 1500) -> State:
    pools = {"soviet": {"infantry": infantry, "vehicle": vehicle, "artillery": 0, "aircraft": 0, "construction": 0}}
    return board({**FRONT, **groups}, scenario="zitadelle", turn=10, phase=phase, side="soviet", pools=pools)


def built(s: State) -> list[tuple[str, ...]]:
    orders = Production(s, SOVIET, Situation(s, SOVIET)).plan()
    return [(order.verb, *map(str, order.args)) for order in orders if order.verb in ("form", "type", "strength")]


def test_recruits_and_vehicles_make_mechanized_corps_that_are_trained_at_once() -> None:
    s = soviet({}, "adjust")
    assert built(s)[:3] == [("form", "1"), ("type", "1"), ("strength", "150")]
    kinds = s.rules.type_named
    trained = [s.rules.recruits[s.year][kinds[kind]] for kind in ("MECH", "TANK", "RIFLE")]
    assert trained == [70, 10, 10]


def test_without_vehicles_or_numbers_recruits_become_riflemen() -> None:
    assert ("type", "1") not in built(soviet({}, "adjust", vehicle=420))
    full = built(soviet(held(len(NUMBERS)), "adjust"))
    assert ("form", "2") in full and ("form", "1") not in full


def test_numbers_of_infantry_are_counted_too() -> None:
    s = soviet({}, "movement")
    assert unused(s, SOVIET, INFANTRY) == len(groups_of(SOVIET, INFANTRY)) - 1


def test_advice_to_build_can_be_carried_out_order_by_order() -> None:
    """Each unit is drawn by chance: no more can be given in one go."""
    session = new_session("wir", "barbarossa_short", seed=1)
    decision = session.decision()
    assert decision is not None and decision.kind == "adjust"
    view = session.game.view_of(session.state, decision.seat)
    found = hint(session.game, view, decision, TimedClock(AMPLE))
    drawn = [step for step in found.steps if step.line.startswith("build")]
    assert drawn and all(step.orders and not step.waits for step in drawn)
    assert any("INF with 70 points (4 times)" in step.text for step in drawn)
    carry_out(session, found)


def test_advice_to_build_the_same_thing_several_times_builds_it_as_often() -> None:
    """Groups built between the transfers that fill them up have the numbers that the plan counts on."""
    session = new_session("wir", "zitadelle", seed=3)
    decision = session.decision()
    assert decision is not None and decision.kind == "adjust"
    found = hint(session.game, session.game.view_of(session.state, decision.seat), decision, TimedClock(AMPLE))
    assert sum("{hex:0708}" in step.text for step in found.steps) > 1, "the plan builds in one city more than once"
    carry_out(session, found)


def carry_out(session: Session, plan: Hint) -> None:
    """Give the orders of all steps, in their order; none is refused."""
    decision = session.decision()
    assert decision is not None
    for step in plan.steps:
        for order in step.orders or [step.line]:
            for action in session.game.parse(session.state, order):
                session.play(session.game.format(session.state, action), decision.seat)
