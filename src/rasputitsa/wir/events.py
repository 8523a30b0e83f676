"""8.12-8.14 Guards, redesignations of the Axis, Siberian reserves; 8.1, 8.2 recovery at the end of a turn."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from rasputitsa.core.frames import Play
from rasputitsa.hexes.grid import members
from rasputitsa.wir import levels
from rasputitsa.wir.chance import percents
from rasputitsa.wir.figures import COMBAT
from rasputitsa.wir.marks import city_name, group_mark
from rasputitsa.wir.state import STACK
from rasputitsa.wir.tables import INFANTRY, UNITS, UNITS_PER_SIDE, groups_of, sheet
from rasputitsa.wir.theatre import SOVIET

if TYPE_CHECKING:
    from rasputitsa.wir.ruleset import Ruleset
    from rasputitsa.wir.state import State

_RECOVERY: dict[str, int] = {key: n for key, n in COMBAT["recovery"].items() if isinstance(n, int)}
_GUARDS: dict[str, int] = {key: n for key, n in COMBAT["guards"].items() if isinstance(n, int)}
_CHANGES: dict[str, Any] = COMBAT["redesignation"]
_SIBERIA: dict[str, Any] = sheet()["siberia"]
GREEN: int = _RECOVERY["experience_below"]
RESTED = bytes(max(0, n - _RECOVERY["fatigue"]) for n in range(256))
"""By fatigue: what is left of it after the end of a turn."""
TAUGHT = bytes(n + _RECOVERY["experience"] if 0 < n < GREEN else n for n in range(256))
"""By experience: what it is after the end of a turn, for units that learn."""


def recover(s: State, play: Play) -> None:
    """Units lose a point of fatigue (8.1) and green units gain experience (8.2)."""
    tired = [(unit, s.fatigue[unit]) for unit in members(s.strained)]
    s.fatigue[:] = s.fatigue.translate(RESTED)
    for unit, fatigue in tired:
        s.fatigue[unit] = fatigue
    experience = s.experience
    experience[:UNITS_PER_SIDE] = experience[:UNITS_PER_SIDE].translate(TAUGHT)
    foot, tanks = levels.EXPERIENCE[s.level]
    if foot >= 100 and tanks >= 100:
        experience[UNITS_PER_SIDE:] = experience[UNITS_PER_SIDE:].translate(TAUGHT)
        return
    green = [u for u in range(UNITS_PER_SIDE, UNITS) if 0 < experience[u] < GREEN]
    types = s.rules.types
    for unit, die in zip(green, percents(play, "experience", len(green)), strict=True):
        if die <= (tanks if types[s.utype[unit]].mechanized else foot):
            experience[unit] = TAUGHT[experience[unit]]


def free_name(s: State, kind: int) -> int:
    """The lowest number that no unit of a kind bears."""
    used = {s.uname[u] for u in range(UNITS) if s.utype[u] == kind}
    name = 1
    while name in used:
        name += 1
    return name


def guards(s: State, play: Play) -> None:
    """8.12: proven Soviet units become guards, with the lowest guards number that is free."""
    strength, proven = s.strength, _GUARDS["experience"]
    for unit in range(UNITS_PER_SIDE, UNITS):
        if s.experience[unit] > proven and strength[unit] > _GUARDS["strength"]:
            kind = s.rules.types[s.utype[unit]].guards
            if kind:
                old = s.unit_label(unit)
                s.uname[unit] = free_name(s, kind)
                s.utype[unit] = kind
                play.note("guards", s.ugroup[unit], old, s.unit_label(unit))


@cache
def _changes(rules: Ruleset) -> tuple[tuple[str, int, int], ...]:
    lines = list(_CHANGES["changes"])
    if rules.options["italian_mot"] == "yes":
        lines.append(_CHANGES["italian"])
    return tuple((month, rules.type_named[old], rules.type_named[new]) for month, old, new in lines)


def redesignate(s: State, play: Play) -> None:
    """8.13: from the first turn of these months on, Axis units are of another kind."""
    coming = s.rules.month(s.turn + 1)
    for month, old, new in _changes(s.rules):
        if coming >= month and old in s.utype:
            changed = [u for u in range(UNITS_PER_SIDE) if s.utype[u] == old]
            for unit in changed:
                s.utype[unit] = new
            play.note("redesignated", old, new, len(changed))


def siberians(s: State, play: Play) -> None:
    """8.14: at levels 1 and 2 a full group arrives at Kuybyshev each turn, if the place and the limits allow."""
    if not levels.siberians_due(s):
        return
    city = s.rules.city(COMBAT["siberia"]["city"])
    hex_ = s.rules.map.cities[city].hex
    here = s.at.get(hex_, ())
    group = s.free_group(groups_of(SOVIET, INFANTRY))
    units = [u for u in range(UNITS_PER_SIDE, UNITS) if not s.utype[u]][: _SIBERIA["units"]]
    closed = s.owner[city] != SOVIET or s.occ[1 - SOVIET] >> hex_ & 1 or len(here) >= STACK
    if closed or not group or len(units) < _SIBERIA["units"]:
        play.note("siberians_wait")
        return
    kind = s.rules.type_named[COMBAT["siberia"]["kind"]]
    s.place(group, hex_)
    for unit in units:
        s.enlist(unit, kind, free_name(s, kind), s.rules.most[s.year][kind], _SIBERIA["experience"])
        s.join(unit, group)
    play.note("siberians", group, city)


DESCRIBE = {
    "guards": lambda s, args: f"{group_mark(s, args[0])}: {args[1]} becomes {args[2]}",
    "redesignated": lambda s, args: (
        f"All {s.rules.types[int(str(args[0]))].code} units become {s.rules.types[int(str(args[1]))].code}: {args[2]}"
    ),
    "siberians": lambda s, args: f"{group_mark(s, args[0])} arrives at {city_name(s, args[1])} from Siberia",
    "siberians_wait": lambda s, args: "No room for a Siberian group",
}
