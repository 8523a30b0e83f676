"""7.3 Plots that are not carried out."""

from __future__ import annotations

from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.marks import group_mark, hex_mark
from rasputitsa.wir.model.state import State

WHY_CANCELLED = {
    "terrain": "the way is impassable",
    "weary": "it is worn out",
    "gone": "the enemy it was to fire at has left",
}


def why_cancelled(s: State, reason: str) -> str:
    """In words, why a plot is not carried out."""
    if reason == "full":
        most = s.rules.limits.stack
        return f"{counted(most, 'group')} {'is' if most == 1 else 'are'} already where it was to go"
    if reason == "rain":
        return f"in rain a group moves {counted(s.rules.march.rain, 'hex', 'hexes')} a week"
    return WHY_CANCELLED[reason]


def no_farther(s: State, group: Group, hex_: Hex, reason: str) -> str:
    """In words, where a group's plot ends before its second step, and why."""
    return f"group {group} comes no farther than {s.rules.grid.names[hex_]}: {why_cancelled(s, reason)}"


@event("plot_cancelled", "7.3", "unit", "hex", "text")
class PlotCancelled(Event):
    """A group does not carry out its plot."""

    group: Group
    hex: Hex
    reason: str

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} stays in {hex_mark(s, self.hex)}: {why_cancelled(s, self.reason)}"
