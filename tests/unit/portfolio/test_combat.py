"""XIII.B.6, XIII.C, XIII.D.2, XIII.D.6: results and what they do to each unit."""

from __future__ import annotations

import pytest

from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.special_results import broken_down
from tests.unit.portfolio.board import board, set_of, unit_of
from tests.unit.portfolio.fights import EVEN, announce, dispersed, go, lost, resolve, result, spent, where

# ---------------------------------------------------------------- VII.B each unit for itself


def test_a_die_of_three_at_three_to_two_spends_one_unit_and_drives_off_the_dispersed_one() -> None:
    s = board({"1Inf": "X16", "24MK": "X17", "13MK": "X17 d"})
    player = resolve(s, "X17: 1Inf", [3])
    assert (result(player, "24MK"), result(player, "13MK")) == ("S", "D1")


@pytest.mark.parametrize(
    ("pieces", "attackers", "die", "fate"),
    [
        ({"24MK": "X17", "13MK": "X17 d"}, "5Inf", 1, "lost"),  # AE, Dispersed X
        ({"24MK": "X17", "13MK": "X17 d"}, "1Inf", 2, "Dispersed"),  # AD, Dispersed S
        ({"24MK": "X17", "13MK": "X17 d"}, "5Inf", 3, "unharmed"),  # S, Dispersed S
        ({"24MK": "X17 d", "13MK": "X17 d"}, "1Inf", 2, "unharmed"),  # both are read at 2:1: S
        ({"24MK": "X17 d", "13MK": "X17 d"}, "5Inf", 2, "Dispersed"),  # both are read at 3:2: AD
    ],
)
def test_the_attackers_suffer_the_lowest_column(pieces: dict[str, str], attackers: str, die: int, fate: str) -> None:
    s = board({**dict.fromkeys(attackers.split(), "X16"), **pieces})
    player = resolve(s, f"X17: {attackers}", [die])
    while player.asked().kind == "may_retreat":
        player.do("stand")
    assert {"lost": lost(s, attackers), "Dispersed": dispersed(s, attackers)}.get(fate, spent(s, attackers))


def test_a_mixed_de_and_br_gives_no_breakthrough() -> None:
    s = board({"7Inf": "X16", "5Inf": "X16", "24MK": "X17", "13MK": "X17 d", "8A": "X18"})
    player = resolve(s, "X17: 7Inf 5Inf", [6])
    player.do("advance 7Inf")
    assert "attack" not in {text.split()[0] for text in player.options()}


def test_each_hex_of_an_attack_is_read_in_its_own_column() -> None:
    s = board({"7Inf": "W19", "24MK": "W20", "13MK": "X18"})  # 2:1, across the river 3:2
    player = resolve(s, "W20 X18: 7Inf", [3])
    assert (result(player, "13MK"), result(player, "24MK")) == ("D1", "S")


# ---------------------------------------------------------------- AD and S


def test_ad_disperses_the_attackers() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [2]).do("stand")
    assert result(player, "11A") == "AD"
    assert dispersed(s, "7Inf") and not spent(s, "11A")
    assert player.over()


def test_ad_is_void_when_all_defenders_leave_of_their_own_accord() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [2]).do("retreat 11A", "to X18", "halt")
    assert where(s, "11A") == "X18" and spent(s, "11A")
    assert not dispersed(s, "7Inf")
    assert where(s, "7Inf") == "X17", "it must advance, and alone has no choice"
    assert player.over()


def test_ad_stands_when_one_defender_stays() -> None:
    s = board({**EVEN, "24MK": "X17", "1Inf": "X16"})
    player = resolve(s, "X17: 7Inf 1Inf", [2]).do("retreat 11A", "to X18", "halt", "stand")
    assert dispersed(s, "7Inf") and dispersed(s, "1Inf")
    assert player.over()


def test_s_spends_the_defenders_and_lets_them_go() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [3])
    assert spent(s, "11A")
    assert player.options() == {"retreat 11A", "stand"}
    player.do("stand")
    assert spent(s, "7Inf") and not dispersed(s, "11A")


def test_s_leaves_a_dispersed_unit_dispersed() -> None:
    s = board({"7Inf": "X16", "11A": "X17 d"})
    player = resolve(s, "X17: 7Inf", [3])  # 3:2, still S
    assert result(player, "11A") == "S"
    assert dispersed(s, "11A") and not spent(s, "11A")


