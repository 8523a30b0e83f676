"""What the enemy could do to a layout of own units: ground lost, stacks struck, places taken."""

from __future__ import annotations

from rasputitsa.ai.portfolio.evaluation.crt_expectation import tables
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.evaluation.valuation import Worth
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.combat.eligibility import sides_now
from rasputitsa.portfolio.rules.combat.odds import (
    TOP,
    WHEN_DISPERSED,
    across_river,
    basic_column,
    column_shifts,
    defence_factors,
)
from rasputitsa.portfolio.rules.combat.retreat import fit_hexes, longest_way, rings
from rasputitsa.portfolio.rules.movement.reach import in_weather


class Layout:
    """Where the units of one side would stand."""

    def __init__(self, s: State, side: Side) -> None:
        self.side = side
        self.grid = s.rules.grid
        self.at: dict[Hex, list[Unit]] = {}
        self.pos: dict[Unit, Hex] = {}
        self.dispersed = s.dispersed
        self.occupied = 0
        self.active = 0
        for hex_ in members(s.occ[side]):
            here = list(s.at[hex_])
            self.at[hex_] = here
            for unit in here:
                self.pos[unit] = hex_
            self._refresh(hex_)

    def _refresh(self, hex_: Hex) -> None:
        bit = 1 << hex_
        here = self.at.get(hex_)
        if not here:
            self.at.pop(hex_, None)
            self.occupied &= ~bit
            self.active &= ~bit
            return
        self.occupied |= bit
        if any(not self.dispersed >> u & 1 for u in here):
            self.active |= bit
        else:
            self.active &= ~bit

    def move(self, unit: Unit, hex_: Hex) -> None:
        """Put a unit elsewhere, or (-1) take it off."""
        old = self.pos.get(unit, -1)
        if old >= 0:
            self.at[old].remove(unit)
            self._refresh(old)
        if hex_ >= 0:
            self.pos[unit] = hex_
            self.at.setdefault(hex_, []).append(unit)
            self._refresh(hex_)
        else:
            self.pos.pop(unit, None)


