"""IX.B The Siberian Reserve, and the gamble of calling it in before it is safe."""

from __future__ import annotations

from typing import Any

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.caching import cached, cached_up_to
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured, listed
from rasputitsa.hexes.grid import BIT, one_of
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.actions import BARE, each
from rasputitsa.portfolio.model.frames import Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.shapes import SiberianPoints
from rasputitsa.portfolio.model.stacking import room_for_one, why_no_room
from rasputitsa.portfolio.model.state import LOCKED, POOL, State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.portfolio.model.units import Counter, Roster
from rasputitsa.portfolio.rules.logistics.arrivals import ChooseHex, Reason
from rasputitsa.portfolio.rules.logistics.rail import rail_net


def instalments(s: State) -> list[dict[str, Any]]:
    """The three instalments of the reserve, from the charts."""
    found: list[dict[str, Any]] = s.rules.charts["siberia"]["instalments"]
    return found


def safe_turn(s: State) -> int:
    """The turn from which the reserve enters without risk (IX.B.1, TRACK.10)."""
    return int(s.rules.charts["siberia"]["safe_turn"])


def numbers(s: State) -> range:
    """The numbers of Siberian roulette (IX.B.3)."""
    low, high = s.rules.charts["siberia"]["die"]
    return range(low, high + 1)


def arrive_on_schedule(s: State, context: Context) -> None:
    """At the start of the Soviet phase: the next instalment of a reserve that is coming in, or has become safe."""
    if s.siberia or s.turn >= safe_turn(s):
        _next_instalment(s, context)


def call_in(s: State, context: Context) -> None:
    """The Soviet player calls the reserve in early."""
    context.note(SiberiaCalled())
    _next_instalment(s, context)


def _next_instalment(s: State, context: Context) -> None:
    number = len(s.siberia)
    if number == len(instalments(s)):
        return
    table = instalments(s)[number]
    s.siberia = (*s.siberia, s.turn)
    cavalry = s.siberia_points[2] + table["cavalry_corps"]
    s.siberia_points = (table["armor"], table["infantry"], cavalry)
    context.note(SiberiaInstalment(number + 1, table["armor"], table["infantry"], table["cavalry_corps"]))


def why_not_call(s: State, side: Side) -> Reason | None:
    """Why the reserve cannot be called in now."""
    if side != SOVIET:
        return "the Siberian Reserve is the Soviet player's", "IX.B.1"
    if s.siberia:
        return "the Siberian Reserve has begun to enter", "IX.B.1"
    if not s.locked:
        return "nothing waits in Siberia", "IX.B.1"
    return None


def points_left(s: State) -> SiberianPoints:
    """What is left of the instalments that have entered, as plain JSON values."""
    armor, infantry, cavalry = s.siberia_points
    return {"armor": armor, "infantry": infantry, "cavalry_corps": cavalry}


def bank_leftovers(s: State, context: Context) -> None:
    """IX.B.2: points of the instalment that brought in nothing become saved replacement points."""
    armor, infantry, cavalry = s.siberia_points
    if armor or infantry:
        s.armor_points[SOVIET] += armor
        s.infantry_points[SOVIET] += infantry
        s.siberia_points = (0, 0, cavalry)
        context.note(SiberiaSaved(armor, infantry))


# ---------------------------------------------------------------- reinforcements


@cached
def _pools(roster: Roster) -> dict[str, int]:
    found: dict[str, int] = {}
    for u in roster.units:
        if u.pool.startswith("siberia"):
            found[u.pool] = found.get(u.pool, 0) | 1 << u.number
    return found


@cached_up_to(1024)
def _covered_units(roster: Roster, points: tuple[int, int, int]) -> UnitBits:
    """The Soviet units that an instalment with these points could bring in."""
    return sum(1 << u.number for u in roster.units if u.side == SOVIET and _covered(u, points))


