"""A letter comes from anybody: whatever it is, it is refused in plain words, takes little, and changes nothing."""

from __future__ import annotations

import base64
import itertools
import json
import random
import tracemalloc
import zlib
from typing import Any

import pytest

from rasputitsa.mail import envelope
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.envelope import BEGIN, END
from rasputitsa.mail.errors import MailError
from tests.mail.pair import decide, forged, said, seated, standing


def enclosed(packed: bytes) -> str:
    return f"{BEGIN}\n{base64.b64encode(b'0' * envelope.SIGNATURE + packed).decode()}\n{END}\n"


def letter(content: object) -> str:
    return enclosed(zlib.compress(content if isinstance(content, bytes) else json.dumps(content).encode()))


def refused(correspondent: Correspondent, text: str) -> str:
    before = standing(correspondent)
    with pytest.raises(MailError) as problem:
        correspondent.read(text)
    assert standing(correspondent) == before
    words = str(problem.value)
    assert words.isprintable() and len(words) < 600
    return words


def test_what_is_small_when_packed_is_never_unpacked_whole(board_game: list[Correspondent]) -> None:
    bomb = zlib.compress(b"0" * 500_000_000, 9)
    assert len(bomb) < 600_000
    tracemalloc.start()
    assert "no more than" in refused(board_game[1], enclosed(bomb))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize(
    "text",
    [
        "", "no letter", BEGIN, END, BEGIN + END, f"{END} {BEGIN}", BEGIN * 3, f"{BEGIN}\n\n{END}",
        f"{BEGIN} ./.. {END}",
        f"{BEGIN}\nAAAA\n{END}", f"{BEGIN}\nAAA\n{END}", f"{BEGIN}\n====\n{END}", f"{BEGIN}{'A' * 2_000_000}{END}",
        f"{BEGIN}\n\u0661\u0662\u0663\n{END}", "\x00" * 1000, "\ud800",
    ],
)  # fmt: skip
def test_what_is_no_letter_at_all(board_game: list[Correspondent], text: str) -> None:
    refused(board_game[1], text)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"null", b"[]", b"5", b'"letter"', b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b"NaN",
        b'{"version":' + b"9" * 5000 + b"}", b'{"version":1e999}', b'{"version":1.0}', b'{"version":true}',
        b'{"version":2}', b'{"version":0}', b'{"version":1}', b'{"version":1,"number":1}',
    ],
)  # fmt: skip
def test_content_that_is_no_letter(board_game: list[Correspondent], content: bytes) -> None:
    refused(board_game[1], letter(content))


BAD: dict[str, list[Any]] = {
    "number": [-1, 10**9, "1", 1.5, None, True, [], 10**30],
    "writer": [-1, 4, 99, "0", None, True],
    "following": ["../../etc/passwd", "0" * 63, "G" * 64, 5, None, ["0" * 64]],
    "salt": ["", "0", "z" * 32, 0, None],
    "promise": ["", "0" * 65, None, {}],
    "share": ["x", 1, [], "0" * 64 + "\n"],
    "match": ["../../x", "a b", 3, "x" * 65, "x\n"],
    "name": ["\x1b[2J", "a\nb", "\u202egnp.exe", "x" * 41, 3, None, "\x00"],
    "key": ["0", "zz", None, 5],
    "terms": [None, [], {}, {"game": "portfolio"}, "x"],
    "orders": [None, "done", {}, [1], [None], [["done"]], ["x" * 501], ["done"] * 3001, ["a\nb"], ["\x1b]0;x\x07"]],
    "sealed": ["0", 1, None, "../x"],
    "face": [[], "x", 5, True],
    "opened": [None, {}, [1], [{}], [{"number": 0, "nonce": "0" * 64, "orders": [1]}], [{"number": -1}], [[]] * 101],
    "after": ["../x", 5, None, "x" * 65],
    "resigns": [1, "yes", None, []],
    "note": ["x" * 2001, "\x1b[31m", "\u202e", 5, None, "a\nb"],
    "unknown": ["x"],
    "__class__": ["x"],
}


@pytest.mark.parametrize("name", BAD)
def test_a_field_of_the_wrong_kind_is_refused_by_name(board_game: list[Correspondent], name: str) -> None:
    one, other = board_game
    good = json.loads(envelope.unwrapped(one.write())[1])
    for value in BAD[name]:
        content = json.dumps({**good, name: value}).encode()
        text = envelope.wrapped(one.keys.sign(content), content)
        assert refused(other, text)