# ---------------------------------------------------------------- D1


def test_d1_of_one_or_two_hexes_spends_three_or_four_disperse() -> None:
    for steps, flipped in ((1, False), (2, False), (3, True), (4, True)):
        s = board(EVEN)
        player = resolve(s, "X17: 7Inf", [4]).do("to X18")
        for n in range(2, steps + 1):
            if n == 3:
                player.do("continue")
            player.do(f"to X{17 + n}")
        if steps < 4:
            player.do("halt")
        assert where(s, "11A") == f"X{17 + steps}"
        assert (dispersed(s, "11A"), spent(s, "11A")) == (flipped, not flipped)


def test_d1_must_be_obeyed() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [4])
    assert player.asked().kind == "retreat"
    assert player.rule("halt") == "XIII.D.1"


def test_d1_leaves_a_dispersed_unit_dispersed() -> None:
    s = board({"7Inf": "X16", "11A": "X17 d"})
    player = resolve(s, "X17: 7Inf", [4]).do("to X18", "halt")
    assert result(player, "11A") == "D1"
    assert dispersed(s, "11A") and not spent(s, "11A")


# ---------------------------------------------------------------- D4, DX, DE, BR


def test_d4_goes_as_far_as_the_attacker_likes_and_disperses() -> None:
    s = board(EVEN)
    player = resolve(s, "X17: 7Inf", [6])
    assert dispersed(s, "11A")
    player.do("halt")
    assert where(s, "11A") == "X17" and player.over(), "nothing is vacated, nobody advances"


def test_de_eliminates_and_the_attackers_advance() -> None:
    s = board({"4AOK": "X16", "16MK": "X17"})
    player = resolve(s, "X17: 4AOK", [6])
    assert result(player, "16MK") == "DE" and lost(s, "16MK")
    assert where(s, "4AOK") == "X17" and player.over()


def test_br_lets_the_attackers_attack_again() -> None:
    s = board({"4AOK": "X16", "24MK": "X17", "13MK": "X18"})
    player = resolve(s, "X17: 4AOK", [6])
    assert player.asked().kind == "breakthrough"
    assert player.options() == {"attack X18", "done"}


# ---------------------------------------------------------------- surrounded and "No Retreat!"


def surround(attackers: str = "7Inf") -> State:
    """11A at X17, ringed by Axis zones of control."""
    ring = {"1Inf": "X18", "2Inf": "W18", "5Inf": "Y17", "12Inf": "Y18"}
    s = board({**ring, "11A": "X17"})
    for unit, hex_ in zip(attackers.split(), ("X16", "W17", "X16"), strict=False):
        s.place(unit_of(s, unit), s.rules.grid.index(hex_))
    return s


@pytest.mark.parametrize(("die", "found"), [(4, "-"), (5, "-"), (6, "DE"), (3, "S"), (2, "AD")])
def test_results_against_a_surrounded_unit(die: int, found: str) -> None:
    player = resolve(surround(), "X17: 7Inf", [die])
    assert result(player, "11A") == found


def test_de_against_a_surrounded_unit_is_a_breakthrough() -> None:
    s = surround("4AOK 6AOK 7Inf")
    player = resolve(s, "X17: 4AOK 6AOK 7Inf", [6])  # 15 to 4 is 3:1
    assert result(player, "11A") == "BR"


def test_d1_without_effect_does_not_even_spend() -> None:
    s = surround()
    resolve(s, "X17: 7Inf", [4])
    assert where(s, "11A") == "X17" and not spent(s, "11A") and not dispersed(s, "11A")


@pytest.mark.parametrize(("die", "found"), [(4, "-"), (5, "-"), (6, "DE")])
def test_results_against_a_unit_under_no_retreat_orders(die: int, found: str) -> None:
    s = board(EVEN)
    s.hold = set_of(s, "11A")
    assert result(resolve(s, "X17: 7Inf", [die]), "11A") == found


def test_a_unit_under_no_retreat_orders_does_not_leave_after_s() -> None:
    s = board({**EVEN, "24MK": "X17", "1Inf": "X16"})
    s.hold = set_of(s, "11A")
    player = resolve(s, "X17: 7Inf 1Inf", [3])
    assert player.options() == {"retreat 24MK", "stand"}
    assert player.rule("retreat 11A") == "XIII.B.6"


