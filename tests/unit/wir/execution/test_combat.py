"""7.4-7.6, 7.9, 7.10, 8.2-8.4: strengths, odds, bombardments and losses."""

from __future__ import annotations

from math import floor

import pytest

from rasputitsa.wir.model.theatre import (
    AXIS,
    CITY,
    CLEAR,
    FOREST,
    FORTIFIED,
    MOUNTAIN,
    RAIL,
    SOVIET,
    SWAMP,
    TERRAIN_NAMES,
)
from rasputitsa.wir.rules.execution import casualties, combat, retreat
from rasputitsa.wir.rules.execution.casualties import attacker_percent, defender_percent, entrenchment_left
from rasputitsa.wir.rules.execution.combat import (
    MOST_ODDS,
    assault,
    bombard,
    compute_odds,
    mechanized_multiple,
    terrain_divisor,
    unit_strength,
    weather_multiple,
)
from tests.unit.wir.field import AVERAGE, RULES, empty, facing, kinds, noted, plain, play, put, ring, said

DIV = ("INF", 70, 70, 0)
"""49 points of adjusted strength."""
CORPS = ("RIFLE", 70, 70, 0)


# ---------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("odds", "attacker", "defender"),
    [(1 / 5, 50, 0.4), (1 / 2, 20, 1), (1, 10, 2), (2, 5, 4), (5, 2, 10), (10, 1, 20), (20, 0.5, 40)],
)
def test_average_losses(odds: float, attacker: float, defender: float) -> None:
    assert attacker_percent(odds, 0, 100, RULES.losses) == pytest.approx(attacker)
    assert defender_percent(odds, RULES.losses) == pytest.approx(defender)


def test_attacker_losses_grow_with_works_and_stop_at_half() -> None:
    assert [attacker_percent(2, level, 100, RULES.losses) for level in range(6)] == pytest.approx(
        [5, 5.5, 6, 6.5, 7, 7.5]
    )
    assert attacker_percent(1 / 5, 5, 100, RULES.losses) == 50
    assert attacker_percent(0.01, 0, 100, RULES.losses) == 50
    assert attacker_percent(0, 0, 100, RULES.losses) == 50
    assert casualties.spread_attacker(play(combat=101), 40, RULES.losses) == 50
    assert defender_percent(60, RULES.losses) == 95
    assert casualties.spread_defender(play(combat=101), 90, RULES.losses) == 95


@pytest.mark.parametrize("defence", [0, 0.5, 1])
def test_defenders_of_at_most_one_point_hardly_fire(defence: float) -> None:
    assert attacker_percent(0.2, 5, defence, RULES.losses) == 0.01
    assert casualties.spread_attacker(play(), 0.01, RULES.losses) == 0.01  # no die
    assert attacker_percent(1, 0, 1.01, RULES.losses) == 10


def test_losses_spread_from_half_to_one_and_a_half() -> None:
    assert [casualties.spread_defender(play(combat=die), 10, RULES.losses) for die in (1, AVERAGE, 101)] == [5, 10, 15]


