"""What a whole number stands for in a signature: a place in one of the arrays of the position, or a set of places."""

from __future__ import annotations

Side = int
"""0 the Axis, 1 the Soviet side."""
SeatNumber = int
"""The number of a seat in ``Ruleset.seats``."""
Hex = int
"""The index of a hex in the grid."""
Unit = int
"""The index of a unit in the roster."""
HexBits = int
"""A set of hexes: bit i stands for hex i."""
UnitBits = int
"""A set of units: bit i stands for unit i."""
