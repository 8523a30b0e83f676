"""XIII.D: where units retreat, who picks the hexes, and retreats cut short."""

from __future__ import annotations

import pytest

from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.retreat import (
    AVOIDING,
    FORCED,
    SHORT,
    Retreat,
    ability,
    able_to_avoid,
    next_hexes,
    why_not_to,
)
from tests.unit.portfolio.board import Player, board, hexes, ids, names, set_of, unit_of
from tests.unit.portfolio.fights import EVEN, announce, dispersed, phase, resolve, spent, where


def longest(s: State, unit: str, attackers: str = "X16", kind: int = FORCED) -> int:
    """How far a unit could retreat."""
    return ability(s, unit_of(s, unit), hexes(s, attackers) if attackers else 0, kind)


# ---------------------------------------------------------------- XIII.D.4 the six conditions


def test_an_open_retreat_is_four_hexes_long_and_leads_away() -> None:
    s = board(EVEN)
    assert longest(s, "11A") == 4
    player = resolve(s, "X17: 7Inf", [6])
    assert player.options("to") == {"X18", "W18", "Y18"}


def test_a_infantry_crosses_a_lake_of_its_own_accord() -> None:
    s = board({"1Inf": "D15", "56RK": "D14"}, axis="E14")
    player = resolve(s, "D14: 1Inf", [3]).do("retreat 56RK")  # 3 to 2, S
    assert player.options("to") == {"C14", "D13", "E14"}
    assert player.rule("to D11") == player.rule("to C13") == "XIII.D.4.a"


def test_a_mechanized_unit_does_not_retreat_across_a_lake() -> None:
    s = board({"1Inf": "D15", "16MK": "D14"}, axis="E14")
    player = resolve(s, "D14: 1Inf", [4])  # D1
    assert player.options("to") == {"C14", "E14"}
    assert player.rule("to D13") == "X.B.4"


def test_nobody_is_forced_across_a_lake() -> None:
    s = board({"1Inf": "D15", "56RK": "D14"}, axis="E14")
    player = resolve(s, "D14: 1Inf", [6]).do("refrain")  # DX
    assert player.options("to") == {"C14", "E14"}
    assert player.rule("to D13") == "X.B.4"


def test_b_each_hex_is_farther_from_the_attacked_one() -> None:
    player = resolve(board(EVEN), "X17: 7Inf", [6]).do("to W18", "continue")
    assert player.options("to") == {"V17", "V18", "W19"}
    assert player.rule("to X18") == player.rule("to X17") == "XIII.D.4.b"
    assert player.rule("to V19") == "XIII.D.4.a"


def test_c_no_enemy_hex() -> None:
    player = resolve(board({**EVEN, "5Inf": "X18 d"}), "X17: 7Inf", [6])
    assert player.options("to") == {"W18", "Y18"}
    assert player.rule("to X18") == "XIII.D.4.c"


def test_d_no_enemy_zone_unless_a_friend_is_there() -> None:
    pieces = {**EVEN, "5Inf": "W19"}
    player = resolve(board(pieces), "X17: 7Inf", [6])
    assert player.options("to") == {"Y18"}
    assert player.rule("to X18") == player.rule("to W18") == "XIII.D.4.d"
    player = resolve(board({**pieces, "24MK": "X18"}), "X17: 7Inf", [6])
    assert player.options("to") == {"X18", "Y18"}


def test_d_beside_a_dispersed_enemy_only_with_the_first_hex() -> None:
    s = board({**EVEN, "5Inf": "X20 d"})
    player = resolve(s, "X17: 7Inf", [6])
    assert player.options("to") == {"X18", "W18", "Y18"}
    player.do("to X18", "continue")
    assert player.rule("to X19") == "XIII.D.4.d"
    assert "X19" not in player.options("to")
    s = board({**EVEN, "5Inf": "X19 d"})
    assert "X18" in resolve(s, "X17: 7Inf", [6]).options("to")


