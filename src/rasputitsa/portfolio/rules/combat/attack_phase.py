"""XIII.A, XIII.B.6, XIII.D.8 The attack phase: windows for the defender, announcements, and the order of battles."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import NUMBERS
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import DONE, STAND, STAND_ALL, each
from rasputitsa.portfolio.model.combat import CANCELLED, OPEN, RESOLVED
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import SeatNumber, Unit
from rasputitsa.portfolio.model.marks import SIDE_NAMES, unit_mark, units_marks
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat import resolution, retreat
from rasputitsa.portfolio.rules.combat.announcement import Allocate, Announced, targets_of
from rasputitsa.portfolio.rules.combat.breakthrough import AfterBattle
from rasputitsa.portfolio.rules.combat.eligibility import (
    Why,
    attackable,
    change,
    fighters,
    impends,
    mask_of,
    under_attack,
)
from rasputitsa.portfolio.rules.combat.retreat import (
    AVOIDING,
    LEAST_WITHOUT_COMBAT,
    WITHOUT_COMBAT,
    ability,
    able_to_avoid,
)


def begin(s: State, context: Context) -> None:
    """Start the attack phase of the side whose operations these are; nothing happens if it can attack nobody."""
    s.attacks = ()
    s.battle = None
    s.hold = 0
    s.stand_all = 0
    if not targets_of(s, fighters(s, s.side)):
        return
    attackers, defenders = s.rules.seats_of(s.side), s.rules.seats_of(s.enemy)
    push(s, ResolveNext())
    for seat in reversed(defenders):
        push(s, NoRetreat(seat))
    offer_voluntary_retreats(s)
    push(s, Announced())
    for seat in reversed(attackers):
        push(s, Allocate(seat))
    offer_voluntary_retreats(s)


def offer_voluntary_retreats(s: State) -> None:
    """Give each defending seat the chance to retreat units of its own accord (XIII.D.8)."""
    for seat in reversed(s.rules.seats_of(s.enemy)):
        push(s, VoluntaryRetreat(seat))


def _unannounced(s: State) -> bool:
    """Whether attacks can still be announced in this phase."""
    return any(isinstance(frame, Allocate) for frame in s.stack)


@question
class VoluntaryRetreat(Frame):
    """Does the defender withdraw units that are not under attack?"""

    seat_number: SeatNumber

    kind = "window"
    rule = "XIII.D.8"
    written_as = "Window"

    def __repr__(self) -> str:
        """As it stands in fingerprints."""
        return f"{self.written_as}(seat_number={self.seat_number!r})"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        if _unannounced(s):
            return f"No attack is announced yet: pull a unit back {WITHOUT_COMBAT}, which Disperses it, or stand"
        return f"Pull a unit that is not under attack back {WITHOUT_COMBAT}, which Disperses it, or stand"

    def about(self, s: State) -> About:
        """Where attacks on these units can still be announced; nothing where none threatens."""
        if not _unannounced(s):
            return About()
        free = able_to_avoid(s, s.rules.seats[self.seat_number].units)
        threatened = targets_of(s, fighters(s, s.side))
        return About((), tuple(members(mask_of(s.pos[u] for u in members(free)) & threatened)))

    def options(self, s: State) -> list[Action]:
        if s.stand_all >> self.seat_number & 1:
            return []
        free = able_to_avoid(s, s.rules.seats[self.seat_number].units)
        return [*each("retreat", members(free)), STAND, STAND_ALL] if free else []

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "retreat":
            retreat.start(s, action.args[0], AVOIDING, 0, s.rules.commander(s.side), context)
            return
        if action.verb == "stand_all":
            s.stand_all |= 1 << self.seat_number
        pop(s)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "retreat":
            return IllegalAction(*self._why_not(s, action.args[0]))
        return Frame.refuse(self, s, action)

    def _why_not(self, s: State, unit: Unit) -> Why:
        rules, bit = s.rules, 1 << unit
        name = rules.units[unit].name
        if rules.roster.side[unit] != s.enemy:
            return f"{name} belongs to the attacker, who never retreats", "XIII.D.7"
        if not rules.seats[self.seat_number].units & bit:
            return f"{name} belongs to your partner's command", "II"
        if s.pos[unit] < 0:
            return f"{name} is not on the map", "XIII.D.8"
        if s.dispersed & bit:
            return f"{name} is Dispersed and cannot avoid combat", "XIII.D.8"
        if s.spent & bit:
            return f"{name} is Spent and cannot avoid combat", "XIII.D.8"
        if under_attack(s) >> s.pos[unit] & 1:
            return f"an attack on {name} has been announced", "XIII.D.8"
        if s.hold & bit:
            return f'{name} is under "No Retreat!" orders', "XIII.B.6"
        most, takes = ability(s, unit, 0, AVOIDING), NUMBERS[LEAST_WITHOUT_COMBAT]
        return f"{name} can retreat only {most} of the {takes} hexes it takes", "XIII.D.8"


@question
class NoRetreat(Frame):
    """Which attacked units hold at all costs? Asked before the first die (XIII.B.6)."""

    seat_number: SeatNumber

    kind = "no_retreat"
    rule = "XIII.B.6"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return 'Give "No Retreat!" orders to attacked units, or finish'

    def options(self, s: State) -> list[Action]:
        mine = s.units_in(under_attack(s)) & s.rules.seats[self.seat_number].units & ~s.hold if s.attacks else 0
        return [*each("hold", members(mine)), DONE] if mine else []

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "hold":
            s.hold |= 1 << action.args[0]
            context.note(NoRetreatOrdered(action.args[0]))
        else:
            pop(s)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "hold":
            unit = action.args[0]
            if s.hold >> unit & 1:
                return IllegalAction("that unit is under these orders already", self.rule)
            if s.rules.roster.side[unit] == s.enemy and not s.rules.seats[self.seat_number].units >> unit & 1:
                return IllegalAction("that unit belongs to your partner's command", "II")
            return IllegalAction("only units under attack are given these orders", self.rule)
        return Frame.refuse(self, s, action)


@question
class ResolveNext(Frame):
    """Which attack comes next? In any order the attacker likes (XIII.C)."""

    kind = "resolve"
    rule = "XIII.C"
    ask_single = True

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(s.side)

    def prompt(self, s: State) -> str:
        return f"{SIDE_NAMES[s.side]}: choose the attack to resolve next"

    def options(self, s: State) -> list[Action]:
        waiting = [n for n, attack in enumerate(s.attacks) if attack.state == OPEN]
        found = each("resolve", [n + 1 for n in waiting])
        if s.side == AXIS:
            found += each("cancel", [n + 1 for n in waiting if not why_not_cancel(s, n)])
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        number = action.args[0] - 1
        if action.verb == "cancel":
            attack = s.attacks[number]
            change(s, number, attack._replace(state=CANCELLED))
            context.note(AttackCancelled(number + 1, attack.units))
            return
        offer_voluntary_retreats(s)
        push(s, AfterBattle(number))
        resolution.resolve(s, number, context)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb in ("resolve", "cancel"):
            number = action.args[0] - 1
            if not 0 <= number < len(s.attacks):
                return IllegalAction(f"there is no attack {number + 1}", "XIII.A")
            if s.attacks[number].state != OPEN:
                return IllegalAction(f"attack {number + 1} is {s.attacks[number].state}", "XIII.A.1")
            return IllegalAction(*why_not_cancel(s, number) or ("not now", "XIII.A.7"))
        if action.verb == "attack":
            return IllegalAction("every attack is announced before the first is resolved", "XIII.C")
        if action.verb == "done":
            return IllegalAction("every announced attack is resolved or, by the Axis, cancelled", "XIII.A.7")
        return Frame.refuse(self, s, action)


def why_not_cancel(s: State, number: int) -> Why | None:
    """Why an attack must be carried out; None if it may be cancelled (XIII.A.7)."""
    if s.side == SOVIET:
        return "Soviet units must carry out announced attacks", "XIII.A.7"
    attack = s.attacks[number]
    if not impends(s, attack):
        return None
    if attack.barred_retreat:
        return "the attack has already barred a retreat", "XIII.A.7"
    if _compelled(s, number):
        return "the attack is compelled by the army or front next to other attackers", "XIII.A.7"
    return None


def _compelled(s: State, number: int) -> bool:
    """XIII.A.3: without this attack an army or front adjacent to other attackers would go unattacked."""
    attack = s.attacks[number]
    strong = mask_of(attack.targets) & s.strong[s.enemy]
    if not strong:
        return False
    others = [a for n, a in enumerate(s.attacks) if n != number and (a.state == RESOLVED or impends(s, a))]
    strong &= ~mask_of(t for a in others for t in a.targets)
    return any(attackable(s, u) & strong for a in others for u in a.units if s.pos[u] >= 0) if strong else False


@event("hold", "XIII.B.6", "unit")
class NoRetreatOrdered(Event):
    """A defender is to hold its hex."""

    unit: Unit

    def words(self, s: State) -> str:
        return f'"No Retreat!" for {unit_mark(s, self.unit)}'


@event("cancelled", "XIII.A.7", "number", "units")
class AttackCancelled(Event):
    """An announced attack is taken back."""

    attack: int
    units: tuple[Unit, ...]

    def words(self, s: State) -> str:
        return f"Attack {self.attack} by {units_marks(s, self.units)} is cancelled"
