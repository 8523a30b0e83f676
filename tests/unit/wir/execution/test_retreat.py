"""7.7, 7.8: retreats, surrender, what is lost by them, and advances."""

from __future__ import annotations

import pytest

from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR_POOL, ART_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.execution import combat, retreat
from rasputitsa.wir.rules.execution.retreat import (
    advance,
    chance,
    drive_out,
    give_way,
    open_hexes,
    retreat_fatigue,
    way_out,
)
from tests.unit.wir.field import AVERAGE, RULES, empty, kinds, noted, opposite, plain, play, put, ring, said

DIV = ("INF", 70, 70, 0)
CORPS = ("RIFLE", 70, 70, 0)


@pytest.mark.parametrize(
    ("odds", "percent"), [(0.5, 0), (1, 0), (1.5, 25), (1.75, 37.5), (2, 50), (2.5, 75), (3, 100), (9, 100)]
)
def test_chance_of_retreat(odds: float, percent: float) -> None:
    assert chance(odds, RULES.flight) == percent


def test_the_die_against_the_chance() -> None:
    for die, gone in ((3750, True), (3751, False)):
        s, centre = stand()
        drive_out(s, play(retreat=[die]), centre, SOVIET, 1.75, 1 << ring(s, centre)[0])
        assert (s.hex[76] != centre) == gone
    s, centre = stand()
    drive_out(s, play(), centre, SOVIET, 1, 1 << ring(s, centre)[0])  # impossible: no die
    assert s.hex[76] == centre
    drive_out(s, play(), centre, SOVIET, 3, 1 << ring(s, centre)[0])  # certain: no die
    assert s.hex[76] != centre


def stand(works: int = 0, second: bool = False, **options: str) -> tuple[State, int]:
    """A Soviet group in a clear hex, an Axis group north of it."""
    s = empty(**options)
    centre = plain(s)
    put(s, 12, ring(s, centre)[0], DIV)
    put(s, 76, centre, CORPS, works=works, guns=90, orders="1")
    if second:
        put(s, 77, centre, CORPS)
    return s, centre


def test_retreat_loses_works_guns_and_plot_and_tires() -> None:
    s, centre = stand()
    s.entrench[76] = 2
    pool = s.pools[SOVIET][ART_POOL]
    p = play()
    give_way(s, p, 76, 1 << ring(s, centre)[0])
    assert (s.entrench[76], s.artillery[76], s.plot[76]) == (0, 0, 0)
    assert s.pools[SOVIET][ART_POOL] == pool
    assert s.fatigue[s.group_units[76][0]] == 10 + 19
    assert noted(p, "retreats")[0].args == (76, centre, s.hex[76])
    assert all(said(s, p))


@pytest.mark.parametrize(
    ("month", "weather", "side", "experience", "points"),
    [
        ("1941-07", "clear", AXIS, 70, 19), ("1941-07", "clear", SOVIET, 10, 37), ("1941-07", "clear", AXIS, 99, 10),
        ("1941-11", "cold", SOVIET, 40, 42), ("1941-12", "very cold", SOVIET, 50, 50),
        ("1941-12", "very cold", AXIS, 50, 63), ("1942-01", "very cold", AXIS, 50, 50),
        ("1941-10", "rain", AXIS, 10, 74), ("1941-12", "very cold", AXIS, 10, 80), ("1941-07", "clear", AXIS, 100, 10),
    ],
)  # fmt: skip
def test_fatigue_of_a_retreat(month: str, weather: str, side: int, experience: int, points: int) -> None:
    assert retreat_fatigue(empty(month=month, weather=weather), side, experience) == points


def test_a_worn_out_unit_loses_a_quarter_when_it_retreats_and_does_not_recover() -> None:
    s, centre = stand()
    unit = s.group_units[76][0]
    s.fatigue[unit], s.strength[unit] = 95, 40
    give_way(s, play(), 76, 1 << ring(s, centre)[0])
    assert (s.strength[unit], s.fatigue[unit]) == (30, 95)
    assert s.overfatigued >> unit & 1


def test_away_from_all_attackers() -> None:
    s = empty()
    centre = plain(s)
    for place in range(6):
        assert ring(s, ring(s, centre)[place])[opposite(place + 1) - 1] == centre
    put(s, 76, centre, CORPS)
    for place in range(6):  # three abreast leave only the hex opposite the middle one free of contact
        attackers = sum(1 << ring(s, centre)[(place + turn) % 6] for turn in (-1, 0, 1))
        assert way_out(s, 76, attackers) == ring(s, centre)[(place + 3) % 6]


