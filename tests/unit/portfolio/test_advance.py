"""XIII.D.3, XIII.E, XIII.F: advances after combat, and breakthrough attacks."""

from __future__ import annotations

import pytest

from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.advance import type_limits
from tests.support import GAME
from tests.unit.portfolio.board import board, hexes, set_of, unit_of
from tests.unit.portfolio.fights import announce, dispersed, go, maybe, resolve, result, spent, where

# ---------------------------------------------------------------- XIII.E.1 how far


@pytest.mark.parametrize(
    ("unit", "good", "mud", "snow"),
    [
        ("2PzG", 4, 1, 2), ("56Pz", 4, 1, 2), ("39Pz", 3, 1, 2), ("3PzG", 3, 1, 2), ("RomArm", 3, 1, 2),
        ("GrO", 3, 2, 2), ("HunMob", 2, 1, 2), ("ItAuto", 2, 1, 2), ("1Inf", 2, 1, 2), ("49Mtn", 2, 1, 2),
        ("52Lt", 2, 1, 2), ("2Fin", 2, 1, 2), ("4AOK", 1, 1, 1), ("3RomA", 1, 1, 1), ("RomMtn", 1, 1, 1),
        ("1TG", 3, 1, 3), ("3KK", 3, 2, 3), ("24MK", 2, 1, 2), ("1Shk", 2, 1, 2), ("3A", 1, 1, 1), ("42RK", 1, 1, 1),
        ("WestF", 1, 1, 1),
    ],
)  # fmt: skip
def test_how_far_each_type_advances(unit: str, good: int, mud: int, snow: int) -> None:
    s = board()
    number = unit_of(s, unit)
    found = [type_limits(s.rules, weather)[number] for weather in ("good", "hard_frost", "mud", "snow")]
    assert found == [good, good, mud, snow]


def test_nobody_advances_farther_than_the_shortest_retreat() -> None:
    s = board({"39Pz": "X16", "11A": "X17", "16MK": "X17"})
    player = resolve(s, "X17: 39Pz", [5])  # 6 to 6 is 1:1: D1
    player.do("retreat 11A", "to X18", "to X19", "halt", "to W18", "halt")
    assert where(s, "39Pz") == "X17" and player.over(), "one unit has gone one hex only"


def test_after_a_two_hex_retreat_armor_goes_two_hexes() -> None:
    s = board({"39Pz": "X16", "13A": "X17"})
    player = resolve(s, "X17: 39Pz", [5]).do("to X18", "to Y19", "halt")  # D1
    assert where(s, "39Pz") == "X17"
    player.do("to W17")
    assert where(s, "39Pz") == "W17" and player.over()


def test_after_elimination_the_type_sets_the_limit() -> None:
    s = board({"2PzG": "X16", "39Pz": "W17", "24MK": "X17"})
    player = resolve(s, "X17: 2PzG 39Pz", [1])  # 10 to 1: DE
    player.do("advance 2PzG", "to X18", "to X19", "to X20")
    assert where(s, "2PzG") == "X20", "Guderian goes four hexes"
    player.do("advance 39Pz", "to X17", "to X18", "to X19")
    assert where(s, "39Pz") == "X19", "others three"


# ---------------------------------------------------------------- XIII.D.3, XIII.E.3 who must


def test_enough_strength_must_advance() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "5Inf": "W17", "16MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf 5Inf", [1])  # 11 to 2 is 5:1: D4
    player.do("to X18", "halt")
    assert player.options() == {"advance 4AOK", "advance 1Inf", "advance 5Inf"}
    assert player.rule("done") == "XIII.D.3"
    asked = GAME.decision(s)
    assert asked is not None and asked.prompt == "Choose units to advance, at least with two attack factors into X17"
    player.do("advance 5Inf")
    assert where(s, "5Inf") == "X17", "two factors for the two that stood there"
    assert "done" in player.options()


