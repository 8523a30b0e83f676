"""XIII.E Tactical advances: who must, who may, how far, and the effect of zones of control.

Advances are for attackers alone (XIII.D.7).
"""

from __future__ import annotations

from itertools import combinations

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted, listed, plain
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.actions import DONE, HALT, TO, each
from rasputitsa.portfolio.model.combat import LIKE_D1, LIKE_DE, Clearing
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.stacking import room_for, why_no_room
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground, strong_zoc, zoc
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.combat.battle import current
from rasputitsa.portfolio.rules.combat.eligibility import Why, closed_to, sides_now

# ---------------------------------------------------------------------- how far


@kept_of_rules
def type_limits(rules: Ruleset, weather: str) -> tuple[int, ...]:
    """XIII.E.1: for each unit the hexes it may advance in a kind of weather."""
    chart = rules.charts["advance"][rules.weather[weather].advance]
    found = []
    for unit in rules.units:
        if unit.mark:
            limit = chart["marked"]
        elif unit.of_type.advance in chart:
            limit = chart[unit.of_type.advance]
        elif unit.nation in ("DE", "FI") and unit.size == "corps":
            limit = chart["corps_de_fi"]
        else:
            limit = chart["other"]
        found.append(min(limit, chart.get("axis_limit", limit)) if unit.side == AXIS else limit)
    return tuple(found)


def limit_of(s: State, unit: Unit, clearing: Clearing) -> int:
    """Hexes a unit may advance by way of a vacated hex: its type, and the shortest retreat out of it."""
    return min(type_limits(s.rules, s.weather.id)[unit], clearing.limit)


# ---------------------------------------------------------------------- where to


def shared_zones(s: State, here: Hex, enemy: Side) -> tuple[HexBits, HexBits]:
    """Neighbours of a hex that lie with it in the zone of one and the same enemy unit; and of an army or front."""
    grid = s.rules.grid
    if s.rules.zones_end_at_barriers:
        barrier = ground(s).barrier
        near = barrier.spread(1 << here)
        return barrier.spread(near & s.active[enemy]), barrier.spread(near & s.strong[enemy])
    near = grid.adjacent[here]
    return grid.spread(near & s.active[enemy]), grid.spread(near & s.strong[enemy])


def enterable_hexes(s: State, unit: Unit) -> HexBits:
    """Hexes a unit could advance into if it stood next to them; stacking holds at every step (XII)."""
    side = s.rules.roster.side[unit]
    return ground(s).enterable & ~s.occ[1 - side] & room_for(s, (unit,)) & ~closed_to(s, unit)


def reachable_at_once(s: State, unit: Unit) -> HexBits:
    """Neighbouring hexes across sides the unit could attack over."""
    table = sides_now(s)
    return (table.mobile if s.rules.roster.no_strait >> unit & 1 else table.infantry)[s.pos[unit]]


def first_hexes(s: State, unit: Unit, cleared: tuple[Clearing, ...], aside: bool) -> HexBits:
    """Hexes a unit may enter first: the vacated ones, and where allowed a free one next to them (XIII.E.6)."""
    near = reachable_at_once(s, unit) & enterable_hexes(s, unit)
    if not near:
        return 0
    vacated = 0
    for clearing in cleared:
        vacated |= 1 << clearing.hex
    found = near & vacated
    if aside:
        shared, _ = shared_zones(s, s.pos[unit], s.enemy)
        empty = ~(s.occ[0] | s.occ[1])
        found |= near & empty & s.rules.grid.spread(vacated) & ~shared & ~vacated
    return found


def next_hexes(s: State, unit: Unit) -> HexBits:
    """Hexes a unit may go on to after the vacated one."""
    return ground(s).barrier.spread(1 << s.pos[unit]) & enterable_hexes(s, unit)


# ---------------------------------------------------------------------- the duty to advance


