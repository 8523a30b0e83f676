"""X.B, XIII.B, XVI.B and VI.B.3: the calculation of combat odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rasputitsa.portfolio.api.attack_preview import attack_preview
from rasputitsa.portfolio.model.state import ELIMINATED, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.odds import Odds, basic_column, column_name
from tests.unit.portfolio.board import board, hexes
from tests.unit.portfolio.fights import announce, numbers, odds_of, phase, places, resolve, result

# The table as the charts sheet prints it, from a die of 6 down to 1.
CRT = """
1:4 1:3 1:2 1:1 3:2 2:1 3:1 4:1 5:1 7:1 10:1
S   S   D4  D4  DX  DX  DE  BR  BR  BR  BR
AE  AD  D1  D1  D4  D4  DX  DE  BR  BR  BR
AE  AE  S   D1  D1  D4  D4  DX  DE  BR  BR
AE  AE  AD  S   S   D1  D4  DX  DE  BR  BR
AE  AE  AE  AD  AD  S   D1  D4  DX  DE  BR
AE  AE  AE  AE  X   X   S   D1  D4  DX  DE
"""
COLUMNS, *ROWS = (line.split() for line in CRT.split("\n") if line)

# One attack for each column, on a unit in open country with all the room to retreat.
AT = {
    "1:4": ("5Inf", "WestF"), "1:3": ("5Inf", "13A"), "1:2": ("5Inf", "11A"), "1:1": ("RomMtn", "24MK"),
    "3:2": ("1Inf", "16MK"), "2:1": ("5Inf", "24MK"), "3:1": ("1Inf", "24MK"), "4:1": ("7Inf", "24MK"),
    "5:1": ("2AOK", "24MK"), "7:1": ("2AOK 5Inf", "24MK"), "10:1": ("4AOK 7Inf", "24MK"),
}  # fmt: skip


def final(found: Odds, s: State) -> list[str]:
    """Names of the final columns."""
    return [column_name(s.rules, column) for column in found.columns]


def shifts(found: Odds) -> list[tuple[int, str]]:
    """Shifts against the first hex, with their paragraphs."""
    return [(item.value, item.rule) for item in found.shifts[0]]


def bonuses(found: Odds) -> list[tuple[int, str]]:
    """Defence factors of the first hex beyond those printed on counters."""
    return [(item.value, item.rule) for item in found.hexes[0].items if item.rule != "XIII.B.2"]


# ---------------------------------------------------------------- XIII.B.3-4 basic odds


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (5, 1, "5:1"), (5, 3, "3:2"), (2, 5, "1:3"),  # the examples of the text
        (1, 1, "1:1"), (2, 3, "1:2"), (1, 2, "1:2"), (3, 2, "3:2"), (7, 4, "3:2"), (2, 1, "2:1"), (5, 2, "2:1"),
        (3, 1, "3:1"), (4, 1, "4:1"), (6, 1, "5:1"), (7, 1, "7:1"), (9, 1, "7:1"), (10, 1, "10:1"), (30, 1, "10:1"),
        (1, 3, "1:3"), (2, 7, "1:4"), (1, 4, "1:4"), (1, 5, "1:5"), (2, 9, "1:5"), (1, 6, "1:6"), (3, 20, "1:7"),
    ],
)  # fmt: skip
def test_basic_odds(attack: int, defence: int, column: str) -> None:
    rules = board().rules
    assert column_name(rules, basic_column(rules, attack, defence)) == column


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_every_cell_of_the_table(column: str, die: int) -> None:
    attackers, defender = AT[column]
    s = board({**dict.fromkeys(attackers.split(), "X16"), defender: "X17"}, swamp_shift="none")
    assert final(odds_of(s, "X17", attackers), s) == [column]
    player = resolve(s, f"X17: {attackers}", [die])
    assert result(player, defender) == ROWS[6 - die][COLUMNS.index(column)]


def test_odds_above_ten_to_one_are_cut_before_shifts() -> None:
    s = board({"4AOK": "X12", "7Inf": "X12", "2AOK": "W13", "24MK": "X13"})  # 15 to 1, across a river
    assert final(odds_of(s, "X13", "4AOK 7Inf 2AOK"), s) == ["7:1"]


def test_odds_below_one_to_four_are_not_allowed() -> None:
    s = board({"RomMtn": "X16", "13A": "X17"})
    found = odds_of(s, "X17", "RomMtn")
    assert (final(found, s), found.legal, found.rule) == (["1:6"], False, "XIII.B.4")


def test_a_shift_may_lift_odds_from_below_the_table() -> None:
    pieces = {"5Inf": "L15", "GrO": "L15", "WestF": "L14"}  # 2 to 9 is 1:5
    found = odds_of(board(pieces, turn=1), "L14", "5Inf")
    assert (column_name(board().rules, found.basic), final(found, board()), found.legal) == ("1:5", ["1:4"], True)
    assert not odds_of(board(pieces, turn=3), "L14", "5Inf").legal
    assert not odds_of(board(pieces, turn=1), "L14", "GrO").legal, "no German, no surprise"


def test_a_dispersed_defender_does_not_make_odds_legal() -> None:
    s = board({"5Inf": "L15", "WestF": "L14 d", "1Inf": "X16", "SWF": "X17 d"})
    assert odds_of(s, "L14", "5Inf").legal, "Dispersed, it has no bonus: 2 to 8"
    assert not odds_of(board({"GrO": "X16", "SWF": "X17 d"}), "X17", "GrO").legal


# ---------------------------------------------------------------- X.B.2 rivers


def test_a_river_costs_a_column() -> None:
    s = board({"7Inf": "W19", "24MK": "W20"})
    found = odds_of(s, "W20", "7Inf")
    assert shifts(found) == [(-1, "X.B.2")]
    assert (column_name(s.rules, found.basic), final(found, s)) == ("4:1", ["3:1"])


def test_one_attacker_on_the_same_bank_cancels_the_river() -> None:
    s = board({"7Inf": "W19", "5Inf": "X20", "11A": "W20"})
    assert shifts(odds_of(s, "W20", "7Inf")) == [(-1, "X.B.2")]
    assert shifts(odds_of(s, "W20", "7Inf 5Inf")) == []


def test_a_river_frozen_by_snow_is_no_river_beyond_the_arctic_line_only() -> None:
    s = board({"7Inf": "W19", "24MK": "W20"}, weather="snow", turn=10)
    assert shifts(odds_of(s, "W20", "7Inf")) == []
    s = board({"7Inf": "N5", "24MK": "N6"}, weather="snow", turn=10)
    assert shifts(odds_of(s, "N6", "7Inf")) == [(-1, "X.B.2")]


def test_hard_frost_freezes_nothing() -> None:
    s = board({"7Inf": "W19", "24MK": "W20"}, weather="hard_frost", turn=8)
    assert shifts(odds_of(s, "W20", "7Inf")) == [(-1, "X.B.2")]


def test_pushkin_attacks_leningrad_across_the_neva_but_not_the_other_way() -> None:
    s = board({"7Inf": "H15", "24MK": "G15"})
    assert shifts(odds_of(s, "G15", "7Inf")) == [(-1, "X.B.2")]
    s = board({"11A": "G15", "7Inf": "H15"})
    assert shifts(odds_of(s, "H15", "11A", SOVIET)) == []
    s = board({"7Inf": "H15", "24MK": "G15"}, weather="snow", turn=10)
    assert shifts(odds_of(s, "G15", "7Inf")) == []


def test_each_hex_of_an_attack_has_its_own_river() -> None:
    s = board({"7Inf": "W19", "24MK": "W20", "25MK": "X18"})  # W19-X18 is no river, W19-W20 is
    found = odds_of(s, "X18 W20", "7Inf")
    assert final(found, s) == ["2:1", "3:2"]


# ---------------------------------------------------------------- X.B.3 Stalin Line


def test_the_stalin_line_helps_armies_and_fronts_attacked_from_its_front() -> None:
    s = board({"7Inf": "P7", "3A": "Q8", "24MK": "Q8"})
    assert (1, "X.B.3") in bonuses(odds_of(s, "Q8", "7Inf"))
    s = board({"7Inf": "S7", "WestF": "S8"})
    assert bonuses(odds_of(s, "S8", "7Inf")) == [(2, "X.B.3")]
    s = board({"7Inf": "S7", "24MK": "S8"})
    assert bonuses(odds_of(s, "S8", "7Inf")) == []


def test_the_stalin_line_is_flanked_by_one_attacker_from_another_side() -> None:
    s = board({"7Inf": "S7", "5Inf": "R8", "3A": "S8"})
    assert bonuses(odds_of(s, "S8", "7Inf")) == [(1, "X.B.3")]
    assert bonuses(odds_of(s, "S8", "7Inf 5Inf")) == []


def test_germans_behind_the_stalin_line_gain_nothing() -> None:
    s = board({"11A": "S7", "2AOK": "S8"})
    assert bonuses(odds_of(s, "S8", "11A", SOVIET)) == []


# ---------------------------------------------------------------- X.B.4 lakes and straits


def test_attack_factors_across_a_lake_are_halved_in_their_sum() -> None:
    s = board({"1Inf": "B11", "2Inf": "B11", "24MK": "B12"})
    assert odds_of(s, "B12", "1Inf").attack == 1
    assert odds_of(s, "B12", "1Inf 2Inf").attack == 3
    s = board({"1Inf": "B11", "2Inf": "B11", "24MK": "B12"}, weather="snow", turn=10)
    assert odds_of(s, "B12", "1Inf 2Inf").attack == 6


def test_units_on_land_keep_their_factors_beside_those_across_a_lake() -> None:
    s = board({"1Inf": "B11", "7Inf": "C13", "24MK": "B12"})
    assert odds_of(s, "B12", "1Inf 7Inf").attack == 5


def test_half_of_one_factor_is_no_attack() -> None:
    s = board({"RomMtn": "B11", "24MK": "B12"})
    found = odds_of(s, "B12", "RomMtn")
    assert (found.attack, found.legal, found.rule) == (0, False, "XIII.B.4")


def test_kerch_halves_without_the_black_sea_and_costs_a_column_with_it() -> None:
    s = board({"7Inf": "JJ13", "24MK": "II14"})
    found = odds_of(s, "II14", "7Inf")
    assert (found.attack, shifts(found)) == (2, [])
    s = board({"7Inf": "JJ13", "24MK": "II14"}, axis="JJ10")
    found = odds_of(s, "II14", "7Inf")
    assert (found.attack, shifts(found), final(found, s)) == (4, [(-1, "X.B.4")], ["3:1"])


def test_kronshtadt_is_attacked_at_half_strength_from_leningrad_even_in_snow() -> None:
    for weather in ("good", "snow"):
        s = board({"7Inf": "G15", "24MK": "G14"}, weather=weather, turn=10)
        assert odds_of(s, "G14", "7Inf").attack == 2


# ---------------------------------------------------------------- X.B.5-11 bonuses of places and terrain


@pytest.mark.parametrize(
    ("where", "units", "found"),
    [
        ("Q8", "3A", [(2, "X.B.5")]),
        ("Q8", "WestF", [(2, "X.B.5")]),
        ("Q8", "42RK", [(1, "X.B.5")]),
        ("Q8", "3A 42RK", [(2, "X.B.5"), (1, "X.B.5")]),
        ("Q8", "42RK 56RK", [(1, "X.B.5"), (1, "X.B.5")]),
        ("Q8", "24MK 3KK", []),
        ("Q8", "1Shk", [(2, "X.B.5")]),
        ("N18", "3A", [(1, "X.B.7")]),
        ("N18", "3A 42RK", [(1, "X.B.7")]),
        ("N18", "24MK", []),
        ("Q13", "24MK", [(1, "X.B.6")]),
        ("Q19", "24MK", [(2, "X.B.6")]),
        ("Q19", "WestF", [(2, "X.B.5"), (2, "X.B.6")]),
        ("FF8", "3A", [(2, "X.B.5"), (1, "X.B.8")]),
        ("FF8", "24MK", []),
        ("G14", "3A 42RK", [(1, "X.B.8")]),
        ("L14", "3A", [(1, "X.B.9")]),
        ("L14", "WestF", [(1, "X.B.9")]),
        ("L14", "42RK 24MK", []),
        ("L15", "3A 42RK", [(1, "X.B.10"), (1, "X.B.10")]),
        ("L15", "3A 24MK", [(1, "X.B.10")]),
        ("NN17", "3A 42RK", [(2, "X.B.11"), (1, "X.B.11")]),
        ("JJ10", "3A", [(1, "X.B.10"), (2, "X.B.5"), (1, "X.B.8"), (1, "X.B.6")]),
        ("X17", "3A 42RK", []),
        ("I13", "3A", []),
    ],
)
def test_defence_bonuses(where: str, units: str, found: list[tuple[int, str]]) -> None:
    s = board(dict.fromkeys(units.split(), where))
    neighbour = next(h for h in s.rules.grid.neighbours[places(s, where)[0]] if h >= 0)
    s.place(numbers(s, "7Inf")[0], neighbour)
    shown = odds_of(s, where, "7Inf")
    assert bonuses(shown) == found
    printed = sum(s.rules.units[u].df for u in numbers(s, units))
    assert shown.defence == printed + sum(value for value, _ in found)


def test_axis_units_use_cities_and_fortresses_but_not_swamp_or_the_factor_of_a_victory_city() -> None:
    s = board({"2AOK": "Q13", "11A": "Q14"})
    assert bonuses(odds_of(s, "Q13", "11A", SOVIET)) == [(2, "X.B.5")]
    s = board({"2AOK": "L14", "11A": "L15"})
    assert bonuses(odds_of(s, "L14", "11A", SOVIET)) == []
    s = board({"RomMtn": "FF8", "11A": "FF7"})
    assert bonuses(odds_of(s, "FF8", "11A", SOVIET)) == [(1, "X.B.5"), (1, "X.B.8")]
    s = board({"3PzG": "Q13", "11A": "Q14"})
    assert bonuses(odds_of(s, "Q13", "11A", SOVIET)) == [], "a Panzer Group is no infantry army"


def test_dispersed_units_bring_no_bonus_but_the_city_keeps_its_own_factor() -> None:
    s = board({"7Inf": "Q14", "3A": "Q13 d"})
    assert bonuses(odds_of(s, "Q13", "7Inf")) == [(1, "X.B.6")]
    s = board({"7Inf": "N19", "3A": "N18 d", "42RK": "N18"})
    assert bonuses(odds_of(s, "N18", "7Inf")) == [(1, "X.B.7")]


def test_a_victory_city_once_captured_has_no_factor_even_when_retaken() -> None:
    s = board({"7Inf": "Q14", "24MK": "Q13"})
    s.captured |= hexes(s, "Q13")
    assert bonuses(odds_of(s, "Q13", "7Inf")) == []


def test_frozen_swamp_gives_nothing() -> None:
    s = board({"7Inf": "L15", "3A": "L14"}, weather="snow", turn=10)
    assert bonuses(odds_of(s, "L14", "7Inf")) == []
    s = board({"7Inf": "Q3", "3A": "P3"}, weather="snow", turn=10)
    assert bonuses(odds_of(s, "P3", "7Inf")) == [(1, "X.B.9")], "south-west of the Arctic Weather Line"


def test_armor_alone_into_swamp_loses_a_column_by_the_chart() -> None:
    s = board({"39Pz": "L15", "7Inf": "M15", "24MK": "L14"})
    assert shifts(odds_of(s, "L14", "39Pz")) == [(-1, "X.B.9")]
    assert shifts(odds_of(s, "L14", "39Pz 7Inf")) == []
    s = board({"39Pz": "L15", "24MK": "L14"}, swamp_shift="none")
    assert shifts(odds_of(s, "L14", "39Pz")) == []
    s = board({"39Pz": "L15", "24MK": "L14"}, weather="snow", turn=10)
    assert shifts(odds_of(s, "L14", "39Pz")) == []


# ---------------------------------------------------------------- XVI.B first turn


def test_surprise_lasts_one_turn_and_needs_a_german() -> None:
    pieces = {"7Inf": "X16", "RomMtn": "X16", "11A": "X17"}
    s = board(pieces, turn=1)
    assert shifts(odds_of(s, "X17", "7Inf")) == [(1, "XVI.B.1")]
    assert shifts(odds_of(s, "X17", "7Inf RomMtn")) == [(1, "XVI.B.1")]
    assert shifts(odds_of(s, "X17", "RomMtn")) == []
    assert shifts(odds_of(board(pieces, turn=2), "X17", "7Inf")) == []
    assert shifts(odds_of(board(pieces, turn=2, scenario="july10"), "X17", "7Inf")) == [(1, "XVI.B.1")]


def test_surprise_by_germans_alone_is_an_option() -> None:
    s = board({"7Inf": "X16", "RomMtn": "X16", "11A": "X17"}, turn=1, surprise="all")
    assert shifts(odds_of(s, "X17", "7Inf RomMtn")) == []
    assert shifts(odds_of(s, "X17", "7Inf")) == [(1, "XVI.B.1")]


def test_soviet_attacks_gain_no_surprise() -> None:
    s = board({"7Inf": "X16", "11A": "X17"}, turn=1)
    assert shifts(odds_of(s, "X16", "11A", SOVIET)) == []


def test_amphibious_tanks_drop_the_river() -> None:
    s = board({"7Inf": "W19", "24MK": "W20"}, turn=1)
    assert shifts(odds_of(s, "W20", "7Inf")) == [(1, "XVI.B.1"), (-1, "X.B.2")]
    assert shifts(odds_of(s, "W20", "7Inf", amphibious=True)) == [(1, "XVI.B.1")]


# ---------------------------------------------------------------- VI.B.3 Winter Offensive


@pytest.mark.parametrize(("turn", "shift"), [(9, 0), (10, 1), (11, 1), (12, 1), (13, 0)])
def test_the_winter_offensive_lasts_three_turns(turn: int, shift: int) -> None:
    s = board({"7Inf": "X16", "11A": "X17"}, turn=turn, weather="snow")
    s.offensive = 10
    assert sum(value for value, _ in shifts(odds_of(s, "X16", "11A", SOVIET))) == shift


def test_the_winter_offensive_works_beyond_the_arctic_line_and_in_snow_only() -> None:
    s = board({"7Inf": "N7", "11A": "N8"}, turn=10, weather="snow")
    s.offensive = 10
    assert shifts(odds_of(s, "N7", "11A", SOVIET)) == []
    s = board({"7Inf": "X16", "11A": "X17"}, turn=14, weather="mud", march="mud")
    s.offensive = 13
    assert shifts(odds_of(s, "X16", "11A", SOVIET)) == []
    s = board({"7Inf": "X16", "11A": "X17"}, turn=10, weather="snow")
    s.offensive = 10
    assert shifts(odds_of(s, "X17", "7Inf", AXIS)) == []


# ---------------------------------------------------------------- the question of clients


def test_the_odds_query_tells_everything() -> None:
    s = board({"7Inf": "W19", "3A": "W20 d", "24MK": "W20"}, turn=1)
    s.side = AXIS
    answer = attack_preview(s, places(s, "W20"), numbers(s, "7Inf"))
    assert (answer["attack"], answer["defence"], answer["basic"], answer["final"]) == (4, 3, "1:1", "1:1")
    assert [(shift["value"], shift["rule"]) for shift in answer["shifts"]] == [(1, "XVI.B.1"), (-1, "X.B.2")]
    assert [(c["unit"], c["column"]) for c in answer["columns"]] == [("3A", "3:2"), ("24MK", "1:1")]
    assert (answer["legal"], answer["reason"]) == (True, "")
    assert sum(chance["p"] for chance in answer["chances"]) == pytest.approx(1)
    assert {c["result"]: c["p"] for c in answer["chances"]}["D1"] == pytest.approx(2 / 6)


@pytest.mark.parametrize(
    ("targets", "units", "rule"),
    [
        ("X17", "11A", "III"),
        ("X17", "2AOK", "XIII.A.2"),
        ("X17", "9AOK", "VII.B"),
        ("X17", "6AOK", "VII.A"),
        ("X17 X14", "1Inf", "XIII.A.5"),
        ("X15", "1Inf", "XIII.A.2"),
        ("X17", "52Lt", "XIII.A.2"),
    ],
)
def test_the_odds_query_gives_the_reason(targets: str, units: str, rule: str) -> None:
    s = board(
        {"1Inf": "X16", "2AOK": "W15", "9AOK": "W17 d", "6AOK": "Y17 s", "8A": "X17", "24MK": "X14", "11A": "X18"}
    )
    s.side = AXIS
    answer = attack_preview(s, places(s, targets), numbers(s, units))
    assert (answer["legal"], answer["rule"]) == (False, rule)
    assert answer["reason"]


def test_the_odds_query_knows_of_amphibious_tanks_in_an_attack_being_put_together() -> None:
    s = board({"7Inf": "W19", "24MK": "W20 s"}, turn=1)
    phase(s).do("attack W20", "with 7Inf", "amphibious")
    answer = attack_preview(s, places(s, "W20"), numbers(s, "7Inf"))
    assert [shift["rule"] for shift in answer["shifts"]] == ["XVI.B.1"]


def face(answer: Mapping[str, Any], die: int) -> dict[str, Any]:
    """What a preview says of one face of the die."""
    found: dict[str, Any] = answer["faces"][die - 1]
    assert found["die"] == die
    return found


def test_the_preview_counts_an_armor_overrun() -> None:
    s = board({"24Pz": "X16", "3A": "X17"})
    s.side = AXIS
    answer = attack_preview(s, places(s, "X17"), numbers(s, "24Pz"))
    changed = [u for f in answer["faces"] for u in f["units"] if u["table"] != u["result"]]
    assert changed and all(u["causes"][0]["text"] == "Armor Overrun" for u in changed)
    assert {c["result"] for c in answer["chances"]} == {f["result"] for f in answer["faces"]}


def test_the_preview_knows_the_orders_not_to_retreat_and_what_they_would_change() -> None:
    s = board({"7Inf": "X16", "11A": "X17"})
    s.side = AXIS
    open_still = attack_preview(s, places(s, "X17"), numbers(s, "7Inf"))
    assert face(open_still, 4)["result"] == "D1"
    assert face(open_still, 4)["under_orders"] == ['{unit:11A} holds ("No Retreat!")']
    assert face(open_still, 1)["under_orders"] == ["{unit:11A} holds"], "else it may retreat as well"
    s.hold = 1 << numbers(s, "11A")[0]
    ordered = attack_preview(s, places(s, "X17"), numbers(s, "7Inf"))
    assert face(ordered, 4)["units"][0]["causes"] == [{"text": '"No Retreat!"', "rule": "XIII.B.6"}]
    assert face(ordered, 4)["result"] == "-"
    assert not any(f["under_orders"] for f in ordered["faces"]), "they are given already"


def test_the_preview_tells_each_face_in_words() -> None:
    s = board({"7Inf": "X16", "11A": "X17"})
    s.side = AXIS
    answer = attack_preview(s, places(s, "X17"), numbers(s, "7Inf"))
    assert face(answer, 4)["told"] == ["{unit:11A} must retreat 1 to 4 hexes"]
    assert all(f["told"] for f in answer["faces"])


def test_an_announced_attack_is_looked_at_as_it_stands() -> None:
    s = board({"7Inf": "X16", "11A": "X17"})
    announce(s, "X17: 7Inf")
    assert attack_preview(s, places(s, "X17"), numbers(s, "7Inf"))["legal"]
    s.lift(numbers(s, "11A")[0], ELIMINATED)
    answer = attack_preview(s, places(s, "X17"), numbers(s, "7Inf"))
    assert (answer["legal"], answer["faces"], answer["rule"]) == (True, [], "XIII.A.4")
