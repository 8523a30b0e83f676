"""7.0, 7.2, 7.3: segments, first player, tactical movement, joint attacks."""

from __future__ import annotations

import pytest

from rasputitsa.wir.model import plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ART_POOL
from rasputitsa.wir.model.theatre import AXIS, MOUNTAIN, SOVIET, SWAMP
from rasputitsa.wir.rules.execution.execution import SegmentBegan, begin, first_player_chance
from tests.unit.wir.field import AVERAGE, empty, kinds, noted, plain, play, put, ring, said

DIV = ("INF", 70, 70, 0)
PANZER = ("PZ", 130, 80, 0)
CORPS = ("RIFLE", 70, 70, 0)
AXIS_FIRST, SOVIET_FIRST = 1, 100


@pytest.mark.parametrize(
    ("year", "chances"),
    [
        (1941, (95, 75, 40, 70)), (1942, (90, 65, 45, 60)), (1943, (65, 50, 45, 45)), (1944, (50, 40, 40, 40)),
        (1945, (50, 40, 40, 40)),
    ],
)  # fmt: skip
def test_first_player_by_year_and_weather(year: int, chances: tuple[int, ...]) -> None:
    for weather, chance in zip(("clear", "cold", "very cold", "rain"), chances, strict=True):
        month = f"{year}-07" if year < 1945 else "1945-01"
        s = empty(month=month, weather=weather)
        assert first_player_chance(s) == chance
        begin(s, play(first=[chance]))
        assert s.first == AXIS
        begin(s, play(first=[chance + 1]))
        assert s.first == SOVIET


def test_the_printed_band_of_the_first_years() -> None:
    for month in ("1941-07", "1942-07"):
        assert 90 <= first_player_chance(empty(month=month)) <= 95


def segments(s: State, die: int) -> list[tuple[object, ...]]:
    p = play(first=die, combat=AVERAGE, retreat=10_000, advance=10_000)
    begin(s, p)
    assert all(said(s, p))
    return [event.args if event.kind == "segment" else (event.kind, event.args[0]) for event in p.events]


def test_segments_in_order() -> None:
    for die, first, second in ((AXIS_FIRST, AXIS, SOVIET), (SOVIET_FIRST, SOVIET, AXIS)):
        s = empty()
        a, b = plain(s, 9), plain(s, 30)
        put(s, 1, a, PANZER, orders="14")
        put(s, 12, ring(s, a)[3], DIV, orders="4")
        put(s, 64, b, ("TANK", 60, 50, 0), orders="14")
        put(s, 76, ring(s, b)[3], CORPS, orders="4")
        mover = {AXIS: (1, 12), SOVIET: (64, 76)}
        assert segments(s, die) == [
            (2, first), (3, first), ("moves", mover[first][0]), ("moves", mover[first][1]),
            (5, second), ("moves", mover[second][0]), ("moves", mover[second][1]),
            (7, first), ("moves", mover[first][0]), (9, second), ("moves", mover[second][0]),
        ]  # fmt: skip
        assert s.hex[1] == a and s.hex[64] == b


def test_attacks_follow_each_segment_of_movement() -> None:
    s = empty()
    centre = plain(s)
    put(s, 1, ring(s, centre)[0], PANZER, orders="04")
    put(s, 12, ring(s, centre)[1], DIV, orders="5")
    put(s, 64, plain(s, 30), ("TANK", 60, 50, 0), orders="01")
    put(s, 76, centre, *[("RIFLE", 90, 90, 0)] * 3, works=5)
    put(s, 77, ring(s, centre)[3], CORPS)
    s.plot[77] = plot.read("6")
    put(s, 13, ring(s, ring(s, centre)[3])[5], ("INF", 70, 70, 0))
    p = play(first=AXIS_FIRST, combat=AVERAGE, retreat=10_000, advance=10_000)
    begin(s, p)
    order = [event.args for event in p.events if event.kind == "segment"]
    assert order == [(2, 0), (3, 0), (4, 0), (5, 1), (6, 1), (7, 0), (8, 0), (9, 1)]
    assert [event.args[1] for event in noted(p, "fight")] == [(12,), (77,), (1,)]


