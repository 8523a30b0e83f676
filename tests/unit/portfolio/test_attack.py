"""XIII.A, XIII.B.6, X.B.1, XII, XVI.B: who may attack what, and the order of an attack phase."""

from __future__ import annotations

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.portfolio.api.notation import details
from rasputitsa.portfolio.model.combat import OPEN
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.attack_phase import why_not_cancel
from tests.unit.portfolio.board import board, set_of, unit_of
from tests.unit.portfolio.fights import phase, result, spent, where

PAIR = {"7Inf": "X16", "11A": "X17 s"}  # Spent, so that no window opens


# ---------------------------------------------------------------- X.B.1, XIII.A.1-2 who may attack what


def test_a_phase_without_anybody_to_attack_is_skipped() -> None:
    assert phase(board({"7Inf": "X16", "11A": "X18"})).over()
    assert phase(board({"7Inf": "X16 d", "11A": "X17"})).over()


@pytest.mark.parametrize(
    ("pieces", "target", "rule"),
    [
        ({"7Inf": "X16", "11A": "X17 s", "8A": "X19 s"}, "X19", "XIII.A.2"),
        ({"7Inf": "X16", "11A": "X17 s"}, "X15", "XIII.A.2"),
        ({"7Inf": "X16", "11A": "X17 s", "5Inf": "V19 d", "8A": "V20 s"}, "V20", "VII.B"),
        ({"7Inf": "X16", "11A": "X17 s", "5Inf": "V19 s", "8A": "V20 s"}, "V20", "VII.A"),
        ({"7Inf": "X16", "11A": "X17 s", "3Pz": "B11", "8A": "B12 s"}, "B12", "X.B.4"),
        ({"7Inf": "X16", "11A": "X17 s", "3Pz": "JJ13", "8A": "II14 s"}, "II14", "X.B.4"),
        ({"7Inf": "X16", "11A": "X17 s", "5Inf": "F14", "8A": "G14 s"}, "G14", "X.B.1"),
    ],
)
def test_attacks_that_are_not_offered(pieces: dict[str, str], target: str, rule: str) -> None:
    player = phase(board(pieces))
    assert player.options("attack") == {"X17"}
    assert player.rule(f"attack {target}") == rule


@pytest.mark.parametrize("verb", ["withdraw", "resolve", "cancel"])
def test_orders_about_an_announced_attack_name_it(verb: str) -> None:
    rules = board(PAIR).rules
    assert details(rules, Action(verb, (2,))).attack == 2
    assert details(rules, Action("pick", (2,))).attack is None


def test_armor_crosses_a_frozen_lake() -> None:
    s = board({"3Pz": "B11", "8A": "B12 s"}, weather="snow", turn=10)
    assert phase(s).options("attack") == {"B12"}


def test_infantry_attacks_across_kerch() -> None:
    assert phase(board({"7Inf": "JJ13", "24MK": "II14 s"})).options("attack") == {"II14"}


def test_romanians_and_finns_wait_for_the_second_turn() -> None:
    pieces = {**PAIR, "4RomA": "GG4", "8A": "GG5 s", "2Fin": "E13", "23A": "E14 s"}
    player = phase(board(pieces, turn=1))
    assert player.options("attack") == {"X17"}
    assert player.rule("attack GG5") == player.rule("attack E14") == "XVI.B.5"
    s = board(pieces, turn=1)
    s.germans_in_finland = True
    assert phase(s).options("attack") == {"X17", "E14"}
    assert phase(board(pieces, turn=2)).options("attack") == {"X17", "GG5", "E14"}


def test_hungarians_do_not_attack_into_romania() -> None:
    s = board({**PAIR, "HunMob": "BB5", "8A": "CC5 s"})
    player = phase(s)
    assert player.options("attack") == {"X17"}
    assert player.rule("attack CC5") == "X.D.2"


