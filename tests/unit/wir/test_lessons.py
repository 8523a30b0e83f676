"""The lessons of War in Russia: each is won by sensible play and lost by looking on."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rasputitsa.ai.players import known_player
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.shapes import Goal
from rasputitsa.wir.api.position import dump
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.end_of_turn import economy
from tests.unit.ai.wir.pupil import GAME, Orders, reaches_goal

LESSONS = {info.id: info for info in GAME.lessons()}
PLANS: dict[str, Orders] = {
    "first_attack": {1: ["attack 0519 6 21 22", "strike 0519 54"]},
    "depots": {5: ["go 3 1316"]},
    "pocket": {
        2: ["get 3; plot 34; halt", "get 6; plot 12; halt", "get 7; plot 12; halt"],
        3: ["attack 0617 4 17", "attack 0618 18 21 7", "attack 0718 3 6", "strike 0618 54"],
    },
    "hold": {21: ["get 94; artillery; halt", "go 95 1816", "go 71 1816", "get 93; artillery; halt"]},
    "winter": {25: ["attack 1613 85 86", "attack 1715 92 93", "strike 1613 118", "go 70 1714"]},
    "kursk": {1: ["attack 1720 5 6", "attack 1721 1 2 12", "attack 1720 1 2 12", "strike 1720 55 56", "go 23 1719"]},
    "ring": {
        21: ["attack 2422 64 90", "get 65; plot 44; halt", "get 66; plot 66; halt", "attack 2624 91",
             "strike 2523 118"],
        22: ["attack 2523 64 65 90", "get 66; plot 66; halt", "attack 2524 66 91", "go 66 2524", "go 91 2524",
             "strike 2523 118"],
    },
}  # fmt: skip
SEEDS = range(8)


def test_there_are_enough_and_in_order() -> None:
    assert list(LESSONS) == list(PLANS)
    assert [info.minutes for info in LESSONS.values()] == sorted(info.minutes for info in LESSONS.values())
    assert LESSONS["first_attack"].minutes <= 10


def goal_of(s: State, seat: str | None) -> Goal:
    """What a seat is told of the goal."""
    found = GAME.observe(s, seat)["goal"]
    assert found is not None
    return found


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_tells_all_it_should(name: str) -> None:
    info = LESSONS[name]
    assert all((info.title, info.summary, info.goal)) and info.turns >= 1
    assert known_player(info.opponent, "wir")
    s = GAME.load_position(GAME.lesson(name))
    seen = goal_of(s, info.seat)
    assert seen["text"] == info.goal and seen["parts"]
    assert not seen["reached"] or name == "hold", "what is to be held is held at the start, and looked at in the end"
    assert seen["last_turn"] == s.turn + info.turns - 1
    decision = GAME.decision(s)
    assert decision is not None and decision.seat == info.seat


@pytest.mark.parametrize("name", LESSONS)
def test_it_is_lost_by_looking_on(name: str) -> None:
    assert not any(reaches_goal(name, None, seed) for seed in SEEDS[:3])


@pytest.mark.parametrize("name", LESSONS)
def test_it_is_won_by_sensible_play(name: str) -> None:
    assert any(reaches_goal(name, PLANS[name], seed) for seed in SEEDS)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_saved_and_read_again(name: str) -> None:
    session = lesson_session("wir", name, seed=5)
    assert session.header.lesson == name
    for _ in range(5):
        decision = session.decision()
        if decision is None:
            break
        session.play(session.game.format(session.state, decision.options[0]))
    again = Session.load(session.save())
    assert again.game.fingerprint(again.state) == session.game.fingerprint(session.state)
    s = GAME.load_position(GAME.lesson(name))
    assert GAME.load_position(dump(s)).goal == s.goal


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(SetupError, match="no lesson 'tea'"):
        GAME.lesson("tea")


def broken(**changes: Any) -> dict[str, Any]:
    table = copy.deepcopy(GAME.lesson("first_attack"))
    table["goal"].update(changes)
    return table


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"side": "finland"}, "side is axis or soviet"), ({"last_turn": 0}, "last_turn"),
        ({"last_turn": "soon"}, "last_turn"), ({"hold": ["9999"]}, "no hex"), ({"hold": "0519"}, "list of hexes"),
        ({"hold": []}, "what is to be reached"), ({"remove": ["General"]}, "no group"),
        ({"at_least": 3}, "at_least"), ({"glory": 1}, "goal is a table"),
    ],
)  # fmt: skip
def test_a_goal_that_makes_no_sense_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        GAME.load_position(broken(**changes))


def test_every_demand_is_counted() -> None:
    s = GAME.load_position(
        broken(clear=["0619"], remove=["66", "85"], remove_at_least=1, keep=["6"], supplied=["6", "21"])
    )
    told = {part["text"].split(":")[0].split(" 0")[0]: (part["done"], part["needed"])
            for part in goal_of(s, "axis")["parts"]}  # fmt: skip
    assert told == {
        "hold Brest (0519)": (0, 1), "no enemy in": (0, 1), "off the map": (0, 1), "still on the map": (1, 1),
        "in supply": (2, 2),
    }  # fmt: skip
    s.dissolve(66)
    s.supplied &= ~(1 << 6)
    parts = {part["text"].split(":")[0]: part["done"] for part in goal_of(s, "axis")["parts"]}
    assert (parts["off the map"], parts["in supply"], parts["no enemy in 0619"]) == (1, 1, 1)
    assert not any("supply" in part["text"] for part in goal_of(s, "soviet")["parts"])


def test_nothing_comes_from_outside_without_production() -> None:
    s = GAME.load_position(GAME.lesson("kursk"))
    before = [pool[:] for pool in s.pools]
    assert s.goal is not None and not s.goal.production
    economy.end_of_turn(s, Context(SeededDice(1)))
    assert s.pools == before
    s.goal = s.goal._replace(production=True)
    economy.end_of_turn(s, Context(SeededDice(1)))
    assert s.pools != before


def test_a_position_may_name_rectangles_and_let_cities_and_rails_follow() -> None:
    table = {"scenario": "barbarossa", "empty": True, "rail": {"follows_control": True},
             "control": {"only": True, "axis": ["0916-0918"], "cities": True}}  # fmt: skip
    s = GAME.load_position(table)
    names = s.rules.grid.names
    held = [names[h] for h in range(s.rules.grid.size) if s.control >> h & 1]
    assert held == ["0916", "0917", "0918"]
    minsk = s.rules.map.city_named["Minsk"]
    assert s.owner[minsk] == 0 and sum(1 for owner in s.owner if owner == 0) == 1
    assert not s.rail[0] & ~s.control and not s.rail[1] & s.control
    with pytest.raises(SetupError, match="north-west corner"):
        GAME.load_position({**table, "control": {"axis": ["0918-0916"]}})
