"""7.1 Air strikes; 7.7 the return of destroyed air groups."""

from __future__ import annotations

import pytest

from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AIRCRAFT, AXIS, INDUSTRY, POPULATION, SOVIET, SUPPLY, VEHICLE
from rasputitsa.wir.rules.execution import air
from rasputitsa.wir.rules.execution.execution import begin
from rasputitsa.wir.rules.movement.air_plots import BOMB, GROUND, encode
from tests.unit.wir.field import AVERAGE, empty, kinds, noted, plain, play, put, said, wing

CORPS = ("RIFLE", 100, 10, 0)


def at(s: State, hex_: int, distance: int) -> int:
    """A passable hex at a distance."""
    grid = s.rules.grid
    return next(h for h in members(s.rules.map.passable) if grid.distance(h, hex_) == distance)


def raid(
    distance: int, points: int = 100, side: int = AXIS, weather: str = "clear", defenders: int = 1
) -> tuple[State, int, int]:
    """An air group about to attack some corps from a distance."""
    s = empty(month="1942-01" if weather != "clear" else "", weather=weather)
    target = plain(s, 9)
    raider = 52 if side == AXIS else 116
    for group in range(76, 76 + defenders) if side == AXIS else range(12, 12 + defenders):
        put(s, group, target, CORPS if side == AXIS else ("INF", 100, 10, 0))
    wing(s, raider, at(s, target, distance), points, encode(target, GROUND))
    return s, target, raider


# ---------------------------------------------------------------------- in the air


@pytest.mark.parametrize(("distance", "escorted"), [(1, True), (2, True), (3, False), (4, False)])
def test_escort_up_to_two_hexes(distance: int, escorted: bool) -> None:
    s, _, _ = raid(distance)
    assert [r.escorted for r in air.raids(s)] == [escorted]


@pytest.mark.parametrize(
    ("side", "distance", "raider_loss", "interceptor_loss"),
    [
        (AXIS, 2, 4, 10), (AXIS, 3, 8, 5), (SOVIET, 2, 8, 5), (SOVIET, 3, 16, 3),
    ],
)  # fmt: skip
def test_losses_in_the_air(side: int, distance: int, raider_loss: int, interceptor_loss: int) -> None:
    """100 points against 80: 5 % of the other side's points with escort, 10 % and 2.5 % without, Axis points double."""
    s, target, raider = raid(distance, 100, side)
    defender = 116 if side == AXIS else 52
    wing(s, defender, target, 80)
    p = play(air=[AVERAGE, AVERAGE])
    air._dogfight(s, p, air.raids(s)[0])
    assert s.aircraft[raider] == 100 - raider_loss
    assert s.aircraft[defender] == 80 - interceptor_loss
    assert noted(p, "intercepted")[0].args == (raider, target, (defender,), raider_loss, interceptor_loss)
    assert all(said(s, p))


def test_air_losses_spread_from_half_to_one_and_a_half() -> None:
    for die, lost, shot in ((1, 2, 5), (101, 6, 15)):
        s, target, raider = raid(2)
        wing(s, 116, target, 80)
        air._dogfight(s, play(air=die), air.raids(s)[0])
        assert (100 - s.aircraft[raider], 80 - s.aircraft[116]) == (lost, shot)


def test_who_intercepts() -> None:
    s, target, _ = raid(2)
    near, far = at(s, target, 2), at(s, target, 3)
    for group, hex_ in ((116, target), (117, near), (118, far), (119, near), (120, target)):
        wing(s, group, hex_, 20)
    s.supplied &= ~(1 << 119)
    s.moved |= 1 << 120
    assert air.interceptors(s, air.raids(s)[0]) == [(116, 20.0), (117, 20.0)]
    s.aircraft[117] = 0
    assert air.interceptors(s, air.raids(s)[0]) == [(116, 20.0)]


def test_interceptors_with_an_escorted_strike_of_their_own_count_half() -> None:
    for distance, points in ((2, 30.0), (3, 60.0)):
        s, target, _ = raid(2)
        other = at(s, target, distance)
        put(s, 12, other, ("INF", 70, 70, 0))
        wing(s, 116, target, 60, encode(other, GROUND))
        assert air.interceptors(s, air.raids(s)[0]) == [(116, points)]


