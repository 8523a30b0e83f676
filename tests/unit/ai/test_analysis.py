"""Hints in words, the outlook of a position, and the course of a game."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from rasputitsa.ai.advice.analysis import advice_for, evaluate, hint, judge, plan
from rasputitsa.ai.advice.course import LEAST_SWING, course, walk
from rasputitsa.ai.advice.errors import NoAnalysisError
from rasputitsa.ai.advice.hint import Hint, Thought, playable, try_action
from rasputitsa.ai.advice.player_turns import PlayerTurn, PlayerTurns
from rasputitsa.ai.advice.shapes import Course
from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock
from rasputitsa.ai.portfolio.advice.explainer import PortfolioPlanExplainer, named
from rasputitsa.ai.portfolio.search.racing import Effort
from rasputitsa.ai.wir.advice.explainer import BET, WirPlanExplainer
from rasputitsa.ai.wir.advice.orders import Orders
from rasputitsa.ai.wir.planning.assault import Attack
from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.dice import NoDice, NoDiceError, SeededDice
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.api.notation import move_order
from rasputitsa.portfolio.model.state import ELIMINATED
from rasputitsa.wir.model.tables import groups_of
from tests.support import GAME, random_session
from tests.unit.wir.board import board, inf, rifles

SECONDS = 1.0
MARK = re.compile(r"\{(unit|hex):([^{}]+)\}")
WIR: Game[Any] = get_game("wir")


@cached
def battle() -> Session:
    """Some turns of The Russian Portfolio, played at random with much fighting."""
    return random_session(3, 900)


def asked(state: Any, game: Game[Any] = GAME) -> Decision:
    decision = game.decision(state)
    assert decision is not None
    return decision


def advice(state: Any, game: Game[Any] = GAME, seconds: float = SECONDS) -> Hint:
    decision = asked(state, game)
    return hint(game, game.view_of(state, decision.seat), decision, TimedClock(seconds))


def check(found: Hint, state: Any, game: Game[Any]) -> None:
    """The action is legal, every line can be played now, and every mark names something there is."""
    decision = asked(state, game)
    assert found.action in [game.format(state, action) for action in decision.options]
    assert found.headline and found.player
    assert found.expectation is None or 0 <= found.expectation <= 1
    if decision.kind == "movement" and not getattr(state, "reserve", 0):
        assert found.expectation is not None
    static = game.static("june22" if game.id == "portfolio" else "barbarossa_short")
    known = {"hex": {h["id"] for h in static["map"]["hexes"]}}
    known["unit"] = {u["id"] for u in static["units"]} | {str(n) for n in range(1, 130)}
    for text in (found.headline, *found.reasons, *(step.text for step in found.steps)):
        assert text and "None" not in text
        for kind, name in MARK.findall(text):
            assert name in known[kind], text
    for step in found.steps:
        assert {*step.path, *step.origins, *step.targets} <= known["hex"], step
        if step.kind == "attack":
            assert step.targets and step.origins


def test_every_kind_of_question_gets_a_legal_hint() -> None:
    seen: dict[str, int] = {}
    for _, state in walk(battle(), MemoryTracker(GAME, {})):
        decision = GAME.decision(state)
        if decision is None or seen.get(decision.kind, 0) >= 2 or len(decision.options) < 2:
            continue
        seen[decision.kind] = seen.get(decision.kind, 0) + 1
        before = GAME.fingerprint(state)
        check(advice(state), state, GAME)
        assert GAME.fingerprint(state) == before
    assert {"movement", "moving", "attack", "build_attack", "resolve", "retreat"} <= set(seen)


def at(kind: str, number: int = 0) -> Any:
    """The position in which a kind of question is asked for the n-th time."""
    for _, state in walk(battle(), MemoryTracker(GAME, {})):
        decision = GAME.decision(state)
        if decision is not None and decision.kind == kind:
            if not number:
                return state.copy()
            number -= 1
    raise AssertionError(f"nobody is asked for {kind}")


def test_a_plan_of_moves_goes_on_to_the_attacks_with_their_odds() -> None:
    state = GAME.setup("june22", {})
    while asked(state).kind != "movement":
        GAME.apply(state, Action("done"), SeededDice(1))
    found = advice(state)
    fights = [step for step in found.steps if step.kind == "attack"]
    moves = [step for step in found.steps if step.kind == "move"]
    assert len(fights) >= 3 and len(moves) >= 10
    for fight in fights:
        assert re.fullmatch(r"\d+:\d+", fight.odds)
        assert fight.chance is not None and 0 < fight.chance <= 1
        assert "drive" in fight.why
        assert not fight.line, "attacks come after the moves"
    assert "attack" in found.headline.lower() and not found.to_json()["single"]
    assert not any(move.waits for move in moves[:1])
    for move in moves:
        assert move.waits is not playable(GAME, state, move.line)
        assert move_order(state.rules, move.line) is not None
    for move in moves:  # in their order all can be played
        for action in GAME.parse(state, move.line):
            if action in asked(state).options:
                GAME.apply(state, action, NoDice())
        unit = state.rules.roster.find(move.units[0])
        assert unit is not None and state.pos[unit] == state.rules.grid.index(move.path[-1])


def test_attacks_can_be_announced_as_the_hint_says() -> None:
    state = at("attack", 1)
    found = advice(state)
    for step in found.steps:
        assert step.kind == "attack" and playable(GAME, state, step.line), step


def test_a_unit_in_hand_is_what_the_hint_is_about() -> None:
    state = at("moving")
    unit = asked(state).units[0]
    found = advice(state)
    assert f"{{unit:{unit}}}" in found.headline
    assert found.action.split()[0] in ("to", "back", "halt")
    assert not any(step.line for step in found.steps), "nothing else can be ordered while a unit is in hand"


def test_small_questions_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasputitsa.ai.portfolio.advice.explainer.WEIGHING", 60.0)  # a busy machine needs longer
    state = at("retreat")
    decision = asked(state)
    before = GAME.fingerprint(state)
    found = hint(GAME, GAME.view_of(state, decision.seat), decision, TimedClock(60.0))
    assert any(re.search(r"with \d+ chances in 100", reason) for reason in found.reasons)
    check(found, state, GAME)
    assert len(found.steps) == 1 and found.to_json()["single"], "nothing is told twice"
    assert GAME.fingerprint(state) == before


def test_nothing_more_to_do_is_said_for_what_it_is() -> None:
    state = at("no_retreat")
    decision = asked(state)
    view = GAME.view_of(state, decision.seat)
    explainer = PortfolioPlanExplainer(GAME, view, decision)
    assert explainer.explain([Thought(decision, view, Action("done"), None)]).headline == "No unit is told to hold"


def test_a_further_hex_of_a_retreat_is_called_so() -> None:
    state = at("retreat_length")
    decision = asked(state)
    words = named(GAME, state, decision, Action("continue"))
    assert words == f"{{unit:{decision.units[0]}}} goes on to a further hex"


def test_an_order_of_battles_is_reasoned_by_attacks_next_to_each_other_alone() -> None:
    state = at("resolve")
    state.attacks = state.attacks[:1]
    decision = asked(state)
    first = [Thought(decision, state, Action("resolve", (1,)), None)]
    assert PortfolioPlanExplainer(GAME, state, decision).explain(first).reasons == []
    (target,) = state.attacks[0].targets[:1]
    beside = min(state.rules.grid.neighbours[target])
    state.attacks = (*state.attacks, state.attacks[0]._replace(targets=(beside,)))
    (reason,) = PortfolioPlanExplainer(GAME, state, decision).explain(first).reasons
    assert "attacks next to it still bar retreats" in reason


def test_an_attack_after_a_breakthrough_is_put_together_as_the_hint_says() -> None:
    state = random_session(4, 179).state
    decision = asked(state)
    assert (decision.kind, decision.rule) == ("build_attack", "XIII.F")
    check(advice(state), state, GAME)


def test_the_headline_is_about_the_unit_that_is_to_act_first() -> None:
    state = random_session(10, 153).state
    decision = asked(state)
    assert decision.kind == "advance_step" and Action("halt") in decision.options
    unit = decision.units[0]
    after = try_action(GAME, state, Action("halt"))
    assert after is not None
    following = asked(after)
    other = next(action for action in following.options if action.verb == "advance")
    on = Thought(following, after, other, None)
    way = Thought(following, after, Action("to", (after.pos[other.args[0]],)), None)
    explainer = PortfolioPlanExplainer(GAME, state, decision)
    found = explainer.explain([Thought(decision, state, Action("halt"), after), on, way])
    assert found.headline == f"{{unit:{unit}}} halts here"


@pytest.mark.parametrize("game", [GAME, WIR])
def test_a_hint_in_a_lesson_gives_no_outlook(game: Game[Any]) -> None:
    """The share of a goal that is met is no chance to reach it."""
    state = game.load_position(game.lesson("pocket"))
    assert asked(state, game).kind == "movement"
    assert advice(state, game, 0.1).expectation is None


def test_a_plan_tells_what_it_was_chosen_over(monkeypatch: pytest.MonkeyPatch) -> None:
    little = Effort(plans=3, worlds=2, first=1, challengers=0, orders=0)
    monkeypatch.setattr("rasputitsa.ai.portfolio.search.player.Effort", lambda: little)
    state = at("movement")
    found = hint(GAME, GAME.view_of(state, asked(state).seat), asked(state), TimedClock(3600))
    chances = [re.search(r"wins (\d+) in 100, judged by", reason) for reason in found.reasons]
    told = [int(chance[1]) for chance in chances if chance]
    assert len(told) == 2 and any(reason.startswith("Next best plan: ") for reason in found.reasons)
    check(found, state, GAME)


def test_no_die_is_ever_cast_for_a_hint() -> None:
    state = at("resolve")
    assert try_action(GAME, state, Action("resolve", (asked(state).options[0].args[0],))) is None
    with pytest.raises(NoDiceError):
        NoDice().roll("combat")


def test_a_week_of_war_in_russia_gets_hints_from_its_first_question_to_its_last() -> None:
    state, dice = WIR.setup("barbarossa_short", {}), SeededDice(1)
    kinds: list[tuple[str, str]] = []
    while state.turn == 1:
        decision = asked(state, WIR)
        if len(kinds) < 8 and (not kinds or kinds[-1] != (decision.seat, decision.kind)):
            kinds.append((decision.seat, decision.kind))
            found = advice(state, WIR)
            check(found, state, WIR)
            if decision.kind in ("movement", "adjust"):
                assert any(step.line and not step.waits for step in found.steps) or not found.steps
        closing = [a for v in ("auto_supply", "done") for a in decision.options if a.verb == v]
        WIR.apply(state, closing[0], dice)
    assert {kind for _, kind in kinds} == {"adjust", "depot", "movement"}


def test_attacks_in_war_in_russia_come_with_the_odds_the_planner_expects() -> None:
    state, dice = WIR.setup("barbarossa_short", {}), SeededDice(1)
    while (asked(state, WIR).seat, asked(state, WIR).kind) != ("axis", "movement"):
        options = asked(state, WIR).options
        WIR.apply(state, next(a for v in ("auto_supply", "done") for a in options if a.verb == v), dice)
    fights = [step for step in advice(state, WIR).steps if step.kind == "attack" and " attack" in step.text]
    assert fights
    assert all(step.odds.endswith("-1") and step.chance is not None and step.why for step in fights)


def test_a_strike_that_was_ordered_is_not_advised_once_more() -> None:
    session = new_session("wir", "kursk_south", {}, seed=4)
    while (decision := session.decision()) is not None and (decision.kind, decision.seat) != ("movement", "axis"):
        session.play({"depot": "auto supply"}.get(decision.kind, "done"), decision.seat)
    strikes = [step for step in advice(session.state, WIR, seconds=0.0).steps if step.kind == "strike"]
    assert len(strikes) == 1
    session.play(strikes[0].line, "axis")
    assert not any(step.kind == "strike" for step in advice(session.state, WIR, seconds=0.0).steps)


def test_a_bombardment_is_distinguished_from_an_attack_on_the_same_hex() -> None:
    groups = {
        12: inf("1922", *["1 INF 110 90 0"] * 6, supplied=True),
        13: inf("2021", "1 INF 70 70 95", artillery=200, entrench=5),
        80: rifles("1921", "1 RIFLE 90 30 0"),
    }
    state = board(groups, pools={"axis": {"artillery": 2500}})
    found = advice(state, WIR, seconds=0.0)  # the first plan, which does not depend on how busy the machine is
    texts = [step.text for step in found.steps if step.kind == "attack"]
    assert texts == ["{unit:12} attacks {hex:1921}", "{unit:13} bombards {hex:1921}"]
    assert found.headline == "Attack {hex:1921}; bombard in 1 place"
    assert found.steps[0].odds and not found.steps[1].odds


SIGNS = {"about": "≈", "over": ">", "under": "<"}


@pytest.mark.parametrize(
    ("odds", "clear", "told", "why"),
    [
        (0.02, 0.0, "under 0.1-1", BET), (0.6, 0.0, "about 0.6-1", BET),
        (1.4, 0.1, "about 1.4-1", "it wears the defenders down"),
        (7.2, 0.9, "about 7-1", "the defenders can hardly hold"),
        (80.0, 1.0, "over 50-1", "the defenders can hardly hold"),
    ],
)  # fmt: skip
def test_what_is_reported_of_an_attack(odds: float, clear: float, told: str, why: str) -> None:
    state = board({12: inf("1922"), 76: rifles("1921")})
    target = state.rules.grid.index("1921")
    mind = SimpleNamespace(expected={target: Attack(target, 0, [12], 1.0, clear, odds, 100.0)})
    explainer = WirPlanExplainer(WIR, state, asked(state, WIR), mind)
    (step,), _ = explainer.engagements(state, {12: Orders(state.hex[12], plot=10, actions=["get 12", "plot 1"])})
    assert (step.odds, step.chance, step.why) == (told, clear, why)
    sign, number = told.split()
    assert step.short_odds == f"{SIGNS[sign]} {number}", "as a map shows them"


def test_a_bet_on_the_enemys_leaving_is_listed_last() -> None:
    where = {12: "1922", 13: "1923", 14: "1826"}
    state = board({**{g: inf(h) for g, h in where.items()}, 76: rifles("1921"), 77: rifles("1924"), 78: rifles("1825")})
    hexes = {g: state.rules.grid.index(h) for g, h in ((12, "1921"), (13, "1924"), (14, "1825"))}
    odds = {12: 0.3, 13: 3.0}
    mind = SimpleNamespace(expected={hexes[g]: Attack(hexes[g], 0, [g], 1.0, 0.0, odds[g], 100.0) for g in odds})
    explainer = WirPlanExplainer(WIR, state, asked(state, WIR), mind)
    plots = {12: 10, 13: 40, 14: 210}
    orders = {g: Orders(state.hex[g], plot=n, actions=[f"get {g}"]) for g, n in plots.items()}
    steps, _ = explainer.engagements(state, orders)
    assert [step.units for step in steps] == [["13"], ["14"], ["12"]]
    assert explainer.headline(steps, 0, 0) == "Attack {hex:1924}; bombard in 1 place"
    assert explainer.headline(steps[2:], 0, 0) == "Bet on the enemy's leaving {hex:1921}"


def test_a_hint_does_not_change_with_what_the_seat_cannot_see() -> None:
    told = []
    for changed in (False, True):
        state = WIR.setup("barbarossa_short", {})
        if changed:
            for group in groups_of(1):
                state.entrench[group] = 5
                for unit in state.group_units[group]:
                    state.strength[unit], state.experience[unit] = 90, 99
        told.append((advice(state, WIR).to_json(), evaluate(WIR, state, "axis")))
        assert evaluate(WIR, state) != told[-1][1] or not changed
    assert told[0] == told[1]
    # the number picked for the roulette is the Axis player's own
    state = GAME.setup("june22", {})
    state.secret = 3
    assert evaluate(GAME, state, "soviet") == evaluate(GAME, GAME.setup("june22", {}), "soviet")


@pytest.mark.parametrize("scenario", ["barbarossa_short", "case_blue_short", "zitadelle"])
def test_a_balanced_scenario_begins_in_the_middle(scenario: str) -> None:
    assert 0.4 < evaluate(WIR, WIR.setup(scenario, {})) < 0.6


def test_what_is_still_to_come_counts_in_the_outlook() -> None:
    june, later = WIR.setup("barbarossa_short", {}), WIR.setup("barbarossa_short", {})
    later.turn = 30
    assert evaluate(WIR, later) < evaluate(WIR, june) - 0.1, "the summer has brought nothing"
    kursk, last = WIR.setup("zitadelle", {}), WIR.setup("zitadelle", {})
    last.turn = 90
    assert evaluate(WIR, last) < evaluate(WIR, kursk), "the months are over, and were not survived"


def test_who_stands_better() -> None:
    start = GAME.setup("june22", {})
    weak = start.copy()
    for unit in list(weak.on_map(0))[:12]:
        weak.lift(unit, ELIMINATED)
    assert 0 < evaluate(GAME, weak) < evaluate(GAME, start) < 1
    war = WIR.setup("barbarossa_short", {})
    lost = WIR.copy(war)
    for city in range(20):
        lost.owner[city] = 1
    assert 0 < evaluate(WIR, lost) < evaluate(WIR, war) < 1
    lesson = GAME.load_position(GAME.lesson("pocket"))
    assert 0 < evaluate(GAME, lesson) < 1


def test_a_game_unknown_to_the_computer_is_refused() -> None:
    class Unknown:
        id, title = "unknown", "Unknown"

    unknown: Any = Unknown()
    nothing: Any = None
    with pytest.raises(NoAnalysisError, match="no advice for Unknown"):
        judge(unknown, None)(nothing)
    with pytest.raises(NoAnalysisError):
        plan(unknown, nothing, nothing, TimedClock(1))


# -- the course of a game ------------------------------------------------------------------------------


@cached
def gone_through(seat: str | None = None) -> list[Course]:
    session = battle()
    return [part.to_json() for part in course(session, seat, seconds=SECONDS, most=2)]


def test_the_course_of_a_game_grows_as_it_is_worked_out() -> None:
    parts = gone_through()
    assert [len(part["turns"]) for part in parts] == sorted(len(part["turns"]) for part in parts)
    assert [part["complete"] for part in parts] == [False] * (len(parts) - 1) + [True]
    points = parts[0]["points"]
    assert points[-1]["ply"] == battle().version
    assert len({point["ply"] for point in points}) == len(points) > 3
    for point in points[:-1]:
        state = battle().state_at(point["ply"])
        assert asked(state).kind == "movement" and not state.reserve
        assert point["value"] == round(evaluate(GAME, state), 4)


def test_turning_points_are_the_greatest_changes_each_with_another_plan() -> None:
    last = gone_through()[-1]
    assert 1 <= len(last["turns"]) <= 2
    for turn in last["turns"]:
        start = battle().state_at(turn["ply"])
        decision = asked(start)
        assert decision.kind == "movement" and decision.side == turn["side"]
        assert abs(turn["after"] - turn["before"]) >= LEAST_SWING
        assert turn["end"] > turn["ply"]
        assert turn["text"] and turn["hint"]["headline"]
        assert not any(step["line"] for step in turn["hint"]["steps"]), "the past cannot be played"
        assert all(chance is not None and 0 <= chance <= 1 for chance in (turn["promised"], turn["made"]))
        assert re.search(r"promised \d+ %", turn["verdict"])


def test_player_turns_begin_with_the_question_that_their_game_names() -> None:
    player_turns = PlayerTurns("plan", False, "red")
    for ply, kind in enumerate(("movement", "plan", "fight")):
        player_turns.look(ply, Decision("red", "red", kind, "1", "", []))
    player_turns.judge(3, 0.75)
    assert [(turn.start, turn.end) for turn in player_turns.found("red")] == [(1, 3)]


def test_a_seat_is_told_of_its_own_turns_only() -> None:
    last = gone_through("soviet")[-1]
    assert last["seat"] == "soviet"
    assert {turn["side"] for turn in last["turns"]} <= {"soviet"}


def test_what_is_known_is_built_upon() -> None:
    known = gone_through()[-1]
    told: list[str] = []
    parts = list(course(battle(), None, lambda done, total, text: told.append(text), known, seconds=0.001, most=2))
    assert parts[-1].to_json()["turns"] == known["turns"]
    assert "Judging every turn" in told


def test_weeks_of_war_in_russia_are_weighed_against_other_dice_and_other_plans() -> None:
    session = Session(_header())
    dice_free = ("auto_supply", "auto_all", "done")
    used: set[str] = set()
    while session.state.turn < 4:
        decision = session.decision()
        assert decision is not None
        key = f"{session.state.turn} {decision.seat} {decision.kind}"
        verbs = [a for v in dice_free for a in decision.options if a.verb == v and f"{key} {v}" not in used]
        action = verbs[0]
        used.add(f"{key} {action.verb}")
        session.play(session.game.format(session.state, action))
    last = list(course(session, None, seconds=SECONDS, most=1))[-1]
    assert last.complete and [p.turn for p in last.points] == [
        "22 June 1941",
        "29 June 1941",
        "6 July 1941",
        "13 July 1941",
    ]
    for turn in last.turns:
        assert turn.plan_chance is not None and turn.made_chance is not None
    hidden = list(course(session, "axis", seconds=SECONDS, most=1))[-1]
    assert all(turn.plan_chance is None for turn in hidden.turns), (
        "a seat under fog is told nothing of what might have been"
    )


def _header() -> Any:
    from rasputitsa.core.record.entries import Header

    return Header(game="wir", scenario="barbarossa_short", seed=3, rules_version=WIR.rules_version)


def test_battles_fought_again_leave_the_position_alone() -> None:
    session = battle()
    turn = gone_through()[-1]["turns"][0]
    start = session.state_at(turn["ply"])
    player_turn = PlayerTurn(turn["side"], asked(start).seat, turn["ply"], turn["end"], 0.0, 0.0)
    before = GAME.fingerprint(session.state)
    advice = advice_for(GAME)
    first = advice.made(session, player_turn, advice.expectation, 60.0)
    again = advice.made(session, player_turn, advice.expectation, 60.0)
    assert first is not None
    assert first == again
    assert GAME.fingerprint(session.state) == before
