"""XIV Supply: lines to the map edge, fuel, and what isolation costs."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached_up_to, kept_of_rules
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured, plain
from rasputitsa.hexes.grid import BIT, Flood, HexSides, members, without
from rasputitsa.portfolio.model.actions import BACK, PASS, each
from rasputitsa.portfolio.model.control import sea_holder
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark, unit_mark, units_marks
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.shapes import Supply
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET, Theatre
from rasputitsa.portfolio.rules.logistics import reduction

# ---------------------------------------------------------------- lines


@cached_up_to(64)
def _waters(board: Theatre, seas: tuple[str, ...]) -> tuple[HexBits, HexSides]:
    """Sea hexes a line may use, and the sides it may not cross, while a side holds these seas (X.C)."""
    coasts = [board.coast[zone] for zone in seas]
    shut = [
        (a, b) for a, b in board.sides["sea"].pairs() if not any(coast >> a & 1 and coast >> b & 1 for coast in coasts)
    ]
    closed = HexSides(board.grid, shut, one_way=True) | board.sides["impassable"]
    return sum(board.sea_zone[zone] for zone in seas), closed


@cached_up_to(1024)
def _flood(board: Theatre, seas: tuple[str, ...], sources: HexBits) -> Flood:
    return Flood(sources, _waters(board, seas)[1])


def _network(board: Theatre, seas: tuple[str, ...], held: HexBits, sources: HexBits, edge: HexBits) -> HexBits:
    """Hexes that a line joins to a source. Those of ``edge`` are joined to one another behind the edge of the map."""
    allowed = held | _waters(board, seas)[0]
    net = _flood(board, seas, sources).fill(allowed)
    if net & edge and without(edge & held, net):
        net |= _flood(board, seas, edge).fill(allowed)
    return net


@cached_up_to(1024)
def _served(
    board: Theatre, seas: tuple[str, ...], held: HexBits, sources: HexBits, edge: HexBits, reach: HexBits
) -> HexBits:
    """Hexes within reach of a town that a line of any length joins to a source (XIV.A)."""
    closed = _waters(board, seas)[1]
    net = _network(board, seas, held, sources, edge)
    served = frontier = net & board.towns & held
    for _ in range(reach):
        frontier = without(closed.spread(frontier) & net, served)
        if not frontier:
            break
        served |= frontier
    return served


def open_seas(s: State, side: Side) -> tuple[str, ...]:
    """Seas a side's supply may cross now: under its control (XV.B) and not closed by ice (VI.B.2)."""
    shut = s.weather.closed_seas
    return tuple(zone for zone in s.rules.sea_keys if zone not in shut and sea_holder(s, zone) == side)


def _lines_from(s: State, side: Side, sources: HexBits) -> HexBits:
    edge = _linked_edge(s.rules) if side == AXIS else 0
    return _served(s.rules.map, open_seas(s, side), _held(s, side), sources, edge, s.rules.supply_range)


def _held(s: State, side: Side) -> HexBits:
    """Lake hexes count as held by the side that was last on their ice: lines cross lakes in any weather (X.C)."""
    return s.controlled(side) & s.rules.map.ground[1].land


def network(s: State, side: Side, sources: HexBits) -> tuple[HexBits, HexBits]:
    """The hexes that lines join to some sources, and the held towns among them."""
    edge = _linked_edge(s.rules) if side == AXIS else 0
    net = _network(s.rules.map, open_seas(s, side), _held(s, side), sources, edge)
    return net, net & s.rules.map.towns & _held(s, side)


def joined_behind(s: State, side: Side) -> HexBits:
    """The hexes of the map edge that are joined to one another behind it."""
    return _linked_edge(s.rules) if side == AXIS else 0


def barriers(s: State, side: Side) -> HexSides:
    """The hex-sides that a side's lines do not cross."""
    return _waters(s.rules.map, open_seas(s, side))[1]


@kept_of_rules
def _linked_edge(rules: Ruleset) -> HexBits:
    """Ruling: Germany and Romania are joined behind the western map edge, for supply and fuel alone.

    On the map Soviet land lies between them up to the edge, and every tank in Poland would begin the war without fuel.
    """
    return sum(rules.map.edge[country] for country in rules.charts["supply"]["linked_edges"])


def supplied_for(s: State, nation: str) -> HexBits:
    """XIV.A: the hexes where units of a nation are in supply by a supply line."""
    side = SOVIET if nation == "SU" else AXIS
    return _lines_from(s, side, s.rules.supply_edge(nation))


@kept_of_rules
def _nations(rules: Ruleset, side: Side) -> tuple[tuple[HexBits, UnitBits], ...]:
    """For each supply country of a side, its source hexes and the units it serves."""
    found: dict[HexBits, UnitBits] = {}
    for unit in rules.units:
        if unit.side == side:
            edge = rules.supply_edge(unit.nation)
            found[edge] = found.get(edge, 0) | 1 << unit.number
    return tuple(found.items())


