"""XIII.B.6, XIII.C, XIII.D.2, XIII.D.6: results and what they do to each unit."""

from __future__ import annotations

import pytest

from rasputitsa.portfolio.combat import broken_down
from rasputitsa.portfolio.exchange import may_decline
from rasputitsa.portfolio.losses import next_losses
from rasputitsa.portfolio.state import ELIMINATED, POOL, State
from rasputitsa.portfolio.theatre import AXIS, SOVIET
from tests.unit.portfolio_board import board, set_of, unit_of
from tests.unit.portfolio_fights import announce, dispersed, go, resolve, result, spent, where

EVEN = {"7Inf": "X16", "11A": "X17"}  # 4 to 4, open country
THREE_TO_TWO = {"4AOK": "X16", "11A": "X17"}


def lost(s: State, unit: str) -> bool:
    """Whether a unit is off the map."""
    return s.pos[unit_of(s, unit)] < 0


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


# ---------------------------------------------------------------- AE


def test_ae_takes_a_single_attacker() -> None:
    s = board({"1Inf": "X16", "4AOK": "X16", "13A": "X17"})
    player = resolve(s, "X17: 1Inf", [1]).do("stand")  # 3 to 6 is 1:2
    assert lost(s, "1Inf") and where(s, "13A") == "X17"
    assert not dispersed(s, "4AOK"), "it took no part"
    assert player.over()


def test_ae_asks_for_a_set_without_superfluous_units() -> None:
    s = board({"7Inf": "X16", "1Inf": "X16", "5Inf": "W17", "20Inf": "W17", "WestF": "X17", "13MK": "T20"})
    player = resolve(s, "X17: 7Inf 1Inf 5Inf 20Inf", [1])  # 11 to 8 is 1:1, AE for 8 factors
    assert player.options("lose") == {"7Inf", "1Inf", "5Inf", "20Inf"}
    player.do("lose 7Inf")
    # 4 and 3 want one more of 2; 4 and 2 and 2 are enough.
    assert player.options("lose") == {"1Inf", "5Inf", "20Inf"}
    player.do("lose 1Inf")
    assert player.options("lose") == {"5Inf", "20Inf"}
    player.do("lose 20Inf")
    assert player.asked().kind == "may_retreat"
    player.do("stand")
    assert (lost(s, "5Inf"), dispersed(s, "5Inf")) == (False, True)


def test_ae_refuses_a_unit_that_would_make_another_superfluous() -> None:
    s = board({"4AOK": "X16", "RomMtn": "X16", "1Inf": "W17", "13A": "X17", "24MK": "X17"})
    player = resolve(s, "X17: 4AOK RomMtn 1Inf", [1])  # 10 to 7 is 1:1, AE for 7 factors
    player.do("lose RomMtn")
    assert lost(s, "4AOK") and not lost(s, "1Inf"), "only the army can complete it"
    s = board({"7Inf": "X16", "RomMtn": "X16", "1Inf": "W17", "2Inf": "W17", "13A": "X17", "24MK": "X17"})
    player = resolve(s, "X17: 7Inf RomMtn 1Inf 2Inf", [1])  # 11 to 7 is 3:2
    assert result(player, "13A") == "X"
    s = board({"7Inf": "X16", "RomMtn": "X16", "1Inf": "W17", "2Inf": "W17", "13A": "X17", "16MK": "X17"})
    player = resolve(s, "X17: 7Inf RomMtn 1Inf 2Inf", [1])  # 11 to 8, AE for 8 factors
    player.do("lose 7Inf")
    assert player.options("lose") == {"RomMtn", "1Inf", "2Inf"}
    player.do("lose 1Inf")
    assert player.options("lose") == {"RomMtn", "2Inf"}
    s = board({"7Inf": "X16", "5Inf": "X16", "1Inf": "W17", "20Inf": "W17", "11A": "X17", "56RK": "X17"})
    player = resolve(s, "X17: 7Inf 5Inf 1Inf 20Inf", [1])  # 11 to 6 is 3:2
    player.do("exchange 11A", "done", "lose 1Inf")
    assert player.options("lose") == {"5Inf", "20Inf"}
    assert player.rule("lose 7Inf") == "XIII.C.Exchange", "7Inf alone would have been enough"


