"""Dice for thinking ahead."""

from __future__ import annotations

from zlib import crc32

from rasputitsa.core.dice import DIE, Draw
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.execution.combat import Fought

WORD, MIXER = (1 << 64) - 1, 0xBF58476D1CE4E5B9
STREAMS: dict[str, int] = {}
"""A number for each stream: the hashes of words differ from process to process, those of numbers do not."""


class WorldDice:
    """The dice of one imagined world: a fight for a hex meets the same luck, whatever else happens that week.

    They are cast tens of thousands of times for a plan, so they are quick rather than fair to the last bit.
    """

    def __init__(self, s: State, seed: int) -> None:
        self.seed = hash((seed, s.turn))
        self.drawn: list[Draw] = []
        self.context = Context(self)
        self.looked = 0
        """Events that have been looked through."""
        self.fight = -1
        """The hex that was fought for last."""
        self.counts: dict[tuple[int, int], int] = {}

    def roll(self, stream: str, sides: int = DIE) -> int:
        """A throw that depends on the week and the fight it belongs to."""
        events = self.context.events
        for event in events[self.looked :]:
            if isinstance(event, Fought):
                self.fight = event.target
        self.looked = len(events)
        number = STREAMS.get(stream)
        if number is None:
            number = STREAMS[stream] = crc32(stream.encode())
        key = (number, self.fight)
        count = self.counts[key] = self.counts.get(key, 0) + 1
        mixed = hash((self.seed, number, self.fight, count)) & WORD
        mixed = (mixed ^ mixed >> 33) * MIXER & WORD
        mixed = (mixed ^ mixed >> 29) * MIXER & WORD
        return (mixed ^ mixed >> 32) % sides + 1
