"""What the players of War in Russia reckon with follows the rules and the data folder: speeds, plots, prices."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.wir.evaluation.situation import FAR, Situation
from rasputitsa.ai.wir.planning import rear, riding, strategic_moves
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of
from rasputitsa.ai.wir.planning.exploitation import Exploitation
from rasputitsa.ai.wir.planning.line import Line, LinePolicy
from rasputitsa.ai.wir.planning.simulation import Simulation
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.plot import ADVANCE, hexes, legal_plots, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import FINE, INFANTRY, KIND, MECHANIZED, RAIN
from rasputitsa.wir.model.theatre import AXIS
from rasputitsa.wir.rules.movement import plot_ways
from tests.unit.wir.board import GAME, h, inf, rifles, tanks


def edited(folder: Path, *changes: tuple[str, str]) -> WirGame:
    """The game with other figures in its tables."""
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "tables.toml").write_text(text, encoding="utf-8")
    return WirGame(folder)


def position(game: WirGame, groups: dict[int, dict[str, Any]], **more: Any) -> State:
    """A position with these groups and no others."""
    table = {str(group): value for group, value in groups.items()}
    return game.load_position({"empty": True, "phase": "movement", "side": "axis", "groups": table, **more})


# ---------------------------------------------------------------------- speeds

CORPS = {1: tanks("1922"), 12: inf("1822"), 80: rifles("2518")}
SLOW = (("mechanized = 4\n", "mechanized = 3\n"), ("infantry = 2\nair = 1\n", "infantry = 1\nair = 1\n"))


def way_of(s: State, group: int) -> float:
    """Weeks that the line reckons with for six hexes off the rails."""
    return Line(s, AXIS, Situation(s, AXIS), LinePolicy()).weeks(group, 6, h(s, "2526"))


def rear_way(s: State, kind: int) -> float:
    """The same behind the line."""
    return rear.weeks(s, Situation(s, AXIS), h(s, "1922"), h(s, "2526"), 6, kind)


@pytest.mark.parametrize("weather", ["clear", "rain"])
def test_marches_take_as_long_as_the_tables_say(tmp_path: Path, weather: str) -> None:
    for game in (GAME, edited(tmp_path, *SLOW, ("rain = 1\nfatigue_limit", "rain = 2\nfatigue_limit"))):
        s = position(game, CORPS, weather=weather)
        march = s.rules.march
        for group in (1, 12):
            kind = KIND[group]
            most = min(march.rain, march.allowance[kind]) if s.weather == RAIN else march.allowance[kind]
            assert way_of(s, group) == rear_way(s, kind) == 6 / most


def test_a_kind_that_cannot_march_is_never_there(tmp_path: Path) -> None:
    game = edited(tmp_path, ("infantry = 2\nair = 1\n", "infantry = 0\nair = 1\n"))
    assert strategic_moves.weeks(position(game, CORPS), INFANTRY, 6) == FAR


# ---------------------------------------------------------------------- plots


def ways_by_the_list(s: State, group: int, within: int) -> set[tuple[int, int]]:
    """The plots of the manual's list that only go forward through some hexes, and where they end."""
    found = set()
    for plot in map(unpack, legal_plots(KIND[group])):
        way = hexes(s.rules.map.step, s.hex[group], plot)
        whole = len(way) == bool(plot.first) + bool(plot.second) and s.hex[group] not in way
        forward = plot.ending == ADVANCE and plot.first and not (s.weather == RAIN and plot.second)
        if forward and whole and all(within >> hex_ & 1 for hex_ in way):
            found.add((plot.number, way[-1]))
    return found


@pytest.mark.parametrize("weather", [FINE, RAIN])
@pytest.mark.parametrize("group", [1, 12])
def test_ways_are_the_plots_that_go_forward(group: int, weather: int) -> None:
    s = position(GAME, CORPS)
    s.weather = weather
    within = s.rules.map.passable & ~s.rules.map.reach[h(s, "2021")]
    found = plot_ways.ways(s, group, within)
    assert {(way.plot.number, way.end) for way in found} == ways_by_the_list(s, group, within)
    assert len(found) == len(set(found)) and plot_ways.goes_twice(s, group) is (group == 1 and weather != RAIN)


def test_players_ask_the_rules_how_far_plots_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, CORPS)
    situation = Situation(s, AXIS)
    policy = attack_policy_of(s, AXIS)

    def longest() -> list[int]:
        ride = max(bool(way.plot.second) for way in riding.plots(s, situation, 1))
        exploit = Exploitation(Assault(s, AXIS, situation, policy))._paths(1, s.hex[1])
        tried = Simulation(s, AXIS, situation, policy, random.Random(1))._choices(1)
        return [
            1 + ride, 1 + max(bool(plot.second) for _, plot, _ in exploit),
            1 + max(bool(unpack(number).second) for number in tried), rear.pace(s),
        ]  # fmt: skip

    assert longest() == [2] * 4
    monkeypatch.setattr(plot_ways, "most_steps", lambda s, kind: min(1, kind == MECHANIZED))
    assert longest() == [1] * 4


def test_an_attack_leads_through_a_hex_that_has_room_by_the_tables(tmp_path: Path) -> None:
    groups = {1: tanks("1922"), 12: inf("2021"), 13: inf("2021"), 80: rifles("2121")}
    through = []
    for game in (GAME, edited(tmp_path, ("stack = 2\n", "stack = 3\n"))):
        s = position(game, groups)
        assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
        through.append(h(s, "2021") in assault._bridges(s.hex[1], h(s, "2121")))
    assert through == [False, True]
