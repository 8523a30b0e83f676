"""The way of the depot that reaches a group best, and the hexes where an enemy would cut it off."""

from __future__ import annotations

from collections.abc import Sequence

from rasputitsa.core.marks import counted
from rasputitsa.core.shapes import SupplyLine
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, group_side, groups_of
from rasputitsa.wir.rules.supply import depots
from rasputitsa.wir.rules.supply.depots import Ground
from rasputitsa.wir.rules.supply.supply import Depot
from rasputitsa.wir.rules.turn import sequence


def supply_line(s: State, group: Group) -> SupplyLine:
    """Whether a depot can come near enough to a group (5.2), in words and hexes, and what would bar all of them.

    An enemy group that comes to stand in a hex also bars those around it, where depots never enter. While the depots
    move, only those count that have not moved yet; for a group that is supplied, and once all have moved, it is an
    outlook on next week, as things stand.
    """
    side, names = group_side(group), s.rules.grid.names
    moving = next((f.depot for f in s.stack if isinstance(f, Depot) and f.side == side), None)
    later = sequence.scan(s, side) == "after" or (moving is not None and bool(s.supplied >> group & 1))
    when = "next week " if later else ""
    land = depots.ground(s, side)
    offered = [d for d in s.rules.depot_hex if d in groups_of(side) and (later or moving is None or d >= moving)]
    found = best(s, offered, s.hex[group], land)
    if found is None:
        near = counted(s.rules.relief.radius, "hex", "hexes")
        left = "" if later or moving is None else "that is still to move "
        text = f"{when}no depot {left}can come within {near}"
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
        "cut": [names[h] for h in reversed(way) if h != s.hex[group] and barred_by(s, offered, s.hex[group], h, land)],
    }  # fmt: skip


def best(s: State, offered: Sequence[Group], here: Hex, land: Ground) -> tuple[int, Group, Hex] | None:
    """The penalty hexes, the depot and its stop that supply a place best; None where none comes near."""
    usable = [depot for depot in offered if depots.usable(s, depot)]
    if not usable:
        return None
    near = s.rules.supply_area[here] & depots.stops(s, group_side(usable[0]))
    offers = [
        (penalty, s.rules.grid.distance(stop, here), depot, stop)
        for depot in usable
        for penalty, wave in enumerate(depots.waves(s, s.rules.depot_hex[depot], 0, land))
        for stop in members(wave & near)
    ]
    if not offers:
        return None
    penalty, _, depot, stop = min(offers)
    return penalty, depot, stop


def barred_by(s: State, offered: Sequence[Group], here: Hex, enemy: Hex, land: Ground) -> bool:
    """Whether no depot comes near a place any more once an enemy group stands in a hex."""
    barred: HexBits = s.rules.grid.adjacent[enemy] | 1 << enemy
    return best(s, offered, here, Ground(land.line & ~barred, land.penalty & ~barred)) is None
