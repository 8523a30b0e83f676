"""Offers that others have to agree to: of a draw, and to go back.

An offer of a draw is noted with the turn it was made in, and can be answered to the end of the next one. An offer to go
back can be answered until something happens that everybody sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.record.session import Session

DRAW, BACK = "draw", "back"
STANDS = 1
"""An offer of a draw can be answered to the end of this number of turns after the one it was made in."""

Agreed = Mapping[str, set[str]]
"""The seats that have agreed, by topic."""


def topic_back(entry: int, changes: int) -> str:
    """What an offer to go back to an entry is noted as; ``changes``: how much everybody has seen happen by now."""
    return f"{BACK}:{entry}:{changes}"


def offers_back(agreed: Agreed, changes: int) -> dict[str, int]:
    """The entries to which seats offer to go back, as long as everybody has seen no more than ``changes``."""
    told = {topic: topic.split(":") for topic in agreed if topic.startswith(f"{BACK}:")}
    return {
        seat: int(entry) for topic, (_, entry, noted) in told.items() if noted == str(changes) for seat in agreed[topic]
    }


def topic_now(session: Session) -> str:
    """What an offer is noted as that is made now."""
    return f"{DRAW}:{game_turn(session)}"


def standing_offers(session: Session, agreed: Agreed) -> set[str]:
    """The seats that offer a draw now."""
    now = game_turn(session) if _offers(agreed) else 0
    return {seat for topic, turn in _offers(agreed).items() if now - STANDS <= turn <= now for seat in agreed[topic]}


def later_offers(session: Session, agreed: Agreed) -> list[str]:
    """The topics of offers made in turns that have been taken back: nobody means them any more."""
    made = _offers(agreed)
    now = game_turn(session) if made else 0
    return [topic for topic, turn in made.items() if turn > now]


def _offers(agreed: Agreed) -> dict[str, int]:
    found = {topic: topic.partition(":")[2] for topic in agreed if topic.startswith(f"{DRAW}:")}
    return {topic: int(turn) for topic, turn in found.items() if turn.isdecimal()}


def game_turn(session: Session) -> int:
    """The number of the game-turn, as everybody sees it."""
    turn = session.game.observe(session.state, None).get("turn") or {}
    return int(turn.get("number", 0))
