"""The neutral symbols that counters may bear: data name them, and every drawing of a counter knows them."""

from __future__ import annotations

from typing import Final, Literal, get_args

Symbol = Literal[
    "infantry", "light", "mountain", "motorized", "shock", "front", "mechanized", "armor", "armored_cavalry",
    "cavalry", "air", "depot",
]  # fmt: skip
SYMBOLS: Final[tuple[Symbol, ...]] = get_args(Symbol)