def test_interceptors_share_their_losses() -> None:
    s, target, _ = raid(2)
    wing(s, 116, target, 60)
    wing(s, 117, target, 20)
    air._dogfight(s, play(air=AVERAGE), air.raids(s)[0])
    assert (s.aircraft[116], s.aircraft[117]) == (52, 17)  # 7.5 and 2.5 of ten, halves up


def test_no_interceptors_no_dice() -> None:
    s, _, _ = raid(2)
    p = play()
    air._dogfight(s, p, air.raids(s)[0])
    assert not p.events


# ---------------------------------------------------------------------- on the target


@pytest.mark.parametrize(("die", "left"), [(1, 198), (2, 196), (3, 194)])
def test_flak(die: int, left: int) -> None:
    s, _, _ = raid(2, 200)
    air.strikes(s, play(air=[die]))
    assert s.aircraft[52] == left


@pytest.mark.parametrize(("side", "effect"), [(AXIS, 20), (SOVIET, 10)])
def test_five_points_make_one_percent_and_soviets_half(side: int, effect: int) -> None:
    s, _, raider = raid(2, 102, side, defenders=2)
    p = play(air=[2])
    air.strikes(s, p)
    assert s.aircraft[raider] == 100
    for group in (76, 77) if side == AXIS else (12, 13):
        unit = s.group_units[group][0]
        assert (100 - s.strength[unit], s.fatigue[unit]) == (effect, effect)
    assert kinds(p) == ["raid", "blast"]
    assert all(said(s, p))


def test_ten_points_destroy_one_on_the_ground() -> None:
    for side, left in ((AXIS, 40), (SOVIET, 45)):
        s, target, raider = raid(2, 102, side, defenders=0)
        victim = 116 if side == AXIS else 52
        s.place(victim, target)  # out of supply: it does not rise
        s.aircraft[victim] = 50
        air.strikes(s, play(air=[2]))
        assert s.aircraft[raider] == 100
        assert s.aircraft[victim] == left


@pytest.mark.parametrize(
    ("weather", "overcast", "effect"), [("clear", 0, 20), ("cold", 20, 10), ("very cold", 40, 7), ("rain", 60, 5)]
)
def test_poor_weather(weather: str, overcast: int, effect: int) -> None:
    dice = [2] if not overcast else [2, overcast * 100 + 1]
    s, _, _ = raid(2, 102, weather=weather)
    air.strikes(s, play(air=dice))
    assert s.fatigue[s.group_units[76][0]] == effect
    if overcast:
        s, _, _ = raid(2, 102, weather=weather)
        p = play(air=[2, overcast * 100])
        air.strikes(s, p)
        assert s.fatigue[s.group_units[76][0]] == 0
        assert "overcast" in kinds(p) and all(said(s, p))


@pytest.mark.parametrize(
    ("points", "chances"),
    [(50, [50]), (25, [25]), (100, [50, 50]), (101, [50, 50, 0.5 * 2]), (240, [50, 50, 50, 50, 40]), (0, [])],
)
def test_chances_against_factories(points: int, chances: list[float]) -> None:
    s = empty()
    assert air.factory_chances(s, AXIS, points) == pytest.approx(chances)
    assert air.factory_chances(s, SOVIET, points) == pytest.approx([chance / 2 for chance in chances])
    for weather, part in ((1, 0.5), (2, 0.33), (3, 0.25)):
        s.weather = weather
        assert air.factory_chances(s, AXIS, points) == pytest.approx([chance * part for chance in chances])


def bombing(name: str = "Gorki") -> tuple[State, int]:
    s = empty()
    city = s.rules.city(name)
    hex_ = s.rules.map.cities[city].hex
    for kind, value in ((POPULATION, 9), (SUPPLY, 9), (INDUSTRY, 0), (VEHICLE, 3), (3, 0), (AIRCRAFT, 1)):
        s.values[kind][city] = value
    wing(s, 52, at(s, hex_, 3), 102, encode(hex_, BOMB))
    return s, city