def test_groups_that_step_against_one_hex_attack_together_in_the_order_of_the_lowest() -> None:
    s = empty()
    a, b = plain(s, 2), plain(s, 30)
    wall = [("RIFLE", 90, 90, 0)] * 6
    put(s, 76, a, *wall, works=5)
    put(s, 77, b, *wall, works=5)
    put(s, 14, ring(s, a)[0], DIV, orders="4")
    put(s, 13, ring(s, b)[0], DIV, orders="4S")
    put(s, 12, ring(s, a)[1], DIV, orders="5")
    p = play(first=AXIS_FIRST, combat=AVERAGE)
    begin(s, p)
    assert [event.args[:2] for event in noted(p, "fight")] == [(a, (12, 14)), (b, (13,))]


def test_a_bombardment_is_no_part_of_a_joint_attack() -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, *[("RIFLE", 90, 90, 0)] * 6, works=5)
    put(s, 13, ring(s, centre)[0], DIV, guns=120, orders="4B")
    put(s, 12, ring(s, centre)[1], DIV, orders="5")
    put(s, 14, ring(s, centre)[2], DIV, orders="6")
    p = play(first=AXIS_FIRST, combat=AVERAGE)
    begin(s, p)
    assert [e.kind for e in p.events if e.kind in ("fight", "bombards")] == ["fight", "bombards"]
    assert noted(p, "fight")[0].args[1] == (12, 14)
    assert s.artillery[13] == 90


def test_moving_returns_guns_leaves_works_and_tires() -> None:
    s = empty()
    here = plain(s, 5)
    put(s, 12, here, DIV, works=3, guns=100, orders="1")
    put(s, 1, plain(s, 9), PANZER, orders="1")
    pool = s.pools[AXIS][ART_POOL]
    begin(s, play(first=1))
    assert s.hex[12] == ring(s, here)[0]
    assert (s.entrench[12], s.artillery[12], s.pools[AXIS][ART_POOL]) == (0, 0, pool + 100)
    assert s.fatigue[s.group_units[12][0]] == 10
    assert s.fatigue[s.group_units[1][0]] == 5
    assert s.control >> s.hex[12] & 1


def test_an_s_never_moves_a_group() -> None:
    s = empty()
    here = plain(s, 5)
    put(s, 12, here, DIV, works=3, guns=100, orders="1S")
    put(s, 1, plain(s, 9), PANZER, orders="12S")
    begin(s, play(first=1))
    assert (s.hex[12], s.entrench[12], s.artillery[12], s.plot[12]) == (here, 3, 100, 0)
    assert s.hex[1] == ring(s, plain(s, 9))[0]


def test_zones_of_control_do_not_hinder() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 76, centre, CORPS)
    put(s, 1, around[0], PANZER, orders="34")
    begin(s, play(first=1))
    assert s.hex[1] == around[2]


def test_a_full_hex_cancels_the_rest_of_a_plot() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 12, centre, DIV)
    s.place(52, centre)
    put(s, 1, around[0], PANZER, orders="43")
    p = play(first=1)
    begin(s, p)
    assert s.hex[1] == around[0] and s.plot[1] == 0
    assert noted(p, "plot_cancelled")[0].args == (1, around[0], "full")


def test_a_lower_number_makes_room_first() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 12, centre, DIV, orders="4")
    put(s, 13, centre, DIV)
    put(s, 14, around[0], DIV, orders="4")
    begin(s, play(first=1))
    assert s.hex[12] == around[3] and s.hex[14] == centre


def test_water_and_the_edge_of_the_map_cancel_a_plot() -> None:
    s = empty()
    board = s.rules.map
    shore, direction = next(
        (h, d) for h in range(s.rules.grid.size) if board.passable >> h & 1
        for d in range(1, 7) if board.step[h][d] >= 0 and not board.passable >> board.step[h][d] & 1
    )  # fmt: skip
    edge, away = next(
        (h, d) for h in range(s.rules.grid.size) if board.passable >> h & 1
        for d in range(1, 7) if board.step[h][d] < 0
    )  # fmt: skip
    put(s, 12, shore, DIV, orders=str(direction))
    put(s, 13, edge, DIV, orders=str(away))
    p = play(first=1)
    begin(s, p)
    assert [event.args[2] for event in noted(p, "plot_cancelled")] == ["terrain", "terrain"]
    assert s.hex[12] == shore and s.hex[13] == edge


