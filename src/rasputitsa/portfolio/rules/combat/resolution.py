"""XIII.B-D Resolving an attack: the die, what it means for each unit, and what follows step by step."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.portfolio.model.actions import STAND, each
from rasputitsa.portfolio.model.combat import (
    DESTROYED,
    DRIVEN_OUT,
    LAPSED,
    LIKE_D1,
    LIKE_D4,
    LIKE_DE,
    MUST_RETREAT,
    NO_EFFECT,
    RANK,
    RESOLVED,
    Attack,
    Battle,
    Clearing,
)
from rasputitsa.portfolio.model.dispersal import Dispersed
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Unit
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark, units_marks
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import retreat
from rasputitsa.portfolio.rules.combat.advance import Advance
from rasputitsa.portfolio.rules.combat.battle import ResultApplied, current
from rasputitsa.portfolio.rules.combat.eligibility import change, mask_of, origins
from rasputitsa.portfolio.rules.combat.exchange import Exchange, ExchangeFirst
from rasputitsa.portfolio.rules.combat.losses import LoseUnits, deciding_seat, eliminate
from rasputitsa.portfolio.rules.combat.odds import Odds, column_name, odds
from rasputitsa.portfolio.rules.combat.retreat import FORCED, SHORT, ability
from rasputitsa.portfolio.rules.combat.special_results import JUDGED, LEAST_RETREAT, broken_down, judge, table_result

DIE_LOSES: Final = (4, 5, 6)
"""XIII.D.6: a unit that can go three hexes only is eliminated by these."""


def resolve(s: State, number: int, context: Context) -> None:
    """Carry out an announced attack, as things stand now."""
    attack = s.attacks[number]
    change(s, number, attack._replace(state=RESOLVED))
    targets, units = forces(s, attack)
    s.attacked |= mask_of(units)
    s.idle_sides = 0
    if not units:
        change(s, number, attack._replace(state=LAPSED))
        context.note(AttackLapsed(number + 1, units))
        return
    earlier = _cleared_before(s, attack, targets)
    if not targets:
        context.note(FollowUpOpened(number + 1, units))
        _begin(s, _no_battle(s, number, attack, units, earlier), context)
        return
    computed = odds(s, targets, units, attack.amphibious)
    if not computed.legal:
        change(s, number, attack._replace(state=LAPSED))
        context.note(AttackLapsed(number + 1, units))
        return
    if attack.amphibious:
        s.amphibious_used = True
    die = context.roll("combat")
    names = tuple(column_name(s.rules, column) for column in computed.columns)
    context.note(CombatResolved(number + 1, targets, units, names, die))
    _begin(s, _battle(s, number, attack, units, computed, die, earlier), context)


def forces(s: State, attack: Attack) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """What is left of an announced attack: hexes with defenders, and units that can still attack."""
    targets = tuple(t for t in attack.targets if s.occ[s.enemy] >> t & 1)
    return targets, tuple(u for u in attack.units if s.pos[u] >= 0 and not s.dispersed >> u & 1)


def _cleared_before(s: State, attack: Attack, targets: tuple[Hex, ...]) -> tuple[Clearing, ...]:
    """XIII.A.4: what earlier waves have won in hexes this attack was meant for."""
    found = []
    for target in attack.targets:
        if target not in targets:
            wins = [c for other in s.attacks if other.state == RESOLVED for c in other.cleared if c.hex == target]
            found += [c._replace(need=0) for c in wins[-1:]]
    return tuple(found)


def _no_battle(s: State, number: int, attack: Attack, units: tuple[Unit, ...], won: tuple[Clearing, ...]) -> Battle:
    """A later wave that finds its hexes cleared."""
    nothing: tuple[int, ...] = ()
    return Battle(
        number, attack.seat, nothing, units, origins(s, units), 0, nothing, nothing, nothing, nothing, nothing, nothing,
        (), NO_EFFECT, cleared=won,
    )  # fmt: skip


def _battle(
    s: State, number: int, attack: Attack, units: tuple[Unit, ...], computed: Odds, die: int,
    earlier: tuple[Clearing, ...],
) -> Battle:  # fmt: skip
    """The battle once the die is cast, each defender with the result of its own column (VII.B)."""
    defenders: list[Unit] = []
    homes: list[Hex] = []
    own: list[int] = []
    results: list[str] = []
    for found, column in zip(computed.hexes, computed.columns, strict=True):
        for unit, factors in zip(found.units, found.own, strict=True):
            defenders.append(unit)
            homes.append(found.hex)
            own.append(factors)
            results.append(table_result(s, unit, column, die))
    battle = Battle(
        number, attack.seat, tuple(h.hex for h in computed.hexes), units, origins(s, units), die, computed.columns,
        tuple(defenders), tuple(homes), tuple(own), tuple(h.intrinsic for h in computed.hexes),
        tuple(h.total for h in computed.hexes), tuple(results), "", lengths=(0,) * len(defenders), cleared=earlier,
    )  # fmt: skip
    for unit, result in zip(defenders, results, strict=True):
        if result in JUDGED:
            retreat.mark_barring_attacks(s, unit, s.pos[unit], battle.origins, SHORT if result == "D1" else FORCED)
    final = tuple(found.result for found in judge(s, battle, computed.hexes))
    return battle._replace(results=final, low=min(final, key=RANK.__getitem__))


# ---------------------------------------------------------------------- the steps of a battle


def _begin(s: State, battle: Battle, context: Context) -> None:
    """Line up what follows the die; the last one pushed comes first."""
    s.battle = battle
    for unit in battle.defenders:
        context.note(ResultApplied(unit, battle.result(unit)))
    push(s, EndOfBattle())
    push(s, Aftermath())
    if not battle.defenders:
        return
    for seat in reversed(s.rules.seats_of(s.enemy)):
        push(s, MayRetreat(seat))
    push(s, Retreats())
    push(s, Effects())
    if battle.having(s.pos, "DX"):
        push(s, ExchangeFirst())
    if battle.having(s.pos, "X"):
        push(s, Exchange("X"))
    if battle.low == "AE":
        need = sum(battle.strength)
        af = s.rules.roster.af
        push(s, CountLosses(sum(af[u] for u in battle.units)))
        push(s, LoseUnits(need, battle.units, battle.seat))


@question
class CountLosses(Frame):
    """Note what the attackers have lost to AE: it may pay for an exchange."""

    before: int

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        battle = current(s)
        left = sum(s.rules.roster.af[u] for u in battle.alive(s.pos))
        s.battle = battle._replace(paid=self.before - left)


@question
class Effects(Frame):
    """What happens to the defenders without a choice: XIII.C.S, XIII.C.DE, XIII.C.BR."""

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        battle = current(s)
        for unit in battle.having(s.pos, *DESTROYED):
            eliminate(s, unit, context)
        for unit in battle.having(s.pos, "S"):
            s.spend(1 << unit)
        for unit in battle.having(s.pos, *DRIVEN_OUT):
            cut_short(s, unit, battle.origins, context)


def almost_cut_off(rules: Ruleset, reach: int) -> bool:
    """Whether a unit that could retreat this far needs a die to get away."""
    return reach == 3 or (reach == 2 and rules.options["short_retreat"] == "graded")


def chance_of_loss(rules: Ruleset, reach: int) -> float:
    """How likely a forced retreat eliminates a unit that could go this far (XIII.D.6)."""
    if reach < LEAST_RETREAT:
        return 1.0
    return len(DIE_LOSES) / 6 if almost_cut_off(rules, reach) else 0.0


def cut_short(s: State, unit: Unit, attackers: HexBits, context: Context) -> None:
    """XIII.D.6: the die for a unit that cannot go the whole way; else it is Dispersed."""
    reach = ability(s, unit, attackers, FORCED)
    if reach < LEAST_RETREAT:
        eliminate(s, unit, context)
        return
    if almost_cut_off(s.rules, reach):
        die = context.roll("retreat")
        context.note(AlmostCutOff(unit, die))
        if die in DIE_LOSES:
            eliminate(s, unit, context)
            return
    s.disperse(unit)
    context.note(Dispersed((unit,), "combat"))


@question
class Retreats(Frame):
    """Which unit retreats next? The defender picks the order."""

    kind = "retreat_order"
    rule = "XIII.D.1"

    def pending(self, s: State) -> list[Unit]:
        """Units that still have to retreat."""
        battle = current(s)
        return [u for u in battle.having(s.pos, *MUST_RETREAT) if not battle.handled >> u & 1]

    def seat(self, s: State) -> SeatNumber:
        return deciding_seat(s, self.pending(s), s.enemy)

    def prompt(self, s: State) -> str:
        return "Choose the unit that retreats next"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def options(self, s: State) -> list[Action]:
        return each("retreat", self.pending(s))

    def apply(self, s: State, action: Action, context: Context) -> None:
        unit = action.args[0]
        battle = current(s)
        s.battle = battle._replace(handled=battle.handled | 1 << unit)
        kind = SHORT if battle.result(unit) == "D1" else FORCED
        retreat.start(s, unit, kind, battle.origins, battle.seat, context)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)


@question
class MayRetreat(Frame):
    """XIII.D.2: after AE, AD, S or X the defender may retreat voluntarily."""

    seat_number: SeatNumber

    kind = "may_retreat"
    rule = "XIII.D.2"

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return "Retreat units from the attacked hex, or stand"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def free(self, s: State) -> list[Unit]:
        """Units that may leave."""
        battle = current(s)
        mine = s.rules.seats[self.seat_number].units & ~battle.handled & ~s.hold
        return [
            u for u in battle.having(s.pos, "AE", "AD", "S", "X")
            if mine >> u & 1 and ability(s, u, battle.origins, SHORT) > 0
        ]  # fmt: skip

    def options(self, s: State) -> list[Action]:
        free = self.free(s)
        return [*each("retreat", free), STAND] if free else []

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "stand":
            pop(s)
            return
        unit = action.args[0]
        battle = current(s)
        s.battle = battle._replace(handled=battle.handled | 1 << unit)
        retreat.start(s, unit, SHORT, battle.origins, battle.seat, context)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "retreat":
            return self._why_not(s, action.args[0])
        return Frame.refuse(self, s, action)

    def _why_not(self, s: State, unit: Unit) -> IllegalAction:
        battle = current(s)
        name = s.rules.units[unit].name
        if unit not in battle.defenders or s.pos[unit] < 0:
            return IllegalAction(f"{name} has not been attacked just now", self.rule)
        if battle.handled >> unit & 1:
            return IllegalAction(f"{name} has already retreated", self.rule)
        if s.hold >> unit & 1:
            return IllegalAction(f'{name} is under "No Retreat!" orders', "XIII.B.6")
        if not s.rules.seats[self.seat_number].units >> unit & 1:
            return IllegalAction(f"{name} belongs to your partner's command", "II")
        if battle.result(unit) not in ("AE", "AD", "S", "X"):
            return IllegalAction(f"the result against {name} leaves no such choice", self.rule)
        return IllegalAction(f"{name} is surrounded and cannot retreat", "XIII.C.NoRetreat")


@question
class Aftermath(Frame):
    """The defenders are done: Dispersal of the attackers, hexes won, and the advance."""

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        battle = current(s)
        emptied = [t for t in battle.targets if not s.occ[s.enemy] >> t & 1]
        if battle.low in ("AE", "AD"):
            if len(emptied) < len(battle.targets):
                _disperse_attackers(s, battle.alive(s.pos), "combat", context)
            elif battle.alive(s.pos):
                context.note(DispersalVoid(battle.number + 1))
        won = tuple(_clearing(battle, t) for t in emptied)
        attack = s.attacks[battle.number]
        change(s, battle.number, attack._replace(cleared=won))
        s.battle = battle._replace(cleared=battle.cleared + won)
        if s.battle.cleared:
            push(s, Advance(battle.seat))


def _clearing(battle: Battle, hex_: Hex) -> Clearing:
    """Ruling: the rights of the advance follow the lowest result among the defenders of the hex."""
    results = [r for r, home in zip(battle.results, battle.homes, strict=True) if home == hex_]
    lowest = min(results, key=RANK.__getitem__)
    rights = LIKE_DE if lowest in DESTROYED else LIKE_D4 if lowest in DRIVEN_OUT else LIKE_D1
    return Clearing(hex_, rights, battle.shortest(hex_), battle.strength[battle.targets.index(hex_)])


def _disperse_attackers(s: State, units: list[Unit], why: str, context: Context) -> None:
    standing = tuple(u for u in units if not s.dispersed >> u & 1)
    for unit in standing:
        s.disperse(unit)
    if standing:
        context.note(Dispersed(standing, why))


@question
class EndOfBattle(Frame):
    """Breakdowns, and attackers faced toward the opponent (VII.A)."""

    def proceed(self, s: State, context: Context) -> None:
        pop(s)
        battle = current(s)
        if broken_down(s, battle.die):
            armor = s.rules.roster.armor_type
            _disperse_attackers(s, [u for u in battle.alive(s.pos) if armor >> u & 1], "breakdown", context)
        s.spend(mask_of(battle.alive(s.pos)))


@event("combat", "XIII.B", "number", "hexes", "units", "texts", "number")
class CombatResolved(Event):
    """The die of an attack is cast."""

    attack: int
    targets: tuple[Hex, ...]
    units: tuple[Unit, ...]
    odds: tuple[str, ...]
    die: int

    def words(self, s: State) -> str:
        where = " and ".join(f"{hex_mark(s, t)} at {o}" for t, o in zip(self.targets, self.odds, strict=True))
        return f"Attack {self.attack} by {units_marks(s, self.units)} on {where}: die {self.die}"


@event("cut_off", "XIII.D.6", "unit", "number")
class AlmostCutOff(Event):
    """A unit without a way to retreat has cast for its escape."""

    unit: Unit
    die: int

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is almost cut off: die {self.die}"


@event("lapsed", "XIII.A", "number", "units")
class AttackLapsed(Event):
    """An attack is off because its odds have fallen too low, or no attacker is left."""

    attack: int
    units: tuple[Unit, ...]

    def words(self, s: State) -> str:
        if not self.units:
            return f"Attack {self.attack} lapses: none of its attackers is left"
        return f"Attack {self.attack} by {units_marks(s, self.units)} lapses: its odds have fallen below 1:4"


@event("follow_up", "XIII.A.4", "number", "units")
class FollowUpOpened(Event):
    """The hex of an attack is empty before its die; its attackers may enter."""

    attack: int
    units: tuple[Unit, ...]

    def words(self, s: State) -> str:
        return f"Attack {self.attack} finds its hex cleared; {units_marks(s, self.units)} may follow up"


@event("dispersal_void", "XIII.C.AD", "number")
class DispersalVoid(Event):
    """Nobody is left to disperse the attackers."""

    attack: int

    def words(self, s: State) -> str:
        return f"The defenders of attack {self.attack} have left: its attackers are not Dispersed"