def test_effects_of_entrenchment() -> None:
    assert RULES.entrenchment.shelter == (100, 90, 80, 70, 60, 50)
    assert RULES.entrenchment.defence == (1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@pytest.mark.parametrize(
    ("odds", "share"), [(0.2, 20), (1, 20), (2, 20), (3, 30), (4, 40), (6, 60), (8, 80), (8.01, 100), (50, 100)]
)
def test_share_of_works_destroyed(odds: float, share: float) -> None:
    assert casualties.destroyed(odds, RULES.entrenchment) == pytest.approx(share)
    for level in range(6):
        assert entrenchment_left(level, odds, RULES.entrenchment) == floor(level * (100 - share) / 100 + 1e-9)


def test_level_one_falls_to_none_and_three_to_two_at_even_odds() -> None:
    assert [entrenchment_left(level, 1, RULES.entrenchment) for level in range(6)] == [0, 0, 1, 2, 3, 4]


# ---------------------------------------------------------------------- strength and odds


def test_adjusted_strength_of_a_unit() -> None:
    s = empty()
    put(s, 12, plain(s), ("INF", 70, 70, 0), ("INF", 60, 50, 25))
    first, second = s.group_units[12]
    assert unit_strength(s, first) == 49
    assert unit_strength(s, second) == 22.5
    assert combat.strength(s, 12) == 715_000


@pytest.mark.parametrize(
    ("kind", "divisor"), [(CLEAR, 1), (RAIL, 1), (CITY, 1), (FORTIFIED, 2), (FOREST, 1), (SWAMP, 2), (MOUNTAIN, 3)]
)
def test_terrain_of_the_defender(kind: int, divisor: int) -> None:
    assert RULES.attack.into[kind] == divisor


def test_terrain_the_attacker_leaves() -> None:
    halving = [TERRAIN_NAMES[kind] for kind in range(8) if RULES.attack.out_of[kind] != 1]
    assert halving == ["swamp", "fortified city"]
    assert {RULES.attack.out_of[SWAMP], RULES.attack.out_of[FORTIFIED], RULES.attack.river} == {2}


def test_a_twelfth_out_of_a_swamp_over_a_river_into_mountains(monkeypatch: pytest.MonkeyPatch) -> None:
    s = empty()
    grid, base = s.rules.grid, s.rules.map.base
    here, there = grid.index("1020"), grid.index("1019")
    assert s.rules.map.river.between(here, there)
    ground = base[:]
    ground[here], ground[there] = SWAMP, MOUNTAIN
    monkeypatch.setattr(s.rules.map, "base", ground)
    assert terrain_divisor(s, here, there, combat.ground(s, there)) == 12
    put(s, 12, here, ("INF", 100, 100, 0))
    put(s, 76, there, ("RIFLE", 100, 100, 0))
    assert compute_odds(s, [12], there).attack == pytest.approx(100 / 12)
    s.weather = 1  # cold: frozen river and swamp
    assert terrain_divisor(s, here, there, combat.ground(s, there)) == 3
    ground[there] = SWAMP
    assert terrain_divisor(s, here, there, combat.ground(s, there)) == 1
    s.weather = 3
    assert terrain_divisor(s, here, there, combat.ground(s, there)) == 8


def test_attacks_into_and_out_of_a_fortified_city() -> None:
    s = empty()
    city = s.rules.map.cities[s.rules.city("Moscow")]
    river = s.rules.map.river
    out = next(h for h in ring(s, city.hex) if s.terrain(h) in (CLEAR, FOREST) and not river.between(city.hex, h))
    assert terrain_divisor(s, out, city.hex, combat.ground(s, city.hex)) == 2
    assert terrain_divisor(s, city.hex, out, combat.ground(s, out)) == 2


@pytest.mark.parametrize(
    ("month", "weather", "axis", "soviet"),
    [
        ("1941-07", "clear", 1, 1), ("1941-11", "cold", 1, 1), ("1941-12", "very cold", 0.25, 2),
        ("1942-12", "very cold", 0.25, 2), ("1943-01", "very cold", 1, 1), ("1941-10", "rain", 0.5, 0.5),
        ("1944-04", "rain", 0.5, 0.5),
    ],
)  # fmt: skip
def test_weather_and_attacks(month: str, weather: str, axis: float, soviet: float) -> None:
    s = empty(month=month, weather=weather)
    assert weather_multiple(s, AXIS) == axis
    assert weather_multiple(s, SOVIET) == soviet


def test_levels_change_soviet_winter_attacks() -> None:
    for level, factor in enumerate((3.0, 2.5, 2.0, 1.5), start=1):
        s = empty(month="1942-01", weather="very cold", level=str(level))
        assert weather_multiple(s, SOVIET) == factor
        assert weather_multiple(s, AXIS) == 0.25


@pytest.mark.parametrize(
    ("month", "weather", "axis", "soviet"),
    [
        ("1941-07", "clear", 1.5, 1), ("1942-09", "clear", 1.5, 1), ("1942-10", "cold", 1.5, 1.5),
        ("1942-12", "very cold", 1, 1.5), ("1943-01", "very cold", 1.5, 1.5), ("1944-07", "rain", 1, 1),
    ],
)  # fmt: skip
def test_mechanized_groups_attack_with_half_as_much_again(month: str, weather: str, axis: float, soviet: float) -> None:
    s = empty(month=month, weather=weather)
    for terrain in (CLEAR, RAIL):
        assert mechanized_multiple(s, AXIS, terrain, 0) == axis
        assert mechanized_multiple(s, SOVIET, terrain, 0) == soviet
    for terrain in (FOREST, SWAMP, MOUNTAIN, CITY, FORTIFIED):
        assert mechanized_multiple(s, AXIS, terrain, 0) == mechanized_multiple(s, SOVIET, terrain, 0) == 1


def test_a_frozen_swamp_is_no_clear_hex_for_engines() -> None:
    s = empty(month="1941-11", weather="cold")
    swamp = next(h for h in range(s.rules.grid.size) if s.rules.map.base[h] == SWAMP)
    assert s.frozen
    assert not combat.mechanized_attack(s, AXIS, combat.ground(s, swamp))


@pytest.mark.parametrize(("option", "multiple"), [("bonus", 1.25), ("multiple", 0.75)])
def test_mechanized_defenders_reduce_the_bonus(option: str, multiple: float) -> None:
    s = empty(mech_defence=option)
    centre = plain(s)
    put(s, 1, ring(s, centre)[0], ("PZ", 100, 100, 0))
    put(s, 64, centre, ("TANK", 60, 50, 0), works=5)
    put(s, 76, centre, ("RIFLE", 60, 50, 0))
    sums = compute_odds(s, [1], centre)
    assert sums.mechanized == multiple
    assert sums.attack == pytest.approx(100 * multiple)
    assert sums.defence == pytest.approx(30 * 2 + 30)


def test_infantry_gets_no_bonus_and_each_group_its_own_multiple() -> None:
    s = empty()
    centre = plain(s)
    around = ring(s, centre)
    put(s, 1, around[0], ("PZ", 100, 100, 0))
    put(s, 12, around[1], ("INF", 100, 100, 0), ("IT MOT", 100, 10, 0))
    put(s, 76, centre, ("RIFLE", 100, 100, 0))
    sums = compute_odds(s, [1, 12], centre)
    assert sums.factors == (1.5, 1.0)
    assert sums.attack == pytest.approx(260)
    assert sums.odds == pytest.approx(2.6)


def test_entrenchment_multiplies_each_group_by_itself() -> None:
    s = empty()
    centre, attackers = facing(s)
    put(s, 76, centre, CORPS, works=3)
    put(s, 77, centre, CORPS, works=1)
    sums = compute_odds(s, attackers, centre)
    assert sums.defence == pytest.approx(49 * 1.6 + 49 * 1.2)
    assert sums.level == 3


def test_odds_against_nothing_are_unlimited() -> None:
    s = empty()
    centre, attackers = facing(s)
    s.place(116, centre)
    s.aircraft[116] = 40
    sums = compute_odds(s, attackers, centre)
    assert (sums.defence, sums.odds) == (0, MOST_ODDS)


# ---------------------------------------------------------------------- bombardment


def test_bombardment_before_an_assault() -> None:
    """240 points and a tenth of 100: 250 / 3 German aircraft points, 16.67 % and 17 fatigue; a quarter is used up."""
    s = empty()
    centre, attackers = facing(s)
    s.artillery[12] = 240
    put(s, 76, centre, ("RIFLE", 90, 10, 0), guns=100)
    combat.fire(s, play(), attackers, centre, intrinsic=True)
    unit = s.group_units[76][0]
    assert (s.strength[unit], s.fatigue[unit]) == (75, 17)
    assert s.artillery[76] == 83
    assert s.artillery[12] == 180


@pytest.mark.parametrize(("level", "loss"), list(enumerate((20, 18, 16, 14, 12, 10))))
def test_works_shelter_from_bombardment(level: int, loss: int) -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, ("RIFLE", 100, 10, 0), works=level)
    casualties.blast(s, play(), centre, SOVIET, 100, 1.0)
    unit = s.group_units[76][0]
    assert (100 - s.strength[unit], s.fatigue[unit]) == (loss, loss)


