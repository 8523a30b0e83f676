"""The charts sheet of a data folder, and what of it cannot be changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rasputitsa.core.data.built_in import require_built_in
from rasputitsa.portfolio.model.data_folder import read_toml

FILE: Final = "charts.toml"
_WATER: Final[Mapping[str, Any]] = {
    "attack_factor": "half_down", "move_limit": 1,
    "barred_types": ["armor", "mechanized", "armored_cavalry", "cavalry"],
}  # fmt: skip
"""Crossing a lake or a strait (X.A.1, X.B.4)."""
_TERRAIN: Final[Mapping[str, Any]] = {
    "clear.title": "Clear", "clear.bonus": [], "clear.overrun": True, "clear.rough": False,
    "swamp.overrun": False, "swamp.rough": True, "swamp.freezes": True,
    "hills.overrun": False, "hills.rough": False,
    "mountain.overrun": False, "mountain.rough": True, "mountain.freezes": False,
}  # fmt: skip
_FEATURES: Final[Mapping[str, Any]] = {
    **{f"{water}.{key}": value for water in ("lake", "kronshtadt", "kerch") for key, value in _WATER.items()},
    "river.surcharge": 1, "river.freezes": True, "lake.freezes": True, "kronshtadt.freezes": False,
    "kerch.freezes": False, "fortress.overrun": False, "major.overrun": False, "town.bonus": [],
}  # fmt: skip
_BOXES: Final = (
    ("1941-06", "?"), ("1941-06", "Good"), ("1941-07", "Good"), ("1941-08", "Good"), ("1941-08", "Good"),
    ("1941-09", "Good"), ("1941-10", "Good"), ("1941-10", "?"), ("1941-11", "?"), ("1941-12", "Snow"),
    ("1941-12", "Snow"), ("1942-01", "Snow"), ("1942-02", "Snow"), ("1942-02", "Snow"), ("1942-03", "?"),
    ("1942-04", "?"),
)  # fmt: skip
"""Month and printed weather of each box of the turn track; what is played is another field of the box."""
BUILT_IN: Final[Mapping[str, Any]] = {
    "map.rows": "A-NN", "map.columns": 28, "map.hex_km": 66, "movement.river_surcharge": 1,
    "stacking.units": 2, "stacking.above_corps": 1, "stacking.front": 1, "stacking.armor_in_rough": 1,
    "sea.units_per_sea": 1, "supply.air_supplied_stacks": 1, "production.arrivals_per_hex": 1,
    "siberia.shock_from_siberia_only": True, "first_turn.amphibious_attacks": 1,
    **{f"terrain.{key}": value for key, value in _TERRAIN.items()},
    **{f"turns.{number}.month": month for number, (month, _) in enumerate(_BOXES)},
    **{f"turns.{number}.track": printed for number, (_, printed) in enumerate(_BOXES)},
    **{f"feature.{key}": value for key, value in _FEATURES.items()},
}  # fmt: skip
"""What the rules are built for: they follow these figures by what they do, and read none of them."""


def charts(folder: Path) -> dict[str, Any]:
    """The charts sheet of a data folder; raises ``SetupError`` if it changes what is built in."""
    sheet = read_toml(folder, FILE)
    require_built_in(FILE, sheet, BUILT_IN)
    return sheet
