"""Enemy stacks as targets: what an attack on each would cost and bring."""

from __future__ import annotations

from dataclasses import dataclass, field

from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes, tables
from rasputitsa.ai.portfolio.evaluation.static_knowledge import StaticKnowledge, knowledge_of
from rasputitsa.hexes.grid import members, without
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.rules.combat.eligibility import closed_to, guests, sides_now
from rasputitsa.portfolio.rules.combat.odds import (
    TOP,
    WHEN_DISPERSED,
    HexDefence,
    Shift,
    basic_column,
    defence_of,
    halved_from,
    only_through,
    shifted,
    shifts_against,
    winter_offensive,
    with_halves,
)
from rasputitsa.portfolio.rules.combat.retreat import fit_hexes, longest_way, rings
from rasputitsa.portfolio.rules.combat.special_results import overrun_country, overrun_share

Attacker = tuple[Unit, Hex]
"""A unit and the hex it attacks from."""

IMPOSSIBLE = -1000.0


@dataclass(slots=True)
class Target:
    """One enemy-held hex."""

    hex: Hex
    units: tuple[Unit, ...]
    defence: int
    behind_stalin: int
    """The defence when every attacker stands in front of the Stalin Line."""
    stalin_from: HexBits
    halved_from: HexBits
    shifts: tuple[Shift, ...]
    infantry_from: HexBits
    mobile_from: HexBits
    overrun_need: int
    """Pure armor factors that overrun the infantry here, 0 if nothing can."""
    worth: list[tuple[float, bool, bool]] = field(default_factory=list)
    """For each defender: worth, whether Dispersed, whether an overrun takes it."""
    gain: float = 0.0


class Arena:
    """All targets of a side, and the value of attacks on them."""

    def __init__(
        self, s: State, side: Side, stakes: Stakes, gains: list[float], *, only: HexBits = -1, offensive: bool = False
    ) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.stakes = stakes
        self.knowledge: StaticKnowledge = knowledge_of(s.rules)
        self.chances = tables(s.rules)
        roster = s.rules.roster
        self.af = roster.af
        self.pure_armor = roster.pure_armor & ~s.fuel_short
        self.no_strait = roster.no_strait
        self.winter = offensive or winter_offensive(s)
        self.land = ground(s)
        self.room = without(s.rules.grid.board, s.full[self.enemy])
        self.targets: dict[Hex, Target] = {}
        for hex_ in members(s.occ[self.enemy] & only):
            self.targets[hex_] = self._target(hex_, gains[hex_])

    def _target(self, hex_: Hex, gain: float) -> Target:
        s = self.s
        sides = sides_now(s)
        rules = s.rules
        roster = rules.roster
        units = s.at[hex_]
        stalin = sides.stalin[hex_]
        plain = defence_of(s, hex_, 0)
        found = Target(
            hex_, units, plain.total, defence_of(s, hex_, stalin).total if stalin else plain.total, stalin,
            halved_from(s, hex_, self.side), shifts_against(s, hex_, self.side, self.winter),
            sides.infantry[hex_], sides.mobile[hex_],
            self._overrun_need(plain), gain=gain,
        )  # fmt: skip
        for unit in units:
            crushed = bool(roster.infantry_type >> unit & 1)
            found.worth.append((self.knowledge.worth[unit], bool(s.dispersed >> unit & 1), crushed))
        return found

    def _overrun_need(self, found: HexDefence) -> int:
        s = self.s
        infantry = any(s.rules.roster.infantry_type >> unit & 1 for unit in found.units)
        if not infantry or not overrun_country(s, 1 << found.hex, self.side):
            return 0
        return sum(overrun_share(s, found))

    def may_attack_from(self, unit: Unit, target: Target) -> HexBits:
        """Hexes from which a unit may attack a target."""
        if guests(self.s.rules) >> unit & 1 and closed_to(self.s, unit) >> target.hex & 1:
            return 0
        return target.mobile_from if self.no_strait >> unit & 1 else target.infantry_from

    def depth(self, target: Target, origins: HexBits, occupied: HexBits, zone: HexBits, withheld: HexBits) -> int:
        """How far the defenders could retreat."""
        fit = without(fit_hexes(self.land, occupied, zone, self.s.occ[self.enemy], origins), withheld)
        around = rings(self.s.rules.grid)[target.hex]
        return longest_way(around, self.land.barrier, fit, fit, self.room, 0, target.hex)

    def odds(self, target: Target, attackers: list[Attacker]) -> tuple[int, int, int]:
        """Final column, attack and defence of an attack."""
        af = self.af
        full = halved = 0
        origins = units = 0
        for unit, hex_ in attackers:
            if target.halved_from >> hex_ & 1:
                halved += af[unit]
            else:
                full += af[unit]
            origins |= 1 << hex_
            units |= 1 << unit
        attack = with_halves(full, halved)
        defence = target.behind_stalin if only_through(target.stalin_from, origins) else target.defence
        shifts = 0
        for shift in target.shifts:
            if shift.counts(units, origins):
                shifts += shift.item.value
        return shifted(basic_column(self.s.rules, max(1, attack), max(1, defence)), shifts), attack, defence

    def value(
        self, target: Target, attackers: list[Attacker], occupied: HexBits, zone: HexBits, withheld: HexBits
    ) -> float:
        """Expected gain of an attack, in replacement points, less expected loss."""
        column, attack, defence = self.odds(target, attackers)
        if column < 0 or attack <= 0:
            return IMPOSSIBLE
        origins = 0
        armor = 0
        for unit, hex_ in attackers:
            origins |= 1 << hex_
            if self.pure_armor >> unit & 1:
                armor += self.af[unit]
        depth = self.depth(target, origins, occupied, zone, withheld)
        return self.expected_gain(target, column, depth, attack, defence, armor)

    def expected_gain(self, target: Target, column: int, depth: int, attack: int, defence: int, armor: int) -> float:
        """The value of an attack whose column and retreats are known."""
        stakes = self.stakes
        overrun = bool(target.overrun_need) and armor >= target.overrun_need
        defender = self.chances.defender
        value = 0.0
        vacated = 1.0
        for worth, dispersed, crushed in target.worth:
            p = defender[overrun and crushed][depth][column + WHEN_DISPERSED * dispersed]
            value += worth * (stakes.kill * p.killed + stakes.scatter * p.scattered * (0.4 if dispersed else 1.0))
            vacated = min(vacated, p.killed + p.pushed)
        value += target.gain * vacated
        all_dispersed = all(dispersed for _, dispersed, _ in target.worth)
        losses = self.chances.losses[min(column + WHEN_DISPERSED * all_dispersed, TOP + 1)]
        value -= stakes.loss * losses.eliminated * min(attack, defence + 1)
        value -= stakes.disorder * (losses.dispersed + losses.eliminated) * attack
        value -= stakes.exchange * losses.exchange * defence
        return value + stakes.breakthrough * losses.breakthrough
