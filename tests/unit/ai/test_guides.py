"""Guided lessons: a player who does what the steps say comes to their end, and to the goal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.lessons import guide
from rasputitsa.core.lessons.guide import Guide, Happening
from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.api.validate import validate as validate_portfolio
from rasputitsa.server.matches.guiding import happenings
from tests.support import AMPLE
from tests.unit.ai.portfolio.pupil import reaches_goal

FOLLOWED: dict[tuple[str, str], list[str]] = {
    ("portfolio", "first_attack"): [
        "move 39Pz", "to P11", "move 24Pz; to R11", "move 4AOK; to Q11", "move 2Inf; to Q11", "done", "attack Q12",
        "with 39Pz; with 24Pz; with 4AOK; with 2Inf", "ready", "done", "resolve 1",
    ],
    ("portfolio", "pocket"): [
        "move 39Pz P7", "move 3PzG P8", "move 2PzG R7", "move 47Pz R7", "move 24Pz R6", "done", "attack Q8",
        "with 39Pz; with 3PzG; with 2PzG; with 47Pz; ready", "attack P4; with 9AOK; with 42Inf; with 5Inf; ready",
        "attack Q4; with 4AOK; with 12Inf; ready", "done",
    ],
    ("wir", "first_attack"): [
        "get 22", "plot 2", "halt; get 6", "plot 3", "halt; get 21; plot 3", "halt; get 54; ground 0519", "halt; done",
    ],
    ("wir", "depots"): [
        "depot 1217", "supply", "auto supply", "get 3", "step 5", "halt; done", "done",
        "depot 1317; supply; auto supply", "done",
    ],
}  # fmt: skip
"""For each guided lesson the learner's lines, each of which completes at least one step."""
HABITS = ("advance", "resolve", "halt", "stand_all", "ready", "continue", "done", "skip", "agree", "pass")


def guide_of(game: str, lesson: str) -> Guide:
    found = get_game(game).guide(lesson)
    assert found is not None
    return found


def lead(game: str, lesson: str, seed: int) -> Iterator[tuple[Session, int]]:
    """Play a lesson as its steps say, then by habit; whenever the learner is asked again, and at the end, the
    session and the step."""
    session = lesson_session(game, lesson, seed=seed)
    rules, seat = session.game, next(info.seat for info in session.game.lessons() if info.id == lesson)
    opponent, lines = player("greedy", rules, {}, seed), list(FOLLOWED[game, lesson])
    began = False
    while (decision := session.decision()) is not None:
        if decision.seat != seat:
            view = rules.view_of(session.state, decision.seat)
            session.play(rules.format(session.state, opponent.choose(view, decision, TimedClock(AMPLE))), decision.seat)
            continue
        if began:
            yield session, guide_of(game, lesson).at(happenings(session, seat))
        began = True
        if lines:
            for line in lines.pop(0).split("; "):
                session.play(line, seat)
            continue
        by_habit = [a for verb in HABITS for a in decision.options if a.verb == verb]
        chosen = by_habit[0] if by_habit and decision.kind != "retreat" else decision.options[0]
        session.play(rules.format(session.state, chosen), seat)
    yield session, guide_of(game, lesson).at(happenings(session, seat))


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize(("game", "lesson"), [key for key in FOLLOWED if key != ("portfolio", "pocket")])
def test_who_follows_the_steps_reaches_their_end_and_the_goal(game: str, lesson: str, seed: int) -> None:
    path, last = guide_of(game, lesson), 0
    for number, (session, step) in enumerate(lead(game, lesson, seed), 1):
        if number <= len(FOLLOWED[game, lesson]):
            assert step > last, f"line {FOLLOWED[game, lesson][number - 1]!r} completes no step"
            assert path.astray(happenings(session, "axis")) == ""
        last = step
    assert last == len(path.steps)
    outcome = session.game.outcome(session.state)
    assert outcome is not None and outcome.winner == "axis"
    remarks = [any(sign.met(happenings(session, "axis")) for sign in remark.when) for remark in path.remarks]
    assert all(remarks), "a player who follows the step is praised for it"