@question
class Advance(Frame):
    """Which unit advances next? Enough must go before anybody may stay (XIII.D.3, XIII.E.3)."""

    seat_number: SeatNumber
    advanced: UnitBits = 0
    """Units that have advanced."""
    entered: tuple[int, ...] = ()
    """Attack factors that have entered each vacated hex."""

    kind = "advance"
    rule = "XIII.E.3"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        if outstanding := self.outstanding(s):
            cleared = current(s).cleared
            needs = [
                f"{counted(self.missing(c, cleared.index(c)), 'attack factor')} into {hex_mark(s, c.hex)}"
                for c in outstanding
            ]
            return f"Choose units to advance, at least with {listed(needs)}"
        return "Choose units to advance, or end the advance"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def ready(self, s: State) -> list[Unit]:
        """Attackers that may still advance."""
        gone = self.advanced | s.dispersed
        return [u for u in current(s).alive(s.pos) if not gone >> u & 1]

    def missing(self, clearing: Clearing, place: int) -> int:
        """Factors that must still enter a vacated hex."""
        return clearing.need - (self.entered[place] if self.entered else 0)

    def entrants(self, s: State, hex_: Hex) -> list[Unit]:
        """Units that could enter a vacated hex now."""
        bit = 1 << hex_
        return [u for u in self.ready(s) if reachable_at_once(s, u) & bit and enterable_hexes(s, u) & bit]

    def outstanding(self, s: State) -> list[Clearing]:
        """Vacated hexes that more units must, and can, enter."""
        return [
            c for n, c in enumerate(current(s).cleared)
            if self.missing(c, n) > 0 and self.entrants(s, c.hex)
        ]  # fmt: skip

    def options(self, s: State) -> list[Action]:
        cleared = current(s).cleared
        outstanding = self.outstanding(s)
        if outstanding:
            return each("advance", sorted({u for c in outstanding for u in self.helpful(s, c)}))
        found = [u for u in self.ready(s) if first_hexes(s, u, cleared, True)]
        return [*each("advance", found), DONE] if found else []

    def gives_up(self, s: State, action: Action) -> str:
        if action != DONE:
            return ""
        empty = [c.hex for c in current(s).cleared if not s.occ[s.side] >> c.hex & 1 and self.entrants(s, c.hex)]
        names = " and ".join(s.rules.grid.names[h] for h in empty)
        return f"nobody enters {names}" if empty else ""

    def helpful(self, s: State, clearing: Clearing) -> list[Unit]:
        """Units that may enter now without spoiling the best that stacking allows (XIII.D.3)."""
        able = self.entrants(s, clearing.hex)
        af = s.rules.roster.af
        place = current(s).cleared.index(clearing)
        bit = 1 << clearing.hex
        sums: dict[tuple[int, ...], int] = {(u,): af[u] for u in able}
        free = s.rules.stack_limit - len(s.at.get(clearing.hex, ()))
        for more in range(2, free + 1):
            for group in combinations(able, more):
                if room_for(s, group) & bit:
                    sums[group] = sum(af[unit] for unit in group)
        wanted = min(self.missing(clearing, place), max(sums.values()))
        return sorted({u for group, total in sums.items() if total >= wanted for u in group})

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "done":
            pop(s)
            return
        unit = action.args[0]
        aside = not self.outstanding(s)
        push(s, AdvanceStep(unit, self.first(s, unit, aside), (s.pos[unit],), -1, False, self.seat_number))

    def first(self, s: State, unit: Unit, aside: bool) -> HexBits:
        """Where the unit's advance may begin."""
        cleared = current(s).cleared
        if aside:
            return first_hexes(s, unit, cleared, True)
        able = [c for c in self.outstanding(s) if unit in self.helpful(s, c)]
        return first_hexes(s, unit, tuple(able), False)

    def note(self, s: State, unit: Unit, place: int) -> None:
        """A unit has advanced, into the vacated hex of that place or (-1) next to one."""
        entered = list(self.entered) or [0] * len(current(s).cleared)
        if place >= 0:
            entered[place] += s.rules.roster.af[unit]
        replace(s, Advance(self.seat_number, self.advanced | 1 << unit, tuple(entered)))

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "advance":
            return IllegalAction(*self.why_not(s, action.args[0]))
        if action.verb == "done":
            return IllegalAction("attackers as strong as the defence that stood there must advance", "XIII.D.3")
        if action.verb == "to":
            return IllegalAction("choose the unit that advances first", self.rule)
        return Frame.refuse(self, s, action)

    def why_not(self, s: State, unit: Unit) -> Why:
        """Why a unit cannot advance now."""
        battle = current(s)
        name = s.rules.units[unit].name
        if unit not in battle.units or s.pos[unit] < 0:
            return f"{name} has not attacked in this battle", "XIII.E"
        if s.dispersed >> unit & 1:
            return f"{name} is Dispersed and does not advance", "XIII.D.3"
        if self.advanced >> unit & 1:
            return f"{name} has already advanced", "XIII.E"
        near = reachable_at_once(s, unit)
        for clearing in battle.cleared:
            if near >> clearing.hex & 1 and not enterable_hexes(s, unit) >> clearing.hex & 1:
                return f"no room for {name}: {why_no_room(s, (unit,), clearing.hex)}", "XII"
        if self.outstanding(s):
            if any(near >> c.hex & 1 for c in self.outstanding(s)):
                return f"with {name} in the hex the required strength could not enter it", "XIII.D.3"
            return "first enough units must enter the vacated hex", "XIII.E.6"
        return f"{name} finds no hex to advance into", "XIII.E.6"


# ---------------------------------------------------------------------- one unit, hex by hex


