"""VIII: strategic movement by rail and by sea, and displacement at the place of arrival (IX.A)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import ELIMINATED, POOL, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import rail, replacements, sea, strategic
from tests.unit.portfolio.board import Player, board, hexes, ids, names, set_of, start, unit_of, within


def phase(s: State, side: int, dice: tuple[int, ...] = ()) -> Player:
    """The replacement and strategic movement phase of a side."""
    s.side = side
    player = Player(s, dice)
    replacements.begin(s, side, player.play)
    return player.settle()


def net(s: State, side: int) -> set[str]:
    return names(s, rail.rail_net(s, side).hexes)


# ---------------------------------------------------------------- VIII.A.1 the net


@pytest.mark.parametrize(
    ("a", "b", "joined"),
    [
        ("K26", "K27", True),
        ("B16", "C17", True),
        ("B16", "C16", False),
        ("D12", "D13", False),
        ("JJ13", "II14", False),
        ("G14", "G15", False),
    ],
)
def test_the_examples_of_the_rules(a: str, b: str, joined: bool) -> None:
    """Whether a train can run from one hex straight into the other, if one side holds just these two and an edge."""
    s = board({})
    rules = s.rules
    ends = hexes(s, f"{a} {b}")
    net = rail._net(rules.map, ends, 1 << rules.grid.index(a))
    assert (net.hexes == ends) is joined


def test_the_net_is_controlled_land_connected_to_an_edge() -> None:
    s = board({}, axis="T20")
    s.control |= within(s, "Q19", 3) & ~within(s, "Q19", 1)  # a ring round Moscow
    assert {"A25", "NN26", "Q28", "S1"} & net(s, SOVIET) == {"A25", "NN26", "Q28"}
    assert "T20" not in net(s, SOVIET)
    assert not names(s, within(s, "Q19", 1)) & net(s, SOVIET)


def test_enemy_zones_close_the_net_even_where_friends_stand() -> None:
    s = board({"39Pz": "P13", "8A": "Q13"}, axis="P13")
    assert "Q13" not in net(s, SOVIET)
    s.disperse(unit_of(s, "39Pz"))  # a Dispersed unit has no zone
    assert "Q13" in net(s, SOVIET)


def test_ice_carries_no_trains() -> None:
    s = board({}, weather="snow")
    assert not net(s, SOVIET) & {"E16", "F16", "E20"}
    good = board({})
    assert net(s, SOVIET) == net(good, SOVIET)


def test_finland_and_germany_are_parts_of_their_own() -> None:
    s = board({"2Fin": "D10"})
    player = phase(s, AXIS)
    assert player.options("rail") == {"2Fin"}
    player.do("rail 2Fin")
    assert "B10" in player.options("at")
    assert not {"Q1", "HH1"} & player.options("at")
    assert player.rule("at Q1") == "VIII.A.1"


# ---------------------------------------------------------------- VIII, VIII.A.2, VIII.A.3


def test_a_train_takes_a_unit_to_a_town_dispersed() -> None:
    player = phase(board({"8A": "R20"}), SOVIET)
    player.do("rail 8A", "at Q19")
    s = player.s
    assert s.pos[unit_of(s, "8A")] == s.rules.grid.index("Q19")
    assert ids(s, s.dispersed) == {"8A"}
    assert player.kinds() == ["production", "railed", "arrived"]
    assert player.rule("rail 8A") == "VIII"
    assert player.rule("sea 8A") == "VIII"


def test_where_a_train_stops() -> None:
    player = phase(board({"8A": "R20", "39Pz": "Q12", "SWF": "Q16"}, axis="N13"), SOVIET).do("rail 8A")
    assert player.rule("at R19") == "VIII.A.3"  # open country
    assert player.rule("at N13") == "VIII.A.3"  # enemy-held
    assert player.rule("at Q13") == "VIII.A.1"  # in an enemy zone of control
    assert player.rule("at G14") == "VIII.A.1"  # Kronshtadt is not on land lines
    assert player.rule("at R20") == "VIII.A.1"  # it stands there
    assert {"S18", "Q16"} <= player.options("at")  # the front at Q16 would step aside


def test_soviet_capacity_is_three_units_that_are_no_fronts() -> None:
    s = board({"8A": "R20", "11A": "S21", "3MK": "T22", "2KK": "U22", "SWF": "W24"})
    player = phase(s, SOVIET)
    assert player.options("rail") == {"8A", "11A", "3MK", "2KK"}
    assert player.rule("rail SWF") == "VIII.A.2"
    player.do("rail 8A", "at Q19", "rail 11A", "at S20", "rail 3MK", "at T18")
    assert player.options("rail") == set()
    assert player.rule("rail 2KK") == "VIII.A.2"


def test_axis_capacity_is_one_corps() -> None:
    player = phase(board({"1Inf": "Q2", "2Inf": "R2", "18AOK": "N4", "1PzG": "S2"}), AXIS)
    assert player.options("rail") == {"1Inf", "2Inf"}
    assert player.rule("rail 18AOK") == "VIII.A.2"
    assert player.rule("rail 1PzG") == "VIII.A.2"
    player.do("rail 1Inf", "at M2")
    assert player.rule("rail 2Inf") == "VIII.A.2"


def test_spent_dispersed_and_absent_units_stay() -> None:
    s = board({"8A": "R20 s", "11A": "S21 d"})
    player = phase(s, SOVIET)
    assert player.options("rail") == set()
    for name in ("8A", "11A", "13A"):
        assert player.rule(f"rail {name}") == "VIII"


def test_a_unit_may_entrain_in_an_enemy_zone_but_not_in_a_pocket() -> None:
    s = board({"8A": "Q13", "39Pz": "P13"}, axis="P13")
    assert phase(s, SOVIET).options("rail") == {"8A"}
    s = board({"8A": "Q13"})
    s.control |= within(s, "Q13", 3) & ~hexes(s, "Q13")
    player = phase(s, SOVIET)
    assert player.options("rail") == set()
    assert player.rule("rail 8A") == "VIII.A.1"


def test_units_caught_unprepared_do_not_move_on_the_first_turn() -> None:
    player = phase(start(), SOVIET)
    assert "8A" in player.options("rail")  # L5, near the border
    assert "28A" not in player.options("rail")
    assert player.rule("rail 23A") == "XVI.B.3"
    assert player.rule("sea 23A") == "XVI.B.3"
    s = start()
    s.turn += 1
    assert "23A" in phase(s, SOVIET).options("rail")


def test_romanians_do_not_travel_into_russia_on_the_first_turn() -> None:
    s = board({"RomMtn": "DD4"}, axis="DD5 DD6 CC6", turn=1)
    player = phase(s, AXIS).do("rail RomMtn")
    assert "DD6" not in player.options("at")
    assert player.rule("at DD6") == "XVI.B.5"
    s = board({"RomMtn": "DD4"}, axis="DD5 DD6 CC6", turn=2)
    assert "DD6" in phase(s, AXIS).do("rail RomMtn").options("at")


def test_hungarians_do_not_travel_through_romania() -> None:
    s = board({"HunMob": "U2", "1Inf": "U2"}, axis="W1 X1 CC6")  # a way to Hungary, and CC6 beyond Romania
    player = phase(s, AXIS).do("rail HunMob")
    assert {"Q1", "W1"} <= player.options("at")
    assert player.rule("at HH1") == "X.D.2"
    assert player.rule("at GG2") == "X.D.2"
    assert player.rule("at CC6") == "VIII.A.1"
    player.do("back", "rail 1Inf")
    assert {"HH1", "GG2", "CC6"} <= player.options("at")


def test_hungarians_and_romanians_do_not_share_a_hex() -> None:
    s = board({"HunMob": "U2", "3RomA": "Q1"})
    player = phase(s, AXIS).do("rail HunMob")
    assert player.rule("at Q1") == "X.D.2"


# ---------------------------------------------------------------- IX.A arrivals and displacement


def test_one_arrival_a_hex_and_turn() -> None:
    player = phase(board({"8A": "R20", "3MK": "S21"}), SOVIET).do("rail 8A", "at Q19", "rail 3MK")
    assert "Q19" not in player.options("at")
    assert player.refused("at Q19") == ("a unit has already arrived in that hex this turn", "IX.A")


def test_the_unit_in_the_way_steps_aside_toward_its_own_side() -> None:
    player = phase(board({"8A": "T22", "11A": "Q19", "3MK": "Q19"}), SOVIET)
    player.do("rail 8A", "at Q19")
    s = player.s
    assert player.options() == {"at P19", "at Q20", "at R19"}  # 11A, the army, must go; north-east, east, south-east
    assert player.rule("at Q18") == "IX.A"
    player.do("at R19")
    assert ids(s, s.at[s.rules.grid.index("Q19")]) == {"8A", "3MK"}
    assert s.pos[unit_of(s, "11A")] == s.rules.grid.index("R19")
    assert ids(s, s.dispersed) == {"8A", "11A"}
    assert player.kinds()[-3:] == ["railed", "displaced", "arrived"]
    assert "rail 3MK" in player.options()


def test_the_owner_chooses_who_steps_aside() -> None:
    player = phase(board({"2KK": "T22", "11A": "Q19", "3MK": "Q19"}), SOVIET)
    player.do("rail 2KK", "at Q19")
    assert player.options() == {"displace 11A", "displace 3MK"}
    assert player.rule("displace 2KK") == "IX.A"
    player.do("displace 3MK")
    assert player.rule("at N1") == "IX.A"
    player.do("at Q20")
    assert ids(player.s, player.s.at[player.s.rules.grid.index("Q19")]) == {"2KK", "11A"}


def test_the_axis_steps_aside_to_the_west() -> None:
    player = phase(board({"1Inf": "R2", "2Inf": "M3", "7Inf": "M2", "5Inf": "M2"}), AXIS)
    player.do("rail 1Inf", "at M2", "displace 7Inf")
    assert player.options() == {"at M1", "at N1"}  # west and south-west; the north-west is sea
    assert player.rule("at M3") == "IX.A"
    player.do("at M1")
    assert player.s.pos[unit_of(player.s, "7Inf")] == player.s.rules.grid.index("M1")


def test_no_arrival_where_nobody_can_step_aside() -> None:
    units = {"8A": "T22", "11A": "Q19", "3MK": "Q19"}
    units |= {"SWF": "Q20", "WestF": "P19", "ResF": "R19"}
    player = phase(board(units), SOVIET).do("rail 8A")
    assert "Q19" not in player.options("at")
    reason, rule = player.refused("at Q19")
    assert rule == "IX.A"
    assert "step aside" in reason


def test_a_displaced_unit_meets_stacking_enemies_and_water() -> None:
    s = board({"8A": "T22", "11A": "Q19", "3MK": "Q19", "13A": "Q20", "7Inf": "P19", "27A": "R19"})
    player = phase(s, SOVIET)
    assert "rail 8A" in player.options()
    s.lift(unit_of(s, "27A"), POOL)
    player.do("rail 8A")
    assert player.rule("at Q19") == "VIII.A.1"  # the enemy at P19 looks into it


def test_no_chain_of_displacements() -> None:
    """A front needs an empty hex: with two units there, one stepping aside is not enough."""
    s = board({"11A": "Q28", "3MK": "Q28"})
    s.infantry_points[SOVIET] = 8
    player = phase(s, SOVIET).do("replace WestF")
    assert "Q28" not in player.options("at")


# ---------------------------------------------------------------- VIII.B by sea


def test_a_voyage_ends_in_a_port_dispersed() -> None:
    player = phase(board({"9A": "FF8"}), SOVIET, dice=(2,))
    assert player.options("sea") == {"9A"}
    player.do("sea 9A", "at JJ10")
    s = player.s
    assert s.pos[unit_of(s, "9A")] == s.rules.grid.index("JJ10")
    assert ids(s, s.dispersed) == {"9A"}
    assert [(e.kind, e.args[-1]) for e in player.events if e.kind == "sailed"] == [("sailed", 2)]
    assert player.dice.drawn[0].stream == "submarine"


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("hostile", [False, True])
def test_the_submarine_die(die: int, hostile: bool) -> None:
    """In a friendly sea a 1 sinks, in the enemy's every odd number."""
    s = board({"9A": "FF8"}, axis="JJ10" if hostile else "")
    player = phase(s, SOVIET, dice=(die,)).do("sea 9A", "at KK15")
    sunk = die % 2 == 1 if hostile else die == 1
    assert (s.pos[unit_of(s, "9A")] == POOL) is sunk
    assert ("sunk" in player.kinds()) is sunk
    assert s.sea_used == ("Black Sea",)