def released(s: State) -> UnitBits:
    """Units of the instalments so far that have not been brought in."""
    pools = _pools(s.rules.roster)
    found = 0
    for table in instalments(s)[: len(s.siberia)]:
        found |= pools.get(table["pool"], 0)
    return found & s.locked


def reinforcements(s: State) -> UnitBits:
    """IX.B.2: the units the reserve may bring in now, if there is a hex for them."""
    if not s.siberia:
        return 0
    found = released(s)
    if s.siberia_points != (0, 0, 0):
        found |= s.pool & _covered_units(s.rules.roster, s.siberia_points)
    if not found:
        return 0
    net = rail_net(s, SOVIET).hexes
    roster = s.rules.roster
    for kind in roster.alike:
        alike = found & kind
        if alike and not net & room_for_one(s, one_of(alike)):
            found ^= alike
    return found


def for_replacements(s: State) -> str:
    """IX.B.2: the points of the reserve that may pay for replacements too, in words; empty for none."""
    kinds = zip(s.siberia_points, ("armor", "infantry"), strict=False)
    return " and ".join(f"{number} {kind}" for number, kind in kinds if number > 0)


def _covered(u: Counter, points: tuple[int, int, int]) -> bool:
    armor, infantry, cavalry = points
    if u.of_type.cavalry:
        return cavalry > 0
    if u.cost_kind == "armor":
        return u.cost <= armor
    return u.cost_kind == "infantry" and u.cost <= infantry


def why_no_reinforcement(s: State, side: Side, unit: Unit) -> Reason | None:
    """Why a unit may not come in with the reserve, or None if it may."""
    u = s.rules.units[unit]
    if side != SOVIET or u.side != SOVIET:
        return "only Soviet units come in with the Siberian Reserve", "IX.B.2"
    if s.pos[unit] >= 0:
        return f"{u.name} is on the map", "IX.B.2"
    if not s.siberia:
        return "the Siberian Reserve has not begun to enter", "IX.B.1"
    if s.pos[unit] == LOCKED:
        if not released(s) >> unit & 1:
            return f"{u.name} comes with a later instalment", "IX.B.2"
    elif u.cost_kind == "shock":
        return f"{u.name} has been in the game; it comes back as a replacement only", "IX.B.2"
    elif not _covered(u, s.siberia_points):
        if u.of_type.cavalry:
            return "the instalment has no cavalry corps to give; the third one brings one", "IX.B.2"
        armor, infantry, _ = s.siberia_points
        return f"{u.name} costs {u.cost}; the instalment has {armor} armor and {infantry} infantry left", "IX.B.2"
    if not reinforcements(s) >> unit & 1:
        return "no hex of the rail net has room for it", "XII"
    return None


@question
class Reinforcing(ChooseHex):
    """Where does the reinforcement enter? It is ready at once (IX.B.4)."""

    unit: Unit

    kind = "reinforce"
    rule = "IX.B.5"

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(SOVIET)

    def prompt(self, s: State) -> str:
        return f"Choose the hex of the rail net where {s.rules.units[self.unit].name} enters"

    def hexes(self, s: State) -> HexBits:
        return rail_net(s, SOVIET).hexes & room_for_one(s, self.unit)

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        pop(s)
        u = s.rules.units[self.unit]
        if s.pos[self.unit] == POOL:
            armor, infantry, cavalry = s.siberia_points
            if u.of_type.cavalry:
                cavalry -= 1
            elif u.cost_kind == "armor":
                armor -= u.cost
            else:
                infantry -= u.cost
            s.siberia_points = (armor, infantry, cavalry)
        s.place(self.unit, hex_)
        s.entered |= BIT[self.unit]
        control.gain(s, SOVIET, BIT[hex_], context)
        context.note(Reinforced(self.unit, hex_))

    def why_not(self, s: State, hex_: Hex) -> Reason:
        if not s.controlled(SOVIET) >> hex_ & 1:
            return "the hex is not under Soviet control", "IX.B.5"
        if zoc(s, AXIS) >> hex_ & 1:
            return "the hex is in an enemy zone of control", "VIII.A.1"
        if not rail_net(s, SOVIET).hexes >> hex_ & 1:
            return "no rail line leads there from the map edge", "IX.B.5"
        return f"{why_no_room(s, (self.unit,), hex_)}; reinforcements displace nobody", "XII"