def test_a_unit_that_would_fill_the_hex_with_too_little_strength_waits() -> None:
    s = board({"4AOK": "X16", "5Inf": "X16", "20Inf": "W17", "5A": "X17"})
    player = resolve(s, "X17: 4AOK 5Inf 20Inf", [6])  # 10 to 5 is 2:1: DX
    player.do("refrain", "to X18", "halt")
    assert player.options() == {"advance 4AOK", "advance 5Inf", "advance 20Inf"}
    player.do("advance 5Inf")
    assert where(s, "4AOK") == "X17", "two corps would have filled the hex with four factors of five"


def test_as_many_as_possible_advance_where_the_strength_cannot_be_reached() -> None:
    s = board({"1Inf": "X16", "5Inf": "W17", "20Inf": "Y17", "5A": "X17"})
    player = resolve(s, "X17: 1Inf 5Inf 20Inf", [6])  # 7 to 5 is 1:1: D4
    player.do("to X18", "halt")
    assert player.options() == {"advance 1Inf", "advance 5Inf", "advance 20Inf"}
    player.do("advance 5Inf")
    assert where(s, "1Inf") == "X17", "three and two are the most that find room"
    assert player.options() == {"advance 20Inf", "done"}


def test_the_modified_defence_sets_the_strength() -> None:
    s = board({"4AOK": "O18", "1Inf": "O19", "11A": "N18"})
    player = resolve(s, "N18: 4AOK 1Inf", [6]).do("refrain")  # the city makes it 9 to 5
    while player.asked().kind.startswith("retreat"):
        player.do(f"to {min(player.options('to'))}" if where(s, "11A") == "N18" else "halt")
    player.do("advance 1Inf")
    maybe(player, "halt")
    assert where(s, "4AOK") == "N18", "three factors are not enough for five"


def test_dispersed_attackers_do_not_advance() -> None:
    s = board({"7Inf": "X16", "11A": "X17", "24MK": "W17", "1Inf": "X16"})
    player = resolve(s, "X17 W17: 7Inf 1Inf", [2])  # 7 to 5: AD
    player.do("retreat 11A", "to X18", "halt", "stand")
    assert dispersed(s, "7Inf") and where(s, "7Inf") == "X16", "24MK has stayed, so the AD stands"
    assert player.over()