def test_frozen_soviets_wait_for_the_first_reserves_phase() -> None:
    pieces = {"11A": "Q3", "4AOK": "Q2 s", "8A": "Q8", "5Inf": "Q9 s"}
    player = phase(board(pieces, turn=1), SOVIET)
    assert player.options("attack") == {"Q2"}
    assert player.rule("attack Q9") == "XVI.B.3"
    s = board(pieces, turn=1)
    s.reserve = 1
    assert phase(s, SOVIET).options("attack") == {"Q2", "Q9"}
    assert phase(board(pieces, turn=2), SOVIET).options("attack") == {"Q2", "Q9"}


def test_a_soviet_unit_that_has_moved_out_of_the_border_zone_was_not_frozen() -> None:
    s = board({"8A": "Q8", "5Inf": "Q9 s"}, turn=1)
    s.moved = set_of(s, "8A")
    assert phase(s, SOVIET).options("attack") == {"Q9"}


def test_units_that_moved_in_this_phase_may_attack() -> None:
    s = board(PAIR)
    s.moved = set_of(s, "7Inf")
    assert phase(s).options("attack") == {"X17"}


# ---------------------------------------------------------------- XIII.A.4-6 putting an attack together


def test_an_attack_is_put_together_and_announced() -> None:
    s = board({**PAIR, "1Inf": "W17", "5Inf": "X15", "20Inf": "Y17 d"})
    player = phase(s).do("attack X17")
    assert player.options() == {"with 7Inf", "with 1Inf", "drop"}
    assert player.rule("ready") == "XIII.A.4"
    assert player.rule("with 5Inf") == "XIII.A.2"
    assert player.rule("with 20Inf") == "VII.B"
    player.do("with 7Inf", "with 1Inf", "without 1Inf", "with 1Inf", "ready")
    assert [(a.targets, a.units) for a in s.attacks] == [
        ((s.rules.grid.index("X17"),), (unit_of(s, "7Inf"), unit_of(s, "1Inf")))
    ]
    assert player.options() == {"withdraw 1", "done"}
    assert player.rule("attack X17") == "XIII.A.1"


def test_an_attack_can_be_dropped_or_taken_back() -> None:
    s = board(PAIR)
    player = phase(s).do("attack X17", "with 7Inf", "drop")
    assert s.attacks == ()
    player.do("attack X17", "with 7Inf", "ready", "withdraw 1")
    assert s.attacks == ()
    assert player.rule("withdraw 1") == "XIII.A"
    assert player.do("done").over()


def test_a_whole_order_in_one_line() -> None:
    s = board({"7Inf": "X16", "1Inf": "X16", "11A": "X17 s", "24MK": "W17 s"})
    phase(s).do("attack X17+W17: 7Inf,1Inf")
    assert len(s.attacks[0].targets) == len(s.attacks[0].units) == 2


def test_several_hexes_need_every_attacker_next_to_all() -> None:
    s = board({"7Inf": "X16", "1Inf": "Y17", "11A": "X17 s", "24MK": "W17 s", "13MK": "W18 s"})
    player = phase(s).do("attack X17", "with 7Inf")
    assert player.options("also") == {"W17"}
    assert player.rule("also W18") == "XIII.A.5"
    player.do("also W17")
    assert player.options("with") == set()
    assert player.rule("with 1Inf") == "XIII.A.5"


def test_units_of_one_hex_may_attack_different_hexes_and_one_hex_in_waves() -> None:
    s = board({"7Inf": "X16", "1Inf": "X16", "11A": "X17 s", "24MK": "W17 s"})
    phase(s).do("attack X17: 7Inf", "attack W17: 1Inf")
    s = board({"7Inf": "X16", "1Inf": "X16", "11A": "X17 s"})
    player = phase(s).do("attack X17: 7Inf", "attack X17: 1Inf", "done", "done")
    assert player.options() == {"resolve 1", "resolve 2", "cancel 1", "cancel 2"}


