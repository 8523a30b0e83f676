"""Attacks planned together: who stands where and strikes what, so that the whole promises most."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.portfolio.evaluation.targets import IMPOSSIBLE, Arena, Attacker
from rasputitsa.hexes.grid import BIT, members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit, UnitBits
from rasputitsa.portfolio.model.stacking import fits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.eligibility import crowded_from
from rasputitsa.portfolio.rules.combat.odds import basic_column

NOBODY = -1
UNATTACKED_COST = 40.0
"""What leaving an undispersed army or front adjacent to an attacker unattacked costs: it makes the attack illegal."""
MOST_ATTACKERS = 8
"""Units that one attack is given, at most."""
INFLUENCE_REACH = 4
"""Hexes within which a unit's place can change what an attack is worth, by barring the retreat from it."""
LIKELY_ODDS = (3, 1)
"""Odds, attacker to defender, from which an attacked hex counts as likely to be taken."""


class Scheme:
    """Where each unit is to stand and what it is to attack (``NOBODY``: nothing)."""

    def __init__(self) -> None:
        self.where: dict[Unit, Hex] = {}
        self.target_of: dict[Unit, Hex] = {}
        self.value: dict[Hex, float] = {}
        """Expected gain of each attack."""

    def attackers(self, target: Hex) -> list[Unit]:
        """Units that are to attack a hex."""
        return [unit for unit, chosen in self.target_of.items() if chosen == target]


