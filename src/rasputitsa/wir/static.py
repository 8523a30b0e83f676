"""Map, groups and tables as plain JSON values, for clients and tools."""

from __future__ import annotations

from functools import cache
from typing import Any

from rasputitsa.hexes import layout
from rasputitsa.wir.actions import VERBS
from rasputitsa.wir.ruleset import Ruleset, ruleset
from rasputitsa.wir.tables import DEPOT, KIND, KIND_NAMES, POOL_MOST, POOLS, WEATHER_NAMES, group_side, groups_of
from rasputitsa.wir.theatre import CITY_VALUES, SIDES, TERRAIN_NAMES


@cache
def static(scenario: str) -> dict[str, Any]:
    """Everything that does not change during a game of a scenario."""
    rules = ruleset(scenario, {})
    board, names = rules.map, rules.grid.names
    width, height = layout.extent(rules.grid)
    return {
        "map": {
            # The grid lies on its side: what it calls across runs from north to south here.
            "width": height, "height": width, "hex_size": layout.CORNER_RADIUS, "flat_top": True,
            "hexes": [_hex(rules, i) for i in range(rules.grid.size) if names[i]],
            "sides": [{"a": names[a], "b": names[b], "kind": "river", "name": name} for a, b, name in board.rivers],
            "places": [
                {
                    "hex": names[c.hex], "name": c.name, "kind": "city", "victory": 0, "factory": False,
                    "port": [c.port] if c.port else [], "fortress": c.fortified, "fuel": "", "scores": c.scores,
                }
                for c in board.cities
            ],
        },
        "units": [
            {
                "id": str(g), "name": f"{KIND_NAMES[KIND[g]].capitalize()} group {g}", "side": SIDES[group_side(g)],
                "nation": "SU" if group_side(g) else "DE", "type": KIND_NAMES[KIND[g]], "size": "army",
                "formation": _formations(rules).get(g, ""),
            }
            for side in (0, 1) for g in groups_of(side) if KIND[g] != DEPOT
        ],
        "depots": [{"id": str(g), "hex": names[h], "side": SIDES[group_side(g)]} for g, h in rules.depot_hex.items()],
        "types": [
            {
                "id": t.id, "code": t.code, "title": t.title, "side": SIDES[t.side], "nation": t.nation,
                "infantry": t.infantry, "vehicle": t.vehicle, "mechanized": t.mechanized,
                "strength": dict(zip(rules.most, t.strength, strict=True)),
                "experience": dict(zip(rules.most, t.experience, strict=True)),
            }
            for t in rules.types if t.number
        ],
        "charts": {
            "weather": {name: {"title": name.capitalize()} for name in WEATHER_NAMES},
            "months": {name: row for name, row in rules.sheet["weather"].items() if isinstance(row, list)},
            "terrain": list(TERRAIN_NAMES), "city_values": list(CITY_VALUES),
            "pools": dict(zip(POOLS, POOL_MOST, strict=True)),
            "turns": [
                {"number": n + 1, "date": rules.date_text(n + 1), "weather": None, "title": ""}
                for n in range(rules.turns)
            ],
            "supply": rules.sheet["supply"]["relief"], "production": rules.sheet["production"],
            "victory": rules.sheet["victory"],
        },
        "verbs": {verb: {"args": list(args), "title": verb.replace("_", " ")} for verb, args in VERBS.items()},
    }  # fmt: skip


def _formations(rules: Ruleset) -> dict[int, str]:
    return {line.group: line.formation for line in rules.lines}


def _hex(rules: Ruleset, i: int) -> dict[str, Any]:
    board = rules.map
    along, across = layout.centre(board.grid, i)
    return {
        "id": board.grid.names[i], "x": round(across, 4), "y": round(along, 4), "terrain": TERRAIN_NAMES[board.base[i]],
        "country": board.country[i], "passable": bool(board.passable >> i & 1),
        "neutral": not board.passable >> i & 1 and TERRAIN_NAMES[board.base[i]] != "sea",
        "in_russia": bool(board.in_russia >> i & 1), "coast": [], "sea": "", "edge": "",
        "lon": board.lonlat[i][0], "lat": board.lonlat[i][1],
    }  # fmt: skip
