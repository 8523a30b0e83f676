"""5.0 Supply: the depots move one after the other, supply what is near, and mark rail hexes to be built."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.actions import BARE, act, at_hexes
from rasputitsa.wir.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.marks import hex_mark, side_name
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import COMBAT_BITS, DEPOT, RAIN, SUPPLY_POOL, groups_of
from rasputitsa.wir.model.theatre import AXIS, CLEAR, RAIL
from rasputitsa.wir.rules.supply import auto_orders, depots


def begin(s: State, side: Side, context: Context) -> None:
    """Start the supply phase of a side: nobody of it is supplied yet, and its depots are at their entry hexes."""
    for group in groups_of(side):
        s.supplied &= ~(1 << group)
        s.relieved &= ~(1 << group)
    next_depot(s, side, 0)


def next_depot(s: State, side: Side, after: Group) -> None:
    """Ask for the next higher numbered depot that can be used (5.2)."""
    for depot in groups_of(side, DEPOT):
        if depot > after and depots.usable(s, depot):
            push(s, Depot(side, depot, s.rules.depot_hex[depot], 0, ()))
            return


@question
class Depot(Frame):
    """A depot on the move."""

    side: Side
    depot: Group
    here: Hex
    penalty: int
    route: tuple[Hex, ...]

    kind = "depot"
    rule = "5.2"

    def seat(self, s: State) -> Side:
        return self.side

    def prompt(self, s: State) -> str:
        return f"Move depot {self.depot} near your groups and supply from there, or leave it unused"

    def about(self, s: State) -> About:
        return About((self.depot,), (self.here,))

    def options(self, s: State) -> list[Action]:
        land = depots.ground(s, self.side)
        stops = depots.stops(s, self.side)
        found = [BARE["skip"], BARE["auto_supply"]]
        if self._may_stop(stops):
            found.insert(0, BARE["supply"])
        if self.route:
            found.append(BARE["abort"])
        elif s.depot_route[self.depot] and self._auto(s, land) != ():
            found.append(BARE["auto"])
        if stops >> self.here & 1 and why_not_rail(s, self.side, self.here) is None:
            found.append(BARE["rail"])
        if self._far(s):
            return found
        around = s.rules.map.step[self.here]
        enter = land.line | (land.penalty if self.penalty < s.rules.relief.most_penalty else 0)
        found += [act("step", d) for d in range(1, 7) if around[d] >= 0 and enter >> around[d] & 1]
        return found + at_hexes("depot", self._reach(s, land) & stops, but=self.here)

    def _far(self, s: State) -> bool:
        """Ruling: a depot that keeps going to and fro comes to an end."""
        return bool(self.route) and len(self.route) >= depots.longest(s)

    def _may_stop(self, stops: HexBits) -> bool:
        """6.7. Ruling: a depot may also supply from the hex where it begins, however full that is."""
        return not self.route or bool(stops >> self.here & 1)

    def supplies_from(self, s: State) -> HexBits:
        """Hexes it may stop in and supply from, as bits, this one among them; how far it comes is another matter."""
        stops = depots.stops(s, self.side)
        here = 1 << self.here if self._may_stop(stops) else 0
        return here if self._far(s) else stops & ~(1 << self.here) | here

    def _reach(self, s: State, land: depots.Ground) -> HexBits:
        """Hexes it can get to, its own among them, whether it may stop there or not."""
        reach = 0
        for wave in depots.waves(s, self.here, self.penalty, land):
            reach |= wave
        return reach

    def _could_supply(self, s: State) -> HexBits:
        """Hexes whose groups it can bring into supply from wherever it gets to."""
        reach = self._reach(s, depots.ground(s, self.side))
        return depots.supplied_from(s, reach & self.supplies_from(s))

    def gives_up(self, s: State, action: Action) -> str:
        if action.verb not in ("supply", "skip"):
            return ""
        waiting = without_supply(s, self.side)
        if action.verb == "supply" and not s.rules.supply_area[self.here] & waiting:
            return "no group that still needs supply is in reach of the depot here"
        if action.verb == "skip" and self._could_supply(s) & waiting:
            return "the depot could still supply groups that have none"
        return ""

    def apply(self, s: State, action: Action, context: Context) -> None:
        verb, args = action
        if verb == "auto_supply":
            auto_orders.carry_out(s, supply_orders(s), context)
        elif verb in ("supply", "skip"):
            pop(s)
            if verb == "supply":
                s.depot_route[self.depot] = self.route
                distribute(s, self.side, self.here, self.penalty, context)
            next_depot(s, self.side, self.depot)
        elif verb == "rail":
            s.rail_order[self.side] = self.here
            context.note(RailMarked(self.side, self.here))
            replace(s, Depot(self.side, self.depot, s.rules.depot_hex[self.depot], 0, ()))
        elif verb == "abort":
            replace(s, Depot(self.side, self.depot, s.rules.depot_hex[self.depot], 0, ()))
        else:
            land = depots.ground(s, self.side)
            if verb == "auto":
                steps = self._auto(s, land)
            elif verb == "step":
                steps = (s.rules.map.step[self.here][args[0]],)
            else:
                steps = depots.way(s, self.here, args[0], land)
            self._go(s, steps, land)

    def _go(self, s: State, steps: tuple[Hex, ...], land: depots.Ground) -> None:
        paid = sum(land.penalty >> h & 1 for h in steps)
        replace(s, Depot(self.side, self.depot, steps[-1], self.penalty + paid, self.route + steps))

    def _auto(self, s: State, land: depots.Ground) -> tuple[Hex, ...]:
        """5.2: the last move again, until it enters a hex that is no friendly rail or city."""
        steps: list[Hex] = []
        for hex_ in s.depot_route[self.depot]:
            if not (land.line | land.penalty) >> hex_ & 1:
                break
            steps.append(hex_)
            if not land.line >> hex_ & 1:
                break
        return tuple(steps)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        verb, args = action
        if verb == "step":
            if not 1 <= args[0] <= 6:
                return IllegalAction("directions run from 1, north, to 6, north-west", "4.6")
            if self._far(s):
                return depots.why_too_far(s)
            return depots.why_not_enter(s, self.side, s.rules.map.step[self.here][args[0]], self.penalty)
        if verb == "depot":
            if self._far(s):
                return depots.why_too_far(s)
            land = depots.ground(s, self.side)
            if args[0] == self.here:
                return IllegalAction("the depot is there already", "5.2")
            if not (land.line | land.penalty) >> args[0] & 1:
                return depots.why_not_enter(s, self.side, args[0], 0)
            if not depots.stops(s, self.side) >> args[0] & 1:
                return depots.why_not_stop(s, args[0])
            most, where = s.rules.relief.most_penalty, s.rules.grid.names[args[0]]
            return IllegalAction(f"{where} is out of reach with {most} penalty hexes in all", "5.2")
        if verb == "rail":
            return why_not_rail(s, self.side, self.here) or depots.why_not_stop(s, self.here)
        if verb == "supply":
            return depots.why_not_stop(s, self.here)
        if verb == "auto":
            return IllegalAction("this depot has no former move to retrace from its starting hex", "5.2")
        if verb == "abort":
            return IllegalAction("the depot has not moved", "5.2")
        return self.out_of_place(
            s, action, "a depot moves, supplies, or marks a rail hex; the lowest number comes first"
        )


def without_supply(s: State, side: Side) -> HexBits:
    """The hexes of a side's groups that no depot has supplied yet."""
    found = 0
    for group in s.on_map(groups_of(side)):
        if not s.supplied >> group & 1:
            found |= 1 << s.hex[group]
    return found


