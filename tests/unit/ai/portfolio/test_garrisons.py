"""Whom the planner of The Russian Portfolio tells off to hold a place, or to take one that stands open."""

from __future__ import annotations

import pytest

from rasputitsa.ai.portfolio.evaluation.valuation import valuation_of
from rasputitsa.ai.portfolio.planning.garrisons import garrison, seizures
from rasputitsa.ai.portfolio.planning.phase_planner import hostile_units
from rasputitsa.ai.portfolio.planning.sector_assignment import prizes
from rasputitsa.ai.portfolio.planning.transport import Transport
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.movement.movement import ready_units
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach
from tests.support import GAME

LOST = {"axis": ["Q2-Q13", "P4-P12", "R1-R12"]}
"""Smolensk and the way to it."""


def sent(side: int, units: dict[str, str], **more: object) -> dict[str, str]:
    """The units that are told to march into open places, and where."""
    seat = ("axis", "soviet")[side]
    s = GAME.load_position({"empty": "gone", "turn": 4, "phase": "movement", "side": seat, "units": units, **more})
    ready = {u: reach(s, moving_stack(s, (u,), 0, 0)).plain for u in members(ready_units(s, side))}
    found = seizures(s, side, ready, hostile_units(s, side))
    return {s.rules.units[unit].id: s.rules.grid.names[hex_] for unit, hex_ in found.items()}


def test_the_firmest_goes_where_the_game_is_won_and_another_to_the_oil() -> None:
    assert sent(SOVIET, {"2KK": "GG4", "9A": "GG4"}) == {"9A": "HH1", "2KK": "GG2"}


def test_two_go_where_one_would_be_driven_out() -> None:
    """The claim must outlast what the Axis can bring up in its own operations."""
    threatened = {"2KK": "GG4", "9A": "GG4", "1PzG": "II2", "3Pz": "II2", "4RomA": "JJ4"}
    assert sent(SOVIET, threatened) == {"9A": "HH1", "2KK": "HH1"}


def test_a_guard_leaves_its_city_to_win_but_for_nothing_less() -> None:
    assert sent(SOVIET, {"24A": "Q13", "20A": "R14"}) == {}
    assert sent(SOVIET, {"20A": "R14"}, control=LOST) == {"20A": "Q13"}
    assert sent(SOVIET, {"20A": "Y10"}, control={"axis": ["Y12", "Q13"]}) == {}


def test_what_is_guarded_is_not_marched_into() -> None:
    assert sent(SOVIET, {"9A": "GG4", "54Inf": "HH1"}) == {"9A": "GG2"}


def test_the_axis_needs_no_such_orders() -> None:
    assert sent(AXIS, {"39Pz": "Q12"}) == {}


def axis_position(units: dict[str, str], **more: object) -> State:
    """A position of the Axis about to move."""
    return GAME.load_position({"empty": "gone", "turn": 4, "phase": "movement", "side": "axis", "units": units, **more})


def spots_of(s: State) -> dict[int, int]:
    """The hexes each ready Axis unit can reach, its own included."""
    return {u: reach(s, moving_stack(s, (u,), 0, 0)).plain | 1 << s.pos[u] for u in members(ready_units(s, AXIS))}


def named(s: State, hexes: dict[int, int]) -> dict[str, str]:
    """Units and hexes by name."""
    return {s.rules.units[unit].id: s.rules.grid.names[hex_] for unit, hex_ in hexes.items()}


RIDERS = {"18MK": "FF2", "6A": "EE3", "9A": "EE5", "12A": "EE6"}
"""More on the way to Bucharest than one corps can hold off."""


def test_nowhere_do_two_stand_while_the_oil_has_nobody() -> None:
    s = axis_position({"4RomA": "HH1", "RomMtn": "HH1", **RIDERS})
    assert named(s, garrison(s, AXIS, spots_of(s), hostile_units(s, AXIS))) == {"4RomA": "HH1", "RomMtn": "GG2"}


def test_once_the_oil_has_a_guard_two_stand_in_bucharest() -> None:
    s = axis_position({"4RomA": "HH1", "RomMtn": "HH1", "30Inf": "GG2", **RIDERS})
    posted = named(s, garrison(s, AXIS, spots_of(s), hostile_units(s, AXIS)))
    assert posted == {"4RomA": "HH1", "RomMtn": "HH1", "30Inf": "GG2"}


def test_a_panzer_corps_guards_the_oil_if_nobody_else_can() -> None:
    s = axis_position({"4RomA": "HH1", "3Pz": "HH2", "9A": "GG5"})
    assert named(s, garrison(s, AXIS, spots_of(s), hostile_units(s, AXIS)))["3Pz"] == "GG2"


@pytest.mark.parametrize(("guards_there", "goes"), [({}, "HH1"), ({"RomMtn": "HH1 dispersed"}, "GG2")])
def test_a_train_goes_to_the_place_that_has_nobody(guards_there: dict[str, str], goes: str) -> None:
    """First to where the game would be lost, then to the oil."""
    units = {"44Inf": "T5", "6AOK": "Q12", "9A": "Q14", "2KK": "FF8", **guards_there}
    s = axis_position(units, phase="replacement", control={"axis": [f"{row}1-{row}12" for row in "QRSTUVWXYZ"]})
    decision = GAME.decision(s)
    assert decision is not None
    journey = Transport(s, AXIS).best(decision, set())
    assert journey is not None
    assert s.rules.grid.names[journey.target] == goes


def test_lost_oil_is_worth_more_than_any_town() -> None:
    s = axis_position({"49Mtn": "GG1", "2KK": "GG2"}, control={"soviet": ["GG2"]})
    gain, names = valuation_of(s, AXIS).gain, s.rules.grid.names
    assert names[max(range(len(gain)), key=lambda hex_: gain[hex_])] == "GG2"
    assert [names[want.hex] for want in prizes(s, AXIS) if names[want.hex] == "GG2"] == ["GG2"]


def test_no_train_goes_where_a_corps_can_march_in_time() -> None:
    units = {"44Inf": "T5", "6AOK": "Q12", "9A": "Q14", "2KK": "FF8", "RomMtn": "HH2"}
    s = axis_position(units, phase="replacement", control={"axis": [f"{row}1-{row}12" for row in "QRSTUVWXYZ"]})
    assert Transport(s, AXIS).bare == 0
