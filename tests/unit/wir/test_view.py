"""War in Russia: what a seat may know, questions, position files, the phases of a week."""

from __future__ import annotations

import json

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, NotationError, SetupError
from rasputitsa.core.record.new import new_session
from rasputitsa.wir.api.shapes import Observation
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.tables import FINE, RAIN, SUPPLY_POOL
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.adjustment.recruits import UnitBuilt
from rasputitsa.wir.rules.end_of_turn.events import GuardsNamed
from rasputitsa.wir.rules.end_of_turn.lendlease import LendLeaseArrived
from rasputitsa.wir.rules.movement import air_plots, fatigue, movement
from rasputitsa.wir.rules.movement.strategic_move import Marched
from rasputitsa.wir.rules.turn.secrecy import GroupRedeployed
from rasputitsa.wir.rules.turn.sequence import ADJUST, END, EXECUTION, MOVEMENT, PHASES, START, SUPPLY
from tests.unit.wir.board import GAME, base, board, give, h, inf, kind, refused, rifles, tanks

FRONT = {
    12: inf("1922", "7 INF 60 70 10", supplied=True, artillery=90, entrench=3, plot="2S"),
    52: base("1822", 50, supplied=True, strike="2122 ground"),
    76: rifles("2122", "5 RIFLE 80 30 0", artillery=60, entrench=2, plot="5B"),
    116: base("2626", 70),
}
POOLS = {"axis": {"infantry": 700, "supply": 90}, "soviet": {"infantry": 300, "factories": 4}}


def pools_of(seen: Observation, side: str) -> dict[str, int]:
    """The pools of a side, which are shown."""
    found = seen["pools"][side]
    assert found is not None
    return found


