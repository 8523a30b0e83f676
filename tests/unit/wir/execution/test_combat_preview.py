"""7.4-7.6: what a preview says of an attack, and that it comes to just that."""

from __future__ import annotations

import json

import pytest

from rasputitsa.core.marks import plain
from rasputitsa.wir.api.text import event_data
from rasputitsa.wir.model.plot import STOP, Plot
from rasputitsa.wir.rules.execution.combat import (
    Fought,
    assault,
    bombard,
    compute_odds,
    odds_text,
    preview,
    rounded_odds,
)
from tests.unit.wir.board import GAME, base, board, h, tanks
from tests.unit.wir.field import AVERAGE, empty, facing, noted, play, put, ring

CORPS = ("RIFLE", 70, 70, 0)


def test_preview_tells_what_an_assault_comes_to_and_changes_nothing() -> None:
    s = empty()
    centre, attackers = facing(s, 2)
    s.artillery[12] = 120
    put(s, 76, centre, ("RIFLE", 90, 60, 10), works=2)
    before = s.key()
    seen = preview(s, attackers, centre)
    assert s.key() == before
    json.dumps(seen)
    p = play(combat=AVERAGE, retreat=1, advance=1)
    assault(s, p, attackers, centre)
    odds = noted(p, "fight")[0].args[2]
    assert seen["odds_before"] is not None and seen["odds"] is not None
    assert isinstance(odds, int) and odds / 1000 == pytest.approx(seen["odds"], abs=0.005)
    assert seen["artillery"] == 140
    assert seen["odds_before"] < seen["odds"]
    assert seen["losses"]["attacker"] == pytest.approx(10 / seen["odds"] * 1.2, rel=0.01)
    assert seen["losses"]["defender"] == pytest.approx(2 * seen["odds"], rel=0.01)


def test_guns_of_an_assault_are_reported_to_a_tenth() -> None:
    """A tenth of the strength of the attackers' units, with what experience and fatigue leave of it (7.5)."""
    s = empty()
    centre, attackers = facing(s)
    put(s, 76, centre, CORPS)
    unit = s.group_units[attackers[0]][0]
    s.strength[unit], s.experience[unit], s.fatigue[unit] = 100, 93, 7
    assert preview(s, attackers, centre)["artillery"] == 8.6


@pytest.mark.parametrize(("weather", "factor"), [(0, 1), (1, 2), (2, 2), (3, 2)])
def test_preview_tells_the_fatigue_of_the_attack_in_any_weather(weather: int, factor: int) -> None:
    """8.1: 8 to 12, the attacker's double in cold, very cold and rain; and so it comes."""
    s = empty()
    centre, attackers = facing(s)
    put(s, 76, centre, ("RIFLE", 90, 60, 10), works=2)
    s.weather = weather
    least, most = preview(s, attackers, centre)["attacker_fatigue"]
    assert (least, most) == (8 * factor, 12 * factor)
    unit = s.group_units[attackers[0]][0]
    before = s.fatigue[unit]
    assault(s, play(combat=AVERAGE, retreat=100, advance=100), attackers, centre)
    assert least <= s.fatigue[unit] - before <= most


@pytest.mark.parametrize(("weather", "option"), [("clear", "guns"), ("rain", "guns"), ("clear", "all")])
def test_preview_tells_what_a_bombardment_alone_comes_to(weather: str, option: str) -> None:
    s = empty(weather=weather, bombardment=option)
    centre, attackers = facing(s)
    s.artillery[12] = 150
    put(s, 76, centre, ("RIFLE", 90, 60, 10))
    seen, p = preview(s, attackers, centre), play()
    bombard(s, p, 12, centre)
    assert noted(p, "blast")[0].args[2] == pytest.approx(seen["shelling"] * 10, abs=0.5)
    assert seen["shelling"] > 0


