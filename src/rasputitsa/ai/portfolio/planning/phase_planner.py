"""One phase of operations planned as a whole: attacks first, then everybody else's place."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes
from rasputitsa.ai.portfolio.evaluation.danger import Danger, Layout
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.evaluation.targets import Arena
from rasputitsa.ai.portfolio.evaluation.valuation import valuation_of
from rasputitsa.ai.portfolio.planning.assault import NOBODY, Assault, Scheme
from rasputitsa.ai.portfolio.planning.garrisons import garrison, guards, seizures
from rasputitsa.ai.portfolio.planning.plan_evaluation import PlanEvaluation
from rasputitsa.ai.portfolio.planning.sector_assignment import assign, prizes, stacks
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.eligibility import mask_of
from rasputitsa.portfolio.rules.combat.odds import offensive_weather
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.movement.movement import ready_units
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach

CAUTION = 0.3
"""Weight of the harm the enemy could do, for the side that drives on."""

LAST = 0.2
"""What own losses and fatigue still count for in the last operations before a goal decides."""

Going = Callable[[], bool]


@dataclass(frozen=True)
class RiskProfile:
    """What a plan leans towards, as factors of the usual weights."""

    kill: float = 1.0
    gain: float = 1.0
    loss: float = 1.0
    attack_cost: float = 1.0
    post: float = 1.0
    threat_factor: float = 1.0
    caution: float = 1.0


@dataclass(frozen=True)
class Level:
    """How hard the planner thinks."""

    tries: int = 1000
    """Random changes tried on the attacks."""
    rounds: int = 6
    """Stretches of the front planned again."""
    sweeps: int = 2
    """Times every unit's place is looked at again."""
    candidates: int = 12
    """Hexes looked at closely for each unit."""
    polish: int = 400
    """Random changes tried on the whole plan."""
    noise: float = 0.0
    """Error in judging an attack, as a share of its value."""
    plans: int = 8
    """Plans considered for a phase."""
    streams: int = 1
    """Streams of dice the plans are played out with before the worse half is dropped."""
    raids: bool = True
    """Whether it looks for what the enemy has left open."""
    ends: bool = True
    """Whether it sees that nothing comes after a goal is decided."""
    profile: RiskProfile = RiskProfile()
    """What it leans towards where it considers one plan only."""


@dataclass
class Plan:
    """What the side will do in a phase."""

    key: tuple[int, ...] = ()
    moves: dict[Unit, Hex] = field(default_factory=dict)
    """Where units are to go."""
    scheme: Scheme | None = None
    reasons: list[str] = field(default_factory=list)


def stakes_for(s: State, side: Side, profile: RiskProfile | None = None) -> Stakes:
    """What things are worth to a side in this phase."""
    m = profile or RiskProfile()
    if lesson.last_word(s, side):
        m = replace(m, loss=LAST * m.loss)
    first = s.weather.axis_first == (side == AXIS)
    disorder = 0.12 if first and not s.reserve else 0.3
    if side == AXIS:
        return Stakes(kill=m.kill, scatter=0.35 * m.kill, loss=1.1 * m.loss, disorder=disorder * m.loss, exchange=0.5)
    return Stakes(
        kill=m.kill, scatter=0.3 * m.kill, loss=0.9 * m.loss, disorder=(disorder + 0.1) * m.loss, exchange=0.3
    )


def hostile_units(s: State, side: Side, ends: bool = True) -> UnitBits:
    """Enemy units that could act before the side acts again with all it has; with ``ends``, before a goal decides."""
    enemy = s.rules.roster.of_side[1 - side] & s.units_in(s.occ[1 - side])
    if ends and lesson.nothing_follows(s, side):
        return 0
    first = s.weather.axis_first == (side == AXIS)
    if (first and not s.reserve) or (ends and lesson.last_word(s, side)):
        return enemy & ~s.dispersed & ~s.spent
    return enemy


def may_declare(s: State, side: Side) -> bool:
    """Whether the Winter Offensive could be declared in this phase (VI.B.3)."""
    if side != SOVIET or s.offensive or s.reserve:
        return False
    return offensive_weather(s)


