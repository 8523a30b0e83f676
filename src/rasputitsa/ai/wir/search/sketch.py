"""A week in the mind: hasty orders for either side, good enough to see where a plan leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.wir.assault import Assault, Mood, mood_of
from rasputitsa.ai.wir.picture import FAR, Picture
from rasputitsa.ai.wir.raids import Raids
from rasputitsa.core.frames import settle
from rasputitsa.wir import march
from rasputitsa.wir.actions import BARE, DONE
from rasputitsa.wir.frames import Play

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

Pulls = dict[tuple[int, bytes], list[float]]
NEAR = 2
"""Groups farther from the enemy than this come up."""
TIRED = 75


class Glance(Picture):
    """A picture that remembers what has been asked; what the cities draw changes only when they change hands."""

    def __init__(self, s: State, side: int, pulls: Pulls) -> None:
        self.pulls = pulls
        self.threats: dict[tuple[int, int], float] = {}
        self.defences: dict[tuple[int, int], float] = {}
        super().__init__(s, side)

    def threat(self, hex_: int, side: int) -> float:
        found = self.threats.get((hex_, side))
        if found is None:
            found = self.threats[hex_, side] = super().threat(hex_, side)
        return found

    def defence(self, hex_: int, side: int) -> float:
        found = self.defences.get((hex_, side))
        if found is None:
            found = self.defences[hex_, side] = super().defence(hex_, side)
        return found

    def _pull(self) -> list[float]:
        key = (self.side, bytes(self.s.owner))
        found = self.pulls.get(key)
        if found is None:
            found = self.pulls[key] = super()._pull()
        return found


class Sketch:
    """Gives hasty orders, for a side whose mood may differ from the usual."""

    def __init__(self, side: int, pulls: Pulls, greed: float = 1.0, fear: float = 1.0) -> None:
        self.side = side
        self.pulls = pulls
        self.greed = greed
        """How much less an attack need promise than usual."""
        self.fear = fear
        """Weight of own losses beside the usual."""

    def mood(self, s: State) -> Mood:
        """How the side fights in the mind."""
        usual = mood_of(s, self.side)
        return usual._replace(least=usual.least / self.greed, own_loss=usual.own_loss * self.fear)

    def plots(self, s: State, picture: Picture) -> dict[int, int]:
        """What each group plots: attacks, and rides into open ground."""
        assault = Assault(s, self.side, picture, self.mood(s))
        assault.plan()
        Raids(assault).plan()
        return {group: plot.number for group, plot in assault.plots.items()}

    def glance(self, s: State) -> Glance:
        """The position as the side reads it."""
        return Glance(s, self.side, self.pulls)

    def week(self, s: State, play: Play) -> None:
        """All orders of the movement phase that is open, up to its end."""
        answer(s, BARE["auto_replace"], play)
        picture = self.glance(s)
        plots = self.plots(s, picture)
        for group, number in plots.items():
            s.plot[group] = number
        self.come_up(s, picture, plots, play)
        answer(s, DONE, play)

    def come_up(self, s: State, picture: Picture, plots: dict[int, int], play: Play) -> None:
        """Groups in the rear march towards the enemy, the foremost first."""
        far, land = picture.to_enemy, s.rules.map.step
        rear = [(far[s.hex[g]], g) for g in picture.own if NEAR < far[s.hex[g]] < FAR and g not in plots]
        for _, group in sorted(rear):
            crew = s.crew[group]
            if not crew or max(s.fatigue[u] for u in crew) > TIRED:
                continue
            while far[s.hex[group]] > NEAR:
                here = s.hex[group]
                ways = [land[here][d] for d in march.directions(s, group)]
                there = min(ways, key=lambda h: (far[h], -picture.pull[h], h), default=here)
                if far[there] >= far[here]:
                    break
                march.step(s, group, there, play)
                if s.halted >> group & 1 or not s.crew[group]:
                    break


def answer(s: State, action: object, play: Play) -> None:
    """Carry out one answer."""
    frame = s.stack[-1]
    s.legal = None
    frame.apply(s, action, play)  # type: ignore[arg-type]
    settle(s, play)
    play.events.clear()