def test_ae_takes_everybody_when_all_together_are_too_few() -> None:
    s = board({"5Inf": "X16", "20Inf": "X16", "WestF": "X17"})
    resolve(s, "X17: 5Inf 20Inf", [3]).do("stand")  # 4 to 8, AD
    assert dispersed(s, "5Inf")
    s = board({"5Inf": "X16", "20Inf": "X16", "WestF": "X17"})
    resolve(s, "X17: 5Inf 20Inf", [2])
    assert lost(s, "5Inf") and lost(s, "20Inf")


def test_eliminated_units_can_be_built_again_or_are_gone() -> None:
    s = board({"5Inf": "X16", "11AOK": "X16", "WestF": "X17"})
    resolve(s, "X17: 5Inf 11AOK", [2])
    assert s.pos[unit_of(s, "5Inf")] == POOL
    assert s.pos[unit_of(s, "11AOK")] == ELIMINATED


def reachable_sets(af: list[int], need: int) -> set[frozenset[int]]:
    """All sets that picking one unit after another can end with."""
    done: set[frozenset[int]] = set()

    def grow(chosen: frozenset[int]) -> None:
        if sum(af[u] for u in chosen) >= need:
            done.add(chosen)
            return
        rest = [u for u in range(len(af)) if u not in chosen]
        for unit in next_losses(af, sum(1 << u for u in chosen), rest, need):
            grow(chosen | {unit})

    grow(frozenset())
    return done


@pytest.mark.parametrize(
    ("af", "need"),
    [([6, 5, 4, 3, 2, 2, 1], 9), ([1, 1, 1, 1], 2), ([8, 1, 1], 3), ([5, 5, 5], 6), ([2, 3, 4, 6, 6, 1], 13)],
)
def test_losses_offer_exactly_the_sets_without_superfluous_units(af: list[int], need: int) -> None:
    units = range(len(af))
    minimal = set()
    for bits in range(1, 1 << len(af)):
        group = frozenset(u for u in units if bits >> u & 1)
        total = sum(af[u] for u in group)
        if total >= need and all(total - af[u] < need for u in group):
            minimal.add(group)
    assert reachable_sets(af, need) == minimal


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


# ---------------------------------------------------------------- X


def test_x_takes_a_defender_and_attackers_of_his_strength() -> None:
    s = board(THREE_TO_TWO)
    player = resolve(s, "X17: 4AOK", [1])  # 6 to 4
    assert result(player, "11A") == "X"
    assert lost(s, "11A") and lost(s, "4AOK")
    assert "exchanged" in player.kinds() and player.over()


def test_x_lets_the_defender_pick_and_the_rest_may_retreat() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "11A": "X17", "16MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf", [1])  # 9 to 6
    assert player.options() == {"exchange 11A", "exchange 16MK"}
    player.do("exchange 16MK")
    assert player.options() == {"exchange 11A", "done"}
    player.do("done")
    assert player.options("lose") == {"4AOK", "1Inf"}
    player.do("lose 1Inf")
    assert player.options() == {"retreat 11A", "stand"}
    player.do("retreat 11A", "to X18", "halt")
    assert where(s, "11A") == "X18"
    assert where(s, "4AOK") == "X17"


def test_x_that_the_attackers_cannot_pay_for_is_ae() -> None:
    pieces = {"11AOK": "X16", "4A": "X17 d"}
    s = board(pieces, turn=1)  # 2 to 3 is 1:2, surprise makes it 1:1, read at 3:2 against a Dispersed unit
    player = resolve(s, "X17: 11AOK", [1]).do("stand")
    read = [event.args[1] for event in player.events if event.kind == "result"]
    assert read == ["X", "AE"]
    assert not lost(s, "4A") and lost(s, "11AOK")
    s = board({**pieces, "RomMtn": "X16"})  # 3 to 3
    resolve(s, "X17: 11AOK RomMtn", [1])
    assert lost(s, "4A") and lost(s, "11AOK") and lost(s, "RomMtn")


