"""Everything that does not change during a game: map, counters, charts, scenario and options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rasputitsa.core.caching import cached, kept_of_rules
from rasputitsa.core.errors import SetupError
from rasputitsa.core.marks import counted
from rasputitsa.portfolio.model.agreement import require_agreement
from rasputitsa.portfolio.model.charts import charts, kerch_sea
from rasputitsa.portfolio.model.data_folder import DATA_FOLDER, read_toml, stamp
from rasputitsa.portfolio.model.indices import HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.options import complete
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET, theatre
from rasputitsa.portfolio.model.units import Roster, roster

OPENING = "position"
"""Where a scenario names the position that it starts from, written as in a position file."""
RESULTS = ("AE", "AD", "X", "S", "D1", "D4", "DX", "DE", "BR")


class Weather(NamedTuple):
    """A kind of weather and what it does (VI.B, XIII.C, XIII.E.1, XIV.B.2)."""

    id: str
    title: str
    movement: tuple[str, str]
    freezes: bool
    closed_seas: tuple[str, ...]
    advance: str
    overrun: tuple[bool, bool]
    air_supply: bool
    axis_first: bool
    decline_exchange: tuple[str, ...]


class Turn(NamedTuple):
    """One box of the turn track. ``weather`` is None where a die decides."""

    number: int
    date: str
    weather: str | None
    may_stop: bool
    last: bool


class Stacking(NamedTuple):
    """How many units a hex holds (XII)."""

    units: int
    above_corps: int
    front: int
    """Units in a hex with a front."""
    armor_in_rough: int


class Seat(NamedTuple):
    """A command (II): its side and the units it moves; their owning player (III)."""

    id: str
    side: Side
    title: str
    units: UnitBits


def scenario_ids(folder: Path) -> tuple[str, ...]:
    """The scenarios of a data folder and those shipped, the historical one first."""
    return _scenario_ids(folder, stamp(folder))


@cached
def _scenario_ids(folder: Path, stamp: str) -> tuple[str, ...]:
    return tuple(sorted(DATA_FOLDER.names(folder, "scenarios"), key=lambda name: (name != "june22", name)))


def scenario(name: str, folder: Path) -> dict[str, Any]:
    """A scenario with what it inherits; raises ``SetupError`` for an unknown one."""
    known = scenario_ids(folder)
    if name not in known:
        raise SetupError(f"there is no scenario {name!r}; known: {', '.join(known)}")
    own = read_toml(folder, f"scenarios/{name}.toml")
    return {**scenario(own["base"], folder), **own} if "base" in own else own


class Ruleset:
    """Map, counters, charts, scenario and options of one game, with the tables the rules look things up in."""

    def __init__(self, scenario_id: str, options: Mapping[str, str], folder: Path) -> None:
        self.options = complete(options)
        self.scenario_id = scenario_id
        self.folder = folder
        self.scenario = scenario(scenario_id, folder)
        self.charts = charts(folder)
        self.map = theatre(folder, tuple(self.scenario.get("zone", ())))
        self.grid = self.map.grid
        self.roster: Roster = roster(folder)
        self.units = self.roster.units
        require_agreement(folder, self.charts, self.map)
        crt = self.charts["crt"]
        self.columns: list[str] = crt["columns"]
        self.crt: dict[int, list[str]] = {int(die): row for die, row in crt["rows"].items()}
        """The combat results table (CRT): by the die a result for each column."""
        self.weather = {name: self._weather(name, table) for name, table in self.charts["weather"].items()}
        self.turns = {turn.number: turn for turn in map(self._turn, self.charts["turns"])}
        self.first_turn: int = self.scenario["start_turn"]
        self.span = self._span()
        """The first turn and the last one that can be played."""
        self.free_deployment = self.options["soviet_deployment"] == "free"
        self.seats = self._seats()
        self.owners = [
            next(n for n, seat in enumerate(self.seats) if seat.units >> u & 1) for u in range(len(self.units))
        ]
        self.commands = tuple([n for n, seat in enumerate(self.seats) if seat.side == side] for side in (AXIS, SOVIET))
        self._read_figures()
        self.bonus = (self.charts["movement"]["bonus_axis"], self.charts["movement"]["bonus_soviet"])
        self.frozen_at_start = self._frozen_at_start()
        self.barred_country = self._barred_country()
        self.sea_keys: dict[str, HexBits] = {
            zone: sum(1 << self.map.named(name) for name in names)
            for zone, names in self.charts["sea"]["control"].items()
        }
        self.side_edge = tuple(self._edge(side) for side in (AXIS, SOVIET))
        self.home = tuple(
            sum(self.map.country[c] for c, side in self.charts["countries"].items() if side == SIDES[n])
            for n in (AXIS, SOVIET)
        )

    def _span(self) -> tuple[int, int]:
        opening = self.scenario.get(OPENING, {})
        return (
            opening.get("turn", self.first_turn),
            opening.get("goal", {}).get("last_turn", max(self.turns)),
        )

    def _read_figures(self) -> None:
        """Figures and options that are looked up again and again."""
        self.zones_end_at_barriers = self.options["zoc_barriers"] == "respect"
        self.zone_reentry_barred = self.options["zone_reentry"] == "barred"
        self.advance_stays_in_zone = self.options["advance_zones"] == "stay"
        self.retreats_through_full_hexes = self.options["retreat_room"] == "last_hex"
        self.rivers_of_last_step = self.options["river_cost"] == "last_step"
        self.rivers_of_whole_move = self.options["river_cost"] == "whole_move"
        self.reserve_penalties: tuple[int, ...] = tuple(self.charts["reserve"]["penalties"])
        """What the box of the track takes from movement (RESERVE.0 the Initial Phase, then RESERVE.1 to RESERVE.7)."""
        crowd = self.charts["stacking"]
        self.stacking = Stacking(crowd["units"], crowd["above_corps"], crowd["front"], crowd["armor_in_rough"])
        self.stack_limit = self.stacking.units
        self.room_by_sets = self.stack_limit == 2 and set(self.stacking[1:]) == {1}
        """Whether a position's sets of full hexes and the like tell where there is room; else stacks are counted."""
        self.river_surcharge: int = self.charts["movement"]["river_surcharge"]
        self.kerch_sea = kerch_sea(self.charts)
        self.units_per_sea: int = self.charts["sea"]["units_per_sea"]
        self.air_supplied_stacks: int = self.charts["supply"]["air_supplied_stacks"]
        self.amphibious_attacks: int = self.charts["first_turn"]["amphibious_attacks"]
        self.fuel_short_factor: int = self.charts["movement"]["fuel_short_factor"]
        self.fronts_per_turn: int = self.charts["production"]["fronts_per_turn"]
        self.shock_min_armor: int = self.charts["production"]["shock_min_armor"]
        self.rail_capacity: list[int] = [self.charts["rail"][side] for side in SIDES]
        self.supply_range: int = self.charts["supply"]["range"]
        self.late_production: bool = not self.scenario["first_turn_replacements"]
        self.first_to_wait: tuple[str, ...] = tuple(self.charts["first_turn"]["axis_allies_wait"])
        self.waters: dict[str, HexBits] = {}
        """The coasts of each group of waters."""
        for group, zones in self.charts["sea"]["waters"].items():
            self.waters[group] = 0
            for zone in zones:
                self.waters[group] |= self.map.coast[zone]
        self.shunned: dict[str, UnitBits] = {}
        """The units a nation shares no hex with (X.D.2)."""
        for one, other in self.charts["forbidden"]["sharing"]:
            for nation, shuns in ((one, other), (other, one)):
                self.shunned[nation] = self.shunned.get(nation, 0) | self.roster.of_nation[shuns]

    @staticmethod
    def _weather(name: str, table: dict[str, Any]) -> Weather:
        return Weather(
            name, table["title"], (table["axis_movement"], table["soviet_movement"]), table["freezes"],
            tuple(table["closed_seas"]), table["advance"],
            (table["overrun_axis"], table["overrun_soviet"]), table["air_supply"], table["axis_first"],
            tuple(table["decline_exchange"]),
        )  # fmt: skip

    def _turn(self, box: dict[str, Any]) -> Turn:
        """A box of the turn track (TRACK)."""
        weather = box["weather"]
        for option, values in box.get("option", {}).items():
            weather = values[self.options[option]]
        return Turn(
            box["number"], box["date"], None if weather == "roll" else weather,
            box.get("stop", False), box.get("last", False),
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes as its name, so that a state sent to a player stays small."""
        return ruleset, (self.scenario_id, self.options, self.folder)

    def _seats(self) -> tuple[Seat, ...]:
        if self.options["players"] == "2":
            titles = ("Axis", "Soviet Union")
            return tuple(Seat(SIDES[n], n, titles[n], self.roster.of_side[n]) for n in (AXIS, SOVIET))
        return tuple(
            Seat(
                f"{SIDES[side]}_{group}", side, f"{('Axis', 'Soviet')[side]} {group}",
                sum(1 << u.number for u in self.units if u.side == side and u.group == group),
            )
            for side in (AXIS, SOVIET)
            for group in ("north", "south")
        )  # fmt: skip

    def seats_of(self, side: Side) -> list[SeatNumber]:
        """Numbers of the seats of a side; the first is its commander."""
        return self.commands[side]

    def commander(self, side: Side) -> SeatNumber:
        """Number of the seat that decides for a side as a whole."""
        return self.commands[side][0]

    def owner(self, unit: Unit) -> SeatNumber:
        """III.OwningPlayer: the number of the seat that moves a unit."""
        return self.owners[unit]

    def beyond_border(self) -> str:
        """In words, where the Soviet units stand that wait at first (XVI.B.3)."""
        hexes = counted(self.charts["first_turn"]["soviet_frozen_beyond"], "hex", "hexes")
        return f"more than {hexes} from the German border"

    def _frozen_at_start(self) -> HexBits:
        """Soviet hexes too far from the German border to act in the first Initial Phase (XVI.B.3)."""
        reach = self.charts["first_turn"]["soviet_frozen_beyond"]
        near = self.map.country["DE"]
        for _ in range(reach):
            near |= self.grid.spread(near)
        return self.grid.board & ~near

    def _barred_country(self) -> dict[str, int]:
        """Hexes a nation may never enter (X.D.2)."""
        return {
            nation: sum(self.map.country[c] for c in countries)
            for nation, countries in self.charts["forbidden"]["countries"].items()
        }

    def _edge(self, side: Side) -> HexBits:
        nations = {u.nation for u in self.units if u.side == side}
        return sum(self.map.edge[c] for c in {self.charts["supply_country"][n] for n in nations})

    def supply_edge(self, nation: str) -> HexBits:
        """Map-edge hexes that supply a nation's units (XIV.A)."""
        return self.map.edge[self.charts["supply_country"][nation]]


@kept_of_rules
def _cached(scenario_id: str, options: tuple[tuple[str, str], ...], folder: Path, stamp: str) -> Ruleset:
    return Ruleset(scenario_id, dict(options), folder)


def ruleset(scenario_id: str, options: Mapping[str, str], folder: Path) -> Ruleset:
    """The ruleset of a scenario, options and data folder, built once; raises ``SetupError``."""
    return _cached(scenario_id, tuple(sorted(complete(options).items())), folder, stamp(folder))
