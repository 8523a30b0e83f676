"""Raiders: small parties far behind the other side's front. The enemy's are hunted down, own ones come home."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation, homes
from rasputitsa.ai.wir.planning import rear
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND
from rasputitsa.wir.rules.execution import retreat
from rasputitsa.wir.rules.movement import fatigue, plot_ways

TOGETHER, ALONE = 2, 4
"""Groups this near to each other are one party, which is alone if no other group is nearer than this."""
PARTY = 4
"""Most groups of a party."""
DEEP, FACING = 2, 3
"""How much nearer to the other side's home a party is than the groups of that side that hold the front next to it, and
how many of these are asked."""
OUTDO = 2.0
"""Hunters together have this many times the strength of their target."""
LATEST = 3.0
"""Weeks in which hunters have to be there."""
WANTED, CLOSE = 1.0, 2
"""Weeks by which a group counts as farther away that is this near to other enemies."""
STRENGTH_PRICE = 0.1
"""The same for a group as strong as all hunters have to be together."""
MOST_HUNTERS = 4
SHARE = 0.15
"""Part of a side's strength that may hunt."""
MARGIN = 3
"""Up to this many steps away an open city is worth a ride without supply."""


class Party(NamedTuple):
    """Groups of one side that are near each other."""

    hexes: HexBits
    groups: tuple[Group, ...]


def raiders(s: State, situation: Situation, side: Side) -> list[Party]:
    """Parties of a side far behind the other side's front."""
    here, there = (situation.own, situation.enemies) if side == situation.side else (situation.enemies, situation.own)
    found = [party for party in _parties(s, here) if len(party.groups) <= PARTY]
    if not found:
        return []
    home = situation.distances(homes(s, 1 - side))
    return [party for party in found if _is_behind(s, party, here, there, home)]


def hunters(s: State, situation: Situation, free: list[Group]) -> dict[Group, Hex]:
    """Groups that go for raiders, and the hexes next to these that they take."""
    chosen: dict[Group, Hex] = {}
    allowed = SHARE * sum(situation.power[g] for g in situation.own)
    targets = [(hex_, party) for party in raiders(s, situation, situation.enemy) for hex_ in members(party.hexes)]
    for target, party in sorted(targets, key=lambda pair: (_nearest_prize(situation, pair[0]), pair[0])):
        if retreat.stands(s, target):
            continue
        others = situation.distances(situation.enemy_combat & ~party.hexes)
        offers = _offers(s, situation, [g for g in free if g not in chosen], target, others)
        pack = _pack(situation, offers, OUTDO * situation.defence(target, situation.enemy))
        strength = sum(situation.power[g] for g in pack)
        if pack and strength <= allowed:
            allowed -= strength
            chosen |= _places(s, situation, pack, target, set(chosen.values()))
    return chosen


def homeward(s: State, situation: Situation) -> dict[Group, Hex]:
    """Own raiders without supply, with no open city near, and where they come into supply again."""
    found: dict[Group, Hex] = {}
    goals = situation.wanted & ~s.occ[situation.enemy]
    for party in raiders(s, situation, situation.side):
        for group in party.groups:
            here = s.hex[group]
            if situation.supplied_hexes >> here & 1 or situation.kept >> here & 1:
                continue
            way = situation.distances(1 << here, situation.board.passable & ~s.occ[situation.enemy])
            if any(way[goal] <= MARGIN for goal in members(goals)):
                continue
            safe = [h for h in members(situation.supplied_hexes & ~s.full[situation.side]) if way[h] < UNREACHABLE]
            if safe:
                found[group] = min(safe, key=lambda h: (way[h] + (situation.to_enemy[h] <= 1), h))
    return found


def _parties(s: State, groups: list[Group]) -> list[Party]:
    """The groups of a side by their nearness."""
    spread = s.rules.grid.spread
    left = sum({1 << s.hex[g] for g in groups})
    found = []
    while left:
        party = wave = left & -left
        while wave:
            around = wave
            for _ in range(TOGETHER):
                around |= spread(around)
            wave = around & left & ~party
            party |= wave
        left &= ~party
        found.append(Party(party, tuple(g for g in groups if party >> s.hex[g] & 1)))
    return found


