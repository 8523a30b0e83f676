"""IV, XVI.A: who has won, and when the game is stopped."""

from __future__ import annotations

import pytest

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.portfolio.model.frames import Context, push
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.turn import victory
from tests.unit.portfolio.board import Player, board, hexes, names, within

# Rows of land that join the German edge to cities deep in Russia.
TO_SMOLENSK = "Q2-Q13"
TO_MOSCOW = "Q2-Q19"
TO_GORKY = "Q2-Q26"


def checked(s: State, side: int) -> State:
    victory.check(s, side, Context(ScriptedDice([])))
    return s


def points(s: State) -> int:
    return int(victory.tally(s)["points"])


def test_at_the_start_nobody_has_won() -> None:
    s = board({})
    assert points(s) == 0
    assert checked(s, AXIS).outcome is None
    assert checked(s, SOVIET).outcome is None


def test_each_victory_city_says_whether_it_is_held() -> None:
    s = board({})
    s.control |= hexes(s, TO_MOSCOW)
    told = victory.tally(s)
    assert 0 < len(told["held"]) < len(told["cities"])
    assert {city["hex"] for city in told["cities"] if city["held"]} == set(told["held"])


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        (TO_SMOLENSK, 1),
        (TO_MOSCOW, 3),  # Moscow counts two
        (TO_GORKY, 4),
        (f"{TO_GORKY} R15 S15 T15 U15 V15 W15 X15 Y15-Y19", 5),  # Voronezh
    ],
)
def test_cities_on_a_land_line_count(held: str, worth: int) -> None:
    assert points(board({}, axis=held)) == worth


def test_a_city_without_a_line_does_not_count() -> None:
    s = board({}, axis="Q13 Q19 Q26 Y10 JJ10 Y19 HH18 FF24 KK17 G15")
    assert points(s) == 0
    assert checked(s, AXIS).outcome is None
    assert len(victory.tally(s)["held"]) == 10


def test_six_points_win() -> None:
    s = board({}, axis=TO_GORKY)
    assert points(s) == 4
    s.control |= hexes(s, "R9 S9 T9 U10 V10 W10 X10 Y10")
    assert points(s) == 5
    assert checked(s, AXIS).outcome is None
    s.control |= hexes(s, "R15 S15 T15 U15 V15 W15 X15 Y15-Y19")
    checked(s, AXIS)
    assert s.outcome is not None
    assert (s.outcome.winner, s.outcome.rule) == ("axis", "IV")
    assert "Moscow" in s.outcome.reason
    assert victory.ending(s) == "supply lines reach victory cities"


def test_three_points_win_after_a_soviet_redeployment() -> None:
    s = board({}, axis=TO_MOSCOW, soviet_deployment="free")
    assert victory.tally(s)["needed"] == 3
    assert checked(s, AXIS).outcome is not None
    s = board({}, axis=TO_MOSCOW)
    assert victory.tally(s)["needed"] == 6
    assert checked(s, AXIS).outcome is None


def test_the_line_is_the_axis_players_alone() -> None:
    """The claim is looked at for one side at a time."""
    s = board({}, axis=f"{TO_GORKY} R9 S9 T9 U10 V10 W10 X10 Y10 R15 S15 T15 U15 V15 W15 X15 Y15-Y19")
    assert checked(s, SOVIET).outcome is None


def test_zones_of_control_do_not_cut_the_line() -> None:
    s = board({"8A": "P8", "11A": "R8", "13A": "P14"}, axis=TO_SMOLENSK)
    assert points(s) == 1


def test_a_line_needs_every_hex_and_the_city() -> None:
    assert points(board({}, axis=TO_SMOLENSK, soviet="Q5")) == 0
    assert points(board({}, axis=TO_SMOLENSK, soviet="Q13")) == 0


def test_from_any_axis_edge() -> None:
    s = board({}, axis="")
    s.control |= within(s, "BB6", 4) | within(s, "Z8", 3) | hexes(s, "Y10")
    s.control &= ~s.rules.map.edge["DE"]
    assert names(s, victory.linked_cities(s)) == {"Y10"}


