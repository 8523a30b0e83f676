"""IX.A Replacement points: where they come from, what units cost, where new units enter."""

from __future__ import annotations

from rasputitsa.core.caching import cached, cached_up_to, kept_of_rules
from rasputitsa.core.marks import counted, figured, listed
from rasputitsa.hexes.grid import one_of, without
from rasputitsa.portfolio.model.control import holder
from rasputitsa.portfolio.model.indices import HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.model.units import Roster
from rasputitsa.portfolio.rules.logistics.arrivals import Reason, arrival_hexes, can_arrive
from rasputitsa.portfolio.rules.logistics.rail import rail_net
from rasputitsa.portfolio.rules.logistics.supply import supplied

# ---------------------------------------------------------------- income


def closed_turn(s: State) -> bool:
    """XVI.B.4: June games have no replacements in their first game-turn."""
    return s.rules.late_production and s.first_turn()


def income(s: State, side: Side) -> tuple[int, int]:
    """Armor and infantry points a side gains this turn."""
    if closed_turn(s) or (s.goal is not None and not s.goal.replacements):
        return 0, 0
    chart = s.rules.charts["production"]
    if side == AXIS:
        return chart["axis_armor"], chart["axis_infantry"]  # IX.A.2
    working = working_cities(s)
    cities = (working & s.rules.map.majors).bit_count() + (working & _double_cities(s.rules)).bit_count()
    factories = (working & s.rules.map.factories & ~s.factories_lost).bit_count()  # IX.A.1.b.2, IX.A.1.b.3
    armor = factories * chart["factory_points"] + chart["siberia_armor"]
    return armor, cities * chart["city_points"] + chart["siberia_infantry"] + lend_lease(s)


def working_cities(s: State) -> HexBits:
    """IX.A.1.a.1, XIV.B.1: the major Soviet cities in Soviet control, in supply and reached by rail."""
    ours = s.rules.map.majors & s.rules.home[SOVIET] & s.controlled(SOVIET)
    return ours & supplied(s, SOVIET) & rail_net(s, SOVIET).hexes


def _double_cities(rules: Ruleset) -> HexBits:
    return sum(1 << rules.map.named(name) for name in rules.charts["production"]["double_cities"])


def lend_lease(s: State) -> int:
    """IX.A.1.c: what arrives in Archangelsk from the third turn played on, unless the Axis holds it."""
    chart = s.rules.charts["production"]["lend_lease"]
    played = s.turn - s.rules.first_turn + 1
    open_port = holder(s, s.rules.map.named(chart["hex"])) == SOVIET
    return int(chart["points"]) if open_port and played >= chart["from_turn_played"] else 0


# ---------------------------------------------------------------- prices


def purse(s: State, side: Side) -> tuple[int, int]:
    """Armor and infantry points to spend; what the Siberian Reserve does not use may be used too (IX.B.2)."""
    armor, infantry = s.armor_points[side], s.infantry_points[side]
    if side == SOVIET:
        return armor + s.siberia_points[0], infantry + s.siberia_points[1]
    return armor, infantry


def price(s: State, unit: Unit) -> tuple[int, int] | None:
    """Armor and infantry points a unit costs its side now; None if the side has too few.

    The Axis may pay for other units with armor (IX.A.2), and a shock army may be paid in part with it
    (IX.A.1.b.1). Ruling: infantry points are used first.
    """
    u = s.rules.units[unit]
    return _shares(s.rules, u.side, u.cost, u.cost_kind, *purse(s, u.side))


def _shares(rules: Ruleset, side: Side, cost: int, kind: str, armor: int, infantry: int) -> tuple[int, int] | None:
    """What a side with these points pays of a price in armor and in infantry; None if it has too few."""
    from_infantry = min(cost - _least_armor(rules, cost, kind), infantry)
    from_armor = cost - from_infantry
    armor_counts = kind in ("armor", "shock") or side == AXIS
    return (from_armor, from_infantry) if from_armor <= (armor if armor_counts else 0) else None