FINISH = {
    (2, "movement"): FOLLOWED["portfolio", "pocket"][:5],
    (2, "attack"): ["attack Q8: 39Pz,3PzG,2PzG,47Pz", "attack P4: all", "attack Q4: all"],
    (3, "movement"): ["close Q8 3PzG 39Pz 47Pz 24Pz 2PzG", "close Q4", "close Q3"],
    (3, "attack"): [f"attack {hex_}: all" for hex_ in ("Q8", "Q4", "Q3", "P4", "P5")],
}


def test_the_pocket_is_closed_by_the_steps() -> None:
    """The second turn is the learner's own; the steps lead up to it."""
    path, said = guide_of("portfolio", "pocket"), len(FOLLOWED["portfolio", "pocket"])
    for number, (_, step) in enumerate(lead("portfolio", "pocket", 1), 1):
        assert number > said or step >= number
    assert step == len(path.steps)
    assert sum(reaches_goal("pocket", FINISH, seed) for seed in range(1, 6)) >= 4


def entries(*actions: str) -> list[Happening]:
    return [Happening(True, action, []) for action in actions]


def test_another_order_is_pointed_out_and_undo_brings_the_step_back() -> None:
    path = guide_of("portfolio", "first_attack")
    assert path.astray(entries("move 24Pz")).startswith("That is another unit")
    assert path.astray(entries("move 39Pz")) == ""
    assert path.astray(entries("move 24Pz", "back")) == "", "the other unit has been put down"
    assert path.at(entries("move 39Pz")) == 1
    assert path.at(entries()) == 0
    assert path.at(entries("done")) > 5, "a player who ends the movement early is not held up"


@pytest.mark.parametrize(
    ("game", "lesson", "orders"),
    [
        ("portfolio", "first_attack", ["move 39Pz", "to P11", "move 24Pz", "to R12"]),
        ("portfolio", "pocket", ["move 39Pz", "to P6"]),
        ("wir", "depots", ["depot 1118"]),
    ],
)
def test_who_goes_elsewhere_is_told_so(game: str, lesson: str, orders: list[str]) -> None:
    assert "elsewhere" in guide_of(game, lesson).astray(entries(*orders))


def test_a_depot_that_supplies_from_the_wrong_place_is_pointed_out_in_the_second_week() -> None:
    week = Happening(True, "done", [("phase", {"phase": "movement", "side": "axis"}), ("turn", {"turn": 6})])
    path = guide_of("wir", "depots")
    done = [*entries("depot 1217", "supply", "auto supply", "get 3"), Happening(True, "done", [])]
    done.append(Happening(True, "step 5", [("marches", {"group": "3"}), ("supplied", {"hex": "1217"})]))
    begun = [*done, week, Happening(True, "done", [("supplied", {"hex": "1217"})])]
    assert "1317" in path.steps[path.at(begun)].text
    assert "elsewhere" in path.astray([*begun, *entries("supply")])


def test_no_step_points_at_the_confirmation_before_all_units_are_added() -> None:
    path = guide_of("portfolio", "pocket")
    moves = [f"move {unit}" for unit in ("39Pz", "3PzG", "2PzG", "47Pz", "24Pz")]
    orders = [*moves, "done", "attack Q8", "with 39Pz", "with 3PzG", "with 2PzG"]
    assert path.steps[path.at(entries(*orders))].button == ""
    assert path.steps[path.at(entries(*orders, "with 47Pz"))].button == "ready"


def test_every_button_of_a_step_is_checked() -> None:
    steps = {"steps": [{"text": "Go.", "button": "halt done", "until": [{"action": "done"}]}]}
    path = guide.read(steps)
    assert path is not None
    assert [name for _, name, kind in guide.named(path) if kind == "verb"] == ["halt", "done", "done"]


def test_the_steps_lead_through_all_dice_of_the_pocket() -> None:
    """Nobody is told to end a phase while attacks are left, or to go on where a corps has only to halt."""
    path = guide_of("portfolio", "pocket")
    for session, step in lead("portfolio", "pocket", 1):
        decision = session.decision()
        if decision is None or session.state.turn > 2:
            break
        if decision.kind == "resolve":
            assert "die" in path.steps[step].text or "dice" in path.steps[step].text
        if decision.kind == "advance_step":
            assert "advance" in path.steps[step].text or "Halt here" in path.steps[step].text


