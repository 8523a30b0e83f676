"""What accounts may be called, and which passwords they may have."""

from __future__ import annotations

import re
import secrets
from unicodedata import category, name, normalize

from rasputitsa.server.errors import ApiError, bad_request, conflict
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.naming import check_name, seen_as

LEAST_NAME, MOST_NAME = 2, 40
LEAST_PASSWORD, MOST_PASSWORD = 10, 200
LEAST_KINDS = 5
"""The least number of different characters in a password."""
LEAST_NAMED = 4
"""The letters of a name that nobody writes within a password by chance."""
SIGNS = " .'-_"
DRAWN = "abcdefghjkmnpqrstuvwxyz23456789"
"""What a password that is drawn is written in: no two of them are taken for each other."""
TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that are written together."""


def taken() -> ApiError:
    """There is an account of that name."""
    return conflict("name_taken", "there is an account of that name, or of one that looks like it; take another name")


def plain_name(text: str) -> str:
    """The name of an account in the one form in which it is kept.

    Raises:
        ApiError: 400, it cannot be one.
    """
    plain = normalize("NFKC", text)
    if plain != one_line(plain) or not LEAST_NAME <= len(plain) <= MOST_NAME:
        raise bad_request(f"a name has {LEAST_NAME} to {MOST_NAME} characters on one line")
    if any(category(letter)[0] not in "LMN" and letter not in SIGNS for letter in plain):
        raise bad_request("a name is of letters, digits, blanks and the signs . ' - _")
    if len(seen_as(plain)) < LEAST_NAME:
        raise bad_request(f"a name has {LEAST_NAME} letters or digits at least")
    scripts = {name(letter, "").partition(" ")[0] for letter in plain if category(letter)[0] == "L"}
    if len(scripts) > 1 and not any(scripts <= known for known in TOGETHER):
        raise bad_request("a name is of letters of one script, so that it is not taken for another one")
    check_name(plain)
    return plain


def typed_password(text: str) -> str:
    """A password in the form of which a digest is kept: what is typed on other keyboards is the same."""
    return normalize("NFKC", text)


def plain_password(text: str, account: str) -> str:
    """A new password in the form of which a digest is kept.

    Raises:
        ApiError: 400, it is too short, too long, or too easily guessed.
    """
    plain = typed_password(text)
    if not LEAST_PASSWORD <= len(plain) <= MOST_PASSWORD:
        raise bad_request(f"a password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters")
    if len(set(plain)) < LEAST_KINDS or _has_name(plain, seen_as(account)) or seen_as(plain) in COMMON:
        raise bad_request("this password is easily guessed; take several words that have nothing to do with each other")
    return plain


def drawn_password() -> str:
    """A password that nobody guesses, and that can be read out."""
    return "-".join("".join(secrets.choice(DRAWN) for _ in range(4)) for _ in range(5))


def _has_name(password: str, seen: str) -> bool:
    """Whether a name stands in a password, a short one as a word: two letters stand by chance in many."""
    words = {seen_as(word) for word in re.split(r"[\W\d_]+", password)}
    return seen in words or (len(seen) >= LEAST_NAMED and seen in seen_as(password))


COMMON = {
    seen_as(word)
    for word in (
        "1234567890", "0123456789", "0987654321", "12345678910", "123456789a", "1q2w3e4r5t", "1qaz2wsx3edc",
        "qwertyuiop", "qwerty12345", "qwerty123456", "password12", "password123", "password1234", "passw0rd123",
        "iloveyou123", "letmein12345", "welcome123", "administrator", "abcdefghij", "abc123456789", "zaq12wsxcde",
        "rasputitsa", "rasputitsa1", "barbarossa", "barbarossa1941", "stalingrad", "stalingrad1942",
    )
}  # fmt: skip
"""Of those that are tried first, the ones that are long enough."""
