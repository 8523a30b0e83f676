"""XIII.D Retreats: how far a unit could go, and the way it goes, hex by hex."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import NUMBERS, figured
from rasputitsa.hexes.grid import BIT, Grid, HexSides, members, one_of, without
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.actions import BARE, HALT, TO
from rasputitsa.portfolio.model.combat import OPEN
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.stacking import room_for_one, surplus, why_no_room
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground, side_barred, zoc
from rasputitsa.portfolio.model.theatre import Ground
from rasputitsa.portfolio.rules.combat.advance import type_limits
from rasputitsa.portfolio.rules.combat.battle import set_length
from rasputitsa.portfolio.rules.combat.eligibility import Why, change, closed_to, guests, under_attack
from rasputitsa.portfolio.rules.combat.losses import check_stacking
from rasputitsa.portfolio.rules.logistics import supply

FORCED: Final = 0
SHORT: Final = 1
AVOIDING: Final = 2
"""Kinds of retreat: D4 and DX; D1 and what is like it; without combat (XIII.D.8)."""
FARTHEST: Final = 4
MOST_IN_ORDER: Final = 2
"""Hexes that a unit retreats at most, and how many of them it can go without being Dispersed (D1)."""
LEAST_WITHOUT_COMBAT: Final = 3
WITHOUT_COMBAT: Final[str] = f"{NUMBERS[LEAST_WITHOUT_COMBAT]} or {NUMBERS[FARTHEST]} hexes"
"""How far a unit retreats that avoids combat (XIII.D.8), and the same in words."""
ATTACKER_PICKS: Final = (0, 2)
"""Hexes after which the attacker picks the next one (XIII.D.1)."""
CONTINUE: Final = BARE["continue"]


class Masks(NamedTuple):
    """Where one unit may retreat, before its way is looked at."""

    first: HexBits
    """Hexes fit to be the first of a retreat."""
    later: HexBits
    """Hexes fit for the others: none adjacent to a Dispersed enemy (XIII.D.4.d)."""
    sides: HexSides
    """Sides the retreat does not cross."""
    withheld: HexBits
    """Hexes under attacks still to be resolved (XIII.D.4.e), not yet taken out of the others."""


@cached
def rings(grid: Grid) -> list[tuple[int, ...]]:
    """For each hex the hexes at distance 0 to 4."""
    found = []
    for hex_ in range(grid.size):
        seen = layer = 1 << hex_ & grid.board
        layers = [layer]
        for _ in range(FARTHEST):
            layer = without(grid.spread(layer), seen)
            seen |= layer
            layers.append(layer)
        found.append(tuple(layers))
    return found


def next_to_attackers(s: State, attackers: HexBits) -> HexBits:
    """Hexes next to those attacked from, across sides where a full-strength attack is possible (XIII.D.4.f)."""
    return _beside(ground(s), attackers)


def _beside(land: Ground, attackers: HexBits) -> HexBits:
    return (land.barrier.spread(attackers) | attackers) if attackers else 0


def fit_hexes(land: Ground, enemies: HexBits, zone: HexBits, friends: HexBits, attackers: HexBits) -> HexBits:
    """XIII.D.4.c, d and f: the hexes fit for a retreat from attackers, given where enemies, friends and zones are."""
    return without(land.enterable, enemies | _beside(land, attackers) | without(zone, friends))


def masks(s: State, unit: Unit, attackers: HexBits, kind: int) -> Masks:
    """The hexes that satisfy XIII.D.4 for a unit attacked from the given hexes."""
    roster = s.rules.roster
    # Ruling: nobody is forced across water; a retreat of the defender's choice may cross it.
    found = _masks(s, roster.side[unit], attackers, kind != FORCED and not roster.no_strait & BIT[unit])
    shut = closed_to(s, unit)
    return found._replace(first=without(found.first, shut), later=without(found.later, shut)) if shut else found


def _masks(s: State, side: Side, attackers: HexBits, wet: bool) -> Masks:
    """The same for any unit of a side to which no hex is closed."""
    enemy = 1 - side
    land = ground(s)
    friends = s.occ[side]
    fit = fit_hexes(land, s.occ[enemy], zoc(s, enemy), friends, attackers)
    later = fit
    dispersed = s.dispersed_hexes[enemy]
    if dispersed:
        # Ruling: a friendly unit in the hex lifts this bar as it lifts that of a zone of control.
        later = without(later, without(s.rules.grid.spread(dispersed), friends))
    return Masks(fit, later, land.closed if wet else land.barrier, under_attack(s))


def ability(s: State, unit: Unit, attackers: HexBits, kind: int) -> int:
    """How many hexes a unit could retreat, 0 to 4; other units may be passed but not ended upon when full."""
    return _longest(s, unit, s.pos[unit], 0, masks(s, unit, attackers, kind), s.pos[unit])


def _longest(s: State, unit: Unit, home: Hex, steps: int, where: Masks, start: Hex) -> int:
    """The longest way on from ``start``, reached after ``steps`` hexes; 0 when there is no room anywhere."""
    first, later = without(where.first, where.withheld), without(where.later, where.withheld)
    return longest_way(rings(s.rules.grid)[home], where.sides, first, later, room_for_one(s, unit), steps, start)


def longest_way(
    ring: tuple[Hex, ...], sides: HexSides, first: HexBits, later: HexBits, room: HexBits, steps: int, start: Hex
) -> int:
    """XIII.D.4.a and b: how many hexes a retreat can come to, each farther from its beginning; it ends where room is.

    ``ring`` are the rings around the beginning, ``sides`` what the way does not cross; ``first`` and ``later`` the
    hexes fit to be the first and the others; the way stands at ``start`` after ``steps`` hexes.
    """
    layer, best = BIT[start], steps if steps and room & BIT[start] else 0
    for k in range(steps + 1, FARTHEST + 1):
        layer = sides.spread(layer) & ring[k] & (later if k > 1 else first)
        if not layer:
            break
        if layer & room:
            best = k
    return best


def mark_barring_attacks(s: State, unit: Unit, home: Hex, attackers: HexBits, kind: int) -> None:
    """XIII.A.7: note the attacks whose hexes a retreat would have used."""
    if not under_attack(s):
        return
    where = masks(s, unit, attackers, kind)
    ring = rings(s.rules.grid)[home]
    layer, hit = 1 << s.pos[unit], 0
    start = s.rules.grid.distance(home, s.pos[unit])
    for k in range(start + 1, FARTHEST + 1):
        layer = where.sides.spread(layer) & ring[k] & (where.later if k > 1 else where.first)
        hit |= layer & where.withheld
        layer &= ~where.withheld
        if not layer:
            break
    if hit:
        for number, attack in enumerate(s.attacks):
            if attack.state == OPEN and any(hit >> t & 1 for t in attack.targets):
                change(s, number, attack._replace(barred_retreat=True))


# ---------------------------------------------------------------------- who could leave without a battle


def able_to_avoid(s: State, units: UnitBits) -> UnitBits:
    """XIII.D.8: those of some units of a side that may retreat of their own accord now."""
    side = s.rules.roster.side[one_of(units)] if units else 0
    attacked = under_attack(s)
    idle = without(units, s.spent | s.dispersed | s.hold)
    ready: list[tuple[int, int]] = []
    where = 0
    for hex_ in members(without(s.active[side], attacked)):
        for unit in s.at[hex_]:
            if idle & BIT[unit]:
                ready.append((unit, hex_))
                where |= BIT[hex_]
    if not ready:
        return 0
    dry = _masks(s, side, 0, False)
    easy = _plain_ways(s, dry, s.rules.grid.board ^ s.occ[side], where)
    picky = guests(s.rules)
    found = 0
    for unit, hex_ in ready:
        bit = BIT[unit]
        if easy & BIT[hex_] and not picky & bit:
            found |= bit
        else:
            wet = not s.rules.roster.no_strait & bit or picky & bit
            if _longest(s, unit, hex_, 0, masks(s, unit, 0, AVOIDING) if wet else dry, hex_) >= LEAST_WITHOUT_COMBAT:
                found |= bit
    return found


def _plain_ways(s: State, where: Masks, goal: HexBits, wanted: HexBits) -> HexBits:
    """Those of the wanted hexes from which a retreat without combat leads away to a goal.

    A way that takes every step farther from its start keeps to two neighbouring directions.
    """
    shift, barred = s.rules.grid.shift, where.sides.masks
    later = without(where.later, where.withheld)
    first = without(where.first, where.withheld)
    found = 0
    for one in (0, 3, 1, 4, 2, 5):
        two = (one + 1) % 6
        ways = goal & later
        for fit in [later] * (LEAST_WITHOUT_COMBAT - 2) + [first, wanted]:
            back_one, back_two = shift(ways, (one + 3) % 6), shift(ways, (two + 3) % 6)
            ways = (without(back_one, barred[one]) | without(back_two, barred[two])) & fit
        found |= ways
        if found == wanted:
            break
    return found


# ---------------------------------------------------------------------- the way, hex by hex


class Retreat(NamedTuple):
    """A retreat under way."""

    unit: Unit
    kind: int
    attackers: HexBits
    """Hexes from which the unit was attacked."""
    seat: SeatNumber
    """The attacker's seat, which picks the first and third hex."""
    way: tuple[Hex, ...]
    """Hexes so far, the attacked hex first."""

    @property
    def steps(self) -> int:
        """Hexes retreated so far."""
        return len(self.way) - 1


