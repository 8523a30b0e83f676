"""The finished map of War in Russia as the game's data files."""

from __future__ import annotations

from tools.mapmaker.corrections import Because
from tools.mapmaker.wir.build import YEARS, WirMap
from tools.mapmaker.wir.cities import STARTS, VALUES
from tools.mapmaker.write import FROM_GEOGRAPHY, Row, table

HEXES = (
    "hex,terrain,rail_1941,rail_1942,rail_1943,country,in_russia,passable,control_1941,control_1942,control_1943,"
    "lon,lat,source,confidence,note"
)
SIDES = "hex_a,hex_b,kind,name,source,confidence"
CITIES = ",".join(
    ["name", "hex", "port", "fortified", "scores"]
    + [f"{value}_{year}" for year in YEARS for value in ("owner", *VALUES)]
    + ["source", "confidence", "note"]
)
FROM_LINES = Because("geography; rail and fronts by general knowledge", "reconstructed", "")


def files(made: WirMap) -> dict[str, str]:
    """File name and text of each data file."""
    return {
        "hexes.csv": table(HEXES, (_hex_row(made, name) for name in _map_order(made))),
        "hexsides.csv": table(SIDES, _side_rows(made)),
        "cities.csv": table(CITIES, _city_rows(made)),
    }


def _map_order(made: WirMap) -> list[str]:
    """Row by row from the north, each from west to east."""
    return sorted(made.draft.board.hexes, key=lambda name: (name[2:], name[:2]))


def _hex_row(made: WirMap, name: str) -> Row:
    draft = made.draft
    country = draft.country.get(name, "")
    entered = name in made.passable
    control = [("A" if name in made.axis_ground[year] else "S") if entered else "" for year in YEARS]
    fixes = draft.hex_because.get(name, [])
    because = fixes[-1] if fixes else FROM_LINES if entered else FROM_GEOGRAPHY
    notes = [fix.reason for fix in fixes]
    lines = made.rails.get(name, [])
    named = [line.source for line in lines if line.source]
    if named:
        because = Because(f"{named[0]}, on a line that the manual asks for", "inferred", "")
    if lines:
        notes.append("; ".join(f"railway {line.name}" for line in lines))
    lon, lat = made.frame.to_globe(*draft.board.centre(name))
    return [
        name, draft.terrain[name], *(made.gauge[year].get(name, "") for year in YEARS), country,
        str(int(country in made.nations.soviet)), str(int(entered)), *control,
        f"{lon:.2f}", f"{lat:.2f}", because.source, because.confidence, "; ".join(notes),
    ]  # fmt: skip


def _side_rows(made: WirMap) -> list[Row]:
    draft, rows = made.draft, []
    order = {name: i for i, name in enumerate(_map_order(made))}
    for side, names in draft.rivers.items():
        because = draft.side_because.get(side, FROM_GEOGRAPHY)
        a, b = sorted(side, key=lambda name: (name[:2], name[2:]))
        rows.append([a, b, "river", "/".join(sorted(set(names))), because.source, because.confidence])
    return sorted(rows, key=lambda row: (row[0], order[row[1]]))


def _city_rows(made: WirMap) -> list[Row]:
    rows = []
    for city in made.cities:
        held = [city.on(STARTS[year]) for year in YEARS]
        values = [text for h in held for text in (h.owner, *map(str, h.values))]
        taken = ", ".join(f"{'Axis' if owner == 'A' else 'Soviet'} {day}" for owner, day in city.history)
        notes = [part for part in (city.note, f"taken: {taken}" if taken else "") if part]
        rows.append(
            [
                city.name, city.hex, city.port, str(int(city.fortified)), str(int(city.scores)), *values,
                city.source, city.confidence, "; ".join(notes),
            ]
        )  # fmt: skip
    return rows
