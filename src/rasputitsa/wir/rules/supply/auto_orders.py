"""Routine work of a staff: orders a player may delegate, expanded into the single orders they stand for."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.actions import BARE, HALT, act
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side, Unit
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ART_POOL, COMBAT_BITS, INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.supply import depots

REACHED = 40
"""What bringing a group into supply is worth, in points of fatigue."""


def carry_out(s: State, orders: list[Action], context: Context) -> None:
    """Carry out orders one by one; each is one the player could have given."""
    for action in orders:
        s.stack[-1].apply(s, action, context)


def depot_orders(s: State, side: Side, here: Hex, penalty: int, stops: HexBits) -> list[Action]:
    """5.2: orders that send a depot, which is in a hex after some penalty hexes, where it relieves most.

    Args:
        stops: hexes it may supply from, as bits.
    """
    land, worth = depots.ground(s, side), _worth(s, side)
    best, target = 0, here
    for extra, wave in enumerate(depots.waves(s, here, penalty, land)):
        percent = depots.relief_percent(s, side, penalty + extra)
        for hex_ in members(wave):
            if hex_ in worth and stops >> hex_ & 1:
                reached, tired = worth[hex_]
                value = reached * REACHED * 100 + tired * percent
                if value > best:
                    best, target = value, hex_
    if not best:
        return [BARE["skip"]]
    return [BARE["supply"]] if target == here else [act("depot", target), BARE["supply"]]


def _worth(s: State, side: Side) -> dict[Hex, tuple[int, int]]:
    """For each hex how many groups without supply a depot there would reach, and the fatigue not yet relieved."""
    found: dict[Hex, tuple[int, int]] = {}
    for group in s.on_map(groups_of(side)):
        bit = 1 << group
        missing = int(not s.supplied & bit)
        tired = 0
        if COMBAT_BITS[side] & bit and not s.relieved & bit:
            tired = sum(s.fatigue[u] for u in s.group_units[group])
        if not missing and not tired:
            continue
        for hex_ in s.rules.supply_area_list[s.hex[group]]:
            reached, sum_ = found.get(hex_, (0, 0))
            found[hex_] = (reached + missing, sum_ + tired)
    return found


def replacement_orders(s: State, side: Side) -> list[Action]:
    """6.4: orders that fill up a side's groups in supply, the weakest units first, as far as the pools go."""
    trial, lacking = s.copy(), []
    for group in s.on_map(groups_of(side, MECHANIZED, INFANTRY)):
        if reinforce.why_none(s, group) is None:
            lacking += [(_fullness(s, unit), group, n) for n, unit in enumerate(s.group_units[group], start=1)]
    wanted: dict[Group, list[Action]] = {}
    for _, group, n in sorted(lacking):
        unit = trial.group_units[group][n - 1]
        points = reinforce.most(trial, unit)
        if points > 0:
            reinforce.add(trial, unit, points)
            wanted.setdefault(group, []).append(act("replace", n, points))
    orders = []
    for group, replacements in wanted.items():
        orders += [act("get", group), *replacements, HALT]
    return orders


def all_orders(s: State, side: Side) -> list[Action]:
    """Replacements, then artillery: for entrenched groups, which mean to stay, or for all that could use it."""
    return replacement_orders(s, side) + artillery_orders(s, side, entrenched_only=entrenched_only(s))


def entrenched_only(s: State) -> bool:
    """Whether the staff gives artillery to entrenched groups only."""
    return s.rules.options["staff_guns"] == "works"


def artillery_orders(s: State, side: Side, *, entrenched_only: bool) -> list[Action]:
    """6.5: artillery for groups without a plot in enemy zones of control, the fewest guns first.

    Who adds artillery cannot move any more. ``entrenched_only``: none for groups that have not entrenched.
    """
    orders: list[Action] = []
    guns = s.pools[side][ART_POOL]
    zone = s.zoc(1 - side)
    front = [g for g in s.on_map(groups_of(side, MECHANIZED, INFANTRY)) if zone >> s.hex[g] & 1 and not s.plot[g]]
    for group in sorted(front, key=lambda g: (s.artillery[g], g)):
        if entrenched_only and not s.entrench[group]:
            continue
        if guns > 0 and reinforce.why_no_guns(s, group) is None:
            orders += [act("get", group), BARE["artillery"], HALT]
            guns -= s.rules.guns.step
    return orders


def _fullness(s: State, unit: Unit) -> int:
    """Strength in percent of the largest."""
    return s.strength[unit] * 100 // s.rules.most[s.year][s.utype[unit]]
