"""Names that people give themselves: nobody is to be taken for the computer, or for somebody else in the match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unicodedata import category, combining, name, normalize

from rasputitsa.server.errors import bad_request, conflict

_COMPUTER = "computer"
DELETED = "A deleted account"
"""What stands for the name of somebody whose account is gone."""
_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεηικνορτυχωı01", "abekmhopctyxijsdqwabenikvoptuxwiol")
"""Letters of other scripts, and digits, that look like one of ours."""
_POINTED = {"ARABIC", "HEBREW", "MANDAIC", "SAMARITAN", "SYRIAC"}
"""Scripts in which vowels are points, which are left out as a rule."""
_DOT, _ACCENTS = 7, 200
"""Classes of marks: a dot that makes one consonant another, and, from there on, what stands above or below anything."""


def seen_as(text: str) -> str:
    """A name as it looks at a glance: without case, accents, points, signs and blanks.

    Signs for vowels, and others that are as good as letters, as in the scripts of India, count; in which order they
    follow a letter, or how often, does not show.
    """
    return "".join(_plain(letter) + "".join(sorted(marks)) for letter, marks in _letters(normalize("NFKD", text)))


def _letters(text: str) -> Iterator[tuple[str, set[str]]]:
    """The letters, with the marks that make each another one."""
    letter, marks = "", set[str]()
    for each in text:
        if category(each)[0] != "M":
            yield letter, marks
            letter, marks = each, set()
        elif _script(each) == _script(letter) not in _POINTED and _DOT != combining(each) < _ACCENTS:
            marks.add(each)
    yield letter, marks


def _plain(letter: str) -> str:
    return "".join(each for each in letter.casefold().translate(_ALIKE) if each.isalnum())


def _script(letter: str) -> str:
    """The first word of what Unicode calls a letter; of accents, which go with any script, it is none."""
    return name(letter, "").partition(" ")[0] if letter else ""


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Refuse a name by which a person would be taken for the computer, a deleted account, or one of ``others``.

    Raises:
        ApiError: 400 or 409, in plain words.
    """
    seen = seen_as(name)
    if seen_as(_COMPUTER) in seen:
        raise bad_request("a name with the word computer reads like a computer player's; please take another one")
    if seen == seen_as(DELETED):
        raise bad_request("this is what an account is called when it is gone; please take another name")
    if seen and any(seen == seen_as(other) for other in others):
        raise conflict("name_taken", "somebody in this match has that name; please take another one")
