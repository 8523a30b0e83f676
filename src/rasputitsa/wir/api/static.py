"""Map, groups and tables as plain JSON values, for clients and tools."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.data.chronicle import FILE, Card, read_cards
from rasputitsa.hexes import layout
from rasputitsa.wir.api.hypothetical import MOST_STRENGTH
from rasputitsa.wir.api.labels import (
    FORM_TITLES,
    KIND_SYMBOLS,
    KIND_TITLES,
    POOL_TITLES,
    SCORE_TITLES,
    STATUS_TITLES,
    TITLES,
    VALUE_TITLES,
    WEATHER_TITLES,
    grounds,
    signs,
)
from rasputitsa.wir.api.plot_table import plot_table
from rasputitsa.wir.api.shapes import Counter, Paragraphs, Place, Production, StaticParts, TurnBox, VictoryRules
from rasputitsa.wir.api.shapes import Hex as HexShape
from rasputitsa.wir.api.timeline import timeline
from rasputitsa.wir.model.actions import PARAGRAPHS, VERBS
from rasputitsa.wir.model.data_folder import read_toml
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.ruleset import Ruleset, ruleset
from rasputitsa.wir.model.tables import (
    KIND,
    KIND_NAMES,
    MOST_EXPERIENCE,
    POOLS,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import CITY_VALUES, DIRECTION_NAMES, SIDES, SWAMP, TERRAIN_NAMES, City, column_name
from rasputitsa.wir.rules.turn.weather import chances

SUBJECTS: Final[Paragraphs] = {
    "supply_scan": "5.4", "hidden": "4.6", "air_strike": "7.1", "bombardment": "7.5", "odds": "7.6", "fatigue": "8.1",
    "weather": "8.4", "production": "8.5", "partisans": "8.7", "victory": "9.1",
}  # fmt: skip
BEYOND = -1
"""Stands for the turn of what happened after the end of a scenario."""


def static(scenario: str, folder: Path) -> StaticParts:
    """Everything that does not change during a game of a scenario."""
    return _static(ruleset(scenario, {}, folder))


@kept_of_rules
def _static(rules: Ruleset) -> StaticParts:
    board, names = rules.map, rules.grid.names
    width, height = layout.extent(rules.grid)
    return {
        "map": {
            # The grid lies on its side: what it calls across runs from north to south here.
            "width": height, "height": width, "hex_size": layout.CORNER_RADIUS, "orientation": "flat",
            "hexes": [_hex(rules, i) for i in range(rules.grid.size) if names[i]],
            "sides": [
                {"a": names[a], "b": names[b], "kind": "river", "name": name, "freezes": True}
                for a, b, name in board.rivers
            ],
            "places": [_place(rules, city) for city in board.cities],
        },
        "units": [_group(rules, g) for side in (0, 1) for g in groups_of(side)],
        "charts": {
            "types": [
                {
                    "id": t.id, "code": t.code, "title": t.title, "side": SIDES[t.side], "nation": t.nation,
                    "infantry": t.infantry, "vehicle": t.vehicle, "mechanized": t.mechanized,
                    "strength": {str(year): most for year, most in zip(rules.most, t.strength, strict=True)},
                    "experience": {str(year): most for year, most in zip(rules.most, t.experience, strict=True)},
                }
                for t in rules.types if t.number
            ],
            "terrain": list(TERRAIN_NAMES), "city_values": list(CITY_VALUES),
            "pools": dict(zip(POOLS, rules.limits.pools, strict=True)),
            "plots": plot_table(), "directions": list(DIRECTION_NAMES),
            "turns": [_turn(rules, n + 1) for n in range(rules.turns)],
            "supply": {"radius": rules.relief.radius, "penalty_hexes": rules.relief.most_penalty},
            "suppose": {
                "strength": MOST_STRENGTH, "experience": MOST_EXPERIENCE, "entrenchment": rules.entrenchment.most,
            },
            "most_fatigue": rules.march.most,
            "forms": [{"number": form, "title": title} for form, title in FORM_TITLES.items()],
            "relief": rules.sheet["supply"]["relief"], "production": _production(rules),
            "timeline": timeline(rules),
            "titles": {
                "values": VALUE_TITLES, "pools": POOL_TITLES, "scores": SCORE_TITLES, "statuses": STATUS_TITLES,
                "weathers": WEATHER_TITLES,
            },
            "paragraphs": SUBJECTS,
            "victory": _victory(rules),
            "victory_levels": [{"points": n, "title": title} for n, title in rules.sheet["victory"]["levels"]],
        },
        "signs": signs(rules), "grounds": grounds(),
        "history": {"fronts": [], "chronicle": [card.as_shape() for card in chronicle(rules)]},
        "verbs": {
            verb: {"args": list(args), "title": TITLES[verb], "rule": PARAGRAPHS.get(verb, "")}
            for verb, args in VERBS.items()
        },
    }  # fmt: skip


def _production(rules: Ruleset) -> Production:
    """The table of production; ``yield`` is no name for a field."""
    table = dict(rules.sheet["production"])
    infantry = [{"month": month, "percent": percent} for month, percent in table.pop("soviet_infantry")]
    return cast("Production", {"yields": table.pop("yield"), "soviet_infantry": infantry, **table})


def _victory(rules: Ruleset) -> VictoryRules:
    """The table of victory; its levels stand apart."""
    return cast("VictoryRules", {key: value for key, value in rules.sheet["victory"].items() if key != "levels"})


def chronicle(rules: Ruleset) -> list[Card]:
    """What happened in the war in each month until the end of a scenario, by the turns that begin in it."""
    months = [rules.month(number) for number in range(1, rules.turns + 1)]

    def span(entry: Mapping[str, Any]) -> tuple[int, int]:
        first = bisect_left(months, entry["month"]) + 1
        last = bisect_right(months, entry["month"])
        return (first, last) if first <= last else (0, 0) if not last else (BEYOND, BEYOND)

    return [card for card in read_cards(read_toml(rules.folder, FILE), span) if card.first != BEYOND]


def _turn(rules: Ruleset, turn: int) -> TurnBox:
    """8.4: a turn, and how likely each kind of weather is in it, in percent."""
    month = rules.month(turn)
    cold, very_cold, rain = chances(month, rules)
    return {
        "number": turn, "date": rules.date_text(turn), "month": month, "weather": None, "title": "",
        "chances": {"clear": 100 - cold - very_cold - rain, "cold": cold, "very_cold": very_cold, "rain": rain},
    }  # fmt: skip


def _group(rules: Ruleset, group: Group) -> Counter:
    home = rules.depot_hex.get(group)
    return {
        "id": str(group), "name": str(group), "side": SIDES[group_side(group)],
        "nation": "SU" if group_side(group) else "DE", "type": KIND_NAMES[KIND[group]], "size": "army",
        "type_title": KIND_TITLES[KIND[group]], "symbol": KIND_SYMBOLS[KIND[group]],
        "home": None if home is None else rules.grid.names[home],
    }  # fmt: skip


def _place(rules: Ruleset, city: City) -> Place:
    kind = "source" if not city.scores else "fortified" if city.fortified else "city"
    return {
        "hex": rules.grid.names[city.hex], "name": city.name, "kind": kind, "victory": 0, "factory": False,
        "port": [city.port] if city.port else [], "fortress": int(city.fortified), "fuel": "",
        "scores": int(city.scores), "start": SIDES[city.owner[rules.year_index]],
    }  # fmt: skip


def _hex(rules: Ruleset, i: Hex) -> HexShape:
    board = rules.map
    along, across = layout.centre(board.grid, i)
    return {
        "id": board.grid.names[i], "i": i, "x": round(across, 4), "y": round(along, 4),
        "line": column_name(i // board.grid.stride),
        "terrain": TERRAIN_NAMES[board.base[i]], "freezes": board.base[i] == SWAMP,
        "country": board.country[i], "passable": bool(board.land >> i & 1), "in_play": bool(board.zone >> i & 1),
        "neutral": not board.land >> i & 1 and TERRAIN_NAMES[board.base[i]] != "sea",
        "russia": bool(board.in_russia >> i & 1), "coast": [], "sea": board.water[i], "edge": "",
        "lon": board.lonlat[i][0], "lat": board.lonlat[i][1],
    }  # fmt: skip
