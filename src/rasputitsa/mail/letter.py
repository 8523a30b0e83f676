"""What a letter says, and how it is checked field by field before anything of it is used."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from hashlib import sha256
from typing import Any

from rasputitsa.mail.errors import MailError

VERSION = 1
MOST_ORDERS, MOST_ORDER, MOST_NOTE, MOST_NAME, MOST_TITLE, MOST_PEOPLE = 3000, 500, 2000, 40, 200, 4
MOST_LETTERS = 100_000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{32}")
_WORD = re.compile(r"[A-Za-z0-9_.-]{0,64}")


@dataclass(frozen=True)
class Terms:
    """What is played, and by whom: said in the first letter of a match."""

    game: str
    scenario: str
    options: dict[str, str]
    title: str
    trusting: bool
    """Whether the player who gives orders casts dice at once, with a share that the enemy has sent ahead."""
    people: tuple[tuple[str, ...], ...]
    """The seats of each person; the first one invites."""
    rules_version: int
    data: str
    start: str
    """The fingerprint of the position it begins with."""


@dataclass(frozen=True)
class Opened:
    """The orders of a sealed letter."""

    number: int
    nonce: str
    orders: tuple[str, ...]


@dataclass(frozen=True)
class Letter:
    """One letter. Empty fields are not written."""

    number: int
    """Its place in the match, from 0 on."""
    writer: int
    """The person who wrote it."""
    following: str
    """The digest of the letter before it; empty in the first one."""
    salt: str
    """Random, so that nobody knows the digest of a letter before it is written."""
    promise: str
    """The digest of the share that the writer will add in the next letter."""
    match: str = ""
    """The beginning of the digest of the first letter; empty in that one."""
    share: str = ""
    """The share that was promised in the writer's last letter."""
    name: str = ""
    key: str = ""
    """Who writes, and the key that signs, in a person's first letter."""
    terms: Terms | None = None
    orders: tuple[str, ...] = ()
    sealed: str = ""
    """The digest of orders that stay secret for now."""
    face: Mapping[str, Any] | None = None
    """What can be seen of them."""
    opened: tuple[Opened, ...] = ()
    after: str = ""
    """The fingerprint of the position that the orders lead to, as far as no die of theirs is still to fall."""
    resigns: bool = False
    note: str = ""

    def content(self) -> bytes:
        """What is signed and sent."""
        said = {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default or field.default is MISSING
        }
        if self.terms:
            said["terms"] = asdict(self.terms)
        if self.opened:
            said["opened"] = [asdict(one) for one in self.opened]
        return json.dumps({"version": VERSION, **said}, ensure_ascii=False, separators=(",", ":")).encode()


def digest_of(content: bytes) -> str:
    """The digest of a letter."""
    return sha256(b"rasputitsa letter\n" + content).hexdigest()


def promise_of(share: str) -> str:
    """What is said of a share before it is shown."""
    return sha256(f"rasputitsa share\n{share}".encode()).hexdigest()


def seal_of(nonce: str, orders: tuple[str, ...]) -> str:
    """What is said of orders before they are shown."""
    return sha256("\n".join(["rasputitsa orders", nonce, *orders]).encode()).hexdigest()


def dice_key(digest: str, share: str) -> int:
    """The seed of the dice that a letter and a share promised before it make: a number of 248 bits."""
    text = f"rasputitsa letter dice\n{digest}\n{share}"
    return int.from_bytes(sha256(text.encode()).digest()[:31], "big")


