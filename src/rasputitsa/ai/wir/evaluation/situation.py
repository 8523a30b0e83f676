"""The situation as a player reads it: distances, the front, what threatens and what is worth having."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.geography import geography
from rasputitsa.core.caching import cached
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, HexBits, Side
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import COMBAT_BITS, DEPOT, INFANTRY, KIND, MECHANIZED, group_side, groups_of
from rasputitsa.wir.model.theatre import AXIS, PLANTS, SOVIET, Theatre
from rasputitsa.wir.rules.execution import casualties, combat
from rasputitsa.wir.rules.execution.combat import ground, weather_multiple
from rasputitsa.wir.rules.supply import depots
from rasputitsa.wir.rules.victory import victory

UNREACHABLE = 99
"""Steps that stand for no way at all: more than any way is long."""
VICTORY_POINT_WORTH = 4.0
"""What a victory point is worth in points of combat strength."""
BEYOND = 10
"""Victory points that a source of production beyond the map is taken for, which counts for none."""
PLANT = 0.7
"""The same for a factory that the enemy loses."""
PULL_REACH = 14
"""Hexes within which a city draws groups."""
LATERAL_PENALTY = (0.6, 0.0)
"""Hexes by which a city counts as farther away for each row between, by side: it draws those before it most. The Axis,
on the move, keeps its army groups apart by it; the Soviets gather wherever there is most to win."""
PULL, FADING = 0.5, 1.0
REAR_SIGHT, REAR_SHARE = 4, 0.6
RESTED, WORN, UNSUPPLIED = 0.4, 35.0, 1.5
"""How much a point of fatigue counts: for a fresh group, where it begins to count in full, and out of supply."""
MECHANIZED_MULTIPLE = 1.4
"""Multiple of a mechanized group's strength at which it attacks, on average over grounds and defenders (7.6)."""
RAW_STRENGTH = 0.1
"""What a point of strength is worth compared with the combat strength it gives now."""


@cached
def _city_distances(board: Theatre, aside: float) -> tuple[tuple[CityNumber, list[int]], ...]:
    grid = board.grid
    found = []
    for city in board.cities:
        row = board.row(city.hex)
        far = [
            grid.distance(i, city.hex) + round(aside * abs(board.row(i) - row)) if grid.names[i] else UNREACHABLE
            for i in range(grid.size)
        ]
        found.append((city.number, far))
    return tuple(found)


def prizes(rules: Ruleset, side: Side) -> dict[str, float]:
    """What cities mean to a side beyond their points, by name."""
    found = geography()
    ending = {name: found.decisive.get(name, found.any_decisive) for name in victory.decisive_cities(rules, side)}
    return {**found.prizes[side], **ending}


def homes(s: State, side: Side) -> HexBits:
    """Hexes where the depots of a side come onto the map."""
    return sum({1 << h for d, h in s.rules.depot_hex.items() if group_side(d) == side})