def _least_armor(rules: Ruleset, cost: int, kind: str) -> int:
    """How many points of a price only armor pays: all for armor, some for a shock army, and never more than all."""
    return cost if kind == "armor" else min(cost, rules.shock_min_armor) if kind == "shock" else 0


def pay(s: State, unit: Unit) -> None:
    """Spend the points for a unit: those saved first, then what the Siberian Reserve has left."""
    cost = price(s, unit)
    assert cost is not None
    side = s.rules.roster.side[unit]
    armor = min(cost[0], s.armor_points[side])
    infantry = min(cost[1], s.infantry_points[side])
    s.armor_points[side] -= armor
    s.infantry_points[side] -= infantry
    if side == SOVIET:
        extra_armor, extra_infantry, cavalry = s.siberia_points
        s.siberia_points = (extra_armor - (cost[0] - armor), extra_infantry - (cost[1] - infantry), cavalry)


@cached
def _catalogue(roster: Roster, side: Side) -> tuple[tuple[int, str, int], ...]:
    """Replaceable units of a side by what they cost: points, kind, units."""
    found: dict[tuple[int, str], int] = {}
    for u in roster.units:
        if u.side == side and u.replaceable:
            found[u.cost, u.cost_kind] = found.get((u.cost, u.cost_kind), 0) | 1 << u.number
    return tuple((cost, kind, units) for (cost, kind), units in found.items())


def affordable(s: State, side: Side) -> UnitBits:
    """Units, wherever they are, that the points of a side could pay for."""
    only_armor = closed_turn(s)
    if only_armor and (side == AXIS or s.rules.options["reserve_first_turn"] == "no"):
        return 0
    armor, infantry = purse(s, side)
    return _payable(s.rules, side, armor, infantry, only_armor)


@cached_up_to(4096)
def _payable(rules: Ruleset, side: Side, armor: int, infantry: int, only_armor: bool) -> UnitBits:
    found = 0
    for cost, kind, units in _catalogue(rules.roster, side):
        if (kind == "armor" or not only_armor) and _shares(rules, side, cost, kind, armor, infantry) is not None:
            found |= units
    return found


# ---------------------------------------------------------------- entry


@kept_of_rules
def eastern_edge(rules: Ruleset) -> HexBits:
    """Soviet hexes of the eastern map edge."""
    grid = rules.grid
    last = sum(1 << row * grid.stride + grid.columns - 1 for row in range(grid.rows))
    return last & rules.map.edge["SU"] & rules.map.ground[0].enterable


@kept_of_rules
def _axis_entry(rules: Ruleset) -> HexBits:
    return sum(1 << rules.map.named(name) for name in rules.charts["production"]["axis_entry"])


def axis_entries(rules: Ruleset, joint: str) -> str:
    """IX.A: the names of the cities where Axis replacements enter."""
    found = (rules.map.named(name) for name in rules.charts["production"]["axis_entry"])
    return listed((rules.map.places[h].name if h in rules.map.places else rules.grid.names[h] for h in found), joint)


def entry_hexes(s: State, side: Side) -> HexBits:
    """IX.A: where replacements may enter, whether or not there is room."""
    if side == AXIS:
        return _axis_entry(s.rules) & s.control
    edge = eastern_edge(s.rules) & s.controlled(SOVIET)
    return without(edge, s.occ[AXIS]) | s.rules.map.towns & rail_net(s, SOVIET).hexes


def replacement_hexes(s: State, unit: Unit) -> HexBits:
    """Where a unit could enter as a replacement now."""
    return arrival_hexes(s, unit, entry_hexes(s, s.rules.roster.side[unit]))


def buildable(s: State, side: Side) -> UnitBits:
    """IX.A: the units a side may bring in as replacements now."""
    roster = s.rules.roster
    wanted = affordable(s, side)
    if s.fronts_built >= s.rules.fronts_per_turn:
        wanted = without(wanted, roster.front)
    wanted &= s.pool
    if not wanted:
        return 0
    entry = entry_hexes(s, side)
    found = 0
    for kind in roster.alike:
        alike = wanted & kind
        if alike and can_arrive(s, one_of(alike), entry):
            found |= alike
    return found


