"""4.0 Group adjustment and building: the menu of the phase, dividing, transferring, aircraft."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted, figured
from rasputitsa.wir.model import groups
from rasputitsa.wir.model.actions import BACK, DONE, HALT, act, each
from rasputitsa.wir.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    AIR_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    group_side,
    groups_of,
)
from rasputitsa.wir.rules.adjustment import agreements, build, naval
from rasputitsa.wir.rules.adjustment.build import FORMS, GroupFormed

COMBAT: Final = (MECHANIZED, INFANTRY)


def begin(s: State, side: Side, context: Context) -> None:
    """Start the adjustment phase of a side."""
    push(s, Adjust(side))


@question
class Adjust(Frame):
    """The menu of the phase."""

    side: Side

    kind = "adjust"
    rule = "4.0"

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return "Adjust your groups and build"

    def options(self, s: State) -> list[Action]:
        side = self.side
        return [
            DONE,
            *each("divide", _dividable(s, side)),
            *_transfers(s, side),
            *_air_transfers(s, side),
            *build.options(s, side),
            *naval.options(s, side),
            *agreements.options(s),
        ]

    def apply(self, s: State, action: Action, context: Context) -> None:
        verb, args = action
        if verb == "done":
            pop(s)
        elif verb == "divide":
            push(s, DivideForm(args[0]))
        elif verb == "transfer":
            push(s, Transferring(args[0], args[1], False))
        elif verb == "aircraft":
            push(s, Aircraft(args[0], args[1]))
        elif verb == "reinforce":
            push(s, Aircraft(0, args[0]))
        elif verb == "naval":
            push(s, naval.Sailing(args[0], args[1]))
        elif verb in agreements.VERBS:
            agreements.apply(s, self.side, action)
        else:
            build.apply(s, self.side, action, context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb, args = action
        found: IllegalAction | None = None
        if verb == "divide":
            found = why_not_divide(s, self.side, args[0])
        elif verb == "transfer":
            found = why_not_transfer(s, self.side, args[0], args[1])
        elif verb in ("aircraft", "reinforce"):
            found = why_not_aircraft(s, self.side, args[0] if len(args) > 1 else 0, args[-1])
        elif verb == "naval":
            found = naval.why_not(s, self.side, args[0], args[1])
        elif verb in agreements.VERBS:
            found = agreements.why_not(s, action)
        elif verb in build.VERBS:
            found = build.why_not(s, self.side, action)
        return found or self.out_of_place(s, action, f"{verb!r} is not possible now: {self.prompt(s)}")


# ---------------------------------------------------------------------- dividing and transferring


def not_yours(s: State, side: Side, group: Group, rule: str) -> IllegalAction | None:
    """Why a number is not that of an own combat group on the map, or None when it is."""
    if not s.combat_group(group):
        return IllegalAction(f"there is no combat group {group} on the map", rule)
    if group_side(group) != side:
        return IllegalAction(f"group {group} belongs to the other side", rule)
    return None


def free_forms(s: State, side: Side) -> list[int]:
    """The menu numbers of those types of group that have an unused group number."""
    return [form for form, kind in FORMS.items() if s.free_group(groups_of(side, kind))]


def why_not_divide(s: State, side: Side, group: Group) -> IllegalAction | None:
    """Why a group cannot be divided, or None when it can."""
    problem = not_yours(s, side, group, "4.3")
    if problem:
        return problem
    if len(s.at[s.hex[group]]) > 1:
        return IllegalAction(f"group {group} is stacked with another group and may not be divided", "4.3")
    if not any(_fits_some(s, group, form) for form in free_forms(s, side)):
        return IllegalAction("no group number of a fitting type is unused", "4.3")
    return None


def _dividable(s: State, side: Side) -> list[Group]:
    """The groups that can be divided."""
    forms = free_forms(s, side)
    if not forms:
        return []
    alone = [g for g in s.on_map(groups_of(side, *COMBAT)) if len(s.at[s.hex[g]]) == 1]
    return alone if 2 in forms else [g for g in alone if _fits_some(s, g, 1)]


def _fits_some(s: State, group: Group, form: int) -> bool:
    return form == 2 or any(s.rules.types[s.utype[u]].mechanized for u in s.group_units[group])


def why_not_transfer(s: State, side: Side, source: Group, target: Group) -> IllegalAction | None:
    """Why nothing can go from a group to another, or None when something can."""
    problem = not_yours(s, side, source, "4.4") or not_yours(s, side, target, "4.4")
    if problem:
        return problem
    if source == target or s.hex[source] != s.hex[target]:
        return IllegalAction(f"groups {source} and {target} are not two groups in the same hex", "4.4")
    if _transferable(s, source, target):
        return None
    if not groups.room(s, target):
        return IllegalAction(groups.why_no_room(s, target), "4.4")
    return IllegalAction(f"mechanized group {target} may hold none of the units of group {source}", "4.1")


def _transfers(s: State, side: Side) -> list[Action]:
    found = []
    for here in s.at.values():
        if len(here) > 1 and group_side(here[0]) == side:
            able = [g for g in here if KIND[g] in COMBAT]
            found += [act("transfer", x, y) for x in able for y in able if x != y and _transferable(s, x, y)]
    return found


def _transferable(s: State, source: Group, target: Group) -> bool:
    """Whether a group has anything that another in its hex may take."""
    return s.artillery[source] > 0 or bool(_sendable(s, source, target))


def _sendable(s: State, source: Group, target: Group) -> list[int]:
    """List numbers (from 1) of the units of a group that another may take."""
    if not groups.room(s, target):
        return []
    return [n for n, unit in enumerate(s.group_units[source], start=1) if groups.may_hold(s, target, unit)]


@question
class DivideForm(Frame):
    """4.3: which type of group is formed."""

    group: Group

    kind = "divide"
    rule = "4.3"

    def seat(self, s: State) -> Side:
        return group_side(self.group)

    def prompt(self, s: State) -> str:
        return "Which kind of group is formed by the division?"

    def about(self, s: State) -> About:
        return About((self.group,), (s.hex[self.group],))

    def options(self, s: State) -> list[Action]:
        forms = [form for form in free_forms(s, group_side(self.group)) if _fits_some(s, self.group, form)]
        return [BACK, *each("form", forms)]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "form":
            kind = FORMS[action.args[0]]
            push(s, Transferring(self.group, s.free_group(groups_of(group_side(self.group), kind)), True))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "form" and action.args[0] in FORMS:
            if _fits_some(s, self.group, action.args[0]):
                return IllegalAction("all numbers of that type of group are in use", "4.3")
            return IllegalAction(f"no unit of group {self.group} may be in a mechanized group", "4.1")
        return self.out_of_place(s, action, "form 1 a mechanized group or 2 an infantry group")


@question
class Transferring(Frame):
    """4.3, 4.4: units and artillery points go from one group to another, which division has just formed."""

    source: Group
    target: Group
    formed: bool

    kind = "transfer"
    ask_single = True

    @property
    def rule(self) -> str:  # type: ignore[override]  # a class variable elsewhere
        """Division or transfer."""
        return "4.3" if self.formed else "4.4"

    def seat(self, s: State) -> Side:
        return group_side(self.source)

    def prompt(self, s: State) -> str:
        return "Which unit is sent over, or how many artillery points?"

    def about(self, s: State) -> About:
        return About((self.source, self.target), (s.hex[self.source],))

    def options(self, s: State) -> list[Action]:
        found = [HALT, *each("send", _sendable(s, self.source, self.target))]
        points = s.artillery[self.source]
        if points and s.group_units[self.target]:
            found += each("guns", _portions(points))
        return found

    def dividing(self, s: State) -> bool:
        """Whether a division still waits for the first unit of the new group."""
        return self.formed and s.hex[self.target] < 0

    def gives_up(self, s: State, action: Action) -> str:
        return "no unit is sent yet, so no group is formed" if action == HALT and self.dividing(s) else ""

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "send":
            unit = s.group_units[self.source][action.args[0] - 1]
            if s.hex[self.target] < 0:
                s.place(self.target, s.hex[self.source])
                context.note(GroupFormed(self.target, s.hex[self.target]))
            s.join(unit, self.target)
            context.note(UnitSent(group_side(self.source), self.source, self.target, s.unit_label(unit)))
        elif action.verb == "guns":
            s.artillery[self.source] -= action.args[0]
            s.artillery[self.target] += action.args[0]
            context.note(GunsSent(group_side(self.source), self.source, self.target, action.args[0]))
        else:
            pop(s)
            if not s.group_units[self.source]:
                groups.remove_empty(s, self.source, context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb, args = action
        if verb == "send":
            if not 1 <= args[0] <= len(s.group_units[self.source]):
                return IllegalAction(f"group {self.source} has no unit number {args[0]}", self.rule)
            if not groups.room(s, self.target):
                return IllegalAction(groups.why_no_room(s, self.target), "4.4")
            label = s.unit_label(s.group_units[self.source][args[0] - 1])
            return IllegalAction(f"{label} may not be in a mechanized group", "4.1")
        if verb == "guns":
            if not s.group_units[self.target]:
                return IllegalAction("send a unit first: artillery points go with units", self.rule)
            guns = figured(s.artillery[self.source], "artillery point")
            return IllegalAction(f"group {self.source} has {guns}; they go in tens, or all", self.rule)
        return self.out_of_place(s, action, "send units or guns, or halt")


def _portions(points: int) -> list[int]:
    """Amounts that may be handed over: tens, and everything."""
    return [*range(10, points, 10), points]


# ---------------------------------------------------------------------- aircraft


def moves_left(s: State, side: Side) -> int:
    """Aircraft points that a side may still transfer this turn."""
    return max(0, s.rules.raids.moves - s.air_moves[side])


def movable_aircraft(s: State, side: Side, source: Group, target: Group) -> int:
    """Aircraft points that can go from a group (0: the pool) to another (4.5)."""
    have = s.aircraft[source] if source else s.pools[side][AIR_POOL]
    return min(have, s.rules.aircraft_limit - s.aircraft[target], moves_left(s, side))


def _air_transfers(s: State, side: Side) -> list[Action]:
    if not moves_left(s, side):
        return []
    bases = s.on_map(groups_of(side, AIR))
    found = [act("reinforce", g) for g in bases if movable_aircraft(s, side, 0, g) > 0]
    found += [act("aircraft", a, b) for a in bases for b in bases if a != b and movable_aircraft(s, side, a, b) > 0]
    return found


def why_not_aircraft(s: State, side: Side, source: Group, target: Group) -> IllegalAction | None:
    """Why no aircraft can be transferred, or None when they can."""
    for group in (source, target) if source else (target,):
        if KIND[group] != AIR or group_side(group) != side or s.hex[group] < 0:
            return IllegalAction(f"there is no air group {group} of yours on the map", "4.5")
    if not moves_left(s, side):
        return IllegalAction(f"{s.rules.raids.moves} aircraft points have been transferred this turn", "4.5")
    if source == target:
        return IllegalAction("aircraft go from one air group to another", "4.5")
    if s.aircraft[target] >= s.rules.limits.aircraft:
        return IllegalAction(f"air group {target} has {s.rules.limits.aircraft} aircraft points", "4.2")
    if movable_aircraft(s, side, source, target) <= 0:
        return IllegalAction(f"{f'air group {source}' if source else 'the pool'} has no aircraft points", "4.5")
    return None


@question
class Aircraft(Frame):
    """4.5: how many aircraft points go."""

    source: Group
    target: Group

    kind = "aircraft"
    rule = "4.5"

    def seat(self, s: State) -> Side:
        return group_side(self.target)

    def prompt(self, s: State) -> str:
        return "How many aircraft points are transferred?"

    def about(self, s: State) -> About:
        return About((self.source, self.target) if self.source else (self.target,), (s.hex[self.target],))

    def options(self, s: State) -> list[Action]:
        most = movable_aircraft(s, group_side(self.target), self.source, self.target)
        return [BACK, *each("points", range(1, most + 1))]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "back":
            return
        side, points = group_side(self.target), action.args[0]
        if self.source:
            s.aircraft[self.source] -= points
        else:
            s.gain(side, AIR_POOL, -points)
        s.aircraft[self.target] += points
        s.air_moves[side] += points
        context.note(AircraftSent(side, self.source, self.target, points))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb != "points":
            return self.out_of_place(s, action, "say how many aircraft points go, or back")
        side = group_side(self.target)
        most = movable_aircraft(s, side, self.source, self.target)
        left = figured(moves_left(s, side), "transfer is", "transfers are")
        return IllegalAction(
            f"{figured(most, 'point')} at most can go: {left} left this turn, "
            f"and a group holds {s.rules.limits.aircraft}",
            "4.5",
        )


@event("sent", "4.4", "side", "unit", "unit", "text")
class UnitSent(Event):
    """A unit goes to another group."""

    side: Side
    source: Group
    target: Group
    name: str

    def words(self, s: State) -> str:
        return f"{side_name(self.side)}: {self.name} goes from group {self.source} to group {self.target}"


@event("guns_sent", "4.4", "side", "unit", "unit", "number")
class GunsSent(Event):
    """Artillery goes to another group."""

    side: Side
    source: Group
    target: Group
    points: int

    def words(self, s: State) -> str:
        return (
            f"{side_name(self.side)}: {counted(self.points, 'artillery point')} "
            f"{'goes' if self.points == 1 else 'go'} from group {self.source} to group {self.target}"
        )


@event("aircraft_sent", "4.5", "side", "unit", "unit", "number")
class AircraftSent(Event):
    """Aircraft go to another group, or come from the pool (0)."""

    side: Side
    source: Group
    target: Group
    points: int

    def words(self, s: State) -> str:
        return (
            f"{side_name(self.side)}: {counted(self.points, 'aircraft point')} "
            f"{'goes' if self.points == 1 else 'go'} from "
            f"{f'air group {self.source}' if self.source else 'the pool'} to air group {self.target}"
        )