def test_stacking_holds_at_every_step() -> None:
    s = board({"4AOK": "X16", "39Pz": "W17", "40Pz": "W17", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK 39Pz 40Pz", [1])  # 17 to 1: DE
    player.do("advance 4AOK", "advance 39Pz", "to X17", "halt")
    assert where(s, "39Pz") == where(s, "4AOK") == "X17"
    player.do("advance 40Pz")
    assert player.rule("to X17") == "XII"


def test_only_one_armor_unit_advances_into_swamp() -> None:
    s = board({"39Pz": "L15", "40Pz": "M15", "24MK": "L14"})
    player = resolve(s, "L14: 39Pz 40Pz", [2])  # 11 to 1, swamp: 7:1, DE
    player.do("advance 39Pz", "halt", "advance 40Pz")
    assert where(s, "39Pz") == "L14"
    assert player.rule("to L14") == "XII"


def test_advancing_units_take_control_and_cities() -> None:
    s = board({"4AOK": "Q14", "24MK": "Q13"})
    player = resolve(s, "Q13: 4AOK", [6])  # 6 to 2: DE
    assert where(s, "4AOK") == "Q13"
    assert s.control & hexes(s, "Q13") and s.captured & hexes(s, "Q13")
    assert "captured" in player.kinds()


# ---------------------------------------------------------------- XIII.E.2-5 zones of control


def test_after_d1_an_advance_stops_in_an_enemy_zone() -> None:
    s = board({"39Pz": "X16", "13A": "X17", "24MK": "W18"})  # X17 is in the zone of 24MK
    player = resolve(s, "X17: 39Pz", [5]).do("to X18", "to X19", "halt")
    assert where(s, "39Pz") == "X17" and player.over()
    assert not dispersed(s, "39Pz"), "X16 is not in that zone"


def test_the_compulsory_hex_within_one_zone_disperses_after_d1() -> None:
    s = board({"39Pz": "X16", "13A": "X17", "24MK": "W17"})  # X16 and X17 are both in its zone
    resolve(s, "X17: 39Pz", [5]).do("to X18", "to X19", "halt")
    assert where(s, "39Pz") == "X17" and dispersed(s, "39Pz")


def test_after_d4_zones_do_not_stop_but_a_step_within_one_disperses() -> None:
    s = board({"2PzG": "X16", "1Inf": "X16", "5A": "X17", "24MK": "W18"})
    player = resolve(s, "X17: 2PzG 1Inf", [6])  # 7 to 5: D4
    player.do("to Y18", "continue", "to Z18", "halt", "advance 2PzG")
    assert where(s, "2PzG") == "X17" and "X18" in player.options("to")
    player.do("to X18")
    assert dispersed(s, "2PzG"), "X17 and X18 are both in the zone of 24MK"


def test_after_de_a_step_within_one_zone_costs_nothing() -> None:
    s = board({"24Pz": "X16", "24MK": "X17", "13MK": "W18"})
    player = resolve(s, "X17: 24Pz", [3]).do("to X18", "halt")  # 5:1, DE
    assert where(s, "24Pz") == "X18" and not dispersed(s, "24Pz")
    assert player.over()


def test_the_zone_of_a_front_stops_every_advance() -> None:
    s = board({"24Pz": "X16", "24MK": "X17", "WestF": "W18"})
    player = resolve(s, "X17: 24Pz", [3])  # DE
    assert where(s, "24Pz") == "X17" and player.over()
    assert not dispersed(s, "24Pz")


def test_the_compulsory_hex_within_the_zone_of_a_front_disperses_even_after_de() -> None:
    s = board({"24Pz": "X16", "24MK": "X17", "WestF": "W17"})
    resolve(s, "X17: 24Pz", [3])
    assert where(s, "24Pz") == "X17" and dispersed(s, "24Pz")


@pytest.mark.parametrize(("neighbour", "stopped"), [("4AOK", True), ("3PzG", True), ("1Inf", False), ("3RomA", False)])
def test_the_zone_of_a_german_army_stops_soviet_advances_that_of_others_does_not(neighbour: str, stopped: bool) -> None:
    s = board({"1TG": "X18", "2TG": "X18", "GrO": "X17", neighbour: "W17"})
    player = resolve(s, "X17: 1TG 2TG", [5], SOVIET).do("advance 1TG")  # 4 to 1: DE
    assert where(s, "1TG") == "X17"
    assert ("halt" not in player.options()) is stopped


def test_dispersed_enemies_have_no_zone() -> None:
    s = board({"39Pz": "X16", "13A": "X17", "24MK": "W17 d"})
    resolve(s, "X17: 39Pz", [5]).do("to X18", "to X19", "halt")
    assert where(s, "39Pz") == "X17" and not dispersed(s, "39Pz")


# ---------------------------------------------------------------- XIII.E.6 another hex


def test_others_may_advance_beside_the_vacated_hex() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf", [1])  # 9 to 1: 7:1, DX
    player.do("refrain", "to X18", "continue", "to X19", "halt")
    assert player.options() == {"advance 4AOK", "advance 1Inf"}
    player.do("advance 4AOK")
    player.do("advance 1Inf")
    assert player.options("to") == {"X17", "W17", "Y17"}
    assert player.rule("to W16") == "XIII.E.6"
    player.do("to W17")
    assert where(s, "1Inf") == "W17" and player.over(), "one hex only"


def test_the_vacated_hex_comes_first() -> None:
    s = board({"4AOK": "X16", "1Inf": "W17", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf", [1]).do("refrain", "to X18", "continue", "to X19", "halt")
    player.do("advance 1Inf")
    assert where(s, "1Inf") == "X17"


def test_no_side_step_within_one_zone() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "24MK": "X17", "13MK": "W16"})  # its zone covers X16 and W17
    player = resolve(s, "X17: 4AOK 1Inf", [1]).do("refrain", "to X18", "continue", "to X19", "halt")
    player.do("advance 4AOK", "advance 1Inf")
    assert player.options("to") == {"X17", "Y17"}
    assert player.rule("to W17") == "XIII.E.6"


def test_no_side_step_into_an_occupied_hex() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "5Inf": "W17", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf", [1]).do("refrain", "to X18", "continue", "to X19", "halt")
    player.do("advance 4AOK", "advance 1Inf")
    assert player.rule("to W17") == "XIII.E.6"


# ---------------------------------------------------------------- XIII.F breakthrough


def test_breakthrough_attacks_go_singly_or_together_and_once() -> None:
    s = board({"39Pz": "X16", "40Pz": "X16", "24MK": "X17", "13MK": "X18", "17MK": "W18"})
    player = resolve(s, "X17: 39Pz 40Pz", [6, 6, 6])
    player.do("advance 39Pz", "halt", "advance 40Pz", "to X17", "halt")
    assert player.options() == {"attack X18", "attack W18", "done"}
    player.do("attack X18", "with 39Pz", "ready")
    assert where(s, "13MK") == ""
    maybe(player, "halt")
    assert player.asked().kind == "breakthrough", "its own BR gives 39Pz nothing more, 40Pz is still free"
    assert player.rule("join 39Pz 1") == "XIII.F"
    player.do("attack W18")
    assert player.options("with") == {"40Pz"}
    assert player.rule("with 39Pz") == "XIII.F"


def test_participants_that_did_not_advance_may_attack_too() -> None:
    s = board({"39Pz": "X16", "4AOK": "W17", "24MK": "X17", "13MK": "W18"})
    player = resolve(s, "X17: 39Pz 4AOK", [6]).do("advance 39Pz", "halt", "done")
    player.do("attack W18")
    assert player.options("with") == {"39Pz", "4AOK"}


def test_breakthrough_units_may_join_an_announced_attack() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "11A": "X18", "5Inf": "Y18"})
    announce(s, "X18: 5Inf")
    player = resolve(s, "X17: 39Pz", [6]).do("halt")
    assert "join 39Pz 1" in player.options()
    player.do("join 39Pz 1")
    assert s.attacks[0].units == (unit_of(s, "5Inf"), unit_of(s, "39Pz"))
    assert player.over(), "nobody is left to break through"
    assert result(go(s, 1, [5]), "11A") == "D4"  # 8 to 4