def test_terms_that_make_no_sense_begin_no_match() -> None:
    good = json.loads(envelope.unwrapped(seated("portfolio", "june22")[0].letter(0))[1])
    keys = seated("portfolio", "june22")[0].keys
    terms = good["terms"]
    changes: tuple[dict[str, Any], ...] = (
        {"game": "../../x"}, {"game": "chess"}, {"scenario": "nowhere"}, {"options": {"a": "b"}},
        {"options": {"a": []}}, {"people": [["axis"], []]},
        {"options": {str(n): "x" for n in range(101)}}, {"people": []}, {"people": [["axis"]]},
        {"people": [["axis"], ["axis"]]}, {"people": [["axis", "soviet"], ["axis"]]}, {"people": [["a"]] * 5},
        {"people": [[["axis"]], ["soviet"]]}, {"title": "\x1b[2J"}, {"title": "x" * 201}, {"trusting": 1},
        {"rules_version": 10**6}, {"rules_version": -1}, {"data": "../.."}, {"data": "0" * 12}, {"start": "0" * 12},
    )  # fmt: skip
    for changed in changes:
        content = json.dumps({**good, "terms": {**terms, **changed}}).encode()
        with pytest.raises(MailError) as problem:
            Correspondent.joining([envelope.wrapped(keys.sign(content), content)], "Boris")
        assert str(problem.value).isprintable()


def test_orders_that_the_rules_refuse_are_refused_with_the_letter(
    board_game: list[Correspondent], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = board_game
    text = one.write()
    for orders in (("fly 39Pz",), ("done",) * 3000, ("move 39Pz to ../..",), ("{unit:x}",), ("",), ("; ; ;",)):
        assert refused(other, forged(one.keys, text, orders=orders, after=""))
    with monkeypatch.context() as patch:
        patch.setattr(type(other.match.game), "parse", lambda *_: dict[str, int]()["N6"])
        words = refused(other, forged(one.keys, text, orders=("done",), after=""))
        assert "a bug of the program (KeyError)" in words, "and none of the writer of the letter"
    other.read(text)


def test_a_letter_gives_no_orders_for_others(board_game: list[Correspondent]) -> None:
    one, other = board_game
    text = one.write()
    other.read(text)
    mine = other.match.due == other.me and other.reached().board.mover in other.seats
    reader = one if mine else other
    assert reader.match.table.board.mover is not None
    before = standing(other)
    for correspondent in (one, other):
        with pytest.raises(MailError):
            correspondent.read(forged(one.keys, text, number=len(one.match.letters), orders=("done",)))
    assert standing(other) == before


@pytest.mark.parametrize(
    "carried",
    [
        lambda text: "> " + text.replace("\n", "\n> "), lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", " "), lambda text: "Hello,\n\n" + text + "\nSee you\n",
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\u200b\n"), lambda text: ">> " + text.replace("\n", "\n>> "),
        lambda text: text.replace("\n", ""),
    ],
)  # fmt: skip
def test_what_messengers_and_mail_programs_do_to_a_text_is_borne(board_game: list[Correspondent], carried: Any) -> None:
    one, other = board_game
    other.read(carried(one.write()))


def test_any_bytes_are_refused_in_words(board_game: list[Correspondent]) -> None:
    one, other = board_game
    signature, content = envelope.unwrapped(one.write())
    packed, chooser = zlib.compress(content), random.Random(1)
    for _ in range(300):
        changed = bytearray(packed)
        for _ in range(chooser.randint(1, 5)):
            changed[chooser.randrange(len(changed))] ^= chooser.randrange(1, 256)
        if changed == packed:  # changed twice in the same place
            continue
        refused(other, f"{BEGIN}\n{base64.b64encode(signature + bytes(changed)).decode()}\n{END}")
    for _ in range(100):
        refused(other, enclosed(chooser.randbytes(chooser.randint(0, 400))))


@pytest.mark.parametrize("waiting", [False, True])
def test_orders_that_go_on_and_on_are_refused(
    board_game: list[Correspondent], monkeypatch: pytest.MonkeyPatch, waiting: bool
) -> None:
    """A letter has room for ten thousand orders and more, and each of them can take a twentieth of a second."""
    one, other = seated("wir", "kursk_south", options={"fog": "open"})
    for line in ("divide 4", "back"):
        one.order(line)
    decide(one, random.Random(1))
    assert one.reached().waiting
    count = 500
    orders = ("divide 4", "back") * count
    text = one.write()
    if waiting:
        orders = (*said(text).orders, *orders)
    seconds = itertools.count()
    monkeypatch.setattr("rasputitsa.mail.board.monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr("rasputitsa.mail.correspondent.monotonic", lambda: 0.0)
    assert "take longer than 180 seconds" in refused(other, forged(one.keys, text, orders=orders, after=""))
    assert next(seconds) < 200
    monkeypatch.undo()
    other.read(text)


def test_one_letter_has_one_text() -> None:
    """The last sign of base 64 holds bits that decoding drops: letters that differ only there are not the same."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for length in range(1, 7):
        text = envelope.wrapped(b"s" * envelope.SIGNATURE, bytes(range(length)))
        lines = text.splitlines()
        body, padding = lines[-2].rstrip("="), lines[-2].count("=")
        for sign in alphabet:
            altered = "\n".join([*lines[:-2], body[:-1] + sign + "=" * padding, lines[-1], ""])
            if altered != text:
                with pytest.raises(MailError, match="altered or damaged"):
                    envelope.unwrapped(altered)