def start(s: State, unit: Unit, kind: int, attackers: HexBits, seat: SeatNumber, context: Context) -> None:
    """A unit begins to retreat."""
    mark_barring_attacks(s, unit, s.pos[unit], attackers, kind)
    go_on(s, Retreat(unit, kind, attackers, seat, (s.pos[unit],)), context)


def next_hexes(s: State, r: Retreat) -> HexBits:
    """Hexes the retreat may enter next."""
    if r.steps >= FARTHEST:
        return 0
    where = masks(s, r.unit, r.attackers, r.kind)
    step = r.steps + 1
    near = where.sides.near[r.way[-1]] & rings(s.rules.grid)[r.way[0]][step]
    near = without(near & (where.first if step == 1 else where.later), where.withheld)
    least = LEAST_WITHOUT_COMBAT
    if r.kind == AVOIDING and step < least:
        near = sum(BIT[h] for h in members(near) if _longest(s, r.unit, r.way[0], step, where, h) >= least)
    elif r.kind == AVOIDING and step == least:
        near &= room_for_one(s, r.unit) | sum(
            BIT[h] for h in members(near) if _longest(s, r.unit, r.way[0], step, where, h) > least
        )
    return near


def preferred(s: State, r: Retreat, hexes: HexBits) -> HexBits:
    """XIII.D.5: of the hexes an attacker may pick, those allowed: supplied and with room if there is one."""
    if not hexes & hexes - 1:
        return hexes
    roomy = hexes & room_for_one(s, r.unit)
    if r.kind == FORCED and s.rules.retreats_through_full_hexes:
        where, step = masks(s, r.unit, r.attackers, r.kind), r.steps + 1
        for hex_ in members(without(hexes, roomy)):
            if _longest(s, r.unit, r.way[0], step, where, hex_) > step:
                roomy |= BIT[hex_]
    supplied = hexes & supply.supplied_hexes(s, r.unit)
    return roomy & supplied or roomy or supplied or hexes


