"""XIII.F Breakthrough attacks: the attackers of a BR result attack once more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import ATTACK, DONE
from rasputitsa.portfolio.model.combat import Attack, Battle
from rasputitsa.portfolio.model.frames import Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, SeatNumber, Unit, UnitBits
from rasputitsa.portfolio.model.marks import unit_mark
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import resolution
from rasputitsa.portfolio.rules.combat.announcement import BuildAttack, possible_attacks, targets_of, why_owed
from rasputitsa.portfolio.rules.combat.eligibility import (
    Why,
    attackable,
    attacked_hexes,
    change,
    crowded,
    impends,
    mask_of,
    owed,
    why_crowded,
    why_not_reached,
)


@question
class AfterBattle(Frame):
    """The battle is over: did it open the way for breakthrough attacks?"""

    number: int

    def in_hand(self, s: State) -> UnitBits:
        battle = s.battle
        return 0 if battle is None else mask_of(battle.units) | mask_of(battle.defenders)

    def proceed(self, s: State, context: Context) -> None:
        battle, s.battle = s.battle, None
        units = mask_of(able_again(s, battle)) if battle is not None and battle.number == self.number else 0
        if units:
            replace(s, Breakthrough(self.number, s.attacks[self.number].seat, units))
        else:
            pop(s)


def able_again(s: State, battle: Battle) -> list[Unit]:
    """The attackers of a battle who may make a breakthrough attack after it (XIII.F)."""
    return _able_again(s, battle.units) if battle.low == "BR" else []


def _able_again(s: State, units: Iterable[Unit]) -> list[Unit]:
    return [u for u in units if s.pos[u] >= 0 and not (s.dispersed | s.broke_through) >> u & 1]


@question
class Breakthrough(Frame):
    """Who attacks again? Singly, together, or in an announced attack."""

    number: int
    """The attack that broke through."""
    seat_number: SeatNumber
    units: UnitBits
    """Its participants."""

    kind = "breakthrough"
    rule = "XIII.F"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return "Breakthrough: attack again with units of this battle, or finish"

    def pool(self, s: State) -> UnitBits:
        """Units that may still make their breakthrough attack."""
        return mask_of(_able_again(s, members(self.units)))

    def options(self, s: State) -> list[Action]:
        pool = self.pool(s)
        if not pool:
            return []
        found = ATTACK.pick(targets_of(s, pool))
        for number, attack in enumerate(s.attacks):
            if impends(s, attack):
                found += [Action("join", (u, number + 1)) for u in members(pool) if not self.why_not_join(s, u, number)]
        return [*found, DONE] if found else []

    def gives_up(self, s: State, action: Action) -> str:
        return "the breakthrough attack is not made" if action == DONE and possible_attacks(s, self.pool(s)) else ""

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "attack":
            push(s, BuildBreakthrough(self.seat_number, self.pool(s), (action.args[0],), origin=self.number))
        elif action.verb == "join":
            unit, number = action.args
            attack = s.attacks[number - 1]
            joined = attack._replace(units=(*attack.units, unit), joined_from=self.number)
            change(s, number - 1, joined)
            s.broke_through |= 1 << unit
            context.note(AttackJoined(unit, number))
        else:
            pop(s)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def why_not_join(self, s: State, unit: Unit, number: int) -> Why | None:
        """Why a unit cannot join an announced attack; None if it can."""
        attack = s.attacks[number]
        if attack.joined_from not in (-1, self.number):
            return "units of another breakthrough have joined that attack", "XIII.F"
        wanted = mask_of(attack.targets)
        if attackable(s, unit) & wanted != wanted:
            return f"{s.rules.units[unit].name} cannot attack every hex of that attack", "XIII.A.5"
        if crowded(s, attack.targets, (*attack.units, unit)):
            return why_crowded(s)
        left = owed(s, (unit,), attacked_hexes(s))
        return why_owed(s, left) if left else None

    def refuse(self, s: State, action: Action) -> IllegalAction:
        pool = self.pool(s)
        if action.verb == "join":
            unit, number = action.args
            if not pool >> unit & 1:
                return IllegalAction(*_why_outside(s, unit, self.units))
            if not 0 < number <= len(s.attacks) or not impends(s, s.attacks[number - 1]):
                return IllegalAction(f"there is no announced attack {number}", self.rule)
            return IllegalAction(*self.why_not_join(s, unit, number - 1) or ("not now", self.rule))
        if action.verb == "attack":
            reasons = (why_not_reached(s, u, action.args[0]) for u in members(pool))
            why = next((w for w in reasons if w), None)
            return IllegalAction(*why or ("none of the units that broke through can attack that hex", self.rule))
        return Frame.refuse(self, s, action)


def _why_outside(s: State, unit: Unit, units: UnitBits) -> Why:
    name = s.rules.units[unit].name
    if s.broke_through >> unit & 1:
        return f"{name} has made its breakthrough attack", "XIII.F"
    if s.dispersed >> unit & 1:
        return f"{name} is Dispersed and may not attack", "VII.B"
    return f"{name} did not take part in the battle that broke through", "XIII.F"


@question
class BuildBreakthrough(BuildAttack):
    """A breakthrough attack being put together; it is resolved at once."""

    origin: Hex = -1

    rule = "XIII.F"

    def extra(self) -> dict[str, Any]:
        return {"origin": self.origin}

    def why_not_ready(self, s: State) -> Why | None:
        why = BuildAttack.why_not_ready(self, s)
        if why:
            return why
        left = owed(s, self.units, attacked_hexes(s) | mask_of(self.targets))
        return why_owed(s, left) if left else None

    def commit(self, s: State, context: Context) -> None:
        attack = Attack(self.targets, self.units, self.seat_number, self.amphibious, breakthrough=True)
        s.attacks = (*s.attacks, attack)
        s.broke_through |= mask_of(self.units)
        push(s, AfterBattle(len(s.attacks) - 1))
        resolution.resolve(s, len(s.attacks) - 1, context)

    def why_not_this(self, s: State, unit: Unit, target: Hex) -> Why | None:
        if not self.pool >> unit & 1:
            return _why_outside(s, unit, self.pool)
        return why_not_reached(s, unit, target)


@event("joined", "XIII.F", "unit", "number")
class AttackJoined(Event):
    """A unit has joined an attack by breakthrough."""

    unit: Unit
    attack: int

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} joins attack {self.attack}"
