"""8.4 Weather by month."""

from __future__ import annotations

import pytest

from rasputitsa.wir.model.tables import COLD, VERY_COLD, WEATHER_NAMES
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.turn.weather import adjust, chances
from tests.unit.wir.field import RULES, empty, play

TABLE = {
    1: (0, 75, 20, 5), 2: (0, 75, 20, 5), 3: (0, 47, 10, 43), 4: (0, 20, 0, 80), 5: (30, 0, 0, 70), 6: (72, 0, 0, 28),
    7: (100, 0, 0, 0), 8: (100, 0, 0, 0), 9: (100, 0, 0, 0), 10: (0, 20, 0, 80), 11: (0, 75, 20, 5),
    12: (0, 75, 20, 5),
}  # fmt: skip
"""Clear, cold, very cold, rain."""


@pytest.mark.parametrize("month", range(1, 13))
def test_every_face_of_the_die(month: int) -> None:
    s = empty(month=f"1943-{month:02d}")
    clear, cold, very_cold, rain = TABLE[month]
    assert chances(s.rules.month(s.turn), s.rules) == (cold, very_cold, rain)
    found = dict.fromkeys(WEATHER_NAMES, 0)
    for die in range(1, 101):
        adjust(s, play(weather=die))
        found[WEATHER_NAMES[s.weather]] += 1
    assert found == {"clear": clear, "cold": cold, "very cold": very_cold, "rain": rain}


@pytest.mark.parametrize(
    ("month", "expected"),
    [("1941-11", (75, 20, 5)), ("1941-12", (20, 80, 0)), ("1942-01", (20, 80, 0)), ("1942-02", (20, 80, 0)),
     ("1942-03", (47, 10, 43)), ("1942-12", (75, 20, 5))],
)  # fmt: skip
def test_the_first_winter(month: str, expected: tuple[int, int, int]) -> None:
    assert chances(month, RULES) == expected


def test_the_month_in_which_the_turn_starts_counts() -> None:
    s = empty()
    s.turn = next(n for n in range(2, 60) if s.rules.dates[n - 1].isoformat() == "1941-09-28")
    adjust(s, play())  # certain: no die
    assert WEATHER_NAMES[s.weather] == "clear"
    s.turn += 1
    adjust(s, play(weather=[21]))
    assert WEATHER_NAMES[s.weather] == "rain"


def test_cold_and_very_cold_freeze() -> None:
    s = empty()
    frozen = []
    for kind in range(4):
        s.weather = kind
        frozen.append(s.frozen)
    assert frozen == [False, True, True, False]


@pytest.mark.parametrize(
    ("month", "weather", "side", "bitter"),
    [
        ("1941-12", VERY_COLD, AXIS, True), ("1941-12", VERY_COLD, SOVIET, False), ("1941-12", COLD, AXIS, False),
        ("1942-12", VERY_COLD, AXIS, False),
    ],
)  # fmt: skip
def test_the_first_winter_is_bitter_for_the_axis(month: str, weather: int, side: int, bitter: bool) -> None:
    s = empty(month=month)
    s.weather = weather
    assert s.bitter_winter(side) is bitter
