"""Orders to a staff: for some groups alone, and only for those that have none."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.ai.advice.analysis import hint
from rasputitsa.ai.advice.errors import NoAnalysisError
from rasputitsa.ai.advice.hint import Hint, playable
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.ai.match import new_match
from rasputitsa.ai.players import WorkClock
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import NotationError
from rasputitsa.core.record.session import Session
from rasputitsa.wir.api.order_of_battle import origin
from rasputitsa.wir.model.tables import AIR, KIND, groups_of
from tests.support import GAME


@cached
def kursk() -> Session:
    """The Axis movement phase of a short campaign's first week."""
    match = new_match("wir", "case_blue_short", seed=4)
    while (decision := match.decision()) is not None and (decision.kind, decision.seat) != ("movement", "axis"):
        match.play("auto supply" if decision.kind == "depot" else "done", decision.seat)
    return match


def staff(match: Session, *units: str, stance: Any = "fight") -> Hint:
    decision = match.decision()
    assert decision is not None
    view = match.game.view_of(match.state, decision.seat)
    return hint(match.game, view, decision, WorkClock(4.0), staff=StaffLimits(units, stance))


def under(match: Session, command: str) -> set[str]:
    return {str(g) for g in match.state.on_map(groups_of(0)) if origin(match.state, g).command == command}


def test_a_staff_orders_its_own_groups_alone() -> None:
    match = kursk()
    south = under(match, "Army Group South")
    found = staff(match, *south)
    ordered = {unit for step in found.steps for unit in step.units}
    assert ordered
    assert ordered <= south
    assert any(step.kind == "attack" for step in found.steps)
    assert all(playable(match.game, match.state, step.line) for step in found.steps if not step.waits)


def test_what_is_ordered_already_stays() -> None:
    match = Session.load(kursk().save())
    south = under(match, "Army Group South")
    attack = next(step for step in staff(match, *south).steps if step.kind == "attack")
    group = attack.units[0]
    match.play(f"plot {group} 1B", "axis")
    again = staff(match, *south)
    assert again.steps
    assert group not in {unit for step in again.steps for unit in step.units}


def test_who_holds_neither_marches_nor_attacks() -> None:
    match = kursk()
    centre = under(match, "Army Group Centre")
    found = staff(match, *centre, stance="hold")
    assert found.steps
    assert {step.kind for step in found.steps} == {"mark"}
    assert all("takes" in step.text for step in found.steps)


def test_a_hint_tells_of_replacements_for_those_who_stay() -> None:
    match = kursk()
    groups = [str(g) for g in match.state.on_map(groups_of(0)) if KIND[g] != AIR]
    texts = [step.text for step in staff(match, *groups, stance="hold").steps]
    assert any("points of replacements" in text for text in texts)
    assert any("artillery" in text for text in texts)


def test_a_staff_is_asked_for_groups_there_are() -> None:
    with pytest.raises(NotationError):
        staff(kursk(), "999")


def test_a_staff_waits_for_its_phase() -> None:
    match = new_match("wir", "case_blue_short", seed=4)
    with pytest.raises(NoAnalysisError, match="movement phase"):
        staff(match, "1")


def test_other_games_have_none() -> None:
    match = new_match("portfolio", "june22", seed=4)
    assert match.game.id == GAME.id
    with pytest.raises(NoAnalysisError):
        staff(match, "39Pz")


def test_a_hint_says_which_orders_it_changes() -> None:
    match = Session.load(kursk().save())
    decision = match.decision()
    assert decision is not None
    attack = next(
        step for step in hint(match.game, match.state, decision, WorkClock(4.0)).steps if step.kind == "attack"
    )
    group = attack.units[0]
    match.play(f"plot {group} 4", "axis")
    again = match.decision()
    assert again is not None
    told = [r for r in hint(match.game, match.state, again, WorkClock(4.0)).reasons if "changes orders" in r]
    assert told == [f"It changes orders that are given: {{unit:{group}}}."]