class TestFog:
    def test_the_enemy_is_seen_on_the_map_only(self) -> None:
        seen = GAME.observe(board(FRONT, pools=POOLS), "soviet")
        groups = {group["id"]: group for group in seen["units"]}
        assert set(groups) == {"12", "52", "76", "116"}
        assert set(groups["12"]) == {"id", "hex", "where", "side", "type", "known"}
        assert groups["76"]["artillery"] == 60 and groups["76"]["plot"] == "5B"
        assert seen["pools"]["axis"] is None and pools_of(seen, "soviet")["factories"] == 4

    def test_the_axis_alone_knows_how_its_railways_are_guarded(self) -> None:
        s = board(FRONT, scenario="case_blue", pools={"axis": {"infantry": 310}})
        seen = GAME.observe(s, "axis")["partisans"]
        assert seen is not None
        assert seen["tries"] == 1 and seen["percent"] == round(40 * 0.6) and seen["hexes"] > 0
        assert GAME.observe(s, "soviet")["partisans"] is None

    def test_an_onlooker_sees_neither_side(self) -> None:
        seen = GAME.observe(board(FRONT, pools=POOLS), None)
        assert all("plot" not in group for group in seen["units"])
        assert seen["pools"] == {"axis": None, "soviet": None}

    def test_others_are_told_of_secret_phases_as_of_one(self) -> None:
        """The map stands as it was when the first of them began, whichever of them is going on."""
        session, seen = new_session("wir", "barbarossa_short", seed=3), list[tuple[str, ...]]()
        while len(seen) < 6:
            decision = session.decision()
            assert decision is not None
            views = [GAME.observe(session.state, seat) for seat in ("axis", "soviet", None)]
            seen.append(tuple(view["phase"]["label"] for view in views))
            session.play("auto supply" if decision.kind == "depot" else "done", decision.seat)
        adjust, every, half = "Group adjustment and building", "Adjustment, supply and movement", "Supply and movement"
        assert seen == [
            (adjust, adjust, adjust),
            (every, adjust, every), (every, "Supply", every), (every, "Movement and tactical plot", every),
            ("Supply", half, half), ("Movement and tactical plot", half, half),
        ]  # fmt: skip

    def test_open_play_shows_all(self) -> None:
        seen = GAME.observe(board(FRONT, options={"fog": "open"}), "soviet")
        assert all(group["known"] for group in seen["units"])

    @pytest.mark.parametrize(("ledger", "shown"), [("hidden", False), ("shown", True)])
    def test_supply_and_construction_points_by_option(self, ledger: str, shown: bool) -> None:
        seen = GAME.observe(board(FRONT, pools=POOLS, options={"ledger": ledger}), "axis")
        assert ("supply" in pools_of(seen, "axis")) is shown
        assert pools_of(seen, "axis")["infantry"] == 700

    def test_what_is_hidden_makes_no_difference_to_what_is_seen(self) -> None:
        """Two positions that differ in Axis secrets alone look the same to the Soviet side."""
        first = board(FRONT, pools=POOLS)
        second = board(
            {**FRONT, 12: inf("1922", "9 INF 20 50 60", artillery=0), 52: base("1822", 9)},
            pools={"axis": {"infantry": 1}, "soviet": POOLS["soviet"]},
        )
        assert GAME.observe(first, "soviet") == GAME.observe(second, "soviet")
        assert GAME.view_of(first, "soviet") == GAME.view_of(second, "soviet")
        assert GAME.view_of(first, "axis") != GAME.view_of(second, "axis")

    def test_the_state_itself_stays_whole(self) -> None:
        s = board(FRONT, pools=POOLS)
        before = s.copy()
        GAME.view_of(s, "soviet")
        GAME.observe(s, None)
        assert s == before

    def test_events_of_the_secret_phases_are_for_their_side(self) -> None:
        s = board(FRONT)
        built = UnitBuilt(0, 12, "7 INF", 70)
        assert (
            GAME.is_visible(s, built, "axis")
            and not GAME.is_visible(s, built, "soviet")
            and not GAME.is_visible(s, built, None)
        )
        marches, news = Marched(12, 1, 2), GroupRedeployed(12, 1, 3)
        assert GAME.is_visible(s, marches, "axis") and not GAME.is_visible(s, marches, "soviet"), (
            "3.3: orders are given in secret"
        )
        assert [GAME.is_visible(s, news, seat) for seat in ("axis", "soviet", None)] == [False, True, True]
        assert GAME.is_visible(s, GuardsNamed(76, "5 RIFLE", "1 GDS RIFLE"), "soviet")
        assert not GAME.is_visible(s, GuardsNamed(76, "5 RIFLE", "1 GDS RIFLE"), "axis")
        assert not GAME.is_visible(s, LendLeaseArrived("north", 40, 6), "axis")

    def test_a_group_formed_again_does_not_keep_its_first_name(self) -> None:
        def formation(seat: str) -> str | None:
            found = next(g for g in GAME.observe(s, seat)["units"] if g["id"] == "109")
            return str(found["formation"]) if "formation" in found else None

        s = GAME.setup("barbarossa", {})
        assert "Caucasus" in (formation("soviet") or "") and formation("axis") is None
        for unit in s.group_units[109]:
            s.uname[unit] = s.rules.read_name("77")
        assert formation("soviet") == ""

    def test_prompts_give_nothing_away(self) -> None:
        s = board({12: inf("1922", "7 INF 60 70 10", supplied=True, plot="2S")})
        give(s, "get 12")
        decision = GAME.decision(s)
        assert decision is not None and not any(part in decision.prompt for part in ("2S", "INF", "12"))
        assert GAME.observe(s, "axis")["selected"] == "12" and GAME.observe(s, "soviet")["selected"] is None

    def test_questions_are_answered_from_what_is_known(self) -> None:
        s = board(FRONT)
        near = {**FRONT, 76: rifles("2022", "5 RIFLE 80 30 0")}
        weaker = {**near, 12: inf("1922", "7 INF 10 10 90")}
        asked = {"units": ["76"], "target": "1922"}
        answers = [GAME.query(board(groups), "soviet", "odds", asked) for groups in (near, weaker)]
        assert answers[0] == answers[1] and not answers[0]["known"]
        answer = GAME.query(s, "soviet", "why", {"action": "get 12"})
        assert not answer["legal"] and "secret" in answer["reason"]
        assert GAME.query(s, "soviet", "plots", {"unit": "12"})["present"] == ""
        assert GAME.query(s, "axis", "plots", {"unit": "12"})["present"] == "2S"

    def test_what_is_laid_open_is_what_both_sides_see(self) -> None:
        s = GAME.setup("barbarossa", {})
        whole = GAME.observe_all(s)
        for seat in ("axis", "soviet"):
            seen = GAME.observe(s, seat)
            own = {unit["id"]: unit for unit in seen["units"] if unit["known"]}
            assert own and all(unit == own[unit["id"]] for unit in whole["units"] if unit["id"] in own)
            assert pools_of(seen, seat).items() <= pools_of(whole, seat).items()
        assert all(unit["known"] for unit in whole["units"])
        assert pools_of(whole, "axis")["supply"] == s.pools[0][SUPPLY_POOL] > 0, "the hidden ledger too"


