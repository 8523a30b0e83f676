"""XIII.C.X, XIII.C.Exchange, XIII.C.Decline Exchanges: both sides lose."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured, plain
from rasputitsa.portfolio.model.actions import BARE, DONE, each
from rasputitsa.portfolio.model.combat import NO_EFFECT, Battle
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import SeatNumber, Unit, UnitBits
from rasputitsa.portfolio.model.marks import units_marks
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.battle import ResultApplied, attack_on, current, set_result
from rasputitsa.portfolio.rules.combat.losses import LoseUnits, PayExchange, deciding_seat, eliminate
from rasputitsa.portfolio.rules.combat.retreat import SHORT, ability

DECLINE: Final = BARE["decline"]
EXCHANGE_FIRST: Final = BARE["exchange_first"]
REFRAIN: Final = BARE["refrain"]


def cost(s: State, battle: Battle, chosen: UnitBits) -> int:
    """Factors of the chosen defenders, with those of the city when its whole garrison goes."""
    total = sum(own for u, own in zip(battle.defenders, battle.own, strict=True) if chosen >> u & 1)
    for target, intrinsic in zip(battle.targets, battle.intrinsic, strict=True):
        if intrinsic and not s.mask_at(target) & ~chosen:
            total += intrinsic
    return total


def budget(s: State, battle: Battle) -> int:
    """Attack factors the attackers can lose; after AE, those they have lost already."""
    if battle.low == "AE":
        return battle.paid
    return sum(s.rules.roster.af[u] for u in battle.alive(s.pos))


def may_decline(s: State, unit: Unit) -> bool:
    """XIII.C.Decline: Germans, those stacked with them and Finns in Good weather, Mud or mountains; Soviets and
    Finns in Mud, Snow or swamp."""
    rules = s.rules
    nation = rules.units[unit].nation
    hex_ = s.pos[unit]
    assisted = bool(s.mask_at(hex_) & rules.roster.german) and nation != "SU"
    nations = {nation, "DE"} if assisted else {nation}
    if nations & set(s.weather.decline_exchange):
        return True
    if rules.map.mountain >> hex_ & 1 and nations & {"DE", "FI"}:
        return True
    return bool(rules.map.swamp >> hex_ & 1) and bool(nations & {"SU", "FI"})


@question
class ExchangeFirst(Frame):
    """DX: does an exchange come before the retreat? The attacker decides."""

    kind = "exchange_first"
    rule = "XIII.C.DX"

    def seat(self, s: State) -> SeatNumber:
        return current(s).seat

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        return f"{attack_on(s)}: exchange units before the defenders retreat, or refrain"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def options(self, s: State) -> list[Action]:
        battle = current(s)
        funds = budget(s, battle)
        if any(cost(s, battle, 1 << u) <= funds for u in battle.having(s.pos, "DX")):
            return [EXCHANGE_FIRST, REFRAIN]
        return []

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "exchange_first":
            push(s, Exchange("DX"))

    def proceed(self, s: State, context: Context) -> None:
        pop(s)


@question
class Exchange(Frame):
    """Which defenders are exchanged? The defender picks one at least, unless declining is allowed."""

    result: str
    chosen: UnitBits = 0

    kind = "exchange"
    rule = "XIII.C.Exchange"

    def candidates(self, s: State) -> list[Unit]:
        """Defenders with this result."""
        return current(s).having(s.pos, self.result)

    def seat(self, s: State) -> SeatNumber:
        return deciding_seat(s, self.candidates(s), s.enemy)

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        return f"{attack_on(s)}: choose the units to be exchanged for attackers of equal strength"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def affordable(self, s: State) -> list[Unit]:
        """Defenders that the attackers can still pay for."""
        battle = current(s)
        funds = budget(s, battle)
        return [
            u for u in self.candidates(s)
            if not self.chosen >> u & 1 and cost(s, battle, self.chosen | 1 << u) <= funds
        ]  # fmt: skip

    def options(self, s: State) -> list[Action]:
        found = each("exchange", self.affordable(s))
        if self.chosen:
            found.append(DONE)
        elif found and all(may_decline(s, u) for u in self.candidates(s)):
            found.append(DECLINE)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "exchange":
            replace(s, Exchange(self.result, self.chosen | 1 << action.args[0]))
            if not self.rest(s):
                self.carry_out(s, self.chosen | 1 << action.args[0], context)
        elif action.verb == "decline":
            self.declined(s, context)
        else:
            self.carry_out(s, self.chosen, context)

    def rest(self, s: State) -> list[Unit]:
        """What could still be chosen after the frame on the stack."""
        top = s.stack[-1]
        assert isinstance(top, Exchange)
        return top.affordable(s)

    def declined(self, s: State, context: Context) -> None:
        """The units take D1 in place of X, D4 in place of DX."""
        pop(s)
        units = self.candidates(s)
        instead = "D1" if self.result == "X" else "D4"
        context.note(ExchangeDeclined(tuple(units), instead))
        origins = current(s).origins
        for unit in units:
            stuck = instead == "D1" and (s.hold >> unit & 1 or ability(s, unit, origins, SHORT) < 1)
            set_result(s, unit, NO_EFFECT if stuck else instead)

    def carry_out(self, s: State, chosen: UnitBits, context: Context) -> None:
        """The chosen units are eliminated, and attackers of their strength."""
        pop(s)
        battle = current(s)
        price = cost(s, battle, chosen)
        context.note(Exchanged(tuple(s.members(chosen)), price))
        for unit in s.members(chosen):
            eliminate(s, unit, context)
        if battle.low != "AE":
            push(s, PayExchange(price, tuple(battle.alive(s.pos)), battle.seat))

    def proceed(self, s: State, context: Context) -> None:
        """Nothing can be paid for: X turns into AE (XIII.C.Exchange)."""
        pop(s)
        battle = current(s)
        units = self.candidates(s)
        for unit in units:
            set_result(s, unit, "AE")
            context.note(ResultApplied(unit, "AE"))
        if units and battle.low != "AE":
            s.battle = current(s)._replace(low="AE")
            push(s, LoseUnits(sum(battle.strength), tuple(battle.alive(s.pos)), battle.seat))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "exchange":
            unit = action.args[0]
            if unit not in self.candidates(s) or self.chosen >> unit & 1:
                return IllegalAction("that unit is not up for exchange, or has been chosen", self.rule)
            return IllegalAction("the attackers cannot lose as many factors as that unit defends with", self.rule)
        if action.verb == "decline":
            if self.chosen:
                return IllegalAction("units have been chosen for the exchange already", "XIII.C.Decline")
            return IllegalAction("nation, weather and terrain do not let all these units decline", "XIII.C.Decline")
        if action.verb == "done":
            return IllegalAction("at least one unit must be exchanged", self.rule)
        return Frame.refuse(self, s, action)


@event("exchanged", "XIII.C.Exchange", "units", "number")
class Exchanged(Event):
    """Units are given for an exchange."""

    units: tuple[Unit, ...]
    price: int

    def words(self, s: State) -> str:
        return f"{units_marks(s, self.units)} exchanged for {figured(self.price, 'attack factor')}"


@event("declined", "XIII.C.Decline", "units", "text")
class ExchangeDeclined(Event):
    """Attackers take another result instead of an exchange."""

    units: tuple[Unit, ...]
    instead: str

    def words(self, s: State) -> str:
        decline, take = ("declines", "takes") if len(self.units) == 1 else ("decline", "take")
        return f"{units_marks(s, self.units)} {decline} the exchange and {take} {self.instead}"
