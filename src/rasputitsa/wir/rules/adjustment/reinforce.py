"""6.4, 6.5 Replacements and artillery for groups in supply."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.actions import BARE, act
from rasputitsa.wir.model.groups import ENDED
from rasputitsa.wir.model.indices import Group, Unit
from rasputitsa.wir.model.plot import unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, ART_POOL, INF_POOL, KIND, group_side
from rasputitsa.wir.rules.adjustment import recruits

NONE: Final = {
    "air": ("air groups receive aircraft in the adjustment phase", "4.5"),
    "unsupplied": ("group {0} is not in supply", "6.4"),
    "moved": ("group {0} has used strategic movement", "6.4"),
    "guns": ("group {0} has added artillery", "6.4"),
    "halted": (ENDED, "6.1"),
}
NO_GUNS: Final = {
    "air": ("air groups have no artillery", "6.5"),
    "unsupplied": ("group {0} is not in supply", "6.5"),
    "moved": ("group {0} has used strategic movement", "6.2"),
    "guns": ("group {0} has added artillery this turn", "6.5"),
    "halted": (ENDED, "6.1"),
    "enough": ("group {0} has more than {1} artillery points", "8.10"),
    "empty": ("the artillery pool is empty", "6.5"),
    "plot": ("group {0} has a tactical plot, and artillery is added by groups that stay", "6.5"),
}


def room(s: State, unit: Unit) -> int:
    """Points a unit lacks to the largest strength of its kind this year."""
    return s.rules.most[s.year][s.utype[unit]] - s.strength[unit]


def most(s: State, unit: Unit) -> int:
    """Points that can be added to a unit now, in whole steps."""
    return _most(s, unit, room(s, unit))


def _most(s: State, unit: Unit, lacking: int) -> int:
    step = s.rules.recruiting.step
    return min(lacking // step * step, recruits.affordable(s, group_side(s.ugroup[unit]), s.utype[unit]))


def barred(s: State, group: Group) -> str:
    """What keeps a group from receiving replacements, a key of ``NONE``; empty when it may."""
    bit = 1 << group
    if KIND[group] == AIR:
        return "air"
    if not s.supplied & bit:
        return "unsupplied"
    if s.moved & bit:
        return "moved"
    if s.added_artillery & bit:
        return "guns"
    return "halted" if s.halted & bit else ""


def no_guns(s: State, group: Group) -> str:
    """What keeps a group from adding artillery, a key of ``NO_GUNS``; empty when it may."""
    return barred(s, group) or _no_guns(s, group)


def _no_guns(s: State, group: Group) -> str:
    """What keeps a group from adding artillery that may receive replacements."""
    if s.artillery[group] > s.rules.guns.enough:
        return "enough"
    if not s.pools[group_side(group)][ART_POOL]:
        return "empty"
    if s.plot[group] and (s.rules.options["gun_plots"] == "barred" or unpack(s.plot[group]).moves()):
        return "plot"
    return ""


def why_none(s: State, group: Group) -> IllegalAction | None:
    """Why a group receives no replacements at all, or None when it may."""
    return _refusal(s, NONE, barred(s, group), group)


def why_no_guns(s: State, group: Group) -> IllegalAction | None:
    """Why a group adds no artillery, or None when it may."""
    return _refusal(s, NO_GUNS, no_guns(s, group), group)


def _refusal(s: State, words: dict[str, tuple[str, str]], key: str, group: Group) -> IllegalAction | None:
    if not key:
        return None
    text, rule = words[key]
    return IllegalAction(text.format(group, s.rules.guns.enough), rule)


@cached
def _amounts(n: int, points: int, step: int) -> tuple[Action, ...]:
    """The replacements up to some points that a unit may receive."""
    return tuple(act("replace", n, amount) for amount in range(step, points + 1, step))


def options(s: State, group: Group) -> list[Action]:
    """Every replacement a group's units may receive, and its artillery."""
    if barred(s, group):
        return []
    found = [] if _no_guns(s, group) else [BARE["artillery"]]
    step = s.rules.recruiting.step
    if s.pools[group_side(group)][INF_POOL] < step:
        return found
    largest = s.rules.most[s.year]
    for n, unit in enumerate(s.group_units[group], start=1):
        lacking = largest[s.utype[unit]] - s.strength[unit]
        if lacking >= step:
            found += _amounts(n, _most(s, unit, lacking), step)
    return found


def apply(s: State, group: Group, action: Action, context: Context) -> None:
    """Add replacements or artillery."""
    if action.verb == "artillery":
        side = group_side(group)
        points = min(s.rules.guns.step, s.pools[side][ART_POOL])
        s.gain(side, ART_POOL, -points)
        s.artillery[group] += points
        s.added_artillery |= 1 << group
        return
    add(s, s.group_units[group][action.args[0] - 1], action.args[1])


def add(s: State, unit: Unit, points: int) -> None:
    """6.4, 8.2: the unit's experience becomes the mean of old hands and recruits, weighted by strength.

    Ruling: it falls by a point at least, even where recruits are better than the unit; an option lets it stay.
    """
    kind, old = s.utype[unit], s.strength[unit]
    recruit = s.rules.recruits[s.year][kind]
    mean = (2 * (old * s.experience[unit] + points * recruit) + old + points) // (2 * (old + points))
    loss = 1 if s.rules.options["recruits"] == "falls" else 0
    s.experience[unit] = max(1, min(s.experience[unit] - loss, mean))
    s.strength[unit] = old + points
    recruits.pay(s, group_side(s.ugroup[unit]), kind, points)


def why_not(s: State, group: Group, action: Action) -> IllegalAction:
    """Why an order of this chapter is refused."""
    if action.verb == "artillery":
        return why_no_guns(s, group) or IllegalAction("artillery cannot be added", "6.5")
    problem = why_none(s, group)
    if problem:
        return problem
    n, points = action.args
    if not 1 <= n <= len(s.group_units[group]):
        return IllegalAction(f"group {group} has no unit number {n}", "6.4")
    unit = s.group_units[group][n - 1]
    step = s.rules.recruiting.step
    if points % step or points <= 0:
        return IllegalAction(f"replacements come in steps of {step} points", "6.4")
    if points > room(s, unit):
        limit = s.rules.most[s.year][s.utype[unit]]
        return IllegalAction(f"{s.unit_label(unit)} has {s.strength[unit]} points, at most {limit} are allowed", "4.9")
    return IllegalAction("the infantry and vehicle pools do not suffice", "6.4")
