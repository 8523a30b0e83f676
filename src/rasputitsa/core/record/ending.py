"""A game that people end at the table before its rules do: by resigning, or by agreeing to a draw."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rasputitsa.core.actions import Outcome
from rasputitsa.core.errors import SaveError
from rasputitsa.core.game import SeatInfo
from rasputitsa.core.record.entries import DRAWN, ENDINGS, Entry


class Ending(NamedTuple):
    """The entry that ended the game, by its number counted from 0."""

    number: int
    seat: str
    action: str


def outcome_of(ending: Ending, seats: Sequence[SeatInfo]) -> Outcome:
    """How a game ended for which people found an end."""
    if ending.action == DRAWN:
        return Outcome(None, "by agreement", "all players have agreed to a draw", "")
    side = next(known.side for known in seats if known.id == ending.seat)
    others = {known.side for known in seats} - {side}
    who = " and ".join(known.named or known.title for known in seats if known.side == side)
    return Outcome(others.pop() if len(others) == 1 else None, "by resignation", f"{who} resigned", "")


def check_entry(entry: Entry, number: int, ending: Ending | None, seats: Collection[SeatInfo]) -> None:
    """Refuse a recorded entry that comes after the end, and an end that there cannot be; raises ``SaveError``."""
    ends = entry.action in ENDINGS
    if ending and (ends or not entry.action.startswith("@")):
        raise SaveError(f"entry {number} ({entry.action!r:.80}) comes after the end of the game")
    if ends and entry.seat not in {known.id for known in seats}:
        raise SaveError(f"entry {number}: there is no seat {entry.seat!r:.40}")
