"""4.1 What combat groups may hold, and the loss of units and groups."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import counted
from rasputitsa.wir.model.indices import Group, Hex, Unit
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ART_POOL, KIND, MECHANIZED, group_side


def may_hold(s: State, group: Group, unit: Unit) -> bool:
    """Whether a unit's kind is allowed in a group (4.1): mechanized groups take motorized troops only."""
    return KIND[group] != MECHANIZED or s.rules.types[s.utype[unit]].mechanized


def room(s: State, group: Group) -> int:
    """How many more units a group may take."""
    return max(0, s.rules.limits.units - len(s.group_units[group]))


def places_left(s: State, hex_: Hex) -> int:
    """How many more groups there is room for in a hex (6.7)."""
    return s.rules.stack_limit - len(s.at.get(hex_, ()))


def why_full(s: State, hex_: Hex) -> str:
    """In words, that a hex holds as many groups of a side as there is room for (6.7)."""
    return f"{s.rules.grid.names[hex_]} holds {counted(s.rules.limits.stack, 'friendly group')}"


ENDED: Final[str] = "group {0} has ended its move (status N)"
"""Why a group does nothing more this turn."""


def why_ended(group: Group) -> IllegalAction:
    """The same as a refusal of any order (6.1)."""
    return IllegalAction(ENDED.format(group), "6.1")


def why_no_room(s: State, group: Group) -> str:
    """In words, that a group is full."""
    return f"group {group} has {counted(s.rules.limits.units, 'unit')}"


def strength(s: State, group: Group) -> int:
    """Strength points of all units of a group."""
    return sum(s.strength[u] for u in s.group_units[group])


def return_artillery(s: State, group: Group) -> int:
    """8.10: a group that moves gives its artillery points back to the pool; returns how many it had."""
    points = s.artillery[group]
    if points:
        s.artillery[group] = 0
        s.gain(group_side(group), ART_POOL, points)
    return points


def lose_unit(s: State, unit: Unit, context: Context) -> None:
    """A unit without strength is gone; a group that has lost its last unit leaves the map."""
    group = s.ugroup[unit]
    context.note(UnitLost(group, s.unit_label(unit)))
    s.disband(unit)
    if group and not s.group_units[group]:
        remove_empty(s, group, context)


def remove_empty(s: State, group: Group, context: Context) -> None:
    """A group without units leaves the map (4.3, 4.4); points it could not hand over go to the pool."""
    return_artillery(s, group)
    s.lift(group)
    context.note(GroupGone(group) if s.face is None else GroupDisbanded(group))


@event("unit_lost", "7.10", "unit", "text")
class UnitLost(Event):
    """A unit without strength is gone."""

    group: Group
    name: str

    def words(self, s: State) -> str:
        return f"{{unit:{self.group}}} loses {self.name}"


@event("group_gone", "4.1", "unit")
class GroupGone(Event):
    """A group that has lost all its units leaves the map."""

    group: Group

    def words(self, s: State) -> str:
        return f"Group {self.group} leaves the map"


@event("disbanded", "4.1", "unit")
class GroupDisbanded(Event):
    """A group whose units were sent away leaves the map."""

    group: Group

    def words(self, s: State) -> str:
        return f"Group {self.group} leaves the map"
