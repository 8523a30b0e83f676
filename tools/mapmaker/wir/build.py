"""The whole making of the map of War in Russia, step by step."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.mapmaker.corrections import Corrections, read_corrections
from tools.mapmaker.draft import Draft
from tools.mapmaker.nations import vote
from tools.mapmaker.regions import read_regions
from tools.mapmaker.relief import read_relief
from tools.mapmaker.rivers import RiverLayer, read_banks, upstream_last
from tools.mapmaker.shoreline import Window, read_rivers, read_shorelines, sample
from tools.mapmaker.sources import Geography
from tools.mapmaker.surface import Surface, survey
from tools.mapmaker.waterways import Network, River, read_rivers_wanted
from tools.mapmaker.wir.cities import STARTS, City, read_cities, settle
from tools.mapmaker.wir.cover import read_cover
from tools.mapmaker.wir.frame import Frame, wir_board
from tools.mapmaker.wir.fronts import behind, read_fronts
from tools.mapmaker.wir.ground import Nations, paint, read_nations, set_shores, set_waters
from tools.mapmaker.wir.rails import Line, RailLayer, read_lines, read_stations

SHARED = Path(__file__).parents[1] / "inputs"
INPUTS = SHARED / "wir"
WINDOW = Window(4.0, 71.0, 38.5, 72.0, 0.03)
YEARS = tuple(STARTS)


@dataclass
class WirMap:
    """A finished map."""

    draft: Draft
    frame: Frame
    surface: Surface
    cities: list[City]
    nations: Nations
    passable: set[str] = field(default_factory=set)
    axis_ground: dict[int, set[str]] = field(default_factory=dict)
    """For each year the hexes on the Axis side of the front."""
    rails: dict[str, list[Line]] = field(default_factory=dict)
    """The lines through each hex."""
    gauge: dict[int, dict[str, str]] = field(default_factory=dict)
    """For each year the gauge (``A`` or ``S``) of each hex with a railway."""


def make_wir(geography: Geography, inputs: Path = INPUTS, shared: Path = SHARED) -> WirMap:
    """The map of War in Russia."""
    board = wir_board()
    frame = Frame(inputs / "frame.toml")
    regions = replace(read_regions(inputs / "regions.toml"), marshes=read_regions(shared / "regions.toml").marshes)
    corrections = read_corrections(inputs / "corrections.toml")
    surface = survey(board, frame, sample(read_shorelines(geography.shorelines, WINDOW), WINDOW), regions)
    nations = read_nations(shared / "borders.toml", inputs / "borders.toml", geography.outlines)
    cities = settle(read_cities(inputs / "cities.csv"), board, frame)
    draft = Draft(board, named=set(), places=[city.place() for city in cities])
    set_waters(draft, surface)
    _fix(draft, corrections, "water", draft.water)
    set_shores(draft)
    land = {name for name in board.hexes if draft.is_land(name)}
    draft.country = vote(board, frame, surface.ground, nations.outlines, land)
    _fix(draft, corrections, "country", draft.country)
    cover = read_cover(geography.picture, surface.ground, len(board.hexes))
    paint(draft, surface, read_relief(geography.relief, board, frame, WINDOW), cover, regions, frame)
    _fix(draft, corrections, "terrain", draft.terrain)
    layer = RiverLayer(
        draft, frame, Network(read_rivers(geography.rivers, WINDOW)), read_banks(inputs / "banks.csv"),
        corrections.courses,
    )  # fmt: skip
    for river in upstream_last(rivers_wanted(inputs / "rivers.toml", shared / "rivers.toml")):
        layer.lay(river)
    _add_hand_rivers(draft, corrections)
    made = WirMap(draft, frame, surface, cities, nations)
    made.passable = _passable(made)
    _set_control(made, inputs / "fronts.toml")
    _lay_rails(made, inputs)
    return made


def rivers_wanted(own: Path, shared: Path) -> list[River]:
    """The rivers of the map, its own and those it takes from the shared file."""
    known = {river.id: river for river in read_rivers_wanted(shared)}
    taken = []
    for take in tomllib.loads(own.read_text(encoding="utf-8"))["take"]:
        river = known[take["id"]]
        parent = take.get("parent", river.parent)
        taken.append(River(river.id, river.name, parent, river.from_water, river.to_water, (), river.course))
    return taken + read_rivers_wanted(own)


def _fix(draft: Draft, corrections: Corrections, field_name: str, values: dict[str, str]) -> None:
    for fix in corrections.hexes:
        if fix.field == field_name:
            values[fix.hex] = fix.value
            draft.hex_because[fix.hex].append(fix.because)


def _add_hand_rivers(draft: Draft, corrections: Corrections) -> None:
    for fix in corrections.sides:
        side = draft.board.parse_side(fix.side)
        if fix.kind == "open":
            draft.rivers.pop(side, None)
            continue
        draft.rivers[side] = [fix.name]
        draft.side_because[side] = fix.because


def _passable(made: WirMap) -> set[str]:
    """Land of the countries at war that is connected with Moscow."""
    draft, board = made.draft, made.draft.board
    may = {name for name in board.hexes if draft.is_land(name) and made.nations.at_war(draft.country[name])}
    reached, todo = {made.frame.fixed_hex}, [made.frame.fixed_hex]
    while todo:
        for there in board.around(todo.pop()):
            if there in may and there not in reached:
                reached.add(there)
                todo.append(there)
    return reached


def _set_control(made: WirMap, path: Path) -> None:
    """Who holds each hex of the countries at war at the start of each scenario."""
    draft, fronts = made.draft, read_fronts(path)
    home = {name for name, country in draft.country.items() if country in made.nations.axis}
    for year in YEARS:
        held = set(home)
        if year in fronts:
            held |= {name for name in behind(fronts[year], draft.board, made.frame) if name in draft.country}
        for city in made.cities:
            (held.add if city.on(STARTS[year]).owner == "A" else held.discard)(city.hex)
        made.axis_ground[year] = {name for name in held if made.nations.at_war(draft.country[name])}


def _lay_rails(made: WirMap, inputs: Path) -> None:
    draft = made.draft
    rough = {name for name, terrain in draft.terrain.items() if terrain == "mountain"}
    cities = {city.hex for city in made.cities}
    layer = RailLayer(draft.board, made.passable, rough, cities)
    stations = read_stations(inputs / "stations.csv", draft.board, made.frame)
    stations |= {city.name: city.hex for city in made.cities}
    for line in read_lines(inputs / "rails.toml"):
        layer.lay(line, stations)
    made.rails = {name: found for name, found in layer.hexes.items() if name not in cities}
    made.gauge = {year: {name: _gauge(made, name, year) for name in made.rails} for year in YEARS}


def _gauge(made: WirMap, name: str, year: int) -> str:
    """Axis at home, and on converted lines behind the front; Soviet everywhere else."""
    if made.draft.country[name] in made.nations.axis:
        return "A"
    converted = any(0 < line.axis <= year for line in made.rails[name])
    return "A" if converted and name in made.axis_ground[year] else "S"
