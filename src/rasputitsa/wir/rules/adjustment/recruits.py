"""4.9 What may be built: kinds of units, their names, cost and substitutes."""

from __future__ import annotations

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import figured
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ELITE_ENTRY, INF_POOL, MECHANIZED, UNITS, VEH_POOL, UnitType


@kept_of_rules
def redesignations(rules: Ruleset) -> tuple[tuple[str, str, str], ...]:
    """The month from which on units of a kind are of another, with the two kinds (8.13)."""
    table = rules.combat["redesignation"]
    lines = [*table["changes"], *([table["italian"]] if rules.options["italian_mot"] == "yes" else [])]
    return tuple((month, old, new) for month, old, new in lines)


@kept_of_rules
def first_elite(rules: Ruleset) -> str:
    """What the elite SS divisions are before they are redesignated (8.13): the last elite kind that none becomes."""
    later = {new for _, _, new in redesignations(rules)}
    return [kind.id for kind in rules.types if kind.elite and kind.id not in later][-1]


def elite_kind(s: State) -> int:
    """The kind of the elite SS divisions at the present date (8.13)."""
    month, name = s.rules.month(s.turn), first_elite(s.rules)
    for start, old, new in redesignations(s.rules):
        if month >= start and old == name:
            name = new
    return s.rules.type_named[name]


def free_elite(s: State) -> list[str]:
    """Names of the elite SS divisions that may be built now: allowed by date, and not in play."""
    month = s.rules.month(s.turn)
    in_play = {s.rules.name(s.uname[u]) for u in s.units_of(0) if s.rules.types[s.utype[u]].elite}
    return [
        name
        for start, names in s.rules.sheet["build"]["elite"]
        if month >= start
        for name in names
        if name not in in_play
    ]


def entry_of(s: State, side: Side, name: str) -> int:
    """The entry of a side's menu with this name; 0 if there is none."""
    names = s.rules.recruiting.menus[side]
    return names.index(name) + 1 if name in names else 0


def kind_of(s: State, side: Side, entry: int) -> int:
    """The kind of unit an entry of the menu orders."""
    name = s.rules.recruiting.menus[side][entry - 1]
    return elite_kind(s) if name == ELITE_ENTRY else s.rules.type_named[name]


def affordable(s: State, side: Side, kind: int) -> int:
    """Strength points of a kind of unit that the pools can pay for, in whole steps."""
    step = s.rules.recruiting.step
    return paid_by(s.rules.types[kind], s.pools[side][INF_POOL], s.pools[side][VEH_POOL]) // step * step


