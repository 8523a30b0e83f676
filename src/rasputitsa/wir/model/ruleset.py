"""Everything that does not change during a game: map, kinds of units, figures, scenario and options."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached, kept_of_rules
from rasputitsa.core.data.built_in import refusal
from rasputitsa.core.data.rows import Rows
from rasputitsa.core.errors import SetupError
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.data_folder import DATA_FOLDER, data_file, read_toml, stamp
from rasputitsa.wir.model.figures import combat_sheet, figures
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, Side
from rasputitsa.wir.model.options import complete
from rasputitsa.wir.model.tables import (
    FIRST_YEAR,
    KIND,
    LAST_YEAR,
    MOST_EXPERIENCE,
    POOLS,
    WEATHER_NAMES,
    sheet,
    unit_types,
)
from rasputitsa.wir.model.theatre import SIDES, YEARS, theatre

NUMBERED = 1000
"""2.2: unit names below this are numbers; from here on they are the names of ``Ruleset.names``."""


def date_words(day: date) -> str:
    """A date as the lobby, the bar and the log write it."""
    return f"{day.day} {day:%B %Y}"


def month_words(month: str) -> str:
    """A month as such texts write it: "January 1943" for ``1943-01``."""
    return f"{date.fromisoformat(f'{month}-01'):%B %Y}"


def short_date(day: date) -> str:
    """The same where there is little room: "28 Sep 42"."""
    return f"{day.day} {day:%b %y}"


class Line(NamedTuple):
    """One unit of a scenario's start."""

    side: Side
    group: Group
    hex: Hex
    entrenched: int
    artillery: int
    type: int
    name: str
    strength: int
    experience: int
    fatigue: int
    formation: str


class Seat(NamedTuple):
    """A command; there is one a side."""

    id: str
    side: Side
    title: str


def scenario_ids(folder: Path) -> tuple[str, ...]:
    """The scenarios of a data folder and those shipped, Barbarossa first."""
    return _scenario_ids(folder, stamp(folder))


@cached
def _scenario_ids(folder: Path, stamp: str) -> tuple[str, ...]:
    return tuple(sorted(DATA_FOLDER.names(folder, "scenarios")))


def scenario(name: str, folder: Path) -> dict[str, Any]:
    """A scenario (3.1); raises ``SetupError`` for an unknown one."""
    known = scenario_ids(folder)
    if name not in known:
        raise SetupError(f"there is no scenario {name!r}; known: {', '.join(known)}")
    return read_toml(folder, f"scenarios/{name}.toml")