def supplied(s: State, side: Side) -> HexBits:
    """Hexes where at least one nation of the side is in supply."""
    hexes = 0
    for edge, _ in _nations(s.rules, side):
        hexes |= _lines_from(s, side, edge)
    return hexes


def supplied_hexes(s: State, unit: Unit) -> HexBits:
    """Hexes where a unit would be in supply: by a line, or in a city or fortress that feeds it (XIV.A)."""
    hexes = supplied_for(s, s.rules.units[unit].nation)
    if s.rules.roster.front >> unit & 1:
        return hexes
    side = s.rules.roster.side[unit]
    board = s.rules.map
    return hexes | s.controlled(side) & (board.victory_cities | board.fortresses)


def unsupplied_units(s: State, side: Side) -> UnitBits:
    """The set of a side's units on the map that are out of supply now."""
    cut = 0
    for edge, units in _nations(s.rules, side):
        cut |= units & s.units_in(without(s.occ[side], _lines_from(s, side, edge)))
    return _unfed(s, side, cut) if cut else 0


def _unfed(s: State, side: Side, cut: int) -> UnitBits:
    """Without those whom a victory city (all but fronts) or a fortress (one of them) feeds (XIV.A, X.B.8)."""
    board, roster = s.rules.map, s.rules.roster
    feeding = s.occ[side] & (board.victory_cities | board.fortresses)
    for hex_ in members(feeding):
        here = without(s.mask_at(hex_) & cut, roster.front)
        if not here:
            continue
        if board.victory_cities >> hex_ & 1:
            cut = without(cut, here)
        else:
            # Ruling: the fortress feeds the unit that has most to lose; cavalry lives off the land anyway.
            af, df = roster.af, roster.df
            supplied = max(members(here & ~off_the_land(s.rules) or here), key=lambda u: (af[u], df[u], -u))
            cut &= ~(1 << supplied)
    return cut


def fuel_shortage(s: State, side: Side) -> UnitBits:
    """XIV.D: the set of units on the map that fuel does not reach: movement factor 2, no overrun."""
    return s.rules.roster.fuelled & s.units_in(without(s.occ[side], fuelled_hexes(s, side)))


def fuelled_hexes(s: State, side: Side) -> HexBits:
    """Hexes that a supply line joins to the side's oil, while it holds the oil."""
    return _lines_from(s, side, s.rules.map.fuel[SIDES[side]])


# ---------------------------------------------------------------- isolation


def off_the_land(rules: Ruleset) -> UnitBits:
    """XIV.B.2: units that lose no strength out of supply, since they live off the land: Soviet cavalry."""
    return rules.roster.cavalry & rules.roster.of_nation["SU"]


def pockets(s: State, side: Side) -> list[UnitBits]:
    """XIV.B.2: the unsupplied units that lose strength, in sets connected over land the side holds."""
    roster = s.rules.roster
    cut = unsupplied_units(s, side) & ~off_the_land(s.rules)
    cut &= ~(s.units_in(s.airlifted) & roster.german)
    land = ground(s)
    held = s.controlled(side) & land.land
    found = []
    while cut:
        start = 1 << s.pos[(cut & -cut).bit_length() - 1]
        area = s.rules.grid.flood(start, held | start, land.closed)
        units = s.units_in(area) & cut
        found.append(units)
        cut &= ~units
    return found


def half_strength(s: State, units: UnitBits) -> int:
    """Half the printed attack factors of a set of units, rounded up."""
    return (sum(s.rules.roster.af[u] for u in members(units)) + 1) // 2


def begin(s: State, side: Side, context: Context) -> None:
    """The Supply Status Determination Phase of a side: air supply, then the losses of isolation."""
    s.airlifted = 0
    cut = unsupplied_units(s, side)
    if not cut:
        return
    context.note(Isolated(side, tuple(members(cut))))
    push(s, IsolationStep(side))
    if side == AXIS and s.weather.air_supply and cut & s.rules.roster.german and s.rules.air_supplied_stacks:
        push(s, Airlift(side))


@question
class Airlift(Frame):
    """Which isolated stack of Germans is supplied by air?"""

    side: Side

    kind = "airlift"
    rule = "XIV.B.2"

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(self.side)

    def prompt(self, s: State) -> str:
        return "Choose the stack of Germans to be supplied by air, or none"

    def stacks(self, s: State) -> list[Hex]:
        """Hexes with Germans out of supply that have not been chosen yet."""
        cut = unsupplied_units(s, self.side) & s.rules.roster.german
        return sorted({s.pos[u] for u in members(cut) if not s.airlifted >> s.pos[u] & 1})

    def options(self, s: State) -> list[Action]:
        return [*each("airlift", self.stacks(s)), PASS]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "airlift":
            s.airlifted |= BIT[action.args[0]]
            context.note(Airlifted(action.args[0]))
            if s.airlifted.bit_count() < s.rules.air_supplied_stacks and self.stacks(s):
                push(s, Airlift(self.side))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb != "airlift":
            return Frame.refuse(self, s, action)
        if not s.mask_at(action.args[0]) & s.rules.roster.german:
            return IllegalAction("only a stack of German units can be supplied by air", "XIV.B.2")
        if s.airlifted & BIT[action.args[0]]:
            return IllegalAction("that stack is supplied by air already", "XIV.B.2")
        return IllegalAction("the Germans in that hex are in supply", "XIV.B.2")