def test_e_no_hex_under_attack() -> None:
    s = board({**EVEN, "1Inf": "Y18", "24MK": "X18", "5Inf": "Y18"})
    announce(s, "X18: 1Inf")
    player = resolve(s, "X17: 7Inf", [6])
    assert player.options("to") == {"W18"}
    assert player.rule("to X18") == "XIII.D.4.e"
    assert s.attacks[0].barred_retreat


def test_f_not_beside_the_attackers() -> None:
    s = board({"7Inf": "X16", "1Inf": "W17", "11A": "X17", "24MK": "W18"})
    player = resolve(s, "X17: 7Inf 1Inf", [6])  # 7 to 4
    player.do("refrain")
    assert player.options("to") == {"X18", "Y18"}
    assert player.rule("to W18") == "XIII.D.4.f"


def test_f_hexes_of_attackers_just_eliminated_count() -> None:
    s = board({"5Inf": "X16", "1Inf": "W17", "13A": "X17", "24MK": "W18"})
    player = resolve(s, "X17: 5Inf 1Inf", [1])  # 5 to 6, AE takes both
    player.do("retreat 13A")
    assert player.options("to") == {"X18", "Y18"}
    assert player.rule("to X16") == "XIII.D.4.f"


def test_f_a_side_closed_to_the_attacker_opens_the_hex() -> None:
    s = board({"7Inf": "H11", "11A": "H12", "24MK": "I12"})  # H11 and I12 meet at a lake side
    assert s.rules.map.sides["lake"].between(*(s.rules.grid.index(name) for name in ("H11", "I12")))
    assert "I12" in resolve(s, "H12: 7Inf", [6]).options("to")
    s = board({"7Inf": "G12", "11A": "H11", "24MK": "H12"})
    assert "H12" not in resolve(s, "H11: 7Inf", [6]).options("to"), "G12 and H12 meet on land"


def test_nationality_bans_hold_in_retreats() -> None:
    s = board({"11A": "CC7", "HunMob": "CC6"})  # CC5 and DD5 are Romanian
    way = Retreat(unit_of(s, "HunMob"), SHORT, hexes(s, "CC7"), SOVIET, (s.rules.grid.index("CC6"),))
    assert names(s, next_hexes(s, way)) == {"BB5"}
    assert why_not_to(s, way, s.rules.grid.index("CC5"))[1] == "X.D.2"
    s = board({"11A": "CC7", "30Inf": "CC6"})
    way = way._replace(unit=unit_of(s, "30Inf"))
    assert names(s, next_hexes(s, way)) == {"BB5", "CC5", "DD5"}


def test_a_retreat_does_not_leave_the_map() -> None:
    s = board({"7Inf": "X27", "11A": "X28"})
    way = Retreat(unit_of(s, "11A"), SHORT, hexes(s, "X27"), AXIS, (s.rules.grid.index("X28"),))
    assert why_not_to(s, way, s.rules.grid.stride - 1)[1] == "XIII.D.6"


# ---------------------------------------------------------------- XIII.D.1 who picks


def test_the_attacker_picks_the_first_and_third_hex_the_defender_the_second_and_fourth() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [6])
    seats = []
    for hex_ in ("X18", "X19", "X20", "X21"):
        if player.asked().kind == "retreat_length":
            assert player.asked().seat(s) == AXIS, "the attacker decides how far a D4 goes"
            player.do("continue")
        seats.append(player.asked().seat(s))
        player.do(f"to {hex_}")
    assert seats == [AXIS, SOVIET, AXIS, SOVIET]
    assert where(s, "11A") == "X21" and dispersed(s, "11A")


def given_up(player: Player, verb: str) -> str:
    """What an answer throws away, as the player is told."""
    game = PortfolioGame()
    return game.gives_up(player.s, next(a for a in game.legal(player.s) if a.verb == verb))


def test_halting_a_forced_retreat_before_the_advance_is_out_gives_that_up() -> None:
    """German infantry advances two hexes in good weather, and never farther than the retreat (XIII.E.1)."""
    player = resolve(board(EVEN), "X17: 7Inf", [6])
    assert "nobody advances" in given_up(player, "halt")
    player.do("to X18")
    assert player.asked().kind == "retreat_length"
    assert given_up(player, "halt") == "nobody advances farther than 1 hex"
    assert not given_up(player, "continue")
    player.do("continue", "to X19")
    assert player.asked().kind == "retreat" and not given_up(player, "halt")