class TestQuestions:
    def test_reach_gives_hexes_steps_and_fatigue(self) -> None:
        s = board({12: inf("1922", supplied=True)}, rail={"only": True, "axis": ["1922", "1921", "1920"]})
        answer = GAME.query(s, "axis", "reach", {"unit": "12"})
        found = {entry["hex"]: (entry["cost"], entry["fatigue"]) for entry in answer["plain"]}
        assert found["1921"] == (1, 5) and found["1920"] == (2, 10)
        assert answer["rail"] == ["1920", "1921"]
        assert set(answer["plot"]) == {"1921", "2021", "2022", "1923", "1822", "1821"}

    def test_a_route_comes_as_a_line_of_notation(self) -> None:
        s = board({12: inf("1922", supplied=True)})
        answer = GAME.query(s, "axis", "route", {"unit": "12", "to": "1920"})
        assert answer["hexes"] == ["1921", "1920"] and answer["line"] == "step 1; step 1"
        with pytest.raises(NotationError):
            GAME.query(s, "axis", "route", {"unit": "12", "to": "nowhere"})

    def test_where_no_way_leads_the_reason_is_given(self) -> None:
        s = board({1: tanks("1922", supplied=True), 80: rifles("1920"), 12: inf("2122"), 13: inf("2122")})

        def told(to: str) -> tuple[str, str]:
            answer = GAME.query(s, "axis", "route", {"unit": "1", "to": to})
            assert answer["line"] == "" and answer["hexes"] == []
            return answer["reason"], answer["rule"]

        reason, rule = told("1919")
        assert "no way to 1919 within 4 hexes" in reason and rule == "6.2"
        assert told("1912") == ("1912 is 10 hexes away, and group 1 may move 4 hexes this turn", "6.2")
        assert told("1920") == ("1920 holds an enemy group; attacks are plotted", "6.2")
        assert told("2122") == ("2122 holds two friendly groups", "6.7")
        s.weather = RAIN
        assert told("1919") == ("1919 is 3 hexes away, and group 1 may move 1 hex in rain", "8.4")
        s.plot[1] = Plot(1, 0, ADVANCE).number
        assert told("1919") == ("group 1 has a tactical plot; take it back first", "6.2")

    def test_where_no_plot_leads_the_reason_is_given(self) -> None:
        s = board({1: tanks("1922", supplied=True), 12: inf("2122", supplied=True)})

        def told(unit: str, to: str) -> tuple[str, str] | None:
            answer = GAME.query(s, "axis", "plots", {"unit": unit, "to": to})
            return (answer["reason"], answer["rule"]) if "reason" in answer else None

        assert told("1", "1921") is None and told("1", "1920") is None and told("12", "2121") is None
        assert told("1", "1919") == ("1919 is 3 hexes away, and a plot of group 1 leads two hexes at most", "6.6")
        assert told("12", "2120") == ("2120 is 2 hexes away, and a plot of group 12 leads one hex at most", "6.6")
        s.weather = RAIN
        assert told("1", "1921") is None and told("12", "2121") is None
        assert told("1", "1920") == ("1920 is 2 hexes away, and a plot of group 1 leads one hex at most in rain", "8.4")
        assert told("12", "2120") == ("2120 is 2 hexes away, and a plot of group 12 leads one hex at most", "6.6")
        s.weather = FINE
        s.moved |= 1 << 1
        assert told("1", "1920") == ("group 1 has used strategic movement and may not plot", "6.2")

    def test_a_group_that_has_ended_its_move_is_refused_alike_by_every_way(self) -> None:
        """6.1: status N. A position may tell of one that ended its move where it stood."""
        s = board({1: tanks("1922", supplied=True, halted=True), 52: base("1624", supplied=True, halted=True)})

        def refusal(query: str, **args: str) -> tuple[str, str]:
            answer = GAME.query(s, "axis", query, args)
            return answer["reason"], answer["rule"]

        ended = ("group 1 has ended its move (status N)", "6.1")
        assert refusal("plots", unit="1", to="1921") == ended
        assert refusal("route", unit="1", to="1924")[0] == ended[0]
        assert GAME.query(s, "axis", "plots", {"unit": "1"})["plots"] == []
        chosen = refused(s, "get 1")
        assert (chosen.reason, chosen.rule) == ended
        plot = movement.why_not_plot(s, 1, Plot(1, 0, ADVANCE).number)
        for problem in (plot, reinforce.why_none(s, 1), reinforce.why_no_guns(s, 1)):
            assert problem is not None and (problem.reason, problem.rule) == ended
        problem = air_plots.why_not(s, 52, h(s, "1920"), air_plots.GROUND)
        assert problem.reason == refused(s, "get 52").reason == "group 52 has ended its move (status N)"

    def test_a_tired_group_reaches_no_farther_than_its_legs(self) -> None:
        s = board({1: tanks("1922", "1 PZ 150 70 86", supplied=True)})
        found = {entry["hex"]: entry["cost"] for entry in GAME.query(s, "axis", "reach", {"unit": "1"})["plain"]}
        assert max(found.values()) == 2, "the second hex brings it to 96"
        for name, cost in found.items():
            line = GAME.query(s, "axis", "route", {"unit": "1", "to": name})["line"]
            trial = s.copy()
            give(trial, f"get 1; {line}")
            assert trial.rules.grid.names[trial.hex[1]] == name and trial.steps[1] == cost

    def test_reach_says_where_a_march_wears_the_group_out(self) -> None:
        s = board({1: tanks("1922", "1 PZ 150 70 86", supplied=True), 2: tanks("2626", supplied=True)})
        tired, fresh = (GAME.query(s, "axis", "reach", {"unit": group}) for group in ("1", "2"))
        assert all(way["worn_out"] == (way["fatigue"] >= 9) for way in tired["plain"])
        assert {way["worn_out"] for way in tired["plain"]} == {False, True}
        assert tired["wears_out"]["rule"] == "8.1" and "25 % of strength" in tired["wears_out"]["text"]
        assert not any(way["worn_out"] for way in fresh["plain"]) and fresh["wears_out"] is None
        for way in tired["plain"]:
            trial = s.copy()
            give(trial, f"get 1; {GAME.query(s, 'axis', 'route', {'unit': '1', 'to': way['hex']})['line']}")
            assert fatigue.worn_out(trial, 1) == way["worn_out"], way

    def test_why_not_names_the_paragraph(self) -> None:
        s = board({12: inf("1922", supplied=True)})
        answer = GAME.query(s, "axis", "why", {"action": "plot 12 34"})
        assert (answer["legal"], answer["rule"]) == (False, "6.6")
        assert GAME.query(s, "axis", "why", {"action": "plot 12 3"})["legal"]

    def test_zones_of_control(self) -> None:
        s = board({76: rifles("1922")})
        zone = GAME.query(s, "axis", "zoc", {"side": "soviet"})["hexes"]
        assert sorted(zone) == ["1821", "1822", "1921", "1923", "2021", "2022"]

    def test_zones_do_not_reach_into_water(self) -> None:
        s = board({12: inf("0215")})
        assert all(s.rules.map.passable >> h(s, name) & 1 for name in GAME.query(s, "axis", "zoc", {})["hexes"])

    @pytest.mark.parametrize(
        ("question", "args"),
        [("nonsense", {}), ("reach", {}), ("reach", {"unit": "13"}), ("zoc", {"side": "x"}), ("strike", {"unit": "12"}),
         ("odds", {"units": ["12"], "target": "Moscow"}), ("depot", {"depot": "12"})],
    )  # fmt: skip
    def test_questions_that_make_no_sense(self, question: str, args: dict[str, object]) -> None:
        with pytest.raises(NotationError):
            GAME.query(board({12: inf("1922")}), "axis", question, args)

    def test_a_forecast_tells_nothing_of_pools_that_are_not_displayed(self) -> None:
        told = {
            ledger: GAME.query(board(FRONT, pools=POOLS, options={"ledger": ledger}), "axis", "forecast", {})
            for ledger in ("hidden", "shown")
        }
        assert set(told["shown"]) - set(told["hidden"]) == {"supply", "construction", "factories"}

    def test_every_question_is_plain_json(self) -> None:
        s = board(FRONT)
        for question, args in (
            ("reach", {"unit": "12"}), ("supply", {}), ("rail", {}), ("front", {}), ("control", {}), ("victory", {}),
            ("terrain", {"hex": "1922"}), ("strike", {"unit": "52"}), ("forecast", {}), ("depot", {"depot": "58"}),
        ):  # fmt: skip
            assert json.loads(json.dumps(GAME.query(s, "axis", question, args)))


