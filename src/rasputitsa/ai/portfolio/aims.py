"""What a side wants on the map: ground worth taking, and where its units should be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.danger import axis_value, soviet_value
from rasputitsa.ai.portfolio.sight import FAR, sight
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


class Aims:
    """The wishes of one side in one position."""

    def __init__(self, s: State, side: int) -> None:
        self.s = s
        self.side = side
        self.sight = sight(s.rules)
        self.value = axis_value(s) if side == AXIS else soviet_value(s)
        self.goals = self._goals()
        self.pull = self._pull()
        self.gain = self._gain()

    def _goals(self) -> dict[int, float]:
        """Hexes to be won, and how much nearer they count for being worth more."""
        s = self.s
        if self.side == AXIS:
            return {h: 2.0 * v for h, v in self.sight.victory.items() if not s.control >> h & 1}
        lost = {h: 3.0 * v for h, v in self.sight.victory.items() if s.control >> h & 1}
        return lost or {h: 0.0 for h in self.sight.victory}

    def _pull(self) -> list[float]:
        """For every hex how near it is to what the side wants; greater is better."""
        fields = [(self.sight.field(h), bonus) for h, bonus in self.goals.items()]
        pull = [0.0] * self.s.rules.grid.size
        for hex_ in members(self.sight.land):
            best = max((bonus - field[hex_] for field, bonus in fields), default=-float(FAR))
            pull[hex_] = best
        return pull

    def _gain(self) -> list[float]:
        """What driving the enemy out of each hex is worth."""
        s = self.s
        board = s.rules.map
        gain = [0.0] * s.rules.grid.size
        enemy_ground = s.controlled(1 - self.side)
        for hex_ in members(self.sight.land):
            gain[hex_] = 0.5 + 0.05 * max(-20.0, self.pull[hex_])
        for hex_, place in board.places.items():
            if not enemy_ground >> hex_ & 1:
                continue
            gain[hex_] += {"major": 1.5, "city": 0.5, "town": 0.2}[place.kind]
            gain[hex_] += (6.0 if self.side == AXIS else 4.0) * place.victory
        if self.side == SOVIET:
            for hex_ in self.sight.soviet_goals:
                gain[hex_] += 20.0
        return gain