def test_towards_the_own_depots() -> None:
    s = empty()
    centre = plain(s, 20)
    put(s, 76, centre, CORPS)
    put(s, 12, plain(s, 0), DIV)
    home = retreat._homeward(s.rules, SOVIET)
    assert home[way_out(s, 76, 0)] == min(home[h] for h in ring(s, centre))
    west = retreat._homeward(s.rules, AXIS)
    assert west[way_out(s, 12, 0)] == min(west[h] for h in ring(s, plain(s, 0)))


def test_own_rail_before_open_ground_before_rough_ground() -> None:
    s = empty()
    centre = plain(s, 20)
    put(s, 76, centre, CORPS)
    home = retreat._homeward(s.rules, SOVIET)
    best = [h for h in ring(s, centre) if home[h] == min(home[n] for n in ring(s, centre))]
    assert len(best) > 1
    s.rail[SOVIET] = 1 << best[-1]
    assert way_out(s, 76, 0) == best[-1]
    s.rail[SOVIET] = 0
    assert way_out(s, 76, 0) == best[0]


def test_closed_hexes_for_a_retreat() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 76, centre, CORPS)
    assert open_hexes(s, 76) == sum(1 << h for h in around)
    put(s, 77, around[0], CORPS)
    put(s, 78, around[0], CORPS)
    assert not open_hexes(s, 76) >> around[0] & 1  # two groups
    put(s, 79, around[1], CORPS)
    assert open_hexes(s, 76) >> around[1] & 1  # one group
    put(s, 12, around[3], DIV)
    seen = open_hexes(s, 76)
    for place in (2, 3, 4):
        assert not seen >> around[place] & 1  # the enemy and its zone
    assert seen >> around[5] & 1


@pytest.mark.parametrize(("works", "air", "open_"), [(0, False, False), (1, False, True), (1, True, False)])
def test_into_a_zone_only_to_an_entrenched_combat_group(works: int, air: bool, open_: bool) -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 76, centre, CORPS)
    put(s, 12, around[0], DIV)
    if air:
        s.place(116, around[1])
    else:
        put(s, 77, around[1], CORPS, works=works)
    assert bool(open_hexes(s, 76) >> around[1] & 1) == open_


def test_no_retreat_into_water_or_an_enemy_city() -> None:
    s = empty()
    board = s.rules.map
    riga = board.cities[s.rules.city("Riga")].hex
    s.take_city(s.rules.city("Riga"), AXIS)
    near = next(h for h in members(board.reach[riga]) if not board.city_hexes >> h & 1)
    put(s, 76, near, CORPS)
    assert not open_hexes(s, 76) >> riga & 1
    assert not open_hexes(s, 76) & ~board.passable
    s.take_city(s.rules.city("Riga"), SOVIET)
    assert open_hexes(s, 76) >> riga & 1


def test_surrender_without_a_way_out() -> None:
    s, centre = stand()
    put(s, 13, ring(s, centre)[2], DIV)
    put(s, 14, ring(s, centre)[4], DIV)
    unit = s.group_units[76][0]
    pool = s.pools[SOVIET][ART_POOL]
    p = play()
    drive_out(s, p, centre, SOVIET, 3, 0)
    assert kinds(p) == ["surrenders"]
    assert s.hex[76] == -1 and s.group_units[76] == () and s.utype[unit] == 0
    assert s.pools[SOVIET][ART_POOL] == pool
    assert centre not in s.at


def test_no_retreat_from_a_fortified_city_or_behind_works() -> None:
    s, centre = stand(works=1)
    drive_out(s, play(), centre, SOVIET, 5, 0)
    assert s.hex[76] == centre
    s = empty()
    for city in s.rules.map.cities:
        if city.fortified:
            put(s, 76, city.hex, CORPS)
            drive_out(s, play(), city.hex, SOVIET, 50, 0)
            assert s.hex[76] == city.hex
            s.dissolve(76)


def test_one_group_may_go_while_another_stays_behind_its_works() -> None:
    s, centre = stand(works=3, second=True)
    drive_out(s, play(), centre, SOVIET, 3, 1 << ring(s, centre)[0])
    assert s.hex[76] == centre and s.hex[77] != centre