def test_exchanging_the_whole_garrison_costs_the_citys_own_factor_too() -> None:
    s = board({"4AOK": "Q14", "7Inf": "R13", "24MK": "Q13", "13MK": "Q13"})
    player = resolve(s, "Q13: 4AOK", [1])  # 6 to 3 is 2:1
    player.do("exchange 24MK")
    assert player.options() == {"exchange 13MK", "done"}
    player.do("done")
    assert lost(s, "24MK") and lost(s, "4AOK")


def test_germans_pay_before_their_allies() -> None:
    s = board({"7Inf": "X16", "3RomA": "X16", "3A": "X17", "13MK": "X17"})
    player = resolve(s, "X17: 7Inf 3RomA", [1])  # 6 to 3
    player.do("exchange 3A", "done")
    assert lost(s, "7Inf") and not lost(s, "3RomA")


def test_allies_pay_when_the_germans_are_not_enough() -> None:
    s = board({"5Inf": "X16", "3RomA": "X16", "RomMtn": "W17", "8A": "X17"})
    player = resolve(s, "X17: 5Inf 3RomA RomMtn", [1])  # 5 to 3
    assert lost(s, "5Inf")
    assert player.options("lose") == {"3RomA", "RomMtn"}
    player.do("lose RomMtn")
    assert not lost(s, "3RomA")


def test_when_ae_is_read_the_losses_pay_for_the_exchange_of_a_dispersed_unit() -> None:
    s = board({"7Inf": "X16", "8A": "X17 d", "24MK": "X17"})  # 4 to 4: AE, Dispersed X
    player = resolve(s, "X17: 7Inf", [1])
    assert (result(player, "24MK"), result(player, "8A")) == ("AE", "X")
    assert lost(s, "7Inf") and lost(s, "8A") and not lost(s, "24MK")


# ---------------------------------------------------------------- declining an exchange


@pytest.mark.parametrize(
    ("unit", "hex_", "weather", "may"),
    [
        ("1Inf", "X17", "good", True),
        ("1Inf", "X17", "hard_frost", True),
        ("1Inf", "X17", "mud", True),
        ("1Inf", "X17", "snow", False),
        ("1Inf", "NN17", "snow", True),
        ("1Inf", "L14", "snow", False),
        ("2Fin", "X17", "good", True),
        ("2Fin", "X17", "snow", True),
        ("11A", "X17", "good", False),
        ("11A", "X17", "hard_frost", False),
        ("11A", "X17", "mud", True),
        ("11A", "X17", "snow", True),
        ("11A", "L14", "good", True),
        ("11A", "NN17", "good", False),
        ("3RomA", "X17", "good", False),
        ("3RomA", "X17", "mud", False),
    ],
)
def test_who_may_decline_an_exchange(unit: str, hex_: str, weather: str, may: bool) -> None:
    s = board({unit: hex_}, weather=weather)
    assert may_decline(s, unit_of(s, unit)) is may


def test_allies_stacked_with_germans_may_decline() -> None:
    s = board({"3RomA": "X17", "1Inf": "X17"})
    assert may_decline(s, unit_of(s, "3RomA"))


def test_declining_x_is_d1() -> None:
    s = board({"1Shk": "X18", "7Inf": "X17", "16MK": "W18"})  # 7 to 4 is 3:2
    player = resolve(s, "X17: 1Shk 16MK", [1], SOVIET)
    assert player.options() == {"exchange 7Inf", "decline"}
    player.do("decline", "to X16", "halt")
    assert where(s, "7Inf") == "X16" and spent(s, "7Inf")
    assert not lost(s, "1Shk")


