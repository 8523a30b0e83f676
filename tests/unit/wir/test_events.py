"""8.1, 8.2 recovery at the end of a turn; 8.12-8.14 guards, redesignations, Siberians; 10.0 levels."""

from __future__ import annotations

import pytest

from rasputitsa.wir.model import levels
from rasputitsa.wir.model.figures import LEVELS
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.end_of_turn import events
from rasputitsa.wir.rules.turn.sequence import PhaseBegan
from tests.unit.wir.field import RULES, empty, kinds, noted, plain, play, put, said


def kind_of(s: State, unit: int) -> str:
    return s.rules.types[s.utype[unit]].id


# ---------------------------------------------------------------------- recovery


def test_a_point_of_fatigue_but_not_for_the_strained() -> None:
    s = empty()
    put(s, 12, plain(s), ("INF", 70, 70, 0), ("INF", 70, 70, 1), ("INF", 70, 70, 40), ("INF", 70, 70, 95))
    put(s, 76, plain(s, 5), ("RIFLE", 70, 70, 95))
    s.overfatigued = 1 << s.group_units[12][3]
    events.recover(s, play())
    assert [s.fatigue[u] for u in s.group_units[12]] == [0, 0, 39, 95]
    assert s.fatigue[s.group_units[76][0]] == 94


def test_green_axis_units_gain_five() -> None:
    s = empty()
    put(s, 12, plain(s), *[("INF", 70, experience, 0) for experience in (10, 45, 49, 50, 70)])
    events.recover(s, play())
    assert [s.experience[u] for u in s.group_units[12]] == [15, 50, 54, 50, 70]


@pytest.mark.parametrize(
    ("level", "kind", "percent"),
    [
        (3, "RIFLE", 75), (3, "KAV", 75), (3, "GDS RIFLE", 75), (3, "PARA", 75), (3, "TANK", 56), (3, "MECH", 56),
        (3, "GDS TANK", 56), (4, "RIFLE", 75), (4, "TANK", 56),
    ],
)  # fmt: skip
def test_green_soviet_units_by_chance(level: int, kind: str, percent: int) -> None:
    for die, gained in ((percent, 5), (percent + 1, 0)):
        s = empty(level=str(level))
        put(s, 76, plain(s), (kind, 50, 20, 0))
        events.recover(s, play(experience=[die]))
        assert s.experience[s.group_units[76][0]] == 20 + gained


@pytest.mark.parametrize("level", [1, 2])
def test_at_low_levels_all_green_soviet_units_gain(level: int) -> None:
    s = empty(level=str(level))
    put(s, 76, plain(s), ("RIFLE", 50, 20, 0), ("TANK", 50, 49, 0), ("TANK", 50, 50, 0))
    events.recover(s, play())
    assert [s.experience[u] for u in s.group_units[76]] == [25, 54, 50]


def test_every_unit_has_its_own_die() -> None:
    s = empty()
    put(s, 76, plain(s), *[("RIFLE", 50, 20, 0)] * 6)
    put(s, 77, plain(s), ("RIFLE", 50, 60, 0))
    low = 1 + (75 - 1) + (76 - 1) * 100 + (75 - 1) * 100**2 + (76 - 1) * 100**3
    events.recover(s, play(experience=[low, 1 + (76 - 1) + (75 - 1) * 100]))
    assert [s.experience[u] for u in s.group_units[76]] == [25, 20, 25, 20, 20, 25]
    assert s.experience[s.group_units[77][0]] == 60


# ---------------------------------------------------------------------- guards


@pytest.mark.parametrize(
    ("strength", "experience", "guards"), [(41, 81, True), (40, 99, False), (90, 80, False), (90, 81, True)]
)
def test_guards_need_strength_and_experience(strength: int, experience: int, guards: bool) -> None:
    s = empty()
    put(s, 76, plain(s), ("RIFLE", strength, experience, 0))
    p = play()
    events.guards(s, p)
    assert (kind_of(s, s.group_units[76][0]) == "GDS RIFLE") == guards
    assert bool(p.events) == guards and all(said(s, p))