@pytest.mark.parametrize("weather", ["good", "snow"])
def test_water_and_ice_carry_no_overland_line(weather: str) -> None:
    """Leningrad reached from Finland over the ice of Ladoga alone, from Kronshtadt, or by sea."""
    s = board({}, axis="G14 G15 F16 E16", weather=weather)
    s.control |= hexes(s, "D15 D16 E17") | within(s, "D15", 2) & ~hexes(s, "F14 F15 G16 E14 E15")
    assert "G15" not in names(s, victory.linked_cities(s))
    s.control |= hexes(s, "E14 F14")
    assert "G15" in names(s, victory.linked_cities(s))


def test_the_kerch_straits_carry_no_overland_line() -> None:
    s = board({})
    s.control |= within(s, "JJ13", 1) | within(s, "II11", 3)
    s.control |= within(s, "GG11", 3) | within(s, "EE8", 5) | within(s, "DD6", 3)
    s.control |= hexes(s, "JJ14 JJ15 KK15 KK16 KK17")
    s.control &= ~within(s, "HH18", 3)
    s.control |= hexes(s, "JJ14 JJ15 JJ16 KK15 KK16 KK17 II14")
    assert {"JJ10"} == names(s, victory.linked_cities(s))


# ---------------------------------------------------------------- the Soviet claim


@pytest.mark.parametrize("prize", ["Q1", "HH1"])
def test_warsaw_or_bucharest_win_for_the_soviets(prize: str) -> None:
    s = board({}, soviet=prize)
    assert checked(s, AXIS).outcome is None
    checked(s, SOVIET)
    assert s.outcome is not None
    assert (s.outcome.winner, s.outcome.rule) == ("soviet", "IV")
    assert [p["held"] for p in victory.tally(s)["soviet_prizes"]] == [prize == "Q1", prize == "HH1"]
    assert victory.ending(s) == s.outcome.reason


def test_koenigsberg_does_not_win() -> None:
    assert checked(board({}, soviet="M2 D10"), SOVIET).outcome is None


# ---------------------------------------------------------------- the end


def test_the_end_of_the_track_is_a_soviet_victory() -> None:
    s = board({}, axis=TO_GORKY, turn=15)
    victory.end_of_track(s, Context(ScriptedDice([])))
    assert s.outcome is not None
    assert s.outcome.winner == "soviet"
    assert "4 of 6" in s.outcome.reason
    assert victory.ending(s) == "the turn track is at its end"


@pytest.mark.parametrize("side", [AXIS, SOVIET])
def test_stopping_the_game(side: int) -> None:
    for answer in ("stop", "continue"):
        s = board({}, turn=14)
        push(s, victory.StopOffer(side))
        player = Player(s).settle()
        assert s.rules.seats[player.asked().seat(s)].side == side
        assert player.options() == {"stop", "continue"}
        assert player.rule("done") == "XVI.A"
        player.do(answer)
        if answer == "stop":
            assert s.outcome is not None
            assert (s.outcome.winner, s.outcome.rule) == ("soviet", "XVI.A")
            assert victory.ending(s) == "a side has stopped the game"
        else:
            assert s.outcome is None and not victory.ending(s)
            assert player.over()


def test_when_the_game_may_be_stopped() -> None:
    s = board({})
    assert [turn.number for turn in s.rules.turns.values() if turn.may_stop] == [14, 15]
    assert [turn.number for turn in s.rules.turns.values() if turn.last] == [15]
    assert victory.tally(board({}, turn=14))["may_stop"] is True
    assert victory.tally(board({}, turn=13))["may_stop"] is False


def test_ten_cities_worth_twelve() -> None:
    cities = victory.tally(board({}))["cities"]
    assert len(cities) == 10
    assert sum(city["value"] for city in cities) == 12
    assert {city["name"] for city in cities if city["value"] == 2} == {"Moscow", "Leningrad"}
