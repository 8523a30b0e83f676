"""War in Russia by letters: orders are under seal until all have given theirs, and cannot be changed meanwhile."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rasputitsa.mail import envelope
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.errors import MailError
from rasputitsa.mail.match import posted
from tests.mail.pair import decide, due, forged, play, said, sealed_at_once, seated, standing


def until_opened(correspondents: list[Correspondent]) -> tuple[Correspondent, Correspondent, str]:
    """Go on to the first letter that breaks a seal: its writer, its reader, and the letter, not read yet."""
    chooser = random.Random(6)
    while True:
        writer = due(correspondents)
        assert writer is not None
        decide(writer, chooser)
        text = writer.write()
        reader = correspondents[1 - writer.me]
        if said(text).opened:
            return writer, reader, text
        reader.read(text)


def test_what_is_sent_holds_no_order_before_the_other_side_is_bound(secret_game: list[Correspondent]) -> None:
    axis, soviet = secret_game
    sealed = said(axis.letter(2))
    assert sealed.sealed and not sealed.orders and not sealed.opened
    content = envelope.unwrapped(axis.letter(2))[1].decode()
    assert not any(order in content for order in axis.match.mine[2] if len(order) > 4)
    assert soviet.match.orders_of(2) is None and soviet.match.table.board.veiled
    play(secret_game, random.Random(5), 1)
    answer = said(soviet.letter(3))
    assert soviet.me == answer.writer
    assert answer.sealed and not answer.orders and not answer.opened


def test_seals_are_broken_when_both_sides_are_bound_and_not_before(secret_game: list[Correspondent]) -> None:
    play(secret_game, random.Random(5), 12)
    match = secret_game[0].match
    for one in match.letters:
        for opened in one.letter.opened:
            between = [n.letter for n in match.letters[opened.number : one.letter.number + 1]]
            bound = {said.writer for said in between if said.sealed or said.orders}
            assert bound == {0, 1}
    assert any(one.letter.opened for one in match.letters)


def test_what_one_sees_of_the_enemy_is_what_the_rules_show(secret_game: list[Correspondent]) -> None:
    """On every position before one's own orders: the same view as of the position that the other side has."""
    chooser, compared = random.Random(9), 0
    for _ in range(20):
        writer = due(secret_game)
        if writer is None:
            break
        game, before = writer.match.game, writer.reached().board
        other = secret_game[1 - writer.me].reached().board
        if before.veiled and other.mover == before.mover:
            assert game.observe(before.state, writer.seats[0])["units"]
            shown = [game.observe(board.state, None) for board in (before, other)]
            assert shown[0]["units"] == shown[1]["units"] and shown[0]["control"] == shown[1]["control"]
            compared += 1
        decide(writer, chooser)
        text = writer.write()
        secret_game[1 - writer.me].read(text)
    assert compared >= 4


@pytest.mark.parametrize("change", ["orders", "nonce", "fewer", "number"])
def test_orders_under_seal_cannot_be_changed(secret_game: list[Correspondent], change: str) -> None:
    writer, reader, text = until_opened(secret_game)
    opened = said(text).opened[0]
    false = {
        "orders": replace(opened, orders=("done", *opened.orders)),
        "nonce": replace(opened, nonce="0" * 64),
        "fewer": replace(opened, orders=opened.orders[:-1]),
        "number": replace(opened, number=0),
    }[change]
    before = standing(reader)
    with pytest.raises(MailError, match=r"not those that letter|not under its writer's seal"):
        reader.read(forged(writer.keys, text, opened=(false,)))
    assert standing(reader) == before
    reader.read(text)


def test_what_is_shown_of_orders_under_seal_must_be_true() -> None:
    """Who shows groups elsewhere than they are is found out when the seal is broken, and gains nothing by it."""
    correspondents = seated("wir", "kursk_south")
    axis, soviet = correspondents
    text = sealed_at_once(axis)
    face = said(text).face
    assert face is not None
    places = [n for n, hex_ in enumerate(face["hexes"]) if hex_ >= 0]
    hexes = face["hexes"][:]
    other = next(place for place in places if hexes[place] != hexes[places[0]] and hexes.count(hexes[place]) == 1)
    hexes[places[0]] = hexes[other]
    lie = forged(axis.keys, text, face={**face, "hexes": hexes})
    orders = axis.match.mine[2]
    again = Correspondent(type(axis.match)(axis.match.letters[0]), 0, axis.keys)
    again.match.add(axis.match.letters[1])
    again.match.add(posted(*envelope.unwrapped(lie)), orders)
    soviet.read(lie)
    chooser = random.Random(2)
    while True:
        decide(soviet, chooser)
        again.read(soviet.write())
        decide(again, chooser)
        text = again.write()
        if said(text).opened:
            break
        soviet.read(text)
    with pytest.raises(MailError, match="showed something else"):
        soviet.read(text)


@pytest.mark.parametrize(
    "face",
    [
        {}, {"hexes": [], "control": "0"}, {"hexes": [0] * 63, "control": "0"}, {"hexes": [-1] * 63, "control": "zz"},
        {"hexes": [-1] * 63, "control": "f" * 9999}, {"hexes": ["x"] * 63, "control": "0"},
        {"hexes": [10**11] * 63, "control": "0"}, {"hexes": [-5] * 63, "control": "0"},
        {"hexes": [True] * 63, "control": "0"}, {"hexes": {"a": 1}, "control": 5},
        {"hexes": [-1] * 63, "control": "-1"},
    ],
)  # fmt: skip
def test_a_face_that_makes_no_sense_is_refused(face: dict[str, object]) -> None:
    axis, soviet = seated("wir", "kursk_south")
    text = sealed_at_once(axis)
    before = standing(soviet)
    with pytest.raises(MailError, match="letter 2 cannot be carried out"):
        soviet.read(forged(axis.keys, text, face=face))
    assert standing(soviet) == before


def test_who_keeps_the_seal_unbroken_is_told_so(secret_game: list[Correspondent]) -> None:
    writer, reader, text = until_opened(secret_game)
    reader.read(text)
    chooser = random.Random(1)
    writer, reader = reader, writer
    decide(writer, chooser)
    answer = writer.write()
    assert said(answer).opened
    before = standing(reader)
    with pytest.raises(MailError, match=r"keeps orders under seal|cannot be carried out"):
        reader.read(forged(writer.keys, answer, opened=()))
    assert standing(reader) == before
    reader.read(answer)


def test_nothing_can_be_proposed_in_the_midst_of_secret_orders() -> None:
    axis, _ = seated("wir", "zitadelle")
    before = standing(axis)
    with pytest.raises(Exception, match="a letter can ask the other side nothing"):
        axis.order("end_game")
    assert standing(axis) == before


def test_a_match_with_secrets_is_saved_as_a_game_when_it_is_over(secret_game: list[Correspondent]) -> None:
    with pytest.raises(MailError, match="when it is over"):
        secret_game[1].session()
    play(secret_game, random.Random(5), 1000)
    assert secret_game[1].session().version > 100


def test_with_open_orders_nothing_is_sealed() -> None:
    correspondents = seated("wir", "kursk_south", options={"fog": "open"})
    play(correspondents, random.Random(5), 12)
    assert not any(one.letter.sealed for one in correspondents[0].match.letters)
    assert correspondents[0].match.truth.board.after == correspondents[1].match.truth.board.after