@pytest.mark.parametrize(
    ("kind", "guards", "most"),
    [("RIFLE", "GDS RIFLE", 120), ("KAV", "GDS KAV", 120), ("TANK", "GDS TANK", 140), ("MECH", "GDS MECH", 180)],
)
def test_guards_forms(kind: str, guards: str, most: int) -> None:
    s = empty(month="1942-07")
    put(s, 76, plain(s), (kind, 60, 90, 0))
    events.guards(s, play())
    unit = s.group_units[76][0]
    assert kind_of(s, unit) == guards
    assert s.rules.most[s.year][s.utype[unit]] == most > s.rules.most[1942][s.rules.type_named[kind]]


def test_paratroops_and_axis_units_have_no_guards() -> None:
    s = empty()
    put(s, 76, plain(s), ("PARA", 100, 95, 0), ("GDS RIFLE", 100, 95, 0))
    put(s, 12, plain(s, 5), ("INF", 70, 95, 0))
    p = play()
    events.guards(s, p)
    assert not p.events


def test_the_lowest_free_guards_number() -> None:
    s = empty()
    put(s, 76, plain(s), ("GDS RIFLE", 60, 50, 0), ("GDS RIFLE", 60, 50, 0), ("RIFLE", 60, 90, 0), ("RIFLE", 60, 90, 0))
    first, second, third, fourth = s.group_units[76]
    s.uname[first], s.uname[second] = 1, 3
    s.uname[third] = 4
    p = play()
    events.guards(s, p)
    assert (s.uname[third], s.uname[fourth]) == (2, 4)
    assert noted(p, "guards")[0].args == (76, "4 RIFLE", "2 GDS RIFLE")


# ---------------------------------------------------------------------- redesignations


def last_turn_of(s: State, month: str) -> None:
    s.turn = max(turn for turn in range(1, s.rules.turns) if s.rules.month(turn) == month)


def test_january_1943() -> None:
    s = empty()
    put(s, 1, plain(s), ("MOT", 100, 70, 0), ("SS MOT", 140, 90, 0), ("PZ", 100, 70, 0))
    put(s, 12, plain(s, 5), ("IT MOT", 100, 10, 0))
    last_turn_of(s, "1942-12")
    s.turn -= 1
    events.redesignate(s, play())
    assert [kind_of(s, u) for u in s.group_units[1]] == ["MOT", "SS MOT", "PZ"]
    s.turn += 1
    p = play()
    events.redesignate(s, p)
    assert [kind_of(s, u) for u in s.group_units[1]] == ["PZG", "SS PZG elite", "PZ"]
    assert kind_of(s, s.group_units[12][0]) == "PZG"
    assert [s.rules.most[1943][s.utype[u]] for u in s.group_units[1][:2]] == [130, 200]
    assert kinds(p) == ["redesignated"] * 3 and all(said(s, p))
    p = play()
    events.redesignate(s, p)
    assert not p.events


def test_the_italian_division_may_be_left_out() -> None:
    s = empty(italian_mot="no")
    put(s, 12, plain(s), ("IT MOT", 100, 10, 0))
    last_turn_of(s, "1942-12")
    events.redesignate(s, play())
    assert kind_of(s, s.group_units[12][0]) == "IT MOT"


def test_october_1943() -> None:
    s = empty()
    put(s, 1, plain(s), ("SS PZG elite", 200, 90, 0), ("SS PZG", 140, 10, 0), ("PZG", 100, 50, 0))
    last_turn_of(s, "1943-08")
    events.redesignate(s, play())
    assert kind_of(s, s.group_units[1][0]) == "SS PZG elite"
    last_turn_of(s, "1943-09")
    events.redesignate(s, play())
    assert [kind_of(s, u) for u in s.group_units[1]] == ["SS PZ", "SS PZG", "PZG"]


