"""XVI.B.4, XVI.C, XVI.D: the starts of the game and free deployment."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.portfolio.model.stacking import surplus
from rasputitsa.portfolio.model.state import LOCKED, POOL, SETUP, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.turn import setup
from tests.unit.portfolio.board import Floor, Player, ids, names, set_of, unit_of
from tests.unit.portfolio.historical_setup import historical_setup


def opened(scenario: str = "june22", **options: str) -> Player:
    """A game at its first question of the set-up."""
    s = setup.initial_state(ruleset(scenario, options, DATA))
    s.stack = (Floor(), *s.stack)
    return Player(s, (4,)).settle()


# ---------------------------------------------------------------- the historical starts


@pytest.mark.parametrize(
    ("scenario", "turn", "reserve", "marks"),
    [("june1", 0, 15, ("D", "d")), ("june22", 1, 18, ("D",)), ("july10", 2, 21, ())],
)
def test_historical_starts(scenario: str, turn: int, reserve: int, marks: tuple[str, ...]) -> None:
    s = setup.initial_state(ruleset(scenario, {}, DATA))
    rules = s.rules
    assert s.turn == turn
    assert s.armor_points == [0, reserve]
    assert s.infantry_points == [0, 0]
    for u in rules.units:
        where = {"setup": u.setup, "replacement": POOL}.get(u.pool, LOCKED)
        assert s.pos[u.number] == where, u.id
        assert bool(s.dispersed >> u.number & 1) is (u.pool == "setup" and u.dispersed in marks and bool(marks))
    assert s.spent == s.fresh_dispersed == s.captured == s.factories_lost == 0


def test_every_hex_of_the_start_is_within_stacking_and_on_the_right_side() -> None:
    s = setup.initial_state(ruleset("june22", {}, DATA))
    for hex_, units in s.at.items():
        assert not surplus(s, units, hex_), s.rules.grid.names[hex_]
        side = s.rules.roster.side[units[0]]
        assert s.controlled(side) >> hex_ & 1, s.rules.grid.names[hex_]
        assert {s.rules.roster.side[u] for u in units} == {side}


def test_each_side_holds_what_lies_behind_its_border() -> None:
    s = setup.initial_state(ruleset("june22", {}, DATA))
    country = s.rules.map.country
    assert s.control == country["DE"] | country["HU"] | country["RO"] | country["FI"] | country["BG"]


def test_some_places_of_the_printed_set_up() -> None:
    s = setup.initial_state(ruleset("june22", {}, DATA))
    at = {name: ids(s, s.at[s.rules.grid.index(name)]) for name in ("Q3", "O4", "G15", "DD5", "U3", "N6")}
    assert at == {
        "Q3": {"10A", "6CosK"},
        "O4": {"3PzG", "5Inf"},
        "G15": {"23A"},
        "DD5": {"30Inf", "3RomA"},
        "U3": {"1PzG", "3Pz"},
        "N6": {"3MK"},
    }


def test_no_germans_in_finland_so_the_finns_wait() -> None:
    assert setup.initial_state(ruleset("june22", {}, DATA)).germans_in_finland is False


def test_nothing_is_asked_at_a_historical_start() -> None:
    assert opened().over()


def test_the_weather_die_of_1_june_comes_first() -> None:
    player = opened("june1")
    assert player.asked().rule == "XVI.C.1.c"
    player.do("cast")
    assert player.s.weather.id == "good"
    assert player.over()
    assert opened("june1", soviet_deployment="free").options() == {"cast"}


# ---------------------------------------------------------------- 10 July: the Axis redeploys


def test_the_axis_may_begin_where_it_stood() -> None:
    player = opened("july10")
    assert "lift 39Pz" in player.options()
    assert "done" in player.options()
    assert player.options("place") == set()
    assert player.do("done").over()


def test_units_move_to_other_hexes() -> None:
    player = opened("july10").do("lift 39Pz", "at U1")
    s = player.s
    assert s.pos[unit_of(s, "39Pz")] == s.rules.grid.index("U1")
    player.do("lift 39Pz", "back")
    assert s.pos[unit_of(s, "39Pz")] == s.rules.grid.index("U1")
    assert player.kinds() == ["deployed"]


def test_germans_stay_on_axis_ground_and_within_stacking() -> None:
    player = opened("july10").do("lift 39Pz")
    assert player.rule("at Q19") == "XVI.C"
    assert player.rule("at KK2") == "XVI.C"  # Bulgaria
    assert player.rule("at A6") == "XVI.C"  # sea
    assert player.rule("at U3") == "XII"
    assert player.rule("at N4") == "XVI.C"  # there already
    assert {"Y1", "HH1", "D10", "M1"} <= player.options("at")


def test_armies_share_no_hex() -> None:
    player = opened("july10").do("lift 18AOK")
    assert player.refused("at M4") == ("a hex holds two units at most", "XII")
    assert player.refused("at S2")[1] == "XII"


@pytest.mark.parametrize(
    ("unit", "allowed", "refused"),
    [
        ("3RomA", {"DD4", "HH1"}, ["Q1", "Y1", "D10", "KK2"]),
        ("RomMtn", {"EE1"}, ["AA4"]),
        ("HunMob", {"Q2", "Y1", "M1"}, ["HH1", "D10", "W2"]),
        ("ItAuto", {"Q2", "BB1"}, ["GG2", "C9"]),
        ("2Fin", {"A9", "B13"}, ["Q1", "E14", "F9"]),
        ("GrO", {"D10"}, ["C17", "M2"]),
    ],
)
def test_the_allies_begin_at_home(unit: str, allowed: set[str], refused: list[str]) -> None:
    player = opened("july10").do(f"lift {unit}")
    assert allowed <= player.options("at")
    for name in refused:
        assert player.rule(f"at {name}") == "XVI.C"


def test_three_germans_in_finland() -> None:
    player = opened("july10")
    player.do("lift 39Pz", "at D10", "lift 1Inf", "at D11", "lift 2Inf", "at D12", "lift 7Inf")
    assert player.refused("at D10") == ("no more than 3 German units begin in Finland", "XVI.C.1.a")
    assert not player.options("at") & names(player.s, player.s.rules.map.country["FI"])
    player.do("back", "lift 39Pz")
    assert "C10" in player.options("at")  # one of the three may move within Finland
    player.do("at C10", "done")
    assert player.s.germans_in_finland is True


def test_six_germans_in_romania() -> None:
    player = opened("july10")  # 11AOK, 30Inf and 54Inf are there
    player.do("lift 39Pz", "at HH1", "lift 1Inf", "at HH2", "lift 2Inf", "at HH3", "lift 7Inf")
    assert player.rule("at GG2") == "XVI.C.1.a"


def test_orders_that_do_not_fit() -> None:
    player = opened("july10")
    assert player.rule("place 39Pz") == "XVI.C"
    assert player.rule("lift 8A") == "XVI.C.2"
    assert player.rule("at Q1") == "XVI.C"


def test_each_command_sets_up_its_own() -> None:
    player = opened("july10", players="4")
    assert "lift 39Pz" in player.options()
    assert player.rule("lift 1PzG") == "II"
    player.do("done")
    assert "lift 1PzG" in player.options()
    assert player.do("done").over()


# ---------------------------------------------------------------- XVI.C.2: the Soviets redeploy


def test_the_soviets_set_up_first_then_the_axis() -> None:
    player = opened(soviet_deployment="free")
    s = player.s
    assert s.pos[unit_of(s, "8A")] == SETUP
    assert "place 8A" in player.options()
    assert player.rule("done") == "XVI.C"
    assert player.rule("lift 8A") == "XVI.C"
    assert player.rule("place 29A") == "XVI.D.2"
    for unit, hex_ in historical_setup(s):
        player.do(f"place {s.rules.units[unit].id}", f"at {s.rules.grid.names[hex_]}")
    player.do("done")
    assert "lift 39Pz" in player.options()
    player.do("done")
    assert player.over()


def test_soviet_limits() -> None:
    player = opened(soviet_deployment="free").do("place 8A", "at Q19", "place 11A")
    assert player.rule("at Q19") == "XVI.C.2"
    assert player.rule("at Q2") == "XVI.C.2"  # Germany
    assert player.rule("at A6") == "XVI.C.2"
    assert player.rule("at E16") == "XVI.C.2"  # Ladoga
    assert {"S4", "A28", "JJ10"} <= player.options("at")


def test_dispersal_marks_stay_in_a_june_redeployment() -> None:
    player = opened(soviet_deployment="free").do("place 3A", "at Q19", "place 12A", "at Q20")
    assert ids(player.s, player.s.dispersed) >= {"3A"}
    assert not player.s.dispersed & set_of(player.s, "12A")
    assert player.s.active[SOVIET] == 1 << player.s.rules.grid.index("Q20")


def free_soviets() -> tuple[Player, list[str]]:
    player = opened(soviet_deployment="free")
    armies = [u.id for u in player.s.rules.units if u.side == SOVIET and u.pool == "setup" and u.size == "army"]
    return player, armies


def test_eight_cities_need_armies() -> None:
    player, armies = free_soviets()
    land = iter(f"{row}24" for row in "BCDEFGHIJKLMN")
    for name in armies[:-8]:
        player.do(f"place {name}", f"at {next(land)}")
    player.do(f"place {armies[-8]}")
    assert player.options("at") == names(player.s, player.s.rules.map.majors)
    assert player.rule("at S4") == "XVI.C.2"
    player.do("at Q19", f"lift {armies[0]}", "at S4")  # an army in the open may go elsewhere in the open
    player.do(f"lift {armies[-8]}")
    assert player.options("at") == names(player.s, player.s.rules.map.majors) - {"Q19"}


def test_corps_do_not_take_the_last_cities() -> None:
    player = opened(soviet_deployment="free")
    s = player.s
    cities = sorted(names(s, s.rules.map.majors))
    corps = [u.id for u in s.rules.units if u.side == SOVIET and u.pool == "setup" and u.size == "corps"]
    for name, city in zip(corps, cities[:14], strict=False):
        player.do(f"place {name}", f"at {city}")
    player.do(f"place {corps[14]}")
    assert player.refused(f"at {cities[-1]}") == (
        "8 major cities need an army; the free ones are kept for those",
        "XVI.C.2",
    )
    player.do("back", "place 8A", f"at {cities[-1]}", f"place {corps[14]}")
    assert not player.options("at") & set(cities)  # seven are free, and seven are needed


@pytest.mark.parametrize("players", ["2", "4"])
@pytest.mark.parametrize("scenario", ["june1", "june22", "july10"])
def test_the_suggestion_is_legal_and_mostly_historical(scenario: str, players: str) -> None:
    player = opened(scenario, soviet_deployment="free", players=players)
    if scenario == "june1":
        player.do("cast")
    s = player.s
    suggestion = historical_setup(s)
    at_home = sum(s.rules.units[u].setup == h for u, h in suggestion)
    assert at_home >= 35
    orders = {s.rules.units[u].id: s.rules.grid.names[h] for u, h in suggestion}
    assert len(orders) == 42
    while player.options("place") or "done" in player.options():
        waiting = [name for name in orders if name in player.options("place")]
        if not waiting:
            if "lift 39Pz" in player.options():
                break
            player.do("done")
            continue
        player.do(f"place {waiting[0]}", f"at {orders[waiting[0]]}")
    assert len(names(s, setup.cities_with_armies(s))) >= 8
    assert all(len(units) == 1 for hex_, units in s.at.items() if s.occ[SOVIET] >> hex_ & 1)


@pytest.mark.parametrize("seed", range(8))
def test_wild_deployments_end_within_all_limits(seed: int) -> None:
    """Random set-ups come to an end, and keep every limit at the end."""
    rng = random.Random(seed)
    s = setup.initial_state(ruleset("june22", {"soviet_deployment": "free", "players": rng.choice(["2", "4"])}, DATA))
    s.stack = (Floor(), *s.stack)
    play = Context(SeededDice(seed))
    settle(s, play)
    for _ in range(3000):
        frame = s.stack[-1]
        if isinstance(frame, Floor):
            break
        options = frame.options(s)
        wild = [a for a in options if a.verb != "lift"] if rng.random() < 0.8 else options
        action = rng.choice(wild or options)
        frame.apply(s, action, play)
        settle(s, play)
    assert isinstance(s.stack[-1], Floor)
    check_limits(s)


def check_limits(s: State) -> None:
    roster, country = s.rules.roster, s.rules.map.country
    assert SETUP not in s.pos
    for hex_, units in s.at.items():
        assert not surplus(s, units, hex_)
        assert s.occ[AXIS] >> hex_ & 1 or len(units) == 1
    assert not s.occ[SOVIET] & ~country["SU"]
    assert len(names(s, setup.cities_with_armies(s))) >= 8
    assert (s.units_in(country["FI"]) & roster.german).bit_count() <= 3
    assert (s.units_in(country["RO"]) & roster.german).bit_count() <= 6
    for nation, lands in (("RO", ("RO",)), ("FI", ("FI",)), ("HU", ("DE", "HU")), ("IT", ("DE", "HU"))):
        home = sum(country[c] for c in lands)
        assert not roster.of_nation[nation] & ~s.units_in(home)
    assert s.germans_in_finland is bool(s.units_in(country["FI"]) & roster.german)