def test_an_announced_attack_takes_joiners_from_one_battle_only() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "40Pz": "Y20", "13MK": "X19", "11A": "X18", "5Inf": "W18"})
    announce(s, "X18: 5Inf")
    resolve(s, "X17: 39Pz", [6]).do("halt", "join 39Pz 1")
    player = resolve(s, "X19: 40Pz", [6])
    maybe(player, "halt")
    assert player.rule("join 40Pz 1") == "XIII.F"


def test_a_breakthrough_attack_owes_a_front_beside_it() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "13MK": "W18", "WestF": "X18"})
    player = resolve(s, "X17: 39Pz", [6])
    assert where(s, "39Pz") == "X17"
    player.do("attack W18", "with 39Pz")
    assert "ready" not in player.options()
    assert player.rule("ready") == "XIII.A.3"
    player.do("also X18")
    assert "ready" in player.options()


def test_a_front_already_attacked_in_the_phase_is_owed_nothing() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "13MK": "W18", "WestF": "X18", "4AOK": "Y18"})
    announce(s, "X18: 4AOK")
    player = resolve(s, "X17: 39Pz", [6]).do("attack W18", "with 39Pz")
    assert "ready" in player.options()


def test_a_unit_dispersed_by_its_advance_breaks_through_no_more() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "WestF": "W17"})
    player = resolve(s, "X17: 39Pz", [6])
    assert dispersed(s, "39Pz") and player.over()


def test_one_breakthrough_attack_a_turn() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "13MK": "X18"})
    s.broke_through = set_of(s, "39Pz")
    player = resolve(s, "X17: 39Pz", [6]).do("halt")
    assert player.over() and spent(s, "39Pz")