@pytest.mark.parametrize(
    ("port", "axis", "risk"),
    [("FF8", "", "1 sinks it"), ("FF8", "JJ10", "1, 3 or 5 sinks it"), ("GG16", "JJ10", "1, 3 or 5 sinks it at worst")],
)
def test_who_embarks_is_told_what_sinks_it(port: str, axis: str, risk: str) -> None:
    s = phase(board({"9A": port}, axis=axis), SOVIET).do("sea 9A").s
    told = "Choose the port where 9. Army lands; one unit a turn may sail on each sea; a submarine die of"
    assert s.stack[-1].prompt(s) == f"{told} {risk}"


def test_a_sunk_unit_that_cannot_be_replaced_is_gone() -> None:
    s = board({"3RomA": "JJ4"}, axis="FF8")
    phase(s, AXIS, dice=(3,)).do("sea 3RomA", "at FF8")  # a Soviet sea
    assert s.pos[unit_of(s, "3RomA")] == ELIMINATED


def test_in_a_sea_of_nobody_only_a_one_sinks() -> None:
    s = board({"9A": "GG16"}, axis="JJ10")  # Rostov Soviet, Sevastopol Axis: the Azov is nobody's
    assert sea.voyage(s, unit_of(s, "9A"), s.rules.grid.index("HH18")) == ("Black Sea", ("Azov",), (1,))


