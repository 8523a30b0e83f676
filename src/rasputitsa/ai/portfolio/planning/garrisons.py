"""Units assigned to hold a place: those that must not fall, and those that the enemy left open."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, knowledge_of
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.stacking import fits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.combat.odds import defence_factors

MAX_ODDS_AT_GOAL, MAX_ODDS_AT_KEY_CITY, MAX_ODDS_AT_OIL, MAX_ODDS_ELSEWHERE = 1.2, 2.0, 3.0, 4.0
"""How many times the defence the enemy's attack may be: for places whose fall loses the game at once, for those that
decide it, for the oil, and for others."""
CHEAP = 4
"""Attack factor up to which a unit may be spared for a lesser place."""


class Place(NamedTuple):
    """A place to be held."""

    hex: Hex
    firmness: float
    attack: int
    """Attack factors the enemy could bring against it."""
    raid: bool
    """Whether the enemy would take it if it stood open."""


def needs(s: State, side: Side) -> list[tuple[Hex, float]]:
    """Places to be held and how firmly, the most important first."""
    knowledge = knowledge_of(s.rules)
    if s.goal is not None:
        return [(h, MAX_ODDS_AT_KEY_CITY) for h in members(lesson.places(s) & s.controlled(side))]
    if side == AXIS:
        held = [h for h in knowledge.victory if s.control >> h & 1]
        points = sum(knowledge.victory[h] for h in held)
        firm = MAX_ODDS_AT_KEY_CITY if points >= knowledge.needed - 2 else MAX_ODDS_ELSEWHERE
        oil = [(h, MAX_ODDS_AT_OIL) for h in members(knowledge.fuel[AXIS] & s.control)]
        return [(h, MAX_ODDS_AT_GOAL) for h in knowledge.soviet_goals] + oil + [(h, firm) for h in held]
    own = [h for h in knowledge.victory if not s.control >> h & 1]
    lost = sum(knowledge.victory[h] for h in knowledge.victory if s.control >> h & 1)
    firm = MAX_ODDS_AT_KEY_CITY if lost >= knowledge.needed - 2 else MAX_ODDS_ELSEWHERE
    return [(h, firm) for h in own]


def never_left(s: State, side: Side) -> HexBits:
    """Hexes that a side's units never leave of their own will: those that decide the game, and its oil."""
    if s.goal is not None:
        return lesson.bound(s, side)
    knowledge = knowledge_of(s.rules)
    hexes = s.rules.map.victory_cities | knowledge.fuel[side]
    if side == AXIS:
        hexes |= sum(1 << h for h in knowledge.soviet_goals)
    return hexes


def threat(s: State, side: Side, hex_: Hex, hostile: UnitBits, firmness: float) -> tuple[int, bool]:
    """Attack factors the enemy could bring against a hex, roughly, and whether it would be taken if it stood open."""
    field = knowledge_of(s.rules).field(hex_)
    roster = s.rules.roster
    bonus = s.rules.bonus[1 - side]
    near: list[int] = []
    around = 0
    raid = False
    for unit in members(hostile):
        distance = field[s.pos[unit]]
        if distance >= UNREACHABLE:
            continue
        if distance <= roster.mf[unit] + 1:
            near.append(roster.af[unit])
        raid = raid or distance <= roster.mf[unit] + bonus + 1
        if firmness <= MAX_ODDS_AT_KEY_CITY and distance <= RAID and not watched(s, side, unit):
            around += roster.af[unit]
    near.sort(reverse=True)
    attack = sum(near[:6])
    if firmness <= MAX_ODDS_AT_KEY_CITY and raid:
        attack = max(attack, int(around * DISTANT))
    return attack, raid


def watched(s: State, side: Side, unit: Unit) -> bool:
    """Whether an enemy unit has so much against it close by that it will hardly go far."""
    roster = s.rules.roster
    near = knowledge_of(s.rules).near(s.pos[unit], 3) & s.active[side]
    force = sum(roster.af[u] for h in members(near) for u in s.at[h] if not s.dispersed >> u & 1)
    return force >= WATCH * roster.df[unit]


