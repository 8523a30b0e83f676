"""Positions that a seat cannot tell from the present one: what it may know, and the rest drawn (3.3, 4.6).

A draw starts from the view of the seat, so that nothing hidden can get into it. Enemy groups are manned by the order of
battle of the scenario, more freely as weeks go by or where a lesson has changed it, and others by what is usual for
their kind and year. Orders of the week that the enemy has given are drawn from the legal ones; a side that is still
giving its orders has given none in this phase. Marches, fights and reports of earlier weeks are not taken into account.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from typing import Final

from rasputitsa.core.dice import NoDice
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api import known
from rasputitsa.wir.api.hypothetical import Member, add_units, typical
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.ruleset import Line
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    DEPOT,
    GROUPS,
    INFANTRY,
    KIND,
    MECHANIZED,
    MOST_EXPERIENCE,
    POOLS,
    UNITS_PER_SIDE,
    groups_of,
)
from rasputitsa.wir.model.theatre import POPULATION, SIDES
from rasputitsa.wir.rules.movement import air_plots, movement
from rasputitsa.wir.rules.supply import depots, supply
from rasputitsa.wir.rules.turn import sequence

A_WEEK, MOST_DOUBT = 0.08, 0.4
"""Standard deviation of the logarithm of a strength: it grows with the root of time, up to a most."""
TRAINED: Final = 12
"""Standard deviation of experience, for groups that are not as in the order of battle."""
MEAN_FATIGUE: Final = 25
"""Mean fatigue of groups in the field."""
OTHER_KIND = 0.2
"""Share of units that are not of the kind usual for their group."""
STILL, STRIKING, SUPPLIED, BUILDING = 0.5, 0.5, 0.9, 0.7
"""Shares of groups without a plot, of air groups that strike, of groups in supply among those within reach, and of
weeks in which rail is built."""
NAMES: Final = 600
"""Units whose names are not known are numbered from here on."""
TRIES: Final = 4
POOL_SHARE = 50
"""A pool of which nothing is known holds this part of its most on average."""


def resampled(s: State, seat: str | None, rng: random.Random) -> State:
    """A position made of what a seat may know and of draws from what else could be."""
    t = known.view_of(s, seat)
    if t.outcome is not None:
        return t
    hidden = [side for side in (0, 1) if side not in known.side_seen(t, seat)]
    t.legal = None
    for side in hidden:
        _Draw(t, side, rng).all()
    if not known.ledger_shown(t):
        for side in (0, 1):
            for pool in known.UNLISTED:
                t.pools[side][pool] = _pool(t, side, pool, rng)
    if t.stack[-1].kind == sequence.Sequence.kind:  # the orders of this phase are secret: they begin again
        sequence.begin_phase(t, sequence.PHASES.index(sequence.phase_of(t)), Context(NoDice()))
    return t


def _pool(s: State, side: Side, pool: int, rng: random.Random) -> int:
    """Points in a pool: those of the start in the first week, and of that order later."""
    begun = s.rules.scenario["pools"][SIDES[side]][POOLS[pool]]
    if s.turn == 1 and s.goal is None:
        return int(begun)
    most = s.rules.limits.pools[pool]
    mean = max(begun, most / POOL_SHARE)
    return min(most, int(rng.expovariate(1 / mean)))


class _Draw:
    """Draws the secrets of one side into a position in which they are blank."""

    def __init__(self, s: State, side: Side, rng: random.Random) -> None:
        self.s = s
        self.side = side
        self.rng = rng
        self.known = s.turn == 1 and s.goal is None
        """Whether the order of battle still holds."""
        self.doubt = 0.0 if self.known else min(MOST_DOUBT, A_WEEK * sqrt(s.turn))
        now = sequence.PHASES.index(sequence.phase_of(s))
        self.supplying = now > sequence.PHASES.index((sequence.SUPPLY, side))
        """Whether its depots have moved this week."""
        self.ordered = now > sequence.PHASES.index((sequence.MOVEMENT, side))
        """Whether it has given all its orders of the week."""

    def all(self) -> None:
        """Draw everything."""
        s = self.s
        self._fill_groups()
        self._fill_cities()
        s.pools[self.side] = [_pool(s, self.side, pool, self.rng) for pool in range(len(POOLS))]
        s.rest[self.side] = [self.rng.randrange(100) for _ in POOLS]
        self._return_air_groups()
        self._supply(self._reached())
        if self.ordered:
            self._plot()

    # -- groups ----------------------------------------------------------------------------------------

    def _fill_groups(self) -> None:
        s, rng = self.s, self.rng
        lines: dict[Group, list[Line]] = {}
        for line in s.rules.lines:
            lines.setdefault(line.group, []).append(line)
        filled = {
            group: self._as_listed(lines[group]) if group in lines else self._usual(group)
            for group in s.on_map(groups_of(self.side, MECHANIZED, INFANTRY))
        }
        spare = UNITS_PER_SIDE - sum(map(len, filled.values()))
        while spare < 0:  # a side has no more units than that (4.9)
            max(filled.values(), key=len).pop()
            spare += 1
        for group, units in filled.items():
            add_units(s, group, units)
            listed = lines.get(group)
            if self.known and listed:
                s.entrench[group], s.artillery[group] = listed[0].entrenched, listed[0].artillery
            else:
                s.entrench[group] = int(rng.triangular(0, s.rules.entrenchment.most, s.rules.entrenchment.most / 2))
                s.artillery[group] = rng.choice((0, 0, 30, 60))
        for base in s.rules.map.bases:
            if base.kind == "air" and base.side == self.side and s.hex[base.group] != OFF:
                points = base.points[s.rules.year_index] * rng.lognormvariate(0, self.doubt)
                s.aircraft[base.group] = max(1, min(s.rules.limits.aircraft, round(points)))

    def _as_listed(self, lines: Sequence[Line]) -> list[Member]:
        s, rng, doubt = self.s, self.rng, self.doubt
        if self.known:
            return [
                Member(line.type, s.rules.read_name(line.name), line.strength, line.experience, line.fatigue)
                for line in lines
            ]
        factor = rng.lognormvariate(0, doubt)
        units = []
        for line in lines[: s.rules.limits.units]:
            kind, most = line.type, s.rules.most[s.year][line.type]
            strength = round(line.strength * factor * rng.lognormvariate(0, doubt / 2))
            strength = max(1, min(strength, max(most, line.strength)))
            units.append(self._seasoned(kind, s.rules.read_name(line.name), strength, line.experience))
        return units

    def _usual(self, group: Group) -> list[Member]:
        """A group of which nothing is known but its kind."""
        s, rng, side = self.s, self.rng, self.side
        mechanized, most = KIND[group] == MECHANIZED, s.rules.most[s.year]
        usual = typical(s.rules, group)
        others = [
            kind.number
            for kind in s.rules.types
            if kind.number and kind.side == side and not kind.elite and most[kind.number]
            and (kind.mechanized or not mechanized)
        ]  # fmt: skip
        units, full = [], s.rules.limits.units
        name = NAMES + group % (GROUPS // 2) * full
        for n in range(rng.randint(1, full)):
            kind = rng.choice(others) if rng.random() < OTHER_KIND else usual
            strength = max(1, round(most[kind] * rng.uniform(0.5, 1.0)))
            units.append(self._seasoned(kind, name + n, strength, s.rules.recruits[s.year][kind]))
        return units

    def _seasoned(self, kind: int, name: int, strength: int, experience: int) -> Member:
        """A unit as weeks in the field have left it."""
        learned = max(1, min(MOST_EXPERIENCE, round(self.rng.gauss(experience, TRAINED))))
        tired = min(self.s.rules.march.most, int(self.rng.expovariate(1 / MEAN_FATIGUE)))
        return Member(kind, name, strength, learned, tired)

    def _return_air_groups(self) -> None:
        """7.7: air groups that have been destroyed come back in a turn or two."""
        s = self.s
        low, high = s.rules.raids.back
        gone = [base.group for base in s.rules.map.bases if base.kind == "air" and base.side == self.side]
        for group in gone:
            if s.hex[group] == OFF and not self.known:
                s.returning = (*s.returning, (group, s.turn + self.rng.randint(low, high)))

    # -- cities ----------------------------------------------------------------------------------------

    def _fill_cities(self) -> None:
        """Factories as at the start, give or take one; what has changed hands has none left (8.8)."""
        s, year = self.s, self.s.rules.year_index
        for city in s.rules.map.cities:
            begun, n = city.values[year], city.number
            taken = s.values[POPULATION][n] < begun[POPULATION]
            if s.owner[n] != self.side or city.owner[year] != self.side or taken:
                continue
            for kind in known.FACTORY_KINDS:
                if begun[kind]:
                    change = 0 if self.known else self.rng.choice((-1, 0, 0, 1))
                    s.values[kind][n] = min(s.rules.limits.factories, begun[kind] + change)

    # -- orders ----------------------------------------------------------------------------------------

    def _reached(self) -> HexBits:
        """Where depots of the side can get."""
        s, side = self.s, self.side
        land, found = depots.ground(s, side), 0
        for depot in groups_of(side, DEPOT):
            if depots.usable(s, depot):
                for wave in depots.waves(s, s.rules.depot_hex[depot], 0, land):
                    found |= wave
        return found & depots.stops(s, side)

    def _supply(self, reached: HexBits) -> None:
        s, rng, near = self.s, self.rng, self.s.rules.supply_area
        for group in s.on_map(groups_of(self.side, MECHANIZED, INFANTRY, AIR)):
            if near[s.hex[group]] & reached and rng.random() < SUPPLIED:
                s.supplied |= 1 << group
        if self.supplying and rng.random() < BUILDING:
            ends = list(members(reached & s.rules.grid.spread(s.rail[self.side]) & ~s.rail[self.side]))
            sites: list[Hex] = [hex_ for hex_ in ends if supply.why_not_rail(s, self.side, hex_) is None]
            s.rail_order[self.side] = rng.choice(sites) if sites else OFF

    def _plot(self) -> None:
        s, rng = self.s, self.rng
        for group in s.on_map(groups_of(self.side, MECHANIZED, INFANTRY)):
            if rng.random() < STILL:
                continue
            for number in rng.choices(plot.legal_plots(KIND[group]), k=TRIES):
                way = plot.hexes(s.rules.map.step, s.hex[group], plot.unpack(number))
                if all(s.rules.map.passable >> hex_ & 1 for hex_ in way) and not movement.why_not_plot(
                    s, group, number
                ):
                    s.plot[group] = number
                    break
        for group in s.on_map(groups_of(self.side, AIR)):
            if air_plots.may_strike(s, group) and rng.random() < STRIKING:
                self._strike(group)

    def _strike(self, group: Group) -> None:
        ground, cities = air_plots.ground_targets(self.s, group), air_plots.bomb_targets(self.s, group)
        targets = [(hex_, air_plots.GROUND) for hex_ in members(ground)]
        targets += [(hex_, air_plots.BOMB) for hex_ in members(cities)]
        if targets:
            self.s.strike[group] = air_plots.encode(*self.rng.choice(targets))
