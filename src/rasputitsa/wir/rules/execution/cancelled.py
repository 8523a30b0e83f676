"""7.3 Plots that are not carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core.events import Event, event
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.marks import group_mark, hex_mark

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State

WHY_CANCELLED = {
    "rain": "in rain a group moves one hex a week",
    "terrain": "the way is impassable",
    "weary": "it is worn out",
    "full": "two groups are there already",
    "gone": "the enemy it was to fire at has left",
}


@event("plot_cancelled", "7.3", "unit", "hex", "text")
class PlotCancelled(Event):
    """A group does not carry out its plot."""

    group: Group
    hex: Hex
    reason: str

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} stays in {hex_mark(s, self.hex)}: {WHY_CANCELLED[self.reason]}"
