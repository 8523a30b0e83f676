"""IX.B: the Siberian Reserve and its roulette."""

from __future__ import annotations

import pytest

from rasputitsa.core.errors import NotationError
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import replacements, siberia
from rasputitsa.portfolio.rules.turn import victory
from tests.unit.portfolio.board import Player, board, hexes, ids, unit_of, within

GAME = PortfolioGame()


def phase(s: State, dice: tuple[int, ...] = (), turn: int | None = None) -> Player:
    """The Soviet phase of a turn."""
    if turn is not None:
        s.turn = turn
    s.side = SOVIET
    player = Player(s, dice)
    replacements.begin(s, SOVIET, player.play)
    return player.settle()


def called(turn: int = 4, dice: tuple[int, ...] = (), **options: str) -> Player:
    """The reserve called in early."""
    return phase(board({}, turn=turn, **options), dice).do("siberia")


# ---------------------------------------------------------------- IX.B.1 when


def test_it_is_called_in_once() -> None:
    player = phase(board({}, turn=4))
    assert "siberia" in player.options()
    player.do("siberia")
    assert player.s.siberia == (4,)
    assert player.rule("siberia") == "IX.B.1"


def test_only_the_soviet_player_calls_it() -> None:
    s = board({}, turn=4)
    s.side = AXIS
    player = Player(s)
    replacements.begin(s, AXIS, player.play)
    player.settle()
    assert player.rule("siberia") == "IX.B.1"
    assert player.rule("reinforce 1Shk") == "IX.B.2"


def test_it_comes_by_itself_on_21_december() -> None:
    s = board({}, turn=9)
    assert phase(s).options() >= {"siberia"}
    s = board({})
    assert phase(s, turn=9).do("done").over()
    assert not s.siberia
    player = phase(s, turn=10)
    assert s.siberia == (10,)
    assert s.siberia_points == (7, 0, 0)
    prompt = player.asked().prompt(s)
    assert "infantry, from Siberia 7 armor; " in prompt, "what can be spent is told"
    assert "siberia" not in player.options()
    assert player.do("done").over()  # no roulette


def test_three_instalments_in_three_turns() -> None:
    s = board({})
    got = []
    for turn in range(10, 15):
        player = phase(s, turn=turn)
        got.append((s.siberia_points, ids(s, siberia.released(s))))
        player.do("done")
    assert got[0] == ((7, 0, 0), {"1Shk", "3Shk"})
    assert got[1] == ((4, 0, 0), {"1Shk", "3Shk", "2Shk", "4Shk"})  # those not brought in may still come
    assert got[2] == ((0, 6, 1), {"1Shk", "3Shk", "2Shk", "4Shk"})
    assert s.siberia == (10, 11, 12)
    assert got[4][0] == (0, 0, 1)


# ---------------------------------------------------------------- IX.B.2 what


def test_the_first_instalment() -> None:
    player = called()
    assert {"1Shk", "3Shk", "1TG", "28MK", "13MK"} <= player.options("reinforce")
    assert not {"2Shk", "4Shk", "29A", "3KK", "WestF"} & player.options("reinforce")
    assert player.rule("reinforce 2Shk") == "IX.B.2"
    assert player.rule("reinforce 29A") == "IX.B.2"
    assert player.rule("reinforce 3KK") == "IX.B.2"
    assert player.rule("reinforce 1Inf") == "IX.B.2"


def test_shock_armies_cost_nothing_and_armor_its_points() -> None:
    player = called().do("reinforce 1Shk", "at R19")
    assert player.s.siberia_points == (7, 0, 0)
    player.do("reinforce 28MK", "at Q18", "reinforce 1GTG", "at Q17")
    assert player.s.siberia_points == (1, 0, 0)
    assert player.options("reinforce") >= {"13MK", "3Shk"}
    reason = "1. TankGr costs 2; the instalment has 1 armor and 0 infantry left"
    assert player.refused("reinforce 1TG") == (reason, "IX.B.2")