class Situation:
    """One position read by one side; the enemy's groups in it are as that side believes them to be."""

    def __init__(self, s: State, side: Side) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.board = s.rules.map
        self.grid = s.rules.grid
        self.power: dict[Group, float] = {}
        for group in (*groups_of(0, MECHANIZED, INFANTRY), *groups_of(1, MECHANIZED, INFANTRY)):
            if s.hex[group] != OFF:
                self.power[group] = combat.strength(s, group) / combat.UNIT
        self.repulsed: Mapping[Hex, float] = {}
        """Odds that an attack on some hexes must reach, since it has failed at lower ones."""
        self.own = [g for g in self.power if COMBAT_BITS[side] >> g & 1]
        self.enemies = [g for g in self.power if COMBAT_BITS[self.enemy] >> g & 1]
        self.enemy_zone = s.zoc(self.enemy)
        self.own_zone = s.zoc(side)
        self.enemy_combat = sum({1 << s.hex[g] for g in self.enemies})
        self.own_combat = sum({1 << s.hex[g] for g in self.own})
        self.to_own = self.distances(self.own_combat)
        self.to_enemy = self.distances(self.enemy_combat)
        self.wanted = lesson.lacking(s, side) | (s.city_hexes[self.enemy] if s.goal is None else 0)
        """Hexes to be taken for their own sake."""
        self.kept = (lesson.places(s) & lesson.held(s, side)) | s.city_hexes[side]
        """Hexes to be kept for their own sake."""
        self.worth = self._worth()
        self.pull = self._pull()
        self.supplied_hexes = self._supplied_hexes(side)
        self.behind = self._behind()
        self.stock = {g: p + RAW_STRENGTH * sum(s.strength[u] for u in s.group_units[g]) for g, p in self.power.items()}
        """What each group is worth: its combat strength now, and its points of strength, which will gain experience."""
        for group in members(lesson.to_remove(s, side) | lesson.to_keep(s, side)):
            if group in self.stock:
                self.stock[group] += lesson.TARGET
        self.strain = {g: self._strain(g) for g in self.power}
        """What each more point of fatigue takes from a group, in hundredths of a point of strength."""

    # ------------------------------------------------------------------ distances

    def distances(self, start: HexBits, within: HexBits = -1) -> list[int]:
        """For each hex the steps over land from the nearest of some hexes."""
        land = self.board.passable if within < 0 else within
        found = [UNREACHABLE] * self.grid.size
        wave, seen, steps = start, start, 0
        while wave:
            for hex_ in members(wave):
                found[hex_] = steps
            wave = self.grid.spread(wave) & land & ~seen
            seen |= wave
            steps += 1
        return found

    def _strain(self, group: Group) -> float:
        """Fresh groups sleep their fatigue off; worn ones stay worn, most of all where no depot reaches."""
        s, units = self.s, self.s.group_units[group]
        if not units:
            return 0.0
        fresh = sum(s.strength[u] * s.experience[u] for u in units) / 100
        tired = sum(s.fatigue[u] for u in units) / len(units)
        found = fresh * (RESTED + (tired / WORN) ** 2)
        return found if self.supplied_hexes >> s.hex[group] & 1 else found * UNSUPPLIED

    # ------------------------------------------------------------------ worth

    def _worth(self) -> dict[Hex, float]:
        """What each city is worth to this side, to hold or to take, in points of combat strength."""
        s, found = self.s, {}
        year, beyond = s.rules.year_index, BEYOND * victory.factor_of(s.rules)
        meaning = [prizes(s.rules, side) for side in (AXIS, SOVIET)]
        for city in self.board.cities:
            points = victory.city_points(s, city.number) if city.scores else beyond
            counts = s.owner[city.number] != AXIS or self.side == AXIS
            plants = sum([city.values[year][plant] for plant in PLANTS]) if counts else 0
            prize = meaning[self.side if s.owner[city.number] != self.side else self.enemy].get(city.name, 0.0)
            found[city.hex] = VICTORY_POINT_WORTH * points + PLANT * plants + prize
        if s.goal is not None:
            found = {hex_: worth * lesson.ELSEWHERE for hex_, worth in found.items()}
            found.update(dict.fromkeys(members(lesson.places(s)), lesson.PLACE))
        return found

    def favour(self, hexes: HexBits, times: float) -> None:
        """Let some cities count more than they are worth."""
        for hex_ in members(hexes):
            self.worth[hex_] = self.worth.get(hex_, 0.0) * times
        self.pull = self._pull()

    def _pull(self) -> list[float]:
        """For each hex how much the enemy's cities draw this side there."""
        pull = [0.0] * self.grid.size
        if self.s.goal is not None:
            far = self.distances(lesson.wanted(self.s, self.side))
            return [PULL * lesson.PLACE / (1.5 + d) ** FADING if d <= PULL_REACH else 0.0 for d in far]
        owner = self.s.owner
        for number, far in _city_distances(self.board, LATERAL_PENALTY[self.side]):
            if owner[number] == self.side:
                continue
            worth = self.worth[self.board.cities[number].hex]
            fall = [PULL * worth / (1.5 + d) ** FADING for d in range(PULL_REACH + 1)]
            for hex_, d in enumerate(far):
                if d <= PULL_REACH:
                    pull[hex_] += fall[d]
        return pull

    # ------------------------------------------------------------------ supply

    def _supplied_hexes(self, side: Side) -> HexBits:
        """Hexes that depots of a side can bring into supply in the present position; notes how much relief there."""
        s = self.s
        land = depots.ground(s, side)
        rings = [0] * (s.rules.relief.most_penalty + 1)
        for depot in groups_of(side, DEPOT):
            if depots.usable(s, depot):
                for penalty, wave in enumerate(depots.waves(s, s.rules.depot_hex[depot], 0, land)):
                    rings[penalty] |= wave
        self.relief = [0.0] * self.grid.size
        found = 0
        for penalty, ring in enumerate(rings):
            near = depots.supplied_from(s, ring)
            share = depots.relief_percent(s, side, penalty) / 100
            for hex_ in members(near & ~found & self.grid.board):
                self.relief[hex_] = share
            found |= near
        return found

    def _behind(self) -> HexBits:
        """Hexes of enemy groups in this side's rear: most of its groups around are farther from home than they."""
        s = self.s
        far = self.distances(homes(s, self.side))
        found = 0
        for hex_ in members(self.enemy_combat):
            around = [far[s.hex[g]] for g in self.own if self.grid.distance(s.hex[g], hex_) <= REAR_SIGHT]
            beyond = sum(d > far[hex_] for d in around)
            if around and beyond > REAR_SHARE * len(around):
                found |= 1 << hex_
        return found

    # ------------------------------------------------------------------ strengths

    def defence(self, hex_: Hex, side: Side) -> float:
        """Strength with which a side holds a hex, entrenchments included."""
        s, bits = self.s, COMBAT_BITS[side]
        held = [(g, self.power[g], s.entrench[g]) for g in s.at.get(hex_, ()) if bits >> g & 1 and g in self.power]
        return combat.defence_of(s, held).total if held else 0.0

    def exposed(self, hex_: Hex) -> float:
        """What bombs and shells may hurt of enemies in a hex: their stock, where no entrenchment shelters it (7.9)."""
        s, enemies = self.s, COMBAT_BITS[self.enemy]
        found = [g for g in s.at.get(hex_, ()) if enemies >> g & 1]
        return sum(casualties.behind_entrenchment(s, self.stock[g], s.entrench[g]) for g in found)

    def cover(self, here: Hex, there: Hex) -> float:
        """What terrain and river leave of an attack from one hex on another."""
        return 1.0 / combat.terrain_divisor(self.s, here, there, ground(self.s, there))

    def threat(self, hex_: Hex, side: Side) -> float:
        """Strength with which a side could attack a hex in its next week, weather and terrain included."""
        s = self.s
        total = 0.0
        multiple = max(0.5, weather_multiple(s, side))
        bits = COMBAT_BITS[side]
        for there in self.board.reach_list[hex_]:
            cover = self.cover(there, hex_)
            for group in s.at.get(there, ()):
                if bits >> group & 1:
                    total += self.power[group] * cover * (MECHANIZED_MULTIPLE if KIND[group] == MECHANIZED else 1.0)
        for there in members(self.board.near[hex_] & ~self.board.reach[hex_]):
            for group in s.at.get(there, ()):
                if bits >> group & 1 and KIND[group] == MECHANIZED:
                    total += self.power[group] * 0.9
        return total * multiple

    # ------------------------------------------------------------------ front

    def front(self, push: int) -> HexBits:
        """Hexes that this side can reach first, next to hexes that the enemy can: where a line would run.

        ``push`` moves it towards the enemy.
        """
        mine = 0
        for hex_ in members(self.board.passable & ~self.s.occ[self.enemy]):
            if self.to_own[hex_] <= self.to_enemy[hex_] + push and self.to_own[hex_] < UNREACHABLE:
                mine |= 1 << hex_
        theirs = self.board.passable & ~mine
        return mine & self.grid.spread(theirs)

    def nuisance(self, hex_: Hex) -> float:
        """What enemy groups in a hex do to this side's supply: friendly line in their zone, most of all in its rear."""
        zone = self.board.reach[hex_] | 1 << hex_
        line = self.s.own_line(self.side) & zone
        if not line:
            return 0.0
        behind = self.behind >> hex_ & 1
        return line.bit_count() * (7.0 if behind else 3.0) + (12.0 if behind else 0.0)
