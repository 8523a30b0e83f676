"""Standing orders: what may be answered beforehand. All other decisions are made in a player's own part of the week."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.game import Choice, StandingOrder
from rasputitsa.wir.model.actions import BARE
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.adjustment.agreements import Proposal

ORDERS: Final = (
    StandingOrder(
        "proposal", "Proposals of the enemy", "To end the game early, or to play on at another level.", "4.11, 10.0",
        (Choice("decline", "Decline"),),
    ),
)  # fmt: skip


def order_of(s: State) -> str:
    """The standing order that the open question falls under."""
    return "proposal" if s.outcome is None and isinstance(s.stack[-1], Proposal) else ""


def answer(s: State) -> Action | None:
    """What the only policy answers to the open question."""
    return BARE["decline"] if order_of(s) else None