def test_halting_gives_up_no_advance_that_the_weather_forbids() -> None:
    player = resolve(board(EVEN, weather="mud"), "X17: 7Inf", [6])
    player.do("to X18")
    assert player.asked().kind == "retreat_length" and not given_up(player, "halt")


def test_a_defender_who_halts_gives_nothing_up() -> None:
    player = resolve(board(EVEN), "X17: 7Inf", [4]).do("to X18", "to X19")
    assert player.asked().kind == "retreat_length" and not given_up(player, "halt")
    assert "Dispersed" in given_up(player, "continue")


def test_on_d1_the_defender_decides_how_far() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [4])
    assert player.asked().seat(s) == AXIS
    player.do("to X18")
    assert player.asked().seat(s) == SOVIET and "halt" in player.options()
    player.do("to X19")
    assert (player.asked().kind, player.asked().seat(s)) == ("retreat_length", SOVIET)
    player.do("continue")
    assert (player.asked().seat(s), "halt" in player.options()) == (AXIS, False)
    assert player.rule("halt") == "XIII.D.1"


def test_units_retreat_one_by_one_in_the_defenders_order() -> None:
    s = board({"4AOK": "X16", "11A": "X17", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK", [5])  # 6 to 5 is 1:1: D1
    assert player.options() == {"retreat 11A", "retreat 24MK"}
    player.do("retreat 24MK", "to X18", "halt", "to W18", "halt")
    assert (where(s, "24MK"), where(s, "11A")) == ("X18", "W18")


def test_retreats_take_control_of_the_hexes_entered() -> None:
    s = board(EVEN, axis="X18 W18 Y18 X19")
    resolve(s, "X17: 7Inf", [4]).do("to X18", "to X19", "halt")
    assert not s.control & hexes(s, "X18 X19")


# ---------------------------------------------------------------- XIII.D.5 supplied and roomy hexes


def test_the_attacker_keeps_to_hexes_with_room_and_supply() -> None:
    s = board({**EVEN, "24MK": "X18", "13MK": "X18", "WestF": "W18"})
    player = resolve(s, "X17: 7Inf", [6])
    assert player.options("to") == {"Y18"}
    assert player.rule("to X18") == "XIII.D.5"
    everywhere = "X18 W18 Y18"
    s = board(EVEN, axis=everywhere)
    assert resolve(s, "X17: 7Inf", [6]).options("to") == {"X18", "W18", "Y18"}, "none is in supply"


def test_the_attacker_prefers_supplied_hexes() -> None:
    s = board({**EVEN, "24MK": "X18"}, axis="W18 Y18")
    player = resolve(s, "X17: 7Inf", [6])
    assert player.options("to") == {"X18"}
    assert player.rule("to W18") == "XIII.D.5"


def test_room_comes_before_supply() -> None:
    s = board({**EVEN, "24MK": "X18", "13MK": "X18"}, axis="W18 Y18")
    assert resolve(s, "X17: 7Inf", [6]).options("to") == {"W18", "Y18"}


def test_the_attacker_may_not_stop_a_unit_where_it_overstacks() -> None:
    s = board({**EVEN, "24MK": "X18", "13MK": "X18", "5Inf": "V18", "20Inf": "Z18"})
    player = resolve(s, "X17: 7Inf", [6])
    player.do("to X18")
    while player.asked().kind in ("retreat", "retreat_length") and "halt" not in player.options():
        player.do("to " + min(player.options("to")))
    assert where(s, "11A") not in ("X17", "X18"), "through the full hex, and on"


def test_a_defender_who_overstacks_loses_a_chosen_unit() -> None:
    s = board({**EVEN, "24MK": "X18", "13MK": "X18", "5Inf": "V18", "20Inf": "Z18"})
    player = resolve(s, "X17: 7Inf", [4]).do("halt")
    assert player.asked().kind == "overstack"
    assert player.options() == {"lose 11A", "lose 24MK", "lose 13MK"}
    player.do("lose 13MK")
    assert where(s, "13MK") == "" and where(s, "11A") == "X18"


def test_two_armies_in_one_hex_are_too_many() -> None:
    s = board({**EVEN, "8A": "X18", "5Inf": "V18", "20Inf": "Z18"})
    player = resolve(s, "X17: 7Inf", [4]).do("halt")
    assert player.options() == {"lose 11A", "lose 8A"}


# ---------------------------------------------------------------- XIII.D.6 retreats cut short


def corridor(length: int, short_retreat: str = "literal") -> State:
    """11A at X17 that can go exactly this many hexes: friends hold a file of hexes between enemy zones."""
    s = board({**EVEN, "5Inf": "W19", "20Inf": "Y19", "29Inf": "V20", "44Inf": "Z20"}, short_retreat=short_retreat)
    for name, hex_ in (("24MK", "X18"), ("13MK", "X19"), ("16MK", "X20"), ("17MK", "X21"))[:length]:
        s.place(unit_of(s, name), s.rules.grid.index(hex_))
    if length < 4:
        end = s.rules.grid.index(f"X{18 + length}")
        s.place(unit_of(s, "54Inf"), end)
    return s


@pytest.mark.parametrize("length", [1, 2, 3])
def test_corridors_have_their_length(length: int) -> None:
    assert longest(corridor(length), "11A") == length


def test_a_unit_that_can_go_one_hex_only_is_eliminated_by_d4() -> None:
    s = corridor(1)
    player = resolve(s, "X17: 7Inf", [6])
    assert where(s, "11A") == ""
    assert "cut_off" not in player.kinds()


def test_a_unit_that_can_go_one_hex_takes_d1() -> None:
    s = corridor(1)
    resolve(s, "X17: 7Inf", [4])
    assert where(s, "11A") == "X18" and spent(s, "11A")


@pytest.mark.parametrize(("die", "survives"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_unit_that_can_go_three_hexes_casts_a_die(die: int, survives: bool) -> None:
    s = corridor(3)
    player = resolve(s, "X17: 7Inf", [6, die])
    assert "cut_off" in player.kinds()
    assert bool(where(s, "11A")) is survives


def test_a_unit_that_can_go_two_hexes_is_safe_to_the_letter() -> None:
    s = corridor(2)
    player = resolve(s, "X17: 7Inf", [6])
    assert where(s, "11A") and "cut_off" not in player.kinds()


@pytest.mark.parametrize(("die", "survives"), [(3, True), (4, False)])
def test_graded_short_retreats_cast_the_die_for_two_as_well(die: int, survives: bool) -> None:
    s = corridor(2, short_retreat="graded")
    resolve(s, "X17: 7Inf", [6, die])
    assert bool(where(s, "11A")) is survives


def test_full_hexes_may_be_passed_but_not_ended_upon() -> None:
    s = board({**EVEN, "5Inf": "W19", "20Inf": "Y19", "24MK": "X18", "13MK": "X18", "16MK": "X19", "17MK": "X19"})
    s.place(unit_of(s, "54Inf"), s.rules.grid.index("X21"))
    assert longest(s, "11A") == 0
    assert longest(s, "11A", kind=SHORT) == 0


def test_the_map_edge_is_no_way_out() -> None:
    s = board({"7Inf": "X27", "11A": "X28", "5Inf": "W27", "1Inf": "Y27"})
    assert longest(s, "11A", "X27") == 0
    player = resolve(s, "X28: 7Inf", [6])
    assert where(s, "11A") == "" and "retreated" not in player.kinds()


# ---------------------------------------------------------------- XIII.D.8 avoiding combat


def test_ready_units_may_avoid_combat() -> None:
    s = board({**EVEN, "8A": "V19", "24MK": "V19 s", "13MK": "T20 d"})
    player = phase(s)
    assert player.options() == {"retreat 11A", "retreat 8A", "stand", "stand_all"}
    assert player.rule("retreat 24MK") == "XIII.D.8"
    assert player.rule("retreat 13MK") == "XIII.D.8"
    assert player.rule("retreat 7Inf") == "XIII.D.7"


def test_the_question_says_where_an_attack_may_come() -> None:
    s = board({**EVEN, "8A": "V19"})
    player = phase(s)
    names = s.rules.grid.names
    assert [names[h] for h in player.asked().about(s).hexes] == ["X17"], "8A has no enemy next to it"
    player.do("stand", "attack X17", "with 7Inf", "ready", "done")
    assert player.options("retreat") and not player.asked().about(s).hexes, "no more attacks can be announced"


def test_avoiding_combat_takes_three_or_four_hexes_and_disperses() -> None:
    s = board(EVEN)
    player = phase(s).do("retreat 11A")
    assert player.asked().seat(s) == AXIS
    assert player.options("to") == {"W18", "X18", "Y18"}
    assert player.rule("halt") == "XIII.D.1"
    player.do("to X18")
    assert player.asked().seat(s) == SOVIET
    assert player.rule("halt") == "XIII.D.8"
    player.do("to X19", "to X20")
    assert player.asked().seat(s) == SOVIET and "halt" in player.options()
    player.do("halt")
    assert where(s, "11A") == "X20" and dispersed(s, "11A")
    assert where(s, "7Inf") == "X16", "nobody advances"


def test_units_under_an_announced_attack_stay() -> None:
    s = board({**EVEN, "8A": "V19"})
    player = phase(s).do("stand", "attack X17", "with 7Inf", "ready", "done")
    assert player.options("retreat") == {"8A"}
    assert player.rule("retreat 11A") == "XIII.D.8"


def test_units_without_three_hexes_to_go_stay() -> None:
    s = corridor(2)
    s.place(unit_of(s, "8A"), s.rules.grid.index("T20"))
    s.side = AXIS
    assert "11A" not in ids(s, able_to_avoid(s, s.rules.roster.of_side[SOVIET]))
    player = phase(s)
    assert player.rule("retreat 11A") == "XIII.D.8"


def test_the_way_of_a_unit_avoiding_combat_never_ends_early() -> None:
    s = corridor(4)
    s.lift(unit_of(s, "17MK"), -1)
    assert longest(s, "11A", "", AVOIDING) >= 3
    player = phase(s).do("retreat 11A")
    steps = 0
    while player.asked().kind in ("retreat", "retreat_length") and not dispersed(s, "11A"):
        assert player.options("to"), "there is always a hex until three are done"
        player.do("to " + min(player.options("to")))
        steps += 1
        assert steps <= 4
        if "halt" in player.options():
            player.do("halt")
    start = s.rules.grid.index("X17")
    assert s.rules.grid.distance(start, s.pos[unit_of(s, "11A")]) >= 3


def test_standing_for_the_whole_phase_is_remembered() -> None:
    s = board({**EVEN, "8A": "V19"})
    player = phase(s, dice=[3]).do("stand_all", "attack X17", "with 7Inf", "ready", "done")
    assert player.asked().kind == "no_retreat"
    player.do("done", "resolve 1", "stand")
    assert player.over()


def test_frozen_soviets_may_avoid_combat() -> None:
    s = board({"7Inf": "Q2", "11A": "Q3", "8A": "Q8"}, turn=1)
    assert s.rules.frozen_at_start >> s.rules.grid.index("Q8") & 1
    assert "8A" in phase(s).options("retreat")


def test_frozen_units_and_hold_orders() -> None:
    s = board(EVEN)
    s.side = AXIS
    s.hold = set_of(s, "11A")
    assert not able_to_avoid(s, s.rules.roster.of_side[SOVIET])


@pytest.mark.parametrize(
    ("guest", "german", "hex_"), [("HunMob", "39Pz", "GG2"), ("RomMtn", "1Inf", "BB1"), ("RomArm", "39Pz", "BB1")]
)
def test_a_unit_whose_ways_all_lead_through_a_closed_country_stays(guest: str, german: str, hex_: str) -> None:
    """X.D.2: Hungarians stay out of Romania and Romanians out of Hungary; Germans pass through both."""
    s = board({guest: hex_})
    assert not able_to_avoid(s, set_of(s, guest))
    s = board({german: hex_})
    assert able_to_avoid(s, set_of(s, german))
