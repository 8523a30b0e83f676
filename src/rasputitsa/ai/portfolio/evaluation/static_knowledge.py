"""What a player knows of map and counters in advance: distances, rings, worth of units and places."""

from __future__ import annotations

from rasputitsa.core.caching import cached
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.retreat import rings

UNREACHABLE = 99
"""Marching distance that stands for no way at all: more than any way is long."""


class StaticKnowledge:
    """Lasting knowledge about one ruleset; build it with ``knowledge_of``."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.board = rules.map
        self.grid = rules.grid
        self.land = rules.map.ground[0].enterable
        self._fields: dict[Hex, list[int]] = {}
        self.worth = [self._worth(u) for u in range(len(rules.units))]
        victory = rules.charts["victory"]
        self.soviet_goals = [self.grid.index(name) for name in victory["soviet_any_of"]]
        self.needed: int = victory["axis_cities_redeployed" if rules.free_deployment else "axis_cities"]
        self.victory = {h: self.board.places[h].victory for h in members(self.board.victory_cities)}
        self.fuel = (self.board.fuel["axis"], self.board.fuel["soviet"])

    def _worth(self, unit: Unit) -> float:
        """What a unit is worth, in replacement points; what cannot be replaced is worth more."""
        u = self.rules.units[unit]
        if u.side == SOVIET:
            return 0.5 + 0.5 * (u.af + u.df) + (0.5 if u.of_type.pure_armor else 0.0)
        value = 0.5 + 0.7 * u.af + 0.4 * u.df
        if u.of_type.pure_armor:
            value *= 1.25
        return value * (1.0 if u.replaceable else 1.15)

    def near(self, hex_: Hex, radius: int) -> HexBits:
        """The hexes within a distance of at most 4, the hex itself included."""
        found = 0
        for ring in rings(self.grid)[hex_][: radius + 1]:
            found |= ring
        return found

    def field(self, target: Hex) -> list[int]:
        """Marching distance of every hex to a hex, over land, ``UNREACHABLE`` where there is no way."""
        known = self._fields.get(target)
        if known is None:
            known = self._fields[target] = self.spread_field(1 << target, self.land | 1 << target)
        return known

    def spread_field(self, sources: HexBits, within: HexBits) -> list[int]:
        """Marching distance of every hex to the nearest of some hexes, inside an area."""
        distances = [UNREACHABLE] * self.grid.size
        barrier = self.board.ground[0].barrier
        frontier = reached = sources
        step = 0
        while frontier:
            for hex_ in members(frontier):
                distances[hex_] = step
            frontier = barrier.spread(frontier) & within & ~reached
            reached |= frontier
            step += 1
        return distances


@cached
def knowledge_of(rules: Ruleset) -> StaticKnowledge:
    """The lasting knowledge about a ruleset, gathered once."""
    return StaticKnowledge(rules)
