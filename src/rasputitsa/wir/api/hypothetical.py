"""What a player supposes to stand in an enemy group whose units are hidden (4.6): a figure for a preview.

A supposition is written ``76:270:40:2``: the group, the strength points of its units together, their experience, and
its level of entrenchment. It fills the group on a copy of what the player sees, and the preview counts it in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rasputitsa.core.errors import NotationError
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, INFANTRY, KIND, MECHANIZED, MOST_EXPERIENCE, group_side
from rasputitsa.wir.model.theatre import AXIS, SOVIET

MOST_STRENGTH = 1200
TYPICAL: Mapping[tuple[Side, int], str] = {
    (AXIS, INFANTRY): "INF", (AXIS, MECHANIZED): "PZ", (SOVIET, INFANTRY): "RIFLE", (SOVIET, MECHANIZED): "TANK",
}  # fmt: skip
"""Ids of the kinds of unit that stand for those of a side's hidden groups, by the kind of group."""


def typical(rules: Ruleset, group: Group) -> int:
    """The kind of unit that stands for those of a hidden combat group."""
    return rules.type_named[TYPICAL[group_side(group), KIND[group]]]


class Supposed(NamedTuple):
    """A hidden group as a player imagines it."""

    group: Group
    strength: int
    experience: int
    entrenchment: int


def read(text: str, most_entrenchment: int) -> list[Supposed]:
    """Read suppositions, joined by commas."""
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        words = part.split(":")
        if len(words) != 4 or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
            raise NotationError("a supposition is GROUP:STRENGTH:EXPERIENCE:ENTRENCHMENT, such as 76:270:40:2")
        group, strength, experience, entrenchment = map(int, words)
        if not 0 < group < len(KIND):
            raise NotationError(f"group numbers run from 1 to {len(KIND) - 1}")
        if strength > MOST_STRENGTH or experience > MOST_EXPERIENCE or entrenchment > most_entrenchment:
            raise NotationError(
                f"at most {MOST_STRENGTH} strength points, {MOST_EXPERIENCE} experience, "
                f"entrenchment of level {most_entrenchment}"
            )
        found.append(Supposed(group, strength, experience, entrenchment))
    return found


class Member(NamedTuple):
    """A unit of a hidden group as it is imagined."""

    kind: int
    name: int
    strength: int
    experience: int
    fatigue: int = 0


def add_units(s: State, group: Group, members: Iterable[Member]) -> None:
    """Put units into a group, as far as its side may have that many; those without strength are left out."""
    for member in members:
        slot = s.free_slot(group_side(group))
        if member.strength and slot >= 0:
            s.enlist(slot, *member)
            s.join(slot, group)


def hidden(s: State, groups: Iterable[Group]) -> list[Group]:
    """Those of some groups whose units a player does not know."""
    return [g for g in groups if KIND[g] != AIR and not s.group_units[g]]


def fill(s: State, supposed: Iterable[Supposed]) -> None:
    """Put units into the hidden groups of a view, which is changed by it."""
    for guess in supposed:
        if not hidden(s, (guess.group,)) or s.hex[guess.group] < 0:
            continue
        kind = typical(s.rules, guess.group)
        s.entrench[guess.group] = guess.entrenchment
        full = s.rules.limits.units
        shares = [guess.strength * n // full for n in range(full + 1)]
        filled = [Member(kind, n, shares[n] - shares[n - 1], guess.experience) for n in range(1, full + 1)]
        add_units(s, guess.group, filled)
