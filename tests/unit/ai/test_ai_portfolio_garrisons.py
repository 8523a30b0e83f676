"""Whom the planner of The Russian Portfolio tells off to hold a place, or to take one that stands open."""

from __future__ import annotations

from rasputitsa.ai.portfolio.planning.garrisons import seizures
from rasputitsa.ai.portfolio.planning.phase_planner import hostile_units
from rasputitsa.hexes.grid import members
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
