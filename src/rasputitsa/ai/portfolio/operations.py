"""One phase of operations planned as a whole: attacks first, then everybody else's place."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.aims import Aims
from rasputitsa.ai.portfolio.assault import NOBODY, Assault, Scheme
from rasputitsa.ai.portfolio.chances import Stakes
from rasputitsa.ai.portfolio.danger import Danger, Layout
from rasputitsa.ai.portfolio.targets import Arena
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio import supply
from rasputitsa.portfolio.commitment import fighters
from rasputitsa.portfolio.movement import ready_units
from rasputitsa.portfolio.reach import marcher, reach
from rasputitsa.portfolio.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

Going = Callable[[], bool]


@dataclass(frozen=True)
class Level:
    """How hard the planner thinks."""

    tries: int = 2500
    """Random changes tried on the attacks."""
    sweeps: int = 2
    """Times every unit's place is looked at again."""
    candidates: int = 12
    """Hexes looked at closely for each unit."""
    noise: float = 0.0
    """Error in judging an attack, as a share of its value."""


@dataclass
class Plan:
    """What the side will do in a phase."""

    key: tuple[int, ...]
    moves: dict[int, int] = field(default_factory=dict)
    """Where units shall go."""
    scheme: Scheme | None = None
    reasons: list[str] = field(default_factory=list)


def stakes_for(s: State, side: int) -> Stakes:
    """What things are worth to a side in this phase."""
    first = s.weather.axis_first == (side == AXIS)
    disorder = 0.12 if first and not s.reserve else 0.3
    if side == AXIS:
        return Stakes(kill=1.0, scatter=0.35, loss=1.1, disorder=disorder, exchange=0.5)
    return Stakes(kill=1.0, scatter=0.3, loss=0.9, disorder=disorder + 0.1, exchange=0.3)


def hostile_units(s: State, side: int) -> int:
    """Enemy units that could act before the side acts again with all it has."""
    enemy = s.rules.roster.of_side[1 - side] & s.units_in(s.occ[1 - side])
    first = s.weather.axis_first == (side == AXIS)
    if first and not s.reserve:
        return enemy & ~s.dispersed & ~s.spent
    return enemy


class Operations:
    """The planning of a movement phase."""

    def __init__(self, s: State, side: int, mine: int, level: Level, rng: random.Random, going: Going) -> None:
        self.s = s
        self.side = side
        self.level = level
        self.rng = rng
        self.going = going
        self.grid = s.rules.grid
        self.aims = Aims(s, side)
        self.ready = ready_units(s, side) & mine
        self.spots: dict[int, int] = {}
        self.dispersing: dict[int, int] = {}
        for unit in members(self.ready):
            m = marcher(s, (unit,), 0, 0)
            found = reach(s, m._replace(room=self.grid.board))
            self.spots[unit] = found.plain | 1 << s.pos[unit]
            self.dispersing[unit] = found.dispersing
        self.hostile = hostile_units(s, side)
        self.supplied = supply.supplied(s, side)
        self.af = s.rules.roster.af

    def post(self, unit: int, hex_: int) -> float:
        """What standing in a hex is worth to a unit, apart from fights."""
        af = self.af[unit]
        weight = (0.10 + 0.03 * af) if self.side == AXIS else 0.02
        return weight * self.aims.pull[hex_]

    def fee(self, unit: int) -> float:
        """What it costs a unit to be used up in an attack."""
        return 0.10 * self.af[unit]

    def plan(self, key: tuple[int, ...]) -> Plan:
        """Attacks, then places."""
        plan = Plan(key)
        assault = self.attacks()
        scheme = assault.scheme()
        plan.scheme = scheme
        self.places(scheme)
        for unit, hex_ in scheme.where.items():
            if hex_ != self.s.pos[unit]:
                plan.moves[unit] = hex_
        return plan

    def attacks(self) -> Assault:
        """The joint plan of attacks."""
        s = self.s
        arena = Arena(s, self.side, stakes_for(s, self.side), self.aims.gain)
        able = self.ready | fighters(s, self.side)
        assault = Assault(arena, self.spots, self.post, self.fee, able, self.rng)
        assault.build()
        assault.improve(self.level.tries, self.going)
        assault.prune(0.2)
        return assault

    # ------------------------------------------------------------------ everybody else

    def places(self, scheme: Scheme) -> None:
        """Places for the units that do not attack, so that the enemy can do least."""
        s = self.s
        danger = Danger(s, self.side, self.aims.value, self.hostile, self.awake())
        layout = Layout(s, self.side)
        for unit, hex_ in scheme.where.items():
            if scheme.aim[unit] != NOBODY and hex_ != layout.pos[unit]:
                layout.move(unit, hex_)
        for unit, hex_ in scheme.where.items():
            if scheme.aim[unit] == NOBODY:
                scheme.where[unit] = s.pos[unit]
        idle = [u for u in scheme.where if scheme.aim[u] == NOBODY]
        best = danger.harm(layout)
        for _ in range(self.level.sweeps):
            changed = False
            self.rng.shuffle(idle)
            for unit in idle:
                if not self.going():
                    return
                here = layout.pos[unit]
                current = best - self.post(unit, here)
                choice = here
                for hex_ in self.candidates(unit, layout):
                    if not self.fits(layout, unit, hex_):
                        continue
                    layout.move(unit, hex_)
                    harm = danger.harm(layout)
                    value = harm - self.post(unit, hex_)
                    if value < current - 0.05:
                        current, choice = value, hex_
                layout.move(unit, choice)
                if choice != here:
                    best = current + self.post(unit, choice)
                    scheme.where[unit] = choice
                    changed = True
            if not changed:
                break

    def awake(self) -> int:
        """Own units that will not be Dispersed when the enemy strikes."""
        s = self.s
        return s.rules.roster.of_side[self.side] & ~s.dispersed

    def fits(self, layout: Layout, unit: int, hex_: int) -> bool:
        """Whether stacking allows a unit in a hex of the layout."""
        others = [u for u in layout.at.get(hex_, ()) if u != unit]
        if not others:
            return True
        roster = self.s.rules.roster
        if len(others) > 1 or roster.front >> unit & 1 or roster.front >> others[0] & 1:
            return False
        if roster.above_corps >> unit & roster.above_corps >> others[0] & 1:
            return False
        rough = self.s.rules.map.ground[0].rough >> hex_ & 1
        return not (rough and roster.armor_type >> unit & roster.armor_type >> others[0] & 1)

    def candidates(self, unit: int, layout: Layout) -> list[int]:
        """Hexes worth a closer look for a unit."""
        s = self.s
        here = layout.pos[unit]
        spots = self.spots[unit] & ~(1 << here) & (self.supplied | s.rules.map.victory_cities)
        enemy = s.occ[1 - self.side]
        front = self.grid.spread(self.grid.spread(enemy))
        value = self.aims.value
        board = s.rules.map

        def worth(hex_: int) -> float:
            bit = 1 << hex_
            score = value[hex_] + self.post(unit, hex_)
            if front & bit:
                score += 0.6
            if layout.occupied & bit:
                score += 0.3
            if (board.towns | board.hills | board.swamp) & bit:
                score += 0.2
            return score + self.rng.random() * 0.8

        found = members(spots)
        if len(found) > self.level.candidates:
            found = sorted(found, key=worth, reverse=True)[: self.level.candidates]
        return found


__all__ = ["AXIS", "SOVIET", "Going", "Level", "Operations", "Plan", "hostile_units", "stakes_for"]