def test_declining_dx_is_d4() -> None:
    s = board({"WestF": "X18", "7Inf": "X17"})  # 8 to 4 is 2:1
    player = resolve(s, "X17: WestF", [6], SOVIET)
    assert player.options() == {"exchange_first", "refrain"}
    player.do("exchange_first")
    assert player.options() == {"exchange 7Inf", "decline"}
    player.do("decline")
    assert dispersed(s, "7Inf")
    player.do("halt")
    assert not lost(s, "WestF")


def test_dx_without_exchange_is_d4() -> None:
    s = board(THREE_TO_TWO)
    player = resolve(s, "X17: 4AOK", [6]).do("refrain")
    assert dispersed(s, "11A") and player.asked().kind == "retreat"


def test_soviets_do_not_decline_in_good_weather() -> None:
    s = board({"4AOK": "X16", "1Inf": "X16", "11A": "X17", "16MK": "X17"})
    player = resolve(s, "X17: 4AOK 1Inf", [1])
    assert player.rule("decline") == "XIII.C.Decline"
    assert player.rule("done") == "XIII.C.Exchange"


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
        ({"8A": "X17"}, "39Pz", 6, "good", "DE"),  # 6 against 3: 2:1 DX becomes DE
        ({"8A": "X17"}, "40Pz 1Inf", 6, "good", "DX"),  # five of armor are less than twice three
        ({"16MK": "X17"}, "24Pz", 5, "good", "DX"),  # mechanized defenders are not overrun
        ({"11A": "X17 d"}, "40Pz", 6, "good", "DE"),  # Dispersed count once: 5 against 4, read at 3:2
        ({"1TG": "X17", "24MK": "X17"}, "24Pz", 6, "good", "DX"),
    ],
)
def test_overrun(pieces: dict[str, str], attackers: str, die: int, weather: str, found: str) -> None:
    s = board({**dict.fromkeys(attackers.split(), "X16"), **pieces}, weather=weather, turn=8)
    player = resolve(s, f"X17: {attackers}", [die])
    assert result(player, next(iter(pieces))) == found


def test_overrun_strikes_the_infantry_of_a_mixed_stack_only() -> None:
    s = board({"24Pz": "X16", "4PzG": "X16", "3A": "X17", "24MK": "X17"})  # 12 to 3, needs 6
    player = resolve(s, "X17: 24Pz 4PzG", [4])  # 4:1 DX
    assert (result(player, "3A"), result(player, "24MK")) == ("DE", "DX")


def test_defending_armor_is_taken_off_the_attacking_armor() -> None:
    s = board({"24Pz": "X16", "3A": "X17", "1TG": "X17"})  # 6 to 4; 6 less 2 against 4: enough
    player = resolve(s, "X17: 24Pz", [6])
    assert (result(player, "3A"), result(player, "1TG")) == ("DE", "DX")
    s = board({"40Pz": "X16", "1Inf": "X16", "3A": "X17", "1TG": "X17"})  # 5 less 2 against 4
    assert result(resolve(s, "X17: 40Pz 1Inf", [6]), "3A") == "DX"


@pytest.mark.parametrize(
    ("target", "start", "attackers", "die", "found"),
    [
        ("Q8", "Q9", "24Pz 4PzG", 3, "DX"),  # major city: 12 to 3
        ("L14", "L15", "24Pz 7Inf", 2, "DX"),  # swamp: 10 to 2
        ("L15", "L16", "24Pz 4PzG", 3, "DX"),  # hills: 12 to 3
        ("X17", "X16", "24Pz 4PzG", 2, "DE"),  # in the open: 12 to 2, DX made DE
    ],
)
def test_no_overrun_in_cities_swamp_and_hills(target: str, start: str, attackers: str, die: int, found: str) -> None:
    s = board({**dict.fromkeys(attackers.split(), start), "56RK": target})
    reckoned = resolve(s, f"{target}: {attackers}", [die])
    assert result(reckoned, "56RK") == found


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