def test_all_units_of_both_groups_suffer_in_full() -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, ("RIFLE", 100, 10, 0), ("RIFLE", 50, 10, 5))
    put(s, 77, centre, ("RIFLE", 100, 10, 0))
    casualties.blast(s, play(), centre, SOVIET, 100, 1.0)
    assert [s.strength[u] for g in (76, 77) for u in s.group_units[g]] == [80, 40, 80]
    assert [s.fatigue[u] for g in (76, 77) for u in s.group_units[g]] == [20, 25, 20]


def test_aircraft_on_the_ground() -> None:
    s = empty()
    s.place(116, plain(s))
    s.aircraft[116] = 40
    casualties.blast(s, play(), plain(s), SOVIET, 100, 1.0)
    assert s.aircraft[116] == 30
    casualties.blast(s, play(), plain(s), SOVIET, 1000, 1.0)
    assert s.aircraft[116] == 0


@pytest.mark.parametrize(("weather", "reduced"), [("clear", 10), ("cold", 5), ("very cold", 3), ("rain", 3)])
def test_poor_weather_weakens_guns(weather: str, reduced: int) -> None:
    """150 points: 10 %; half, a third and a quarter of it."""
    for option, loss in (("reduced", reduced), ("full", 10)):
        s = empty(month="1942-01", weather=weather, gun_weather=option)
        centre = plain(s)
        put(s, 12, ring(s, centre)[0], DIV, guns=150)
        put(s, 76, centre, ("RIFLE", 100, 10, 0))
        bombard(s, play(), 12, centre)
        assert s.fatigue[s.group_units[76][0]] == loss


