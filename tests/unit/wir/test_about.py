"""War in Russia: what a question is about, what a player supposes of the enemy, what a week has cost."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import NotationError
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.wir.rules.turn import loss_report
from tests.support import choose
from tests.unit.wir.board import GAME, base, board, give, inf, rifles, tanks

CITY = "0316"
"""Konigsberg, a port of the Baltic; Helsinki, 0708, is another."""


def about(
    *orders: str, groups: dict[int, dict[str, object]] | None = None, phase: str = "adjust"
) -> tuple[object, ...]:
    """What the question after some orders is about."""
    found = groups or {
        12: inf(CITY, "1 INF 70 70 0", "2 INF 70 70 0"), 13: inf("0708"), 14: inf("1922"), 15: inf("1922"),
        52: base("1921", 60), 53: base("1821", 20),
    }  # fmt: skip
    pools = {"axis": {"infantry": 700, "vehicle": 500, "aircraft": 20, "factories": 2}}
    s = board(found, phase=phase, pools=pools)
    give(s, *orders)
    decision = GAME.decision(s)
    assert decision is not None
    return decision.kind, decision.units, decision.hexes


@pytest.mark.parametrize(
    ("orders", "kind", "units", "hexes"),
    [
        (["divide 12"], "divide", ("12",), (CITY,)),
        (["divide 12", "form 2"], "transfer", ("12", "16"), (CITY,)),
        (["transfer 14 15"], "transfer", ("14", "15"), ("1922",)),
        (["aircraft 52 53"], "aircraft", ("52", "53"), ("1821",)),
        (["reinforce 53"], "aircraft", ("53",), ("1821",)),
        (["naval 12 13"], "naval", ("12", "13"), (CITY, "0708")),
        ([f"build {CITY}"], "build", (), (CITY,)),
        ([f"build {CITY}", "form 1"], "raise", ("1",), (CITY,)),
        ([f"factory {CITY}"], "factory", (), (CITY,)),
    ],
)
def test_questions_of_the_adjustment_name_their_groups(
    orders: list[str], kind: str, units: tuple[str, ...], hexes: tuple[str, ...]
) -> None:
    assert about(*orders) == (kind, units, hexes)


def test_orders_and_depots_name_the_piece_in_hand() -> None:
    assert about("get 14", phase="movement") == ("orders", ("14",), ("1922",))
    kind, units, hexes = about(phase="supply")
    assert (kind, units) == ("depot", ("58",)) and hexes


def test_menus_are_about_nothing_in_particular() -> None:
    assert about() == ("adjust", (), ())
    assert about(phase="movement") == ("movement", (), ())


def test_random_play_names_only_what_there_is() -> None:
    chooser, dice = random.Random(2), SeededDice(2)
    s = GAME.setup("barbarossa_short", {})
    for _ in range(3000):
        decision = GAME.decision(s)
        if decision is None:
            break
        assert all(0 < int(unit) < 128 for unit in decision.units)
        assert all(name in s.rules.grid.names for name in decision.hexes)
        GAME.apply(s, choose(chooser, list(decision.options)), dice)


# ---------------------------------------------------------------------- supposing


HIDDEN = {1: tanks("1922"), 76: rifles("2022", "5 RIFLE 90 50 0", entrench=2)}


def odds(assume: str = "", fog: str = "manual") -> Mapping[str, Any]:
    s = board(HIDDEN, options={"fog": fog})
    return GAME.query(s, "axis", "odds", {"units": "1", "target": "2022", "assume": assume})


def test_without_a_supposition_the_defender_is_unknown() -> None:
    answer = odds()
    assert (answer["known"], answer["supposed"], answer["unknown"], answer["odds"]) == (False, False, ["76"], None)


def test_a_true_supposition_gives_the_true_odds() -> None:
    guess, truth = odds("76:90:50:2"), odds(fog="open")
    assert truth["known"] and not truth["unknown"]
    assert guess["supposed"] and not guess["known"]
    assert guess["odds"] == pytest.approx(truth["odds"], rel=0.03)  # six units round their losses, one rounds once
    for name in ("attack", "entrenchment", "retreat", "artillery"):
        assert guess[name] == truth[name]


def test_a_supposition_tells_nothing_of_what_is_true() -> None:
    weak = board({**HIDDEN, 76: rifles("2022", "5 RIFLE 10 10 90")})
    asked = {"units": "1", "target": "2022", "assume": "76:300:40:1"}
    assert GAME.query(weak, "axis", "odds", asked) == odds("76:300:40:1")


def test_what_is_known_is_not_supposed() -> None:
    assert odds("76:1:1:5", fog="open") == odds(fog="open")


@pytest.mark.parametrize(
    "text", ["76", "76:1:1", "76:1:1:6", "76:1201:1:0", "0:1:1:0", "128:1:1:0", "76:-1:1:0", "x:1:1:1"]
)
def test_suppositions_that_make_no_sense(text: str) -> None:
    with pytest.raises(NotationError):
        odds(text)


def test_every_multiplier_is_listed() -> None:
    groups = {1: tanks("1922"), 64: {"hex": "2022", "units": ["1 TANK 60 50 0"]}, 76: rifles("2022", entrench=3)}
    s = board(groups, options={"fog": "open"}, weather="cold")
    answer = GAME.query(s, "axis", "odds", {"units": "1", "target": "2022"})
    words = {item["text"]: item["value"] for item in answer["modifiers"]}
    assert words["Group 76 in entrenchments of level 3"] == "1.6"
    assert words["Guns on entrenchments of level 3"] == "0.7"
    assert words["Own losses against entrenchments of level 3"] == "1.3"
    assert words["Guns in cold weather"] == "0.5"
    assert "Mechanized groups, less by mechanized defenders" in words


# ---------------------------------------------------------------------- air strikes


def test_the_outlook_of_an_air_strike() -> None:
    s = board(
        {
            52: base("1922", 120, supplied=True),
            76: rifles("2022", entrench=3),
            116: base("2023", 70),
            117: base("2626"),
        },
        weather="cold",
    )
    near = GAME.query(s, "axis", "strike", {"unit": "52", "target": "2022"})["outlook"]
    assert near["flak"] == {"least": 1, "most": 3}
    assert (near["distance"], near["escorted"], near["interceptors"], near["overcast"]) == (1, True, ["116"], 20)
    assert near["ground"] == 12 and near["aircraft"] is None and near["factories"] == []
    far = GAME.query(s, "axis", "strike", {"unit": "52", "target": "2322"})["outlook"]
    assert not far["escorted"] and far["ground"] is None


def test_bombers_over_a_city_try_once_for_every_fifty_points_begun() -> None:
    s = board({52: base("1715", 120, supplied=True)})
    moscow = GAME.query(s, "axis", "strike", {"unit": "52", "target": "Moscow"})["outlook"]
    assert moscow["factories"] == [50, 50, 20]
    reach = GAME.query(s, "axis", "strike", {"unit": "52"})["reach"]
    assert "1715" not in reach and "1814" in reach


# ---------------------------------------------------------------------- losses


def test_a_week_tells_each_side_its_losses() -> None:
    s = board({12: inf("1922", supplied=True, plot="3"), 76: rifles("2022", "5 RIFLE 90 50 0"), 116: base("2626", 70)})
    before = [loss_report.strengths(s, side) for side in loss_report.SIDES]
    dice = SeededDice(1)
    events = [event for action in GAME.parse(s, "done") for event in GAME.apply(s, action, dice)]
    told = {event.args[0]: event for event in events if event.kind == "losses"}
    assert set(told) == {0, 1}
    for side, event in told.items():
        infantry = int(str(event.args[1]))
        assert infantry > 0 and event.args[5] == 0
        assert before[int(str(side))].infantry - infantry == sum(
            s.strength[u] for g in (12, 76) for u in s.group_units[g] if (g > 63) == bool(side)
        )
    assert GAME.is_visible(s, told[0], "axis") and not GAME.is_visible(s, told[0], "soviet")
    assert "infantry strength" in GAME.describe(s, told[1])


def test_a_muster_counts_by_kind() -> None:
    s = board(
        {1: tanks("1922", artillery=30), 12: inf("1921", "1 INF 70 70 0", "1 RUM CAV 50 10 0"), 52: base("1821", 60)},
        pools={"axis": {"artillery": 600, "aircraft": 20}},
    )  # fmt: skip
    assert loss_report.strengths(s, 0) == (120, 150, 630, 80, 3)
    assert loss_report.strengths(s, 1) == (0, 0, s.pools[1][2], s.pools[1][3], 0)


# ---------------------------------------------------------------------- places


def going_on(options: Iterable[Action]) -> list[Action]:
    """The options that are one entry each and do not end the game early."""
    return [action for action in options if action.verb != "end_game" and not action.verb.startswith("auto")]


def test_turn_and_phase_are_named_as_an_observation_names_them() -> None:
    session = new_session("wir", "barbarossa_short", seed=5)
    chooser, told = random.Random(5), []
    while session.version < 1200:
        decision = session.decision()
        assert decision is not None
        seen = GAME.observe_all(session.state)
        told.append((seen["turn"]["label"], seen["phase"]["label"]))
        session.play(GAME.format(session.state, choose(chooser, going_on(decision.options))))
    assert session.places == told and len(set(told)) > 2
    assert Session.load(session.save()).places == told
    session.rewind(700)
    assert session.places == told[:700]


# ---------------------------------------------------------------------- what is to come


def test_the_timeline_lists_every_change_once_in_its_order() -> None:
    changes = GAME.static("barbarossa")["charts"]["timeline"]
    assert [change["month"] for change in changes] == sorted(change["month"] for change in changes)
    assert len({change["text"] for change in changes}) == len(changes)
    told = {(change["month"], change["rule"]): change for change in changes}
    assert "Lend-Lease" in told["1941-10", "8.6"]["text"] and told["1941-10", "8.6"]["side"] == "soviet"
    assert "HOH, FRU, H.J" in told["1943-01", "4.9"]["text"]
    assert told["1943-10", "8.13"]["text"] == "SS PZG elite become SS PZ"
    assert sorted(c["levels"] for c in changes if c["rule"] == "8.14") == [[1], [2]]
    assert all(change["levels"] == [1, 2, 3, 4] for change in changes if change["rule"] != "8.14")