def test_odds_must_be_legal_before_an_attack_is_ready() -> None:
    s = board({"GrO": "X16", "5Inf": "W17", "13A": "X17 s"})
    player = phase(s).do("attack X17", "with GrO")
    assert "ready" not in player.options()
    assert player.rule("ready") == "XIII.B.4"
    player.do("with 5Inf", "ready")


def test_one_armor_unit_from_each_hex_into_swamp_or_mountains() -> None:
    s = board({"39Pz": "L15", "40Pz": "L15", "3Pz": "M15", "24MK": "L14 s"})
    player = phase(s).do("attack L14", "with 39Pz")
    assert player.options("with") == {"3Pz"}
    assert player.rule("with 40Pz") == "XII"
    s = board({"39Pz": "L15", "40Pz": "L15", "24MK": "L14 s", "13MK": "K15 s"}, weather="snow", turn=10)
    player = phase(s).do("attack K15", "with 39Pz", "with 40Pz")
    assert player.options("also") == set(), "frozen swamp too"
    assert player.rule("also L14") == "XII"


# ---------------------------------------------------------------- XIII.A.3 the duty to attack


def test_a_front_next_to_an_attacker_must_be_attacked() -> None:
    s = board({"4AOK": "X16", "1Inf": "W17", "24MK": "W18 s", "WestF": "X17 s"})
    player = phase(s).do("attack W18: 1Inf")
    assert "done" not in player.options()
    assert player.rule("done") == "XIII.A.3"
    player.do("attack X17: 4AOK")
    assert "done" in player.options(), "one attack satisfies all, no matter who makes it"


def test_one_attack_on_both_satisfies_the_duty() -> None:
    s = board({"4AOK": "W17", "24MK": "W18 s", "WestF": "X17 s"})
    player = phase(s).do("attack W18+X17: 4AOK")
    assert "done" in player.options()


def test_without_legal_odds_against_the_front_its_neighbour_may_not_attack() -> None:
    s = board({"GrO": "W17", "24MK": "W18 s", "WestF": "X17 s"})
    player = phase(s).do("attack W18: GrO")
    assert player.options() == {"withdraw 1"}
    player.do("withdraw 1", "done")
    assert player.over()


def test_nobody_has_to_attack_and_a_dispersed_front_claims_nothing() -> None:
    s = board({"4AOK": "X16", "WestF": "X17 s"})
    assert "done" in phase(s).options()
    s = board({"1Inf": "W17", "24MK": "W18 s", "WestF": "X17 d"})
    assert "done" in phase(s).do("attack W18: 1Inf").options()


def test_the_duty_binds_only_a_unit_that_could_attack_that_hex() -> None:
    s = board({"3Pz": "B11", "24MK": "A11 s", "WestF": "B12 s"})
    player = phase(s).do("attack A11: 3Pz")
    assert "done" in player.options(), "armor does not attack across the lake"


@pytest.mark.parametrize("army", ["4AOK", "3PzG"])
def test_soviets_owe_german_armies_and_panzer_groups_an_attack(army: str) -> None:
    s = board({"11A": "X18", "1Inf": "W18 s", army: "X17 s"})
    player = phase(s, SOVIET).do("attack W18: 11A")
    assert player.rule("done") == "XIII.A.3"


@pytest.mark.parametrize("unit", ["1Inf", "3RomA", "39Pz"])
def test_corps_and_allied_armies_are_owed_nothing(unit: str) -> None:
    s = board({"11A": "X18", "5Inf": "W18 s", unit: "X17 s"})
    assert "done" in phase(s, SOVIET).do("attack W18: 11A").options()


# ---------------------------------------------------------------- XIII.A.7 calling attacks off


def test_the_axis_may_cancel_and_the_units_stay_fresh() -> None:
    s = board(PAIR)
    player = phase(s).do("attack X17: 7Inf", "done", "done", "cancel 1")
    assert player.over()
    assert s.attacked == 0 and not spent(s, "7Inf")


