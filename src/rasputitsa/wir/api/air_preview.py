"""What an air strike may come to, told before it is plotted (6.9, 7.1); read-only, no dice."""

from __future__ import annotations

from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.answers import Outlook
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, AIR_BITS, KIND, group_side
from rasputitsa.wir.rules.execution import air, casualties


def outlook(s: State, group: Group, target: Hex) -> Outlook:
    """The way, the escort, who may intercept, the sky, and what the bombs would do before losses on the way."""
    rules, side = s.rules.raids, group_side(group)
    aircraft = s.aircraft[group]
    bombers = air.bombers(s, side, aircraft) * rules.weather[s.weather]
    near = s.rules.intercept_area[target]
    there = s.at.get(target, ())
    return {
        "target": s.rules.grid.names[target],
        "distance": s.rules.grid.distance(s.hex[group], target),
        "escort_range": rules.escort,
        "escorted": air.escorted(s, group, target),
        "interceptors": [str(g) for g in members(AIR_BITS[1 - side]) if s.hex[g] >= 0 and near >> s.hex[g] & 1],
        "flak": {"least": rules.flak[0], "most": rules.flak[1]},
        "overcast": rules.overcast[s.weather],
        "weather": rules.weather[s.weather],
        "ground": round(casualties.blast_effect(s, bombers), 1) if any(KIND[g] != AIR for g in there) else None,
        "aircraft": round(casualties.wrecked(s, bombers), 1) if any(KIND[g] == AIR for g in there) else None,
        "factories": [round(chance, 1) for chance in air.factory_chances(s, side, aircraft)]
        if s.city_hexes[1 - side] >> target & 1
        else [],
    }
