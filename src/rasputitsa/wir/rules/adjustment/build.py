"""4.8, 4.9 Building units, building and dismantling factories."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted, listed
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.wir.model import groups
from rasputitsa.wir.model.actions import BACK, HALT, at_hexes, each
from rasputitsa.wir.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, HexBits, Side
from rasputitsa.wir.model.marks import city_name, hex_mark, side_name
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    CONSTRUCTION,
    FACTORIES,
    INFANTRY,
    KIND,
    KIND_NAMES,
    MECHANIZED,
    UNITS_PER_SIDE,
    groups_of,
)
from rasputitsa.wir.model.theatre import OUT_OF_PLAY, PLANT_NAMES, PLANTS, POPULATION
from rasputitsa.wir.rules.adjustment import recruits

VERBS = ("build", "factory", "dismantle")
FORMS: Final[dict[int, int]] = {1: MECHANIZED, 2: INFANTRY}
"""What the menus call the two types of combat group."""


def options(s: State, side: Side) -> list[Action]:
    """Every city where something can be built or dismantled."""
    found = at_hexes("build", building_sites(s, side))
    if s.pools[side][FACTORIES]:
        found += at_hexes("factory", _factory_sites(s, side))
    if not s.dismantled >> side & 1:
        found += at_hexes("dismantle", _dismantling_sites(s, side))
    return found


def apply(s: State, side: Side, action: Action, context: Context) -> None:
    """Carry out one of this chapter's orders."""
    hex_ = action.args[0]
    if action.verb == "build":
        push(s, BuildForm(side, hex_))
    elif action.verb == "factory":
        push(s, FactoryKind(side, hex_))
    else:
        dismantle(s, side, s.rules.map.city_at[hex_], context)


def populated(s: State, side: Side) -> HexBits:
    """Hexes of the friendly cities with people."""
    people, city_at = s.values[POPULATION], s.rules.map.city_at
    found = 0
    for hex_ in members(s.city_hexes[side]):
        if people[city_at[hex_]]:
            found |= BIT[hex_]
    return found


def people_in(s: State, hex_: Hex) -> int:
    """Population of the city in a hex."""
    return s.values[POPULATION][s.rules.map.city_at[hex_]]


def building_sites(s: State, side: Side) -> HexBits:
    """4.9: hexes of the cities in which units can be built."""
    if s.free_slot(side) < 0 or not any(_can_form(s, side, form) for form in FORMS):
        return 0
    barred = s.full[side] | s.rules.grid.spread(s.occ[1 - side])
    return without(populated(s, side) & s.rules.map.passable, barred)


def has_room(s: State, city: CityNumber, plant: int) -> bool:
    """Whether a city has room for one more factory of a kind (8.5)."""
    return s.values[plant][city] < s.rules.limits.factories


def _factory_sites(s: State, side: Side) -> HexBits:
    found = 0
    for hex_ in members(populated(s, side)):
        city = s.rules.map.city_at[hex_]
        for plant in PLANTS:
            if has_room(s, city, plant):
                found |= BIT[hex_]
                break
    return found


def _dismantling_sites(s: State, side: Side) -> HexBits:
    found = 0
    for hex_ in members(s.city_hexes[side]):
        city = s.rules.map.city_at[hex_]
        for plant in PLANTS:
            if s.values[plant][city]:
                found |= BIT[hex_]
                break
    return found


