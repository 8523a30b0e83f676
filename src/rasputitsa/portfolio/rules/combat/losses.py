"""Units that are lost: in combat, in exchanges, and by overstacking (XII, XIII.C)."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import figured, plain
from rasputitsa.portfolio.model import stacking
from rasputitsa.portfolio.model.actions import each
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, push, question, replace
from rasputitsa.portfolio.model.indices import Hex, SeatNumber, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.state import ELIMINATED, POOL, State
from rasputitsa.portfolio.rules.combat.battle import attack_on, current
from rasputitsa.portfolio.rules.combat.eligibility import mask_of


def eliminate(s: State, unit: Unit, context: Context) -> None:
    """Take a unit off the map; some can be built again (IX.A)."""
    hex_ = s.pos[unit]
    s.lift(unit, POOL if s.rules.units[unit].replaceable else ELIMINATED)
    context.note(Eliminated(unit, hex_))


def deciding_seat(s: State, units: Iterable[Unit], side: Side) -> SeatNumber:
    """Who decides about several units: their owner, or the commander when they belong to both seats."""
    owners = {s.rules.owner(unit) for unit in units}
    return owners.pop() if len(owners) == 1 else s.rules.commander(side)


# ---------------------------------------------------------------------- sets just large enough


def next_losses(af: list[int], chosen: UnitBits, rest: list[Unit], need: int) -> list[Unit]:
    """Units that can be added to the chosen ones on the way to a set of at least ``need`` factors
    in which no unit is superfluous.

    Such a set has a smallest unit of some factor m, and its sum lies in ``need`` .. ``need + m - 1``.
    """
    picked = [u for u in range(chosen.bit_length()) if chosen >> u & 1]
    return [u for u in rest if _completes(af, [*picked, u], [v for v in rest if v != u], need)]


def _completes(af: list[int], picked: list[int], rest: list[int], need: int) -> bool:
    total = sum(af[u] for u in picked)
    least = min(af[u] for u in picked)
    for m in {least, *(af[u] for u in rest if af[u] < least)}:
        sums = 1 << total
        with_m = sums if m == least else 0
        for u in rest:
            if af[u] > m:
                with_m |= with_m << af[u]
                sums |= sums << af[u]
            elif af[u] == m:
                with_m |= with_m << m | sums << m
                sums |= sums << m
        if with_m >> need & (1 << m) - 1:
            return True
    return False


@question
class LoseUnits(Frame):
    """Which attackers pay? (AE and exchanges.)"""

    need: int
    pool: tuple[Unit, ...]
    """The attackers that can be lost."""
    seat_number: SeatNumber
    chosen: UnitBits = 0

    kind = "losses"
    rule = "XIII.C.AE"

    @property
    def exchange(self) -> bool:
        """Whether it is an exchange that is paid for."""
        return False

    def seat(self, s: State) -> SeatNumber:
        return self.seat_number

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        why = "the exchange" if self.exchange else "the failed attack"
        worth = figured(self.missing(s), "attack factor")
        return f"{attack_on(s)}: choose the attackers lost in {why}, with {worth} or more"

    def about(self, s: State) -> About:
        return About((), current(s).targets)

    def missing(self, s: State) -> int:
        """Attack factors still to be lost."""
        return self.need - sum(s.rules.roster.af[u] for u in self.pool if self.chosen >> u & 1)

    def rest(self, s: State) -> list[Unit]:
        """Units from which the next may come: in an Axis exchange Germans before allies (XIII.C.Allies)."""
        rest = [u for u in self.pool if not self.chosen >> u & 1]
        if self.exchange:
            return [u for u in rest if s.rules.roster.german >> u & 1] or rest
        return rest

    def options(self, s: State) -> list[Action]:
        missing = self.missing(s)
        if missing <= 0:
            return []
        af = s.rules.roster.af
        rest = self.rest(s)
        if sum(af[u] for u in rest) < missing:
            return each("lose", rest[:1])
        german = s.rules.roster.german
        if self.exchange and self.chosen & german and not mask_of(rest) & german:
            # The Germans are all lost already; what matters is that no ally is superfluous.
            return each("lose", next_losses(af, self.chosen & ~german, rest, missing + self._allied(s)))
        return each("lose", next_losses(af, self.chosen, rest, self.need))

    def _allied(self, s: State) -> UnitBits:
        german = s.rules.roster.german
        return sum(s.rules.roster.af[u] for u in self.pool if self.chosen & ~german >> u & 1)

    def apply(self, s: State, action: Action, context: Context) -> None:
        unit = action.args[0]
        eliminate(s, unit, context)
        chosen = self.chosen | 1 << unit
        replace(s, type(self)(self.need, self.pool, self.seat_number, chosen))

    def proceed(self, s: State, context: Context) -> None:
        pop(s)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb != "lose":
            return Frame.refuse(self, s, action)
        unit = action.args[0]
        if unit not in self.pool or self.chosen >> unit & 1:
            return IllegalAction("that unit does not take part in this attack, or is lost already", self.rule)
        if unit not in self.rest(s):
            return IllegalAction("German units are lost before those of their allies", "XIII.C.Allies")
        return IllegalAction("with that unit some unit would be lost without need", self.rule)


@question
class PayExchange(LoseUnits):
    """Which attackers pay for an exchange?"""

    rule = "XIII.C.Exchange"

    @property
    def exchange(self) -> bool:
        return True


@question
class Overstack(Frame):
    """XII: a retreat has left too many units in a hex; the owner gives one up."""

    hex: Hex

    kind = "overstack"
    rule = "XII"

    def in_hand(self, s: State) -> UnitBits:
        return s.mask_at(self.hex)

    def seat(self, s: State) -> SeatNumber:
        here = s.at[self.hex]
        return deciding_seat(s, here, s.rules.roster.side[here[0]])

    def prompt(self, s: State) -> str:
        return plain(self.marked(s))

    def marked(self, s: State) -> str:
        return f"Too many units in {hex_mark(s, self.hex)}: choose the one that is lost"

    def about(self, s: State) -> About:
        return About((), (self.hex,))

    def options(self, s: State) -> list[Action]:
        here = s.at.get(self.hex, ())
        if not stacking.surplus(s, here, self.hex):
            return []
        curing = [u for u in here if not stacking.surplus(s, [v for v in here if v != u], self.hex)]
        return each("lose", curing or list(here))

    def apply(self, s: State, action: Action, context: Context) -> None:
        eliminate(s, action.args[0], context)

    def proceed(self, s: State, context: Context) -> None:
        pop(s)


def check_stacking(s: State, hex_: Hex) -> None:
    """Ask for the surplus unit where a retreat has overfilled a hex."""
    if stacking.surplus(s, s.at.get(hex_, ()), hex_):
        push(s, Overstack(hex_))


@event("eliminated", "XIII.C", "unit", "hex")
class Eliminated(Event):
    """A unit is eliminated, in a hex or off the map (-1)."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is eliminated" + (f" in {hex_mark(s, self.hex)}" if self.hex >= 0 else "")