class Assault:
    """The search for a scheme.

    ``spots`` gives the hexes each unit may end in (its own included), ``post`` what standing there is worth
    to it apart from any attack, ``attack_cost`` what an attack costs it in chances forgone.
    """

    def __init__(
        self,
        arena: Arena,
        spots: dict[Unit, HexBits],
        post: Callable[[Unit, Hex], float],
        attack_cost: Callable[[Unit], float],
        may_attack: UnitBits,
        rng: random.Random,
    ) -> None:
        self.arena = arena
        self.s: State = arena.s
        self.grid = self.s.rules.grid
        self.side = arena.side
        self.post = post
        self.attack_cost = attack_cost
        self.rng = rng
        self.spots = spots
        s = self.s
        self.where = {unit: s.pos[unit] for unit in spots}
        self.target_of = dict.fromkeys(spots, NOBODY)
        self.striking: dict[Hex, list[Attacker]] = {hex_: [] for hex_ in arena.targets}
        self.worth: dict[Hex, float] = {}
        self.crowd: dict[Hex, list[Unit]] = {}
        self.active_units: dict[Hex, int] = {}
        self.active = 0
        self.occupied = s.occ[self.side]
        for hex_ in members(self.occupied):
            here = list(s.at[hex_])
            self.crowd[hex_] = here
            self._count(hex_, sum(1 for u in here if not s.dispersed >> u & 1))
        self.zone = self.grid.spread(self.active)
        self.options = self._options(may_attack)
        self.near = self._neighbourhoods()
        self.struck = 0

    # ------------------------------------------------------------------ the position as planned

    def _count(self, hex_: Hex, change: int) -> None:
        left = self.active_units.get(hex_, 0) + change
        self.active_units[hex_] = left
        if left:
            self.active |= 1 << hex_
        else:
            self.active &= ~(1 << hex_)

    def _options(self, may_attack: UnitBits) -> dict[Unit, list[Attacker]]:
        """For each unit the (hex, target) pairs open to it."""
        found: dict[Unit, list[Attacker]] = {}
        arena = self.arena
        for unit, spots in self.spots.items():
            if not may_attack >> unit & 1:
                continue
            pairs = []
            touching = self.grid.spread(spots)
            for hex_, target in arena.targets.items():
                if touching >> hex_ & 1:
                    pairs += [(h, hex_) for h in members(arena.may_attack_from(unit, target) & spots)]
            if pairs:
                found[unit] = pairs
        return found

    def _neighbourhoods(self) -> dict[Hex, list[Hex]]:
        """Targets near enough to a hex for a unit there to bar their retreat."""
        distance = self.grid.distance
        hexes = {h for pairs in self.options.values() for h, _ in pairs}
        hexes.update(self.where.values())
        targets = list(self.striking)
        return {h: [t for t in targets if distance(h, t) <= INFLUENCE_REACH] for h in hexes}

    def _near(self, hex_: Hex) -> list[Hex]:
        known = self.near.get(hex_)
        if known is None:
            distance = self.grid.distance
            known = self.near[hex_] = [t for t in self.striking if distance(hex_, t) <= INFLUENCE_REACH]
        return known

    def fits(self, unit: Unit, hex_: Hex) -> bool:
        """Whether a unit could stand in a hex with those who are there (XII)."""
        here = self.crowd.get(hex_)
        if not here:
            return True
        others = [u for u in here if u != unit]
        return not others or fits(self.s, unit, others, hex_)

    def put(self, unit: Unit, hex_: Hex, target: Hex) -> None:
        """Change what a unit is to do."""
        old = self.where[unit]
        before = self.target_of[unit]
        if before != NOBODY:
            self.striking[before].remove((unit, old))
            if not self.striking[before]:
                self.struck &= ~(1 << before)
        if old != hex_:
            self.crowd[old].remove(unit)
            self.crowd.setdefault(hex_, []).append(unit)
            self._count(old, -1)
            self._count(hex_, 1)
            if not self.crowd[old]:
                self.occupied &= ~(1 << old)
            self.occupied |= 1 << hex_
            self.zone = self.grid.spread(self.active)
            self.where[unit] = hex_
        self.target_of[unit] = target
        if target != NOBODY:
            self.striking[target].append((unit, hex_))
            self.struck |= 1 << target

    def crowded(self, target: Hex, attackers: list[Attacker]) -> bool:
        """Whether too many armor-type units would attack rough ground from one hex (XII)."""
        return crowded_from(self.s, BIT[target], attackers)

    def attack_value(self, target: Hex) -> float:
        """The value of the attack on a target as the scheme stands."""
        attackers = self.striking[target]
        if not attackers:
            return 0.0
        if self.crowded(target, attackers):
            return IMPOSSIBLE
        withheld = self.struck & ~(1 << target)
        return self.arena.value(self.arena.targets[target], attackers, self.occupied, self.zone, withheld) - self.owed(
            attackers
        )

    def owed(self, attackers: list[Attacker]) -> float:
        """XIII.A.3: armies and fronts that the attackers could attack, and nobody does."""
        strong = self.s.strong[1 - self.side] & ~self.struck
        if not strong:
            return 0.0
        left_alone = 0
        for unit, hex_ in attackers:
            for other in members(self.grid.adjacent[hex_] & strong & ~left_alone):
                if self.arena.may_attack_from(unit, self.arena.targets[other]) >> hex_ & 1:
                    left_alone |= 1 << other
        return UNATTACKED_COST * left_alone.bit_count()

    # ------------------------------------------------------------------ building up

    def build(self, cheapest: float = 0.3, units: set[Unit] | None = None, blur: float = 0.0) -> None:
        """Add the best attack there is until none is worth its units.

        ``units`` limits who may be used, ``blur`` is the error in judging, for the sake of variety.
        """
        wanted = {
            u: pairs for u, pairs in self.options.items() if self.target_of[u] == NOBODY and (not units or u in units)
        }
        offers: dict[Hex, tuple[float, list[Attacker]]] = {}
        stale = {t for pairs in wanted.values() for _, t in pairs if not self.striking[t]}
        while True:
            for target in stale:
                value, team = self._package(target, wanted)
                offers[target] = (value * (1.0 + blur * (self.rng.random() - 0.5)) if blur else value), team
            stale = set()
            best = max(offers, key=lambda t: (offers[t][0], -t), default=None)
            if best is None or offers[best][0] < cheapest:
                return
            _, attackers = offers.pop(best)
            hexes = set()
            taken = set()
            for unit, hex_ in attackers:
                self.put(unit, hex_, best)
                wanted.pop(unit, None)
                taken.add(unit)
                hexes.add(hex_)
            self.refresh(hexes)
            for target, (_, team) in offers.items():
                if any(unit in taken or hex_ in hexes for unit, hex_ in team) or any(
                    self.grid.distance(target, h) <= INFLUENCE_REACH for h in hexes
                ):
                    stale.add(target)

    def refresh(self, hexes: set[Hex]) -> None:
        """Work out again the attacks that something in these hexes may touch."""
        for target in {t for h in hexes for t in self._near(h)}:
            if self.striking[target]:
                self.worth[target] = self.attack_value(target)
            else:
                self.worth.pop(target, None)

    def _package(self, target: Hex, wanted: dict[Unit, list[Attacker]]) -> tuple[float, list[Attacker]]:
        """The best team for one attack, built up unit by unit; the board is left as it was."""
        pairs = [(u, h) for u, found in wanted.items() for h, t in found if t == target]
        pairs.sort(key=lambda pair: -self.arena.af[pair[0]])
        before = {u: self.where[u] for u, _ in pairs}
        best, team = 0.0, list[Attacker]()
        current: list[Attacker] = []
        spent = 0.0
        used = 0
        for _ in range(MOST_ATTACKERS):
            choice: tuple[float, Attacker] | None = None
            tried = 0
            for unit, hex_ in pairs:
                if used >> unit & 1 or not self.fits(unit, hex_):
                    continue
                tried += 1
                if tried > 14:
                    break
                here = self.where[unit]
                self.put(unit, hex_, target)
                value = (
                    self.attack_value(target) + self.post(unit, hex_) - self.post(unit, here) - self.attack_cost(unit)
                )
                self.put(unit, here, NOBODY)
                value += 0.15 * self.arena.af[unit]
                if choice is None or value > choice[0]:
                    choice = value, (unit, hex_)
            if choice is None:
                break
            unit, hex_ = choice[1]
            spent += self.attack_cost(unit) - self.post(unit, hex_) + self.post(unit, self.where[unit])
            self.put(unit, hex_, target)
            used |= 1 << unit
            current.append((unit, hex_))
            value = self.attack_value(target) - spent
            if value > best:
                best, team = value, list(current)
            elif len(current) > len(team) + 2:
                break
        for unit, hex_ in before.items():
            self.put(unit, hex_, NOBODY)
        return best, team

    def likely(self) -> HexBits:
        """Attacked hexes that will probably be taken."""
        found, enough = 0, basic_column(self.s.rules, *LIKELY_ODDS)
        for hex_ in members(self.struck):
            attackers = self.striking[hex_]
            column, _, _ = self.arena.odds(self.arena.targets[hex_], attackers)
            if column >= enough:
                found |= 1 << hex_
        return found

    def total(self) -> float:
        """The worth of the scheme: attacks, places, and fees."""
        return sum(self.worth.values()) + sum((self.standing(u) for u in self.options), 0.0)

    def rethink(self, rounds: int, going: Callable[[], bool]) -> None:
        """Take a few neighbouring attacks apart and plan that stretch again; keep what is better."""
        targets = sorted({t for pairs in self.options.values() for _, t in pairs})
        if not targets:
            return
        best = self.total()
        for _ in range(rounds):
            if not going():
                return
            centre = self.rng.choice(targets)
            radius = self.rng.choice((1, 2, 3, 4))
            near = [t for t in targets if self.grid.distance(centre, t) <= radius]
            units = {
                u for u, pairs in self.options.items()
                if self.target_of[u] in near or (self.target_of[u] == NOBODY and any(t in near for _, t in pairs))
            }  # fmt: skip
            if self.rng.random() < 0.5:
                units |= {u for u, pairs in self.options.items() if any(t == centre for _, t in pairs)}
            if not units:
                continue
            kept = {u: (self.where[u], self.target_of[u]) for u in units}
            worth = dict(self.worth)
            for unit in units:
                self.put(unit, self.where[unit], NOBODY)
            for unit in units:
                home = self.s.pos[unit]
                if self.where[unit] != home and self.fits(unit, home):
                    self.put(unit, home, NOBODY)
            self.refresh({h for h, _ in kept.values()})
            self.build(0.1, units, 0.6)
            total = self.total()
            if total > best:
                best = total
                continue
            for unit, (hex_, chosen) in kept.items():
                self.put(unit, hex_, chosen)
            self.worth = worth

    # ------------------------------------------------------------------ improving

    def improve(self, tries: int, going: Callable[[], bool]) -> None:
        """Try single changes at random and keep those that help."""
        units = list(self.options)
        if not units:
            return
        for attempt in range(tries):
            if attempt & 31 == 0 and not going():
                return
            unit = self.rng.choice(units)
            pick = self.rng.random()
            if pick < 0.65:
                hex_, target = self.rng.choice(self.options[unit])
                if pick < 0.3 and self.worth:
                    likely = [pair for pair in self.options[unit] if self.striking[pair[1]]]
                    if likely:
                        hex_, target = self.rng.choice(likely)
            elif pick < 0.8:
                hex_, target = self.s.pos[unit], NOBODY
            else:
                hex_, target = self.rng.choice(self.options[unit])[0], NOBODY
            self.attempt(unit, hex_, target)

    def affected(self, old_hex: Hex, hex_: Hex, old_target: Hex, target: Hex) -> set[Hex]:
        """Attacks that a change of one unit may touch."""
        found = {t for t in self._near(old_hex) + self._near(hex_) if self.striking[t]}
        found.update(t for t in (target, old_target) if t != NOBODY)
        return found

    def standing(self, unit: Unit) -> float:
        """What a unit's place and task are worth apart from the fights."""
        return self.post(unit, self.where[unit]) - (self.attack_cost(unit) if self.target_of[unit] != NOBODY else 0.0)

    def local(self, unit: Unit, affected: set[Hex]) -> float:
        """The present worth of some attacks and of a unit's place."""
        return sum((self.worth.get(t, 0.0) for t in affected), 0.0) + self.standing(unit)

    def accept(self, values: dict[Hex, float]) -> None:
        """Keep a change, with the attacks' new values."""
        for target, value in values.items():
            if self.striking[target]:
                self.worth[target] = value
            else:
                self.worth.pop(target, None)

    def attempt(self, unit: Unit, hex_: Hex, target: Hex) -> bool:
        """Make one change if it helps."""
        old_hex, old_target = self.where[unit], self.target_of[unit]
        if (hex_, target) == (old_hex, old_target) or not self.fits(unit, hex_):
            return False
        affected = self.affected(old_hex, hex_, old_target, target)
        before = self.local(unit, affected)
        self.put(unit, hex_, target)
        values = {t: self.attack_value(t) for t in affected}
        if sum(values.values()) + self.standing(unit) > before + 1e-6:
            self.accept(values)
            return True
        self.put(unit, old_hex, old_target)
        return False

    def prune(self, cheapest: float) -> None:
        """Give up attacks that are not worth making."""
        changed = True
        while changed:
            changed = False
            for target in list(self.worth):
                if self.striking[target] and self.attack_value(target) < cheapest:
                    for unit, hex_ in list(self.striking[target]):
                        home = self.s.pos[unit]
                        self.put(unit, home if self.fits(unit, home) else hex_, NOBODY)
                    self.worth.pop(target)
                    changed = True

    def scheme(self) -> Scheme:
        """What the search has come to."""
        found = Scheme()
        found.where = dict(self.where)
        found.target_of = dict(self.target_of)
        found.value = {t: self.attack_value(t) for t in self.striking if self.striking[t]}
        return found