def open_hexes(s: State, r: Retreat) -> HexBits:
    """Hexes that may be picked as the next one."""
    hexes = next_hexes(s, r)
    return preferred(s, r, hexes) if r.steps in ATTACKER_PICKS else hexes


def go_on(s: State, r: Retreat, context: Context) -> None:
    """Ask for the next hex, or end the retreat."""
    hexes = open_hexes(s, r)
    if not hexes:
        finish(s, r, context)
        return
    forced = r.kind == FORCED
    attacker_picks = r.steps in ATTACKER_PICKS
    may_halt = _may_halt(s, r)
    if attacker_picks == forced or not may_halt:
        push(s, RetreatStep(r, hexes, may_halt, attacker_picks))
    else:
        push(s, RetreatLength(r, hexes))


def _may_halt(s: State, r: Retreat) -> bool:
    if r.kind == FORCED:
        # XIII.D.5: the attacker does not leave a unit overstacked while it could go on.
        return not r.steps or not surplus(s, s.at[r.way[-1]], r.way[-1])
    return r.steps >= (LEAST_WITHOUT_COMBAT if r.kind == AVOIDING else 1)


def _halted_advance(s: State, r: Retreat) -> str:
    """What the attacker gives up by ending a retreat here: an advance goes no farther than the retreat (XIII.E.1)."""
    battle = s.battle
    if r.kind != FORCED or battle is None:
        return ""
    if not r.steps:
        return f"{s.rules.units[r.unit].name} stays where it is, and nobody advances"
    limits = type_limits(s.rules, s.weather.id)
    farthest = max((limits[u] for u in battle.alive(s.pos) if not s.dispersed >> u & 1), default=0)
    if min(farthest, battle.shortest(r.way[0])) <= r.steps:
        return ""
    return f"nobody advances farther than {figured(r.steps, 'hex', 'hexes')}"


