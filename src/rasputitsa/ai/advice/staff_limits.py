"""What a player lets a staff order."""

from __future__ import annotations

from typing import Literal, NamedTuple


class StaffLimits(NamedTuple):
    """For whom a staff plans, and whether they fight or stay where they are."""

    units: tuple[str, ...]
    stance: Literal["fight", "hold"] = "fight"
