"""The charts sheet of a data folder, and what of it cannot be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from rasputitsa.core.data.built_in import Bounds, Fixed, figure, refusal, require_built_in
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.model.data_folder import data_file, read_toml

FILE: Final = "charts.toml"
WATERS: Final = ("lake", "kronshtadt", "kerch")
"""What a move of one hex crosses and others do not (X.A.1): lake sides and the two straits."""
_RULE: Final = "the rules follow it by what they do"
_TRACK: Final = ("?", *["Good"] * 6, "?", "?", *["Snow"] * 5, "?", "?")
"""The printed weather of each box of the turn track; what is played is another field of the box."""
BUILT_IN: Final[Bounds] = {
    **{
        key: Fixed(value, _RULE)
        for key, value in {
            "map.rows": "A-NN", "map.columns": 28, "map.hex_km": 66, "movement.river_surcharge": 1,
            "stacking.units": 2, "stacking.above_corps": 1, "stacking.front": 1, "stacking.armor_in_rough": 1,
            "sea.units_per_sea": 1, "supply.air_supplied_stacks": 1, "production.arrivals_per_hex": 1,
            "siberia.shock_from_siberia_only": True, "first_turn.amphibious_attacks": 1,
            "feature.river.surcharge": 1,
            **{f"feature.{water}.attack_factor": "half_down" for water in WATERS},
            **{f"feature.{water}.move_limit": 1 for water in WATERS},
        }.items()
    },
    **{f"turns.{number}.track": Fixed(printed, "it is what the track shows") for number, printed in enumerate(_TRACK)},
}  # fmt: skip
"""What the rules are built for: they follow these figures by what they do, and read none of them."""


def charts(folder: Path) -> dict[str, Any]:
    """The charts sheet of a data folder; raises ``SetupError`` if it changes what is built in."""
    sheet = read_toml(folder, FILE)
    require_built_in(data_file(folder, FILE), FILE, sheet, BUILT_IN)
    return sheet


def bad_figure(folder: Path, key: str, message: str) -> SetupError:
    """Why no game starts with a value of the charts sheet of a data folder."""
    return refusal(data_file(folder, FILE), FILE, key, message)


def flag(folder: Path, sheet: dict[str, Any], key: str) -> bool:
    """A value that is true or false; raises ``SetupError`` for another one, or for none."""
    value = figure(sheet, key)
    if not isinstance(value, bool):
        raise bad_figure(folder, key, "this is true or false")
    return value