def step(s: State, r: Retreat, hex_: Hex, context: Context) -> None:
    """The unit enters the next hex of its retreat."""
    s.place(r.unit, hex_)
    control.gain(s, s.rules.roster.side[r.unit], BIT[hex_], context)
    go_on(s, r._replace(way=(*r.way, hex_)), context)


def finish(s: State, r: Retreat, context: Context) -> None:
    """The retreat is over: Spent after one or two hexes, Dispersed after more (XIII.C)."""
    if r.steps:
        context.note(Retreated(r.unit, r.way))
    set_length(s, r.unit, r.steps)
    if r.kind == AVOIDING or (r.kind == SHORT and r.steps > MOST_IN_ORDER):
        s.disperse(r.unit)
        context.note(Dispersed((r.unit,), "retreat"))
    elif r.kind == SHORT and r.steps:
        s.spend(1 << r.unit)
    if r.steps:
        check_stacking(s, r.way[-1])


@question
class RetreatStep(Frame):
    """Which hex next? The attacker is asked for the first and third, the defender for the others."""

    retreat: Retreat
    hexes: HexBits
    may_halt: bool
    attacker: bool

    kind = "retreat"
    rule = "XIII.D.1"

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.retreat.unit]

    def seat(self, s: State) -> SeatNumber:
        return self.retreat.seat if self.attacker else s.rules.owner(self.retreat.unit)

    def prompt(self, s: State) -> str:
        name = s.rules.units[self.retreat.unit].name
        who = "The attacker" if self.attacker else "The defender"
        halt = ", or ends the retreat here" if self.may_halt else ""
        return f"{who} chooses hex {self.retreat.steps + 1} of the retreat of {name}{halt}"

    def about(self, s: State) -> About:
        return About((self.retreat.unit,))

    def options(self, s: State) -> list[Action]:
        found = TO.pick(self.hexes)
        if self.may_halt:
            found.append(HALT)
        return found

    def gives_up(self, s: State, action: Action) -> str:
        return _halted_advance(s, self.retreat) if action == HALT else ""

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "halt":
            finish(s, self.retreat, context)
        else:
            step(s, self.retreat, action.args[0], context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "to":
            return IllegalAction(*why_not_to(s, self.retreat, action.args[0]))
        if action.verb == "halt":
            return IllegalAction(*why_not_halt(s, self.retreat, self.attacker))
        return Frame.refuse(self, s, action)


@question
class RetreatLength(Frame):
    """Shall the retreat go on? Decided by the side that sets its length (XIII.C.D4), where the other picks the hex."""

    retreat: Retreat
    hexes: HexBits

    kind = "retreat_length"
    rule = "XIII.D.1"

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.retreat.unit]

    def seat(self, s: State) -> SeatNumber:
        return self.retreat.seat if self.retreat.kind == FORCED else s.rules.owner(self.retreat.unit)

    def prompt(self, s: State) -> str:
        name = s.rules.units[self.retreat.unit].name
        other = "the defender" if self.retreat.kind == FORCED else "the attacker"
        return f"{name} has retreated {self.retreat.steps} of {FARTHEST} hexes: halt, or go on to a hex {other} picks"

    def about(self, s: State) -> About:
        return About((self.retreat.unit,))

    def options(self, s: State) -> list[Action]:
        return [HALT, CONTINUE]

    def gives_up(self, s: State, action: Action) -> str:
        r = self.retreat
        if action == HALT:
            return _halted_advance(s, r)
        if r.kind != SHORT or r.steps != MOST_IN_ORDER:
            return ""
        return f"beyond {MOST_IN_ORDER} hexes {s.rules.units[r.unit].name} is Dispersed"

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "halt":
            finish(s, self.retreat, context)
        else:
            push(s, RetreatStep(self.retreat, self.hexes, False, self.retreat.kind != FORCED))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "to":
            return IllegalAction("the length of the retreat is decided first; the other side picks this hex", self.rule)
        return Frame.refuse(self, s, action)