def test_the_third_instalment_gives_infantry_and_one_cavalry_corps() -> None:
    s = board({})
    for turn in (10, 11):
        phase(s, turn=turn).do("done")
    player = phase(s, turn=12)
    assert {"29A", "NWF", "3KK", "17CosK", "42RK"} <= player.options("reinforce")
    assert not {"WestF", "1TG"} & player.options("reinforce")  # 8 points; armor
    player.do("reinforce 17CosK", "at Q18")
    assert s.siberia_points == (0, 6, 0)
    assert not {"3KK", "4KK"} & player.options("reinforce")
    assert player.rule("reinforce 3KK") == "IX.B.2"
    player.do("reinforce 29A", "at Q17", "reinforce 30A", "at Q16")
    assert s.siberia_points == (0, 0, 0)


def test_a_shock_army_lost_comes_back_as_a_replacement_only() -> None:
    player = called().do("reinforce 1Shk", "at R19", "eliminate 1Shk")
    s = player.s
    assert s.pos[unit_of(s, "1Shk")] == POOL
    assert player.rule("reinforce 1Shk") == "IX.B.2"
    s.armor_points[SOVIET], s.infantry_points[SOVIET] = 0, 4
    player.do("replace 1Shk", "at Q19")  # one of the Siberian armor points
    assert s.siberia_points == (6, 0, 0)
    assert s.infantry_points[SOVIET] == 0


def test_extra_points_are_replacement_points() -> None:
    player = called()
    s = player.s
    s.armor_points[SOVIET] = 2
    player.do("replace 5MK", "at Q19")  # four armor points: two saved, two Siberian
    assert (s.armor_points[SOVIET], s.siberia_points[0]) == (0, 5)
    assert ids(s, s.dispersed) == {"5MK"}
    player.do("done")
    assert (s.armor_points[SOVIET], s.siberia_points) == (5, (0, 0, 0))
    assert "siberia_saved" in player.kinds()


def test_no_shock_army_before_its_instalment() -> None:
    s = board({}, turn=4)
    s.armor_points[SOVIET] = s.infantry_points[SOVIET] = 20
    player = phase(s)
    assert s.pos[unit_of(s, "1Shk")] == LOCKED
    assert not {"1Shk", "2Shk", "3Shk", "4Shk"} & player.options("replace")
    assert player.rule("replace 1Shk") == "IX.B.2"
    assert player.rule("reinforce 1Shk") == "IX.B.1"


@pytest.mark.parametrize("kind", ["reach", "route"])
def test_nobody_marches_in_siberia(kind: str) -> None:
    with pytest.raises(NotationError, match="in the same hex of the map"):
        GAME.query(board({}, turn=4), "soviet", kind, {"units": ["1Shk"], "to": "Q19"})


def test_who_waits_in_siberia_attacks_nobody() -> None:
    s = board({"39Pz": "V23", "8A": "V22"}, turn=4)
    s.side = SOVIET
    told = GAME.query(s, "soviet", "odds", {"targets": ["V23"], "units": ["8A", "1Shk"]})
    alone = GAME.query(s, "soviet", "odds", {"targets": ["V23"], "units": ["8A"]})
    assert alone["legal"]
    assert (told["legal"], told["rule"]) == (False, "XIII.A.2"), told["reason"]


def test_who_waits_in_siberia_is_not_lost() -> None:
    s = board({"8A": "V22"}, turn=4)
    lost = GAME.query(s, "soviet", "losses", {})["soviet"]["units_lost"]
    assert "1Shk" not in lost
    s.lift(unit_of(s, "1Shk"), ELIMINATED)
    assert set(GAME.query(s, "soviet", "losses", {})["soviet"]["units_lost"]) == {*lost, "1Shk"}


def test_pools_say_who_waits_in_siberia_and_why() -> None:
    pools = GAME.query(board({}, turn=4), "soviet", "pools", {"side": "soviet"})["units"]
    shock = next(unit for unit in pools if unit["id"] == "1Shk")
    assert (shock["where"], shock["replace"], shock["reinforce"], shock["rule"]) == ("siberia", False, False, "IX.B.2")


# ---------------------------------------------------------------- IX.B.4, IX.B.5 how and where


def test_reinforcements_are_ready_at_once() -> None:
    player = called().do("reinforce 1Shk", "at R19")
    s = player.s
    assert s.dispersed == s.spent == 0
    assert ids(s, s.entered) == {"1Shk"}
    assert player.rule("sea 1Shk") == "VIII.B"


