"""XI Operational movement: the phase, one group at a time, hex by hex if the player wishes."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import plain
from rasputitsa.hexes.grid import BIT, without
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.actions import BACK, DONE, HALT, MOVE, STEP, TABLES, TO, WITH, each
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark, unit_mark, units_marks
from rasputitsa.portfolio.model.moves import MovingStack
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.logistics.reduction import (
    ReduceFront,
    eliminate_by_choice,
    reducible_fronts,
    why_not_aside,
)
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach, single_steps, zones_left
from rasputitsa.portfolio.rules.movement.refusals import why_not_move, why_not_step, why_not_to
from rasputitsa.portfolio.rules.movement.route import Leg, leg, single_step


def begin(s: State, context: Context) -> None:
    """Start the movement phase of the side whose operations these are."""
    s.moved = s.attacked = 0
    s.fuel_short = supply.fuel_shortage(s, s.side)
    for unit in s.members(s.fuel_short):
        context.note(FuelShort(unit))
    for seat in reversed(s.rules.seats_of(s.side)):
        push(s, MovementPhase(seat))


def ready_units(s: State, side: Side) -> UnitBits:
    """Units that may still move or attack in this phase: on the map, neither Spent nor Dispersed (XI.A.1)."""
    busy = s.spent | s.dispersed | s.moved | s.attacked | frozen_units(s, side)
    return without(s.present & s.rules.roster.of_side[side], busy)


def frozen_units(s: State, side: Side) -> UnitBits:
    """XVI.B.3: Soviets far from the border do not act in the first Initial Phase."""
    if side == SOVIET and s.reserve == 0 and s.first_turn():
        return s.units_in(s.rules.frozen_at_start & s.occ[SOVIET])
    return 0


@question
class MovementPhase(Frame):
    """Which unit moves next?"""

    seat_number: SeatNumber

    kind = "movement"
    rule = "XI.A.1"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        where = f"Reserves Phase {s.reserve}" if s.reserve else "Initial Phase"
        return f"{SIDE_NAMES[s.side]} movement, {where}: choose a unit to move, or finish moving"

    def movable(self, s: State) -> UnitBits:
        """Units this seat may move now."""
        return ready_units(s, s.side) & s.rules.seats[self.seat_number].units

    def options(self, s: State) -> list[Action]:
        found = MOVE.pick(self.movable(s))
        if not found and s.reserve:
            return [DONE]
        mine = s.rules.seats[self.seat_number].units
        if s.side == SOVIET:
            found += each("reduce", [u for u in reducible_fronts(s, s.side) if mine >> u & 1])
        if not s.first_turn():
            found += TABLES["eliminate"].pick(mine & s.present)
        found.append(DONE)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "move":
            push(s, Moving((action.args[0],), s.pos[action.args[0]]))
        elif action.verb == "reduce":
            push(s, ReduceFront(action.args[0], self.seat_number))
        elif action.verb == "eliminate":
            eliminate_by_choice(s, action.args[0], context)
        else:
            pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "move":
            return why_not_move(s, action.args[0], self.seat_number)
        if action.verb in ("eliminate", "reduce"):  # XIV.C
            why = why_not_aside(s, action, self.seat_number)
            return why or IllegalAction("the units of others are not yours to order", "II")
        if action.verb == "attack":
            return IllegalAction("attacks follow when the movement phase is over", "V.B.1.a.2")
        if action.verb in ("to", "step"):
            return IllegalAction("choose the unit that moves first", "XI.A.3")
        return Frame.refuse(self, s, action)


@question
class Moving(Frame):
    """Where does the group go next? It moves by legs until it halts or enters an enemy zone of control."""

    units: tuple[Unit, ...]
    start: Hex
    steps: int = 0
    rivers: int = 0

    kind = "moving"
    rule = "XI.A.2"

    def in_hand(self, s: State) -> UnitBits:
        return sum(BIT[unit] for unit in self.units)

    def seat(self, s: State) -> SeatNumber:
        return s.rules.owner(self.units[0])

    def prompt(self, s: State) -> str:
        names = " and ".join(s.rules.units[u].name for u in self.units)
        if self.steps:
            return f"{names}: go on to another hex, or halt"
        return f"{names}: choose where to move"

    def moving_stack(self, s: State) -> MovingStack:
        """The group as the search sees it."""
        m = moving_stack(s, self.units, self.steps, self.rivers)
        if s.rules.zone_reentry_barred:
            m = m._replace(left_zones=zones_left(s, m.side, self.start))
        return m

    def passed(self) -> tuple[Hex, ...]:
        """Full hexes entered since the group last could stop."""
        return ()

    def about(self, s: State) -> About:
        return About(self.units)

    def options(self, s: State) -> list[Action]:
        found = self.onward(s)
        if self.steps:
            found.append(HALT)
            return found
        if len(self.units) == 1:
            found += [WITH.actions[u] for u in self.mates(s)]
        found.append(BACK)
        return found

    def onward(self, s: State) -> list[Action]:
        """Where the group can go."""
        m = self.moving_stack(s)
        known = reach(s, m)
        straight = single_steps(s, m, known)
        found = TO.pick(known.plain | known.dispersing)
        if straight.stops or straight.through:
            found += STEP.pick(straight.stops | straight.through)
        return found

    def mates(self, s: State) -> list[Unit]:
        """Units in the same hex that may come along."""
        seat = s.rules.seats[self.seat(s)]
        able = ready_units(s, s.side) & seat.units
        return [u for u in s.at[self.start] if u not in self.units and able & BIT[u]]

    ask_single = True

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "back":
            pop(s)
        elif action.verb == "with":
            replace(s, Moving(tuple(sorted((*self.units, action.args[0]))), self.start))
        elif action.verb == "halt":
            self.finish(s, context)
        elif action.verb == "to":
            self.go(s, leg(s, self.moving_stack(s), action.args[0]), context)
        else:
            self.step(s, action.args[0], context)

    def step(self, s: State, target: Hex, context: Context) -> None:
        """Straight to the next hex; one that is full is only passed through (XII)."""
        m = self.moving_stack(s)
        way = single_step(s, m, target)
        if m.room & BIT[target]:
            self.go(s, way, context)
        else:
            passed = (*self.passed(), target)
            replace(s, PassingThrough(self.units, self.start, self.steps + 1, self.rivers + way.rivers, passed))

    def go(self, s: State, way: Leg, context: Context) -> None:
        """One leg, to a hex where the group may stop."""
        side, target = s.rules.roster.side[self.units[0]], way.hexes[-1]
        hexes = (s.pos[self.units[0]], *self.passed(), *way.hexes[1:])
        s.idle_sides = 0
        for unit in self.units:
            s.moved |= BIT[unit]
            s.place(unit, target)
        entered = 0
        for hex_ in hexes[1:]:
            entered |= BIT[hex_]
        control.gain(s, side, entered, context)
        context.note(Moved(self.units, hexes))
        if way.dispersed:
            for unit in self.units:
                s.disperse(unit)
            context.note(Dispersed(self.units, "movement"))
        after = Moving(self.units, self.start, self.steps + len(way.hexes) - 1, self.rivers + way.rivers)
        if way.dispersed or way.entered_zone or way.strait or not _can_go_on(s, after):
            self.finish(s, context)
        else:
            replace(s, after)

    def finish(self, s: State, context: Context) -> None:
        """The group has moved; it may still attack in this phase (XI.A.1)."""
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "to":
            return why_not_to(s, self.moving_stack(s), self.units, action.args[0])
        if action.verb == "step":
            return why_not_step(s, self.moving_stack(s), self.units, action.args[0])
        if action.verb == "with":
            unit = action.args[0]
            if s.pos[unit] != self.start:
                return IllegalAction("only units that start in the same hex move together", "XI.A.3")
            return why_not_move(s, unit, self.seat(s))
        if action.verb == "back":
            return IllegalAction("the group has moved and cannot go back by this; it may halt", "XI.A.3")
        if action.verb == "move":
            return IllegalAction("finish moving this group before starting another", "XI.A.3")
        return Frame.refuse(self, s, action)


@question
class PassingThrough(Moving):
    """Where does a group go on to that is in a full hex, where it cannot stop? It stands where it last could."""

    full_hexes: tuple[Hex, ...] = ()

    rule = "XII"

    def in_hand(self, s: State) -> UnitBits:
        """Every friend on the map: the way on may be open only because one stands there."""
        return s.rules.roster.of_side[s.rules.roster.side[self.units[0]]] & s.present

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        names = " and ".join(s.rules.units[u].name for u in self.units)
        return f"{names}: passing through {hex_mark(s, self.full_hexes[-1])}, which is full; go on"

    def moving_stack(self, s: State) -> MovingStack:
        return Moving.moving_stack(self, s)._replace(here=self.full_hexes[-1])

    def passed(self) -> tuple[Hex, ...]:
        return self.full_hexes

    def options(self, s: State) -> list[Action]:
        return self.onward(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb in ("with", "halt", "back", "done"):
            return IllegalAction("no further unit fits here; the group has to go on", "XII")
        return Moving.refuse(self, s, action)


def _can_go_on(s: State, moving: Moving) -> bool:
    m = moving.moving_stack(s)
    if m.steps >= m.total:
        return False
    plain, dispersing = reach(s, m)
    return bool(plain | dispersing)


@event("moved", "XI.A", "units", "hexes")
class Moved(Event):
    """Units have moved, hex by hex."""

    units: tuple[Unit, ...]
    path: tuple[Hex, ...]

    def words(self, s: State) -> str:
        move = "moves" if len(self.units) == 1 else "move"
        return f"{units_marks(s, self.units)} {move} from {hex_mark(s, self.path[0])} to {hex_mark(s, self.path[-1])}"


@event("fuel_short", "XIV.D", "unit")
class FuelShort(Event):
    """A panzer unit has little fuel this turn."""

    unit: Unit

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is short of fuel: movement factor 2, no overrun"
