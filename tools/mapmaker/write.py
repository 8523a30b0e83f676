"""The finished map as the game's data files."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable

from tools.mapmaker.board import Side
from tools.mapmaker.corrections import Because
from tools.mapmaker.draft import Draft, Place

HEXES = "hex,terrain,country,coast,sea,arctic,edge,source,confidence,note"
SIDES = "hex_a,hex_b,kind,name,source,confidence"
PLACES = "hex,name,kind,victory,factory,port,fortress,fuel,lon,lat,source,confidence,note"

FROM_SET_UP = Because("set-up XVI.D", "inferred", "")
FROM_GEOGRAPHY = Because("geography", "reconstructed", "")
FROM_BORDERS = Because("borders of 1941", "reconstructed", "")
FROM_WORKS = Because("fortified regions of 1928-39", "reconstructed", "")
FROM_ISOTHERM = Because("January isotherm", "reconstructed", "")

Row = list[str]


def files(draft: Draft) -> dict[str, str]:
    """File name and text of each data file."""
    return {
        "hexes.csv": table(HEXES, (_hex_row(draft, name) for name in draft.board.hexes)),
        "hexsides.csv": table(SIDES, _side_rows(draft)),
        "places.csv": table(PLACES, (_place_row(draft, place) for place in draft.places)),
    }


def table(header: str, rows: Iterable[Row]) -> str:
    """The text of a CSV file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return out.getvalue()


def _hex_row(draft: Draft, name: str) -> Row:
    fixes = draft.hex_because.get(name, [])
    because = fixes[-1] if fixes else FROM_GEOGRAPHY
    if name in draft.named:
        because = FROM_SET_UP
    notes = [draft.marsh[name]] if name in draft.marsh and draft.terrain[name] == "swamp" else []
    notes += [fix.reason for fix in fixes]
    return [
        name, draft.terrain[name], draft.country.get(name, ""), ";".join(sorted(draft.coast.get(name, ()))),
        draft.sea.get(name, ""), str(int(name in draft.arctic)), draft.edge.get(name, ""),
        because.source, because.confidence, "; ".join(notes),
    ]  # fmt: skip


def _place_row(draft: Draft, place: Place) -> Row:
    port = ";".join(sorted(draft.coast.get(place.hex, ()))) if place.port == "coast" else place.port
    if place.port and not port:
        raise ValueError(f"{place.name} is a port, but its hex {place.hex} touches no sea")
    notes = [place.note] if place.note else []
    if place.minor:
        notes.append("minor place")
    return [
        place.hex, place.name, place.kind, str(place.victory), str(int(place.factory)), port,
        str(int(place.fortress)), place.fuel, f"{place.lon:g}", f"{place.lat:g}",
        place.source, place.confidence, "; ".join(notes),
    ]  # fmt: skip


def _side_rows(draft: Draft) -> list[Row]:
    """Every fact about a side between two land hexes; the Arctic Line also where it crosses water."""
    rows: list[Row] = []
    oriented = _one_sided(draft)
    for side in draft.board.sides:
        if all(draft.is_land(name) for name in side):
            rows += _water_rows(draft, side)
            countries = sorted(draft.country[name] for name in side)
            if countries[0] != countries[1]:
                rows.append(_row(side, "border", "-".join(countries), FROM_BORDERS))
            rows += oriented.get(side, [])
        at_sea = all(draft.water[name] == "sea" for name in side)
        if not at_sea and (side[0] in draft.arctic) != (side[1] in draft.arctic):
            rows.append(_row(side, "arctic_line", "", FROM_ISOTHERM))
    return rows


def _water_rows(draft: Draft, side: Side) -> list[Row]:
    because = draft.side_because.get(side, FROM_GEOGRAPHY)
    if side in draft.barrier:
        return [_row(side, draft.barrier[side], draft.side_name.get(side, ""), because)]
    if side in draft.rivers:
        return [_row(side, "river", "/".join(sorted(set(draft.rivers[side]))), because)]
    return []


def _one_sided(draft: Draft) -> dict[Side, list[Row]]:
    """Facts for which the order of the two hexes matters."""
    rows: dict[Side, list[Row]] = defaultdict(list)
    for works in draft.stalin:
        side = draft.board.side(works.held, works.front)
        rows[side].append(_row((works.held, works.front), "stalin", works.name, works.because or FROM_WORKS))
    for river in draft.one_way:
        side = draft.board.side(river.attacker, river.defender)
        rows[side].append(_row((river.attacker, river.defender), "river_oneway", river.name, river.because))
    return rows


def _row(side: Side, kind: str, name: str, because: Because) -> Row:
    return [side[0], side[1], kind, name, because.source, because.confidence]