def why_not(s: State, side: Side, action: Action) -> IllegalAction | None:
    """Why nothing can be built or dismantled in a hex."""
    rule = "4.9" if action.verb == "build" else "4.8"
    hex_ = action.args[0]
    if not s.rules.map.city_hexes >> hex_ & 1:
        return IllegalAction("there is no city in that hex", rule)
    city = s.rules.map.city_at[hex_]
    name = s.rules.map.cities[city].name
    if s.owner[city] != side:
        return IllegalAction(f"{name} is not under your control", rule)
    if action.verb == "dismantle":
        if s.dismantled >> side & 1:
            return IllegalAction("one city a turn may dismantle factories", "4.8")
        return IllegalAction(f"{name} has no factories", "4.8")
    if action.verb == "factory" and not s.pools[side][FACTORIES]:
        return IllegalAction("the pool of completed factories is empty", "4.8")
    if not s.values[POPULATION][city]:
        return IllegalAction(f"{name} has no population", rule)
    if action.verb == "factory":
        return IllegalAction(f"{name} has {s.rules.limits.factories} factories of each type", "8.5")
    if not s.rules.map.passable >> hex_ & 1:
        return IllegalAction(f"{name} is outside the part of the map that this scenario is played on", OUT_OF_PLAY)
    if s.free_slot(side) < 0:
        return IllegalAction(f"a side has at most {UNITS_PER_SIDE} units, and they are all in the war", "4.9")
    if s.rules.grid.adjacent[hex_] & s.occ[1 - side]:
        return IllegalAction(f"an enemy group is adjacent to {name}", "4.9")
    if s.full[side] >> hex_ & 1:
        most = counted(s.rules.limits.stack, "group")
        return IllegalAction(f"{name} holds {most}, and one more would be too many", "6.7")
    return IllegalAction(_why_no_form(s, side), "4.9")


def _why_no_form(s: State, side: Side) -> str:
    """Why no new group can be formed: it cannot be paid for, or has no number."""
    paid = [kind for kind in FORMS.values() if recruits.menu(s, side, kind)]
    poor = f"the pools do not suffice for {s.rules.recruiting.least} points"
    if not paid:
        return poor
    used = f"all numbers of {listed(KIND_NAMES[kind] for kind in paid)} groups are in use"
    return used if len(paid) == len(FORMS) else f"{used}, and {poor} of a unit for any other group"


# ---------------------------------------------------------------------- units


def _can_form(s: State, side: Side, form: int) -> bool:
    kind = FORMS[form]
    return bool(s.free_group(groups_of(side, kind))) and bool(recruits.menu(s, side, kind))


@question
class BuildForm(Frame):
    """In which type of group the new units are put."""

    side: Side
    hex: Hex

    kind = "build"
    rule = "4.9"

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return "Which kind of group takes the new units?"

    def about(self, s: State) -> About:
        return About((), (self.hex,))

    def options(self, s: State) -> list[Action]:
        return [BACK, *each("form", (form for form in FORMS if _can_form(s, self.side, form)))]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "form":
            push(s, Raising(self.side, self.hex, s.free_group(groups_of(self.side, FORMS[action.args[0]])), 0))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "form" and action.args[0] in FORMS:
            if not s.free_group(groups_of(self.side, FORMS[action.args[0]])):
                return IllegalAction("all numbers of that type of group are in use", "4.9")
            least = s.rules.recruiting.least
            return IllegalAction(f"the pools do not suffice for {least} points of any unit of that type", "4.9")
        return self.out_of_place(s, action, "form 1 a mechanized or 2 an infantry group, or back")


@question
class Raising(Frame):
    """Which units the new group gets: the kind, then its strength."""

    side: Side
    hex: Hex
    group: Group
    ordered: int
    """Kind of unit of which the strength is asked, 0 while the kind is asked."""

    kind = "raise"
    rule = "4.9"
    ask_single = True

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return "How many strength points does it get?" if self.ordered else "Which unit is built?"

    def about(self, s: State) -> About:
        return About((self.group,), (self.hex,))

    def _form(self) -> int:
        return MECHANIZED if self.group in groups_of(self.side, MECHANIZED) else INFANTRY

    def options(self, s: State) -> list[Action]:
        if self.ordered:
            return [BACK, *each("strength", recruits.strengths(s, self.side, self.ordered))]
        found = [HALT]
        if groups.room(s, self.group) and s.free_slot(self.side) >= 0:
            found += each("type", recruits.menu(s, self.side, self._form()))
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "halt":
            return
        if action.verb == "type":
            kind = recruits.kind_of(s, self.side, action.args[0])
            push(s, Raising(self.side, self.hex, self.group, kind))
            return
        if action.verb == "strength":
            if s.hex[self.group] < 0:
                s.place(self.group, self.hex)
                context.note(GroupFormed(self.group, self.hex))
            recruits.raise_unit(s, self.side, self.group, self.ordered, action.args[0], context)
        push(s, Raising(self.side, self.hex, self.group, 0))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb, args = action
        if verb == "strength" and self.ordered:
            most = s.rules.most[s.year][self.ordered]
            step, least = s.rules.recruiting.step, s.rules.recruiting.least
            if args[0] % step or args[0] < least:
                steps = "tens" if step == 10 else f"steps of {step}"
                return IllegalAction(f"strength points come in {steps}, at least {least}", "4.9")
            if args[0] > most:
                return IllegalAction(f"such a unit has at most {most} strength points", "4.9")
            return IllegalAction("the infantry and vehicle pools do not suffice", "4.9")
        if verb == "type" and not self.ordered:
            if not groups.room(s, self.group):
                return IllegalAction(groups.why_no_room(s, self.group), "4.1")
            if s.free_slot(self.side) < 0:
                return IllegalAction(f"a side has at most {UNITS_PER_SIDE} units, and they are all in the war", "4.9")
            return recruits.why_not(s, self.side, self._form(), args[0])
        return self.out_of_place(s, action, "choose from the menu")


