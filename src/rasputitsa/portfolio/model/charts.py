"""The charts sheet of a data folder, and what of it cannot be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from rasputitsa.core.caching import cached
from rasputitsa.core.data.built_in import Between, Bounds, Entries, Fixed, figure, refusal, require_built_in
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.model.data_folder import DATA, data_file, read_toml

FILE: Final = "charts.toml"
WATERS: Final = ("lake", "kronshtadt", "kerch")
"""What a move of one hex crosses and others do not (X.A.1): lake sides and the two straits."""
ROWS: Final = 40
COLUMNS: Final = 28
CRT_COLUMNS: Final = 11
"""From 1:4 to 10:1."""
_PRINTED: Final = "it tells what is printed; `weather` and `option` of the box are played"
_LAYOUT: Final = "positions, saved games and learning programs are laid out by it"
_STACKS: Final = "the start has two units in a hex, and a saved game tells of eight at most"
_WATER: Final = "a side of lake or strait is a barrier with a way across, for one hex and half the strength"
_BOUNDS: Final[Bounds] = {
    "map.rows": Fixed("A-NN", _LAYOUT), "map.columns": Fixed(COLUMNS, _LAYOUT),
    "map.hex_km": Fixed(66, "no rule measures in kilometres"),
    "movement.river_surcharge": Between(0, 10, "no unit has more movement factors"),
    "stacking.units": Between(2, 8, _STACKS), "stacking.above_corps": Between(1, 8, _STACKS),
    "stacking.front": Between(1, 8, _STACKS), "stacking.armor_in_rough": Between(1, 8, _STACKS),
    "sea.units_per_sea": Between(0, 20, "no side has more to ship"),
    "supply.air_supplied_stacks": Between(0, 20, "no side has more stacks to supply"),
    "production.arrivals_per_hex": Fixed(1, "a position marks the hexes where a unit has arrived, and not how many"),
    "siberia.shock_from_siberia_only": Fixed(True, "`pool` in units.csv says when each shock army enters"),
    "first_turn.amphibious_attacks": Between(0, 1, "a position has one mark for them"),
    **{f"feature.{water}.attack_factor": Fixed("half_down", _WATER) for water in WATERS},
    **{f"feature.{water}.move_limit": Fixed(1, _WATER) for water in WATERS},
    "crt.columns": Entries(CRT_COLUMNS, "columns", "the highest, 10:1, is known by its place"),
    "siberia.die": Fixed([1, 6], "it is cast with the die of the game, which has six sides"),
}  # fmt: skip


@cached
def built_in() -> Bounds:
    """What of the sheet is built in, and the bounds of figures that positions and learning programs depend on."""
    printed = enumerate(read_toml(DATA, FILE)["turns"])
    return {**_BOUNDS, **{f"turns.{number}.track": Fixed(box["track"], _PRINTED) for number, box in printed}}


def charts(folder: Path) -> dict[str, Any]:
    """The charts sheet of a data folder; raises ``SetupError`` if a figure is out of its bounds."""
    sheet = read_toml(folder, FILE)
    require_built_in(data_file(folder, FILE), FILE, sheet, built_in())
    return sheet


def kerch_sea(sheet: dict[str, Any]) -> str:
    """The sea whose control counts across the Kerch Straits (X.B.4); if a sheet names none, the game's."""
    own = sheet["feature"]["kerch"]
    told = own if "controlled_sea" in own else read_toml(DATA, FILE)["feature"]["kerch"]
    sea: str = told["controlled_sea"]
    return sea


def bad_figure(folder: Path, key: str, message: str) -> SetupError:
    """Why no game starts with a value of the charts sheet of a data folder."""
    return refusal(data_file(folder, FILE), FILE, key, message)


def flag(folder: Path, sheet: dict[str, Any], key: str) -> bool:
    """A value that is true or false; raises ``SetupError`` for another one, or for none."""
    value = figure(sheet, key)
    if not isinstance(value, bool):
        raise bad_figure(folder, key, "this is true or false")
    return value