def test_what_the_enemy_orders_completes_nothing() -> None:
    path = guide_of("wir", "first_attack")
    assert path.at([Happening(False, "get 22", [])]) == 0


@pytest.mark.parametrize(
    ("written", "field"),
    [
        ('[[steps]]\ntext = "Go."\n', "steps.0.until"),
        ('[[steps]]\ntext = ""\nuntil = [{ action = "done" }]\n', "steps.0.text"),
        ('[[steps]]\ntext = "Go."\nuntil = [{ action = "done", unit = "39Pz" }]\n', "steps.0.until"),
        ('[[steps]]\ntext = "Go."\nuntil = [{ event = "moved", times = 0 }]\n', "steps.0.until"),
        ('[[steps]]\ntext = "Go."\nunits = ["99Pz"]\nuntil = [{ action = "done" }]\n', "steps.0.units"),
        ('[[steps]]\ntext = "Go."\nhexes = ["ZZ99"]\nuntil = [{ action = "done" }]\n', "steps.0.hexes"),
        ('[[steps]]\ntext = "Go."\nuntil = [{ action = "fly" }]\n', "steps.0.until"),
        ('[[steps]]\ntext = "Go."\nuntil = [{ event = "flown" }]\n', "steps.0.until"),
        ('[[steps]]\ntext = "Go."\ncolour = "red"\nuntil = [{ action = "done" }]\n', "steps.0.colour"),
        ('[[remarks]]\nwhen = [{ action = "done" }]\ngood = "Good."\n', "remarks.0.else"),
    ],
)
def test_mistakes_are_reported_with_file_line_and_field(tmp_path: Path, written: str, field: str) -> None:
    from rasputitsa.portfolio.api.validate import DATA_DIR

    copied = tmp_path / "data"
    _copy(DATA_DIR, copied)
    path = copied / "lessons" / "first_attack.toml"
    head = path.read_text(encoding="utf-8").split("# ---- step by step")[0]
    path.write_text(head + written, encoding="utf-8")
    (problem,) = validate_portfolio(copied)
    assert (problem.file, problem.field) == ("lessons/first_attack.toml", field)
    assert problem.line > head.count("\n")


def _copy(source: Path, target: Path) -> None:
    from shutil import copytree

    copytree(source, target)


def test_a_sign_is_either_an_action_or_an_event() -> None:
    for given in ({"action": "done", "event": "moved"}, {}, "done"):
        with pytest.raises(guide.FieldError):
            guide.read({"steps": [{"text": "Go.", "until": [given]}]})


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_each_lesson_says_at_its_end_what_was_good_and_what_was_not(game: str) -> None:
    rules = get_game(game)
    events = rules.events()
    for info in rules.lessons():
        remarks = guide_of(game, info.id).remarks
        assert len(remarks) >= 2, info.id
        signs = [sign for remark in remarks for sign in remark.when if sign.event]
        assert not [(sign.event, name) for sign in signs for name in sign.data if name not in events[sign.event].values]


def test_positions_of_lessons_hold_nothing_of_their_guides() -> None:
    for game in ("portfolio", "wir"):
        rules: Any = get_game(game)
        for info in rules.lessons():
            assert not {"steps", "remarks"} & set(rules.lesson(info.id))
        assert rules.guide("no_such_lesson") is None


@pytest.mark.parametrize(
    ("lesson", "group", "hex_id", "good"),
    [("ring", "64", "2422", "in the north"), ("winter", "93", "1715", "group 38 in 1715")],
)
def test_a_place_that_the_enemy_left_before_the_attack_counts_as_attacked(
    lesson: str, group: str, hex_id: str, good: str
) -> None:
    moved = Happening(False, "", [("moves", {"group": group, "origin": "1", "destination": hex_id})])
    remark = next(one for one in guide_of("wir", lesson).remarks if good in one.good)
    assert any(sign.met([moved]) for sign in remark.when)