def supply_orders(s: State) -> list[Action]:
    """5.2: orders that send this depot and all after it where they relieve most."""
    trial, orders = s.copy(), list[Action]()
    context = Context(ScriptedDice([]))
    while trial.stack and isinstance(depot := trial.stack[-1], Depot):
        stops = depot.supplies_from(trial)
        for action in auto_orders.depot_orders(trial, depot.side, depot.here, depot.penalty, stops):
            trial.stack[-1].apply(trial, action, context)
            orders.append(action)
    return orders


# ---------------------------------------------------------------------- supplies


def distribute(s: State, side: Side, hex_: Hex, penalty: int, context: Context) -> None:
    """5.2: every friendly group within the radius is in supply; combat groups are relieved of fatigue, once a turn."""
    percent = depots.relief_percent(s, side, penalty)
    spent = 0
    here = sorted(g for h in members(s.rules.supply_area[hex_] & s.occ[side]) for g in s.at[h])
    for group in here:
        bit = 1 << group
        s.supplied |= bit
        if not COMBAT_BITS[side] & bit or s.relieved & bit:
            continue
        s.relieved |= bit
        spent += _relieve(s, side, group, percent)
    context.note(GroupsSupplied(side, hex_, len(here), spent))


def _relieve(s: State, side: Side, group: Group, percent: int) -> int:
    """Take fatigue off a group's units, as long as there are supply points; returns the points consumed.

    Ruling: a unit whose fatigue does not change costs nothing, and the last point suffices for a unit of two.
    """
    pools, spent = s.pools[side], 0
    for unit in s.group_units[group]:
        if not pools[SUPPLY_POOL]:
            return spent
        less = (s.fatigue[unit] * percent + 50) // 100
        if less:
            s.fatigue[unit] -= less
            cost = min(s.rules.types[s.utype[unit]].supply, pools[SUPPLY_POOL])
            pools[SUPPLY_POOL] -= cost
            spent += cost
    return spent


