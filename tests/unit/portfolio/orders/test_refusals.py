"""Refusals of moves and advances say what stands in the way, and helpers keep to the hexes next to a unit."""

from __future__ import annotations

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.hexes.grid import BIT, members
from rasputitsa.portfolio.model.actions import DONE, ORDER_TIMES, VERBS
from rasputitsa.portfolio.model.frames import Context, push
from rasputitsa.portfolio.model.state import ELIMINATED
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.advance import Advance, AdvanceStep
from rasputitsa.portfolio.rules.combat.attack_phase import ResolveNext
from rasputitsa.portfolio.rules.combat.breakthrough import Breakthrough
from rasputitsa.portfolio.rules.combat.losses import Overstack
from rasputitsa.portfolio.rules.logistics import replacements
from rasputitsa.portfolio.rules.logistics.arrivals import MakeRoom
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach, single_steps
from rasputitsa.portfolio.rules.movement.refusals import why_not_to
from tests.unit.portfolio.board import Player, board, start, unit_of
from tests.unit.portfolio.fights import announce, go, phase, resolve


def test_neutral_ground_sea_and_places_beyond_the_map_are_distinguished() -> None:
    s = board({"39Pz": "N4"})
    unit = unit_of(s, "39Pz")
    m = moving_stack(s, (unit,), 0, 0)
    neutral = s.rules.map.neutral
    assert neutral
    for hex_ in members(neutral):
        assert why_not_to(s, m, (unit,), hex_).reason.endswith("is neutral ground")
    sea = s.rules.grid.board & ~neutral & ~m.passable & ~s.occ[0] & ~s.occ[1] & ~BIT[m.here]
    reasons = {why_not_to(s, m, (unit,), hex_).reason.split(" is ")[-1] for hex_ in members(sea)}
    assert "sea or open lake" in reasons
    assert "neutral ground" not in reasons
    beyond = why_not_to(s, m, (unit,), s.rules.grid.stride - 1)
    assert (beyond.reason, beyond.rule) == ("there is no such hex on the map", "III")


def test_single_steps_lead_to_the_hexes_next_to_a_unit() -> None:
    s = start()
    for unit in s.on_map(0):
        m = moving_stack(s, (unit,), 0, 0)
        found = single_steps(s, m, reach(s, m))
        assert not (found.stops | found.through) & ~s.rules.grid.adjacent[m.here]


def test_a_unit_that_was_lost_makes_no_breakthrough_attack() -> None:
    s = board({"39Pz": "N4", "56Pz": "N4"})
    both = BIT[unit_of(s, "39Pz")] | BIT[unit_of(s, "56Pz")]
    frame = Breakthrough(0, 0, both)
    assert frame.pool(s) == both
    s.lift(unit_of(s, "56Pz"), ELIMINATED)
    assert frame.pool(s) == BIT[unit_of(s, "39Pz")]


def test_an_unfinished_advance_bars_the_next_one_with_its_own_paragraph() -> None:
    s = board({"39Pz": "N4", "56Pz": "N4"})
    unit = unit_of(s, "39Pz")
    here = s.rules.grid.index("N4")
    frame = AdvanceStep(unit, 0, (here,), 0, False, 0)
    other = frame.refuse(s, Action("advance", (unit_of(s, "56Pz"),)))
    assert other.reason == "finish the advance of this unit first"
    assert frame.refuse(s, Action("halt")).rule == "XIII.E.3"
    assert frame.refuse(s, Action("done")).reason != other.reason


def test_a_unit_that_was_dispersed_in_the_attack_does_not_advance() -> None:
    s = board({"1Inf": "V23", "2Inf": "V23", "4AOK": "U24", "2AOK": "U24", "8A": "V24"})
    frame = resolve(s, "V24: 1Inf 2Inf 4AOK 2AOK", [6]).asked()
    assert isinstance(frame, Advance)
    unit = unit_of(s, "1Inf")
    assert "Dispersed" not in frame.why_not(s, unit)[0]
    s.dispersed |= BIT[unit]
    assert frame.why_not(s, unit) == (f"{s.rules.units[unit].name} is Dispersed and does not advance", "XIII.D.3")
    assert "Dispersed" not in frame.why_not(s, unit_of(s, "2Inf"))[0]


def test_only_units_in_the_hex_of_arrival_make_room() -> None:
    s = board({"8A": "Q13", "42RK": "Q13", "3A": "X22"})
    frame = MakeRoom(unit_of(s, "32A"), s.rules.grid.index("Q13"))
    told = {name: frame.refuse(s, Action("displace", (unit_of(s, name),))) for name in ("3A", "8A")}
    assert told["3A"].reason == "only a unit in the hex of arrival makes room"
    assert told["8A"].reason != told["3A"].reason
    assert {refusal.rule for refusal in told.values()} == {"IX.A"}


def test_a_full_hex_says_why_a_unit_in_it_does_not_make_room() -> None:
    s = board({"8A": "Q13", "42RK": "Q13"})
    frame = MakeRoom(unit_of(s, "32A"), s.rules.grid.index("Q13"))
    blocked = {"4AOK": "Q14", "6AOK": "P13", "9AOK": "R13"}
    assert frame.refuse(s, Action("displace", (unit_of(s, "8A"),))).reason == (
        "if it left, the arriving unit would still not fit"
    )
    for name, where in blocked.items():
        s.place(unit_of(s, name), s.rules.grid.index(where))
    assert frame.refuse(s, Action("displace", (unit_of(s, "8A"),))).reason == (
        "it has no hex to go to, one hex toward its own side of the map"
    )
    assert "is not possible now" in frame.refuse(s, DONE).reason


