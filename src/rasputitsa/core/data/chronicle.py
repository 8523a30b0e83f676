"""The chronicle of a game: what happened in the war, told in a card for each turn or month. No rule reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rasputitsa.core.data.files import Problem, Toml
from rasputitsa.core.errors import SetupError

if TYPE_CHECKING:
    from rasputitsa.core.shapes import ChronicleCard

FILE = "history/chronicle.toml"
CONFIDENCES = {
    "agreed": "the accounts agree",
    "estimated": "figures are estimates",
    "disputed": "the accounts differ",
}
"""How sure a card is of what it tells, in words for readers."""
MOST_LETTERS = 620
SENTENCES = (2, 4)


class Card(NamedTuple):
    """What happened in a stretch of time."""

    first: int
    """The turn in which it begins; 0 for what is over before the game starts."""
    last: int
    """The turn in which it ends."""
    date: str
    text: str
    sources: tuple[str, ...]
    sure: str

    def as_shape(self) -> ChronicleCard:
        """As clients get it."""
        return {
            "first": self.first,
            "last": self.last,
            "date": self.date,
            "text": self.text,
            "sources": list(self.sources),
            "sure": self.sure,
        }


def read_cards(table: Mapping[str, Any], spans: Callable[[Mapping[str, Any]], tuple[int, int]]) -> list[Card]:
    """The cards of a chronicle, in their order; ``spans`` tells the first and last turn of an entry.

    Raises:
        SetupError: the file is not sound; ``rasputitsa validate`` names the line.
    """
    try:
        titles = table["sources"]
        return [
            Card(
                *spans(entry), str(entry["date"]), " ".join(entry["text"].split()),
                tuple(titles[name] for name in entry["sources"]), CONFIDENCES[entry["confidence"]],
            )
            for entry in table["cards"]
        ]  # fmt: skip
    except (AttributeError, KeyError, TypeError) as problem:
        raise SetupError(f"{FILE} is not sound: {problem!r}; see rasputitsa validate") from problem


def check_chronicle(folder: Path, key: str, allowed: Sequence[int | str], problems: list[Problem]) -> None:
    """Check a chronicle, where there is one: the value of ``key`` puts each card into its place among ``allowed``."""
    if not (folder / FILE).exists():
        return
    chronicle = Toml(folder, FILE, problems)
    if not chronicle.data:
        return
    known = chronicle.table("sources", str)
    last = -1
    for i in range(len(chronicle.get("cards", list) or [])):
        value = chronicle.get(f"cards.{i}.{key}", (int, str))
        if value is not None:
            place = allowed.index(value) if value in allowed else -1
            if place <= last:
                chronicle.bad(f"cards.{i}.{key}", f"{value!r} is out of place", "give each once, in their order")
            last = max(last, place)
        chronicle.get(f"cards.{i}.date", str)
        _check_text(chronicle, f"cards.{i}.text")
        _check_sources(chronicle, i, known)


def _check_text(chronicle: Toml, at: str) -> None:
    text = chronicle.get(at, str)
    if text is None:
        return
    words = " ".join(text.split())
    sentences = len(re.findall(r"[.?!](?= [A-Z]|$)", words))
    low, high = SENTENCES
    if not low <= sentences <= high:
        chronicle.bad(at, f"the card has {sentences} sentences", f"tell it in {low} to {high}")
    if len(words) > MOST_LETTERS:
        chronicle.bad(at, f"the card has {len(words)} letters", f"it may have {MOST_LETTERS}")


def _check_sources(chronicle: Toml, i: int, known: Mapping[str, str]) -> None:
    at = f"cards.{i}.sources"
    named = chronicle.texts(at)
    if not named:
        chronicle.bad(at, "no source is given", f"name some of: {', '.join(known)}")
    for name in named:
        if name not in known:
            chronicle.bad(at, f"there is no source {name!r}", f"name some of: {', '.join(known)}")
    if chronicle.get(f"cards.{i}.confidence", str) not in CONFIDENCES:
        chronicle.bad(f"cards.{i}.confidence", "nothing says how sure it is", f"use one of: {', '.join(CONFIDENCES)}")
