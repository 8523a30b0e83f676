"""The whole making of a map, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.mapmaker.board import Side, portfolio_board
from tools.mapmaker.corrections import Because, Corrections, HexFix, read_corrections
from tools.mapmaker.draft import Draft
from tools.mapmaker.fit import Fit, read_anchors
from tools.mapmaker.lines import build_stalin_line, draw_arctic_line, mark_edges, name_waters
from tools.mapmaker.nations import claim, outlines_of_1941, read_set_up, vote
from tools.mapmaker.regions import Regions, read_regions
from tools.mapmaker.relief import read_relief
from tools.mapmaker.rivers import RiverLayer, read_banks, upstream_last
from tools.mapmaker.settle import read_places, settle
from tools.mapmaker.shoreline import read_rivers, read_shorelines, sample
from tools.mapmaker.sources import Geography
from tools.mapmaker.surface import Surface, survey
from tools.mapmaker.terrain import paint
from tools.mapmaker.waterways import Network, read_rivers_wanted

INPUTS = Path(__file__).parent / "inputs"
CAPITAL = "Q19"
OPEN_KINDS = ("open", "river")


@dataclass(frozen=True)
class Made:
    """A finished map and the fit it stands on."""

    draft: Draft
    fit: Fit
    surface: Surface


def make_portfolio(geography: Geography, units: Path, inputs: Path = INPUTS) -> Made:
    """The map of The Russian Portfolio."""
    board = portfolio_board()
    fit = Fit(board, read_anchors(inputs / "anchors.csv"))
    regions = read_regions(inputs / "regions.toml")
    corrections = read_corrections(inputs / "corrections.toml")
    set_up = read_set_up(units)
    surface = survey(board, fit, sample(read_shorelines(geography.shorelines)), regions)
    draft = Draft(board, named={stand.hex for stand in set_up})
    draft.places = settle(read_places(inputs / "places.csv"), board, fit, surface)
    _set_waters(draft, surface, corrections)
    _set_barriers(draft, surface, regions, fit, corrections)
    countries = outlines_of_1941([inputs / "borders.toml"], geography.outlines)
    land = {name for name in board.hexes if draft.is_land(name)}
    draft.country = vote(board, fit, surface.ground, countries, land)
    claim(draft.country, set_up)
    for place in draft.places:
        if place.country:
            draft.country[place.hex] = place.country
    _fix_hexes(draft, corrections, "country", draft.country)
    layer = RiverLayer(
        draft, fit, Network(read_rivers(geography.rivers)), read_banks(inputs / "banks.csv"), corrections.courses
    )
    for river in upstream_last(read_rivers_wanted(inputs / "rivers.toml")):
        layer.lay(river)
    _add_hand_rivers(draft, corrections)
    paint(draft, surface, read_relief(geography.relief, board, fit), regions)
    _fix_hexes(draft, corrections, "terrain", draft.terrain)
    build_stalin_line(draft, fit, layer, regions.fortified, corrections.works, CAPITAL)
    draw_arctic_line(draft, fit, regions)
    name_waters(draft, fit, regions)
    for fix in _fixes(corrections, "coast"):
        draft.coast[fix.hex].add(fix.value)
        draft.hex_because[fix.hex].append(fix.because)
    mark_edges(draft)
    return Made(draft, fit, surface)


def _fixes(corrections: Corrections, field: str) -> list[HexFix]:
    return [fix for fix in corrections.hexes if fix.field == field]


def _fix_hexes(draft: Draft, corrections: Corrections, field: str, values: dict[str, str]) -> None:
    for fix in _fixes(corrections, field):
        values[fix.hex] = fix.value
        draft.hex_because[fix.hex].append(fix.because)


def _set_waters(draft: Draft, surface: Surface, corrections: Corrections) -> None:
    """Land, sea or lake: places and set-up hexes are land whatever the shares say."""
    dry = draft.named | {place.hex for place in draft.places}
    for number, name in enumerate(draft.board.hexes):
        draft.water[name] = "land" if name in dry else surface.water_of(number)
    _fix_hexes(draft, corrections, "water", draft.water)


def _set_barriers(draft: Draft, surface: Surface, regions: Regions, fit: Fit, corrections: Corrections) -> None:
    """Sides that are sea or lake, by the hexes they part, by their shares, and by hand."""
    board = draft.board
    for side in board.sides:
        waters = {draft.water[name] for name in side}
        kind = next((w for w in ("sea", "lake") if w in waters), surface.side_kind(side))
        if kind:
            draft.barrier[side] = kind
    for seal in corrections.sealed:
        for other in board.around(seal.hex):
            if other not in seal.open_to:
                _set_side(draft, board.side(seal.hex, other), "sea", "", seal.because)
    for fix in corrections.sides:
        _set_side(draft, board.parse_side(fix.side), fix.kind, fix.name, fix.because)
    for side, kind in draft.barrier.items():
        if side not in draft.side_name and kind in ("sea", "lake"):
            where = fit.to_globe(*board.middle(side))
            draft.side_name[side] = regions.sea_at(*where) if kind == "sea" else regions.lake_at(*where)


def _set_side(draft: Draft, side: Side, kind: str, name: str, because: Because) -> None:
    if kind in OPEN_KINDS:
        draft.barrier.pop(side, None)
    else:
        draft.barrier[side] = kind
        if name:
            draft.side_name[side] = name
    if kind != "open":
        draft.side_because[side] = because


def _add_hand_rivers(draft: Draft, corrections: Corrections) -> None:
    for fix in corrections.sides:
        if fix.kind == "river":
            draft.rivers[draft.board.parse_side(fix.side)] = [fix.name]
    draft.one_way = corrections.one_way