@question
class AdvanceStep(Frame):
    """Where does the unit advance next?"""

    unit: Unit
    hexes: HexBits
    way: tuple[Hex, ...]
    place: int
    """The vacated hex it entered, by its place in the list; -1 before, or next to one."""
    strained: bool
    """It will be Dispersed for going from zone to zone of one unit."""
    seat_number: SeatNumber

    kind = "advance_step"
    rule = "XIII.E.2"

    def in_hand(self, s: State) -> UnitBits:
        return 1 << self.unit

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        name = s.rules.units[self.unit].name
        if len(self.way) == 1:
            return f"Choose the hex {name} advances into"
        return f"{name}: advance further, or halt"

    def about(self, s: State) -> About:
        return About((self.unit,))

    def options(self, s: State) -> list[Action]:
        found = TO.pick(self.hexes)
        if len(self.way) > 1:
            found.append(HALT)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "halt":
            self.finish(s, self.way, self.place, self.strained, context)
        else:
            self.enter(s, action.args[0], context)

    def enter(self, s: State, hex_: Hex, context: Context) -> None:
        """One hex of the advance, and what zones of control make of it (XIII.E.2, XIII.E.4, XIII.E.5)."""
        enemy = s.enemy
        cleared = current(s).cleared
        place = self.place
        first = len(self.way) == 1
        if first:
            place = next((n for n, c in enumerate(cleared) if c.hex == hex_), -1)
        rights = cleared[place].rights if place >= 0 else LIKE_D1
        shared, strong = shared_zones(s, self.way[-1], enemy)
        bit = 1 << hex_
        strained = self.strained or bool(strong & bit) or bool(shared & bit and rights != LIKE_DE)
        s.place(self.unit, hex_)
        control.gain(s, s.side, bit, context)
        way = (*self.way, hex_)
        limit = limit_of(s, self.unit, cleared[place]) if place >= 0 else 1
        stopped = strong_zoc(s, enemy) & bit or (rights == LIKE_D1 and zoc(s, enemy) & bit)
        further = 0 if stopped or len(way) - 1 >= limit else next_hexes(s, self.unit)
        if further and s.rules.advance_stays_in_zone and zoc(s, enemy) & bit:
            further &= shared_zones(s, hex_, enemy)[0]
        if further:
            push(s, AdvanceStep(self.unit, further, way, place, strained, self.seat_number))
        else:
            self.finish(s, way, place, strained, context)

    def finish(self, s: State, way: tuple[Hex, ...], place: int, strained: bool, context: Context) -> None:
        """The unit's advance is over."""
        context.note(Advanced(self.unit, way))
        if strained:
            s.disperse(self.unit)
            context.note(Dispersed((self.unit,), "advance"))
        top = s.stack[-1]
        assert isinstance(top, Advance)
        top.note(s, self.unit, place)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "to":
            return IllegalAction(*self.why_not(s, action.args[0]))
        if action.verb == "halt":
            return IllegalAction("an advance is at least one hex long", "XIII.E.3")
        if action.verb == "advance":
            return IllegalAction("finish the advance of this unit first", self.rule)
        return Frame.refuse(self, s, action)

    def why_not(self, s: State, target: Hex) -> Why:
        """Why the unit cannot advance into a hex."""
        rules, grid = s.rules, s.rules.grid
        if not 0 <= target < grid.size or not grid.board >> target & 1:
            return "there is no such hex on the map", "III"
        where, bit = grid.names[target], 1 << target
        name = rules.units[self.unit].name
        if target not in grid.neighbours[self.way[-1]]:
            return f"{where} is not next to {name}", "XIII.E.2"
        if s.occ[s.enemy] & bit:
            return f"{where} holds an enemy unit", "XI.A.4"
        if not ground(s).enterable & bit or not reachable_at_once(s, self.unit) & bit:
            return f"{name} cannot cross into {where}", "X.A.1"
        if closed_to(s, self.unit) & bit:
            return f"{where} is closed to {name}", "X.D.2"
        if not enterable_hexes(s, self.unit) & bit:
            return f"no room in {where}: {why_no_room(s, (self.unit,), target)}", "XII"
        if len(self.way) > 1 and rules.advance_stays_in_zone and zoc(s, s.enemy) >> self.way[-1] & 1:
            return f"an advance that has entered a zone of control stays in it; {where} is outside", "XIII.E.4"
        if len(self.way) > 1:
            return f"an advance does not cross the water into {where}", "X.A.1"
        cleared = current(s).cleared
        vacated = sum(1 << c.hex for c in cleared)
        if vacated & bit:
            return f"another vacated hex needs {name} first", "XIII.D.3"
        if not grid.spread(vacated) & bit:
            return f"{where} is neither the vacated hex nor next to it", "XIII.E.6"
        if (s.occ[0] | s.occ[1]) & bit:
            return f"{where} is not empty", "XIII.E.6"
        if shared_zones(s, self.way[-1], s.enemy)[0] & bit:
            return f"{where} lies in the zone of an enemy unit that holds this hex too", "XIII.E.6"
        return "first enough units must enter the vacated hex", "XIII.E.6"


@event("advanced", "XIII.E", "unit", "hexes")
class Advanced(Event):
    """A unit has advanced after combat."""

    unit: Unit
    path: tuple[Hex, ...]

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} advances to {hex_mark(s, self.path[-1])}"