def why_no_replacement(s: State, side: Side, unit: Unit) -> Reason | None:
    """Why a unit may not come in as a replacement, or None if it may."""
    u = s.rules.units[unit]
    reason = _why_never(s, side, unit) or _why_not_this_turn(s, side, unit)
    if reason:
        return reason
    if price(s, unit) is None:
        return _why_too_costly(s, unit), _rule_of_price(s, unit)
    if not replacement_hexes(s, unit):
        if side == AXIS:
            cities = axis_entries(s.rules, "and")
            return f"no place for it is left in {cities}: lost, full or already used this turn", "IX.A"
        return f"no entry hex has a place for {u.name} this turn", "IX.A"
    return None


def _why_never(s: State, side: Side, unit: Unit) -> Reason | None:
    """Why a unit is none that comes in as a replacement, whatever the turn (IX.A, IX.A.2, IX.B.2)."""
    u = s.rules.units[unit]
    if u.side != side:
        return f"{u.name} is an enemy unit", "IX.A"
    if s.pos[unit] >= 0:
        return f"{u.name} is on the map", "IX.A.2" if side == AXIS else "IX.A"
    if not u.replaceable:
        return "German armies and the units of Axis allies cannot be replaced", "IX.A"
    if s.pos[unit] == LOCKED:
        return "shock armies do not enter before their instalment of the Siberian Reserve", "IX.B.2"
    if s.pos[unit] == ELIMINATED:
        return f"{u.name} is out of the game", "IX.A"
    return None


def _why_not_this_turn(s: State, side: Side, unit: Unit) -> Reason | None:
    u = s.rules.units[unit]
    if closed_turn(s):
        if side == AXIS or s.rules.options["reserve_first_turn"] == "no":
            return "there are no replacements in the first game-turn of a June game", "XVI.B.4"
        if u.cost_kind != "armor":
            return "in the first game-turn only the armor reserve is spent, on armor and mechanized units", "XVI.B.4"
    limit = s.rules.fronts_per_turn
    if s.rules.roster.front >> unit & 1 and s.fronts_built >= limit:
        return f"{limit} fronts have been built this turn", "IX.A.1.a.2"
    return None


def _lacks_armor(s: State, unit: Unit) -> bool:
    """Whether a shock army could be paid for, but for its armor points (IX.A.1.b.1)."""
    u = s.rules.units[unit]
    armor, infantry = purse(s, u.side)
    least = _least_armor(s.rules, u.cost, u.cost_kind)
    return u.cost_kind == "shock" and armor < least and armor + infantry >= u.cost


def _rule_of_price(s: State, unit: Unit) -> str:
    """The paragraph on what pays for a unit."""
    if _lacks_armor(s, unit):
        return "IX.A.1.b.1"
    u = s.rules.units[unit]
    return "IX.A.2" if u.side == AXIS and u.cost_kind != "armor" else "IX.A"


def _why_too_costly(s: State, unit: Unit) -> str:
    u = s.rules.units[unit]
    armor, infantry = purse(s, u.side)
    if u.cost_kind == "armor":
        return f"{u.name} costs {figured(u.cost, 'armor point')}, and there {'is' if armor == 1 else 'are'} {armor}"
    if u.cost_kind == "shock":
        least = _least_armor(s.rules, u.cost, u.cost_kind)
        share = f", at least {counted(least, 'point')} of armor" if least else ""
        return f"{u.name} costs {figured(u.cost, 'point')}{share}; there are {armor} armor and {infantry} infantry"
    if u.side == AXIS:
        return f"{u.name} costs {figured(u.cost, 'point')}; there are {infantry} infantry and {armor} armor"
    return (
        f"{u.name} costs {figured(u.cost, 'infantry point')}, and there {'is' if infantry == 1 else 'are'} {infantry}"
    )
