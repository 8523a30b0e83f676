"""Letters that are lost, repeated, out of order, altered or of another match are refused, and change nothing."""

from __future__ import annotations

import base64
import random
import zlib
from dataclasses import replace

import pytest

from rasputitsa.mail import envelope
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.errors import KnownLetterError, MailError
from rasputitsa.mail.keys import Keys
from tests.mail.pair import decide, due, forged, play, said, seated, standing


def refused(correspondent: Correspondent, text: str, says: str = ".") -> None:
    before = standing(correspondent)
    with pytest.raises(MailError, match=says):
        correspondent.read(text)
    assert standing(correspondent) == before


def test_a_letter_that_came_twice_changes_nothing(board_game: list[Correspondent]) -> None:
    one, other = board_game
    text = one.write()
    other.read(text)
    before = standing(other)
    with pytest.raises(KnownLetterError, match="has been read already"):
        other.read(text)
    assert standing(other) == before


def test_the_letter_that_is_missing_is_named(board_game: list[Correspondent]) -> None:
    one, other = board_game
    first = one.write()
    number = len(one.match.letters) - 1
    other.read(first)
    second = other.write() if other.nothing_to_decide else _decided(other)
    fresh = _as_before(other, number)
    refused(fresh, second, rf"this is letter {number + 1}; letter {number} comes first, from Anna")
    fresh.read(first)


def _decided(correspondent: Correspondent) -> str:
    decide(correspondent, random.Random(1))
    return correspondent.write()


def _as_before(correspondent: Correspondent, letters: int) -> Correspondent:
    """Somebody who has read that many letters."""
    again = Correspondent.joining([correspondent.letter(0)], "Boris")
    again.match.__dict__.update(type(again.match)(correspondent.match.letters[0]).__dict__)
    for one in correspondent.match.letters[1:letters]:
        again.match.add(one)
    again.keys, again._reached = correspondent.keys, None
    return again


def test_a_letter_of_another_match_is_reported_as_such(board_game: list[Correspondent]) -> None:
    other = seated("portfolio", "june22")
    decide(other[0], random.Random(1))
    refused(board_game[1], other[0].write(), "belongs to another match")
    refused(board_game[1], other[0].letter(0), "belongs to another match")


def test_an_altered_letter_is_refused_whatever_was_altered(board_game: list[Correspondent]) -> None:
    one, other = board_game
    text = one.write()
    head, _, body = text.partition(envelope.BEGIN + "\n")
    chooser = random.Random(1)
    for _ in range(200):
        place = chooser.randrange(len(body) - len(envelope.END) - 3)
        new = chooser.choice("ABCDEFGHabcdefgh0123456789+/")
        if body[place] in "\n=" or body[place] == new:
            continue
        refused(other, head + envelope.BEGIN + "\n" + body[:place] + new + body[place + 1 :])
    for end in range(0, len(text) - 2, 7):
        refused(other, text[:end], "cut short|no letter")
    for _ in range(50):
        place = chooser.randrange(len(body) - len(envelope.END) - 3)
        refused(other, head + envelope.BEGIN + body[:place] + body[place + chooser.randrange(1, 9) :])
    other.read(text)


def test_no_bit_of_a_letter_is_without_meaning() -> None:
    """Between the packed content and its checksum up to seven bits are dropped when it is unpacked."""
    signature = bytes(envelope.SIGNATURE)
    for content in (f"a letter of {number} words".encode() * number for number in range(1, 60)):
        packed = zlib.compress(content, 9)
        assert envelope.unwrapped(envelope.wrapped(signature, content)) == (signature, content)
        for bit in range(8):
            last = bytes([packed[-5] ^ 1 << bit])
            body = base64.b64encode(signature + packed[:-5] + last + packed[-4:]).decode()
            with pytest.raises(MailError, match="altered or damaged"):
                envelope.unwrapped(f"{envelope.BEGIN}\n{body}\n{envelope.END}\n")


def test_a_stranger_writes_no_letter_in_somebodys_name(board_game: list[Correspondent]) -> None:
    one, other = board_game
    text = one.write()
    refused(other, forged(Keys(), text), "the signature is wrong")
    refused(other, forged(other.keys, text), "the signature is wrong")
    refused(other, forged(one.keys, text, writer=1), "expected from Anna")


def test_who_writes_a_letter_twice_is_found_out(board_game: list[Correspondent]) -> None:
    """Otherwise a letter could be written again until the dice are good."""
    one, other = board_game
    text = one.write()
    other.read(text)
    refused(other, forged(one.keys, text, salt="0" * 32), "has written letter .* twice")