class Ruleset:
    """Map, kinds of units, figures, scenario and options of one game, with the tables the rules look things up in."""

    def __init__(self, scenario_id: str, options: Mapping[str, str], folder: Path) -> None:
        self.options = complete(options)
        self.scenario_id = scenario_id
        self.folder = folder
        self.scenario = scenario(scenario_id, folder)
        self.sheet = sheet(folder)
        self.combat = combat_sheet(folder)
        (
            self.limits, self.march, self.relief, self.attack, self.guns, self.recruiting, self.entrenchment,
            self.losses, self.flight, self.raids, self.recovery, self.first_winter, self.yields,
        ) = figures(self.sheet, self.combat)  # fmt: skip
        self.stack_limit = self.limits.stack
        self.aircraft_limit = self.limits.aircraft
        """The two limits that are asked for most often."""
        self.map = theatre(folder, tuple(self.scenario.get("zone", ())))
        self.grid = self.map.grid
        self.supply_area = self.map.within(self.relief.radius)
        """For each hex the hexes that a depot in it supplies, itself included (5.2)."""
        self.supply_area_list = [tuple(members(hexes)) for hexes in self.supply_area]
        self.intercept_area = self.map.within(self.raids.intercept)
        """For each hex the hexes whose air groups may meet a strike on it (7.1)."""
        self.types = unit_types(folder)
        self.type_named = {kind.id: kind.number for kind in self.types if kind.number}
        self._require_kinds()
        self.setup_year: int = self.scenario["setup"]
        self.short: bool = self.scenario["short"]
        self.turns: int = self.scenario["turns"]
        self.start: date = self.scenario["start"]
        self.weather: int = WEATHER_NAMES.index(self.scenario["weather"])
        income = self.scenario.get("income", {})
        self.income = tuple(tuple(income.get(side, {}).get(pool, 0) for pool in POOLS) for side in SIDES)
        """What each pool of a side receives every week where nothing is produced."""
        self.dates: tuple[date, ...] = tuple(self.start + timedelta(7 * n) for n in range(self.turns + 1))
        self.years = tuple(day.year for day in self.dates)
        """The year in which each turn starts."""
        self.date_texts = tuple(date_words(day) for day in self.dates)
        self.seats = (Seat("axis", 0, "Axis"), Seat("soviet", 1, "Soviet Union"))
        self.most = self._by_year("strength")
        """For each year the largest strength of each kind of unit."""
        self.recruits = self._by_year("experience")
        """For each year the experience with which each kind of unit starts."""
        self.depot_hex = {base.group: base.hexes[self.year_index] for base in self.map.bases if base.kind == "depot"}
        self.lines = tuple(self._lines())
        self.names = self._names()
        self.name_number = {name: n for n, name in enumerate(self.names, start=NUMBERED)}
        self.written: dict[str, Action] = {}
        """Orders read from records so far, by their text: the same ones come again and again."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes as its name, so that a state sent to a player stays small."""
        return ruleset, (self.scenario_id, self.options, self.folder)

    @property
    def year_index(self) -> int:
        """The place of the scenario's year in the tables of the map."""
        return YEARS.index(self.setup_year)

    def _require_kinds(self) -> None:
        """8.13, 8.14: every kind of units that the sheet of execution names is one of the list."""
        changes = self.combat["redesignation"]
        named: dict[str, tuple[str, ...]] = {"siberia.kind": (self.combat["siberia"]["kind"],)}
        named["redesignation.changes"] = tuple(kind for _, *kinds in changes["changes"] for kind in kinds)
        named["redesignation.italian"] = tuple(changes["italian"][1:])
        for key, kinds in named.items():
            for kind in kinds:
                if kind not in self.type_named:
                    path = data_file(self.folder, "combat.toml")
                    raise refusal(path, "combat.toml", key, f"there is no kind of unit {kind!r:.40}")

    def _by_year(self, field: str) -> dict[int, tuple[int, ...]]:
        years = range(FIRST_YEAR, LAST_YEAR + 1)
        return {year: tuple(getattr(kind, field)[year - FIRST_YEAR] for kind in self.types) for year in years}

    def _lines(self) -> list[Line]:
        rows = Rows(data_file(self.folder, f"units_{self.setup_year}.csv"))
        found = []
        for n in range(len(rows)):
            kind = rows.value(n, "type")
            if kind not in self.type_named:
                raise rows.error(n, "type", f"there is no kind of unit {kind!r}")
            group = rows.whole(n, "group")
            if not 0 < group < len(KIND):
                raise rows.error(n, "group", "group numbers run from 1 to 127")
            found.append(
                Line(
                    rows.one_of(n, "side", SIDES), group, rows.hex(n, "hex", self.grid),
                    rows.whole(n, "entrenchment"), rows.whole(n, "artillery"), self.type_named[kind],
                    rows.value(n, "designation"), rows.whole(n, "strength"),
                    rows.whole(n, "experience", MOST_EXPERIENCE), rows.whole(n, "fatigue", self.march.most),
                    rows.value(n, "formation"),
                )
            )  # fmt: skip
        return found

    def _names(self) -> tuple[str, ...]:
        """Names that are no numbers: those of the scenario, and those that new units are given."""
        names = {line.name for line in self.lines if not line.name.isdecimal()}
        for _, elite in self.sheet["build"]["elite"]:
            names.update(elite)
        for key, given in self.sheet["names"].items():
            if isinstance(given, list):
                names.update(given)
            elif key not in ("source", "confidence"):
                raise SetupError(f"tables.toml: names.{key} is not a list")
        return tuple(sorted(names))

    def read_name(self, text: str) -> int:
        """The number that stands for a unit's name."""
        return int(text) if text.isdecimal() else self.name_number[text]

    def name(self, number: int) -> str:
        """A unit's name."""
        return str(number) if number < NUMBERED else self.names[number - NUMBERED]

    def month(self, turn: int) -> str:
        """The month in which a turn starts, as ``1941-06``; such texts compare like dates."""
        return self.dates[turn - 1].isoformat()[:7]

    def date_text(self, turn: int) -> str:
        """The date of a turn in words."""
        return self.date_texts[turn - 1]

    def city(self, name: str) -> CityNumber:
        """Number of a city by its name, for rules that name one."""
        return self.map.city_named[name]


@kept_of_rules
def _cached(scenario_id: str, options: tuple[tuple[str, str], ...], folder: Path, stamp: str) -> Ruleset:
    return Ruleset(scenario_id, dict(options), folder)


def ruleset(scenario_id: str, options: Mapping[str, str], folder: Path) -> Ruleset:
    """The ruleset of a scenario, options and data folder, built once; raises ``SetupError``."""
    return _cached(scenario_id, tuple(sorted(complete(options).items())), folder, stamp(folder))
