"""What a plan orders one group to do."""

from __future__ import annotations

from dataclasses import dataclass, field

from rasputitsa.wir.model.indices import Group, Hex, PlotNumber
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.movement import air_plots


@dataclass(slots=True)
class Orders:
    """What one group is ordered to do."""

    start: Hex
    way: list[Hex] = field(default_factory=list)
    rail: bool = False
    plot: PlotNumber = 0
    strike: tuple[str, int] | None = None
    filled: int = 0
    guns: bool = False
    actions: list[str] = field(default_factory=list)

    @property
    def here(self) -> Hex:
        """Where the group stands after its march."""
        return self.way[-1] if self.way else self.start

    def given(self, view: State, group: Group) -> bool:
        """Whether a strike is all that a group is ordered, and it has the order already."""
        if self.strike is None or self.way or self.filled or self.guns:
            return False
        verb, target = self.strike
        manner = air_plots.BOMB if verb == "bomb" else air_plots.GROUND
        return air_plots.strike_of(view, group) == (target, manner)
