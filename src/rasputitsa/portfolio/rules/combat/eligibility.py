"""XIII.A Who may attack what: announced attacks, the sides they cross, and the duty to attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rasputitsa.core.caching import cached, kept_of_rules
from rasputitsa.core.marks import counted
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.combat import OPEN, RESOLVED, Attack
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden, side_barred, waiting_nations
from rasputitsa.portfolio.model.theatre import SOVIET, Theatre

Why = tuple[str, str]
"""A reason in plain words and the paragraph."""
WhyNot = Callable[[State, Unit, Hex], "Why | None"]
"""Says why a unit cannot attack a hex; None if it can."""


class Sides(NamedTuple):
    """For each hex, the neighbours that matter to an attack, as sets of hexes."""

    infantry: list[int]
    """Hexes that infantry-type units may attack from here."""
    mobile: list[int]
    """Hexes that armor, mechanized units and cavalry may attack from here."""
    river: list[int]
    """Hexes from which an attack on this one crosses a river."""
    straits: list[int]
    """The same for lakes, the Kerch Straits and Leningrad-Kronshtadt."""
    kerch: list[int]
    stalin: list[int]
    """Hexes in front of this one's Stalin Line."""


@cached
def sides(board: Theatre, frozen: bool) -> Sides:
    """The table for one kind of weather."""
    land = board.ground[frozen]
    grid = board.grid
    found = Sides([], [], [], [], [], [])
    for hex_ in range(grid.size):
        here = 1 << hex_ & grid.board
        found.infantry.append(land.closed.spread(here) & land.enterable)
        found.mobile.append(land.barrier.spread(here) & land.enterable)
        found.river.append(land.river.across(here))
        found.straits.append(land.straits.across(here))
        found.kerch.append(board.sides["kerch"].across(here) & found.straits[-1])
        found.stalin.append(0)
    for front, held in board.sides["stalin"].pairs():
        found.stalin[held] |= 1 << front
    for attacking, attacked in land.one_way_river.pairs():
        found.river[attacked] |= 1 << attacking
    return found


def sides_now(s: State) -> Sides:
    """The table for the present weather."""
    return sides(s.rules.map, s.weather.freezes)


@kept_of_rules
def guests(rules: Ruleset) -> UnitBits:
    """Units of nations to which some hexes are closed (X.D.2, XVI.B.5)."""
    nations = set(rules.barred_country) | set(rules.charts["first_turn"]["axis_allies_wait"])
    for pair in rules.charts["forbidden"]["sharing"]:
        nations |= set(pair)
    return sum(rules.roster.of_nation[nation] for nation in nations)


def closed_to(s: State, unit: Unit) -> HexBits:
    """Hexes closed to a unit by its nation."""
    return forbidden(s, (unit,)) if guests(s.rules) & BIT[unit] else 0


def attackable(s: State, unit: Unit) -> HexBits:
    """Enemy-held hexes a unit could attack from where it stands (X.B.1, X.B.4, TEC.CrossLake, XIII.A.2)."""
    table = sides_now(s)
    roster = s.rules.roster
    near = (table.mobile if roster.no_strait & BIT[unit] else table.infantry)[s.pos[unit]]
    near &= s.occ[1 - roster.side[unit]]
    if near and guests(s.rules) & BIT[unit]:
        near = without(near, forbidden(s, (unit,)))
    return near


def fighters(s: State, side: Side) -> UnitBits:
    """Units next to the enemy that may attack in this phase: neither Spent, nor Dispersed, nor frozen."""
    near = s.rules.grid.spread(s.occ[1 - side]) & s.active[side]
    found = without(s.units_in(near), s.spent | s.dispersed | s.attacked)
    if side == SOVIET and s.reserve == 0 and s.first_turn():
        found = without(found, frozen_fighters(s, found))
    return found


def frozen_fighters(s: State, units: UnitBits) -> UnitBits:
    """XVI.B.3: those of the units that stood too far from the border when the turn began."""
    frozen = 0
    for unit in members(units & ~s.moved):
        if s.pos[unit] >= 0 and s.rules.frozen_at_start >> s.pos[unit] & 1:
            frozen |= 1 << unit
    return frozen


def committed(s: State) -> UnitBits:
    """Units of attacks still to be resolved."""
    found = 0
    for attack in s.attacks:
        if attack.state == OPEN:
            found |= mask_of(attack.units)
    return found


def impends(s: State, attack: Attack) -> bool:
    """Whether an attack is still to come: announced, with an attacker that has not been given up since (XIV.C)."""
    return attack.state == OPEN and any(s.pos[unit] >= 0 for unit in attack.units)


def under_attack(s: State) -> HexBits:
    """Hexes under attacks still to be resolved."""
    found = 0
    for attack in s.attacks:
        if impends(s, attack):
            found |= mask_of(attack.targets)
    return found


def mask_of(numbers: Iterable[Hex] | Iterable[Unit]) -> HexBits | UnitBits:
    """The set of some hexes or units."""
    found = 0
    for number in numbers:
        found |= BIT[number]
    return found


def origins(s: State, units: Iterable[Unit]) -> HexBits:
    """The hexes units stand in."""
    found = 0
    for unit in units:
        if s.pos[unit] >= 0:
            found |= 1 << s.pos[unit]
    return found


