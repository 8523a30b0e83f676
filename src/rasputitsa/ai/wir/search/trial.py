"""Playing a plan out in the mind: this week, some weeks more, and what the position is worth then."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from rasputitsa.ai.wir.search.outlook import lead
from rasputitsa.ai.wir.search.sketch import Pulls, Sketch, answer
from rasputitsa.ai.wir.search.worlds import WorldDice
from rasputitsa.wir.actions import BARE, DONE
from rasputitsa.wir.theatre import AXIS

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

LONGEST = 400
SPREAD = 0.3
"""How far the enemy's daring strays from the usual, from world to world."""


class Trial:
    """Trials of what a side might do in its movement phase, each plan in the same imagined worlds."""

    def __init__(self, s: State, side: int, seed: int, going: Callable[[], bool], weeks: int = 2) -> None:
        """``s`` is the position before the orders; ``weeks`` are played after the present one."""
        self.s = s
        self.side = side
        self.seed = seed
        self.going = going
        self.weeks = weeks
        self.pulls: Pulls = {}
        self.replies: dict[int, dict[int, int]] = {}

    def minds(self, world: int) -> tuple[Sketch, Sketch]:
        """Who acts in one world; in the first all is as usual."""
        own, enemy = Sketch(self.side, self.pulls), Sketch(1 - self.side, self.pulls)
        if world:
            rng = random.Random(f"{self.seed} {world}")
            enemy.greed = rng.lognormvariate(0.0, SPREAD)
            enemy.fear = rng.lognormvariate(0.0, SPREAD)
        return (own, enemy) if self.side == AXIS else (enemy, own)

    def value(self, opened: State, world: int) -> float | None:
        """This side's lead to be expected in one world, in victory points; None if time ran out."""
        s = opened.copy()
        minds = self.minds(world)
        enemy = 1 - self.side
        if self.side == AXIS:
            for group, number in self._plotted(minds[enemy], world).items():
                if s.hex[group] >= 0:
                    s.plot[group] = number
        play = WorldDice(s, self.seed * 1009 + world).play
        answer(s, DONE, play)
        last = self.s.turn + 1 + self.weeks
        for _ in range(LONGEST):
            if s.outcome is not None or s.turn >= last:
                break
            if not self.going():
                return None
            frame = s.stack[-1]
            if frame.kind == "movement":
                minds[frame.seat(s)].week(s, play)
            else:
                answer(s, BARE["auto_supply"] if frame.kind == "depot" else DONE, play)
        ahead = lead(s)
        return ahead if self.side == AXIS else -ahead

    def _plotted(self, mind: Sketch, world: int) -> dict[int, int]:
        """What the Soviet side, which has moved already, may have plotted."""
        found = self.replies.get(world)
        if found is None:
            found = self.replies[world] = mind.plots(self.s, mind.glance(self.s))
        return found