@question
class IsolationStep(Frame):
    """Every pocket is counted before any loses strength."""

    side: Side

    kind = "isolation"
    rule = "XIV.B.2"

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        for units in reversed(pockets(s, self.side)):
            push(s, Isolation(self.side, units, half_strength(s, units)))


@question
class Isolation(Frame):
    """Which units does the pocket lose?"""

    side: Side
    units: UnitBits
    owed: int
    """Attack factors still to be lost."""

    kind = "isolation"
    rule = "XIV.B.2"

    def in_hand(self, s: State) -> UnitBits:
        return self.units

    def seat(self, s: State) -> SeatNumber:
        for number in s.rules.seats_of(self.side):
            if not self.units & ~s.rules.seats[number].units:
                return number
        return s.rules.commander(self.side)

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        where = hex_mark(s, s.pos[(self.units & -self.units).bit_length() - 1])
        return f"The pocket at {where} is isolated: lose units with {figured(self.owed, 'attack factor')} or more"

    def options(self, s: State) -> list[Action]:
        found = each("lose", members(self.units))
        for front in members(self.units & s.rules.roster.front):
            if reduction.armies_for(s, front, isolated=True):
                found.append(Action("reduce", (front,)))
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        unit = action.args[0]
        if action.verb == "reduce":
            push(s, IsolatedFront(unit, self.seat(s)))
            return
        s.lift(unit, reduction.off_map_place(s, unit))
        context.note(LostIsolated(unit))
        self.paid(s, self.units & ~(1 << unit), s.rules.roster.af[unit])

    def paid(self, s: State, units: UnitBits, factors: int) -> None:
        """Go on with what is left of the pocket, if it still owes strength."""
        owed = self.owed - factors
        if owed > 0 and units:
            replace(s, Isolation(self.side, units, owed))
        else:
            pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "lose":
            return IllegalAction("that unit is not in the isolated pocket", "XIV.B.2")
        if action.verb == "reduce":
            reason = reduction.why_not_reduce(s, action.args[0])
            if reason:
                return IllegalAction(*reason)
            if not self.units >> action.args[0] & 1:
                return IllegalAction("that front is not in the isolated pocket", "XIV.B.2")
            return IllegalAction("no army of at most half its attack factor is off the map", "XIV.B.2")
        return Frame.refuse(self, s, action)


@question
class IsolatedFront(Frame):
    """Which army does the isolated front become?"""

    front: Unit
    seat_number: SeatNumber

    kind = "reduce"
    rule = "XIV.B.2"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return f"Choose the army, of at most half the attack factor, that replaces {s.rules.units[self.front].name}"

    def about(self, s: State) -> About:
        return About((self.front,))

    def options(self, s: State) -> list[Action]:
        return [*each("as", reduction.armies_for(s, self.front, isolated=True)), BACK]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "as":
            army = action.args[0]
            reduction.reduce_front(s, self.front, army, context)
            pocket = s.stack[-1]
            assert isinstance(pocket, Isolation)
            af = s.rules.roster.af
            pocket.paid(s, pocket.units & ~(1 << self.front) | 1 << army, af[self.front] - af[army])

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "as":
            return IllegalAction(*reduction.why_not_army(s, self.front, action.args[0], isolated=True))
        return Frame.refuse(self, s, action)


def supply_query(s: State, side: Side) -> Supply:
    """Supply of a side as plain values, for clients."""
    names, units = s.rules.grid.names, s.rules.units
    return {
        "supplied": [names[h] for h in members(supplied(s, side) & s.rules.map.land)],
        "fuel": [names[h] for h in members(fuelled_hexes(s, side) & s.rules.map.land)],
        "unsupplied_units": [units[u].id for u in members(unsupplied_units(s, side))],
        "fuel_short": [units[u].id for u in members(fuel_shortage(s, side))],
        "pockets": [
            {"units": [units[u].id for u in members(pocket)], "loses": half_strength(s, pocket)}
            for pocket in pockets(s, side)
        ],
        "seas": list(open_seas(s, side)),
    }


@event("isolated", "XIV.B", "side", "units")
class Isolated(Event):
    """Units are out of supply."""

    side: Side
    units: tuple[Unit, ...]

    def words(self, s: State) -> str:
        return f"{SIDE_NAMES[self.side]} units out of supply: {units_marks(s, self.units)}"


@event("airlifted", "XIV.B", "hex")
class Airlifted(Event):
    """Isolated Germans are supplied by air."""

    hex: Hex

    def words(self, s: State) -> str:
        return f"The Germans in {hex_mark(s, self.hex)} are supplied by air"


@event("lost_isolated", "XIV.B.2", "unit")
class LostIsolated(Event):
    """A unit is lost to isolation."""

    unit: Unit

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is lost to isolation"