# ---------------------------------------------------------------------- rail building


def zone_is_south(s: State) -> bool:
    """5.3: the Axis builds in the south on its first turn, in the north on the second, and so on."""
    return s.turn % 2 == 1


def zone_of(s: State, side: Side) -> str:
    """5.3: in words, where a side builds this turn; nothing for one that builds everywhere."""
    last = s.rules.relief.south_from_row - 1
    if side != AXIS:
        return ""
    return f"south of row {last}" if zone_is_south(s) else f"in row {last} and north of it"


def why_not_rail(s: State, side: Side, hex_: Hex) -> IllegalAction | None:
    """Why no rail can be marked in a depot's hex, or None when it can (5.3)."""
    where = s.rules.grid.names[hex_]
    if s.rail[side] >> hex_ & 1:
        return IllegalAction(f"{where} is friendly rail already", "5.3")
    if s.rules.map.city_hexes >> hex_ & 1:
        return IllegalAction(f"{where} is a city; rail is built in clear and enemy rail hexes", "5.3")
    if s.terrain(hex_) not in (CLEAR, RAIL):
        return IllegalAction(f"{where} is neither clear nor enemy rail", "5.3")
    if side == AXIS and (s.rules.map.row(hex_) >= s.rules.relief.south_from_row) != zone_is_south(s):
        zone = "south" if zone_is_south(s) else "north"
        return IllegalAction(f"this turn the Axis builds in the {zone}, and {where} is not there", "5.3")
    return None


def lay_rail(s: State, context: Context) -> None:
    """5.3: the hexes marked last turn become rail, unless it rains. Ruling: an enemy group in the hex prevents it."""
    for side in (0, 1):
        hex_, s.rail_order[side] = s.rail_order[side], OFF
        if hex_ == OFF:
            continue
        if s.weather == RAIN:
            context.note(RailRainedOff(side, hex_))
        elif not s.occ[1 - side] >> hex_ & 1:
            s.rail[side] |= 1 << hex_
            s.rail[1 - side] &= ~(1 << hex_)
            context.note(RailBuilt(side, hex_))


@event("supplied", "5.1", "side", "hex", "number", "number")
class GroupsSupplied(Event):
    """A depot has supplied its groups."""

    side: Side
    hex: Hex
    groups: int
    points: int

    def words(self, s: State) -> str:
        return (
            f"{side_name(self.side)} depot in {hex_mark(s, self.hex)}: {counted(self.groups, 'group')} in supply, "
            f"{counted(self.points, 'supply point')} consumed"
        )


@event("rail_marked", "5.3", "side", "hex")
class RailMarked(Event):
    """A hex is marked for rail building."""

    side: Side
    hex: Hex

    def words(self, s: State) -> str:
        return f"{side_name(self.side)}: rail is to be built in {hex_mark(s, self.hex)}"


@event("rail_built", "5.3", "side", "hex")
class RailBuilt(Event):
    """A rail line reaches a hex."""

    side: Side
    hex: Hex

    def words(self, s: State) -> str:
        return f"{side_name(self.side)} rail reaches {hex_mark(s, self.hex)}"


@event("rail_rained_off", "5.3", "side", "hex")
class RailRainedOff(Event):
    """Rain stops the rail works."""

    side: Side
    hex: Hex

    def words(self, s: State) -> str:
        return f"{side_name(self.side)}: rain stops the rail works in {hex_mark(s, self.hex)}"
