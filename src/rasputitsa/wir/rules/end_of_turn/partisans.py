"""8.7 Partisans."""

from __future__ import annotations

from rasputitsa.core.chance import percent
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Hex, HexBits
from rasputitsa.wir.model.marks import hex_mark
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import FIRST_YEAR, INF_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET


def attacks_in(s: State) -> int:
    """How many times a week partisans try this year."""
    return int(s.rules.sheet["partisans"]["rolls"].get(str(s.year), 0))


def chance(s: State) -> float:
    """Percent chance of each attempt, less what the Axis keeps as security forces."""
    table = s.rules.sheet["partisans"]
    guards, each = s.pools[AXIS][INF_POOL] // table["guard_points"], table["guard_percent"]
    plain = float(table["chance"])
    if s.rules.options["partisan_guard"] == "compounded":
        return float(plain * (1 - each / 100) ** guards)
    return float(max(0.0, plain * (100 - each * guards) / 100))


def targets(s: State) -> HexBits:
    """Axis rail built in Russia, outside Axis zones of control and hexes with Axis groups."""
    return s.rail[AXIS] & s.rules.map.in_russia & ~(s.zoc(AXIS) | s.occ[AXIS])


def act(s: State, context: Context) -> None:
    """The attempts of one week. Rail that was there before the war is Soviet gauge again, other rail is gone."""
    before = s.rules.map.rail[FIRST_YEAR]
    for _ in range(attacks_in(s)):
        open_rail = members(targets(s))
        if not open_rail or not percent(context, "partisans", chance(s)):
            continue
        hex_ = open_rail[context.roll("partisans", len(open_rail)) - 1]
        s.rail[AXIS] &= ~(1 << hex_)
        s.rail[SOVIET] |= (before[AXIS] | before[SOVIET]) & 1 << hex_
        context.note(PartisansStruck(hex_))


@event("partisans", "8.7", "hex")
class PartisansStruck(Event):
    """Partisans destroy a rail line."""

    hex: Hex

    def words(self, s: State) -> str:
        return f"Partisans destroy the Axis rail line in {hex_mark(s, self.hex)}"
