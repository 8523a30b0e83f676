"""What the players of The Russian Portfolio count with is what the rules say: stacking, and who must be attacked."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from rasputitsa.ai.portfolio.evaluation import crt_expectation
from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes
from rasputitsa.ai.portfolio.evaluation.targets import Arena
from rasputitsa.ai.portfolio.planning.assault import UNATTACKED_COST, Assault
from rasputitsa.ai.portfolio.planning.battle import Fight
from rasputitsa.ai.portfolio.planning.default_policy import haven
from rasputitsa.ai.portfolio.planning.garrisons import MAX_ODDS_AT_KEY_CITY, Place, _post
from rasputitsa.ai.portfolio.planning.transport import Transport
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.combat import NO_EFFECT
from rasputitsa.portfolio.model.stacking import fits, surplus
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat import special_results
from rasputitsa.portfolio.rules.combat.odds import defence_factors
from rasputitsa.portfolio.rules.combat.retreat import FARTHEST
from tests.unit.portfolio.board import board, unit_of
from tests.unit.portfolio.fights import EVEN, announce, odds_of

# ---------------------------------------------------------------------- stacking


def a_hex(s: State, *, rough: bool) -> int:
    """A hex of swamp or mountains, or one of neither."""
    there = s.rules.map.ground[0].rough
    return next(h for h in s.rules.map.terrain if s.rules.map.zone >> h & 1 and bool(there >> h & 1) == rough)


@pytest.mark.parametrize("rough", [True, False])
def test_two_units_fit_where_they_break_no_limit(rough: bool) -> None:
    s = board()
    hex_ = a_hex(s, rough=rough)
    for side in (0, 1):
        units = [unit.number for unit in s.rules.units if unit.side == side]
        for unit, other in combinations(units, 2):
            assert fits(s, unit, (other,), hex_) != surplus(s, (unit, other), hex_)
            assert fits(s, other, [unit], hex_) == fits(s, unit, [other], hex_)


def test_one_unit_fits_anywhere_and_three_nowhere() -> None:
    s = board()
    corps = [unit_of(s, name) for name in ("39Pz", "40Pz", "18MK")]
    for rough in (True, False):
        assert fits(s, corps[0], (), a_hex(s, rough=rough))
        assert not fits(s, corps[0], corps[1:], a_hex(s, rough=rough))


@pytest.mark.parametrize(("rough", "room"), [(True, False), (False, True)])
def test_a_second_panzer_corps_is_not_sent_into_a_swamp(rough: bool, room: bool) -> None:
    """XII: one armor-type unit in a swamp or mountain hex, for journeys and garrisons alike."""
    s = board({"39Pz": "N4", "40Pz": "T5"})
    first, second, hex_ = unit_of(s, "39Pz"), unit_of(s, "40Pz"), a_hex(s, rough=rough)
    s.place(first, hex_)
    assert Transport(s, AXIS).fits(second, hex_) is room
    posted: dict[int, int] = {}
    _post(s, Place(hex_, MAX_ODDS_AT_KEY_CITY, 99, True), [first], [second], 2, posted)
    assert (posted == {second: hex_}) is room


@pytest.mark.parametrize(
    ("place", "unit", "other"), [("Y10", "8A", "18MK"), ("Q13", "8A", "18MK"), ("N4", "39Pz", "40Pz")]
)
def test_a_garrison_is_enough_by_the_factors_of_the_rules(place: str, unit: str, other: str) -> None:
    """X.B: terrain and the city itself count; and a unit in the open has its own factors alone."""
    s = board({unit: place, other: "T5"})
    one, two, hex_ = unit_of(s, unit), unit_of(s, other), s.rules.grid.index(place)
    enough = int(MAX_ODDS_AT_KEY_CITY * defence_factors(s, hex_, (one,), ~s.dispersed))
    for attack, posted in ((enough, {}), (enough + 1, {two: hex_})):
        found: dict[int, int] = {}
        _post(s, Place(hex_, MAX_ODDS_AT_KEY_CITY, attack, True), [one], [two], 2, found)
        assert found == posted


def test_a_retreat_to_a_friend_is_no_crowd() -> None:
    """Two corps may stand in a hex, a third may not, nor a second army."""
    empty, one, two = (board({"39Pz": "T5", **others}) for others in (
        {}, {"40Pz": "N4"}, {"40Pz": "N4", "24Pz": "N4"},
    ))  # fmt: skip
    found = [haven(s, unit_of(s, "39Pz"), s.rules.grid.index("N4")) for s in (empty, one, two)]
    assert found[0] == found[1] > found[2]
    there = board({"39Pz": "N4", "40Pz": "N4"})
    assert haven(there, unit_of(there, "39Pz"), there.rules.grid.index("N4")) == found[0]


# ---------------------------------------------------------------------- who must be attacked


@pytest.mark.parametrize(("unit", "price"), [("39Pz", 0.0), ("54Inf", UNATTACKED_COST)])
def test_a_front_across_a_lake_is_owed_by_those_who_could_attack_it(unit: str, price: float) -> None:
    """XIII.A.3: armor does not attack across water (X.B.4)."""
    s = board({unit: "B11", "NWF": "B12"})
    arena = Arena(s, AXIS, Stakes(), [0.0] * s.rules.grid.size)
    number, hex_ = unit_of(s, unit), s.rules.grid.index("B11")
    assault = Assault(arena, {number: 1 << hex_}, lambda *_: 0.0, lambda _: 0.0, 1 << number, random.Random(1))
    assert assault.owed([(number, hex_)]) == price


# ---------------------------------------------------------------------- "No Retreat!"


@pytest.mark.parametrize("face", ["S", "X", "AE", "AD", "D1", "D4", "DX", "DE", "BR"])
def test_an_order_to_hold_changes_for_players_what_it_changes_in_battle(
    face: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XIII.B.6: against a unit with a free way out."""
    monkeypatch.setattr(special_results, "ability", lambda s, unit, attackers, kind: FARTHEST)
    s = board(EVEN)
    unit = unit_of(s, "11A")
    free = special_results.verdict(s, unit, face, False, 0).result
    s.hold = 1 << unit
    held = special_results.verdict(s, unit, face, False, 0).result
    chances = crt_expectation._holding([face])
    assert bool(chances.saved) == (held != free and held == NO_EFFECT)
    assert bool(chances.lost) == (held != free and free != "DE" and held == "DE")


@pytest.mark.parametrize(
    ("condition", "attackers", "answer"), [("s", "1Inf 4AOK 3Pz", "hold"), ("d", "1Inf 3Pz", "done")]
)
def test_who_is_told_to_hold_is_judged_in_the_column_that_counts(condition: str, attackers: str, answer: str) -> None:
    """VII.B: both attacks are at 3:2, and a Dispersed unit suffers the results of 2:1."""
    around = dict(zip(attackers.split(), ("KK18", "KK18", "JJ17"), strict=False))
    s = board({"21A": f"KK17 {condition}", **around})
    assert odds_of(s, "KK17", attackers).columns == (s.rules.columns.index("3:2"),)
    announce(s, f"KK17: {attackers}")
    options = [Action("hold", (unit_of(s, "21A"),)), Action("done")]
    fight = Fight(s, Decision("soviet", "soviet", "no_retreat", "", "", options), SOVIET)
    assert fight.no_retreat().verb == answer