def read_content(content: bytes) -> Letter:
    """The letter that a content holds; raises ``MailError`` naming the field that is wrong."""
    try:
        said = json.loads(content, parse_float=_no_number, parse_constant=_no_number, parse_int=_whole)
    except (ValueError, RecursionError) as problem:
        raise MailError("the letter cannot be read: it is not JSON") from problem
    if not isinstance(said, dict):
        raise _bad("form")
    version = said.pop("version", None)
    if type(version) is not int or version < 1:
        raise _bad("version")
    if version > VERSION:
        raise MailError(f"the letter is of version {version}; this program reads up to {VERSION}. Update the program")
    unknown = said.keys() - {field.name for field in fields(Letter)}
    if unknown:
        raise MailError(f"the letter has a field that is not known: {min(unknown)!r:.40}")
    return Letter(
        number=_number(said, "number", MOST_LETTERS),
        writer=_number(said, "writer", MOST_PEOPLE - 1),
        following=_matching(said, "following", _DIGEST),
        salt=_matching(said, "salt", _SALT, needed=True),
        promise=_matching(said, "promise", _DIGEST, needed=True),
        match=_matching(said, "match", _WORD),
        share=_matching(said, "share", _DIGEST),
        name=_text(said, "name", MOST_NAME),
        key=_matching(said, "key", _DIGEST),
        terms=_terms(said["terms"]) if "terms" in said else None,
        orders=_orders(said.get("orders", [])),
        sealed=_matching(said, "sealed", _DIGEST),
        face=_face(said.get("face")),
        opened=_opened(said.get("opened", [])),
        after=_matching(said, "after", _WORD),
        resigns=_flag(said, "resigns"),
        note=_text(said, "note", MOST_NOTE),
    )


def _bad(what: str) -> MailError:
    return MailError(f"the letter has a bad {what}")


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _whole(text: str) -> int:
    if len(text) > 12:
        raise ValueError(text)
    return int(text)


def _number(said: dict[str, Any], name: str, most: int) -> int:
    value = said.get(name)
    if type(value) is not int or not 0 <= value <= most:
        raise _bad(name)
    return value


def _flag(said: dict[str, Any], name: str) -> bool:
    value = said.get(name, False)
    if type(value) is not bool:
        raise _bad(name)
    return value


def _matching(said: dict[str, Any], name: str, form: re.Pattern[str], *, needed: bool = False) -> str:
    value = said.get(name, "")
    if not isinstance(value, str) or ((value or needed) and not form.fullmatch(value)):
        raise _bad(name)
    return value


def plain_text(value: Any, name: str, most: int) -> str:
    """A text that can be shown anywhere; raises ``MailError``."""
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise MailError(f"the {name} is a text of at most {most} characters that can be shown")
    return value


def _text(said: dict[str, Any], name: str, most: int) -> str:
    return plain_text(said.get(name, ""), f"{name} in the letter", most)


def _orders(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_ORDERS:
        raise _bad("list of orders")
    return tuple(plain_text(order, "order in the letter", MOST_ORDER) for order in value)


def _face(value: Any) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise _bad("face")
    return value


def _opened(value: Any) -> tuple[Opened, ...]:
    if not isinstance(value, list) or len(value) > 100:
        raise _bad("list of opened orders")
    found = []
    for one in value:
        if not isinstance(one, dict) or one.keys() != {"number", "nonce", "orders"}:
            raise _bad("list of opened orders")
        number, nonce = _number(one, "number", MOST_LETTERS), _matching(one, "nonce", _DIGEST, needed=True)
        found.append(Opened(number, nonce, _orders(one["orders"])))
    return tuple(found)


def _terms(value: Any) -> Terms:
    if not isinstance(value, dict) or value.keys() != {field.name for field in fields(Terms)}:
        raise _bad("list of terms")
    options, people = value["options"], value["people"]
    if not isinstance(options, dict) or len(options) > 100 or not all(map(_is_word, (*options, *options.values()))):
        raise _bad("list of options")
    if not isinstance(people, list) or not 2 <= len(people) <= MOST_PEOPLE:
        raise _bad("list of people")
    if not all(isinstance(seats, list) and 0 < len(seats) <= 8 and all(map(_is_word, seats)) for seats in people):
        raise _bad("list of people")
    return Terms(
        game=_matching(value, "game", _WORD),
        scenario=_matching(value, "scenario", _WORD),
        options=options,
        title=_text(value, "title", MOST_TITLE),
        trusting=_flag(value, "trusting"),
        people=tuple(tuple(seats) for seats in people),
        rules_version=_number(value, "rules_version", 10**6),
        data=_matching(value, "data", _WORD),
        start=_matching(value, "start", _WORD),
    )


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None