class TestPositions:
    def test_a_dumped_position_is_loaded_again(self) -> None:
        s = board(FRONT, pools=POOLS, level=2, turn=5, weather="cold", routes={"58": ["0216"]}, months=3)
        written = json.loads(json.dumps(GAME.dump_position(s)))
        again = GAME.load_position(written)
        assert GAME.dump_position(again) == written
        assert again.plot == s.plot and again.strike == s.strike and again.supplied == s.supplied

    @pytest.mark.parametrize(
        "table",
        [
            {"nonsense": 1}, {"scenario": "x"}, {"weather": "fog"}, {"turn": 0}, {"level": 5}, {"phase": "x"},
            {"groups": {"58": {"hex": "1922"}}}, {"groups": {"12": {"hex": "9999", "units": ["1 INF 70 70 0"]}}},
            {"groups": {"12": {"hex": "1922", "units": []}}}, {"groups": {"12": {"hex": "1922", "units": ["INF"]}}},
            {"groups": {"12": {"hex": "1922", "units": ["1 RIFLE 90 30 0"]}}},
            {"groups": {"1": {"hex": "1922", "units": ["1 INF 70 70 0"]}}},
            {"groups": {"12": {"hex": "0101", "units": ["1 INF 70 70 0"]}}},
            {"groups": {"12": {"hex": "1922", "units": ["1 INF 70 70 0"], "plot": "9"}}},
            {"cities": {"Paris": {"owner": "axis"}}}, {"rail": {"axis": ["x"]}}, {"pools": {"axis": {"gold": 1}}},
        ],
    )  # fmt: skip
    def test_what_is_wrong_is_said(self, table: dict[str, object]) -> None:
        with pytest.raises(SetupError):
            GAME.load_position({"empty": True, **table})

    def test_three_groups_do_not_fit(self) -> None:
        groups = {str(n): inf("1922", f"{n} INF 70 70 0") for n in (12, 13, 14)}
        with pytest.raises(SetupError, match="two groups"):
            GAME.load_position({"empty": True, "groups": groups})


