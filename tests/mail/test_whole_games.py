"""Whole games by letters alone: all who play come to the same position, and every die can be checked."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.record.session import Session
from tests.mail.pair import due, play, said, seated

MOST = 5000
"""Letters."""


@pytest.mark.parametrize(
    ("game", "scenario", "seed", "trusting"),
    [
        ("portfolio", "june22", 1, False), ("portfolio", "june22", 2, True), ("portfolio", "june22", 3, False),
        ("wir", "kursk_south", 1, False), ("wir", "voronezh_1942", 2, True), ("wir", "minsk_1941", 3, False),
    ],
)  # fmt: skip
def test_both_come_to_the_same_end(game: str, scenario: str, seed: int, trusting: bool) -> None:
    correspondents = seated(game, scenario, trusting=trusting)
    letters = play(correspondents, random.Random(seed), MOST, ahead=0.3)
    assert due(correspondents) is None and len(letters) < MOST
    truths = [correspondent.match.truth for correspondent in correspondents]
    assert truths[0].letters == truths[1].letters == len(correspondents[0].match.letters)
    one, other = (truth.board for truth in truths)
    assert one.entries == other.entries
    assert one.game.fingerprint(one.state) == other.game.fingerprint(other.state)
    saved = [correspondent.session().save() for correspondent in correspondents]
    assert saved[0] == saved[1]
    audit = Session.load(saved[0]).audit()
    assert audit.sound and not audit.unknown and sum(audit.confirmed.values()) > 5


def test_four_people_play_by_letters_that_go_to_all() -> None:
    options = {"players": "4"}
    people = (("axis_north",), ("axis_south",), ("soviet_north",), ("soviet_south",))
    correspondents = seated("portfolio", "june22", options=options, people=people)
    play(correspondents, random.Random(4), 60, ahead=0.2)
    boards = [correspondent.match.truth.board for correspondent in correspondents]
    assert len({board.after for board in boards}) == 1
    assert {said(correspondents[0].letter(n)).writer for n in range(len(correspondents[0].match.letters))} == {
        0,
        1,
        2,
        3,
    }
    assert any(entry.dice for entry in boards[0].entries)


def test_a_turn_takes_few_letters() -> None:
    """War in Russia: about six a week, most of them answers that the program writes by itself."""
    correspondents = seated("wir", "minsk_1941")
    letters = play(correspondents, random.Random(1), MOST)
    weeks = correspondents[0].match.truth.board.state.turn
    orders = sum(bool(said(letter).orders or said(letter).sealed) for letter in letters)
    assert len(letters) <= 7 * weeks + 7 and orders <= 5 * weeks + 5
    assert max(map(len, letters)) < 3000