# ---------------------------------------------------------------- the gamble


def at_risk(s: State) -> bool:
    """IX.B.3: whether the die is due this turn."""
    safe = safe_turn(s)
    if s.rules.options["roulette"] == "global":
        return bool(s.siberia) and s.turn < safe
    return any(s.turn < safe + number for number in range(len(s.siberia)))


def begin(s: State, context: Context) -> None:
    """At the end of the Soviet phase: the Axis picks a number, then the Soviet player casts."""
    if at_risk(s):
        push(s, Cast())
        push(s, Pick())


@question
class Pick(Frame):
    """Which number will bring Japan into the war?"""

    kind = "pick"
    rule = "IX.B.3"

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(AXIS)

    def prompt(self, s: State) -> str:
        return "Siberian roulette: pick a number; if the Soviet die shows it, Japan attacks and the Axis wins"

    def options(self, s: State) -> list[Action]:
        return each("pick", numbers(s))

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        s.secret = action.args[0]
        context.note(NumberPicked())

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "pick":
            return IllegalAction(f"a die shows a number from {numbers(s)[0]} to {numbers(s)[-1]}", "IX.B.3")
        return Frame.refuse(self, s, action)


@question
class Cast(Frame):
    """The Soviet player casts."""

    kind = "cast"
    rule = "IX.B.3"
    ask_single = True

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(SOVIET)

    def prompt(self, s: State) -> str:
        return "Siberian roulette: cast the die; if it shows the number picked, Japan attacks and the Axis wins"

    def options(self, s: State) -> list[Action]:
        return [BARE["cast"]]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        die = context.roll("siberia")
        picked, s.secret = s.secret, 0
        context.note(RouletteDecided(die, picked))
        if die == picked:
            reason = "Japan has attacked the weakened Soviet Far East"
            s.outcome = Outcome(SIDES[AXIS], "victory", reason, "IX.B.3")


@event("siberia_called", "IX.B.1")
class SiberiaCalled(Event):
    """The Siberian Reserve is called in early."""

    def words(self, s: State) -> str:
        return "The Siberian Reserve is called in before its time"


@event("siberia_instalment", "IX.B.2", "number", "number", "number", "number")
class SiberiaInstalment(Event):
    """An instalment of the Siberian Reserve arrives."""

    instalment: int
    armor: int
    infantry: int
    cavalry_corps: int

    def words(self, s: State) -> str:
        points = ((self.armor, "armor point"), (self.infantry, "infantry point"))
        corps = "one cavalry corps" if self.cavalry_corps else "two shock armies"
        brings = listed([*(figured(number, what) for number, what in points if number), corps])
        return f"Instalment {self.instalment} of the Siberian Reserve brings {brings}"


@event("siberia_saved", "IX.B.2", "number", "number")
class SiberiaSaved(Event):
    """Unused Siberian points are kept."""

    armor: int
    infantry: int

    def words(self, s: State) -> str:
        return f"Unused Siberian points are saved: {self.armor} armor, {self.infantry} infantry"


@event("reinforced", "IX.B.5", "unit", "hex")
class Reinforced(Event):
    """A unit enters from Siberia."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} enters from Siberia in {hex_mark(s, self.hex)}"


@event("picked", "IX.B.3")
class NumberPicked(Event):
    """The Axis has picked its number for Siberian roulette."""

    def words(self, s: State) -> str:
        return "The Axis has picked its number"


@event("roulette", "IX.B.3", "number", "number")
class RouletteDecided(Event):
    """The die of Siberian roulette is cast."""

    die: int
    picked: int

    def words(self, s: State) -> str:
        return f"Siberian roulette: the die shows {self.die}, the Axis had picked {self.picked}"
