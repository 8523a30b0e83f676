"""What a whole number stands for in a signature: a place in one of the arrays of the position."""

from __future__ import annotations

Side = int
"""0 the Axis, 1 the Soviet side."""
Hex = int
"""The index of a hex in the grid."""
Unit = int
"""The slot of a unit: 0-198 Axis, 199-397 Soviet."""
Group = int
"""The number of a group, the manual's own: 1-63 Axis, 64-127 Soviet."""