def test_two_groups_share_one_cast() -> None:
    s, centre = stand(second=True)
    drive_out(s, play(retreat=[5000]), centre, SOVIET, 2, 1 << ring(s, centre)[0])
    assert centre not in s.at


@pytest.mark.parametrize(("die", "turns"), [(1, 1), (2, 2)])
def test_air_groups_are_destroyed_with_the_retreat_of_their_cover(die: int, turns: int) -> None:
    s, centre = stand()
    s.place(116, centre)
    s.aircraft[116] = 101
    s.pools[SOVIET][AIR_POOL] = 0
    drive_out(s, play(air=[die]), centre, SOVIET, 3, 1 << ring(s, centre)[0])
    assert s.hex[116] == -1 and s.aircraft[116] == 0
    assert s.pools[SOVIET][AIR_POOL] == 50
    assert s.returning == ((116, s.turn + turns),)


def test_air_groups_stay_while_a_combat_group_holds() -> None:
    s, centre = stand(works=2)
    s.place(116, centre)
    s.aircraft[116] = 101
    drive_out(s, play(), centre, SOVIET, 3, 0)
    assert s.hex[116] == centre and s.aircraft[116] == 101


def test_air_groups_alone_are_overrun_even_in_a_fortified_city() -> None:
    s = empty()
    moscow = s.rules.map.cities[s.rules.city("Moscow")]
    put(s, 12, members(s.rules.map.reach[moscow.hex])[0], DIV)
    s.place(116, moscow.hex)
    s.aircraft[116] = 10
    p = play(combat=AVERAGE, air=1, advance=1)
    combat.assault(s, p, [12], moscow.hex)
    fight = noted(p, "fight")[0]
    assert fight.args[4] == 0  # 0.01 %
    assert s.strength[s.group_units[12][0]] == 70
    assert s.hex[12] == moscow.hex and s.owner[moscow.number] == AXIS
    assert all(said(s, p))


# ---------------------------------------------------------------------- advances


@pytest.mark.parametrize(("group", "kind", "last"), [(1, "PZ", 9000), (12, "INF", 3000)])
def test_chance_of_an_advance(group: int, kind: str, last: int) -> None:
    for die, follows in ((last, True), (last + 1, False)):
        s = empty()
        centre = plain(s)
        put(s, group, ring(s, centre)[0], (kind, 70, 70, 0), orders="4")
        p = play(advance=[die])
        assert advance(s, p, [group], centre, 0) == (1 << group if follows else 0)
        assert (s.hex[group] == centre) == follows
        assert bool(s.plot[group]) == follows


def test_an_advance_returns_guns_leaves_works_tires_and_captures() -> None:
    s = empty()
    city = s.rules.map.cities[s.rules.city("Minsk")]
    here = next(h for h in members(s.rules.map.reach[city.hex]) if not s.rules.map.river.between(h, city.hex))
    put(s, 12, here, DIV, works=4, guns=200)
    pool = s.pools[AXIS][ART_POOL]
    supply = s.values[5][city.number]
    p = play(advance=1)
    advance(s, p, [12], city.hex, 0)
    assert (s.entrench[12], s.artillery[12]) == (0, 0)
    assert s.pools[AXIS][ART_POOL] == pool + 200
    assert s.fatigue[s.group_units[12][0]] == 10
    assert s.owner[city.number] == AXIS
    assert [s.values[kind][city.number] for kind in range(6)] == [0, 0, 0, 0, 0, supply // 2]
    assert noted(p, "city")[0].args == (city.number, AXIS)
    assert s.control >> city.hex & 1


def test_no_advance_with_an_s_when_worn_out_or_without_room() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 12, around[0], DIV, orders="4S")
    put(s, 13, around[1], ("INF", 70, 70, 95), orders="5")
    for group, place in ((14, 2), (15, 3), (16, 4)):
        put(s, group, around[place], DIV, orders=str(opposite(place + 1)))
    p = play(advance=[1, 1])
    assert advance(s, p, [12, 13, 14, 15, 16], centre, 1 << 12) == 0b11 << 14
    assert s.at[centre] == (14, 15)
    assert s.plot[12] == s.plot[13] == s.plot[16] == 0