def test_factories_are_drawn_among_the_types_present() -> None:
    s, city = bombing()
    p = play(air=[2, 5000, 2, 5000])
    air.strikes(s, p)
    assert [s.values[kind][city] for kind in range(6)] == [9, 0, 2, 0, 0, 9]
    assert noted(p, "plant_hit")[0].args == (city, AIRCRAFT)
    assert all(said(s, p))
    s, city = bombing()
    air.strikes(s, play(air=[2, 5001, 5001]))
    assert s.values[VEHICLE][city] == 3


def test_nothing_to_bomb_no_dice() -> None:
    s, city = bombing()
    s.values[VEHICLE][city] = s.values[AIRCRAFT][city] = 0
    air.strikes(s, play(air=[2]))
    assert s.values[POPULATION][city] == s.values[SUPPLY][city] == 9


def test_strikes_without_a_target_are_called_off() -> None:
    s, target, _ = raid(2)
    s.dissolve(76)
    p = play()
    air.strikes(s, p)
    assert not p.events and s.aircraft[52] == 100
    s, city = bombing()
    s.take_city(city, AXIS)
    assert not air.raids(s)
    assert target


def test_all_air_combat_comes_before_all_bombing_axis_first() -> None:
    s, target, _ = raid(2)
    base = s.hex[52]
    wing(s, 53, base, 40, encode(target, GROUND))
    wing(s, 116, target, 60, encode(base, GROUND))
    p = play(air=2, first=1)
    begin(s, p)
    assert kinds(p)[0] == "segment"
    assert [(e.kind, e.args[0]) for e in p.events if e.kind in ("intercepted", "raid")] == [
        ("intercepted", 52), ("intercepted", 53), ("intercepted", 116), ("raid", 52), ("raid", 53), ("raid", 116),
    ]  # fmt: skip


def test_a_raid_shot_down_does_not_bomb() -> None:
    s, target, _ = raid(3, 5)
    wing(s, 116, target, 250)
    p = play(air=AVERAGE)
    air.strikes(s, p)
    assert s.aircraft[52] == 0 and kinds(p) == ["intercepted"]


# ---------------------------------------------------------------------- destroyed groups


def test_destroyed_groups_come_back_at_a_depot_without_aircraft() -> None:
    s = empty()
    s.place(52, plain(s))
    s.aircraft[52] = 31
    s.pools[AXIS][3] = 0
    air.destroy(s, play(air=[2]), 52)
    assert s.pools[AXIS][3] == 15 and s.returning == ((52, 3),)
    air.come_back(s, play())
    assert s.hex[52] == -1
    s.turn = 2
    free = air.fields(s, AXIS)
    p = play(air=[len(free)])
    air.come_back(s, p)
    assert s.hex[52] == free[-1] and s.aircraft[52] == 0 and not s.returning
    assert all(said(s, p))


def test_fields_are_held_depot_hexes_with_room() -> None:
    s = empty()
    starts = [s.rules.depot_hex[g] for g in range(58, 64)]
    assert air.fields(s, AXIS) == starts
    put(s, 12, starts[0], ("INF", 70, 70, 0))
    put(s, 13, starts[0], ("INF", 70, 70, 0))
    put(s, 14, starts[1], ("INF", 70, 70, 0))
    put(s, 76, starts[2], CORPS)
    assert air.fields(s, AXIS) == [starts[1], *starts[3:]]
    s.dissolve(76)
    assert air.fields(s, AXIS) == [starts[1], *starts[3:]]  # Soviet ground now


def test_a_city_of_the_enemy_is_no_field() -> None:
    s = empty()
    cities = {c.hex: c.number for c in s.rules.map.cities}
    before = air.fields(s, SOVIET)
    hex_ = next(h for h in before if h in cities)
    s.take_city(cities[hex_], AXIS)
    assert air.fields(s, SOVIET) == [h for h in before if h != hex_]


def test_without_a_field_a_group_waits() -> None:
    s = empty()
    for group, depot in zip(range(76, 82), range(58, 64), strict=True):
        put(s, group, s.rules.depot_hex[depot], CORPS)
    s.returning = ((52, 1),)
    air.come_back(s, play())
    assert s.returning == ((52, 1),)
