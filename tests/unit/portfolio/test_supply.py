"""XIV and X.C: supply lines, fuel, isolation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import ELIMINATED, POOL, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import supply
from tests.unit.portfolio.board import Player, board, hexes, ids, names, set_of, start, unit_of, within

LENINGRAD_RING = "F14 G14 G16 H14 H15 E15"


def cut_off(s: State, centre: str, distance: int, keep: str) -> None:
    """Give the land round a place to the Axis, but for some hexes."""
    s.control |= within(s, centre, distance) & ~hexes(s, keep)


# ---------------------------------------------------------------- XIV.A lines


@pytest.mark.parametrize("scenario", ["june1", "june22", "july10"])
def test_everybody_begins_in_supply_and_fuelled(scenario: str) -> None:
    s = start(scenario)
    for side in (AXIS, SOVIET):
        assert supply.unsupplied_units(s, side) == 0
        assert supply.fuel_shortage(s, side) == 0


def test_a_line_reaches_seven_hexes_from_a_town() -> None:
    s = board({"1Inf": "T13", "2Inf": "T14"}, axis="T4-T14")  # the last town on the way is T6
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"2Inf"}


def test_a_town_behind_a_gap_in_control_supplies_nobody() -> None:
    s = board({"1Inf": "T13"}, axis="T4-T14", soviet="T5")
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"1Inf"}


def test_the_part_from_town_to_edge_may_be_of_any_length() -> None:
    s = board({"1Inf": "T22"}, axis="T4-T22")  # T16, T18 and T20 are towns, linked over 17 hexes
    assert supply.unsupplied_units(s, AXIS) == 0


def test_zones_of_control_do_not_cut_lines() -> None:
    s = board({"1Inf": "T13", "8A": "S9", "11A": "U9", "27A": "S8"}, axis="T4-T14")
    assert supply.unsupplied_units(s, AXIS) == 0


def test_rivers_do_not_cut_lines() -> None:
    s = board({"8A": "FF24"})
    assert supply.unsupplied_units(s, SOVIET) == 0


def test_a_unit_needs_its_own_countrys_edge() -> None:
    s = board({"2Fin": "T8", "1Inf": "T9", "ItAuto": "T10", "HunMob": "T11"}, axis="T4-T14")
    assert supply.unsupplied_units(s, AXIS) == 0  # by sea from Finland
    s.control &= ~hexes(s, "M2")  # Koenigsberg lost, and the Baltic with it
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"2Fin"}
    s.control &= ~s.rules.map.edge["FI"]
    s.place(unit_of(s, "4Fin"), s.rules.grid.index("D10"))
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"2Fin", "4Fin"}


def test_german_and_romanian_lines_join_behind_the_western_edge() -> None:
    s = board({"39Pz": "T9", "3RomA": "T9"}, axis="T4-T14")
    assert supply.unsupplied_units(s, AXIS) == 0
    assert supply.fuel_shortage(s, AXIS) == 0
    s.control &= ~(s.rules.map.edge["RO"] | s.rules.map.country["HU"])
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"3RomA"}
    assert ids(s, supply.fuel_shortage(s, AXIS)) == {"39Pz"}


def test_hungarian_fuel_may_come_through_romania() -> None:
    assert supply.fuel_shortage(start(), AXIS) == 0


def test_soviet_sources_are_the_eastern_and_southern_edges() -> None:
    s = board({"8A": "R19", "9A": "LL18"})
    eastern = s.rules.map.edge["SU"] & ~hexes(s, "NN16-NN26")
    s.control |= eastern
    assert supply.unsupplied_units(s, SOVIET) == 0  # from the southern edge
    s.control ^= s.rules.map.edge["SU"]
    assert supply.unsupplied_units(s, SOVIET) == 0  # from the eastern edge
    s.control |= eastern
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"8A", "9A"}


# ---------------------------------------------------------------- X.C water


def test_supply_crosses_a_sea_its_side_controls() -> None:
    s = board({"9A": "EE8"})
    cut_off(s, "FF8", 3, "FF8 EE8")
    assert supply.unsupplied_units(s, SOVIET) == 0
    s.control |= hexes(s, "JJ10")  # Sevastopol falls: the Black Sea is lost
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"9A"}


def test_the_gulf_of_finland_carries_no_supply_in_snow() -> None:
    s = board({"1Inf": "H12"}, axis="G12 H12")  # Narva, held alone, with Koenigsberg and so the Baltic
    assert supply.unsupplied_units(s, AXIS) == 0
    s.weather = s.rules.weather["snow"]
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"1Inf"}


def test_a_sea_of_nobody_carries_no_supply() -> None:
    s = board({"1Inf": "GG17"}, axis="GG17 HH18 JJ4")
    assert supply.open_seas(s, AXIS) == ("Baltic", "Gulf of Finland")
    assert supply.open_seas(s, SOVIET) == ("Black Sea",)
    s.control |= hexes(s, "JJ10")
    assert supply.open_seas(s, AXIS) == ("Baltic", "Gulf of Finland", "Black Sea", "Azov")


@pytest.mark.parametrize("weather", ["good", "snow"])
def test_lakes_do_not_stop_supply(weather: str) -> None:
    s = board({"8A": "F15", "11A": "G15"}, axis=LENINGRAD_RING, weather=weather)
    cut_off(s, "H16", 3, "G15 F15 F17 F18 G18 E17 E18")
    s.control &= ~s.rules.map.lake
    assert "F15" in names(s, supply.supplied(s, SOVIET))
    s.control |= hexes(s, "F16 E16")  # Axis troops on the ice of both lake hexes
    assert "F15" not in names(s, supply.supplied(s, SOVIET))


def test_the_kerch_straits_do_not_stop_supply() -> None:
    s = board({"9A": "JJ12"})
    cut_off(s, "II11", 3, "JJ13 JJ12 II14")
    s.control |= hexes(s, "JJ10")
    s.control &= ~hexes(s, "JJ14 JJ15 II14 KK15")
    assert supply.unsupplied_units(s, SOVIET) == 0
    s.control |= hexes(s, "II14")
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"9A"}


def test_the_kronshtadt_side_does_not_stop_supply() -> None:
    s = board({"8A": "G14", "23A": "G15", "WestF": "H14"})
    s.lift(unit_of(s, "WestF"), POOL)
    s.control |= hexes(s, "F14 G13 H13 H14")
    assert "G14" in names(s, supply.supplied(s, SOVIET))


# ---------------------------------------------------------------- XIV.A, X.B.8 fortresses and victory cities


def isolated_place(where: str, units: dict[str, str]) -> State:
    s = board(units)
    cut_off(s, where, 4, where)
    s.control |= hexes(s, "JJ10 HH18") if where != "JJ10" else 0
    return s


def test_a_victory_city_feeds_all_but_fronts() -> None:
    s = isolated_place("Y10", {"16A": "Y10", "9MK": "Y10"})
    assert supply.unsupplied_units(s, SOVIET) == 0
    s = isolated_place("Y10", {"SWF": "Y10"})
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"SWF"}


def test_a_fortress_feeds_one_unit() -> None:
    s = isolated_place("FF8", {"9A": "FF8", "2MK": "FF8"})
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"2MK"}
    s = isolated_place("FF8", {"SouthF": "FF8"})
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"SouthF"}


def test_cavalry_leaves_the_fortress_to_others() -> None:
    s = isolated_place("FF8", {"2KK": "FF8", "18MK": "FF8"})  # attack factors 2 and 1
    assert ids(s, supply.unsupplied_units(s, SOVIET)) == {"2KK"}


def test_the_axis_is_fed_by_a_fortress_it_holds() -> None:
    s = board({"54Inf": "FF8"})
    assert supply.unsupplied_units(s, AXIS) == 0
    s.place(unit_of(s, "54Inf"), s.rules.grid.index("EE9"))
    assert ids(s, supply.unsupplied_units(s, AXIS)) == {"54Inf"}


def test_supplied_hexes_count_fortresses_only_for_units_they_feed() -> None:
    s = isolated_place("FF8", {})
    assert "FF8" in names(s, supply.supplied_hexes(s, unit_of(s, "9A")))
    assert "FF8" not in names(s, supply.supplied_hexes(s, unit_of(s, "SouthF")))


# ---------------------------------------------------------------- XIV.D fuel


def test_no_fuel_without_ploesti() -> None:
    s = start()
    s.control &= ~hexes(s, "GG2")
    short = ids(s, supply.fuel_shortage(s, AXIS))
    assert {"39Pz", "1PzG", "ItAuto", "HunMob", "RomArm"} <= short
    assert not short & {"1Inf", "18AOK", "49Mtn", "GrO", "3RomA"}


def test_no_fuel_for_the_soviets_without_maikop() -> None:
    s = start()
    s.control |= hexes(s, "MM18")
    short = ids(s, supply.fuel_shortage(s, SOVIET))
    assert {"3MK", "21MK"} <= short
    assert not short & {"8A", "2KK", "42RK"}


def test_fuel_reaches_seven_hexes_from_a_town_too() -> None:
    s = board({"39Pz": "T13", "3Pz": "T14"}, axis="T4-T14")
    assert ids(s, supply.fuel_shortage(s, AXIS)) == {"3Pz"}


def test_fuel_crosses_a_controlled_sea() -> None:
    s = board({"39Pz": "D11"})
    assert supply.fuel_shortage(s, AXIS) == 0
    s.control &= ~hexes(s, "M2")  # Koenigsberg lost, and the Baltic with it
    assert ids(s, supply.fuel_shortage(s, AXIS)) == {"39Pz"}


def test_units_off_the_map_need_no_fuel() -> None:
    s = board({}, soviet="GG2")
    assert supply.fuel_shortage(s, AXIS) == 0


# ---------------------------------------------------------------- XIV.B.2 isolation


def pocket(units: dict[str, str], players: str = "2") -> Player:
    """Soviet units shut up in the woods south of Minsk."""
    s = board(units, players=players)
    held = " ".join(text.split()[0] for text in units.values())
    cut_off(s, "S9", 4, held)
    s.side = SOVIET
    player = Player(s)
    supply.begin(s, SOVIET, player.play)
    return player.settle()


def test_half_the_attack_factors_rounded_up_are_lost() -> None:
    player = pocket({"3A": "S8", "5A": "S9", "8A": "T9"})  # 2 + 5 + 3 = 10
    assert player.options() == {"lose 3A", "lose 5A", "lose 8A"}
    assert "5 attack factors" in player.asked().prompt(player.s)
    player.do("lose 8A")
    assert "2 attack factors" in player.asked().prompt(player.s)
    player.do("lose 3A")
    assert player.over()
    assert player.s.pos[unit_of(player.s, "8A")] == POOL
    assert player.kinds() == ["isolated", "lost_isolated", "lost_isolated"]


def test_an_odd_sum_is_rounded_up() -> None:
    player = pocket({"3A": "S8", "5A": "S9"})  # 7: four to lose
    player.do("lose 3A")
    assert player.over()
    assert player.s.pos[unit_of(player.s, "5A")] == POOL  # no choice was left


def test_a_lone_unit_is_lost_without_a_question() -> None:
    player = pocket({"42RK": "S8"})
    assert player.over()
    assert player.s.pos[unit_of(player.s, "42RK")] == POOL


def test_pockets_apart_are_counted_apart() -> None:
    player = pocket({"3A": "S7", "5A": "S8", "8A": "S11", "10A": "T11"})  # 7 and 7
    assert player.options("lose") == {"3A", "5A"}
    player.do("lose 5A")
    assert player.options("lose") == {"8A", "10A"}
    assert player.rule("lose 3A") == "XIV.B.2"
    player.do("lose 10A")
    assert player.over()
    assert ids(player.s, player.s.on_map(SOVIET)) == {"3A", "8A"}


def test_cavalry_is_not_counted_and_not_lost() -> None:
    player = pocket({"2KK": "S8", "3A": "S9", "4A": "T9"})  # 2 + 2, two to lose
    assert player.options("lose") == {"3A", "4A"}
    player.do("lose 3A")
    assert player.over()


def test_cavalry_alone_loses_nothing() -> None:
    player = pocket({"2KK": "S8"})
    assert player.over()
    assert ids(player.s, player.s.on_map(SOVIET)) == {"2KK"}


def test_finnish_cavalry_is_not_exempt() -> None:
    s = board({"GrO": "S8"})
    assert supply.pockets(s, AXIS) == [set_of(s, "GrO")]


def test_a_front_may_become_an_army_of_half_its_strength() -> None:
    player = pocket({"SWF": "S8", "3A": "S9"})  # 10: five to lose
    assert player.options("reduce") == {"SWF"}
    player.do("reduce SWF")
    assert "as 37A" in player.options()  # 4 of 8
    assert player.rule("as 13A") == "XIV.B.2"  # 5 of 8
    assert player.rule("as 3A") == "XIV.C"  # on the map
    assert player.rule("as 1Shk") == "XIV.C"
    player.do("back", "reduce SWF", "as 30A")  # 8 - 3 = 5 lost
    assert player.over()
    assert ids(player.s, player.s.on_map(SOVIET)) == {"30A", "3A"}
    assert player.s.pos[unit_of(player.s, "30A")] == player.s.rules.grid.index("S8")


def test_the_army_that_took_a_fronts_place_may_be_lost_too() -> None:
    player = pocket({"SWF": "S8", "3A": "S9"})
    player.do("reduce SWF", "as 37A")  # four lost, one still due
    assert player.options() == {"lose 37A", "lose 3A"}
    assert player.rule("reduce 3A") == "XIV.C"
    player.do("lose 3A")
    assert player.over()


def test_a_front_with_no_weak_army_off_the_map_can_only_be_lost() -> None:
    player = pocket({"NWF": "S8", "5A": "S9"})
    s = player.s
    for u in s.rules.units:
        if u.side == SOVIET and u.size == "army" and u.af <= 3 and s.pos[u.number] == POOL:
            s.lift(u.number, ELIMINATED)
    assert player.options() == {"lose NWF", "lose 5A"}
    assert player.rule("reduce NWF") == "XIV.B.2"


def test_status_goes_with_the_reduced_front() -> None:
    player = pocket({"SWF": "S8 d", "3A": "S9"})
    player.do("reduce SWF", "as 30A")
    assert ids(player.s, player.s.dispersed) == {"30A"}


def test_irreplaceable_units_are_gone_for_good() -> None:
    s = board({"3RomA": "S8"})
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    player.settle()
    assert player.over()
    assert s.pos[unit_of(s, "3RomA")] == ELIMINATED


# ---------------------------------------------------------------- XIV.B.2 air supply


def german_pocket(weather: str = "good") -> Player:
    s = board({"1Inf": "S8", "2Inf": "S8", "3RomA": "S9", "7Inf": "S11"}, weather=weather)
    s.side = AXIS
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    return player.settle()


def test_one_german_stack_is_supplied_by_air() -> None:
    player = german_pocket()
    assert player.options() == {"airlift S8", "airlift S11", "pass"}
    assert player.rule("airlift S9") == "XIV.B.2"
    assert player.rule("airlift Q1") == "XIV.B.2"
    player.do("airlift S8")
    assert ids(player.s, player.s.on_map(AXIS)) == {"1Inf", "2Inf"}  # the others lost half, rounded up
    assert player.over()


def test_air_supply_may_be_declined() -> None:
    player = german_pocket().do("pass")
    assert player.options("lose") == {"1Inf", "2Inf", "3RomA"}


def test_air_supply_does_not_help_allies_in_the_stack() -> None:
    s = board({"1Inf": "S8", "RomArm": "S8"})
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    player.settle().do("airlift S8")
    assert ids(s, s.on_map(AXIS)) == {"1Inf"}


@pytest.mark.parametrize(("weather", "flies"), [("good", True), ("hard_frost", True), ("mud", False), ("snow", False)])
def test_air_supply_needs_good_weather(weather: str, flies: bool) -> None:
    assert ("pass" in german_pocket(weather).options()) is flies


def test_the_soviets_have_no_air_supply() -> None:
    assert "pass" not in pocket({"3A": "S8", "5A": "S9", "8A": "T9"}).options()


def test_nothing_is_asked_when_all_are_in_supply() -> None:
    s = start()
    player = Player(s)
    supply.begin(s, AXIS, player.play)
    assert player.settle().over()
    assert player.events == []


def test_a_pocket_of_two_commands_is_the_commanders() -> None:
    player = pocket({"3A": "S8", "5A": "S9"}, players="4")
    assert player.s.rules.seats[player.asked().seat(player.s)].id == "soviet_north"
    player = pocket({"5A": "S9", "21A": "S8"}, players="4")
    assert player.s.rules.seats[player.asked().seat(player.s)].id == "soviet_south"


def test_the_query_is_plain_data() -> None:
    s = board({"39Pz": "T13", "3Pz": "T14", "1Inf": "T14"}, axis="T4-T14")
    answer = supply.supply_query(s, AXIS)
    assert {"T13", "Q1"} <= set(answer["supplied"])
    assert set(answer["unsupplied_units"]) == {"3Pz", "1Inf"}
    assert answer["fuel_short"] == ["3Pz"]
    assert answer["pockets"] == [{"units": ["3Pz", "1Inf"], "loses": 5}]
    assert answer["seas"] == ["Baltic", "Gulf of Finland"]


# ---------------------------------------------------------------- against a slow reading


def slow_supplied(s: State, side: int, sources: int) -> set[int]:
    """XIV.A hex by hex."""
    rules, grid = s.rules, s.rules.grid
    held = s.controlled(side)
    seas = supply.open_seas(s, side)

    def usable(hex_: int) -> bool:
        if rules.map.sea >> hex_ & 1:
            return any(rules.map.sea_zone[zone] >> hex_ & 1 for zone in seas)
        return bool(held >> hex_ & 1 and rules.map.ground[1].enterable >> hex_ & 1)

    def open_side(a: int, b: int) -> bool:
        if not rules.map.sides["sea"].between(a, b):
            return True
        return any(rules.map.coast[zone] >> a & rules.map.coast[zone] >> b & 1 for zone in seas)

    def spread(start: set[int], steps: int) -> set[int]:
        reached, edge = set(start), set(start)
        while edge and steps:
            edge = {
                n
                for h in edge
                for n in grid.neighbours[h]
                if n >= 0 and n not in reached and usable(n) and open_side(h, n)
            }
            reached |= edge
            steps -= 1
        return reached

    net = spread({h for h in members(sources) if held >> h & 1}, 2000)
    edge = {h for c in ("DE", "RO") for h in members(rules.map.edge[c])} if side == AXIS else set()
    if net & edge:
        net |= spread({h for h in edge if held >> h & 1}, 2000)
    towns = {h for h in net if rules.map.towns >> h & 1 and held >> h & 1}
    return spread(towns, 7)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_lines_agree_with_a_slow_reading(data: st.DataObject) -> None:
    s = board({}, weather=data.draw(st.sampled_from(["good", "snow"])))
    land = members(s.rules.map.ground[1].enterable)
    for _ in range(data.draw(st.integers(1, 8))):
        centre = s.rules.grid.names[data.draw(st.sampled_from(land))]
        area = within(s, centre, data.draw(st.integers(0, 5)))
        s.control = s.control | area if data.draw(st.booleans()) else s.control & ~area
    for side, nation in ((AXIS, "DE"), (AXIS, "RO"), (AXIS, "FI"), (SOVIET, "SU")):
        expected = slow_supplied(s, side, s.rules.supply_edge(nation))
        assert set(members(supply.supplied_for(s, nation))) == expected
