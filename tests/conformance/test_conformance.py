"""Every conformance case of the rules, and the runner that plays them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.conformance.conform import Case, CaseError, find_cases, read_cases, run_case
from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.game import Game
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.wir.api.game import WirGame

ROOT = Path(__file__).parents[2]
GAMES: dict[str, Game[Any]] = {"portfolio": PortfolioGame(), "wir": WirGame()}
"""The games with rulebooks, by the folder of their cases; they need not be installed to be checked."""

NOT_PLAYED = {
    "portfolio": {
        "I": "dedicates the game",
        "III": "heads the definitions",
        "VI": "heads its paragraphs",
        "X": "heads its paragraphs",
        "XVI.E": "a form to fill in",
        "XVI.E.1": "a form to fill in",
        "XVI.E.2": "a form to fill in",
        "TRACK": "heads the boxes of the track",
        "PARTS.Copyright": "concerns the printed game",
        "PARTS.Commentary": "history",
        "PARTS.A": "describes the printed map",
        "PARTS.B": "describes the counters",
        "PARTS.C": "describes the charts",
        "PARTS.D": "describes the die",
        "PARTS.E": "lists the components",
    },
    "wir": {
        "1.5": "starts an old machine",
        "1.6": "starts an old machine",
        "2.0": "heads its paragraphs",
        "2.1": "lists the components",
        "4.7": "describes a screen",
    },
}
"""Paragraphs that nothing can be played of, with the reason."""


def cases() -> Iterator[Case]:
    """All cases of all files."""
    for folder in GAMES:
        for path in find_cases([Path(__file__).parent / folder]):
            yield from read_cases(path)


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=[f"{case.game} {case.path.stem}: {case.title}" for case in CASES])
def test_case(case: Case) -> None:
    """The program does what the case says."""
    report = run_case(case, GAMES[case.game])
    assert report.passed, "\n".join(report.failures)


@pytest.mark.parametrize("game", GAMES)
def test_every_playable_paragraph_has_a_case(game: str) -> None:
    """Nothing of the rules goes unchecked."""
    covered = {rule for case in CASES if case.game == game for rule in case.rules}
    register = {paragraph.id for paragraph in paragraphs(ROOT / "docs" / "rules" / f"{game}.md")}
    excused = set(NOT_PLAYED[game])
    assert not register - covered - excused, "paragraphs without a case"
    assert not covered - register, "cases of paragraphs that do not exist"
    assert not excused - register, "paragraphs excused that do not exist"


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_every_option_has_a_case(game: str) -> None:
    """Each way of playing an option is named in some position, the default too."""
    positions = [case.position for case in CASES if case.game == game]
    played = {choice for position in positions for choice in position.get("options", {}).items()}
    offered = {(option.id, choice.id) for option in GAMES[game].options() for choice in option.choices}
    assert sorted(offered - played) == []


def test_cases_lie_in_the_folder_of_their_game() -> None:
    """A case is about the rules of its folder."""
    here = Path(__file__).parent
    assert [case.title for case in CASES if case.path.relative_to(here).parts[0] != case.game] == []


def test_cases_can_be_told_apart() -> None:
    """No two cases of a file bear the same title."""
    titles = Counter((case.game, case.path.name, case.title) for case in CASES)
    assert [title for title, count in titles.items() if count > 1] == []


POSITION = """
game = "portfolio"
rule = "XI.A.4"
title = "A case for the runner"
[position]
empty = true
turn = 3
phase = "movement"
side = "axis"
units = { 7Inf = "V22", 8A = "V23" }
"""

WRONG = {
    "the paragraph": ('refused = "XII"', ["move 7Inf V22-V23"], "should be refused by XII, but is by XI.A.4"),
    "a legal move expected to be refused": ('refused = "XI.A.4"', ["move 7Inf V22-U22"], "but was played"),
    "an illegal move": ('asks = "movement"', ["move 7Inf V22-V23"], "V23 holds an enemy unit (XI.A.4)"),
    "the place of a unit": ('position = { units = { 7Inf = "U23" } }', ["move 7Inf V22-U22"], "should be 'U23'"),
    "a status that is not there": ('position = { units = { 7Inf = "V22 spent" } }', [], "should be 'V22 spent'"),
    "a status that is there": ('position = { units = { 7Inf = "U22 ready" } }', ["move 7Inf V22-U22"], "U22 ready"),
    "an option that is missing": ('legal = ["move 8A"]', [], "'move 8A' should be legal; legal are: move 7Inf"),
    "an option that is there": ('not_legal = ["move 7Inf"]', [], "'move 7Inf' should not be legal"),
    "the question": ('asks = "attack"', [], "asks should be 'attack', but is 'movement'"),
    "the seat": ('seat = "soviet"', [], "seat should be 'soviet', but is 'axis'"),
    "the odds": (
        'odds = { targets = ["V23"], units = ["7Inf"], basic = "2:1" }', [], "odds.basic should be '2:1', but is '1:1'",
    ),
    "a query": ('query = { unit = { args = { units = ["7Inf"] }, factor = 5 } }', [], "should be 5, but is 4"),
    "what a list contains": ('position = { control = { has_axis = ["V25"] } }', [], "should contain 'V25'"),
    "what a list does not contain": ('position = { control = { not_axis = ["V22"] } }', [], "not contain 'V22'"),
    "nothing": ('outcome = { winner = "axis" }', [], "outcome.winner should be 'axis', but is 'none'"),
    "a result": ('result = "DE"', [], "the combat result should be DE, but is none"),
    "an event": ('events = ["sunk"]', [], "an event 'sunk' should have happened"),
    "the phase": ('asks = "stop"', ["until stop axis"], "the game never came to stop axis"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_case_fails_and_says_why(tmp_path: Path, wrong: str) -> None:
    """A case that asks for something else than the rules do fails with a message that names it."""
    expect, actions, message = WRONG[wrong]
    report = run_text(tmp_path, f"[play]\nactions = {actions}\n[expect]\n{expect}\n")
    assert not report.passed
    assert message in "\n".join(report.failures)


def test_dice_left_over_fail(tmp_path: Path) -> None:
    """A die that nothing rolls is a mistake of the case."""
    report = run_text(tmp_path, '[play]\nactions = ["move 7Inf V22-U22"]\ndice = [3]\n[expect]\nasks = "movement"\n')
    assert report.failures == ["1 of the dice given were not rolled"]


ROLLS = """
[play]
actions = ["attack V23: 7Inf", "done", "done", "resolve 1"]
"""


def test_dice_are_given_by_stream(tmp_path: Path) -> None:
    """Dice of a stream fall in their order and are all used; a number is what every die of its stream shows."""
    position = POSITION.replace('"movement"', '"attack"').replace('8A = "V23"', '8A = "V23 spent"')
    for dice, failure in (
        ("{ combat = [1] }", ""),
        ("{ combat = 1 }", ""),
        ("{ combat = [1, 2] }", "1 of the dice given were not rolled"),
        ("{ combat = [] }", "dice: a further combat die (of 6) is needed"),
        ("{ combat = 7 }", "dice: a combat die of 6 cannot show 7"),
    ):
        path = tmp_path / "case.toml"
        path.write_text(f'{position}{ROLLS}dice = {dice}\n[expect]\nevents = ["result"]\n', encoding="utf-8")
        (case,) = read_cases(path)
        assert (run_case(case).failures or [""])[0] == failure


def test_runs_on_to_a_later_phase(tmp_path: Path) -> None:
    """``until`` answers with the plainest choices until a phase begins."""
    text = '[play]\nactions = ["until movement soviet"]\n[expect]\nseat = "soviet"\nasks = "movement"\n'
    assert run_text(tmp_path, text).passed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[expect]\nrefuse = 1\n", "expect: unknown refuse; known:"),
        ("[play]\norders = []\n[expect]\n", "play: unknown orders"),
        ("", "expect is missing"),
        ("[expect\n", "Expected"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str, message: str) -> None:
    """A slip in a case file is reported with the file."""
    with pytest.raises(CaseError, match=message) as problem:
        run_text(tmp_path, text)
    assert "case.toml" in str(problem.value)


def test_unknown_position_fields_fail(tmp_path: Path) -> None:
    """A misspelt field of the position is not passed over."""
    path = tmp_path / "case.toml"
    path.write_text(POSITION.replace("turn = 3", "trun = 3") + "[expect]\n", encoding="utf-8")
    (case,) = read_cases(path)
    assert "a position has no field trun" in run_case(case).failures[0]


def run_text(folder: Path, text: str) -> Any:
    """Play the small position with other actions and expectations."""
    path = folder / "case.toml"
    path.write_text(POSITION + text, encoding="utf-8")
    (case,) = read_cases(path)
    return run_case(case)


@pytest.mark.parametrize(
    "name", ["../secret.toml", "/etc/passwd", "..", "", "a/b.toml", "a\\\\b.toml", "no.toml", "bad.toml"]
)
def test_a_case_opens_no_file_but_one_beside_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "secret.toml").write_text("turn = 3\n", encoding="utf-8")
    (tmp_path / "cases" / "bad.toml").write_text("root:x:0:0\n", encoding="utf-8")
    path = tmp_path / "cases" / "case.toml"
    text = f'rule = "I"\ntitle = "T"\ngame = "portfolio"\n[position]\nfile = "{name}"\n[expect]\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=r"case\.toml"):
        read_cases(path)


@pytest.mark.parametrize(
    "text", ["case = 5\n", "[[case]]\nrule = 1\n[play]\ndice = 5\n", "[play]\ndice = [[1, 2, 3, 4]]\n"]
)
def test_values_of_the_wrong_kind_are_reported_with_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.toml"
    path.write_text('rule = "I"\ntitle = "T"\ngame = "portfolio"\nexpect = {}\n' + text, encoding="utf-8")
    with pytest.raises(CaseError, match=r"case\.toml"):
        read_cases(path)