def garrison(s: State, side: Side, ready: dict[Unit, HexBits], hostile: UnitBits) -> dict[Unit, Hex]:
    """Units that are needed to hold places, and where; ``ready`` gives the hexes each unit can reach."""
    places = [Place(h, firmness, *threat(s, side, h, hostile, firmness)) for h, firmness in needs(s, side)]
    places = [place for place in places if place.attack or place.raid]
    posted: dict[Unit, Hex] = {}
    for place in places:
        _hold(s, side, place, s.rules.stack_limit, ready, posted)
    vital = [place for place in places if place.firmness in {MAX_ODDS_AT_GOAL, MAX_ODDS_AT_OIL}]
    held = {s.pos[unit] for unit in s.on_map(side) if unit not in ready}.union(posted.values())
    if all(place.hex in held for place in vital):
        return posted
    # nowhere do two stand as long as the oil, or what loses the game, has nobody
    posted = {}
    for place in vital:
        _hold(s, side, place, 1, ready, posted)
    for place in places:
        _hold(s, side, place, s.rules.stack_limit, ready, posted)
    return posted


def _hold(s: State, side: Side, place: Place, most: int, ready: dict[Unit, HexBits], posted: dict[Unit, Hex]) -> None:
    """Post units to a place until it is firm enough, or holds as many as it may."""
    roster = s.rules.roster
    fixed = [u for u in s.at.get(place.hex, ()) if u not in ready and roster.side[u] == side]
    fixed += [u for u, hex_ in posted.items() if hex_ == place.hex]
    able = [u for u, spots in ready.items() if spots >> place.hex & 1 and u not in posted]
    if place.firmness == MAX_ODDS_ELSEWHERE:
        cheap = [u for u in able if roster.af[u] <= CHEAP and not roster.pure_armor >> u & 1]
        able = cheap or [u for u in able if s.pos[u] == place.hex]
    able.sort(key=lambda u: (s.pos[u] != place.hex, roster.af[u] - 0.5 * roster.df[u], u))
    if place.firmness == MAX_ODDS_AT_GOAL:
        able = _firmest(s, place, fixed, able, most)
    _post(s, place, fixed, able, most, posted)


def seizures(s: State, side: Side, ready: dict[Unit, HexBits], hostile: UnitBits) -> dict[Unit, Hex]:
    """Soviet units that march into places without a guard: what wins the game or takes the oil, and lost cities.

    Each claim must outlast the enemy's operations (IV), so the firmest go. The Axis needs no such orders: all its
    marches lead to the cities.
    """
    if side == AXIS or s.goal is not None:
        return {}
    knowledge = knowledge_of(s.rules)
    open_ = s.controlled(AXIS) & ~s.occ[AXIS]
    needed_here = s.units_in(never_left(s, side) & s.occ[side])
    posted: dict[Unit, Hex] = {}
    for hex_ in (*knowledge.soviet_goals, *members(knowledge.fuel[AXIS]), *knowledge.victory):
        if not open_ >> hex_ & 1:
            continue
        able = [u for u, spots in ready.items() if spots >> hex_ & 1 and u not in posted]
        firmness = MAX_ODDS_AT_GOAL
        if hex_ not in knowledge.soviet_goals:
            able = [u for u in able if not needed_here >> u & 1]
            firmness = MAX_ODDS_AT_KEY_CITY
        able.sort(key=lambda u: (-s.rules.roster.df[u], s.rules.roster.af[u], u))
        place = Place(hex_, firmness, *threat(s, side, hex_, hostile, firmness))
        _post(s, place, [], able, s.rules.stack_limit, posted)
    return posted


def _firmest(s: State, place: Place, fixed: list[Unit], able: list[Unit], most: int) -> list[Unit]:
    """The cheapest units that make a place firm, ``most`` with those there; if none do, those that defend it best."""
    there = {u for u in able if s.pos[u] == place.hex}
    teams: list[tuple[int, ...]] = [(u,) for u in able]
    teams += [(u, v) for n, u in enumerate(able) for v in able[n + 1 :]]
    best: tuple[tuple[float, float], tuple[int, ...]] | None = None
    for team in teams:
        if len(fixed) + len(team) > most or len(fixed) + len(there.union(team)) > s.rules.stack_limit:
            continue
        if not fits(s, team[-1], [*fixed, *team[:-1]], place.hex):
            continue
        defence = defence_factors(s, place.hex, [*fixed, *team], ~s.dispersed)
        short = max(0.0, place.attack / MAX_ODDS_AT_GOAL - defence)
        price = (short, sum((0.5 + s.rules.roster.af[u] for u in team), 0.0))
        if best is None or price < best[0]:
            best = price, team
    return list(best[1]) if best else able


