"""XIV.C Reducing fronts to armies, and giving units up."""

from __future__ import annotations

from typing import Final, cast

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import BIT, without
from rasputitsa.portfolio.model.actions import BACK, TABLES, each
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import unit_mark
from rasputitsa.portfolio.model.state import ELIMINATED, POOL, State
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.model.units import Roster

STATUS_SETS: Final = (
    "spent", "dispersed", "moved", "attacked", "fresh_dispersed", "hold", "broke_through", "must_attack",
)  # fmt: skip


@cached
def _armies(roster: Roster) -> tuple[Unit, ...]:
    """Units that can take a front's place: infantry armies, not shock armies, weakest first."""
    numbers = [
        u.number
        for u in roster.units
        if u.nation == "SU" and u.size == "army" and u.replaceable and u.of_type.points != "shock"
        and roster.infantry_type >> u.number & 1
    ]  # fmt: skip
    return tuple(sorted(numbers, key=lambda n: (roster.af[n], n)))


def armies_for(s: State, front: Unit, *, isolated: bool = False) -> list[Unit]:
    """Armies off the map that a front may become: no stronger in attack, in isolation at most half (XIV.B.2).

    One that is just being built or brought in is not to be had a second time.
    """
    af = s.rules.roster.af
    limit = af[front] // 2 if isolated else af[front]
    pool = without(s.pool, in_hand(s))
    return sorted([u for u in _armies(s.rules.roster) if af[u] <= limit and pool & BIT[u]])


def reducible_fronts(s: State, side: Side) -> list[Unit]:
    """Fronts of a side on the map that have an army to become."""
    fronts = s.rules.roster.front & s.rules.roster.of_side[side] & s.present
    if not fronts:
        return []
    af, pool = s.rules.roster.af, without(s.pool, in_hand(s))
    for army in _armies(s.rules.roster):
        if pool & BIT[army]:
            return [u for u in s.members(fronts) if af[u] >= af[army]]
    return []


def reduce_front(s: State, front: Unit, army: Unit, context: Context) -> None:
    """The army takes over the front's hex and condition; the difference in strength is forgone."""
    hex_ = s.pos[front]
    old, new = 1 << front, 1 << army
    held = [name for name in STATUS_SETS if getattr(s, name) & old]
    for name in STATUS_SETS:
        setattr(s, name, getattr(s, name) & ~old)
    s.lift(front, POOL)
    for name in held:
        setattr(s, name, getattr(s, name) | new)
    s.place(army, hex_)
    for number, attack in enumerate(s.attacks):
        if front in attack.units:
            units = tuple(army if u == front else u for u in attack.units)
            s.attacks = (*s.attacks[:number], attack._replace(units=units), *s.attacks[number + 1 :])
    context.note(Reduced(front, army))


def off_map_place(s: State, unit: Unit) -> int:
    """Where an eliminated unit goes: to be built again, or nowhere (IX.A)."""
    return POOL if s.rules.units[unit].replaceable else ELIMINATED


def eliminate_by_choice(s: State, unit: Unit, context: Context) -> None:
    """IX.A.3, XIV.C: the owner takes a unit off the map; its factors are lost."""
    s.lift(unit, off_map_place(s, unit))
    context.note(GivenUp(unit))


SETTING_UP: Final = ("deployment", "deploying")
GIVING_ORDERS: Final = ("replacement", "movement")
"""Questions before the game begins, and those whose own answers hold these orders."""
ASIDES: Final = ("reduce", "eliminate")


def in_hand(s: State) -> UnitBits:
    """Units with which the open questions are occupied: they are dealt with before or after, not in between."""
    found = 0
    for frame in s.stack:
        found |= cast("Frame", frame).in_hand(s)  # compiled, ``isinstance`` would know no frame derived from it
    return found


def asides(s: State, seat: SeatNumber) -> list[Action]:
    """XIV.C: what a seat may do at any time, whatever is asked and of whom, besides what it is offered as an answer.

    A Soviet seat may reduce its fronts. From the second game-turn on the seats of the side whose player-turn it is
    may give up units.
    """
    if s.outcome is not None:
        return []  # nobody is asked any more
    frame = s.stack[-1]
    asked = frame.seat(s) == seat
    if frame.kind in SETTING_UP or (asked and frame.kind in GIVING_ORDERS):
        return []
    command = s.rules.seats[seat]
    mine = without(command.units & s.present, in_hand(s))
    found: list[Action] = []
    if command.side == SOVIET:
        found += each("reduce", [u for u in reducible_fronts(s, SOVIET) if mine & BIT[u]])
    if command.side == s.side and not s.first_turn():
        found += TABLES["eliminate"].pick(mine)
    return found


