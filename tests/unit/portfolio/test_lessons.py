"""Lessons and their goals: what a goal asks, when it is looked at, and that every lesson can be played."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rasputitsa.ai.portfolio.advice.explainer import expectation
from rasputitsa.core.dice import ScriptedDice, SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.lessons.goal import LEVEL
from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.shapes import Goal
from rasputitsa.portfolio.model.state import POOL, State
from tests.support import GAME
from tests.unit.ai.portfolio.pupil import Orders, reaches_goal

LESSONS = [info.id for info in GAME.lessons()]
GOAL = {"side": "axis", "text": "Hold it.", "last_turn": 4, "hold": ["V24"]}


def position(goal: dict[str, Any], **more: Any) -> State:
    table = {
        "empty": "gone", "turn": 3, "phase": "movement", "side": "axis",
        "units": {"39Pz": "V23", "8A": "Q19"}, "control": {"axis": ["V10-V23"]},
    }  # fmt: skip
    return GAME.load_position({**table, **more, "goal": {**GOAL, **goal}})


def play(state: State, *lines: str) -> State:
    for line in lines:
        for action in GAME.parse(state, line):
            if action.verb == "halt" and action not in GAME.legal(state):
                continue
            GAME.apply(state, action, ScriptedDice([]))
    return state


def finish_turn(state: State) -> State:
    """Nobody does anything more in this turn."""
    turn = state.turn
    while state.outcome is None and state.turn == turn:
        options = {action.verb: action for action in GAME.legal(state)}
        GAME.apply(state, options.get("done") or options.get("stand_all") or GAME.legal(state)[0], SeededDice(1))
    return state


def test_there_are_lessons_and_they_are_in_order() -> None:
    infos = GAME.lessons()
    assert len(infos) >= 6
    assert infos[0].id == "first_attack"
    assert infos[0].minutes <= 10
    assert [info.minutes for info in infos] == sorted(info.minutes for info in infos)
    assert {info.seat for info in infos} == {"axis", "soviet"}


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_begins_and_ends(name: str) -> None:
    info = next(info for info in GAME.lessons() if info.id == name)
    for seed in range(3):
        state = GAME.load_position(GAME.lesson(name))
        chooser, dice = random.Random(seed), SeededDice(seed)
        decisions = 0
        while (decision := GAME.decision(state)) is not None:
            GAME.apply(state, chooser.choice(decision.options), dice)
            decisions += 1
            assert decisions < 800
        assert state.outcome is not None
        assert state.outcome.level == LEVEL
        assert state.turn <= GAME.lesson(name)["goal"]["last_turn"]
    assert info.turns >= 1


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_written_and_read_back(name: str) -> None:
    state = GAME.load_position(GAME.lesson(name))
    again = GAME.load_position(GAME.dump_position(state))
    assert GAME.fingerprint(again) == GAME.fingerprint(state)
    assert again.goal == state.goal


def goal_of(s: State, seat: str | None) -> Goal:
    """What a seat is told of the goal."""
    found = GAME.observe(s, seat)["goal"]
    assert found is not None
    return found


@pytest.mark.parametrize("name", LESSONS)
def test_the_goal_is_not_reached_from_the_start_but_could_be(name: str) -> None:
    """A goal of conquest begins unmet, a goal of holding begins met; and either side's units are there."""
    shown = goal_of(GAME.load_position(GAME.lesson(name)), None)
    assert shown["reached"] is (name in ("stand_or_fall_back", "leningrad"))
    assert shown["parts"]
    assert shown["hexes"]


def test_the_first_lesson_is_won_by_the_moves_it_speaks_of() -> None:
    state = GAME.load_position(GAME.lesson("first_attack"))
    play(state, "move 4AOK+2Inf Q10-Q11", "move 24Pz R11", "move 39Pz P11", "done")
    units = ["4AOK", "2Inf", "39Pz", "24Pz"]
    odds = GAME.query(state, "axis", "odds", {"targets": ["Q12"], "units": units})
    assert odds["final"] == "5:1"
    assert "S" not in {chance["result"] for chance in odds["chances"]}
    for seed in range(12):
        trial = state.copy()
        dice = SeededDice(seed)
        wanted = ["stand_all", "attack Q12: 4AOK,2Inf,39Pz,24Pz", "done"]
        while (decision := GAME.decision(trial)) is not None:
            lines = [GAME.format(trial, option) for option in decision.options]
            if wanted and (wanted[0] in lines or wanted[0].startswith("attack")):
                for action in GAME.parse(trial, wanted.pop(0)):
                    GAME.apply(trial, action, dice)
                continue
            advance = [line for line in lines if line in ("to Q12", "advance 39Pz", "advance 24Pz")]
            far = decision.kind.startswith("retreat")  # as far as the result says
            plain = (
                lines[0] if far else next((v for v in ("resolve 1", "stand", "halt", "done") if v in lines), lines[0])
            )
            (action,) = GAME.parse(trial, advance[0] if advance else plain)
            GAME.apply(trial, action, dice)
        assert trial.outcome is not None
        assert trial.outcome.winner == "axis", seed


