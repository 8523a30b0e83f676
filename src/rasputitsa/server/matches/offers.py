"""Offers of a draw: each is noted with the turn it was made in, and can be answered to the end of the next one."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.record.session import Session

DRAW = "draw"
STANDS = 1
"""An offer of a draw can be answered to the end of this number of turns after the one it was made in."""

Agreed = Mapping[str, set[str]]
"""The seats that have agreed, by topic."""


def topic_now(session: Session) -> str:
    """What an offer is noted as that is made now."""
    return f"{DRAW}:{_turn(session)}"


def standing_offers(session: Session, agreed: Agreed) -> set[str]:
    """The seats that offer a draw now."""
    now = _turn(session) if _offers(agreed) else 0
    return {seat for topic, turn in _offers(agreed).items() if now - STANDS <= turn <= now for seat in agreed[topic]}


def later_offers(session: Session, agreed: Agreed) -> list[str]:
    """The topics of offers made in turns that have been taken back: nobody means them any more."""
    made = _offers(agreed)
    now = _turn(session) if made else 0
    return [topic for topic, turn in made.items() if turn > now]


def _offers(agreed: Agreed) -> dict[str, int]:
    found = {topic: topic.partition(":")[2] for topic in agreed if topic.startswith(f"{DRAW}:")}
    return {topic: int(turn) for topic, turn in found.items() if turn.isdecimal()}


def _turn(session: Session) -> int:
    """The number of the game-turn, as everybody sees it."""
    turn = session.game.observe(session.state, None).get("turn") or {}
    return int(turn.get("number", 0))