# ---------------------------------------------------------------------- factories


@question
class FactoryKind(Frame):
    """4.8: which type of factory is built."""

    side: Side
    hex: Hex

    kind = "factory"
    rule = "4.8"

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return "Which kind of factory is built?"

    def about(self, s: State) -> About:
        return About((), (self.hex,))

    def options(self, s: State) -> list[Action]:
        city = s.rules.map.city_at[self.hex]
        return [BACK, *each("works", (plant for plant in PLANTS if has_room(s, city, plant)))]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "works":
            city = s.rules.map.city_at[self.hex]
            s.values[action.args[0]][city] += 1
            s.gain(self.side, FACTORIES, -1)
            context.note(FactoryBuilt(self.side, city, PLANT_NAMES[action.args[0]]))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "works" and action.args[0] in PLANTS:
            return IllegalAction(f"a city has at most {s.rules.limits.factories} factories of each type", "8.5")
        return self.out_of_place(s, action, f"the types of factory are {PLANTS[0]} to {PLANTS[-1]}")


def dismantle(s: State, side: Side, city: CityNumber, context: Context) -> None:
    """4.8, 8.5: each factory is tried; one that is taken down turns into construction points, others stand.

    Ruling: 4.8 says 1 to 5 points, 8.5 says 5; an option chooses.
    """
    table = s.rules.sheet["dismantle"]
    chance, always = table["chance"], s.rules.options["dismantle"] == "five"
    taken = points = 0
    for plant in PLANTS:
        for _ in range(s.values[plant][city]):
            if context.roll("dismantle", 100) <= chance:
                s.values[plant][city] -= 1
                taken += 1
                points += table["most"] if always else context.roll("dismantle", table["most"])
    s.dismantled |= 1 << side
    s.gain(side, CONSTRUCTION, points)
    context.note(FactoriesDismantled(side, city, taken, points))


@event("factory", "4.8", "side", "place", "text")
class FactoryBuilt(Event):
    """A factory is built."""

    side: Side
    city: CityNumber
    works: str

    def words(self, s: State) -> str:
        return f"{side_name(self.side)}: {city_name(s, self.city)} has a further {self.works} factory"


@event("dismantled", "4.8", "side", "place", "number", "number")
class FactoriesDismantled(Event):
    """Factories are dismantled."""

    side: Side
    city: CityNumber
    factories: int
    points: int

    def words(self, s: State) -> str:
        factories = counted(self.factories, "factory", "factories")
        return (
            f"{side_name(self.side)}: {factories} of {city_name(s, self.city)} "
            f"{'is' if self.factories == 1 else 'are'} dismantled for "
            f"{counted(self.points, 'construction point')}"
        )


@event("formed", "4.3", "unit", "hex")
class GroupFormed(Event):
    """A group is formed."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"{{unit:{self.group}}} is formed in {hex_mark(s, self.hex)}: {KIND_NAMES[KIND[self.group]]}"