def test_the_soviets_must_attack_once_committed() -> None:
    s = board({"11A": "X18", "1Inf": "X17 s"})
    player = phase(s, SOVIET).do("attack X17: 11A", "done", "done")
    assert player.options() == {"resolve 1"}, "asked all the same before the die is cast"
    assert player.rule("cancel 1") == "XIII.A.7"
    assert player.rule("done") == "XIII.A.7"


def test_an_attack_compelled_by_a_front_is_not_cancelled() -> None:
    s = board({"4AOK": "X16", "1Inf": "W17", "24MK": "W18 s", "WestF": "X17 s"})
    player = phase(s).do("attack W18: 1Inf", "attack X17: 4AOK", "done", "done")
    assert player.options() == {"resolve 1", "resolve 2", "cancel 1"}
    assert player.rule("cancel 2") == "XIII.A.7"
    player.do("cancel 1")
    assert "cancel 2" in player.options()


def test_an_attack_that_has_barred_a_retreat_is_not_cancelled() -> None:
    s = board({"7Inf": "X16", "1Inf": "Y18", "11A": "X17 s", "24MK": "X18 s"})
    player = phase(s, dice=[6]).do("attack X17: 7Inf", "attack X18: 1Inf", "done", "done", "resolve 1")
    assert result(player, "11A") == "D4"
    assert why_not_cancel(s, 1) == ("the attack has already barred a retreat", "XIII.A.7")


# ---------------------------------------------------------------- XIII.B.6 "No Retreat!"


def test_no_retreat_is_asked_once_for_units_under_attack() -> None:
    s = board({**PAIR, "8A": "W18 s", "5Inf": "V18"})
    player = phase(s, dice=[4]).do("attack X17: 7Inf", "done")
    assert player.options() == {"hold 11A", "done"}
    assert player.asked().seat(s) == SOVIET
    assert player.rule("hold 8A") == "XIII.B.6"
    player.do("hold 11A")
    assert s.hold == set_of(s, "11A")
    player.do("resolve 1")
    assert result(player, "11A") == "-" and where(s, "11A") == "X17"


# ---------------------------------------------------------------- the whole phase


def test_an_attack_phase_from_beginning_to_end() -> None:
    s = board({"7Inf": "X16", "1Inf": "Y16", "11A": "X17", "24MK": "Y17"})
    player = phase(s, dice=[4, 6])
    assert player.asked().kind == "window"
    player.do("stand", "attack X17: 7Inf", "attack Y17: 1Inf", "done")
    assert player.asked().kind == "no_retreat", "nobody is free to avoid combat"
    player.do("done", "resolve 1", "to X18", "halt")
    assert where(s, "7Inf") == "X17"
    assert player.options() == {"resolve 2", "cancel 2"}
    player.do("resolve 2")
    assert {"combat", "result", "retreated", "advanced", "announced"} <= set(player.kinds())
    while not player.over():
        player.do(min(player.options(), key=lambda text: (text.split()[0] not in ("done", "refrain", "halt"), text)))
    assert s.attacked == set_of(s, "7Inf 1Inf")
    assert all(attack.state != OPEN for attack in s.attacks)


def test_the_window_says_what_a_retreat_costs_and_whom_it_is_open_to() -> None:
    player = phase(board({"7Inf": "X16", "11A": "X17", "9A": "Z17"}))
    assert player.asked().prompt(player.s) == (
        "No attack is announced yet: pull a unit back three or four hexes, which Disperses it, or stand"
    )
    player.do("stand", "attack X17: 7Inf", "done")
    assert player.asked().prompt(player.s) == (
        "Pull a unit that is not under attack back three or four hexes, which Disperses it, or stand"
    )


def test_a_window_opens_again_after_each_battle() -> None:
    s = board({**PAIR, "8A": "T20", "5Inf": "X16"})
    player = phase(s, dice=[3])
    player.do("stand", "attack X17: 7Inf", "done", "stand", "done", "resolve 1", "stand")
    assert player.asked().kind == "window"
    assert player.options() == {"retreat 8A", "stand", "stand_all"}
    assert player.do("stand").over()


