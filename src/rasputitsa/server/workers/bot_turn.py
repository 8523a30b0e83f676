"""What a process of bots gets of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rasputitsa.ai.memory import Memory
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A decision a bot has to make, with no more than its seat may know."""

    match_id: int
    version: int
    game: str
    options: dict[str, str]
    seat: str
    bot: str
    state: Any
    decision: Decision
    data: str = ""
    """The version of the data the match is played with; empty for those of today."""
    entry: int = 0
    """How many entries the record has."""
    seed: int = 0
    """Of the player's own dice."""
    memory: Memory | None = None
    """What the seat remembers of the game."""
    notes: tuple[Mapping[str, Any], tuple[Action, ...]] | None = None
    """The plan in hand, and the answers given since: for a player who does not know it."""
    hidden: dict[str | None, int] = field(default_factory=dict)
    """Seats and onlookers (None) who may not see what is decided, with the versions they have."""
    standing: bool = False
    """Whether it answers for a person, by a standing order: nobody learns that it thinks."""