def test_ending_the_advance_of_a_later_wave_says_that_nobody_enters() -> None:
    """The first wave is gone, and so is the defender: the second may enter, and need not (XIII.A.4)."""
    s = board({"7Inf": "X16", "11A": "X17", "39Pz": "W17", "40Pz": "X16"})
    announce(s, "X17: 7Inf", "X17: 39Pz 40Pz")
    go(s, 1, [1]).do("retreat 11A", "to X18", "halt")
    player = go(s, 2, [])
    assert player.options() == {"advance 39Pz", "advance 40Pz", "done"}
    assert player.asked().gives_up(s, DONE) == "nobody enters X17"
    assert not player.asked().gives_up(s, Action("advance", (unit_of(s, "39Pz"),)))
    player.do("advance 39Pz", "to X17")
    assert player.options() == {"advance 40Pz", "done"}
    assert not player.asked().gives_up(s, DONE), "39Pz has entered"


def test_a_step_between_the_zones_of_two_units_is_not_refused_as_one_within_a_zone() -> None:
    """X17 lies in the zone of 11A, W17 in that of 5A; neither unit holds both."""
    s = board({"39Pz": "X17", "11A": "X18", "24MK": "V17"})
    unit = unit_of(s, "39Pz")
    fresh = moving_stack(s, (unit,), 0, 0)
    tired = fresh._replace(steps=fresh.total)
    beside, shared = s.rules.grid.index("W17"), s.rules.grid.index("W18")
    assert why_not_to(s, tired, (unit,), beside).rule == "XI.C"
    s.place(unit_of(s, "5A"), shared)
    s.lift(unit_of(s, "24MK"), ELIMINATED)
    assert why_not_to(s, tired, (unit,), beside).rule == "XI.B.2"


def test_ending_the_announcements_says_what_could_still_be_attacked() -> None:
    player = phase(board({"7Inf": "X16", "11A": "X17 s"}))
    assert player.asked().gives_up(player.s, DONE) == "no attack is announced, and 1 hex could be attacked"
    player.do("attack X17", "with 7Inf", "ready")
    assert not player.asked().gives_up(player.s, DONE), "one is announced"


# ---------------------------------------------------------------------- orders at the wrong time


def test_every_order_has_its_time() -> None:
    """What is left goes on with an order or ends it."""
    assert VERBS.keys() - ORDER_TIMES.keys() == {"to", "at", "halt", "back", "done", "continue"}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("move 39Pz", "XI.A.1"), ("withdraw 1", "XIII.A"), ("ready", "XIII.A"), ("with 39Pz", "XIII.A.4"),
        ("join 39Pz 1", "XIII.A.4"), ("also X17", "XIII.A.5"), ("amphibious", "XVI.B.2"), ("lose 7Inf", "XIII.C.AE"),
        ("exchange 11A", "XIII.C.Exchange"), ("decline", "XIII.C.Decline"), ("exchange_first", "XIII.C.DX"),
        ("retreat 11A", "XIII.D"), ("stand", "XIII.D.2"), ("stand_all", "XIII.D.8"), ("advance 39Pz", "XIII.E"),
        ("as 11A", "XIV.C"), ("pass", "XIV.B.2"), ("cast", "IX.B.3"),
    ],
)  # fmt: skip
def test_an_order_between_two_battles_names_its_own_paragraph(line: str, rule: str) -> None:
    s = board({"7Inf": "X16", "11A": "X17", "39Pz": "W17"})
    announce(s, "X17: 7Inf")
    push(s, ResolveNext())
    reason, found = Player(s).refused(line)
    assert found == rule and "choose the attack to resolve next" in reason


def test_battles_are_not_ordered_in_the_replacement_phase() -> None:
    s = board({"8A": "R20"})
    replacements.begin(s, SOVIET, Context(ScriptedDice([])))
    player = Player(s).settle()
    assert [player.rule(line) for line in ("resolve 1", "retreat 8A", "advance 8A")] == ["XIII.C", "XIII.D", "XIII.E"]


def test_a_battle_is_finished_before_orders_about_others() -> None:
    s = board({"7Inf": "X16", "11A": "X17", "39Pz": "W17"})
    player = resolve(s, "X17: 7Inf", [6])
    assert player.asked().kind == "retreat"
    assert {player.rule(line) for line in ("cancel 1", "resolve 1", "advance 39Pz", "stand")} == {"XIII.D.1"}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("move 39Pz", "XI.A.1"), ("rail 39Pz", "VIII.A.2"), ("place 39Pz", "XVI.C"), ("hold 11A", "XIII.B.6"),
        ("stop", "XVI.A"), ("eliminate 11A", "XIV.C"),
        ("attack X17", "XIII.A"), ("withdraw 1", "XIII.A"), ("ready", "XIII.A"), ("with 39Pz", "XIII.A.4"),
        ("also X17", "XIII.A.5"), ("replace 8A", "IX.A"),
    ],
)  # fmt: skip
def test_an_order_that_does_not_wait_for_the_battle_names_its_own_paragraph(line: str, rule: str) -> None:
    s = board({"7Inf": "X16", "11A": "X17", "39Pz": "W17"})
    assert resolve(s, "X17: 7Inf", [6]).rule(line) == rule


def test_the_order_that_a_question_is_about_is_refused_by_the_question() -> None:
    s = board({"8A": "V24", "7Inf": "X16", "39Pz": "X16", "1Inf": "X16"})
    push(s, Overstack(s.rules.grid.index("X16")))
    assert Player(s).rule("lose 8A") == "XII"


def test_fronts_are_reduced_at_any_time() -> None:
    assert "at any time" in ORDER_TIMES["reduce"][0]