class Danger:
    """The enemy's means against a side; ``harm`` judges a layout."""

    def __init__(
        self, s: State, side: Side, worth: Worth, hostile: UnitBits, active: UnitBits, threat_factor: float = 1.0
    ) -> None:
        """``worth``: what hexes are worth to the side; ``hostile``: enemy units that may act; ``active``: own
        units that will no longer be Dispersed when they do."""
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.knowledge = knowledge_of(s.rules)
        self.grid = s.rules.grid
        self.worth = worth
        self.value = worth.value
        self.threat_factor = threat_factor
        self.shifts = column_shifts(s.rules)
        self.chances = tables(s.rules)
        self.land = ground(s)
        self.table = sides_now(s)
        self.active = active
        self._blows: dict[tuple[int, tuple[int, ...], int, int], tuple[float, float]] = {}
        self.frozen = s.weather.freezes
        roster = s.rules.roster
        ranked = sorted(s.members(hostile), key=lambda u: (-roster.af[u], u))
        self.af = [roster.af[u] for u in ranked]
        self.big = sum(1 << n for n, u in enumerate(ranked) if roster.above_corps >> u & 1)
        self.cover: dict[Hex, int] = {}
        self.starts: dict[int, HexBits] = {}
        open_land = self.land.enterable
        for n, unit in enumerate(ranked):
            steps = self.steps(unit)
            start = 1 << s.pos[unit]
            reached = frontier = start
            for _ in range(steps):
                frontier = self.land.barrier.spread(frontier) & open_land & ~reached
                reached |= frontier
            for hex_ in members(reached):
                self.cover[hex_] = self.cover.get(hex_, 0) | 1 << n
            # what is left of the bonus carries a march, not an attack
            far = steps + s.rules.bonus[self.enemy]
            self.starts[far] = self.starts.get(far, 0) | start
        self.ranks: dict[Hex, int] = {}
        for n, unit in enumerate(ranked):
            self.ranks[s.pos[unit]] = self.ranks.get(s.pos[unit], 0) | 1 << n
        self.beaten = 0
        self.left = s.occ[self.enemy]
        self.standing = -1
        self.mine = s.controlled(side)

    def steps(self, unit: Unit) -> int:
        """Movement factor of an enemy unit in the weather to come, for reaching an attack."""
        s = self.s
        name = s.rules.turns[s.turn].weather
        upcoming = s.rules.turns.get(s.turn + 1)
        if self.side == SOVIET and s.weather.axis_first and upcoming is not None:
            name = upcoming.weather
        return max(1, in_weather(s.rules, unit, s.rules.roster.mf[unit], s.rules.weather[name or s.weather.id]))

    def forget(self, unit: Unit) -> None:
        """Work out again the blows at a unit whose condition has changed."""
        for key in [key for key in self._blows if unit in key[1]]:
            del self._blows[key]

    def expect(self, beaten: HexBits) -> None:
        """Assume that the enemy loses what stands in some hexes before the enemy's turn."""
        if beaten == self.beaten:
            return
        self.beaten = beaten
        self.left = self.s.occ[self.enemy] & ~beaten
        self.standing = -1
        for hex_ in members(beaten):
            self.standing &= ~self.ranks.get(hex_, 0)

    def swept(self, layout: Layout) -> HexBits:
        """Hexes the enemy could enter next, being stopped by own zones of control."""
        barrier = self.land.barrier
        passable = self.land.enterable & ~layout.occupied
        zone = self.grid.spread(layout.active)
        free = passable & ~zone
        edge = passable & zone
        swept = 0
        reached = frontier = 0
        for left in range(max(self.starts, default=0), 0, -1):
            frontier |= self.starts.get(left, 0) & ~self.beaten
            grown = barrier.spread(frontier)
            swept |= grown & edge
            frontier = grown & free & ~reached
            reached |= frontier
        return swept | reached

    def defence(self, hex_: Hex, units: list[Unit]) -> tuple[int, float]:
        """Defence factors of own units in a hex, and what they are worth."""
        worth = self.knowledge.worth
        return defence_factors(self.s, hex_, units, self.active), sum([worth[unit] for unit in units])

    def blow(self, hex_: Hex, units: list[Unit], swept: HexBits) -> tuple[float, float]:
        """Chance that the enemy clears a hex, and the worth that would be killed or scattered there."""
        fronts = (swept | self.left) & self.table.infantry[hex_]
        if not fronts:
            return 0.0, 0.0
        able = 0
        cover = self.cover
        for near in members(fronts):
            able |= cover.get(near, 0)
        able &= self.standing
        if not able:
            return 0.0, 0.0
        key = (hex_, tuple(units), fronts, able)
        known = self._blows.get(key)
        if known is None:
            known = self._blows[key] = self._blow(hex_, units, fronts, able)
        return known

    def _blow(self, hex_: Hex, units: list[Unit], fronts: HexBits, able: UnitBits) -> tuple[float, float]:
        places = fronts.bit_count()
        attack = self._strongest(able, places)
        defence, worth = self.defence(hex_, units)
        column = basic_column(self.s.rules, max(1, int(attack * self.threat_factor)), max(1, defence))
        if across_river(self.s, hex_, fronts):
            column += self.shifts.river
        all_dispersed = not any(self.active >> u & 1 for u in units)
        if all_dispersed:
            column += WHEN_DISPERSED
        if column < 1:
            return 0.0, 0.0
        depth = self.depth(hex_, fronts)
        p = self.chances.defender[0][depth][min(column, TOP + 1)]
        return p.killed + p.pushed, worth * (p.killed + 0.35 * p.scattered)

    def _strongest(self, able: UnitBits, places: int) -> int:
        """The most attack factors that could strike from a number of hexes: an upper bound by the limits of XII.

        The rules judge a stack in its hex. Here nobody stands anywhere yet: which of the able units share which of the
        hexes is left open, and with it the terrain and what a front stands with.
        """
        limits = self.s.rules.stacking
        total = 0
        big = able & self.big
        small = able & ~self.big
        af = self.af
        room = limits.units * places
        most = min(room, limits.above_corps * places)
        taken = 0
        while big and taken < most:
            low = big & -big
            total += af[low.bit_length() - 1]
            big ^= low
            taken += 1
        room -= taken
        while small and room > 0:
            low = small & -small
            total += af[low.bit_length() - 1]
            small ^= low
            room -= 1
        return total

    def depth(self, hex_: Hex, fronts: HexBits) -> int:
        """How far the units could retreat from attackers in those hexes."""
        fit = fit_hexes(self.land, self.left, 0, 0, fronts)
        board = self.grid.board
        return longest_way(rings(self.grid)[hex_], self.land.barrier, fit, fit, board, 0, hex_)

    def harm(self, layout: Layout, swept: HexBits = -1) -> float:
        """Expected harm of the enemy's next operations to a layout, in replacement points."""
        if swept < 0:
            swept = self.swept(layout)
        value = self.value
        harm = self.worth.of(swept & self.mine & ~self.left)
        near = self.grid.spread(swept | self.left)
        for hex_ in members(layout.occupied & near):
            chance, worth = self.blow(hex_, layout.at[hex_], swept)
            harm += worth + chance * value[hex_]
        return harm