WINNING: dict[str, Orders] = {
    "pocket": {  # the armor meets east of Minsk and takes it, the infantry holds the ring
        (2, "movement"): ["move 39Pz O7-P7", "move 3PzG O6-O7-P8", "move 2PzG S5-R6-R7", "move 47Pz S4-S5-S6-R7",
                          "move 24Pz R6", "close R5 4AOK 12Inf", "close P4 9AOK 42Inf"],
        (2, "attack"): ["attack Q8: all", "attack R5: all", "attack P4: all", "attack Q4: all"],
        (3, "movement"): ["close Q8 3PzG 39Pz 47Pz 24Pz 2PzG", "close Q4", "close Q3"],
        (3, "attack"): [f"attack {h}: all" for h in ("Q8", "Q4", "Q3", "P4", "P5")],
    },
    "stand_or_fall_back": {  # back behind the cities, which the reserves take over
        (3, "movement"): ["into Q16 21A 22A", "into P15 22A", "into P14 22A 20A", "into Q15 20A", "into R16 21A",
                          "into R15 21A", "into S14 24A 5MK", "into Q13 7MK"],
        (4, "movement"): ["into Q13 7MK 20A", "into Q16 24A 7MK", "into S14 5MK 24A"],
    },
    "river_and_city": {  # all on one city at a time
        (4, "movement"): ["close EE14 48Pz 49Mtn 11AOK 1PzG 52Lt", "close DD14"],
        (4, "attack"): ["attack DD14: all", "attack EE14: all"],
        (5, "movement"): ["close DD14", "close EE14"],
        (5, "attack"): ["attack DD14: all", "attack EE14: all"],
    },
    "leningrad": {  # the way out before the suburbs
        (4, "movement"): ["move 54A H15-H16", "move 55A H14-H15", "move 1MK I14-H17"],
        (5, "movement"): ["move 34A H17", "close H16"],
    },
    "winter": {  # a front and two shock armies on one city, the cavalry on another
        (9, "movement"): ["close N18 KalF 1Shk 3Shk", "move 3KK N19", "close T18 50A 1GKK 49A"],
        (9, "attack"): ["offensive", "attack N18: all", "attack T18: all"],
        (10, "movement"): ["close N18", "close O17", "close T18", "close S18"],
        (10, "attack"): ["offensive", *(f"attack {h}: all" for h in ("N18", "O17", "S18", "T18"))],
    },
    "fuel": {  # the corridor from both ends, then the goal
        (4, "movement"): ["move 17AOK AA9-BB9-CC10", "move 52Lt AA9-BB9-CC10", "move 11AOK CC8-CC9-CC10",
                          "move 48Pz DD14-DD13-DD12", "move 1PzG DD14-DD13-DD12"],
        (4, "attack"): ["attack CC11: all"],
        (5, "movement"): ["close FF16"],
        (5, "attack"): ["attack FF16: all"],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in LESSONS if name != "first_attack"])
def test_a_lesson_is_won_by_sensible_play_and_lost_by_looking_on(name: str) -> None:
    assert any(reaches_goal(name, WINNING[name], seed) for seed in range(6))
    assert not reaches_goal(name, {}, seed=0)


# ---------------------------------------------------------------- goals


def test_a_goal_reached_early_counts_at_the_end_of_the_turn() -> None:
    state = play(position({}), "move 39Pz V23-V24")
    assert state.outcome is None
    finish_turn(state)
    assert state.outcome is not None
    assert (state.outcome.winner, state.turn) == ("axis", 3)


def test_a_goal_that_must_last_is_looked_at_in_the_last_turn_only() -> None:
    state = play(position({"early": False}), "move 39Pz V23-V24")
    finish_turn(state)
    assert state.outcome is None
    finish_turn(state)
    assert state.outcome is not None
    assert (state.outcome.winner, state.turn) == ("axis", 4)


def test_a_goal_not_reached_in_time_is_lost() -> None:
    state = finish_turn(finish_turn(position({})))
    assert state.outcome is not None
    assert state.outcome.winner == "soviet"
    assert "not reached" in state.outcome.reason


