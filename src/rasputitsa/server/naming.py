"""Names that people give themselves: nobody is to be taken for the computer, or for somebody else in the match."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, normalize

from rasputitsa.server.errors import bad_request, conflict

_COMPUTER = "computer"
_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεηικνορτυχωı01", "abekmhopctyxijsdqwabenikvoptuxwiol")
"""Letters of other scripts, and digits, that look like one of ours."""


def seen_as(name: str) -> str:
    """A name as it looks at a glance: without case, marks, signs and blanks."""
    plain = "".join(letter for letter in normalize("NFKD", name) if category(letter)[0] != "M")
    return "".join(letter for letter in plain.casefold().translate(_ALIKE) if letter.isalnum())


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Refuse a name by which a person would be taken for the computer, or for one of ``others``.

    Raises:
        ApiError: 400 or 409, in plain words.
    """
    seen = seen_as(name)
    if seen_as(_COMPUTER) in seen:
        raise bad_request("a name with the word computer reads like a computer player's; please take another one")
    if seen and any(seen == seen_as(other) for other in others):
        raise conflict("name_taken", "somebody in this match has that name; please take another one")