@pytest.mark.parametrize(("hexes", "weather", "told"), [
    (("1020", "1019"), "clear", True), (("1020", "1019"), "cold", False), (("1922", "1921"), "clear", False),
])  # fmt: skip
def test_preview_tells_of_a_river_that_is_there_and_not_frozen(
    hexes: tuple[str, str], weather: str, told: bool
) -> None:
    s = empty(weather=weather)
    here, there = map(s.rules.grid.index, hexes)
    put(s, 12, here, ("INF", 100, 100, 0))
    put(s, 76, there, ("RIFLE", 90, 60, 10))
    assert any("across a river" in m["text"] for m in preview(s, [12], there)["modifiers"]) == told


def test_preview_tells_how_often_somebody_follows() -> None:
    """7.8: infantry in 30 of 100 cases, so that a hex that is left mostly stays empty; the worn-out never."""
    s = empty()
    centre, attackers = facing(s)
    put(s, 76, centre, ("RIFLE", 90, 60, 10))
    seen = preview(s, attackers, centre)
    assert seen["retreat"] > 0
    assert seen["advance"] == pytest.approx(seen["retreat"] * (1 - 0.7 ** len(attackers)), abs=0.05)
    north = s.rules.map.step[s.hex[attackers[0]]].index(centre)
    s.plot[attackers[0]] = Plot(north, 0, STOP).number
    assert preview(s, attackers, centre)["advance"] == 0, "with an S nobody follows"
    s.plot[attackers[0]] = 0
    for group in attackers:
        for unit in s.group_units[group]:
            s.fatigue[unit] = 100
    assert preview(s, attackers, centre)["advance"] == 0


def test_preview_of_modifiers() -> None:
    s = empty(month="1941-10", weather="rain")
    board = s.rules.map
    moscow = board.cities[s.rules.city("Moscow")].hex
    around = next(h for h in ring(s, moscow) if board.passable >> h & 1)
    put(s, 1, around, ("PZ", 100, 80, 0))
    put(s, 76, moscow, CORPS)
    seen = preview(s, [1], moscow)
    assert ("Fortified city", "1/2") in [(m["text"], m["value"]) for m in seen["modifiers"]]
    assert ("Weather: rain", "0.5") in [(m["text"], m["value"]) for m in seen["modifiers"]]
    assert seen["retreat"] == 0
    s.dissolve(76)
    assert preview(s, [1], moscow)["odds"] is None


def test_odds_in_words() -> None:
    assert odds_text(2350) == "2.35-1"
    assert odds_text(1000) == "1-1"
    assert odds_text(500) == "1-2"
    assert odds_text(675) == "1-1.48"
    assert odds_text(1_000_000) == "1000-1"
    assert odds_text(0) == "1-100"


def test_odds_are_written_as_in_the_log() -> None:
    s = empty()
    centre, attackers = facing(s)
    put(s, 76, centre, ("RIFLE", 90, 60, 10))
    seen = preview(s, attackers, centre)
    before = compute_odds(s, attackers, centre).odds
    assert seen["odds_before_text"] == odds_text(rounded_odds(before)) != seen["odds_text"]
    fight = Fought(centre, tuple(attackers), 12_340, (76,), 10, 20)
    assert event_data(s, fight)["odds_text"] == "12.3-1" and "12.3-1" in fight.words(s)
    assert fight.args == (centre, tuple(attackers), 12_340, (76,), 10, 20), "what is kept is the figure alone"


def test_aircraft_alone_are_no_defence() -> None:
    """No odds of a thousand to one, and no question mark for what is known."""
    s = board({1: tanks("1922", supplied=True), 116: base("1921", 60)})
    assert GAME.query(s, "axis", "odds", {"units": "1", "target": "1921"})["odds_text"] == "no defence"
    event = Fought(h(s, "1921"), (1,), 1_000_000, (116,), 0, 950)
    assert event.odds_text == "no defence"
    assert plain(event.words(s)) == "1 against 116 in 1921, no defence: the attack loses 0 %, the defence 95 %"