# ---------------------------------------------------------------- overrun


@pytest.mark.parametrize(
    ("pieces", "attackers", "die", "weather", "found"),
    [
        ({"3A": "X17"}, "24Pz", 4, "good", "D4"),  # 3:1, no DX to turn
        ({"3A": "X17"}, "24Pz", 5, "good", "DE"),  # 6 against 2: DX becomes DE
        ({"3A": "X17"}, "24Pz", 6, "good", "BR"),  # DE becomes BR
        ({"3A": "X17"}, "24Pz", 5, "hard_frost", "DE"),
        ({"3A": "X17"}, "24Pz", 5, "mud", "DX"),
        ({"3A": "X17"}, "24Pz", 5, "snow", "DX"),
        ({"8A": "X17"}, "39Pz", 6, "good", "DE"),  # 7 against 3: 2:1 DX becomes DE
        ({"8A": "X17"}, "2PzG 1Inf", 6, "good", "DX"),  # four of armor are less than twice three
        ({"16MK": "X17"}, "24Pz", 5, "good", "DX"),  # mechanized defenders are not overrun
        ({"11A": "X17 d"}, "40Pz", 6, "good", "DE"),  # Dispersed count once: 6 against 4, read at 2:1
        ({"1TG": "X17", "24MK": "X17"}, "24Pz", 6, "good", "DX"),
    ],
)
def test_overrun(pieces: dict[str, str], attackers: str, die: int, weather: str, found: str) -> None:
    s = board({**dict.fromkeys(attackers.split(), "X16"), **pieces}, weather=weather, turn=8)
    player = resolve(s, f"X17: {attackers}", [die])
    assert result(player, next(iter(pieces))) == found


def test_overrun_strikes_the_infantry_of_a_mixed_stack_only() -> None:
    s = board({"24Pz": "X16", "4PzG": "X16", "3A": "X17", "24MK": "X17"})  # 13 to 3, needs 6
    player = resolve(s, "X17: 24Pz 4PzG", [4])  # 4:1 DX
    assert (result(player, "3A"), result(player, "24MK")) == ("DE", "DX")


def test_defending_armor_is_taken_off_the_attacking_armor() -> None:
    s = board({"24Pz": "X16", "39Pz": "X16", "3A": "X17", "1TG": "X17"})  # 13 less 2 against twice 4: enough
    player = resolve(s, "X17: 24Pz 39Pz", [5])
    assert (result(player, "3A"), result(player, "1TG")) == ("DE", "DX")
    s = board({"24Pz": "X16", "3A": "X17", "1TG": "X17"})  # 6 less 2 against twice 4
    assert result(resolve(s, "X17: 24Pz", [6]), "3A") == "DX"


@pytest.mark.parametrize(
    ("target", "start", "attackers", "die", "found"),
    [
        ("Q8", "Q9", "24Pz 4PzG", 3, "DX"),  # major city: 13 to 3
        ("L14", "L15", "24Pz 7Inf", 2, "DX"),  # swamp: 10 to 2
        ("L15", "L16", "24Pz 4PzG", 3, "DX"),  # hills: 13 to 3
        ("X17", "X16", "24Pz 4PzG", 2, "DE"),  # in the open: 13 to 2, DX made DE
    ],
)
def test_no_overrun_in_cities_swamp_and_hills(target: str, start: str, attackers: str, die: int, found: str) -> None:
    s = board({**dict.fromkeys(attackers.split(), start), "56RK": target})
    resolved = resolve(s, f"{target}: {attackers}", [die])
    assert result(resolved, "56RK") == found


def test_soviet_armor_overruns_in_snow() -> None:
    s = board({"1GTG": "X18", "2TK": "X18", "3RomA": "X17"}, weather="snow", turn=10)
    player = resolve(s, "X17: 1GTG 2TK", [5], SOVIET)  # 6 to 2 is 3:1, DX
    assert result(player, "3RomA") == "DE"


def test_armor_without_fuel_does_not_overrun() -> None:
    s = board({"24Pz": "X16", "3A": "X17"})
    s.fuel_short = set_of(s, "24Pz")
    assert result(resolve(s, "X17: 24Pz", [5]), "3A") == "DX"


