"""V.B.2: how many Reserves Phases a turn has, and whom they ask."""

from __future__ import annotations

from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.turn.sequence import FIRST_RESERVE, Sequence
from tests.unit.portfolio.board import Floor, Player, board


def before_reserves(s: State) -> Player:
    """The end of the second player's operations."""
    s.stack = (Floor(), Sequence(FIRST_RESERVE - 1))
    return Player(s, [3] * 9)


def reserves_phases(player: Player) -> list[tuple[object, object]]:
    """The side and the number of each reserves movement that has begun."""
    begun = (event.args for event in player.events if event.kind == "phase")
    return [(side, number) for side, kind, number in begun if kind == "reserve_movement"]


def test_no_reserves_phase_begins_where_neither_side_has_a_unit_for_it() -> None:
    s = board({"39Pz": "W17 s", "24MK": "X20 d"})
    player = before_reserves(s).settle()
    assert s.turn == 5
    assert not reserves_phases(player)


def test_the_second_side_has_its_first_reserves_movement_when_the_first_did_nothing() -> None:
    s = board({"39Pz": "W17", "24MK": "X20"})
    player = before_reserves(s).settle()
    assert reserves_phases(player) == [(AXIS, 1)]
    while reserves_phases(player) == [(AXIS, 1)]:
        player.do("done")
    assert reserves_phases(player) == [(AXIS, 1), (SOVIET, 1)]
    assert s.turn == 4


def test_the_turn_ends_after_a_reserves_phase_in_which_nobody_did_anything() -> None:
    s = board({"39Pz": "W17", "24MK": "X20"})
    player = before_reserves(s).settle()
    while s.turn == 4:
        player.do("done")
    assert reserves_phases(player) == [(AXIS, 1), (SOVIET, 1)]


def test_units_of_one_side_are_enough_for_a_reserves_phase() -> None:
    s = board({"39Pz": "W17 s", "24MK": "X20"})
    player = before_reserves(s).settle()
    while s.turn == 4:
        player.do("done")
    assert (SOVIET, 1) in reserves_phases(player)
