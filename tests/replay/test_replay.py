"""The record is the truth: replay, save and load, undo, and what happens to damaged files."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rasputitsa.core.dice import DiceError, Draw, ScriptedDice, SeededDice
from rasputitsa.core.errors import IllegalAction, NotationError, RasputitsaError, RulesChangedError, SaveError
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from tests.support import choose, random_session

ONE = random_session(4, 1500)
SAVED = ONE.save()


@pytest.mark.parametrize("seed", range(4))
def test_a_saved_game_leads_to_the_same_position(seed: int) -> None:
    session = random_session(seed, 900)
    text = session.save()
    again = Session.load(text)
    assert again.state == session.state
    assert again.save() == text
    assert again.dice.counts == session.dice.counts


def test_a_loaded_game_goes_on_with_the_same_dice() -> None:
    again = Session.load(SAVED)
    chooser = random.Random(9)
    other = Session.load(SAVED)
    for _ in range(300):
        decision = again.decision()
        if decision is None:
            break
        line = again.game.format(again.state, choose(chooser, list(decision.options)))
        assert again.play(line) == other.play(line)


def test_another_process_reaches_the_same_bytes() -> None:
    program = (
        "import sys; from rasputitsa.core.record.session import Session; "
        "s = Session.load(sys.stdin.read()); print(s.game.fingerprint(s.state)); print(hash('x'))"
    )
    prints, hashes = set(), set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program], input=SAVED, text=True, capture_output=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        fingerprint, string_hash = done.stdout.split()
        prints.add(fingerprint)
        hashes.add(string_hash)
    assert prints == {ONE.game.fingerprint(ONE.state)}
    assert len(hashes) == 2


def test_every_earlier_position_can_be_seen_again() -> None:
    session = Session.load(SAVED)
    fresh = new_session("portfolio", "june22", seed=4)
    for version, entry in enumerate(session.entries):
        if version % 53 == 0:
            assert session.state_at(version) == fresh.state
        fresh.replay_entry(entry)
    assert fresh.state == session.state
    with pytest.raises(SaveError):
        session.state_at(session.version + 1)


def test_a_bug_met_on_the_way_back_is_no_change_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for problem, told in ((KeyError("N6"), KeyError), (IllegalAction("no"), RulesChangedError)):
        session = Session.load(SAVED)

        def fail(*_: Any, problem: Exception = problem) -> Any:
            raise problem

        monkeypatch.setattr(session.game, "read", fail)
        with pytest.raises(told):
            session.state_at(5)
        monkeypatch.undo()


def test_undo_stops_at_dice_and_at_a_change_of_seat() -> None:
    session = new_session("portfolio", "june22", seed=1)
    chooser = random.Random(2)
    undone = blocked = 0
    for _ in range(500):
        decision = session.decision()
        if decision is None:
            break
        before, counts = session.game.fingerprint(session.state), dict(session.dice.counts)
        (entry, *_) = session.play(session.game.format(session.state, choose(chooser, list(decision.options))))
        after = session.decision()
        reversible = not entry.dice and after is not None and after.seat == entry.seat
        assert session.can_undo(entry.seat) == reversible
        assert not session.can_undo("nobody")
        if reversible and chooser.random() < 0.4:
            session.undo(entry.seat)
            assert session.game.fingerprint(session.state) == before
            assert session.dice.counts == counts
            undone += 1
        elif not reversible:
            with pytest.raises(IllegalAction):
                session.undo(entry.seat)
            blocked += 1
    assert undone > 50 and blocked > 10
    assert Session.load(session.save()).state == session.state


def test_a_line_is_played_whole_or_not_at_all() -> None:
    session = new_session("portfolio", "june22", seed=1)
    for line, problem in (
        ("move 39Pz N4-N3-NN28", IllegalAction),
        ("move 39Pz N4-Q99", NotationError),
        ("fly 39Pz", NotationError),
        ("", NotationError),
        ("move", NotationError),
        ("to 5", NotationError),
        ("x" * 1000, NotationError),
    ):
        before = session.save()
        with pytest.raises(problem):
            session.play(line)
        assert session.save() == before
    with pytest.raises(IllegalAction, match="must decide"):
        session.play("done", seat="soviet")


def test_a_seat_handed_over_is_on_record() -> None:
    session = random_session(1, 30)
    session.set_controller("soviet", "bot:planner")
    decision = session.decision()
    assert decision is not None
    session.play(session.game.format(session.state, decision.options[0]))
    again = Session.load(session.save())
    assert again.controllers == {"soviet": "bot:planner"}
    assert again.state == session.state


LINES = SAVED.splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "nonsense",
        LINES[0],
        "\n".join(LINES[:-1]),
        "\n".join(LINES[:-3] + LINES[-1:]),
        "\n".join(LINES[1:]),
        SAVED.replace('"format_version": 2', '"format_version": 99'),
        SAVED.replace(f'"rules_version": {ONE.header.rules_version}', '"rules_version": 99'),
        SAVED.replace('"game": "portfolio"', '"game": "halma"'),
        SAVED.replace('"june22"', '"june31"'),
        "\n".join([LINES[0], '{"seat": "axis"}', '{"end": 1}']),
        "\n".join([LINES[0], '{"seat": "axis", "action": 5}', '{"end": 1}']),
        "\n".join([LINES[0], '{"seat": "soviet", "action": "done"}', '{"end": 1}']),
        "\n".join([LINES[0], '{"seat": "axis", "action": "done", "dice": [["combat", 7]]}', '{"end": 1}']),
        "\n".join([LINES[0], '{"seat": "axis", "action": "done", "dice": "six"}', '{"end": 1}']),
        "[" * 100_000,
    ],
)
def test_a_damaged_file_is_refused_in_words(text: str) -> None:
    with pytest.raises(SaveError) as problem:
        Session.load(text)
    assert len(str(problem.value)) < 400


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(SAVED) - 1), st.sampled_from('"{}[]:,0129azN\n '))
def test_one_wrong_character_is_noticed_or_harmless(place: int, character: str) -> None:
    text = SAVED[:place] + character + SAVED[place + 1 :]
    try:
        session = Session.load(text)
    except SaveError:
        return
    if session.header.options == ONE.header.options:
        assert session.game.fingerprint(session.state) == ONE.game.fingerprint(ONE.state)


def test_a_game_that_began_otherwise_is_refused_before_it_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = new_session("wir", "zitadelle", seed=1).save()
    Session.load(text)
    game = get_game("wir")
    before = game.setup

    def edited(scenario: str, options: Mapping[str, str]) -> Any:
        s = before(scenario, options)
        s.pools[0][0] += 100
        return s

    monkeypatch.setattr(game, "setup", edited)
    with pytest.raises(SaveError, match="begins with another position"):
        Session.load(text)
    header = {k: v for k, v in json.loads(text.splitlines()[0]).items() if k != "start"}
    older = "\n".join([json.dumps(header), '{"end": 0}'])
    assert Session.load(older).header.start == ""


def test_a_changed_die_is_noticed() -> None:
    for number, line in enumerate(LINES):
        entry = json.loads(line)
        if entry.get("dice"):
            stream, value, sides = entry["dice"][0]
            changed = [[stream, value % 6 + 1, sides], *entry["dice"][1:]]
            text = "\n".join([*LINES[:number], json.dumps({**entry, "dice": changed}), *LINES[number + 1 :]])
            try:
                again = Session.load(text)
            except SaveError:
                return
            same = again.game.fingerprint(again.state) == ONE.game.fingerprint(ONE.state)
            assert same, "another die, the same position: only if the result is the same"
    raise AssertionError("no changed die was noticed")


@given(st.integers(-(2**200), 2**200), st.text(max_size=8), st.integers(1, 20))
def test_dice_are_repeatable_and_independent_between_streams(seed: int, stream: str, count: int) -> None:
    one, other = SeededDice(seed), SeededDice(seed)
    for _ in range(3):
        other.roll("another stream")
    rolls = [one.roll(stream) for _ in range(count)]
    if stream != "another stream":
        assert [other.roll(stream) for _ in range(count)] == rolls
    resumed = SeededDice(seed, {stream: count - 1})
    assert resumed.roll(stream) == rolls[-1]
    assert one.fork("thought").roll(stream) == SeededDice(seed).fork("thought").roll(stream)
    assert one.counts == {stream: count}


def test_dice_are_fair() -> None:
    dice = SeededDice(1941)
    counts = [0] * 7
    for _ in range(60_000):
        counts[dice.roll("combat")] += 1
    chi_square = sum((found - 10_000) ** 2 / 10_000 for found in counts[1:])
    assert chi_square < 20.5, counts  # 5 degrees of freedom: exceeded by chance once in a thousand


def test_scripted_dice_must_fit() -> None:
    dice = ScriptedDice([3, Draw("retreat", 5), 9])
    assert dice.roll("combat") == 3
    with pytest.raises(DiceError, match="retreat die"):
        dice.roll("combat")
    assert dice.roll("retreat") == 5
    with pytest.raises(DiceError, match="cannot show"):
        dice.roll("combat")
    assert dice.left == 1
    with pytest.raises(DiceError, match="no more"):
        ScriptedDice([]).roll("combat")


def test_entries_survive_the_file() -> None:
    entry = Entry("axis", "resolve 1", (Draw("combat", 4), Draw("retreat", 2)))
    assert Entry.from_json(json.loads(json.dumps(entry.to_json()))) == entry


def test_errors_have_one_family() -> None:
    assert issubclass(SaveError, RasputitsaError) and issubclass(IllegalAction, RasputitsaError)


def test_a_game_of_earlier_rules_keeps_their_readings() -> None:
    """Options that came with later rules have their former reading, in positions of one's own too."""
    old = Header("portfolio", "june22", rules_version=1)
    assert Session(old).state.rules.options["overrun"] == "others"
    assert Session(Header("portfolio", "june22", {"overrun": "total"}, rules_version=1)).header.options == {
        "overrun": "total"
    }
    placed = Header("portfolio", "june22", rules_version=1, position={"scenario": "june22", "turn": 3})
    assert Session(placed).state.rules.options["overrun"] == "others"
    assert new_session("portfolio", "june22", seed=1).state.rules.options["overrun"] == "total"