def why_not_aside(s: State, action: Action, seat: SeatNumber) -> IllegalAction | None:
    """Why a seat may not reduce a front or give up a unit now, asked or not; None if nothing forbids it."""
    if action.verb not in ASIDES or len(action.args) != 1 or not 0 <= action.args[0] < len(s.rules.units):
        return None
    unit, command = action.args[0], s.rules.seats[seat]
    name = s.rules.units[unit].name
    if s.stack[-1].kind in SETTING_UP:
        return IllegalAction("units are reduced or given up once the game has begun", "XIV.C")
    if not s.rules.roster.of_side[command.side] & BIT[unit]:
        return IllegalAction(f"{name} is the enemy's; players reduce or give up units of their own", "XIV.C")
    if not command.units & BIT[unit]:
        return IllegalAction(f"{name} belongs to your partner's command", "II")
    if in_hand(s) & BIT[unit]:
        return IllegalAction(f"{name} has a part in what is being decided just now", "XIV.C")
    why = why_not_reduce(s, unit) if action.verb == "reduce" else why_not_eliminate(s, unit)
    return IllegalAction(*why) if why else None


def why_not_answered(s: State, action: Action) -> IllegalAction | None:
    """The same for the seat that is asked, unless the question holds these orders itself and says why."""
    frame = s.stack[-1]
    if frame.kind in GIVING_ORDERS or (frame.kind == "isolation" and action.verb == "reduce"):
        return None
    return why_not_aside(s, action, frame.seat(s))


def begin_aside(s: State, action: Action, context: Context) -> bool:
    """Carry out what some seat may do at any time; whether the action is that."""
    if action.verb not in ASIDES:
        return False
    for seat in range(len(s.rules.seats)):
        if action in asides(s, seat):
            if action.verb == "reduce":
                push(s, ReduceFront(action.args[0], seat))
            else:
                eliminate_by_choice(s, action.args[0], context)
            return True
    return False


@question
class ReduceFront(Frame):
    """Which army takes the front's place?"""

    front: Unit
    seat_number: SeatNumber

    kind = "reduce"
    rule = "XIV.C"

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.front]

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return f"Choose the army that takes the place of {s.rules.units[self.front].name}"

    def about(self, s: State) -> About:
        return About((self.front,))

    def options(self, s: State) -> list[Action]:
        return [*each("as", armies_for(s, self.front)), BACK]

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "as":
            reduce_front(s, self.front, action.args[0], context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "as":
            return IllegalAction(*why_not_army(s, self.front, action.args[0]))
        return Frame.refuse(self, s, action)


def why_not_army(s: State, front: Unit, army: Unit, *, isolated: bool = False) -> tuple[str, str]:
    """Why a unit may not take a front's place."""
    unit = s.rules.units[army]
    if army not in _armies(s.rules.roster):
        return "only an infantry army takes the place of a front, no corps, shock army or front", "XIV.C"
    if s.pos[army] >= 0:
        return f"{unit.name} is on the map; the army must come from those off it", "XIV.C"
    if in_hand(s) & BIT[army]:
        return f"{unit.name} is on its way to the map just now", "XIV.C"
    if isolated:
        return "in isolation the army has at most half the front's attack factor", "XIV.B.2"
    return f"{unit.name} attacks with {unit.af}, more than the front", "XIV.C"


def why_not_reduce(s: State, front: Unit) -> tuple[str, str] | None:
    """Why a unit cannot be reduced."""
    if not s.rules.roster.front >> front & 1:
        return "only a front can be reduced to an army", "XIV.C"
    if s.pos[front] < 0:
        return f"{s.rules.units[front].name} is not on the map", "XIV.C"
    if not armies_for(s, front):
        return "no army of no greater attack factor is off the map", "XIV.C"
    return None


def why_not_eliminate(s: State, unit: Unit) -> tuple[str, str] | None:
    """Why a unit cannot be given up by its owner."""
    if s.pos[unit] < 0:
        return f"{s.rules.units[unit].name} is not on the map", "XIV.C"
    if s.rules.roster.side[unit] != s.side:
        return "a player gives up units of their own, in a player-turn of their own", "XIV.C"
    if s.first_turn():
        return "units are not given up in the operations of the first game-turn", "XIV.C"
    return None


@event("reduced", "XIV.C", "unit", "unit")
class Reduced(Event):
    """A Soviet front is reduced to an army."""

    front: Unit
    army: Unit

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.front)} is reduced to {unit_mark(s, self.army)}"


@event("given_up", "XIV.C", "unit")
class GivenUp(Event):
    """A unit is eliminated by its owner."""

    unit: Unit

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is given up by its owner"
