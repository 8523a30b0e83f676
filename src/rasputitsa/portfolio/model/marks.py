"""How hexes and units are marked in texts, so that a client can make them clickable."""

from __future__ import annotations

from rasputitsa.portfolio.model.state import State

SIDE_NAMES = ("Axis", "Soviet")


def unit_mark(s: State, unit: object) -> str:
    """``{unit:39Pz}``"""
    return f"{{unit:{s.rules.units[int(str(unit))].id}}}"


def hex_mark(s: State, hex_: object) -> str:
    """``{hex:N6}``"""
    return f"{{hex:{s.rules.grid.names[int(str(hex_))]}}}"


def units_marks(s: State, units: object) -> str:
    """Several units, joined by commas."""
    assert isinstance(units, (tuple, list))
    return ", ".join(unit_mark(s, u) for u in units)