def test_a_goal_of_operations_is_looked_at_before_the_enemy_moves() -> None:
    state = position({"check": "operations", "last_turn": 3})
    play(state, "move 39Pz V23-V24", "done")
    while state.outcome is None and GAME.decision(state) is not None and state.side == 0:
        GAME.apply(state, GAME.legal(state)[-1], SeededDice(1))
    assert state.outcome is not None
    assert state.outcome.winner == "axis"


def winner(state: State, line: str) -> str | None:
    """Who has won when a turn with one move is over."""
    outcome = finish_turn(play(state, line)).outcome
    assert outcome is not None
    return outcome.winner


def test_enough_of_several_hexes() -> None:
    both = {"hold": ["V24", "Q19"], "last_turn": 3}
    assert winner(position(both), "move 39Pz V24") == "soviet"
    one = {**both, "at_least": 1}
    assert winner(position(one), "move 39Pz V24") == "axis"


def test_a_choice_of_demands_says_how_many_are_enough() -> None:
    shown = goal_of(
        position({"hold": ["V24", "V23"], "at_least": 1, "remove": ["8A", "3A"], "remove_at_least": 1}), "axis"
    )
    assert [part["text"] for part in shown["parts"]] == ["hold 1 of V23, V24", "off the map: 1 of 3A, 8A"]
    assert [(part["done"], part["needed"]) for part in shown["parts"]] == [(1, 1), (1, 1)]
    all_held = goal_of(position({"hold": ["V22", "V23"], "at_least": 1}), "axis")
    assert all_held["parts"][0]["done"] == 1, "no more than is needed"


def test_a_goal_that_can_no_longer_be_reached_is_told() -> None:
    keep = {"keep": ["39Pz"], "replacements": False}
    state = position(keep)
    assert goal_of(state, "axis")["out_of_reach"] == ""
    state.lift(next(iter(state.on_map(0))), POOL)
    assert goal_of(state, "axis")["out_of_reach"] == "39Pz is lost, and nothing can be built again"
    assert expectation(state) == 0.0
    state.armor_points[0] = 5
    assert goal_of(state, "axis")["out_of_reach"] == "", "it could be built"


def test_units_to_remove_and_to_keep_and_hexes_to_clear() -> None:
    shown = goal_of(position({"hold": [], "remove": ["8A", "3A"], "keep": ["39Pz"], "clear": ["Q18-Q20"]}), "axis")
    assert [(part["done"], part["needed"]) for part in shown["parts"]] == [(2, 3), (1, 2), (1, 1)]
    assert shown["units"] == ["39Pz", "3A", "8A"]


def test_the_goal_stands_in_place_of_the_victory_conditions() -> None:
    """Warsaw in Soviet hands ends a whole game, not a lesson with another goal."""
    units = {"39Pz": "V23", "8A": "Q1"}
    lesson = finish_turn(position({}, units=units))
    assert lesson.outcome is None
    table = {"empty": "gone", "turn": 3, "phase": "movement", "side": "axis", "units": units}
    assert finish_turn(GAME.load_position(table)).outcome is not None


def test_states_with_and_without_a_goal_differ() -> None:
    with_goal, without = position({}), position({})
    without.goal = None
    assert GAME.fingerprint(with_goal) != GAME.fingerprint(without)
    assert with_goal.copy() == with_goal


def test_nothing_is_called_in_from_an_empty_siberia() -> None:
    state = finish_turn(position({}))
    while state.outcome is None:
        assert "siberia" not in {action.verb for action in GAME.legal(state)}
        GAME.apply(state, GAME.legal(state)[-1], SeededDice(2))


@pytest.mark.parametrize(
    ("goal", "word"),
    [
        ({"side": "finland"}, "axis or soviet"),
        ({"last_turn": 2}, "last_turn"),
        ({"hold": ["Z99"]}, "Z99"),
        ({"hold": []}, "has to say"),
        ({"remove": ["99Pz"]}, "99Pz"),
        ({"at_least": 2}, "at_least"),
        ({"check": "noon"}, "operations"),
        ({"colour": "red"}, "goal is a table"),
    ],
)
def test_a_bad_goal_is_refused(goal: dict[str, Any], word: str) -> None:
    with pytest.raises(SetupError, match=word):
        position(goal)


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(SetupError, match="first_attack"):
        GAME.lesson("tea")


def test_a_lesson_is_saved_and_loaded() -> None:
    session = lesson_session("portfolio", "leningrad", seed=5)
    for _ in range(10):
        decision = session.decision()
        assert decision is not None
        session.play(session.game.format(session.state, decision.options[0]))
    again = Session.load(session.save())
    assert again.game.fingerprint(again.state) == session.game.fingerprint(session.state)
    assert again.state.goal is not None
