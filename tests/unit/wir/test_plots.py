"""War in Russia, 6.6 tactical plots, 6.9 air strikes, and orders as text."""

from __future__ import annotations

from runpy import run_path

import pytest

from rasputitsa.core.errors import NotationError
from rasputitsa.wir.api import labels, notation
from rasputitsa.wir.model import plot, theatre
from rasputitsa.wir.model.tables import INFANTRY, KIND, MECHANIZED
from rasputitsa.wir.rules.adjustment import build
from rasputitsa.wir.rules.movement import air_plots
from tests.unit.wir.board import GAME, at, base, board, give, h, inf, kind, refused, rifles, tanks, verbs


class TestGrammar:
    def test_how_many_plots_there_are(self) -> None:
        assert len(plot.legal_plots(INFANTRY)) == 6 + 6 + 6, "d, dS, dB"
        assert len(plot.legal_plots(MECHANIZED)) == 18 + 3 * 36 + 2 * 6, "and dd, ddS, ddB, pd, pdS"
        assert len(set(plot.legal_plots(MECHANIZED))) == len(plot.legal_plots(MECHANIZED))

    @pytest.mark.parametrize("text", ["1", "2S", "34", "56S", "2B"])
    def test_the_manuals_plots_for_mechanized_groups(self, text: str) -> None:
        assert plot.read(text) in plot.legal_plots(MECHANIZED)
        assert plot.text(plot.read(text)) == text

    @pytest.mark.parametrize("text", ["4", "5S", "1B"])
    def test_the_manuals_plots_for_infantry_groups(self, text: str) -> None:
        assert plot.read(text) in plot.legal_plots(INFANTRY)

    def test_every_plot_can_be_written_and_read(self) -> None:
        for number in plot.legal_plots(MECHANIZED):
            assert plot.read(plot.text(number)) == number
            assert plot.unpack(number).number == number

    def test_what_follows_an_s_is_ignored(self) -> None:
        assert plot.text(plot.read("5S6")) == "5S"

    def test_the_letter_o_is_the_pause(self) -> None:
        assert plot.read("o3") == plot.read("03")

    @pytest.mark.parametrize("text", ["", "7", "0", "10", "00", "123", "S", "B", "2BS1", "x", "01B", "1-2"])
    def test_what_is_no_plot(self, text: str) -> None:
        with pytest.raises(NotationError) as caught:
            plot.read(text)
        assert caught.value.rule == "6.6"

    def test_an_s_applies_to_the_last_step_alone(self) -> None:
        found = plot.unpack(plot.read("56S"))
        assert (found.direction(0), found.ending_in(0)) == (5, plot.ADVANCE)
        assert (found.direction(1), found.ending_in(1)) == (6, plot.STOP)
        assert found.moves()

    @pytest.mark.parametrize(
        ("text", "moves"), [("1", True), ("1S", False), ("1B", False), ("12B", True), ("01S", False)]
    )
    def test_which_plots_move_a_group(self, text: str, moves: bool) -> None:
        assert plot.unpack(plot.read(text)).moves() is moves


class TestPlotting:
    def test_infantry_plots_one_step(self) -> None:
        s = board({12: inf("1922")})
        give(s, "get 12")
        assert len(verbs(s, "plot")) == 18
        assert refused(s, "plot 34").rule == "6.6"
        give(s, "plot 4", "plot 5S")
        assert plot.text(s.plot[12]) == "5S"
        give(s, "unplot")
        assert s.plot[12] == 0

    def test_mechanized_groups_plot_two(self) -> None:
        s = board({1: tanks("1922")})
        give(s, "plot 1 56S")
        assert plot.text(s.plot[1]) == "56S"
        give(s, "get 1")
        assert len(verbs(s, "plot")) == 138

    def test_no_plot_after_strategic_movement_and_no_such_movement_after_a_plot(self) -> None:
        s = board({12: inf("1922", supplied=True)})
        give(s, "get 12", "step 1")
        assert refused(s, "plot 1").rule == "6.2"
        give(s, "abort", "plot 1")
        assert refused(s, "step 1").rule == "6.2"

    def test_ninety_five_fatigue_moves_no_more_but_fires(self) -> None:
        s = board({12: inf("1922", "1 INF 70 70 95")})
        give(s, "get 12")
        assert refused(s, "plot 1").rule == "8.1"
        give(s, "plot 1S")


class TestAirStrikes:
    def test_range_four_for_the_axis_and_three_for_the_soviets(self) -> None:
        s = board({52: base("1922", supplied=True), 116: base("2626", supplied=True)})
        names = s.rules.grid
        for group, most in ((52, 4), (116, 3)):
            inside = air_plots.within(s, group)
            for i in range(names.size):
                if names.names[i] and i != s.hex[group]:
                    assert bool(inside >> i & 1) is (names.distance(s.hex[group], i) <= most)

    def test_cities_are_bombed_and_groups_attacked(self) -> None:
        s = board({52: base("1922", supplied=True), 76: rifles("2122")})
        give(s, "get 52")
        assert "1925" in verbs(s, "bomb") and verbs(s, "ground") == ["2122"]
        assert refused(s, "bomb 2122").rule == "6.9"
        assert refused(s, "ground 1921").rule == "6.9"
        assert refused(s, "bomb Moscow").rule == "6.9", "out of range"
        give(s, "bomb Stalino")
        assert air_plots.strike_of(s, 52) == (h(s, "1925"), air_plots.BOMB)
        give(s, "ground 2122")
        assert air_plots.strike_of(s, 52) == (h(s, "2122"), air_plots.GROUND)

    @pytest.mark.parametrize("placed", [base("1922"), base("1922", 0, supplied=True)])
    def test_supply_and_aircraft_are_needed(self, placed: dict[str, object]) -> None:
        s = board({52: placed, 76: rifles("2122")})
        give(s, "get 52")
        assert refused(s, "ground 2122").rule == "6.9"

    def test_a_group_that_moved_does_not_strike(self) -> None:
        s = board({52: base("1922", supplied=True), 76: rifles("2122")})
        give(s, "get 52", "step 6")
        assert refused(s, "ground 2122").rule == "6.9"
        give(s, "abort", "ground 2122")
        assert refused(s, "step 6").rule == "6.2"


