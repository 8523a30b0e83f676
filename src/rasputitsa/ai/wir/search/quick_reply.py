"""A quick estimate of what the enemy may plot."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import Assault, AttackPolicy, attack_policy_of
from rasputitsa.ai.wir.planning.exploitation import Exploitation
from rasputitsa.wir.model.indices import Group, Hex, PlotNumber, Side
from rasputitsa.wir.model.state import State

Pulls = dict[tuple[int, bytes], list[float]]


class CachedSituation(Situation):
    """A situation that keeps what it has computed; the pull of the cities changes only when they change hands."""

    def __init__(self, s: State, side: Side, pulls: Pulls) -> None:
        self.pulls = pulls
        self.threats: dict[tuple[Hex, Side], float] = {}
        self.defences: dict[tuple[int, int], float] = {}
        super().__init__(s, side)

    def threat(self, hex_: Hex, side: Side) -> float:
        found = self.threats.get((hex_, side))
        if found is None:
            found = self.threats[hex_, side] = super().threat(hex_, side)
        return found

    def defence(self, hex_: Hex, side: Side) -> float:
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


class QuickReply:
    """Plots for a side whose policy may differ from the usual."""

    def __init__(self, side: Side, pulls: Pulls, boldness: float = 1.0, caution: float = 1.0) -> None:
        self.side = side
        self.pulls = pulls
        self.boldness = boldness
        """How much less an attack need promise than usual."""
        self.caution = caution
        """Weight of own losses compared with the usual."""

    def policy(self, s: State) -> AttackPolicy:
        """How the side fights in a simulation."""
        usual = attack_policy_of(s, self.side)
        return usual._replace(least=usual.least / self.boldness, own_loss=usual.own_loss * self.caution)

    def plots(self, s: State, situation: Situation) -> dict[Group, PlotNumber]:
        """What each group plots: attacks, and rides into open ground."""
        assault = Assault(s, self.side, situation, self.policy(s))
        assault.plan()
        Exploitation(assault).plan()
        return {group: plot.number for group, plot in assault.plots.items()}

    def glance(self, s: State) -> CachedSituation:
        """The position as the side reads it."""
        return CachedSituation(s, self.side, self.pulls)
