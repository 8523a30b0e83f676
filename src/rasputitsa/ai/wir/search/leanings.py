"""Leanings: other ways to make the planner's plan for a week."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rasputitsa.ai.wir.campaigner import Campaigner
from rasputitsa.ai.wir.picture import Picture
from rasputitsa.ai.wir.search.drill import Drill
from rasputitsa.ai.wir.search.promise import targets
from rasputitsa.ai.wir.search.sketch import Pulls
from rasputitsa.wir import combat
from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import INFANTRY, MECHANIZED, groups_of

if TYPE_CHECKING:
    from rasputitsa.ai.wir.assault import Mood
    from rasputitsa.wir.state import State

NEVER = 1e6
MUSTER = 300.0
"""Strength added to both sides, so that ruins are not compared."""
LEAST_DEAR, MOST_DEAR = 0.35, 2.8
"""Bounds of what an own loss counts beside the same loss of the enemy."""
PRIZE = 2.5
"""By how much cities count more than they do when attacks are planned."""


class Leaning(NamedTuple):
    """By how much a plan differs from the planner's usual one; factors unless said otherwise."""

    name: str = "usual"
    own_loss: float = 1.0
    wear: float = 1.0
    trap: float = 1.0
    prize: float = 1.0
    pull: float = 1.0
    least: float = 1.0
    tired: float = 0.0
    """Added to the weariness at which groups rest."""
    hole: float = 1.0
    gather: bool | None = None
    stay: bool | None = None
    push: int = 0
    """Added to how far the line is moved towards the enemy."""
    caution: float = 1.0
    thrust: float = 1.0
    depth: float = 1.0

    def strayed(self, rng: random.Random, temper: float) -> Leaning:
        """Another leaning, of a similar temper."""
        names = ("own_loss", "wear", "trap", "prize", "pull", "least", "hole", "caution", "thrust", "depth")
        shifted = {name: getattr(self, name) * rng.lognormvariate(0.0, temper) for name in names}
        return self._replace(name="new", tired=self.tired + rng.gauss(0.0, 15 * temper), **shifted)


USUAL = Leaning()
LEANINGS = (
    USUAL,
    Leaning("daring", own_loss=0.65, wear=0.7, least=0.5, tired=12, hole=0.6, caution=0.7),
    Leaning("wary", own_loss=1.4, wear=1.5, least=2.0, tired=-12, caution=1.4),
    Leaning("rest", least=NEVER, gather=False, tired=-20, caution=1.3),
    Leaning("forward", pull=2.0, prize=1.5, hole=0.6, push=1, caution=0.7, thrust=1.6),
    Leaning("back", pull=0.4, push=-1, caution=1.6, depth=1.6, gather=False),
    Leaning("pockets", trap=1.8, pull=1.3, own_loss=0.85),
    Leaning("attrition", own_loss=0.85, pull=0.4, prize=0.6, wear=0.8, stay=True),
    Leaning("cities", prize=2.5, own_loss=0.9),
    Leaning("steady", gather=False, wear=1.3),
)


def at_stake(s: State, side: int, mood: Mood) -> Mood:
    """The mood in which a side looks back on a week: in the end the ratio of strength decides, and cities score.

    So the stronger side can bear more losses for the same gain than the weaker one.
    """
    ratio = power(s, 1 - side) / power(s, side)
    own_loss = max(LEAST_DEAR, min(MOST_DEAR, ratio)) * mood.enemy_loss
    return mood._replace(own_loss=own_loss, prize=mood.prize * PRIZE)


def power(s: State, side: int) -> float:
    """Combat strength of all groups of a side."""
    groups = s.on_map(groups_of(side, MECHANIZED, INFANTRY))
    return MUSTER + sum(combat.strength(s, group) for group in groups) / combat.UNIT


class Drilled(Campaigner):
    """Rehearses its plots for as long as there is time."""

    def __init__(self, s: State, side: int, rng: random.Random, going: Callable[[], bool]) -> None:
        super().__init__(s, side, rng, going)
        self.pulls: Pulls = {}
        self.drill: Drill | None = None

    def _rehearse(self) -> None:
        self.script.put_down()
        if self.rehearsals <= 0 or not self.going():
            return
        s = self.s
        self.drill = Drill(s, self.side, Picture(s, self.side), at_stake(s, self.side, self.mood), self.rng, self.pulls)
        plots = self.drill.better(self.going, self.rehearsals)
        for group in self.picture.own:
            number = plots.get(group, 0)
            if s.hex[group] != OFF and number != s.plot[group] and self.script.orders(group):
                self.script.give("plot", number) if number else self.script.give("unplot")
        self.script.put_down()
        self.attacked |= targets(s, self.side)


def campaigner(
    s: State, side: int, leaning: Leaning, rng: random.Random, going: Callable[[], bool], rehearsals: int
) -> Drilled:
    """The planner's campaigner, with a leaning."""
    found = Drilled(s, side, rng, going)
    mood, stance = found.mood, found.stance
    found.mood = mood._replace(
        own_loss=mood.own_loss * leaning.own_loss, wear=mood.wear * leaning.wear, trap=mood.trap * leaning.trap,
        prize=mood.prize * leaning.prize, pull=mood.pull * leaning.pull, least=mood.least * leaning.least,
        tired=round(mood.tired + leaning.tired), hole=mood.hole * leaning.hole,
        gather=mood.gather if leaning.gather is None else leaning.gather,
        stay=mood.stay if leaning.stay is None else leaning.stay,
    )  # fmt: skip
    found.stance = stance._replace(
        push=stance.push + leaning.push, caution=stance.caution * leaning.caution,
        thrust=stance.thrust * leaning.thrust, depth=stance.depth * leaning.depth,
    )  # fmt: skip
    found.rehearsals = rehearsals
    return found
