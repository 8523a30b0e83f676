"""What clients of War in Russia are given in place of rules: plots, joint attacks, building sites, weather."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.players import players
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import NotationError
from rasputitsa.core.game import Details
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import MECHANIZED, WEATHER_IDS
from rasputitsa.wir.rules.execution.execution import SegmentBegan
from tests.unit.wir.board import GAME, Groups, base, board, give, inf, rifles, tanks, verbs

CANNED = Path(__file__).resolve().parents[3] / "web" / "mock" / "wirCharts.json"
PLOTS = GAME.static("barbarossa")["charts"]["plots"]


class TestPlots:
    def test_every_legal_plot_is_there(self) -> None:
        assert set(PLOTS) - {""} == {plot.text(n) for n in plot.legal_plots(MECHANIZED)}

    def test_whatever_a_plot_becomes_is_a_plot(self) -> None:
        for text, entry in PLOTS.items():
            follow = [*entry["longer"].values(), entry["stop"], entry["bombard"], entry["pause"]]
            assert all(other in PLOTS and other != text for other in follow if other), text

    def test_endings_and_the_pause_go_on_and_off(self) -> None:
        for text, entry in PLOTS.items():
            if not text.endswith("B") and entry["stop"]:
                assert PLOTS[entry["stop"]]["stop"] == text
            if text.startswith("0"):
                assert PLOTS[entry["pause"]]["pause"] == text

    @pytest.mark.parametrize(
        ("text", "key", "found"),
        [
            ("3", "stop", "3S"), ("3S", "stop", "3"), ("3", "bombard", "3B"), ("3S", "bombard", "3B"),
            ("34B", "bombard", "34"), ("03", "bombard", ""), ("3", "pause", "03"), ("34S", "pause", "04S"),
            ("03S", "pause", "3S"),
        ],
    )  # fmt: skip
    def test_what_a_change_makes_of_a_plot(self, text: str, key: str, found: str) -> None:
        entry: Mapping[str, object] = PLOTS[text]
        assert entry[key] == found

    def test_only_an_open_single_step_goes_on(self) -> None:
        assert PLOTS[""]["longer"] == {str(d): str(d) for d in range(1, 7)}
        assert PLOTS["3"]["longer"]["4"] == "34"
        assert PLOTS["3S"]["longer"] == PLOTS["34"]["longer"] == PLOTS["03"]["longer"] == {}

    def test_plots_in_words(self) -> None:
        assert PLOTS["2S"]["words"] == "attack north-east and stay"
        assert PLOTS["03"]["words"] == "pause, then go south-east"
        assert PLOTS["34B"]["words"] == "go south-east, then bombard south"


POSITION = {
    12: inf("1922", plot="2", supplied=True), 13: inf("2121", plot="2B", supplied=True),
    14: inf("2122", plot="1", supplied=True), 1: tanks("1921", plot="34", supplied=True), 76: rifles("2021"),
}  # fmt: skip


class TestJointAttacks:
    def joined(self, unit: str, **args: str) -> list[str]:
        asked = {"units": unit, "target": "2021", "join": "plots", **args}
        found = GAME.query(board(POSITION), "axis", "odds", asked)["units"]
        assert isinstance(found, list)
        return found

    def test_groups_plotted_into_the_same_hex_attack_together(self) -> None:
        assert self.joined("12") == ["12", "1"], "13 bombards, 14 is plotted elsewhere"

    def test_whoever_bombards_is_joined_by_nobody(self) -> None:
        assert self.joined("13") == ["13"]

    def test_nobody_joins_unasked(self) -> None:
        assert self.joined("12", join="") == ["12"]

    def test_whoever_comes_later_joins_nobody(self) -> None:
        paused = POSITION | {13: tanks("2121", plot="05", supplied=True)}
        found = GAME.query(board(paused), "axis", "odds", {"units": "12", "target": "2021", "join": "plots"})
        assert found["units"] == ["12", "1"]

    def test_plots_of_the_other_side_are_not_told(self) -> None:
        found = GAME.query(
            board(POSITION), "soviet", "odds", {"units": "12", "target": "2021", "join": "plots"}
        )  # fmt: skip
        assert found["units"] == ["12"]


@pytest.mark.parametrize(
    ("side", "supposed", "told"),
    [("soviet", "", "(50 %, up to level 5)"), ("soviet", "12:210:70:4", "5)"), ("soviet", "12:210:70:5", ""),
     ("axis", "", "")],
)  # fmt: skip
def test_odds_say_whether_the_defender_may_still_dig_in(side: str, supposed: str, told: str) -> None:
    s = board({12: inf("2122"), 76: rifles("2121")}, side=side)
    asked = {"units": "76", "target": "2122"} if side == "soviet" else {"units": "12", "target": "2121"}
    caution = GAME.query(s, side, "odds", {**asked, "assume": supposed})["digging"]
    assert caution is None if not told else told in caution["text"] and caution["rule"] == "6.8"


WAY: Groups = {1: tanks("1821", plot="32", supplied=True), 76: rifles("2021")}


class TestSecondSteps:
    """An attack that a plot leads to by way of another hex (7.3)."""

    def odds(self, groups: Groups, **fields: Any) -> Mapping[str, Any]:
        asked = {"units": "1", "target": "2021", "join": "plots"}
        return GAME.query(board(groups, **fields), "axis", "odds", asked)

    def test_it_is_weighed_from_the_hex_before_with_the_fatigue_of_the_way(self) -> None:
        there = self.odds({1: tanks("1922", supplied=True), 76: rifles("2021")})
        found = self.odds(WAY)
        assert found["units"] == ["1"] and 0 < found["attack"] < there["attack"]

    def test_whoever_comes_at_the_same_time_joins(self) -> None:
        found = self.odds(dict(WAY) | {2: tanks("2121", plot="05", supplied=True), 12: inf("1921", plot="3")})
        assert found["units"] == ["1", "2"], "12 attacks before"

    def test_a_full_hex_on_the_way_ends_it(self) -> None:
        with pytest.raises(NotationError, match="group 1 comes no farther than 1821: two groups are already where"):
            self.odds(dict(WAY) | {12: inf("1922"), 13: inf("1922")})

    def test_in_rain_it_goes_one_hex(self) -> None:
        with pytest.raises(NotationError, match="no farther than 1922: in rain a group moves one hex a week"):
            self.odds(WAY, weather="rain")

    @pytest.mark.parametrize(
        ("plot", "weather", "end"),
        [("34", "rain", "2022"), ("34S", "rain", "2022"), ("3", "rain", ""), ("03", "rain", ""), ("34", "cold", "")],
    )
    def test_a_plot_that_rain_ends_early_says_so(self, plot: str, weather: str, end: str) -> None:
        s = board({1: tanks("1922", supplied=True, plot=plot)}, weather=weather)
        (group,) = GAME.observe(s, "axis")["units"]
        told = group.get("plot_ends")
        text = f"group 1 comes no farther than {end}: in rain a group moves one hex a week"
        assert told == ({"text": text, "rule": "8.4", "hex": end} if end else None)
        assert "plot_ends" not in GAME.observe(s, "soviet")["units"][0]

    @pytest.mark.parametrize(
        ("plot", "weather", "met"),
        [("32", "clear", "2021"), ("3", "clear", None), ("32", "rain", None), ("02", "clear", "1921"),
         ("2", "rain", "1921"), ("2B", "clear", "1921"), ("22", "clear", "1921"), ("", "clear", None)],
    )  # fmt: skip
    def test_a_plot_says_where_it_first_meets_the_enemy(self, plot: str, weather: str, met: str | None) -> None:
        guns = plot.endswith("B")
        group = {12: inf("1821", plot=plot)} if guns else {1: tanks("1821", supplied=True, plot=plot)}
        s = board({**group, 76: rifles("2021"), 77: rifles("1921")}, weather=weather)
        assert GAME.observe(s, "axis")["units"][0].get("plot_meets") == met
        assert "plot_meets" not in GAME.observe(s, "soviet")["units"][0], "a plot is nobody else's"


class TestBuilding:
    def test_where_nothing_can_be_built_the_reason_is_given_for_the_largest_city(self) -> None:
        s = board({12: inf("1922")}, phase="adjust", pools={"axis": {"infantry": 0, "vehicle": 0}})
        found = GAME.query(s, "axis", "building", {"side": "axis"})
        assert found["hexes"] == [] and found["rule"] == "4.9" and "pools do not suffice" in found["reason"]

    def test_with_full_pools_the_cities_are_named(self) -> None:
        s = board({12: inf("1922")}, phase="adjust", pools={"axis": {"infantry": 200, "vehicle": 200}})
        found = GAME.query(s, "axis", "building", {"side": "axis"})
        assert found["hexes"] and not found["reason"]


@pytest.mark.parametrize(
    ("side", "turn", "where"),
    [("axis", 1, "south of row 21"), ("axis", 2, "in row 21 and north of it"), ("soviet", 1, ""), ("soviet", 2, "")],
)
def test_where_a_side_builds_rail_is_said(side: str, turn: int, where: str) -> None:
    s = board({12: inf("1922")})
    s.turn = turn
    assert GAME.query(s, side, "rail", {"side": side})["where"] == where


POOR = {"axis": {"infantry": 0, "vehicle": 0, "factories": 0, "aircraft": 0}}
CLOSED = [
    ({12: inf("1922")}, {"pools": POOR}, "build", "pools do not suffice", "4.9"),
    ({12: inf("1922")}, {"pools": POOR}, "factory", "completed factories is empty", "4.8"),
    ({12: inf("1922")}, {}, "transfer", "no two of your groups are in one hex", "4.4"),
    ({12: inf("1922"), 13: inf("1922")}, {}, "divide", "stacked with another group", "4.3"),
    ({12: inf("1922")}, {}, "aircraft", "none of your air groups is on the map", "4.5"),
    ({52: base("1922", 0)}, {"pools": POOR}, "aircraft", "neither the pool nor another air group", "4.5"),
    ({52: base("1922", 255), 53: base("2626", 255)}, {}, "aircraft", "none of your air groups has room", "4.5"),
    ({12: inf("1922")}, {}, "naval", "no two of your infantry groups", "4.10"),
    ({12: inf("0316", "1 PZ 150 70 0"), 13: inf("0708", "1 PZ 150 70 0")}, {}, "naval", "never go by sea", "4.10"),
    ({12: inf("1922")}, {"dismantled": 1}, "dismantle", "one city a turn", "4.8"),
]


@pytest.mark.parametrize(("groups", "fields", "menu", "says", "rule"), CLOSED)
def test_a_menu_that_offers_nothing_says_why(
    groups: dict[int, Any], fields: dict[str, Any], menu: str, says: str, rule: str
) -> None:
    told = GAME.query(board(groups, phase="adjust", **fields), "axis", "menus", {"side": "axis"})["closed"][menu]
    assert says in told["text"] and told["rule"] == rule


def test_menus_that_offer_something_are_not_told_of() -> None:
    s = board({12: inf("1922"), 13: inf("1922"), 14: inf("2122")}, phase="adjust")
    told = GAME.query(s, "axis", "menus", {"side": "axis"})["closed"]
    assert not {"transfer", "divide", "dismantle", "agree"} & set(told)


def test_an_air_group_is_told_how_far_its_escort_flies() -> None:
    found = GAME.query(board({52: base("1922", supplied=True)}), "axis", "strike", {"unit": "52"})
    assert found["escort_range"] == 2 and len(found["escort"]) == 6 + 12


def test_the_tables_that_the_client_is_tested_with_are_these() -> None:
    charts: Mapping[str, object] = GAME.static("barbarossa")["charts"]
    canned = json.loads(CANNED.read_text())
    assert canned == {name: charts[name] for name in canned}


def test_clients_are_told_what_the_land_looks_like_in_each_weather() -> None:
    s, grounds = board(), GAME.static("barbarossa")["grounds"]
    for number, weather in enumerate(WEATHER_IDS):
        s.weather = number
        snow = "all" if s.frozen else "none"
        assert grounds[weather] == {"snow": snow, "wet": weather == "rain", "ice": s.frozen}


def test_clients_are_told_that_rivers_and_swamps_freeze() -> None:
    told = GAME.static("barbarossa")["map"]
    assert {hex_["freezes"] for hex_ in told["hexes"] if hex_["terrain"] == "swamp"} == {True}
    assert not any(hex_["freezes"] for hex_ in told["hexes"] if hex_["terrain"] != "swamp")
    assert {side["freezes"] for side in told["sides"] if side["kind"] == "river"} == {True}


def test_the_weather_of_a_turn_is_reported_with_the_first_winter() -> None:
    turns = {turn["month"]: turn["chances"] for turn in GAME.static("barbarossa")["charts"]["turns"]}
    assert turns["1941-06"] == {"clear": 72, "cold": 0, "very_cold": 0, "rain": 28}
    assert turns["1941-12"]["very_cold"] != turns["1942-12"]["very_cold"]


class TestDetails:
    """What buttons and lists show of an order besides its label, so that no client reads it out of words."""

    def details(self, s: State, line: str) -> Details:
        (action,) = (action for action in GAME.legal(s) if GAME.format(s, action) == line)
        return GAME.details(s, action)

    def test_a_unit_on_offer_has_its_name_and_then_its_price(self) -> None:
        s = board({12: inf("1922")}, phase="adjust", pools={"axis": {"infantry": 200, "vehicle": 200}})
        where = GAME.query(s, "axis", "building", {"side": "axis"})["hexes"][0]
        give(s, f"build {where}", "form 2")
        line = f"type {verbs(s, 'type')[0]}"
        (label,) = (GAME.label(s, action) for action in GAME.legal(s) if GAME.format(s, action) == line)
        found = self.details(s, line)
        assert found.title and "points at" in found.note and label == f"{found.title}: {found.note}"

    def test_a_name_may_hold_a_colon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        s = board({12: inf("1922")}, phase="adjust")
        axis, soviet = s.rules.recruiting.menus
        name = f"Guards: {axis[0]}"
        named = s.rules.recruiting._replace(menus=((name, *axis[1:]), soviet))
        monkeypatch.setattr(s.rules, "recruiting", named)
        monkeypatch.setitem(s.rules.type_named, name, s.rules.type_named[axis[0]])
        assert GAME.details(s, Action("type", (1,))).title == name

    def test_a_factory_has_how_many_are_there(self) -> None:
        s = board({12: inf("1922")}, phase="adjust", pools={"axis": {"factories": 3}})
        give(s, f"factory {verbs(s, 'factory')[0]}")
        city = s.rules.map.city_at[s.stack[-1].about(s).hexes[0]]
        for kind in verbs(s, "works"):
            assert self.details(s, f"works {kind}").note == f"{s.values[int(kind)][city]} there now"

    def test_replacements_name_the_unit_they_are_for(self) -> None:
        s = board({12: inf("1922", "1 INF 40 60 0", supplied=True)}, pools={"axis": {"infantry": 200, "vehicle": 200}})
        give(s, "get 12")
        found = verbs(s, "replace")
        assert found
        for line in found:
            assert self.details(s, f"replace {line}") == Details(member=int(line.split()[0]))

    def test_what_goes_from_one_group_to_another_names_both(self) -> None:
        s = board({12: inf("1922", "1 INF 40 60 0"), 13: inf("1922", "2 INF 40 60 0")}, phase="adjust")
        assert self.details(s, "transfer 12 13") == Details(source="12", target="13")
        give(s, "transfer 12 13")
        assert GAME.observe(s, "axis")["transfer"] == {"source": "12", "target": "13"}
        assert GAME.observe(s, "soviet")["transfer"] is None, "the enemy's adjustment is secret"

    def test_aircraft_from_the_pool_come_from_no_group(self) -> None:
        s = board({52: base("1922")}, phase="adjust", pools={"axis": {"aircraft": 30}})
        assert self.details(s, "reinforce 52") == Details(target="52")
        give(s, "reinforce 52")
        assert GAME.observe(s, "axis")["transfer"] == {"source": None, "target": "52"}

    def test_other_orders_need_none(self) -> None:
        assert self.details(board({12: inf("1922")}), "get 12") == Details()


def test_a_group_waits_until_something_is_plotted() -> None:
    s = board({12: inf("1922", plot="2", supplied=True), 13: inf("2121", supplied=True), 76: rifles("2021")})
    waits = {unit["id"]: unit.get("waits") for unit in GAME.observe(s, "axis")["units"]}
    assert waits["12"] is False and waits["13"] is True
    assert waits["76"] is None, "not of the enemy"


def test_what_has_acted_and_what_has_nothing_to_strike_waits_no_more() -> None:
    far, near = base("0130", supplied=True), base("1921", supplied=True)
    s = board({12: inf("1922", supplied=True), 53: near, 54: far, 76: rifles("2021")})
    waits = {unit["id"]: unit.get("waits") for unit in GAME.observe(s, "axis")["units"]}
    assert (waits["12"], waits["53"], waits["54"]) == (True, True, False)
    s.moved |= 1 << 12
    s.aircraft[53] = 0
    waits = {unit["id"]: unit.get("waits") for unit in GAME.observe(s, "axis")["units"]}
    assert (waits["12"], waits["53"]) == (False, False)


def test_segments_of_the_execution_have_names() -> None:
    event = SegmentBegan(2, 0)
    assert GAME.event_data(board({12: inf("1922")}), event) == {"segment": "first_player", "side": "axis"}


def test_one_computer_player_is_the_usual_one() -> None:
    for game in ("portfolio", "wir"):
        assert [info.id for info in players(game) if info.usual] == ["planner"]


def test_every_word_of_the_tables_has_a_title() -> None:
    titles, charts = GAME.static("barbarossa")["charts"]["titles"], GAME.static("barbarossa")["charts"]
    score = GAME.observe(board(), None)["victory"]
    assert set(titles["values"]) == set(charts["city_values"])
    assert list(titles["pools"]) == list(charts["pools"])
    assert set(titles["weathers"]) == set(WEATHER_IDS)
    assert set(titles["statuses"]) == {"U", "S", "M", "N"}
    assert set(titles["scores"]) >= {kind for side in ("axis", "soviet") for kind in score[side]}