class TestTheWeek:
    def test_the_order_of_phases(self) -> None:
        assert PHASES == (
            (START, 0), (ADJUST, 0), (ADJUST, 1), (SUPPLY, 1), (MOVEMENT, 1), (SUPPLY, 0), (MOVEMENT, 0),
            (EXECUTION, 0), (END, 0),
        )  # fmt: skip

    def test_a_week_passes(self) -> None:
        s, dice = GAME.setup("barbarossa", {}), SeededDice(1)
        seen: list[tuple[str, str]] = []
        while s.turn == 1:
            decision = GAME.decision(s)
            assert decision is not None
            if not seen or seen[-1] != (decision.kind, decision.seat):
                seen.append((decision.kind, decision.seat))
            line = "auto_supply" if kind(s) == "depot" else "done"
            GAME.apply(s, next(a for a in decision.options if GAME.format(s, a) == line), dice)
        assert seen == [
            ("adjust", "axis"), ("adjust", "soviet"), ("depot", "soviet"), ("movement", "soviet"), ("depot", "axis"),
            ("movement", "axis"),
        ]  # fmt: skip
        assert s.turn == 2 and s.rules.date_text(2) == "29 June 1941"
        assert not s.moved and not any(s.plot) and s.naval == 0

    def test_a_scenario_begins_on_its_printed_day(self) -> None:
        printed = {
            "barbarossa": "22 June 1941", "case_blue": "29 June 1942", "zitadelle": "4 July 1943",
            "minsk_1941": "22 June 1941", "voronezh_1942": "29 June 1942", "uranus": "16 November 1942",
            "kursk_south": "4 July 1943",
        }  # fmt: skip
        for info in GAME.scenarios():
            first = GAME.setup(info.id, {})
            assert info.date == first.rules.date_text(1) == printed[info.id.removesuffix("_short")]
            last = first.rules.date_text(first.rules.turns).split()
            assert f"{first.rules.turns} weeks" in info.summary and " ".join(last[1:]) in info.summary

    def test_the_scan_speaks_from_the_move_of_ones_own_depots_on(self) -> None:
        s, dice = GAME.setup("barbarossa", {}), SeededDice(1)
        told: list[tuple[str, str, str]] = []
        while s.turn == 1:
            scan = {side: GAME.query(s, side, "supply", {"side": side})["told"] for side in ("axis", "soviet")}
            assert {side: GAME.observe(s, side)["scan"][side] for side in scan} == scan
            if not told or told[-1] != (kind(s), scan["axis"], scan["soviet"]):
                told.append((kind(s), scan["axis"], scan["soviet"]))
            line = "auto_supply" if kind(s) == "depot" else "done"
            GAME.apply(s, next(a for a in GAME.legal(s) if GAME.format(s, a) == line), dice)
        assert told == [
            ("adjust", "before", "before"), ("depot", "before", "during"), ("movement", "before", "after"),
            ("depot", "during", "after"), ("movement", "after", "after"),
        ]  # fmt: skip

    def test_refusals_say_who_and_why(self) -> None:
        s = board({1: tanks("1922"), 76: rifles("2626")})
        for line, rule in (("get 76", "6.1"), ("get 12", "6.1"), ("step 1", "6.1"), ("build Warsaw", "4.9")):
            with pytest.raises(IllegalAction) as caught:
                GAME.apply(s, GAME.parse(s, line)[0], SeededDice(1))
            assert caught.value.rule == rule and caught.value.reason

    def test_static_is_plain_json_for_every_scenario(self) -> None:
        for info in GAME.scenarios():
            found = json.loads(json.dumps(GAME.static(info.id)))
            assert len(found["map"]["hexes"]) == 31 * 32
            assert len(found["units"]) == 127
            moscow = next(place for place in found["map"]["places"] if place["name"] == "Moscow")
            assert moscow["hex"] == "1814"

    def test_even_columns_lie_half_a_hex_lower(self) -> None:
        hexes = {entry["id"]: entry for entry in GAME.static("barbarossa")["map"]["hexes"]}
        assert hexes["1814"]["y"] - hexes["1714"]["y"] == pytest.approx(0.5)
        assert hexes["1714"]["y"] == pytest.approx(hexes["1914"]["y"])
        assert hexes["1814"]["x"] > hexes["1714"]["x"]