def _post(s: State, place: Place, fixed: list[Unit], able: list[Unit], most: int, posted: dict[Unit, Hex]) -> None:
    """Post units to one place until it is firm enough, or holds as many as it may."""
    for unit in able:
        all_dispersed = all(s.dispersed >> u & 1 for u in fixed)
        defence = defence_factors(s, place.hex, fixed, ~s.dispersed)
        enough = bool(fixed) and defence * place.firmness >= place.attack
        enough = enough and not (all_dispersed and place.firmness <= MAX_ODDS_AT_OIL)
        if enough or len(fixed) >= most:
            return
        if fits(s, unit, fixed, place.hex):
            posted[unit] = place.hex
            fixed.append(unit)


def guards(s: State, ready: dict[Unit, HexBits], hostile: UnitBits) -> dict[Unit, HexBits]:
    """Axis units that may not stray from a place whose fall loses the game: the hexes left to each.

    Enough of the nearest and least mobile are kept within reach of the place or of those who threaten it.
    """
    knowledge = knowledge_of(s.rules)
    roster = s.rules.roster
    grid = s.rules.grid
    kept: dict[Unit, HexBits] = {}
    if s.goal is not None:
        return kept
    for prize in knowledge.soviet_goals:
        kept |= home_guard(s, prize, {u: spots for u, spots in ready.items() if u not in kept})
    for prize in knowledge.soviet_goals:
        field = knowledge.field(prize)
        raiders = [u for u in members(hostile) if field[s.pos[u]] <= RAID and not watched(s, AXIS, u)]
        if not raiders:
            continue
        need = GUARD * sum(roster.af[u] for u in raiders)
        zone = knowledge.near(prize, 4)
        for unit in raiders:
            zone |= grid.adjacent[s.pos[unit]]
        near = sorted(
            (u for u in ready if u not in kept and field[s.pos[u]] <= RAID),
            key=lambda u: (field[s.pos[u]] + (6 if roster.pure_armor >> u & 1 else 0), u),
        )
        if sum(roster.df[u] for u in near) > CROWD * need:
            continue
        for unit in near:
            if need <= 0:
                break
            if ready[unit] & zone:
                kept[unit] = zone
                need -= roster.df[unit]
    return kept


def home_guard(s: State, prize: Hex, ready: dict[Unit, HexBits]) -> dict[Unit, HexBits]:
    """The units that never leave a place whose fall loses the game: an enemy may turn up in any town behind the front.

    They are the cheapest of those that are near, and not armor.
    """
    knowledge = knowledge_of(s.rules)
    roster = s.rules.roster
    field = knowledge.field(prize)
    zone = knowledge.near(prize, HOME)
    present = members(s.units_in(zone & s.occ[AXIS]) & ~s.dispersed)
    held = sum(roster.df[u] for u in present if u not in ready)
    close = [u for u in ready if ready[u] & zone and not roster.armor_type >> u & 1]
    kept: dict[Unit, HexBits] = {}
    for unit in sorted(close, key=lambda u: (roster.af[u] + (field[s.pos[u]] > HOME), u)):
        if held >= HOME_GUARD:
            break
        kept[unit] = zone
        held += roster.df[unit]
    return kept


HOME, HOME_GUARD = 3, 3
"""Distance from such a place at which its guard stands, and the defence factors it has at least."""
DISTANT = 0.7
"""Share of the attack factors within ``RAID`` that counts against a place that decides the game."""
WATCH = 2.5
"""Attack factors close by, for each of its defence factors, that pin an enemy unit down."""
RAID = 9
"""Marching distance from which a place is in danger before long."""
CROWD = 2.5
"""How many times what is needed must be near before nobody else is assigned to it."""
GUARD = 0.7
"""Defence factors kept near for each attack factor that threatens."""