def test_a_letter_follows_on_the_one_that_was_read(board_game: list[Correspondent]) -> None:
    one, other = board_game
    refused(other, forged(one.keys, one.write(), following="0" * 64), "does not follow on letter")


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "june22"), ("wir", "kursk_south")])
def test_letters_in_any_order_lead_to_the_same_place_or_nowhere(game: str, scenario: str) -> None:
    """Somebody who gets all letters, shuffled and repeated, again and again, comes to where the others are."""
    correspondents = seated(game, scenario)
    play(correspondents, random.Random(7), 14)
    writer = correspondents[0]
    texts = [writer.letter(number) for number in range(2, len(writer.match.letters))]
    late = _as_before(writer, 2)
    chooser = random.Random(8)
    for _ in range(400):
        if len(late.match.letters) == len(writer.match.letters):
            break
        text, before = chooser.choice(texts), standing(late)
        try:
            late.read(text)
        except MailError:
            assert standing(late) == before
        else:
            assert len(late.match.letters) == len(before[0]) + 1
    assert [one.content for one in late.match.letters] == [one.content for one in writer.match.letters]
    assert late.match.due == writer.match.due


def test_nobody_writes_out_of_turn(board_game: list[Correspondent]) -> None:
    _, other = board_game
    with pytest.raises(MailError, match="next letter is Anna's"):
        other.write()
    with pytest.raises(MailError, match="next letter is Anna's"):
        other.order("done")


def test_who_resigns_ends_the_match(board_game: list[Correspondent]) -> None:
    one, other = board_game
    other.read(one.write(resign=True, note="Well played"))
    assert due(board_game) is None
    assert other.match.resigned == "axis"
    outcome = other.session().outcome()
    assert outcome is not None and outcome.winner == "soviet"
    with pytest.raises(MailError, match="the match is over"):
        other.write()


def test_only_who_was_invited_joins_and_only_once() -> None:
    correspondents = seated("portfolio", "june22")
    late = Correspondent.joining([correspondents[0].letter(0)], "Somebody")
    refused(correspondents[0], late.letter(1), "no letter of this match|twice")
    with pytest.raises(MailError, match="every place is taken"):
        Correspondent.joining([correspondents[0].letter(0), correspondents[0].letter(1)], "Somebody")
    with pytest.raises(MailError, match="give the invitation first"):
        Correspondent.joining([correspondents[0].letter(1)], "Somebody")


def test_who_stands_between_the_players_cannot_show_both_the_same_digits() -> None:
    """Somebody reads Anna's invitation, joins as Boris, and invites Boris as Anna."""
    anna = seated("portfolio", "june22")[0]
    invitation = Correspondent.inviting(anna.match.terms, "Anna")
    as_boris = Correspondent.joining([invitation.letter(0)], "Boris")
    invitation.read(as_boris.letter(1))
    as_anna = Correspondent.inviting(anna.match.terms, "Anna")
    boris = Correspondent.joining([as_anna.letter(0)], "Boris")
    assert len(invitation.match.check.replace(" ", "")) == 20
    assert invitation.match.check == as_boris.match.check != boris.match.check
    honest = Correspondent.joining([invitation.letter(0)], "Boris")
    assert honest.match.check != invitation.match.check


def test_nobody_joins_with_a_key_for_which_everybody_can_sign() -> None:
    """One of small order: its owner could say of each letter that somebody else wrote it."""
    correspondents = seated("portfolio", "june22")
    inviting = _as_before(correspondents[0], 1)
    neutral = "01" + 31 * "00"
    content = replace(said(correspondents[1].letter(1)), key=neutral).content()
    refused(inviting, envelope.wrapped(bytes.fromhex(neutral) + bytes(32), content), "signature is wrong")
    inviting.read(correspondents[1].letter(1))


def test_the_last_of_four_would_need_too_many_trials_to_show_others_different_players() -> None:
    """Who writes both letters finds two with the same digits by 2 to the power of half their bits."""
    people = (("axis_north",), ("axis_south",), ("soviet_north",), ("soviet_south",))
    correspondents = seated("portfolio", "june22", options={"players": "4"}, people=people)
    (check,) = {correspondent.match.check for correspondent in correspondents}
    assert len(check.replace(" ", "")) * 4 // 2 >= 80


def test_names_and_titles_with_brackets_spoil_no_letter() -> None:
    terms = replace(seated("portfolio", "june22")[0].match.terms, title="[rasputitsa-letter end-of-letter]")
    anna = Correspondent.inviting(terms, "[rasputitsa-letter")
    boris = Correspondent.joining([anna.letter(0)], "end-of-letter]")
    anna.read(boris.letter(1))
    assert anna.due
