"""The text a letter travels as: a few lines that survive messengers, mail programs and quoting, or a file of them.

Between two marks stand, in base 64, the signature and the packed content. What stands before and after is for people.
Marks and letters avoid what messengers turn into other signs or take for markup.
"""

from __future__ import annotations

import base64
import binascii
import re
import textwrap
import zlib

from rasputitsa.mail.errors import MailError

MOST_TEXT = 1_000_000
"""Characters of a text with a letter in it."""
MOST_CONTENT = 256_000
"""Bytes of what a letter says. The orders of a week on the whole map take a twentieth of that."""
SIGNATURE = 64
BEGIN, END = "[rasputitsa-letter", "end-of-letter]"
WIDTH = 64
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
CHECKSUM = 4
"""Bytes at the end of what is packed."""
_BETWEEN = re.compile(r"[\s>|\u200b-\u200d\u2060\ufeff]+")
"""Line ends, quoting, and the invisible signs that some programs add."""


def wrapped(signature: bytes, content: bytes, heading: str = "") -> str:
    """The lines that are sent."""
    body = base64.b64encode(signature + zlib.compress(content, 9)).decode()
    return "\n".join([*([heading] if heading else []), BEGIN, *textwrap.wrap(body, WIDTH), END, ""])


def parted(text: str) -> list[str]:
    """The letters in a text, one after the other; without a mark it is one, for ``unwrapped`` to refuse."""
    pieces = text.split(BEGIN)
    return [BEGIN + piece for piece in pieces[1:]] or [text]


def unwrapped(text: str) -> tuple[bytes, bytes]:
    """Signature and content of the one letter in a text.

    Raises:
        MailError: there is none, or more than one, or it was damaged on its way.
    """
    if len(text) > MOST_TEXT:
        raise MailError(f"a letter is no longer than {MOST_TEXT:,} characters")
    if BEGIN not in text:
        raise MailError(f"there is no letter in this text; a letter begins with {BEGIN}")
    if text.count(BEGIN) > 1:
        raise MailError("there is more than one letter in this text; give one at a time")
    body, end, _ = text.partition(BEGIN)[2].partition(END)
    if not end:
        raise MailError(f"the letter is cut short: its last line, {END}, is missing")
    packed = _BETWEEN.sub("", body)
    if not _BASE64.fullmatch(packed):
        raise MailError("the letter was altered or damaged on its way: it holds signs that no letter has")
    try:
        raw = base64.b64decode(packed, validate=True)
    except binascii.Error as problem:
        raise MailError("the letter was altered or damaged on its way: a part of it is missing") from problem
    if base64.b64encode(raw).decode() != packed:  # decoding drops bits of the last sign: two texts, one letter
        raise MailError("the letter was altered or damaged on its way: its last sign is another one")
    return raw[:SIGNATURE], _unpacked(raw[SIGNATURE:])


def _unpacked(packed: bytes) -> bytes:
    """The content, never more than a letter may hold, however small it was packed."""
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(packed, MOST_CONTENT + 1)
    except zlib.error as problem:
        raise MailError("the letter was altered or damaged on its way: it cannot be unpacked") from problem
    if len(content) > MOST_CONTENT:
        raise MailError(f"a letter says no more than {MOST_CONTENT:,} bytes")
    if not reader.eof or reader.unused_data:
        raise MailError("the letter was altered or damaged on its way: it does not end where it should")
    if _has_filled_padding(packed, content):  # unpacking drops these bits: two texts, one letter
        raise MailError("the letter was altered or damaged on its way: it holds more than it says")
    return content


def _has_filled_padding(packed: bytes, content: bytes) -> bool:
    """Whether a bit is set between the packed content and its checksum, where only zeros belong (RFC 1951, 3.2.3)."""
    last = packed[-CHECKSUM - 1]
    cleared = packed[: -CHECKSUM - 1] + bytes([last & ~(1 << last.bit_length() >> 1)]) + packed[-CHECKSUM:]
    try:
        return bool(last) and zlib.decompress(cleared) == content
    except zlib.error:
        return False