def test_a_bombardment_off_the_map_is_nothing() -> None:
    s = empty()
    edge = s.rules.grid.index("0118")
    put(s, 12, edge, DIV, guns=60, orders="5B")
    begin(s, play(first=1))
    assert s.artillery[12] == 60


def test_a_bombardment_that_comes_too_late_is_reported() -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, ("RIFLE", 10, 10, 0))
    put(s, 12, ring(s, centre)[0], *[("INF", 70, 90, 0)] * 6, orders="4")
    put(s, 13, ring(s, centre)[1], ("INF", 70, 70, 0), guns=80, orders="5B")
    p = play(first=1, combat=AVERAGE, retreat=1, advance=1)
    begin(s, p)
    assert noted(p, "plot_cancelled")[0].args == (13, s.hex[13], "gone") and all(said(s, p))
    assert "bombards" not in kinds(p) and s.artillery[13] == 80


def test_a_worn_out_group_does_not_step_but_fires() -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, *[("RIFLE", 90, 90, 0)] * 6, works=5)
    put(s, 12, ring(s, centre)[0], ("INF", 70, 70, 95), orders="4")
    put(s, 13, ring(s, centre)[1], ("INF", 70, 70, 95), guns=80, orders="5B")
    p = play(first=1)
    begin(s, p)
    assert noted(p, "plot_cancelled")[0].args[2] == "weary"
    assert kinds(p).count("bombards") == 1 and not noted(p, "fight")


def test_a_group_that_wears_out_on_the_way_stops() -> None:
    s = empty()
    here = plain(s, 5)
    put(s, 1, here, ("PZ", 130, 80, 92), orders="14")
    p = play(first=1)
    begin(s, p)
    assert s.hex[1] == ring(s, here)[0]
    assert s.fatigue[s.group_units[1][0]] == 95
    assert s.overfatigued == 1 << s.group_units[1][0]


@pytest.mark.parametrize(("orders", "moved"), [("11", 1), ("01", 1), ("1", 1), ("12S", 1)])
def test_rain_one_hex_a_week(orders: str, moved: int) -> None:
    s = empty(weather="rain")
    here = plain(s, 5)
    put(s, 1, here, PANZER, orders=orders)
    begin(s, play(first=1))
    assert s.rules.grid.distance(here, s.hex[1]) == moved
    assert s.hex[1] == ring(s, here)[0]


@pytest.mark.parametrize(
    ("weather", "month", "mechanized", "infantry"),
    [("clear", "1941-07", 5, 10), ("cold", "1941-11", 10, 20), ("very cold", "1941-12", 50, 50),
     ("very cold", "1942-01", 30, 30), ("rain", "1941-10", 40, 40)],
)  # fmt: skip
def test_fatigue_of_tactical_moves(weather: str, month: str, mechanized: int, infantry: int) -> None:
    s = empty(month=month, weather=weather)
    put(s, 1, plain(s, 5), PANZER, orders="1")
    put(s, 12, plain(s, 9), DIV, orders="1")
    begin(s, play(first=1))
    assert s.fatigue[s.group_units[1][0]] == mechanized
    assert s.fatigue[s.group_units[12][0]] == infantry


def test_a_river_costs_ten_more_and_nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    for weather, month, fatigue in (("clear", "1941-07", 60), ("rain", "1941-10", 95), ("cold", "1941-11", 20)):
        s = empty(month=month, weather=weather)
        grid = s.rules.grid
        here, there = grid.index("1020"), grid.index("1019")
        assert s.terrain(there) == SWAMP
        put(s, 12, here, DIV, orders=str(s.rules.map.direction(here, there)))
        begin(s, play(first=1))
        assert s.fatigue[s.group_units[12][0]] == fatigue
    ground = s.rules.map.base[:]
    ground[there] = MOUNTAIN
    monkeypatch.setattr(s.rules.map, "base", ground)
    s = empty(month="1941-11", weather="cold")
    put(s, 12, here, DIV, orders=str(s.rules.map.direction(here, there)))
    begin(s, play(first=1))
    assert s.fatigue[s.group_units[12][0]] == 95


