"""The plan of a phase looked at as a whole: attacks, places, what the enemy could do, and who would be cut off."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.portfolio.evaluation.danger import Danger, Layout
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.planning.assault import NOBODY, Assault
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.movement.reach import moving_stack
from rasputitsa.portfolio.rules.movement.route import leg
from rasputitsa.portfolio.rules.turn import victory

LINKED, WORLD = 1.5, 12.0
"""What a victory point that stays linked is worth to the Axis, and what having all that is needed is worth."""
ASSURED, AT_BEST = 0.7, 0.3
"""Share of the worth of those links that counts for the links the Axis has at the least, no matter who marches last,
and for those it has at the most."""
SURELY, PERHAPS = 0.5, 0.25
"""Share of the worth of enemy units cut off for good, and of those who might be freed."""
GROUND = 0.05
"""What taking one hex from the enemy's control is worth by itself."""
STRANDED = 0.6
"""Share of the worth of own units left out of supply."""
POCKETED = 0.05
"""Share of the worth of own units that would be cut off if the enemy went wherever possible."""
TO_ATTACK = 0.35
"""How often a change sends a unit to an attack and not just elsewhere."""
RASH = 12.0
"""What a change may cost in the fights at most: no rearrangement is worth more."""
TRIFLE = 1e-6
"""A change must help by more than this; less is rounding."""


class Isolation:
    """Who is out of supply once units have marched."""

    def __init__(self, s: State, side: Side) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.worth = knowledge_of(s.rules).worth
        roster = s.rules.roster
        self.exempt = supply.off_the_land(s.rules)
        self.nations = [
            (nation, members(roster.of_nation[nation] & roster.of_side[side] & s.present & ~self.exempt))
            for nation in roster.of_nation
        ]
        self.nations = [(nation, units) for nation, units in self.nations if units]
        self.ways: dict[tuple[Unit, Hex], HexBits] = {}
        self.known: dict[tuple[int, int], float] = {}
        self.linked: dict[HexBits, float] = {}
        self.needed = knowledge_of(s.rules).needed
        self.imagined = s.copy()
        self.before = self.price(self.enemy, s.control)

    def way(self, unit: Unit, hex_: Hex) -> HexBits:
        """The hexes a unit takes under control by marching to a hex."""
        if self.s.pos[unit] == hex_:
            return 0
        key = (unit, hex_)
        known = self.ways.get(key)
        if known is None:
            m = moving_stack(self.s, (unit,), 0, 0)._replace(room=self.s.rules.grid.board)
            found = leg(self.s, m, hex_)
            known = self.ways[key] = sum(1 << h for h in found.hexes)
        return known

    def price(self, side: Side, control: HexBits) -> float:
        """What the units of a side that are out of supply are worth together."""
        key = (side, control)
        known = self.known.get(key)
        if known is None:
            self.imagined.control = control
            cut = supply.unsupplied_units(self.imagined, side) & ~self.exempt
            known = self.known[key] = sum((self.worth[u] for u in members(cut)), 0.0)
        return known

    def left_behind(self, layout: Layout, control: HexBits) -> float:
        """What own units are worth that would be out of supply where they are to stand."""
        self.imagined.control = control
        worth = self.worth
        pos = layout.pos
        total = 0.0
        keeps = self.s.rules.map.victory_cities | self.s.rules.map.fortresses
        for nation, units in self.nations:
            supplied = supply.supplied_for(self.imagined, nation) | keeps
            for unit in units:
                hex_ = pos.get(unit)
                if hex_ is not None and not supplied >> hex_ & 1:
                    total += worth[unit]
        return total

    def gain(self, taken: HexBits, swept: HexBits, layout: Layout) -> float:
        """What the marches are worth for cutting the enemy off, less own units they leave stranded."""
        s = self.s
        if self.side == AXIS:
            control = s.control | taken
            regained = control & ~swept
            own = control
            feared = regained | layout.occupied
        else:
            control = s.control & ~taken
            regained = control | swept & s.rules.map.ground[1].land
            own = control
            feared = regained & ~layout.occupied
        surely = self.price(self.enemy, regained)
        perhaps = self.price(self.enemy, control)
        gain = SURELY * surely + PERHAPS * perhaps - STRANDED * self.left_behind(layout, own)
        gain -= POCKETED * self.left_behind(layout, feared)
        gain += GROUND * (taken & s.controlled(self.enemy)).bit_count()
        if self.side == AXIS:
            return gain + ASSURED * self.links(regained) + AT_BEST * self.links(control)
        return gain - ASSURED * self.links(control) - AT_BEST * self.links(regained)

    def links(self, control: HexBits) -> float:
        """What the victory cities that the Axis could supply are worth to it."""
        known = self.linked.get(control)
        if known is None:
            self.imagined.control = control
            points = victory.points_of(self.imagined, victory.linked_cities(self.imagined))
            known = self.linked[control] = LINKED * points + (WORLD if points >= self.needed else 0.0)
        return known


class PlanEvaluation:
    """Changes to a scheme, judged by everything at once."""

    def __init__(
        self, assault: Assault, danger: Danger, layout: Layout, harm_weight: float, rng: random.Random
    ) -> None:
        self.assault = assault
        self.danger = danger
        self.layout = layout
        self.weight = harm_weight
        self.rng = rng
        self.isolation = Isolation(assault.s, assault.side)
        self.march = self.isolation.way
        self.best = self.judge()

    def judge(self) -> float:
        """Harm to come and cut-off units, for the layout as it stands; attacks and posts are counted apart."""
        taken = self.assault.likely()
        self.danger.expect(taken)
        swept = self.danger.swept(self.layout)
        s = self.assault.s
        for unit, hex_ in self.assault.where.items():
            if s.pos[unit] != hex_:
                taken |= self.march(unit, hex_)
        return self.isolation.gain(taken, swept, self.layout) - self.weight * self.danger.harm(self.layout, swept)

    def polish(
        self, units: list[Unit], spots: Callable[[Unit], list[Hex]], tries: int, going: Callable[[], bool]
    ) -> None:
        """Try changes of single units and keep those that help the whole."""
        a = self.assault
        if not units:
            return
        choices = {unit: spots(unit) for unit in units}
        for attempt in range(tries):
            if attempt & 15 == 0 and not going():
                return
            unit = self.rng.choice(units)
            pairs = a.options.get(unit)
            if pairs and self.rng.random() < TO_ATTACK:
                hex_, target = self.rng.choice(pairs)
            elif choices[unit]:
                hex_, target = self.rng.choice(choices[unit]), NOBODY
            else:
                continue
            self.attempt(unit, hex_, target)

    def attempt(self, unit: Unit, hex_: Hex, target: Hex) -> bool:
        """Make one change if it helps."""
        a = self.assault
        old_hex, old_target = a.where[unit], a.target_of[unit]
        if (hex_, target) == (old_hex, old_target) or not a.fits(unit, hex_):
            return False
        affected = a.affected(old_hex, hex_, old_target, target)
        before = a.local(unit, affected)
        a.put(unit, hex_, target)
        values = {t: a.attack_value(t) for t in affected}
        after = sum(values.values()) + a.standing(unit)
        if hex_ != old_hex:
            self.layout.move(unit, hex_)
        judged = self.best if hex_ == old_hex or after < before - RASH else self.judge()
        if after + judged > before + self.best + TRIFLE and after >= before - RASH:
            a.accept(values)
            self.best = judged
            return True
        a.put(unit, old_hex, old_target)
        if hex_ != old_hex:
            self.layout.move(unit, old_hex)
        return False