def paid_by(kind: UnitType, infantry: int, vehicles: int, points: int = 1) -> int:
    """How many times a number of strength points of a kind of unit is paid for by points of the two pools."""
    most = infantry // (kind.infantry * points)
    return min(most, vehicles // (kind.vehicle * points)) if kind.vehicle else most


def price(kind: UnitType, points: int) -> tuple[int, int]:
    """The infantry and vehicle points that strength points of a kind of unit cost."""
    return points * kind.infantry, points * kind.vehicle


def price_words(kind: UnitType, points: int) -> str:
    """The same in words: "20 infantry and 10 vehicle"."""
    infantry, vehicles = price(kind, points)
    return f"{infantry} infantry" + (f" and {vehicles} vehicle" if vehicles else "")


def offer(s: State, side: Side, entry: int) -> tuple[str, str]:
    """An entry of the build menu in words: the kind; and how strong and how good it is, and what it costs."""
    kind = kind_of(s, side, entry)
    found, name = s.rules.types[kind], s.rules.recruiting.menus[side][entry - 1]
    return (
        name,
        f"{found.title}, at most {s.rules.most[s.year][kind]} points at {price_words(found, 1)} each, "
        f"experience {s.rules.recruits[s.year][kind]}",
    )


def menu(s: State, side: Side, form: int) -> list[int]:
    """The entries of the build menu that a type of group can take and the pools can pay."""
    found, names = [], s.rules.recruiting.menus[side]
    for entry, name in enumerate(names, start=1):
        kind = kind_of(s, side, entry)
        if form == MECHANIZED and not s.rules.types[kind].mechanized:
            continue
        if name == ELITE_ENTRY and not free_elite(s):
            continue
        if affordable(s, side, kind) >= s.rules.recruiting.least:
            found.append(entry)
    return found


def why_not(s: State, side: Side, form: int, entry: int) -> IllegalAction:
    """Why an entry cannot be built."""
    names = s.rules.recruiting.menus[side]
    if not 1 <= entry <= len(names):
        return IllegalAction(f"the {side_name(side)} side builds {', '.join(names)} units", "4.9")
    name, kind = names[entry - 1], kind_of(s, side, entry)
    if form == MECHANIZED and not s.rules.types[kind].mechanized:
        return IllegalAction(f"{name} units may not be in a mechanized group", "4.1")
    if name == ELITE_ENTRY and not free_elite(s):
        return IllegalAction("all elite SS divisions that exist by now are in play", "4.9")
    return IllegalAction(f"the infantry and vehicle pools do not suffice for {s.rules.recruiting.least} points", "4.9")


def strengths(s: State, side: Side, kind: int) -> range:
    """The strengths a new unit may be given."""
    least, step = s.rules.recruiting.least, s.rules.recruiting.step
    return range(least, min(s.rules.most[s.year][kind], affordable(s, side, kind)) + 1, step)


def pay(s: State, side: Side, kind: int, points: int) -> None:
    """Take the price of strength points from the pools."""
    infantry, vehicles = price(s.rules.types[kind], points)
    s.gain(side, INF_POOL, -infantry)
    s.gain(side, VEH_POOL, -vehicles)


def _substitute(s: State, kind: int, context: Context) -> int:
    """4.9: another kind may be built than was ordered; the chances are a ruling."""
    for rule in s.rules.sheet["build"]["substitutes"]:
        if rule["ordered"] != s.rules.types[kind].id or not rule["from"] <= s.year <= rule["until"]:
            continue
        die = context.roll("build", 100)
        for name, percent in rule["percent"]:
            if die <= percent:
                return s.rules.type_named[name]
            die -= percent
    return kind


def new_name(s: State, side: Side, kind: int) -> int:
    """The name a new unit of a kind is given: the next free name of its list, else the lowest free number."""
    rules = s.rules
    first = side * (UNITS // 2)
    same = [s.uname[u] for u in range(first, first + UNITS // 2) if s.utype[u] == kind]
    if rules.types[kind].elite:
        return rules.read_name(free_elite(s)[0])
    for name in rules.sheet["names"].get(rules.types[kind].id, []):
        if rules.read_name(name) not in same:
            return rules.read_name(name)
    return next(n for n in range(1, UNITS) if n not in same)


def raise_unit(s: State, side: Side, group: Group, ordered: int, points: int, context: Context) -> int:
    """Build a unit into a group and pay for it; returns its slot.

    Ruling: a substitute gets no more than its kind's largest strength, and only that is paid.
    """
    kind = _substitute(s, ordered, context)
    points = min(points, s.rules.most[s.year][kind])
    unit = s.free_slot(side)
    s.enlist(unit, kind, new_name(s, side, kind), points, s.rules.recruits[s.year][kind])
    s.join(unit, group)
    pay(s, side, kind, points)
    context.note(UnitBuilt(side, group, s.unit_label(unit), points))
    return unit


@event("built", "4.9", "side", "unit", "text", "number")
class UnitBuilt(Event):
    """A unit is built."""

    side: Side
    group: Group
    name: str
    points: int

    def words(self, s: State) -> str:
        return (
            f"{side_name(self.side)}: {self.name} with {figured(self.points, 'point')} is built in group {self.group}"
        )
