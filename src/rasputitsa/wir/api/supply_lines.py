"""The way of the depot that reaches a group best, and the hexes where an enemy would cut it off."""

from __future__ import annotations

from rasputitsa.core.marks import counted
from rasputitsa.core.shapes import SupplyLine
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, group_side, groups_of
from rasputitsa.wir.rules.supply import depots
from rasputitsa.wir.rules.supply.depots import Ground
from rasputitsa.wir.rules.turn import sequence


def supply_line(s: State, group: Group) -> SupplyLine:
    """Whether a depot can come near enough to a group (5.2), in words and hexes, and what would bar all of them.

    An enemy group that comes to stand in a hex also bars those around it, where depots never enter. Once the depots
    have moved it is an outlook on next week, as things stand.
    """
    side, names = group_side(group), s.rules.grid.names
    when = "next week " if sequence.scan(s, side) == "after" else ""
    land = depots.ground(s, side)
    found = best(s, side, s.hex[group], land)
    if found is None:
        near = counted(s.rules.relief.radius, "hex", "hexes")
        text = f"{when}no depot can come within {near}"
        return {"unit": str(group), "supplied": False, "text": text, "hexes": [], "cut": []}
    penalty, depot, stop = found
    home = s.rules.depot_hex[depot]
    way = (home, *(depots.way(s, home, stop, land) if stop != home else ()))
    cost = f"{penalty} penalty {'hex' if penalty == 1 else 'hexes'}"
    percent = depots.relief_percent(s, side, penalty)
    relief = "" if KIND[group] == AIR else f", and takes {percent} % of the fatigue"
    return {
        "unit": str(group),
        "supplied": True,
        "text": f"{when}depot {depot} can come near over {cost}{relief}",
        "hexes": [names[h] for h in reversed(way)],
        "cut": [names[h] for h in reversed(way) if h != s.hex[group] and barred_by(s, side, s.hex[group], h, land)],
    }  # fmt: skip


def best(s: State, side: Side, here: Hex, land: Ground) -> tuple[int, Group, Hex] | None:
    """The penalty hexes, the depot and its stop by which a place is supplied best; None where no depot comes near."""
    near = s.rules.supply_area[here] & depots.stops(s, side)
    offers = [
        (penalty, s.rules.grid.distance(stop, here), depot, stop)
        for depot, home in s.rules.depot_hex.items()
        if depot in groups_of(side) and depots.usable(s, depot)
        for penalty, wave in enumerate(depots.waves(s, home, 0, land))
        for stop in members(wave & near)
    ]
    if not offers:
        return None
    penalty, _, depot, stop = min(offers)
    return penalty, depot, stop


def barred_by(s: State, side: Side, here: Hex, enemy: Hex, land: Ground) -> bool:
    """Whether no depot comes near a place any more once an enemy group stands in a hex."""
    barred: HexBits = s.rules.grid.adjacent[enemy] | 1 << enemy
    return best(s, side, here, Ground(land.line & ~barred, land.penalty & ~barred)) is None