def test_an_empty_enemy_city_is_captured_by_moving_in() -> None:
    s = empty()
    city = s.rules.map.cities[s.rules.city("Kiev")]
    here, direction = next(
        (h, s.rules.map.direction(h, city.hex)) for h in ring(s, city.hex) if s.rules.map.passable >> h & 1
    )
    put(s, 12, here, DIV, orders=str(direction))
    p = play(first=1)
    begin(s, p)
    assert s.owner[city.number] == AXIS and s.city_hexes[AXIS] >> city.hex & 1
    assert kinds(p)[-2:] == ["moves", "city"]
    assert said(s, p)[-1] == "Kiev is captured by the Axis side"


def test_a_group_that_is_driven_back_forgets_its_plot() -> None:
    s = empty()
    centre = plain(s)
    put(s, 12, ring(s, centre)[0], *[("INF", 70, 99, 0)] * 6, orders="4S")
    put(s, 76, centre, ("RIFLE", 40, 20, 0), orders="4")
    p = play(first=AXIS_FIRST, combat=AVERAGE)
    begin(s, p)
    assert len(noted(p, "retreats")) == 1 and not noted(p, "moves")
    assert s.rules.grid.distance(centre, s.hex[76]) == 1


def test_a_hex_left_by_the_enemy_is_entered_and_one_entered_by_the_enemy_attacked() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 12, centre, DIV, orders="1")
    put(s, 76, around[3], CORPS, orders="1")
    p = play(first=AXIS_FIRST)
    begin(s, p)
    assert s.hex[76] == centre and not noted(p, "fight")
    put(s, 13, around[4], DIV, orders="2")
    p = play(first=SOVIET_FIRST, combat=AVERAGE, retreat=10_000, advance=10_000)
    s.plot[12] = s.plot[76] = 0
    begin(s, p)
    assert noted(p, "fight")[0].args[:2] == (centre, (13,))


def test_a_panzer_group_advances_and_goes_on() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 1, around[0], *[("PZ", 150, 90, 0)] * 6, orders="44")
    put(s, 76, centre, ("RIFLE", 40, 20, 0))
    p = play(first=AXIS_FIRST, combat=AVERAGE, advance=1)
    begin(s, p)
    assert noted(p, "advances")[0].args == (1, around[0], centre)
    assert s.hex[1] == around[3] or noted(p, "fight")[1].args[0] == around[3]


def test_without_an_advance_the_second_step_is_cancelled() -> None:
    s = empty()
    centre = plain(s)
    put(s, 1, ring(s, centre)[0], *[("PZ", 150, 90, 0)] * 6, orders="42")
    put(s, 76, centre, ("RIFLE", 40, 20, 0))
    begin(s, play(first=AXIS_FIRST, combat=AVERAGE, advance=10_000))
    assert s.hex[1] == ring(s, centre)[0]


def test_turns_of_axis_movement_out_of_supply_are_counted() -> None:
    s = empty(level="1")
    put(s, 1, plain(s, 5), PANZER, orders="14")
    put(s, 12, plain(s, 9), DIV, orders="1")
    put(s, 13, plain(s, 12), DIV, orders="1")
    put(s, 14, plain(s, 15), DIV)
    put(s, 76, plain(s, 30), CORPS, orders="1")
    s.supplied |= 1 << 12
    s.moved |= 1 << 13
    begin(s, play(first=1))
    assert [s.unsupplied_moves[g] for g in (1, 12, 13, 14, 76)] == [1, 0, 0, 0, 0]


def test_every_segment_has_words() -> None:
    s = empty()
    words = [SegmentBegan(n, 0).words(s) for n in range(1, 11)]
    assert words[0] == "Air strikes"
    assert words[1] == "First player: Axis"
    assert len(set(words)) == 5