class TestNotation:
    def test_several_orders_on_a_line(self) -> None:
        s = board({12: inf("1922", supplied=True), 1: tanks("2626")})
        give(s, "get 12; step 1; step 4; halt; plot 1 34; get 1")
        assert at(s, 12) == "1922" and plot.text(s.plot[1]) == "34" and kind(s) == "orders"

    @pytest.mark.parametrize("line", ["move 12 1 4", "move 12 14", "g 12; step 1; step 4; halt"])
    def test_moves(self, line: str) -> None:
        s = board({12: inf("1922", supplied=True)})
        give(s, line)
        assert s.steps[12] == 2

    def test_the_manuals_keys(self) -> None:
        s = board({12: inf("1922", supplied=True)})
        give(s, "g 12", "1", "a", "p 2S", "q")
        assert plot.text(s.plot[12]) == "2S" and kind(s) == "movement"

    def test_strikes_on_one_line(self) -> None:
        s = board({52: base("1922", supplied=True), 76: rifles("2122")})
        give(s, "strike 52 2122 ground")
        assert air_plots.strike_of(s, 52) == (h(s, "2122"), air_plots.GROUND)

    @pytest.mark.parametrize(
        "line",
        ["", "fly 12", "get", "get x", "get 128", "railmove 9999", "plot 77", "step one", "get 12;;halt", "x" * 500,
         "build Moscow cav RIFLE 10", "factory Gorki steel", "auto supply"],
    )  # fmt: skip
    def test_lines_that_cannot_be_read(self, line: str) -> None:
        with pytest.raises(NotationError):
            GAME.parse(board({12: inf("1922")}), line)

    def test_orders_for_any_group_with_one_in_hand(self) -> None:
        s = board({12: inf("1922", supplied=True), 13: inf("2022", supplied=True), 76: rifles("1921")})
        give(s, "get 12", "plot 12 1")
        assert kind(s) == "movement" and plot.text(s.plot[12]) == "1"
        give(s, "get 12", "plot 13 6; plot 12 1S")
        assert (plot.text(s.plot[12]), plot.text(s.plot[13])) == ("1S", "6") and kind(s) == "movement"
        give(s, "get 12", "get 13")
        assert s.stack[-1].about(s).units == (13,)
        assert refused(s, "get 13").rule == "6.1"

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("build Gorki inf RIFLE", "'RIFLE 90'"), ("build Gorki inf RIFLE 90 90", "'RIFLE 90' is not built"),
            ("transfer 12 13:", "'13:'"), ("fly 12", "move, naval"),
        ],
    )  # fmt: skip
    def test_a_mistake_is_reported_where_it_is(self, line: str, said: str) -> None:
        with pytest.raises(NotationError, match=said):
            GAME.parse(board({12: inf("1922")}, phase="adjust"), line)

    def test_cities_stand_for_their_hexes(self) -> None:
        s = board()
        assert GAME.parse(s, "railmove moscow") == GAME.parse(s, "railmove 1814")

    def test_labels_name_units_and_directions(self) -> None:
        s = board({12: inf("1922", "7 INF 50 70 0", supplied=True)}, pools={"axis": {"infantry": 100}})
        give(s, "get 12")
        labels = {GAME.format(s, action): GAME.label(s, action) for action in GAME.legal(s)}
        assert labels["replace 1 10"] == "7 INF: 10 replacement points"
        assert labels["step 2"] == "North-east"
        assert labels["plot 2S"] == "2S: attack north-east and stay"
        assert KIND[12] == INFANTRY


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("move", "such as 'move 12 2 3'"), ("move 1", "such as 'move 12 2 3'"),
        ("strike", "such as 'strike 53 1814 bomb'"), ("strike 1010", "such as 'strike 53 1814 bomb'"),
        ("auto everything", "'auto all'"),
    ],
)  # fmt: skip
def test_a_whole_order_that_is_not_whole_says_how_it_is_written(line: str, says: str) -> None:
    with pytest.raises(NotationError, match=says) as caught:
        GAME.parse(board(), line)
    assert "is no order" not in str(caught.value) and line in str(caught.value)


def test_an_unknown_word_lists_the_orders() -> None:
    with pytest.raises(NotationError, match=r"'fly' is no order; known: .*move.*strike"):
        GAME.parse(board(), "fly 12")


def test_menus_have_their_numbers_from_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "FORMS", {3: MECHANIZED, 5: INFANTRY})
    monkeypatch.setattr(theatre, "PLANT_NAMES", ("", "light", "cars", "guns", "planes"))
    typed = run_path(notation.__file__)
    assert {word: typed["FORM_NUMBERS"][word] for word in ("mech", "m", "mechanized", "inf", "5")} == {
        "mech": 3, "m": 3, "mechanized": 3, "inf": 5, "5": 5,
    }  # fmt: skip
    assert typed["FACTORY_NUMBERS"] == {
        "light": 1, "1": 1, "cars": 2, "2": 2, "guns": 3, "3": 3, "planes": 4, "4": 4,
    }  # fmt: skip
    titles = run_path(labels.__file__)["FORM_TITLES"]
    assert titles == {3: "A mechanized group", 5: "An infantry group"}