def test_a_voyage_over_two_waters_takes_the_worse_die() -> None:
    s = board({"9A": "GG16"}, axis="JJ10")
    group, way, sinking = sea.voyage(s, unit_of(s, "9A"), s.rules.grid.index("KK15"))
    assert (group, way, sinking) == ("Black Sea", ("Azov", "Black Sea"), (1, 3, 5))


@pytest.mark.parametrize("gate", ["II13", "II14", "JJ13", "JJ14"])
def test_the_kerch_straits_close_with_any_hex_beside_them(gate: str) -> None:
    s = board({"9A": "GG16"})
    assert "KK15" in phase(s, SOVIET).do("sea 9A").options("at")
    s = board({"9A": "GG16"}, axis=gate)
    player = phase(s, SOVIET).do("sea 9A")
    assert player.options("at") == {"GG17", "HH18", "JJ13"} - {gate}
    assert player.rule("at KK15") == "VIII.B"


def test_who_may_sail() -> None:
    units = {"8A": "F9", "11A": "Q19", "SouthF": "FF8", "28A": "A25", "KalF": "KK15"}
    player = phase(board(units), SOVIET)
    assert player.options("sea") == {"8A"}
    assert player.rule("sea 11A") == "VIII.B"  # inland
    assert player.rule("sea SouthF") == "VIII.B"  # a front
    assert player.rule("sea 28A") == "VIII.B"  # the White Sea


