"""Free deployment: the Axis as history had it; the Soviet side in depth, its strongest armies in the cities.

When both sides deploy freely three points of victory cities are enough for the Axis, and the units at the
border are surprised there. So the cities come first, and the rest stands back from the border.
"""

from __future__ import annotations

from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, knowledge_of
from rasputitsa.core.caching import cached_up_to
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

DEPTH = 4
"""Distance from the border at which armies await the attack."""
IN_REACH = 16
"""Distance from the border up to which a victory city needs an army from the first day."""


@cached_up_to(16)
def border_field(rules: Ruleset) -> list[int]:
    """Distance of each hex from Axis ground."""
    knowledge = knowledge_of(rules)
    return knowledge.spread_field(rules.home[AXIS] & knowledge.land, knowledge.land)


def deploy_order(s: State, unit: Unit) -> tuple[int, int, int]:
    """The strongest Soviet armies first; the Axis as it comes."""
    roster = s.rules.roster
    if roster.side[unit] == AXIS:
        return 0, 0, unit
    return (0 if roster.above_corps >> unit & 1 else 1), -roster.df[unit], unit


def deploy_hex(s: State, unit: Unit, hexes: list[Hex]) -> Hex:
    """The best of the hexes a unit may be set up in."""
    home = s.rules.units[unit].setup
    distance = s.rules.grid.distance
    if s.rules.roster.side[unit] == AXIS:
        return min(hexes, key=lambda h: (distance(h, home), h))
    field = border_field(s.rules)
    knowledge = knowledge_of(s.rules)
    if s.rules.roster.above_corps >> unit & 1:
        open_ = [h for h in hexes if h in knowledge.victory and field[h] <= IN_REACH]
        if open_:
            return min(open_, key=lambda h: (-knowledge.victory[h], field[h], h))
    board = s.rules.map
    strong = board.majors | board.cities | board.hills | board.swamp
    friends = s.occ[SOVIET]

    def price(hex_: Hex) -> tuple[float, int]:
        away = field[hex_]
        cost = 1.0 * distance(hex_, home) + 2.0 * max(0, DEPTH - (away if away < UNREACHABLE else DEPTH))
        if strong >> hex_ & 1:
            cost -= 1.0
        if knowledge.near(hex_, 1) & friends:
            cost += 1.0
        return cost, hex_

    return min(hexes, key=price)
