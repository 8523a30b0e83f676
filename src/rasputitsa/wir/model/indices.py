"""What a whole number stands for in a signature: a place in one of the arrays of the position, or a set of places."""

from __future__ import annotations

Side = int
"""0 the Axis, 1 the Soviet side."""
Hex = int
"""The index of a hex in the grid."""
Unit = int
"""The slot of a unit: 0-198 Axis, 199-397 Soviet."""
Group = int
"""The number of a group, the manual's own: 1-63 Axis, 64-127 Soviet."""
HexBits = int
"""A set of hexes: bit i stands for hex i."""
GroupBits = int
"""A set of groups: bit i stands for group i."""
CityNumber = int
"""The number of a city in ``Theatre.cities``."""
PlotNumber = int
"""What a group is ordered, in one number: a plot (``plot.unpack``) or an air strike (``air_plots.strike_of``), or 0."""
