"""8.12-8.14 Guards, redesignations of the Axis, Siberian reserves; 8.1, 8.2 recovery at the end of a turn."""

from __future__ import annotations

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.chance import percents
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import levels
from rasputitsa.wir.model.indices import CityNumber, Group
from rasputitsa.wir.model.marks import city_name, group_mark
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, UNITS, UNITS_PER_SIDE, groups_of
from rasputitsa.wir.model.theatre import SOVIET
from rasputitsa.wir.rules.adjustment.recruits import redesignations


def recover(s: State, context: Context) -> None:
    """Units lose a point of fatigue (8.1) and green units gain experience (8.2)."""
    rules = s.rules.recovery
    tired = [(unit, s.fatigue[unit]) for unit in members(s.overfatigued)]
    s.fatigue[:] = s.fatigue.translate(rules.rested)
    for unit, fatigue in tired:
        s.fatigue[unit] = fatigue
    experience = s.experience
    experience[:UNITS_PER_SIDE] = experience[:UNITS_PER_SIDE].translate(rules.taught)
    foot, tanks = rules.experience[s.level]
    if foot >= 100 and tanks >= 100:
        experience[UNITS_PER_SIDE:] = experience[UNITS_PER_SIDE:].translate(rules.taught)
        return
    green = [u for u in range(UNITS_PER_SIDE, UNITS) if 0 < experience[u] < rules.green]
    types = s.rules.types
    for unit, die in zip(green, percents(context, "experience", len(green)), strict=True):
        if die <= (tanks if types[s.utype[unit]].mechanized else foot):
            experience[unit] = rules.taught[experience[unit]]


def free_name(s: State, kind: int) -> int:
    """The lowest number that no unit of a kind bears."""
    used = {s.uname[u] for u in range(UNITS) if s.utype[u] == kind}
    name = 1
    while name in used:
        name += 1
    return name


def guards(s: State, context: Context) -> None:
    """8.12: proven Soviet units become guards, with the lowest guards number that is free."""
    strength, table = s.strength, s.rules.combat["guards"]
    proven, least = table["experience"], table["strength"]
    for unit in range(UNITS_PER_SIDE, UNITS):
        if s.experience[unit] > proven and strength[unit] > least:
            kind = s.rules.types[s.utype[unit]].guards
            if kind:
                old = s.unit_label(unit)
                s.uname[unit] = free_name(s, kind)
                s.utype[unit] = kind
                context.note(GuardsNamed(s.ugroup[unit], old, s.unit_label(unit)))


@kept_of_rules
def _changes(rules: Ruleset) -> tuple[tuple[str, int, int], ...]:
    return tuple((month, rules.type_named[old], rules.type_named[new]) for month, old, new in redesignations(rules))


def redesignate(s: State, context: Context) -> None:
    """8.13: from the first turn of these months on, Axis units are of another kind."""
    coming = s.rules.month(s.turn + 1)
    for month, old, new in _changes(s.rules):
        if coming >= month and old in s.utype:
            changed = [u for u in range(UNITS_PER_SIDE) if s.utype[u] == old]
            for unit in changed:
                s.utype[unit] = new
            context.note(TypeRedesignated(old, new, len(changed)))


def siberians(s: State, context: Context) -> None:
    """8.14: at levels 1 and 2 a full group arrives each turn, if the place and the limits allow."""
    if not levels.siberians_due(s):
        return
    table, place = s.rules.sheet["siberia"], s.rules.combat["siberia"]
    city = s.rules.city(place["city"])
    hex_ = s.rules.map.cities[city].hex
    here = s.at.get(hex_, ())
    group = s.free_group(groups_of(SOVIET, INFANTRY))
    units = [u for u in range(UNITS_PER_SIDE, UNITS) if not s.utype[u]][: table["units"]]
    closed = s.owner[city] != SOVIET or s.occ[1 - SOVIET] >> hex_ & 1 or len(here) >= s.rules.limits.stack
    if closed or not group or len(units) < table["units"]:
        context.note(SiberiansWait())
        return
    kind = s.rules.type_named[place["kind"]]
    s.place(group, hex_)
    for unit in units:
        s.enlist(unit, kind, free_name(s, kind), s.rules.most[s.year][kind], table["experience"])
        s.join(unit, group)
    context.note(SiberiansArrived(group, city))


@event("guards", "8.12", "unit", "text", "text")
class GuardsNamed(Event):
    """A unit becomes a Guards unit."""

    group: Group
    before: str
    after: str

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)}: {self.before} becomes {self.after}"


@event("redesignated", "8.13", "unit_type", "unit_type", "number")
class TypeRedesignated(Event):
    """All units of a type become another type."""

    before: int
    after: int
    units: int

    def words(self, s: State) -> str:
        return f"All {s.rules.types[self.before].code} units become {s.rules.types[self.after].code}: {self.units}"


@event("siberians", "8.14", "unit", "place")
class SiberiansArrived(Event):
    """A Siberian group arrives."""

    group: Group
    city: CityNumber

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} arrives at {city_name(s, self.city)} from Siberia"


@event("siberians_wait", "8.14")
class SiberiansWait(Event):
    """There is no room for a Siberian group."""

    def words(self, s: State) -> str:
        return "No room for a Siberian group"