# ---------------------------------------------------------------------- reasons


def why_not_halt(s: State, r: Retreat, attacker: bool) -> Why:
    """Why a retreat cannot end here."""
    if attacker != (r.kind == FORCED):
        return "the other side decides how far the unit retreats", "XIII.D.1"
    if r.kind == AVOIDING:
        return f"a retreat without combat is {WITHOUT_COMBAT} long", "XIII.D.8"
    if r.kind == SHORT:
        return "a retreat is at least one hex long", "XIII.C.D1"
    return "the unit may not be left overstacked while it can go on", "XIII.D.5"


def why_not_to(s: State, r: Retreat, target: Hex) -> Why:
    """Why a retreat cannot enter a hex next, with the condition that forbids it."""
    rules, grid = s.rules, s.rules.grid
    if not 0 <= target < grid.size or not grid.board >> target & 1:
        return "a unit does not retreat off the map", "XIII.D.6"
    where, here, unit = grid.names[target], r.way[-1], r.unit
    bit = 1 << target
    side = rules.roster.side[unit]
    enemy = 1 - side
    if target not in grid.neighbours[here]:
        return f"{where} is not next to the retreating unit", "XIII.D.4.a"
    if s.occ[enemy] & bit:
        return f"{where} holds an enemy unit", "XIII.D.4.c"
    barred = side_barred(s, unit, here, target)
    if barred:
        return barred[0], barred[1] if barred[1] == "X.B.4" else "XIII.D.4.a"
    if ground(s).straits.between(here, target) and r.kind == FORCED:
        return "a unit forced across lakes or straits would be lost, so it is not sent there", "X.B.4"
    if closed_to(s, unit) & bit:
        return f"{where} is closed to this nation", "X.D.2"
    if grid.distance(r.way[0], target) != r.steps + 1:
        return f"{where} is not farther from the attacked hex", "XIII.D.4.b"
    if next_to_attackers(s, r.attackers) & bit:
        return f"{where} is next to a hex from which the unit was attacked", "XIII.D.4.f"
    if under_attack(s) & bit:
        return f"{where} is itself under an attack still to be resolved", "XIII.D.4.e"
    friend = s.occ[side] & bit
    if zoc(s, enemy) & bit and not friend:
        return f"{where} is in an enemy zone of control", "XIII.D.4.d"
    if r.steps and grid.spread(s.dispersed_hexes[enemy]) & bit and not friend:
        return f"{where} is next to a Dispersed enemy, which only the first hex may be", "XIII.D.4.d"
    if r.kind == AVOIDING:
        return f"by way of {where} the unit could not retreat {NUMBERS[LEAST_WITHOUT_COMBAT]} hexes", "XIII.D.8"
    if not room_for_one(s, unit) & bit:
        return f"there is a hex with room, and {why_no_room(s, (unit,), target)}", "XIII.D.5"
    return f"{where} is out of supply, and a hex in supply is at hand", "XIII.D.5"


@event("retreated", "XIII.D", "unit", "hexes")
class Retreated(Event):
    """A unit has retreated, hex by hex."""

    unit: Unit
    path: tuple[Hex, ...]

    def words(self, s: State) -> str:
        return (
            f"{unit_mark(s, self.unit)} retreats {figured(len(self.path) - 1, 'hex', 'hexes')} "
            f"to {hex_mark(s, self.path[-1])}"
        )
