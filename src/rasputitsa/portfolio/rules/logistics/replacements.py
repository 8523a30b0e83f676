"""V.A, IX.A The replacement and strategic movement phase: production, and one order at a time."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import BARE, DONE, TABLES, each
from rasputitsa.portfolio.model.frames import Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark, unit_mark
from rasputitsa.portfolio.model.shapes import Pools, PoolUnit, Rail
from rasputitsa.portfolio.model.state import WHERE, State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import production, rail, reduction, sea, siberia, strategic
from rasputitsa.portfolio.rules.logistics.arrivals import ChooseHex, Reason, arrive, why_not_arrive
from rasputitsa.portfolio.rules.logistics.reduction import ReduceFront, eliminate_by_choice, reducible_fronts

UNIT_VERBS: Final = ("replace", "reinforce", "rail", "sea", "reduce", "eliminate")


def begin(s: State, side: Side, context: Context) -> None:
    """Start the phase of a side: points come in, then each of its seats gives orders."""
    s.arrived = 0
    s.rail_used = 0
    s.sea_used = ()
    s.fronts_built = 0
    armor, infantry = production.income(s, side)
    s.armor_points[side] += armor
    s.infantry_points[side] += infantry
    if armor or infantry:
        context.note(Produced(side, armor, infantry))
    if side == SOVIET:
        siberia.arrive_on_schedule(s, context)
    push(s, PhaseEnd(side))
    for seat in reversed(s.rules.seats_of(side)):
        push(s, ReplacementPhase(side, seat))


@question
class PhaseEnd(Frame):
    """After the last order: Siberian points are banked, and the roulette is played if it is due."""

    side: Side

    kind = "replacement_end"
    rule = "V.A"

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        if self.side == SOVIET:
            siberia.bank_leftovers(s, context)
            siberia.begin(s, context)


@question
class ReplacementPhase(Frame):
    """Which unit comes in, travels, is reduced or given up?"""

    side: Side
    seat_number: SeatNumber

    kind = "replacement"
    rule = "V.A"
    ask_single = True

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        name, limit = SIDE_NAMES[self.side], s.rules.rail_capacity[self.side]
        left = limit - s.rail_used
        rail = f"{left or 'no more'} unit{'' if left == 1 else 's'} can go by rail"
        finish = "finish and cast the Siberian die" if self.side == SOVIET and siberia.at_risk(s) else "finish"
        if not self.commands_points(s):
            return f"{name} strategic movement: {rail}; give an order, or {finish}"
        armor, infantry = s.armor_points[self.side], s.infantry_points[self.side]
        points = f"{armor} armor, {infantry} infantry"
        if self.side == SOVIET and (left_over := siberia.for_replacements(s)):
            points += f", from Siberia {left_over}"
        return f"{name} replacement points: {points}; {rail}. Give an order, or {finish}"

    def commands_points(self, s: State) -> bool:
        """Whether this seat spends the side's points."""
        return s.rules.commander(self.side) == self.seat_number

    def options(self, s: State) -> list[Action]:
        side = self.side
        mine = s.rules.seats[self.seat_number].units
        found: list[Action] = []
        if self.commands_points(s):
            found += TABLES["replace"].pick(production.buildable(s, side))
            if side == SOVIET:
                found += TABLES["reinforce"].pick(siberia.reinforcements(s))
                if not siberia.why_not_call(s, side):
                    found.append(BARE["siberia"])
        able = strategic.able_units(s, side) & mine
        if able:
            found += TABLES["rail"].pick(rail.rail_units(s, side, able))
            found += TABLES["sea"].pick(sea.sea_units(s, side, able))
        if side == SOVIET:
            found += each("reduce", [u for u in reducible_fronts(s, side) if mine >> u & 1])
        found += TABLES["eliminate"].pick(mine & s.present)
        found.append(DONE)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        verb = action.verb
        if verb == "done":
            pop(s)
        elif verb == "siberia":
            siberia.call_in(s, context)
        elif verb == "replace":
            push(s, Rebuilding(action.args[0]))
        elif verb == "reinforce":
            push(s, siberia.Reinforcing(action.args[0]))
        elif verb == "rail":
            push(s, rail.Entrained(action.args[0]))
        elif verb == "sea":
            push(s, sea.Embarked(action.args[0]))
        elif verb == "reduce":
            push(s, ReduceFront(action.args[0], self.seat_number))
        else:
            eliminate_by_choice(s, action.args[0], context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        reason = self.why_not(s, action)
        return IllegalAction(*reason) if reason else Frame.refuse(self, s, action)

    def why_not(self, s: State, action: Action) -> Reason | None:
        """Why an order is refused, or None if nothing stands against it."""
        verb = action.verb
        if verb == "siberia":
            return self._why_not_points(s) or siberia.why_not_call(s, self.side)
        if verb == "at":
            return "choose the unit first", "V.A"
        if verb == "move":
            return f"{verb!r} is not an order of the replacement and strategic movement phase", "V.A"
        if verb not in UNIT_VERBS:
            return None
        unit = action.args[0]
        if verb == "replace":
            return self._why_not_points(s) or production.why_no_replacement(s, self.side, unit)
        if verb == "reinforce":
            return self._why_not_points(s) or siberia.why_no_reinforcement(s, self.side, unit)
        if not s.rules.seats[self.seat_number].units >> unit & 1:
            return f"{s.rules.units[unit].name} is not under this command", "II"
        if verb == "rail":
            return rail.why_no_rail(s, unit)
        if verb == "sea":
            return sea.why_no_sea(s, unit)
        if verb == "reduce":
            return reduction.why_not_reduce(s, unit)
        if s.pos[unit] < 0:
            return f"{s.rules.units[unit].name} is not on the map", "IX.A.3"
        return None

    def _why_not_points(self, s: State) -> Reason | None:
        if self.commands_points(s):
            return None
        return "the commander of the side decides about points and reinforcements", "II"


@question
class Rebuilding(ChooseHex):
    """Where does the replacement enter?"""

    unit: Unit

    kind = "replace"
    rule = "IX.A"

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(s.rules.roster.side[self.unit])

    def prompt(self, s: State) -> str:
        return f"Choose the hex where {s.rules.units[self.unit].name} enters as a replacement"

    def hexes(self, s: State) -> HexBits:
        return production.replacement_hexes(s, self.unit)

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        production.pay(s, self.unit)
        if s.rules.roster.front >> self.unit & 1:
            s.fronts_built += 1
        context.note(Replaced(self.unit, hex_))
        arrive(s, self.unit, hex_, context)

    def why_not(self, s: State, hex_: Hex) -> Reason:
        side = s.rules.roster.side[self.unit]
        if production.entry_hexes(s, side) >> hex_ & 1:
            return why_not_arrive(s, self.unit, hex_) or ("that hex is closed to it", "IX.A")
        if side == AXIS:
            cities = production.axis_entries(s.rules, "or")
            return f"German replacements enter in {cities} while the Axis holds them", "IX.A"
        if not s.controlled(side) >> hex_ & 1:
            return "the hex is not under friendly control", "IX.A"
        if not s.rules.map.towns >> hex_ & 1:
            return "replacements enter on the eastern map edge or in a city or town that trains can reach", "IX.A"
        if zoc(s, AXIS) >> hex_ & 1:
            return "the hex is in an enemy zone of control, where no train goes", "VIII.A.1"
        return "no rail line leads there from the map edge", "VIII.A.1"


def rail_query(s: State, side: Side) -> Rail:
    """Strategic movement of a side as plain values, for clients."""
    names, units, net = s.rules.grid.names, s.rules.units, rail.rail_net(s, side)
    able = strategic.able_units(s, side)
    return {
        "net": [names[h] for h in members(net.hexes)],
        "termini": [names[h] for h in members(net.hexes & s.rules.map.towns & ~s.arrived)],
        "rail_units": [units[u].id for u in members(rail.rail_units(s, side, able))],
        "sea_units": [units[u].id for u in members(sea.sea_units(s, side, able))],
        "capacity": {"used": s.rail_used, "limit": s.rules.rail_capacity[side]},
        "sea_used": list(s.sea_used),
        "arrived": [names[h] for h in members(s.arrived)],
    }


def pools_query(s: State, side: Side) -> Pools:
    """The units of a side off the map, with prices, and its points, as plain values for clients."""
    pool: list[PoolUnit] = []
    for u in s.rules.units:
        if u.side != side or s.pos[u.number] >= 0:
            continue
        reason = production.why_no_replacement(s, side, u.number)
        pool.append({
            "id": u.id, "where": WHERE[s.pos[u.number]], "cost": u.cost if u.replaceable else None,
            "cost_kind": u.cost_kind if u.replaceable else None,
            "replace": reason is None, "reason": reason[0] if reason else None, "rule": reason[1] if reason else None,
            "reinforce": side == SOVIET and siberia.why_no_reinforcement(s, side, u.number) is None,
        })  # fmt: skip
    armor, infantry = production.income(s, side)
    names = s.rules.grid.names
    answer: Pools = {
        "units": pool,
        "points": {"armor": s.armor_points[side], "infantry": s.infantry_points[side]},
        "income": {"armor": armor, "infantry": infantry},
        "entry": [names[h] for h in members(production.entry_hexes(s, side))],
        "fronts_built": s.fronts_built,
    }
    if side == SOVIET:
        answer["working_cities"] = [names[h] for h in members(production.working_cities(s))]
        answer["siberia"] = {
            "turns": list(s.siberia), "points": siberia.points_left(s), "at_risk": siberia.at_risk(s),
        }  # fmt: skip
    return answer


@event("production", "IX.A", "side", "number", "number")
class Produced(Event):
    """A side receives replacement points."""

    side: Side
    armor: int
    infantry: int

    def words(self, s: State) -> str:
        return f"{SIDE_NAMES[self.side]} replacement points: {self.armor} armor, {self.infantry} infantry"


@event("replaced", "IX.A", "unit", "hex")
class Replaced(Event):
    """A unit is rebuilt."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is rebuilt for {hex_mark(s, self.hex)}"
