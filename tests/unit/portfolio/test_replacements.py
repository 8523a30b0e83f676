"""IX.A, XIV.B.1, XIV.C: points, prices, entry, reductions, and the phase as a whole."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.stacking import surplus
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import production, rail, replacements, siberia
from tests.support import GAME
from tests.unit.portfolio.board import Floor, Player, board, hexes, ids, names, start, unit_of, within


def phase(s: State, side: int, armor: int = 0, infantry: int = 0) -> Player:
    """The phase of a side with exactly these points."""
    s.side = side
    player = Player(s, (6, 6, 6))
    replacements.begin(s, side, player.play)
    s.armor_points[side], s.infantry_points[side] = armor, infantry
    return player.settle()


# ---------------------------------------------------------------- income


def test_full_soviet_income() -> None:
    s = start()
    s.turn = 2
    assert len(names(s, production.working_cities(s))) == 22
    assert production.income(s, SOVIET) == (5, 30)  # 22 + 2 for Moscow and Leningrad + 6; 4 factories + Chelyabinsk


def test_a_lost_city_gives_nothing_and_a_retaken_one_gives_again() -> None:
    s = board({}, axis="BB15")
    s.factories_lost = hexes(s, "BB15")
    assert production.income(s, SOVIET) == (4, 30)  # Lend-Lease makes up for Kharkov on turn 4
    s.control &= ~hexes(s, "BB15")
    assert production.income(s, SOVIET) == (4, 31)  # the city works again, the factory never


def test_moscow_counts_two() -> None:
    s = board({}, axis="Q19", turn=2)
    s.factories_lost = hexes(s, "Q19")
    assert production.income(s, SOVIET) == (4, 28)


def test_cities_out_of_supply_or_off_the_rails_do_not_produce() -> None:
    s = board({}, turn=2)
    s.control |= within(s, "BB15", 1) & ~hexes(s, "BB15")
    assert production.income(s, SOVIET) == (4, 29)
    s = board({"39Pz": "BB14"}, axis="BB14", turn=2)  # in supply, but trains do not enter the zone
    assert "BB15" not in names(s, production.working_cities(s))
    assert production.income(s, SOVIET)[0] == 4
    assert s.factories_lost == 0


def test_lend_lease_from_the_third_turn_played() -> None:
    for scenario, first in (("june1", 0), ("june22", 1), ("july10", 2)):
        s = start(scenario)
        got = []
        for s.turn in range(first, first + 4):
            got.append(production.lend_lease(s))
        assert got == [0, 0, 1, 1], scenario
    s.control |= hexes(s, "A25")
    assert production.lend_lease(s) == 0


def test_lend_lease_needs_no_rail_line() -> None:
    s = board({})
    s.control |= within(s, "A25", 2) & ~hexes(s, "A25")
    assert production.lend_lease(s) == 1


@pytest.mark.parametrize(("scenario", "reserve"), [("june1", 15), ("june22", 18), ("july10", 21)])
def test_the_first_turn(scenario: str, reserve: int) -> None:
    s = start(scenario)
    assert s.armor_points == [0, reserve]
    june = scenario != "july10"
    assert production.income(s, AXIS) == ((0, 0) if june else (2, 2))
    assert production.income(s, SOVIET) == ((0, 0) if june else (5, 30))
    player = phase(s, SOVIET, armor=reserve, infantry=9)
    assert bool(player.options("replace")) is not june
    if june:
        assert player.rule("replace 1TG") == "XVI.B.4"
        assert "eliminate 8A" in player.options()  # IX.A.3 allows it in any such phase


def test_the_reserve_may_be_spent_on_the_first_turn_by_option() -> None:
    player = phase(start(reserve_first_turn="yes"), SOVIET, armor=18, infantry=9)
    assert {"1TG", "13MK", "28MK"} <= player.options("replace")
    assert not {"29A", "WestF", "3KK"} & player.options("replace")
    assert player.rule("replace 29A") == "XVI.B.4"


def test_axis_income_and_saving() -> None:
    s = board({})
    for _ in range(2):
        s.side = AXIS
        player = Player(s)
        replacements.begin(s, AXIS, player.play)
        player.settle().do("done")
        assert player.over()
    assert (s.armor_points[AXIS], s.infantry_points[AXIS]) == (4, 4)


# ---------------------------------------------------------------- prices


@pytest.mark.parametrize(
    ("unit", "cost", "kind"),
    [
        ("4A", 2, "infantry"),  # 2-3: the smaller
        ("WestF", 8, "infantry"),
        ("NWF", 6, "infantry"),  # 6-7
        ("49Mtn", 4, "infantry"),  # 4-5, mountain
        ("52Lt", 3, "infantry"),
        ("2KK", 2, "infantry"),  # 2-1, cavalry: the larger
        ("3MK", 3, "armor"),  # 3-2: the larger
        ("1GTG", 3, "armor"),
        ("39Pz", 7, "armor"),  # 7-5
        ("1Shk", 5, "shock"),  # 5-4: the larger
    ],
)
def test_prices_follow_the_factors(unit: str, cost: int, kind: str) -> None:
    s = board({})
    u = s.rules.units[unit_of(s, unit)]
    assert (u.cost, u.cost_kind) == (cost, kind)
    smaller = u.type in ("infantry", "rifle", "mountain", "light", "front")
    assert u.cost == (min(u.af, u.df) if smaller else max(u.af, u.df))


def test_every_price_on_the_counters_follows_the_rule() -> None:
    s = board({})
    for u in s.rules.units:
        if u.replaceable:
            smaller = u.type in ("infantry", "rifle", "mountain", "light", "front")
            assert u.cost == (min(u.af, u.df) if smaller else max(u.af, u.df)), u.id
            armor = u.type in ("armor", "mechanized")
            assert u.cost_kind == ("armor" if armor else "shock" if u.type == "shock" else "infantry"), u.id


def price(side: int, unit: str, armor: int, infantry: int) -> tuple[int, int] | None:
    s = board({})
    s.armor_points[side], s.infantry_points[side] = armor, infantry
    return production.price(s, unit_of(s, unit))


def test_points_of_one_kind_do_not_pay_for_the_other() -> None:
    assert price(SOVIET, "3MK", 3, 0) == (3, 0)
    assert price(SOVIET, "3MK", 2, 30) is None
    assert price(SOVIET, "8A", 0, 3) == (0, 3)
    assert price(SOVIET, "8A", 30, 2) is None
    assert price(SOVIET, "2KK", 30, 1) is None


def test_axis_armor_helps_to_pay_for_others_but_not_the_other_way_round() -> None:
    assert price(AXIS, "7Inf", 2, 2) == (2, 2)
    assert price(AXIS, "7Inf", 9, 4) == (0, 4)
    assert price(AXIS, "7Inf", 1, 2) is None
    assert price(AXIS, "56Pz", 4, 0) == (4, 0)
    assert price(AXIS, "56Pz", 3, 9) is None


def test_a_shock_army_takes_one_armor_point_at_least() -> None:
    assert price(SOVIET, "1Shk", 1, 9) == (1, 4)
    assert price(SOVIET, "1Shk", 5, 0) == (5, 0)
    assert price(SOVIET, "1Shk", 3, 2) == (3, 2)
    assert price(SOVIET, "1Shk", 0, 9) is None
    assert price(SOVIET, "1Shk", 2, 2) is None


# ---------------------------------------------------------------- buying and entry


def test_a_soviet_replacement_arrives_dispersed_and_paid() -> None:
    player = phase(board({}), SOVIET, armor=3, infantry=5)
    player.do("replace 8A", "at Q19")
    s = player.s
    assert s.pos[unit_of(s, "8A")] == s.rules.grid.index("Q19")
    assert ids(s, s.dispersed) == {"8A"}
    assert (s.armor_points[SOVIET], s.infantry_points[SOVIET]) == (3, 2)
    assert player.kinds() == ["production", "replaced", "arrived"]
    player.do("replace 3A", "at N18", "replace 3MK", "at S18")
    assert (s.armor_points[SOVIET], s.infantry_points[SOVIET]) == (0, 0)
    assert player.options("replace") == set()


def test_back_costs_nothing() -> None:
    player = phase(board({}), SOVIET, infantry=5).do("replace 8A", "back", "done")
    assert player.s.infantry_points[SOVIET] == 5


def test_soviet_entry_hexes() -> None:
    s = board({"39Pz": "P13", "1Inf": "R28"}, axis="P13 AA28")
    player = phase(s, SOVIET, infantry=5).do("replace 8A")
    options = player.options("at")
    assert {"A28", "Q28", "MM28", "Q19", "A25", "JJ10"} <= options
    assert player.rule("at AA28") == "IX.A"  # the edge in Axis hands
    assert player.rule("at R28") == "IX.A"  # an enemy on the edge
    assert player.rule("at NN20") == "IX.A"  # the southern edge is no entry
    assert player.rule("at Q13") == "VIII.A.1"  # an enemy zone: no train goes there
    assert player.rule("at G14") == "VIII.A.1"  # Kronshtadt
    assert player.rule("at R19") == "IX.A"  # open country
    assert "S28" in options  # beside the enemy: no rail test on the edge


def test_one_arrival_a_hex_counts_trains_and_replacements_together() -> None:
    player = phase(board({"11A": "S20"}), SOVIET, infantry=9)
    player.do("replace 8A", "at Q19", "rail 11A")
    assert player.rule("at Q19") == "IX.A"
    player.do("at T18", "replace 3A")
    assert player.rule("at T18") == "IX.A"


def test_german_entry_hexes() -> None:
    player = phase(board({"8A": "R2"}), AXIS, infantry=4).do("replace 1Inf")
    assert player.options("at") == {"Q1", "HH1", "D10"}  # an enemy zone at Warsaw does not matter
    assert player.rule("at M2") == "IX.A"
    player = phase(board({}, soviet="Q1 D10"), AXIS, infantry=4).do("replace 1Inf")
    assert player.options("at") == {"HH1"}


def test_no_german_entry_city_left() -> None:
    player = phase(board({}, soviet="Q1 D10 HH1"), AXIS, infantry=4)
    assert player.options("replace") == set()
    assert player.rule("replace 1Inf") == "IX.A"


def test_a_replacement_displaces() -> None:
    player = phase(board({"11A": "P28", "3MK": "Q19", "8A": "Q19"}), SOVIET, infantry=9)
    player.do("replace 3A")
    assert player.rule("at P28") == "IX.A"  # nothing lies east of that hex
    player.do("at Q19", "at Q20")  # 8A steps aside
    assert ids(player.s, player.s.at[player.s.rules.grid.index("Q19")]) == {"3A", "3MK"}


def test_who_can_be_replaced() -> None:
    s = board({"8A": "Q19"})
    s.lift(unit_of(s, "3A"), ELIMINATED)
    player = phase(s, SOVIET, armor=20, infantry=20)
    assert player.rule("replace 8A") == "IX.A"  # on the map
    assert player.rule("replace 3A") == "IX.A"
    assert player.rule("replace 1Inf") == "IX.A"  # German
    assert player.rule("replace 1Shk") == "IX.B.2"
    player = phase(board({}), AXIS, armor=20, infantry=20)
    for name in ("18AOK", "1PzG", "3RomA", "RomMtn", "HunMob", "ItAuto", "2Fin"):
        assert player.rule(f"replace {name}") == "IX.A"
    assert {"39Pz", "1Inf", "49Mtn", "52Lt"} <= player.options("replace")
    player = phase(board({"1Inf": "Q1"}), AXIS, armor=1, infantry=1)
    assert player.rule("replace 1Inf") == "IX.A.2"  # not eliminated
    assert player.rule("replace 2Inf") == "IX.A.2"  # armor and other points together do not suffice
    assert player.rule("replace 39Pz") == "IX.A"


def test_too_costly() -> None:
    player = phase(board({}), SOVIET, armor=2, infantry=3)
    assert player.refused("replace 37A") == ("37. Army costs 4 infantry points, and there are 3", "IX.A")
    assert player.refused("replace 3MK") == ("3. MexKor costs 3 armor points, and there are 2", "IX.A")


def test_two_fronts_a_turn() -> None:
    player = phase(board({}), SOVIET, infantry=40)
    player.do("replace WestF", "at Q19", "replace LenF", "at G15")
    assert not {"NWF", "ResF"} & player.options("replace")
    assert player.rule("replace NWF") == "IX.A.1.a.2"
    assert player.s.infantry_points[SOVIET] == 26


def test_a_front_needs_a_hex_of_its_own() -> None:
    player = phase(board({"8A": "Q19", "11A": "S20", "3MK": "S20"}), SOVIET, infantry=8).do("replace WestF")
    assert "S20" not in player.options("at")  # two would have to go
    player.do("at Q19", "at Q20")
    assert ids(player.s, player.s.at[player.s.rules.grid.index("Q19")]) == {"WestF"}


# ---------------------------------------------------------------- giving up and reducing


def test_a_unit_given_up_may_be_bought_back() -> None:
    player = phase(board({"8A": "G12"}), SOVIET, infantry=3)
    player.do("eliminate 8A")
    assert player.s.infantry_points[SOVIET] == 3  # its factors are lost
    player.do("replace 8A", "at Q19")
    assert player.rule("eliminate 3A") == "IX.A.3"


def test_irreplaceable_units_are_given_up_for_good() -> None:
    player = phase(board({"3RomA": "DD5", "1Inf": "N4"}), AXIS).do("eliminate 3RomA", "eliminate 1Inf")
    assert player.s.pos[unit_of(player.s, "3RomA")] == ELIMINATED
    assert player.s.pos[unit_of(player.s, "1Inf")] == POOL


def test_nobody_gives_up_the_enemys_units() -> None:
    assert phase(board({"8A": "Q19", "1Inf": "N4"}), SOVIET).rule("eliminate 1Inf") == "II"


def test_a_front_is_reduced_in_place_and_condition() -> None:
    player = phase(board({"NWF": "Q19 d", "8A": "S20"}), SOVIET, infantry=3)
    assert player.options("reduce") == {"NWF"}
    assert player.rule("reduce 8A") == "XIV.C"
    assert player.rule("reduce WestF") == "XIV.C"
    player.do("reduce NWF")
    assert "as 13A" in player.options()  # 5 of 6
    assert player.rule("as 8A") == "XIV.C"
    assert player.rule("as 1TG") == "XIV.C"
    assert player.rule("as 1Shk") == "XIV.C"
    player.do("as 37A")
    s = player.s
    assert ids(s, s.at[s.rules.grid.index("Q19")]) == {"37A"}
    assert ids(s, s.dispersed) == {"37A"}
    assert s.pos[unit_of(s, "NWF")] == POOL
    assert s.infantry_points[SOVIET] == 3  # the difference is forgone


def test_a_front_without_an_army_to_become() -> None:
    s = board({"NWF": "Q19"})
    for u in s.rules.units:
        if u.side == SOVIET and u.size == "army" and u.pool != "siberia1" and u.pool != "siberia2":
            s.lift(u.number, ELIMINATED)
    player = phase(s, SOVIET)
    assert player.options("reduce") == set()
    assert player.rule("reduce NWF") == "XIV.C"


# ---------------------------------------------------------------- the phase


def test_points_and_units_are_for_their_commands() -> None:
    s = board({"8A": "R20", "5A": "S21"}, players="4")
    player = phase(s, SOVIET, infantry=9)
    assert s.rules.seats[player.asked().seat(s)].id == "soviet_north"
    assert "replace 26A" in player.options()  # a southern unit: the commander spends the points
    assert player.options("rail") == {"8A"}
    assert player.rule("rail 5A") == "II"
    player.do("done")
    assert s.rules.seats[player.asked().seat(s)].id == "soviet_south"
    assert player.options("replace") == set()
    assert player.options("rail") == {"5A"}
    assert player.rule("replace 26A") == "II"
    assert player.rule("siberia") == "II"
    assert player.rule("eliminate 8A") == "II"
    player.do("done")
    assert player.over()


def test_other_orders_are_refused() -> None:
    player = phase(board({"8A": "R20"}), SOVIET)
    assert player.rule("move 8A") == "V.A"
    assert player.rule("at Q19") == "V.A"


def test_counters_of_the_phase_start_again() -> None:
    s = board({"8A": "R20"})
    player = phase(s, SOVIET, infantry=20).do("rail 8A", "at Q19", "replace WestF", "at Q26", "done")
    assert player.over()
    assert (s.rail_used, s.fronts_built, len(names(s, s.arrived))) == (1, 1, 2)
    phase(s, AXIS)
    assert (s.rail_used, s.fronts_built, s.arrived, s.sea_used) == (0, 0, 0, ())


def test_the_query_is_plain_data() -> None:
    s = board({"8A": "R20"})
    player = phase(s, SOVIET, armor=2, infantry=3)
    answer = replacements.pools_query(player.s, SOVIET)
    by_id = {unit["id"]: unit for unit in answer["units"]}
    assert "8A" not in by_id
    assert by_id["3A"]["replace"] is True
    assert by_id["WestF"]["replace"] is False
    assert by_id["WestF"]["rule"] == "IX.A"
    assert by_id["1Shk"]["where"] == "siberia"
    lost = GAME.query(player.s, None, "losses", {})["soviet"]["units_lost"]
    assert "1Shk" not in lost, "a unit that waits in Siberia is not lost"
    assert answer["points"] == {"armor": 2, "infantry": 3}
    assert answer["income"] == {"armor": 5, "infantry": 31}
    assert len(answer["working_cities"]) == 22


# ---------------------------------------------------------------- a long wild phase


def scattered(rng: random.Random) -> State:
    """A position in the middle of a war."""
    s = start("july10")
    s.turn = rng.choice([3, 6, 9, 10, 11, 12])
    s.weather = s.rules.weather["snow" if s.turn > 8 else "good"]
    for u in s.rules.units:
        if s.pos[u.number] >= 0 and rng.random() < 0.4:
            s.lift(u.number, POOL if u.replaceable else ELIMINATED)
    land = [h for h in range(s.rules.grid.size) if s.rules.map.ground[0].enterable >> h & 1]
    for _ in range(6):
        area = within(s, s.rules.grid.names[rng.choice(land)], rng.randrange(5)) & ~s.occ[SOVIET]
        s.control |= area
    s.armor_points = [rng.randrange(12), rng.randrange(20)]
    s.infantry_points = [rng.randrange(12), rng.randrange(40)]
    return s


def worth(s: State, side: int) -> tuple[int, int]:
    armor, infantry = production.purse(s, side)
    return armor, infantry


@pytest.mark.parametrize("seed", range(40))
def test_wild_phases_keep_the_books(seed: int) -> None:
    """Points only go where units come from; limits, stacking and lists hold at every step."""
    rng = random.Random(seed)
    s = scattered(rng)
    side = rng.choice([AXIS, SOVIET])
    s.side = side
    s.stack = (Floor(),)
    play = Context(SeededDice(seed))
    replacements.begin(s, side, play)
    settle(s, play)
    rules = s.rules
    built = arrived = 0
    for _ in range(160):
        frame = s.stack[-1]
        if isinstance(frame, Floor) or s.outcome:
            break
        options = frame.options(s)
        assert len(set(options)) == len(options)
        if isinstance(frame, replacements.ReplacementPhase):
            check_lists(s, frame, set(options))
        before, points = s.copy(), worth(s, side)
        wild = [a for a in options if a.verb not in ("eliminate", "done", "back")] or options
        action = rng.choice(wild if rng.random() < 0.9 else options)
        frame.apply(s, action, play)
        settle(s, play)
        for hex_, units in s.at.items():
            assert not surplus(s, units, hex_), rules.grid.names[hex_]
            assert len({rules.roster.side[u] for u in units}) == 1
            assert s.controlled(rules.roster.side[units[0]]) >> hex_ & 1
        if isinstance(frame, replacements.Rebuilding) and action.verb == "at":
            u = rules.units[frame.unit]
            assert sum(worth(before, side)) - sum(worth(s, side)) == u.cost
            built += rules.roster.front >> u.number & 1
            arrived += 1
        elif isinstance(frame, siberia.Reinforcing) and action.verb == "at":
            assert sum(points) - sum(worth(s, side)) == rules.units[frame.unit].cost or before.pos[frame.unit] == LOCKED
            assert not s.dispersed >> frame.unit & 1
        elif action.verb not in ("siberia", "done", "cast"):
            assert worth(s, side) == points
        assert min(*s.armor_points, *s.infantry_points, *s.siberia_points) >= 0
        assert s.rail_used <= rules.charts["rail"]["soviet" if side else "axis"]
        assert len(s.sea_used) == len(set(s.sea_used)) <= 2
        assert s.fronts_built == built <= 2
        assert s.arrived.bit_count() <= arrived + s.rail_used + len(s.sea_used)
        fresh = s.copy()
        fresh.rebuild()
        assert (fresh.occ, fresh.full, fresh.big, fresh.active) == (s.occ, s.full, s.big, s.active)


def check_lists(s: State, frame: replacements.ReplacementPhase, options: set[object]) -> None:
    """An order is listed exactly when no paragraph stands against it."""
    for verb in replacements.UNIT_VERBS:
        for unit in range(len(s.rules.units)):
            action = Action(verb, (unit,))
            reason = frame.why_not(s, action)
            assert (action in options) is (reason is None), (verb, s.rules.units[unit].id, reason)


def test_the_net_is_found_once_for_one_position() -> None:
    s = start("july10")
    s.stack = (Floor(),)
    first = rail.rail_net(s, SOVIET)
    assert rail.rail_net(s, SOVIET) is first
    s.control |= hexes(s, "Q19")
    assert rail.rail_net(s, SOVIET) is not first
