"""XVI.C, XVI.D, XVI.E Setting up: the historical deployments, and free ones unit by unit."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import DONE, each
from rasputitsa.portfolio.model.frames import Context, Frame, pop, push, question
from rasputitsa.portfolio.model.frames import Frame as AnyFrame
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark, unit_mark
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.stacking import room_for, why_no_room
from rasputitsa.portfolio.model.state import LOCKED, POOL, SETUP, State
from rasputitsa.portfolio.model.theatre import AXIS, COUNTRY_TITLES, SOVIET
from rasputitsa.portfolio.rules.logistics.arrivals import ChooseHex, Reason
from rasputitsa.portfolio.rules.turn.weather import WeatherDie


def initial_state(rules: Ruleset) -> State:
    """The start of a game: units (XVI.D.1, XVI.D.2), control (XV.A), points, and questions.

    Units with a mark begin Dispersed (XVI.D.Dispersed): D on 22 June (XVI.C.1.b), D and d on 1 June (XVI.C.1.c).
    """
    s = State(rules)
    for unit in rules.units:
        s.pos[unit.number] = {"setup": SETUP, "replacement": POOL}.get(unit.pool, LOCKED)
        if unit.pool == "setup":
            if unit.dispersed in rules.scenario["dispersed"]:
                s.dispersed |= 1 << unit.number
            if unit.side == AXIS or not rules.free_deployment:
                s.pos[unit.number] = unit.setup
    s.rebuild()
    s.control = rules.home[AXIS] & rules.map.ground[1].land
    s.armor_points[SOVIET] = rules.scenario["armor_reserve"]
    note_finland(s)
    s.stack = tuple(_questions(rules))
    return s


def _questions(rules: Ruleset) -> list[AnyFrame]:
    """What is asked before the first turn, the last question first; free set-ups take the place of XVI.E.1, XVI.E.2."""
    questions: list[AnyFrame] = []
    if rules.free_deployment or rules.scenario["axis_redeploy"]:
        questions += [Deployment(AXIS, seat) for seat in reversed(rules.seats_of(AXIS))]
    if rules.free_deployment:
        questions += [Deployment(SOVIET, seat) for seat in reversed(rules.seats_of(SOVIET))]
    if rules.turns[rules.first_turn].weather is None:
        questions.append(WeatherDie())
    return questions


def note_finland(s: State) -> None:
    """XVI.B.5: whether German units start the game in Finland."""
    finland = s.rules.map.country["FI"]
    s.germans_in_finland = bool(s.units_in(finland & s.occ[AXIS]) & s.rules.roster.german)


# ---------------------------------------------------------------- free deployment


@kept_of_rules
def _countries_of(rules: Ruleset, nation: str) -> HexBits:
    """Hexes where units of an Axis nation may be set up freely."""
    countries = rules.scenario["axis_deployment"][nation]
    return sum(rules.map.country[name] for name in countries) & rules.map.ground[0].enterable


@kept_of_rules
def _soviet_ground(rules: Ruleset) -> HexBits:
    return rules.map.country["SU"] & rules.map.ground[0].enterable


@kept_of_rules
def _armies(rules: Ruleset) -> UnitBits:
    """Soviet armies of the set-up."""
    return sum(1 << u.number for u in rules.units if u.side == SOVIET and u.pool == "setup" and u.size == "army")


def cities_with_armies(s: State) -> HexBits:
    """Major and victory cities that a Soviet army stands on."""
    cities = s.rules.map.majors | s.rules.map.victory_cities
    return sum(1 << h for h in members(cities & s.occ[SOVIET]) if s.mask_at(h) & _armies(s.rules))


def must_garrison(s: State, unit: Unit) -> bool:
    """Whether an army has to go to a city without one, so that enough of them get theirs (XVI.C.2)."""
    armies = _armies(s.rules)
    if not armies >> unit & 1:
        return False
    garrisoned = cities_with_armies(s)
    waiting = sum(1 for u in members(armies) if s.pos[u] == SETUP and u != unit)
    if s.pos[unit] >= 0:
        garrisoned &= ~(1 << s.pos[unit])
    wanted: int = s.rules.scenario["soviet_armies_in_cities"]
    return garrisoned.bit_count() + waiting < wanted


def kept_for_armies(s: State, unit: Unit) -> HexBits:
    """Free cities that a corps may not take, since all of them are still needed for armies (XVI.C.2)."""
    if _armies(s.rules) >> unit & 1:
        return 0
    cities = s.rules.map.majors | s.rules.map.victory_cities
    garrisons = s.rules.scenario["soviet_armies_in_cities"] - cities_with_armies(s).bit_count()
    free = cities & ~s.occ[SOVIET]
    return free if free.bit_count() <= garrisons else 0


def full_countries(s: State, unit: Unit) -> list[str]:
    """Countries that have their limit of German units without this one (XVI.C.1.a)."""
    others = s.rules.roster.german & ~(1 << unit)
    limits: dict[str, int] = s.rules.scenario["axis_limits"]
    country = s.rules.map.country
    return [c for c, limit in limits.items() if (s.units_in(country[c]) & others).bit_count() >= limit]


def deployment_hexes(s: State, unit: Unit) -> HexBits:
    """Where a unit may be set up now."""
    rules = s.rules
    u = rules.units[unit]
    if u.side == SOVIET:
        hexes = _soviet_ground(rules) & ~s.occ[SOVIET]
        if must_garrison(s, unit):
            hexes &= rules.map.majors | rules.map.victory_cities
        return hexes & ~kept_for_armies(s, unit)
    hexes = _countries_of(rules, u.nation) & room_for(s, (unit,))
    if u.nation == "DE":
        for name in full_countries(s, unit):
            hexes &= ~rules.map.country[name]
    return hexes & ~(1 << s.pos[unit]) if s.pos[unit] >= 0 else hexes


@question
class Deployment(Frame):
    """Which unit is set up, or taken up again?"""

    side: Side
    seat_number: SeatNumber

    kind = "deployment"
    rule = "XVI.C"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        left = len(self.waiting(s))
        if left:
            return f"{SIDE_NAMES[self.side]} deployment: {figured(left, 'unit is', 'units are')} still to be set up"
        return f"{SIDE_NAMES[self.side]} deployment: move units to other hexes, or finish"

    def waiting(self, s: State) -> list[Unit]:
        """Units of this seat that are not yet on the map."""
        return [u for u in members(s.rules.seats[self.seat_number].units) if s.pos[u] == SETUP]

    def options(self, s: State) -> list[Action]:
        waiting = self.waiting(s)
        standing = [u for u in members(s.rules.seats[self.seat_number].units) if s.pos[u] >= 0]
        found = each("place", waiting) + each("lift", standing)
        if not waiting:
            found.append(DONE)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "done":
            pop(s)
            if self.side == AXIS:
                note_finland(s)
            context.note(DeploymentEnded(self.side))
        else:
            push(s, Deploying(action.args[0]))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "done":
            left = len(self.waiting(s))
            return IllegalAction(f"{figured(left, 'unit is', 'units are')} not yet set up", "XVI.C")
        if action.verb not in ("place", "lift"):
            return Frame.refuse(self, s, action)
        unit = action.args[0]
        u = s.rules.units[unit]
        if u.side != self.side:
            return IllegalAction(f"{u.name} is the other side's", "XVI.C.2")
        if not s.rules.seats[self.seat_number].units >> unit & 1:
            return IllegalAction(f"{u.name} is not under this command", "II")
        if u.pool != "setup":
            rule = "XVI.D.1" if u.side == AXIS else "XVI.D.2"
            return IllegalAction(f"{u.name} does not begin the game on the map", rule)
        if action.verb == "place":
            return IllegalAction(f"{u.name} is on the map; take it up to move it", "XVI.C")
        return IllegalAction(f"{u.name} is not yet set up", "XVI.C")


@question
class Deploying(ChooseHex):
    """Where is the unit set up?"""

    unit: Unit

    kind = "deploying"
    rule = "XVI.C"

    def prompt(self, s: State) -> str:
        return f"Choose the hex where {s.rules.units[self.unit].name} is set up"

    def hexes(self, s: State) -> HexBits:
        return deployment_hexes(s, self.unit)

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        pop(s)
        s.place(self.unit, hex_)
        context.note(Deployed(self.unit, hex_))

    def why_not(self, s: State, hex_: Hex) -> Reason:
        u = s.rules.units[self.unit]
        if hex_ == s.pos[self.unit]:
            return "it is there already", "XVI.C"
        if u.side == SOVIET:
            return self._why_not_soviet(s, hex_)
        if not s.rules.map.ground[0].enterable >> hex_ & 1:
            return "no unit stands on sea, open lake or neutral land", "XVI.C"
        if not _countries_of(s.rules, u.nation) >> hex_ & 1:
            allowed = [name for name in s.rules.scenario["axis_deployment"][u.nation] if name != "HU"]
            countries = ", ".join(COUNTRY_TITLES[name] for name in allowed)
            return f"{u.name} begins the game in {countries}", "XVI.C"
        country = s.rules.map.country_of[hex_]
        if u.nation == "DE" and country in full_countries(s, self.unit):
            limit = s.rules.scenario["axis_limits"][country]
            return f"no more than {limit} German units begin in {COUNTRY_TITLES[country]}", "XVI.C.1.a"
        return why_no_room(s, (self.unit,), hex_), "XII"

    def _why_not_soviet(self, s: State, hex_: Hex) -> Reason:
        if not _soviet_ground(s.rules) >> hex_ & 1:
            return "Soviet units begin the game on land of the Soviet Union", "XVI.C.2"
        if s.occ[SOVIET] >> hex_ & 1:
            return "no more than one Soviet unit begins in a hex", "XVI.C.2"
        cities = s.rules.scenario["soviet_armies_in_cities"]
        if kept_for_armies(s, self.unit) >> hex_ & 1:
            return f"{cities} major cities need an army; the free ones are kept for those", "XVI.C.2"
        return f"{cities} major cities need an army; this one must go to one that has none", "XVI.C.2"


@event("deployed", "XVI.C", "unit", "hex")
class Deployed(Event):
    """A unit is set up."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is set up in {hex_mark(s, self.hex)}"


@event("deployed_all", "XVI.C", "side")
class DeploymentEnded(Event):
    """A side has set up all its units."""

    side: Side

    def words(self, s: State) -> str:
        return f"The {SIDE_NAMES[self.side]} deployment is complete"
