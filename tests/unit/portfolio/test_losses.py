"""What an attack costs: the attacker's losses after AE and X, exchanges and who may decline them."""

from __future__ import annotations

import pytest

from rasputitsa.portfolio.model.state import ELIMINATED, POOL
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.exchange import may_decline
from rasputitsa.portfolio.rules.combat.losses import next_losses
from tests.unit.portfolio.board import board, unit_of
from tests.unit.portfolio.fights import THREE_TO_TWO, dispersed, lost, resolve, result, spent, where

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
    said = "Attack on X17: choose the attackers lost in the failed attack, with 8 attack factors or more"
    assert player.asked().prompt(s) == said
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
    said = "Attack on X17: choose the units to be exchanged for attackers of equal strength"
    assert player.asked().prompt(s) == said
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


# ---------------------------------------------------------------- X


def test_x_takes_a_defender_and_attackers_of_its_strength() -> None:
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
