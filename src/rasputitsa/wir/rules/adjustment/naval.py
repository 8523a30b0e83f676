"""4.10 Naval movement: one unit a turn on each sea, from an infantry group in a port to one in another."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import listed
from rasputitsa.wir.model import groups
from rasputitsa.wir.model.actions import BACK, act, each
from rasputitsa.wir.model.frames import About, Context, Frame, pop, question
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INF_BITS, KIND, KIND_NAMES, MOST_SEAS, group_side
from rasputitsa.wir.model.theatre import SOVIET


@kept_of_rules
def ports(rules: Ruleset) -> tuple[tuple[str, tuple[Hex, ...]], ...]:
    """The seas with the hexes of their ports."""
    cities = rules.map.cities
    return tuple(
        (sea, tuple(city.hex for city in cities if city.port == sea.removesuffix(" Sea") or city.port == sea))
        for sea in rules.sheet["naval"]["seas"]
    )


def _used_bit(side: Side, sea: int) -> int:
    return 1 << side * MOST_SEAS + sea


def closed(s: State, side: Side, sea: int) -> IllegalAction | None:
    """Why a side may not sail on a sea this turn, or None when it may."""
    name, rules = ports(s.rules)[sea][0], s.rules.sheet["naval"]
    if side == SOVIET and name in rules["soviet_barred"]:
        return IllegalAction(f"the Soviet side never sails on the {name}", "4.10")
    if s.frozen and name in rules["frozen"]:
        return IllegalAction(f"the {name} is closed in cold weather", "4.10")
    if s.naval & _used_bit(side, sea):
        return IllegalAction(f"one unit a turn sails on the {name}, and one has sailed", "4.10")
    return None


def _passengers(s: State, source: Group) -> list[int]:
    """List numbers (from 1) of the units of a group that may go by sea."""
    return [n for n, u in enumerate(s.group_units[source], start=1) if s.rules.types[s.utype[u]].sea]


def _infantry_in(s: State, side: Side, hex_: Hex) -> list[Group]:
    if not s.city_hexes[side] >> hex_ & 1:
        return []
    return [g for g in s.at.get(hex_, ()) if INF_BITS[side] >> g & 1]


def options(s: State, side: Side) -> list[Action]:
    """Every pair of losing and gaining group."""
    found = []
    for sea, (_, harbours) in enumerate(ports(s.rules)):
        if closed(s, side, sea):
            continue
        here = {hex_: _infantry_in(s, side, hex_) for hex_ in harbours}
        for start in harbours:
            for source in here[start]:
                if not _passengers(s, source):
                    continue
                found += [
                    act("naval", source, target)
                    for end in harbours
                    if end != start
                    for target in here[end]
                    if groups.room(s, target)
                ]
    return found


def why_not(s: State, side: Side, source: Group, target: Group) -> IllegalAction | None:
    """Why no unit can sail from a group to another, or None when one can."""
    for group in (source, target):
        if not s.combat_group(group) or group_side(group) != side:
            return IllegalAction(f"there is no combat group {group} of yours on the map", "4.10")
        if not INF_BITS[side] >> group & 1:
            return IllegalAction(f"group {group} is {KIND_NAMES[KIND[group]]}; infantry groups load ships", "4.10")
    ends = {s.hex[source], s.hex[target]}
    seas = [n for n, (_, harbours) in enumerate(ports(s.rules)) if ends.issubset(harbours)]
    if not seas or len(ends) < 2:
        return IllegalAction(f"groups {source} and {target} are not in two ports of the same sea", "4.10")
    if not all(s.city_hexes[side] >> s.hex[g] & 1 for g in (source, target)):
        return IllegalAction("both ports must be friendly", "4.10")
    problem = closed(s, side, seas[0])
    if problem:
        return problem
    if not groups.room(s, target):
        return IllegalAction(groups.why_no_room(s, target), "4.4")
    if not _passengers(s, source):
        stay = listed(kind.code for kind in s.rules.types if kind.number and kind.side == side and not kind.sea)
        return IllegalAction(f"{stay} units never go by sea", "4.10")
    return None


@question
class Sailing(Frame):
    """Which unit goes by sea."""

    source: Group
    target: Group

    kind = "naval"
    rule = "4.10"
    ask_single = True

    def seat(self, s: State) -> Side:
        return group_side(self.source)

    def prompt(self, s: State) -> str:
        return f"Which unit sails? One a turn may sail on the {ports(s.rules)[self._sea(s)][0]}"

    def _sea(self, s: State) -> int:
        return next(n for n, (_, harbours) in enumerate(ports(s.rules)) if s.hex[self.source] in harbours)

    def about(self, s: State) -> About:
        return About((self.source, self.target), (s.hex[self.source], s.hex[self.target]))

    def options(self, s: State) -> list[Action]:
        return [BACK, *each("send", _passengers(s, self.source))]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "back":
            return
        side = group_side(self.source)
        unit = s.group_units[self.source][action.args[0] - 1]
        s.naval |= _used_bit(side, self._sea(s))
        s.join(unit, self.target)
        context.note(UnitSailed(side, self.source, self.target, s.unit_label(unit)))
        if not s.group_units[self.source]:
            groups.remove_empty(s, self.source, context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "send" and 1 <= action.args[0] <= len(s.group_units[self.source]):
            label = s.unit_label(s.group_units[self.source][action.args[0] - 1])
            return IllegalAction(f"{label} never goes by sea", "4.10")
        return self.out_of_place(s, action, f"send one unit of group {self.source}, or back")


@event("sailed", "4.10", "side", "unit", "unit", "text")
class UnitSailed(Event):
    """A unit goes by sea to another group."""

    side: Side
    source: Group
    target: Group
    name: str

    def words(self, s: State) -> str:
        return f"{self.name} sails from group {self.source} to group {self.target}"