def _is_behind(s: State, party: Party, own: list[Group], other: list[Group], home: list[int]) -> bool:
    """Whether a party is alone and farther back than the other side's groups that face the rest of its army, or than
    any of them where there is no rest."""
    distance = s.rules.grid.distance
    rest = sum({1 << s.hex[g] for g in own} - {1 << h for h in members(party.hexes)})
    near = party.hexes
    for _ in range(ALONE - 1):
        near |= s.rules.grid.spread(near)
    if near & rest:
        return False
    facing = rest
    for _ in range(2):
        facing |= s.rules.grid.spread(facing)
    front = [s.hex[g] for g in other if facing >> s.hex[g] & 1 or not rest]
    first = next(iter(members(party.hexes)))
    front.sort(key=lambda h: (distance(h, first), h))
    around = [home[h] for h in front[:FACING]]
    return bool(around) and max(home[h] for h in members(party.hexes)) + DEEP <= sum(around) / len(around)


def _nearest_prize(situation: Situation, hex_: Hex) -> int:
    """Steps from an enemy to the nearest city or home of a depot that it may want."""
    s = situation.s
    prizes = situation.kept | homes(s, situation.side)
    return min((s.rules.grid.distance(hex_, h) for h in members(prizes)), default=UNREACHABLE)


def _pack(situation: Situation, offers: list[tuple[float, Group]], need: float) -> list[Group]:
    """Enough of the groups on offer, or nobody: the first who are there, none of whom can be spared."""
    pack: list[Group] = []
    have = 0.0
    for _, group in sorted((price + STRENGTH_PRICE * situation.power[group] / need, group) for price, group in offers):
        if have >= need or len(pack) >= MOST_HUNTERS:
            break
        pack.append(group)
        have += situation.power[group]
    for group in sorted(pack, key=lambda g: (situation.power[g], g)):
        if have - situation.power[group] >= need:
            pack.remove(group)
            have -= situation.power[group]
    return pack if have >= need else []


def _offers(
    s: State, situation: Situation, free: list[Group], target: Hex, others: list[Group]
) -> list[tuple[float, Group]]:
    """Groups that could be next to a target in time, with the weeks they need, more if they are wanted at the front.
    ``others``: the steps to the enemies at the front."""
    way = situation.distances(1 << target, situation.board.passable & ~s.occ[situation.enemy] | 1 << target)
    stations = s.own_line(situation.side) & s.rules.map.near[target] & ~situation.enemy_zone
    found = []
    for group in free:
        here = s.hex[group]
        if not s.group_units[group] or rear.is_garrison(s, group) or fatigue.worn_out(s, group):
            continue
        adjacent = bool(s.rules.map.reach[here] >> target & 1)
        if not adjacent and rear.is_wanted(s, situation, group):
            continue
        steps = max(0, way[here] - 1)
        weeks = rear.weeks(s, situation, here, min(members(stations), default=here), steps, KIND[group])
        if weeks <= LATEST:
            found.append((weeks + (WANTED if others[here] <= CLOSE else 0.0), group))
    return found


def _places(s: State, situation: Situation, pack: list[Group], target: Hex, taken: set[Hex]) -> dict[Group, Hex]:
    """Hexes around a target for its hunters, on as many sides as there are: it is to have no way out."""
    open_ = s.rules.map.reach[target] & plot_ways.open_hexes(s, situation.side)
    left = [h for h in members(open_) if h not in taken]
    found: dict[Group, Hex] = {}
    for group in pack:
        here = s.hex[group]
        if s.rules.map.reach[target] >> here & 1 and here not in found.values():
            found[group] = here
            left = [h for h in left if h != here]
            continue
        way = situation.distances(1 << here, situation.board.passable & ~s.occ[situation.enemy])
        best = min(left, key=lambda h: (way[h] - _apart(s, h, found), h), default=-1)
        if best >= 0 and way[best] < UNREACHABLE:
            found[group] = best
            left.remove(best)
    return found


def _apart(s: State, hex_: Hex, found: dict[Group, Hex]) -> float:
    """How far a hex is from those that are taken."""
    return min((s.rules.grid.distance(hex_, h) for h in found.values()), default=0)