class PhasePlanner:
    """The planning of a movement phase."""

    def __init__(
        self, s: State, side: Side, mine: UnitBits, level: Level, profile: RiskProfile, rng: random.Random, going: Going
    ) -> None:
        self.s = s
        self.side = side
        self.level = level
        self.profile = profile
        self.rng = rng
        self.going = going
        self.grid = s.rules.grid
        self.valuation = valuation_of(s, side)
        self.ready = ready_units(s, side) & mine
        self.spots: dict[Unit, HexBits] = {}
        self.dispersing: dict[Unit, HexBits] = {}
        for unit in members(self.ready):
            m = moving_stack(s, (unit,), 0, 0)
            found = reach(s, m._replace(room=self.grid.board))
            self.spots[unit] = found.plain | 1 << s.pos[unit]
            self.dispersing[unit] = found.dispersing
        self.hostile = hostile_units(s, side, level.ends)
        self.supplied = supply.supplied(s, side)
        self.knowledge = knowledge_of(s.rules)
        self.goal: dict[Unit, Hex] = {}
        self.duty: dict[Unit, Hex] = {}
        if side == AXIS and (s.goal or not s.controlled(SOVIET) & sum(1 << h for h in self.knowledge.soviet_goals)):
            wants = prizes(s, side)
            self.goal = assign(s, self.ready, wants)
            self.duty = assign(s, self.ready, wants + stacks(s, side))
        self.posted = self.station()
        for unit, hex_ in self.posted.items():
            self.spots[unit] = 1 << hex_ | 1 << s.pos[unit]
        for unit, zone in self.tethered().items():
            self.spots[unit] = self.spots[unit] & zone | 1 << s.pos[unit]
        self.af = s.rules.roster.af

    def station(self) -> dict[Unit, Hex]:
        """Units that are needed to take open places, or to hold places, and where."""
        taking = seizures(self.s, self.side, self.spots, self.hostile) if self.level.raids else {}
        rest = {unit: spots for unit, spots in self.spots.items() if unit not in taking}
        return taking | garrison(self.s, self.side, rest, self.hostile)

    def tethered(self) -> dict[Unit, HexBits]:
        """Units that may not stray from a place that must not fall, and the hexes left to each."""
        return guards(self.s, self.spots, self.hostile) if self.side == AXIS else {}

    def post(self, unit: Unit, hex_: Hex) -> float:
        """What standing in a hex is worth to a unit, apart from fights."""
        if self.side == SOVIET:
            return 0.02 * self.profile.post * self.valuation.pull[hex_]
        goal = self.goal.get(unit)
        way = self.valuation.pull[hex_] if goal is None else -self.knowledge.field(goal)[hex_]
        return (0.10 + 0.03 * self.af[unit]) * self.profile.post * way

    def rest(self, unit: Unit, hex_: Hex) -> float:
        """What standing in a hex is worth to a unit that does not fight: nearer to where it will be wanted."""
        duty = self.duty.get(unit)
        if duty is None:
            return self.post(unit, hex_)
        return (0.10 + 0.03 * self.af[unit]) * self.profile.post * -self.knowledge.field(duty)[hex_]

    def attack_cost(self, unit: Unit) -> float:
        """What it costs a unit to be used up in an attack."""
        return 0.10 * self.profile.attack_cost * self.af[unit] * (LAST if lesson.last_word(self.s, self.side) else 1.0)

    def plan(self) -> Plan:
        """Attacks, then places, then the whole once more."""
        plan = Plan((self.s.turn, self.s.side, self.s.reserve))
        danger = Danger(
            self.s, self.side, self.valuation.worth, self.hostile, self.undispersed(), self.profile.threat_factor
        )
        assault = self.attacks()
        layout = self.places(assault, danger)
        self.polish(assault, danger, layout)
        assault.prune(0.2)
        scheme = plan.scheme = assault.scheme()
        for unit, hex_ in scheme.where.items():
            if hex_ != self.s.pos[unit]:
                plan.moves[unit] = hex_
        return plan

    def polish(self, assault: Assault, danger: Danger, layout: Layout) -> None:
        """Single changes, judged by all that depends on them."""
        caution = (CAUTION if self.side == AXIS else 1.0) * self.profile.caution
        whole = PlanEvaluation(assault, danger, layout, caution, self.rng)
        units = [u for u in assault.where if u not in self.posted]

        def spots(unit: Unit) -> list[Hex]:
            anywhere = members(self.spots[unit] & self.supplied)
            some = self.rng.sample(anywhere, min(len(anywhere), 2 * self.level.candidates))
            return [assault.where[unit], self.s.pos[unit], *some, *self.candidates(unit, layout, self.level.candidates)]

        whole.polish(units, spots, self.level.polish, self.going)

    def attacks(self) -> Assault:
        """The joint plan of attacks."""
        s = self.s
        gain = [self.profile.gain * value for value in self.valuation.gain]
        stakes = stakes_for(s, self.side, self.profile)
        arena = Arena(s, self.side, stakes, gain, offensive=may_declare(s, self.side))
        able = self.ready & ~mask_of(self.posted)
        # a garrison is where it is to be before anybody else is placed
        assault = Assault(arena, self.spots, self.post, self.attack_cost, able, self.rng)
        for unit, hex_ in self.posted.items():
            if assault.fits(unit, hex_):
                assault.put(unit, hex_, NOBODY)
        assault.build(blur=self.level.noise)
        assault.improve(self.level.tries, self.going)
        assault.rethink(self.level.rounds, self.going)
        assault.improve(self.level.tries // 3, self.going)
        assault.prune(0.2)
        return assault

    # ------------------------------------------------------------------ everybody else

    def places(self, assault: Assault, danger: Danger) -> Layout:
        """Places for the units that do not attack, so that the enemy can do least."""
        s = self.s
        layout = Layout(s, self.side)
        idle = []
        for unit in assault.where:
            if assault.target_of[unit] == NOBODY and unit not in self.posted:
                if assault.where[unit] != s.pos[unit] and assault.fits(unit, s.pos[unit]):
                    assault.put(unit, s.pos[unit], NOBODY)
                idle.append(unit)
            if assault.where[unit] != layout.pos[unit]:
                layout.move(unit, assault.where[unit])
        danger.expect(assault.likely())
        best = danger.harm(layout)
        for _ in range(self.level.sweeps):
            changed = False
            self.rng.shuffle(idle)
            for unit in idle:
                if not self.going():
                    return layout
                here = layout.pos[unit]
                current = best - self.rest(unit, here)
                choice = here
                for hex_ in self.candidates(unit, layout, self.level.candidates):
                    if not assault.fits(unit, hex_):
                        continue
                    layout.move(unit, hex_)
                    harm = danger.harm(layout)
                    value = harm - self.rest(unit, hex_)
                    if value < current - 0.05:
                        current, choice = value, hex_
                layout.move(unit, choice)
                if choice != here:
                    best = current + self.rest(unit, choice)
                    assault.put(unit, choice, NOBODY)
                    changed = True
            if not changed:
                break
        return layout

    def undispersed(self) -> UnitBits:
        """Own units that will not be Dispersed when the enemy strikes."""
        s = self.s
        return s.rules.roster.of_side[self.side] & ~s.dispersed

    def candidates(self, unit: Unit, layout: Layout, number: int) -> list[Hex]:
        """Hexes worth a closer look for a unit."""
        s = self.s
        here = layout.pos[unit]
        spots = self.spots[unit] & ~(1 << here) & (self.supplied | s.rules.map.victory_cities)
        enemy = s.occ[1 - self.side]
        front = self.grid.spread(self.grid.spread(enemy))
        value = self.valuation.value
        board = s.rules.map

        def worth(hex_: Hex) -> float:
            bit = 1 << hex_
            score = value[hex_] + self.rest(unit, hex_)
            if front & bit:
                score += 0.6
            if layout.occupied & bit:
                score += 0.3
            if (board.towns | board.hills | board.swamp) & bit:
                score += 0.2
            return score + self.rng.random() * 0.8

        found = members(spots)
        if len(found) > number:
            found = sorted(found, key=worth, reverse=True)[:number]
        return found