def test_fuel_lines_reopened_at_that_instant_count() -> None:
    s = board({"24Pz": "P4", "3A": "P5"})  # at the border, lines to Ploesti open
    s.fuel_short = set_of(s, "24Pz")
    player = resolve(s, "P5: 24Pz", [5])
    assert result(player, "3A") == "DE"


def test_a_river_does_not_prevent_an_overrun() -> None:
    s = board({"24Pz": "W19", "4PzG": "W19", "3A": "W20"})  # 12 to 2 is 5:1, the river makes it 4:1
    assert result(resolve(s, "W20: 24Pz 4PzG", [4]), "3A") == "DE"


# ---------------------------------------------------------------- breakdown


@pytest.mark.parametrize(
    ("side", "reserve", "worst"),
    [(AXIS, 0, 0), (AXIS, 1, 2), (AXIS, 3, 4), (SOVIET, 0, 0), (SOVIET, 1, 3), (SOVIET, 2, 4)],
)
def test_breakdown_dice(side: int, reserve: int, worst: int) -> None:
    s = board()
    s.side, s.reserve = side, reserve
    assert [die for die in range(1, 7) if broken_down(s, die)] == list(range(1, worst + 1))


def test_breakdown_disperses_armor_after_its_advance_and_ends_the_breakthrough() -> None:
    s = board({"24Pz": "X16", "4AOK": "X16", "24MK": "X17", "8A": "X18"})
    s.reserve = 1
    player = resolve(s, "X17: 24Pz 4AOK", [2])  # 12 to 1 is 10:1: BR, and 2 breaks armor down
    player.do("advance 24Pz", "halt", "done")
    assert where(s, "24Pz") == "X17" and dispersed(s, "24Pz")
    assert not dispersed(s, "4AOK"), "infantry does not break down"
    assert player.over(), "24Pz is Dispersed, 4AOK has stayed away from 8A"


def test_without_breakdown_the_armor_attacks_again() -> None:
    s = board({"24Pz": "X16", "4AOK": "X16", "24MK": "X17", "8A": "X18"})
    s.reserve = 1
    player = resolve(s, "X17: 24Pz 4AOK", [3]).do("advance 24Pz", "halt", "done")
    assert player.options("attack") == {"X18"}


# ---------------------------------------------------------------- afterwards


def test_attackers_are_spent_and_never_attack_twice() -> None:
    s = board({**EVEN, "24MK": "W17"})
    player = resolve(s, "X17: 7Inf", [3]).do("stand")
    assert spent(s, "7Inf") and s.attacked == set_of(s, "7Inf")
    assert player.over()


def test_a_wave_whose_odds_have_fallen_lapses() -> None:
    s = board({"RomMtn": "X16", "11A": "X17"})  # 1 to 4
    announce(s, "X17: RomMtn")
    s.place(unit_of(s, "24MK"), s.rules.grid.index("X17"))  # 1 to 5
    player = go(s, 1, [])
    assert "lapsed" in player.kinds() and s.attacks[0].state == "lapsed"
    assert s.attacked == set_of(s, "RomMtn"), "its unit is Spent all the same"


def test_a_later_wave_follows_up_into_the_hex_an_earlier_one_has_cleared() -> None:
    s = board({"4AOK": "X16", "39Pz": "W17", "16MK": "X17"})
    announce(s, "X17: 4AOK", "X17: 39Pz")
    assert go(s, 1, [6]).over()  # 6 to 2, DE
    assert where(s, "4AOK") == "X17"
    player = go(s, 2, [])
    assert "follow_up" in player.kinds()
    assert player.options() == {"advance 39Pz", "done"}, "it need not"
    player.do("advance 39Pz", "to X17", "to X18", "halt")
    assert where(s, "39Pz") == "X18" and spent(s, "39Pz")


def test_an_attack_goes_on_against_the_hexes_that_are_left() -> None:
    s = board({"4AOK": "X16", "7Inf": "X16", "16MK": "X17", "24MK": "W17"})
    announce(s, "X17: 4AOK", "X17 W17: 7Inf")
    assert go(s, 1, [6]).over()
    player = go(s, 2, [3])  # 4 to 1 is 4:1: DX
    assert result(player, "24MK") == "DX"
    player.do("refrain", "halt")
    assert player.options() == {"advance 7Inf", "done"}, "into X17, which it was meant for too"