def test_where_a_ship_may_land() -> None:
    player = phase(board({"9A": "FF8"}, axis="NN16"), SOVIET).do("sea 9A")
    assert player.rule("at NN16") == "VIII.B"  # enemy-held
    assert player.rule("at JJ11") == "VIII.B"  # a coast without a port
    assert player.rule("at F9") == "VIII.B"  # another sea
    assert player.rule("at FF8") == "VIII.B"
    assert player.options("at") == {"FF9", "FF10", "GG16", "GG17", "HH18", "JJ10", "JJ13", "KK15"}


def test_enemy_zones_do_not_hinder_sailing() -> None:
    s = board({"9A": "FF8", "1Inf": "EE8", "2Inf": "II11"}, axis="EE8 II11")
    assert "JJ10" in phase(s, SOVIET).do("sea 9A").options("at")


def test_the_gulf_of_finland_is_closed_in_snow() -> None:
    s = board({"8A": "F9", "11A": "F8"}, weather="snow")
    player = phase(s, SOVIET)
    assert player.options("sea") == {"11A"}  # F8 looks on the Baltic too
    assert player.rule("sea 8A") == "VI.B.2"
    player.do("sea 11A")
    assert player.refused("at G15") == ("the Gulf of Finland is closed in Snow", "VI.B.2")
    assert "J7" in player.options("at")


def test_weather_does_not_matter_in_the_black_sea() -> None:
    assert phase(board({"9A": "FF8"}, weather="snow"), SOVIET).options("sea") == {"9A"}


def test_one_unit_on_each_sea() -> None:
    s = board({"9A": "FF8", "18A": "HH18", "8A": "F9", "11A": "J7"})
    player = phase(s, SOVIET, dice=(6, 6)).do("sea 9A", "at JJ10")
    assert player.rule("sea 18A") == "VIII.B"  # the Azov is part of the Black Sea
    assert player.options("sea") == {"8A", "11A"}
    player.do("sea 8A", "at G15")
    assert player.options("sea") == set()
    assert player.rule("sea 11A") == "VIII.B"  # the Gulf is part of the Baltic


