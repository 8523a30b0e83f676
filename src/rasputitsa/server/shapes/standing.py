"""Shapes of standing orders."""

from __future__ import annotations

from typing import TypedDict

from rasputitsa.server.shapes.lists import Choice
from rasputitsa.server.shapes.words import Mode


class StandingOrder(TypedDict):
    """A kind of small decision that may be answered beforehand, and the policies for it."""

    id: str
    title: str
    help: str
    rule: str
    policies: list[Choice]


class StandingInfo(TypedDict):
    """What may be answered beforehand, and what the caller has chosen."""

    offered: list[StandingOrder]
    mode: Mode
    policies: dict[str, str]
    """By the id of a standing order, the policy that answers it."""