# ---------------------------------------------------------------- VI.B.3, XVI.B.2


def test_the_winter_offensive_is_declared_once_in_snow() -> None:
    s = board({"11A": "X18", "1Inf": "X17 s"}, weather="snow", turn=10)
    player = phase(s, SOVIET).do("offensive")
    assert s.offensive == 10
    assert "offensive" not in player.options()
    assert player.rule("offensive") == "VI.B.3"
    s = board({"11A": "X18", "1Inf": "X17 s"})
    assert phase(s, SOVIET).rule("offensive") == "VI.B.3"
    s = board({"7Inf": "X16", "11A": "X17 s"}, weather="snow", turn=10)
    assert phase(s).rule("offensive") == "VI.B.3"


def test_amphibious_tanks_serve_one_attack_of_the_first_axis_phase() -> None:
    pieces = {"7Inf": "W19", "1Inf": "W19", "24MK": "W20 s", "GrO": "X20"}
    s = board(pieces, turn=1)
    player = phase(s, dice=[6]).do("attack W20", "with 7Inf", "amphibious", "ready")
    assert s.attacks[0].amphibious
    player.do("attack W20", "with 1Inf")
    assert player.rule("amphibious") == "XVI.B.2"
    player.do("drop", "done", "done", "resolve 1")
    assert s.amphibious_used
    for changes in ({"turn": 2}, {"reserve": 1}):
        s = board(pieces, turn=1)
        s.turn = changes.get("turn", 1)
        s.reserve = changes.get("reserve", 0)
        assert phase(s).do("attack W20", "with 7Inf").rule("amphibious") == "XVI.B.2"


def test_amphibious_tanks_need_a_river_and_a_german() -> None:
    s = board({"7Inf": "X16", "24MK": "X17 s"}, turn=1)
    assert phase(s).do("attack X17", "with 7Inf").rule("amphibious") == "XVI.B.2"


def test_a_cancelled_attack_does_not_use_the_amphibious_tanks() -> None:
    s = board({"7Inf": "W19", "24MK": "W20 s"}, turn=1)
    player = phase(s).do("attack W20", "with 7Inf", "amphibious", "ready", "done", "done", "cancel 1")
    assert player.over() and not s.amphibious_used


# ---------------------------------------------------------------- four players


def test_partners_announce_in_turn_and_may_join() -> None:
    s = board({"39Pz": "X16", "3Pz": "W17", "11A": "X17 s"}, players="4")
    player = phase(s)
    assert s.rules.seats[player.asked().seat(s)].id == "axis_north"
    player.do("attack X17")
    assert player.rule("with 3Pz") == "II"
    player.do("with 39Pz", "ready", "done")
    assert s.rules.seats[player.asked().seat(s)].id == "axis_south"
    assert {"attack X17", "join 3Pz 1", "done"} == player.options()
    assert player.rule("withdraw 1") == "II"
    player.do("join 3Pz 1")
    assert s.attacks[0].units == (unit_of(s, "39Pz"), unit_of(s, "3Pz"))
    player.do("withdraw 1", "join 3Pz 1", "done", "done")
    assert s.rules.seats[player.asked().seat(s)].id == "axis_north"
    assert player.options() == {"resolve 1", "cancel 1"}


def test_each_partner_stands_alone() -> None:
    s = board({"39Pz": "X16", "11A": "X17", "5A": "T20"}, players="4")
    owners = {s.rules.seats[s.rules.owner(unit_of(s, name))].id for name in ("11A", "5A")}
    assert owners == {"soviet_north", "soviet_south"}
    player = phase(s).do("stand_all")
    assert player.options() == {"retreat 5A", "stand", "stand_all"}
    player.do("stand", "attack X17: 39Pz")
    player.do("done")
    assert player.options() == {"retreat 5A", "stand", "stand_all"}, "the northern partner is asked no more"