def test_one_unit_on_all_seas_by_option() -> None:
    s = board({"9A": "FF8", "8A": "F9"}, sea_capacity="total")
    player = phase(s, SOVIET, dice=(6,)).do("sea 9A")
    assert "one unit a turn may sail in all;" in player.s.stack[-1].prompt(player.s)
    player.do("at JJ10")
    assert player.options("sea") == set()


def test_ports_see_one_arrival_and_displacement_too() -> None:
    s = board({"9A": "FF8", "18A": "JJ10", "2MK": "JJ10", "12A": "KK17"})
    player = phase(s, SOVIET, dice=(4,)).do("sea 9A", "at JJ10")
    assert player.options() == {"at II11", "at JJ11"}
    player.do("at JJ11")
    assert s.pos[unit_of(s, "18A")] == s.rules.grid.index("JJ11")
    player.do("rail 12A")
    assert "JJ10" not in player.options("at")


def test_reinforcements_of_the_phase_do_not_sail() -> None:
    s = board({"9A": "FF8"})
    s.entered = set_of(s, "9A")
    assert phase(s, SOVIET).rule("sea 9A") == "VIII.B"


def test_by_rail_or_by_sea_not_both() -> None:
    player = phase(board({"9A": "EE9"}), SOVIET).do("rail 9A", "at FF8")
    assert player.rule("sea 9A") == "VIII"


def test_seas_are_all_of_a_piece() -> None:
    """A ship can reach every coast of a zone, so that the zone is all that need be looked at."""
    s = board({})
    t, grid = s.rules.map, s.rules.grid
    straits = [(a, b) for a, b, _ in t.side_pairs["sea"]]
    for group in s.rules.charts["sea"]["waters"].values():
        for zone in group:
            water = t.sea_zone[zone]
            reached = water & -water
            while True:
                grown = reached | grid.spread(reached) & water
                for a, b in straits:  # an all-sea side joins the waters at its two ends
                    ends = grid.adjacent[a] & grid.adjacent[b] & (water | t.coast[zone])
                    if ends & grown and t.coast[zone] >> a & t.coast[zone] >> b & 1:
                        grown |= ends & water
                if grown == reached:
                    break
                reached = grown
            assert not names(s, water & ~reached), zone


def test_the_query_is_plain_data() -> None:
    s = board({"8A": "R20", "9A": "FF8"})
    answer = replacements.rail_query(s, SOVIET)
    assert answer["capacity"] == {"used": 0, "limit": 3}
    assert answer["rail_units"] == ["8A", "9A"]
    assert answer["sea_units"] == ["9A"]
    assert "Q19" in answer["termini"]
    assert "E16" not in answer["net"]


# ---------------------------------------------------------------- lists agree with reasons


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_unit_is_listed_or_refused_with_a_reason(data: st.DataObject) -> None:
    s = start(data.draw(st.sampled_from(["june22", "july10"])))
    s.turn = data.draw(st.integers(s.rules.first_turn, 12))
    s.weather = s.rules.weather[data.draw(st.sampled_from(["good", "snow"]))]
    land = members(s.rules.map.ground[0].enterable)
    for _ in range(data.draw(st.integers(0, 6))):
        area = within(s, s.rules.grid.names[data.draw(st.sampled_from(land))], data.draw(st.integers(0, 4)))
        axis = data.draw(st.booleans())
        area &= ~s.occ[SOVIET if axis else AXIS]
        s.control = s.control | area if axis else s.control & ~area
    side = data.draw(st.sampled_from([AXIS, SOVIET]))
    s.side = side
    s.rail_used = data.draw(st.integers(0, 1))
    able = strategic.able_units(s, side)
    by_rail, by_sea = rail.rail_units(s, side, able), sea.sea_units(s, side, able)
    for u in members(s.rules.roster.of_side[side]):
        assert bool(by_rail >> u & 1) is (rail.why_no_rail(s, u) is None), s.rules.units[u].id
        assert bool(by_sea >> u & 1) is (sea.why_no_sea(s, u) is None), s.rules.units[u].id
        if by_rail >> u & 1:
            assert rail.rail_targets(s, u)
        if by_sea >> u & 1:
            assert sea.sea_targets(s, u)
