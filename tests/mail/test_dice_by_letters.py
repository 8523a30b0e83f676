"""Nobody foresees or chooses a die: who gives orders is bound before, and so is who shows the share."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.errors import MailError
from rasputitsa.mail.letter import dice_key, promise_of
from rasputitsa.mail.match import MailMatch
from tests.mail.pair import decide, digest, forged, play, said, seated


def waiting(correspondents: list[Correspondent], seed: int = 1) -> tuple[Correspondent, Correspondent]:
    """Play until an order waits for a die: whose it is, and the other."""
    chooser = random.Random(seed)
    while True:
        correspondent = correspondents[correspondents[0].match.due or 0]
        decide(correspondent, chooser)
        if correspondent.reached().waiting:
            return correspondent, correspondents[1 - correspondent.me]
        text = correspondent.write()
        correspondents[1 - correspondent.me].read(text)


def test_a_die_is_made_of_the_letter_and_a_share_that_was_promised_before() -> None:
    one, other = waiting(seated("portfolio", "june22"))
    promised = one.match.promise(other.me)
    text = one.write()
    other.read(text)
    if other.nothing_to_decide:
        answer = other.write()
    else:
        decide(other, random.Random(1))
        answer = other.write()
    share = said(answer).share
    assert promise_of(share) == promised
    one.read(answer)
    entry = next(entry for entry in one.match.truth.board.entries[::-1] if entry.dice)
    dice = SeededDice(dice_key(digest(text), share))
    assert [dice.roll(draw.stream, draw.sides) for draw in entry.dice] == [draw.value for draw in entry.dice]


def test_whoever_gives_orders_holds_nothing_that_tells_the_die() -> None:
    """The same letter leads to different dice for different shares, and the share is in nothing that has been sent."""
    one, other = waiting(seated("portfolio", "june22"))
    text = one.write()
    sent = "".join(str(vars(said(one.letter(number)))) for number in range(len(one.match.letters)))
    assert other.share and other.share not in sent
    assert one.match.truth.waiting and not one.due
    rolls = {SeededDice(dice_key(digest(text), f"{n:064x}")).roll("combat") for n in range(40)}
    assert rolls == {1, 2, 3, 4, 5, 6}


def test_whoever_shows_a_share_shows_the_one_that_was_promised() -> None:
    one, other = waiting(seated("portfolio", "june22"))
    other.read(one.write())
    if not other.nothing_to_decide:
        decide(other, random.Random(1))
    answer = other.write()
    for false in ("", "0" * 64, one.share):
        with pytest.raises(MailError, match="does not show the share of dice"):
            one.read(forged(other.keys, answer, share=false))
    one.read(answer)


def test_orders_that_wait_for_a_die_can_be_taken_back_and_sent_ones_cannot() -> None:
    one, _ = waiting(seated("portfolio", "june22"))
    count = len(one.draft)
    last = one.undo()
    assert len(one.draft) == count - 1 and not one.reached().waiting
    one.order(last)
    one.write()
    with pytest.raises(MailError, match="the next letter is"):
        one.undo()


def test_orders_given_ahead_are_carried_out_as_far_as_they_can_be() -> None:
    one, other = waiting(seated("portfolio", "june22"))
    one.order("done")
    one.order("done")
    with pytest.raises(MailError, match="give single orders"):
        one.order("nonsense")
    other.read(one.write())
    answer = _answer(other)
    one.read(answer)
    assert one.match.truth.board.entries == other.match.truth.board.entries
    assert one.match.truth.letters == len(one.match.letters)


def _answer(correspondent: Correspondent) -> str:
    if not correspondent.nothing_to_decide:
        decide(correspondent, random.Random(1))
    return correspondent.write()


def test_in_a_trusting_match_dice_fall_at_once_and_are_not_taken_back() -> None:
    correspondents = seated("portfolio", "june22", trusting=True)
    chooser = random.Random(3)
    for _ in range(200):
        correspondent = correspondents[correspondents[0].match.due or 0]
        before = len(correspondent.reached().board.entries)
        decide(correspondent, chooser)
        cast = [n for n, entry in enumerate(correspondent.reached().board.entries[before:]) if entry.dice]
        if cast:
            break
        text = correspondent.write()
        correspondents[1 - correspondent.me].read(text)
    else:
        raise AssertionError("no die fell")
    with pytest.raises(MailError, match="dice have fallen"):
        while True:
            correspondent.undo()
    assert correspondent.draft


def test_in_a_trusting_match_the_share_of_ones_own_dice_was_promised_before_the_enemys_letter() -> None:
    """Otherwise one could draw shares until the dice are good."""
    correspondents = seated("portfolio", "june22", trusting=True)
    play(correspondents, random.Random(3), 12)
    match = correspondents[0].match
    for number in range(2, len(match.letters)):
        mine, before = match.letters[number].letter, match.letters[number - 1].letter
        assert mine.writer != before.writer
        promise = next(one.letter for one in match.letters[number - 2 :: -1] if one.letter.writer == mine.writer)
        assert promise_of(mine.share) == promise.promise and promise.number < before.number


def test_a_trusting_match_of_the_second_seat_begins_with_a_letter_of_the_first_person() -> None:
    correspondents = seated("portfolio", "june22", trusting=True, people=(("soviet",), ("axis",)))
    assert correspondents[0].match.table.board.mover == "axis"
    assert correspondents[0].due and correspondents[0].nothing_to_decide
    correspondents[1].read(correspondents[0].write())
    assert correspondents[1].due


def test_a_trusting_match_is_for_two() -> None:
    people = (("axis_north",), ("axis_south",), ("soviet_north",), ("soviet_south",))
    with pytest.raises(MailError, match="for two people"):
        seated("portfolio", "june22", options={"players": "4"}, people=people, trusting=True)


def test_among_four_an_enemy_shows_the_share() -> None:
    people = (("axis_north",), ("axis_south",), ("soviet_north",), ("soviet_south",))
    match = seated("portfolio", "june22", options={"players": "4"}, people=people)[0].match
    assert [match._witness(person) for person in range(4)] == [2, 2, 0, 0]


def test_what_was_recorded_differently_is_noticed() -> None:
    """A letter that claims another position than its orders lead to."""
    correspondents = seated("portfolio", "june22")
    decide(correspondents[0], random.Random(1))
    text = correspondents[0].write()
    with pytest.raises(MailError, match="leads to another position here"):
        correspondents[1].read(forged(correspondents[0].keys, text, after="0" * 12))


def test_both_need_the_same_beginning() -> None:
    first = seated("portfolio", "june22")[0].match.letters[0]
    terms = first.letter.terms
    assert terms is not None
    with pytest.raises(MailError, match="begins with another position"):
        MailMatch(first._replace(letter=replace(first.letter, terms=replace(terms, start="0" * 12))))
    with pytest.raises(MailError, match="cannot be played here"):
        MailMatch(first._replace(letter=replace(first.letter, terms=replace(terms, data="0" * 12))))
