"""Map, counters and charts as plain JSON values, for clients and tools."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.data.chronicle import FILE, Card, read_cards
from rasputitsa.core.shapes import Command as CommandShape
from rasputitsa.core.shapes import HistoricalFront
from rasputitsa.hexes import layout
from rasputitsa.hexes.grid import row_name
from rasputitsa.portfolio.api.chart_shapes import TurnBox, WeatherEffect
from rasputitsa.portfolio.api.commanders import Command, commanders
from rasputitsa.portfolio.api.notation import TITLES
from rasputitsa.portfolio.api.shapes import Hex as HexShape
from rasputitsa.portfolio.api.shapes import StaticParts
from rasputitsa.portfolio.api.signs import grounds, signs
from rasputitsa.portfolio.model.actions import ORDER_TIMES, VERBS
from rasputitsa.portfolio.model.data_folder import read_toml
from rasputitsa.portfolio.model.indices import Hex
from rasputitsa.portfolio.model.ruleset import Ruleset, Turn, Weather, ruleset
from rasputitsa.portfolio.model.theatre import COUNTRY_TITLES, SEA_TITLES, SIDE_TITLES, SIDES, Theatre


def fronts(folder: Path) -> list[HistoricalFront]:
    """Where the front ran on some dates, for reports and debriefings; no rule reads it."""
    table = read_toml(folder, "history/fronts.toml")
    return [
        {
            "turn": front["turn"],
            "date": front["date"],
            "note": front["note"],
            "line": front["line"],
            "source": table["source"],
        }
        for front in table["fronts"]
    ]


def chronicle(folder: Path) -> list[Card]:
    """What happened in the war in each turn."""
    return read_cards(read_toml(folder, FILE), lambda entry: (entry["turn"], entry["turn"]))


def static(scenario: str, folder: Path) -> StaticParts:
    """Everything that does not change during a game of a scenario."""
    return _static(ruleset(scenario, {}, folder))


@kept_of_rules
def _static(rules: Ruleset) -> StaticParts:
    width, height = layout.extent(rules.grid)
    first, last = rules.span
    return {
        "map": {
            "width": width, "height": height, "hex_size": layout.CORNER_RADIUS,
            "titles": {"countries": COUNTRY_TITLES, "seas": SEA_TITLES, "sides": SIDE_TITLES},
            "hexes": [_hex(rules.map, i) for i in sorted(rules.map.terrain)],
            "sides": [
                {
                    "a": rules.grid.names[a], "b": rules.grid.names[b], "kind": kind, "name": name,
                    "freezes": rules.map.freezes(kind, a, b),
                }
                for kind, pairs in rules.map.side_pairs.items()
                for a, b, name in pairs
            ],
            "places": [
                {
                    "hex": rules.grid.names[p.hex], "name": p.name, "kind": p.kind, "victory": p.victory,
                    "factory": p.factory, "port": list(p.ports), "fortress": p.fortress, "fuel": p.fuel,
                }
                for p in rules.map.places.values()
            ],
        },
        "units": [
            {
                "id": u.id, "name": u.name, "side": SIDES[u.side], "nation": u.nation, "type": u.type,
                "type_title": u.of_type.title, "symbol": u.of_type.symbol,
                "size": u.size, "af": u.af, "df": u.df, "mf": u.mf, "mark": u.mark, "cost": u.cost,
                "cost_kind": u.cost_kind, "replaceable": u.replaceable, "pool": u.pool, "group": u.group,
            }
            for u in rules.units
        ],
        "charts": {
            "crt": {"columns": rules.columns, "rows": {str(die): row for die, row in rules.crt.items()}},
            "turns": [_turn(rules, t) for t in rules.turns.values() if first <= t.number <= last],
            "weather": {name: _weather(weather) for name, weather in rules.weather.items()},
            "terrain": rules.charts["terrain"],
            "features": rules.charts["feature"],
            "reserve": list(rules.reserve_penalties),
            "production": rules.charts["production"],
            "advance": rules.charts["advance"],
            "stacking": rules.charts["stacking"],
            "paragraphs": {"victory": "IV", "seas": "XV.B"},
        },
        "signs": signs(rules), "grounds": grounds(rules),
        "history": {
            "fronts": fronts(rules.folder), "chronicle": [card.as_shape() for card in chronicle(rules.folder)],
            "commanders": [_command(command) for command in commanders(rules.folder)],
        },
        "verbs": {
            verb: {"args": list(args), "title": TITLES[verb], "rule": ORDER_TIMES.get(verb, ("", ""))[1]}
            for verb, args in VERBS.items()
        },
    }  # fmt: skip


def _turn(rules: Ruleset, turn: Turn) -> TurnBox:
    return {
        "number": turn.number, "date": turn.date, "may_stop": turn.may_stop, "last": turn.last,
        "weather": turn.weather, "title": rules.weather[turn.weather].title if turn.weather else "By die",
    }  # fmt: skip


def _weather(weather: Weather) -> WeatherEffect:
    return {
        "id": weather.id, "title": weather.title, "movement": list(weather.movement), "freezes": weather.freezes,
        "closed_seas": list(weather.closed_seas), "advance": weather.advance, "overrun": list(weather.overrun),
        "air_supply": weather.air_supply, "axis_first": weather.axis_first,
        "decline_exchange": list(weather.decline_exchange),
    }  # fmt: skip


def _command(command: Command) -> CommandShape:
    return {
        "unit": command.unit, "first": command.first, "last": command.last, "commander": command.commander,
        "source": command.source, "sure": command.sure, "agreed": command.agreed,
    }  # fmt: skip


def _hex(board: Theatre, i: Hex) -> HexShape:
    x, y = layout.centre(board.grid, i)
    return {
        "id": board.grid.names[i], "x": round(x, 4), "y": round(y, 4), "line": row_name(i // board.grid.stride),
        "terrain": board.terrain[i],
        "country": board.country_of[i], "arctic": bool(board.arctic >> i & 1),
        "freezes": board.freezes(board.terrain[i], i),
        "neutral": bool(board.neutral >> i & 1), "in_play": bool(board.zone >> i & 1),
        "coast": sorted(zone for zone, hexes in board.coast.items() if hexes >> i & 1),
        "sea": next((zone for zone, hexes in board.sea_zone.items() if zone and hexes >> i & 1), ""),
        "edge": next((country for country, hexes in board.edge.items() if country and hexes >> i & 1), ""),
    }  # fmt: skip