# ---------------------------------------------------------------------- Siberians and levels


@pytest.mark.parametrize(
    ("level", "months"),
    [
        (1, {"1942-05": False, "1942-06": True, "1942-12": True, "1943-01": True, "1945-04": True}),
        (2, {"1942-05": False, "1942-06": True, "1942-12": True, "1943-01": False, "1945-04": False}),
        (3, {"1942-05": False, "1942-06": False, "1943-01": False}),
        (4, {"1942-05": False, "1942-06": False, "1943-01": False}),
    ],
)
def test_when_siberians_come(level: int, months: dict[str, bool]) -> None:
    for month, expected in months.items():
        s = empty(month=month, level=str(level))
        p = play()
        events.siberians(s, p)
        assert bool(noted(p, "siberians")) == expected
        assert bool(s.units_of(SOVIET)) == expected


def siberian(**options: str) -> tuple[State, int]:
    s = empty(month="1942-07", level="1", **options)
    return s, s.rules.map.cities[s.rules.city("Kuybyshev")].hex


def test_a_siberian_group() -> None:
    s, kuybyshev = siberian()
    p = play()
    events.siberians(s, p)
    assert s.at[kuybyshev] == (76,)
    assert [(kind_of(s, u), s.strength[u], s.experience[u], s.fatigue[u]) for u in s.group_units[76]] == [
        ("RIFLE", 90, 70, 0)
    ] * 5
    assert [s.uname[u] for u in s.group_units[76]] == [1, 2, 3, 4, 5]
    assert all(said(s, p))
    events.siberians(s, play())
    assert s.at[kuybyshev] == (76, 77)
    p = play()
    events.siberians(s, p)  # two groups are there
    assert s.at[kuybyshev] == (76, 77) and kinds(p) == ["siberians_wait"] and all(said(s, p))


def test_no_siberians_without_kuybyshev_numbers_or_slots() -> None:
    s, _ = siberian()
    s.take_city(s.rules.city("Kuybyshev"), AXIS)
    events.siberians(s, play())
    assert not s.units_of(SOVIET)
    s, kuybyshev = siberian()
    put(s, 12, kuybyshev, ("INF", 70, 70, 0))
    events.siberians(s, play())
    assert not s.units_of(SOVIET)
    s, _ = siberian()
    for group in range(76, 116):
        put(s, group, s.rules.grid.index("2614"), *[("RIFLE", 10, 10, 0)] * 4)
    events.siberians(s, play())
    assert len(s.units_of(SOVIET)) == 160
    s, kuybyshev = siberian()
    for group in range(76, 115):
        put(s, group, s.rules.grid.index("2614"), *[("RIFLE", 10, 10, 0)] * 5)
    assert len(s.units_of(SOVIET)) == 195
    events.siberians(s, play())
    assert len(s.units_of(SOVIET)) == 195 and kuybyshev not in s.at


def test_levels() -> None:
    assert RULES.attack.cold_attack[1:] == (3.0, 2.5, 2.0, 1.5)
    assert RULES.recovery.experience[1:] == ((100, 100), (100, 100), (75, 56), (75, 56))
    s = empty()
    found = []
    for s.level in LEVELS:
        found.append(levels.faster(s))
    assert found == [True, True, False, False]


# ---------------------------------------------------------------------- the log


@pytest.mark.parametrize(
    ("phase", "side", "words"),
    [
        ("adjust", AXIS, "Group adjustment and building: Axis"),
        ("supply", SOVIET, "Supply: Soviet"),
        ("movement", AXIS, "Movement and tactical plot: Axis"),
        ("execution", AXIS, "Tactical execution"),
    ],
)
def test_a_phase_is_named_with_the_side_that_gives_orders_in_it(phase: str, side: int, words: str) -> None:
    assert PhaseBegan(phase, side).words(empty()) == words