def test_several_may_arrive_in_one_hex() -> None:
    player = called().do("reinforce 1Shk", "at R19", "reinforce 1TG", "at R19")
    assert s_at(player.s, "R19") == {"1Shk", "1TG"}
    assert player.s.arrived == 0
    player.do("reinforce 13MK")
    assert player.rule("at R19") == "XII"
    player.do("back", "reinforce 3Shk")
    assert "R19" not in player.options("at")


def s_at(s: State, where: str) -> set[str]:
    return ids(s, s.at.get(s.rules.grid.index(where), ()))


def test_they_enter_anywhere_on_the_rails() -> None:
    s = board({"39Pz": "P13", "8A": "S20", "11A": "T22", "3MK": "T22"}, axis="P13 N13", turn=4)
    s.control |= within(s, "BB15", 2) & ~hexes(s, "BB15")
    player = phase(s).do("siberia", "reinforce 1Shk")
    assert {"R19", "C20", "A25"} <= player.options("at")
    assert player.rule("at N13") == "IX.B.5"  # enemy-held
    assert player.rule("at Q13") == "VIII.A.1"  # an enemy zone
    assert player.rule("at BB15") == "IX.B.5"  # cut off
    assert player.rule("at S20") == "XII"  # an army is there, and nobody steps aside
    assert player.rule("at T22") == "XII"
    player.do("back", "reinforce 1TG", "at S20")
    assert s_at(s, "S20") == {"8A", "1TG"}


def test_the_commander_brings_them_in() -> None:
    s = board({}, turn=4, players="4")
    player = phase(s).do("siberia", "reinforce 2TG")
    assert s.rules.seats[player.asked().seat(s)].id == "soviet_north"  # a southern unit
    player.do("at R19", "done")
    assert player.rule("reinforce 1Shk") == "II"


# ---------------------------------------------------------------- IX.B.3 the gamble


@pytest.mark.parametrize("die", range(1, 7))
def test_the_axis_wins_on_its_number(die: int) -> None:
    player = called(dice=(die,)).do("done")
    s = player.s
    assert s.rules.seats[player.asked().seat(s)].id == "axis"
    assert player.options() == {f"pick {n}" for n in range(1, 7)}
    assert player.rule("pick 7") == "IX.B.3"
    player.do("pick 3")
    assert s.secret == 3
    assert s.rules.seats[player.asked().seat(s)].id == "soviet"
    assert player.options() == {"cast"}
    assert not any(3 in event.args for event in player.events if event.kind == "picked")
    player.do("cast")
    assert s.secret == 0
    assert player.dice.drawn[-1] == ("siberia", die, 6)
    if die == 3:
        assert s.outcome is not None
        assert (s.outcome.winner, s.outcome.rule) == ("axis", "IX.B.3")
        assert victory.ending(s) == s.outcome.reason
    else:
        assert s.outcome is None
        assert player.over()


def rolls(first: int, roulette: str = "global") -> list[int]:
    """The turns with a roll, when the reserve is called in on some turn."""
    s = board({}, roulette=roulette)
    found = []
    for turn in range(first, 14):
        player = phase(s, (6,), turn)
        if turn == first and not s.siberia:
            player.do("siberia")
        player.do("done")
        if not player.over():
            found.append(turn)
            player.do("pick 1", "cast")
    return found


def test_a_roll_every_turn_until_the_safe_one() -> None:
    assert rolls(4) == [4, 5, 6, 7, 8, 9]
    assert rolls(9) == [9]
    assert rolls(10) == []


def test_the_question_says_that_the_die_follows() -> None:
    """A player who presses the main button knows that it leads to the gamble."""
    player = phase(board({}, turn=4))
    assert player.asked().prompt(player.s).endswith("Give an order, or finish")
    player.do("siberia")
    assert player.asked().prompt(player.s).endswith("Give an order, or finish and cast the Siberian die")
    safe = phase(board({}, turn=10))
    assert safe.s.siberia
    assert safe.asked().prompt(safe.s).endswith("Give an order, or finish")


def test_a_safe_turn_for_each_instalment_by_option() -> None:
    assert rolls(4, roulette="per_instalment") == [4, 5, 6, 7, 8, 9, 10, 11]
    assert rolls(9, roulette="per_instalment") == [9, 10, 11]
    assert rolls(10, roulette="per_instalment") == []


def test_dead_siberians_do_not_end_the_gamble() -> None:
    player = called(dice=(6,)).do("reinforce 1Shk", "at R19", "eliminate 1Shk", "done")
    assert player.options("pick")