def change(s: State, number: int, attack: Attack) -> None:
    """Put a changed attack in the place of an old one."""
    s.attacks = (*s.attacks[:number], attack, *s.attacks[number + 1 :])


# ---------------------------------------------------------------------- duties and limits


def owed(s: State, units: Iterable[Unit], covered: HexBits) -> HexBits:
    """XIII.A.3: hexes of undispersed German armies or Soviet fronts that these attackers leave alone."""
    strong = s.strong[s.enemy] & ~covered
    if not strong:
        return 0
    found = 0
    for unit in units:
        if s.pos[unit] >= 0:
            found |= attackable(s, unit) & strong
    return found


def attacked_hexes(s: State) -> HexBits:
    """Hexes that have been or will be attacked in this phase."""
    return mask_of(h for a in s.attacks if a.state == RESOLVED or impends(s, a) for h in a.targets)


def crowded(s: State, targets: Iterable[Hex], units: Sequence[Unit]) -> bool:
    """XII: more armor-type units attacking into swamp or mountains from one hex than may stand there."""
    return crowded_from(s, mask_of(targets), [(unit, s.pos[unit]) for unit in units])


def crowded_from(s: State, targets: HexBits, attackers: Iterable[tuple[Unit, Hex]]) -> bool:
    """The same for units each of which would attack from some hex."""
    if not targets & s.rules.map.ground[0].rough:
        return False
    armor, most = s.rules.roster.armor_type, s.rules.stacking.armor_in_rough
    armored = [hex_ for unit, hex_ in attackers if armor >> unit & 1]
    return len(armored) > most and any(armored.count(hex_) > most for hex_ in armored)


# ---------------------------------------------------------------------- reasons


def why_not_attack(s: State, unit: Unit, target: Hex) -> Why | None:
    """Why a unit cannot attack a hex; None if nothing forbids it."""
    rules = s.rules
    if not 0 <= unit < len(rules.units):
        return "there is no such unit", "III"
    if not 0 <= target < rules.grid.size or not rules.grid.board >> target & 1:
        return "there is no such hex on the map", "III"
    return why_not_fighting(s, unit) or why_not_reached(s, unit, target)


def why_not_all(s: State, unit: Unit, targets: Sequence[Hex], why_not: WhyNot = why_not_attack) -> Why | None:
    """Why a unit cannot attack some hexes together; who attacks several must reach each of them (XIII.A.5)."""
    for target in targets:
        why = why_not(s, unit, target)
        if why:
            return why if len(targets) == 1 or why[1] != "XIII.A.2" else (why[0], "XIII.A.5")
    return None


def why_crowded(s: State) -> Why:
    """What too many armor-type units of a hex hear that would attack into swamp or mountains (XII)."""
    most = s.rules.stacking.armor_in_rough
    attack = "attacks" if most == 1 else "attack"
    return f"only {counted(most, 'armor-type unit')} {attack} into swamp or mountains from one hex", "XII"


def why_not_fighting(s: State, unit: Unit) -> Why | None:
    """Why a unit attacks nothing in this phase."""
    rules = s.rules
    name = rules.units[unit].name
    bit = 1 << unit
    if rules.roster.side[unit] != s.side:
        return f"{name} belongs to the side that defends", "III"
    if s.pos[unit] < 0:
        return f"{name} is not on the map", "XIII.A.2"
    if s.dispersed & bit:
        return f"{name} is Dispersed and may not attack", "VII.B"
    if s.attacked & bit:
        return f"{name} has already attacked in this game-turn", "XIII.A.1"
    if s.spent & bit:
        return f"{name} is Spent and may not attack", "VII.A"
    if rules.roster.side[unit] == SOVIET and s.reserve == 0 and s.first_turn() and frozen_fighters(s, bit):
        return f"{name} stands too far from the border to attack before the first Reserves Phase", "XVI.B.3"
    for number, attack in enumerate(s.attacks, start=1):
        if attack.state == OPEN and unit in attack.units:
            return f"{name} already takes part in attack {number}", "XIII.A.1"
    return None


def why_not_reached(s: State, unit: Unit, target: Hex) -> Why | None:
    """Why a unit cannot attack a hex from where it stands."""
    rules = s.rules
    name, where = rules.units[unit].name, rules.grid.names[target]
    here = s.pos[unit]
    if target not in rules.grid.neighbours[here]:
        return f"{name} is not next to {where}", "XIII.A.2"
    if not s.occ[1 - rules.roster.side[unit]] >> target & 1:
        return f"no enemy unit stands in {where}", "XIII.A.2"
    barred = side_barred(s, unit, here, target)
    if barred is not None:
        return barred if barred[1] == "X.B.4" else (barred[0], "X.B.1")
    nation = rules.units[unit].nation
    if rules.barred_country.get(nation, 0) >> target & 1:
        return f"{name} may never enter {where}", "X.D.2"
    if nation in waiting_nations(s) and rules.home[SOVIET] >> target & 1:
        return f"{name} may not attack into the Soviet Union before the second turn", "XVI.B.5"
    if closed_to(s, unit) >> target & 1:
        return f"{where} is closed to {name}", "X.D.2"
    return None