def test_a_bombardment_alone_fires_guns_only_unless_chosen_otherwise() -> None:
    for option, points in (("guns", 150), ("all", 180)):
        s = empty(bombardment=option)
        centre = plain(s)
        put(s, 12, ring(s, centre)[0], *[("INF", 100, 100, 0)] * 3, guns=150)
        put(s, 76, centre, ("RIFLE", 100, 10, 0))
        p = play()
        bombard(s, p, 12, centre)
        unit = s.group_units[76][0]
        assert (s.fatigue[unit], s.artillery[12]) == (points // 15, 112)
        assert s.experience[s.group_units[12][0]] == 100
        assert s.fatigue[s.group_units[12][0]] == 0
        assert kinds(p) == ["bombards", "blast"]
        assert all(said(s, p))


def test_no_guns_no_effect_and_no_target_no_shell() -> None:
    s = empty()
    centre = plain(s)
    put(s, 12, ring(s, centre)[0], DIV, guns=0)
    put(s, 76, centre, CORPS)
    bombard(s, play(), 12, centre)
    assert s.fatigue[s.group_units[76][0]] == 0
    s.artillery[12] = 100
    s.dissolve(76)
    bombard(s, play(), 12, centre)
    assert s.artillery[12] == 100


def test_a_group_shelled_to_pieces_is_gone_with_its_guns() -> None:
    s = empty()
    centre = plain(s)
    put(s, 76, centre, ("RIFLE", 1, 10, 0), guns=30)
    before = s.pools[SOVIET][:]
    casualties.blast(s, play(), centre, SOVIET, 400, 1.0)
    assert s.hex[76] == -1 and not s.group_units[76]
    assert s.pools[SOVIET] == before


# ---------------------------------------------------------------------- assaults


def test_an_assault_at_two_to_one() -> None:
    """Losses 5 % and 4 %, combat fatigue by group, experience, and works."""
    s = empty()
    centre, attackers = facing(s, 2)
    for group in attackers:
        s.experience[s.group_units[group][0]] = 49
    put(s, 76, centre, ("RIFLE", 100, 49, 0), works=0)
    for group in attackers:  # without intrinsic guns the sums are plain
        assert combat.strength(s, group) == 490_000
    p = play(combat=[AVERAGE, AVERAGE, 1, 5, 3], retreat=10_000)
    s.fatigue[s.group_units[76][0]] = 0
    assault(s, p, attackers, centre)
    blast = 98 / 10 / 3 / 5 / 100
    strength = 100 - int(100 * blast + 0.5)
    odds = 98 / (strength * 49 * (100 - 1) / 10_000)
    fight = noted(p, "fight")[0]
    assert fight.args[:4] == (centre, (12, 13), round(odds * 100) * 10, (76,))
    unit = s.group_units[76][0]
    assert s.strength[unit] == strength - int(strength * 2 * odds / 100 + 0.5)
    assert [s.strength[s.group_units[g][0]] for g in attackers] == [100 - int(1000 / odds / 100 + 0.5)] * 2
    assert [s.fatigue[s.group_units[g][0]] for g in (12, 13)] == [8, 12]
    assert s.fatigue[unit] == 1 + 10
    assert [s.experience[s.group_units[g][0]] for g in (12, 13, 76)] == [52, 52, 52]
    assert s.plot[12] == 0
    assert all(said(s, p))


@pytest.mark.parametrize(("weather", "factor"), [("clear", 1), ("cold", 2), ("very cold", 2), ("rain", 2)])
def test_bad_weather_doubles_the_fatigue_of_attackers(weather: str, factor: int) -> None:
    s = empty(month="1943-02", weather=weather)
    centre, attackers = facing(s)
    put(s, 76, centre, ("RIFLE", 100, 100, 0), works=5)
    casualties.suffer(s, play(combat=3), 12, 0, attacker=True)
    casualties.suffer(s, play(combat=3), 76, 0, attacker=False)
    assert s.fatigue[s.group_units[12][0]] == 10 * factor
    assert s.fatigue[s.group_units[76][0]] == 10
    assert attackers == [12]


@pytest.mark.parametrize(
    ("before", "after"), [(10, 13), (49, 52), (50, 52), (79, 81), (80, 81), (98, 99), (99, 99), (100, 100)]
)
def test_experience_of_a_combat(before: int, after: int) -> None:
    s = empty()
    put(s, 12, plain(s), ("INF", 70, before, 0))
    casualties.suffer(s, play(combat=1), 12, 0, attacker=True)
    assert s.experience[s.group_units[12][0]] == after


def test_soviets_learn_faster_at_low_levels() -> None:
    for level, gained in ((1, 4), (2, 4), (3, 3), (4, 3)):
        s = empty(level=str(level))
        put(s, 76, plain(s), ("RIFLE", 70, 20, 0))
        put(s, 12, plain(s, 5), ("INF", 70, 20, 0))
        casualties.suffer(s, play(combat=1), 76, 0, attacker=False)
        casualties.suffer(s, play(combat=1), 12, 0, attacker=False)
        assert s.experience[s.group_units[76][0]] == 20 + gained
        assert s.experience[s.group_units[12][0]] == 23


def test_losses_round_half_up_and_units_without_strength_are_gone() -> None:
    s = empty()
    put(s, 76, plain(s), ("RIFLE", 50, 10, 0), ("RIFLE", 49, 10, 0), ("RIFLE", 1, 10, 0), guns=60)
    casualties.suffer(s, play(combat=1), 76, 1, attacker=False)
    assert [s.strength[u] for u in s.group_units[76]] == [49, 49, 1]
    casualties.suffer(s, play(combat=1), 76, 50, attacker=False)
    assert [s.strength[u] for u in s.group_units[76]] == [24, 24]
    assert s.artillery[76] == 60  # an assault takes no guns


def test_a_wiped_out_defender_opens_the_hex() -> None:
    s = empty()
    centre, attackers = facing(s, 3)
    put(s, 76, centre, ("RIFLE", 1, 10, 95))
    s.place(116, centre)
    s.aircraft[116] = 41
    pool = s.pools[SOVIET][3]
    p = play(combat=AVERAGE, advance=1, air=1)
    advanced = assault(s, p, attackers, centre)
    assert s.hex[116] == -1 and s.pools[SOVIET][3] == pool + 20
    assert advanced == 0b11 << 12  # two fit
    assert "air_destroyed" in kinds(p)


def test_those_who_give_way_go_away_from_who_attacked_before_they_go_home() -> None:
    """7.7: an entrenched friend holds the way home open, but it lies next to the attacker."""
    s = empty()
    centre = plain(s)
    around, home = ring(s, centre), retreat._homeward(s.rules, SOVIET)
    ways = [(around[n], around[n - 1], [around[(n + turn) % 6] for turn in (2, 3, 4)]) for n in range(6)]
    start, near, far = next((a, b, c) for a, b, c in ways if home[b] < min(home[h] for h in c))
    put(s, 12, start, ("INF", 100, 100, 0))
    put(s, 77, near, ("RIFLE", 60, 30, 0), works=3)
    put(s, 76, centre, ("RIFLE", 20, 30, 0))
    assert retreat.way_out(s, 76, 0) == near
    assault(s, play(combat=AVERAGE, retreat=1, advance=10_000), [12], centre)
    assert s.hex[76] in far


def test_attackers_of_an_emptied_hex_cast_for_their_advance() -> None:
    s = empty()
    centre, attackers = facing(s)
    p = play(advance=3000)
    assert assault(s, p, attackers, centre) == 1 << 12
    assert s.hex[12] == centre
    assert "fight" not in kinds(p)
