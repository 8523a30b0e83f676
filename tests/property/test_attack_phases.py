"""Whole attack phases of random play from crowded positions, with what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.combat import OPEN
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.stacking import room_for, surplus
from rasputitsa.portfolio.model.state import POOL, State
from rasputitsa.portfolio.model.terrain import forbidden
from rasputitsa.portfolio.rules.combat import attack_phase
from rasputitsa.portfolio.rules.combat.losses import Overstack
from rasputitsa.portfolio.rules.combat.odds import odds
from rasputitsa.portfolio.rules.combat.retreat import RetreatLength, RetreatStep
from tests.unit.portfolio.board import Floor, start

WEIGHTS = {
    "drop": 0.1, "withdraw": 0.1, "stand_all": 0.02, "stand": 3.0, "done": 0.3, "cancel": 0.3, "without": 0.1,
    "ready": 4.0, "with": 3.0, "hold": 0.2, "retreat": 0.4,
}  # fmt: skip
PASSING = (RetreatStep, RetreatLength, Overstack)
"""While these are asked a retreating unit may stand in a full hex."""


def crowd(rng: Random) -> State:
    """The historical set-up, with two hundred units thrown together at the front."""
    s = start(players=rng.choice(["2", "4"]), short_retreat=rng.choice(["literal", "graded"]))
    rules = s.rules
    s.turn = rng.choice([1, 2, 5, 9, 10])
    s.weather = rules.weather[rng.choice(["good", "mud", "hard_frost", "snow"])]
    land = rules.map.ground[s.weather.freezes].enterable
    for _ in range(200):
        unit = rng.randrange(len(rules.units))
        if s.pos[unit] == POOL and rng.random() < 0.6:
            continue
        near = rules.grid.spread(s.occ[0] | s.occ[1]) & land & ~s.occ[1 - rules.roster.side[unit]]
        hexes = members(near & room_for(s, (unit,)) & ~forbidden(s, (unit,)))
        if hexes:
            s.place(unit, rng.choice(hexes))
    s.recover(s.dispersed)
    s.spent = 0
    for unit in s.on_map(0) + s.on_map(1):
        chance = rng.random()
        if chance < 0.2:
            s.disperse(unit)
        elif chance < 0.3:
            s.spend(1 << unit)
        if rng.random() < 0.1:
            s.fuel_short |= 1 << unit
    for hex_, units in s.at.items():
        if rules.roster.side[units[0]] == 0:
            s.control |= 1 << hex_
        else:
            s.control &= ~(1 << hex_)
    s.fresh_dispersed = 0
    s.side = rng.choice([0, 1])
    s.reserve = rng.choice([0, 0, 1, 3])
    return s


class Watcher:
    """Plays one phase and checks it after every action."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.s = crowd(self.rng)
        self.play = Context(SeededDice(seed))
        self.on_map = self.standing()
        self.dispersed = self.s.dispersed
        self.seen = 0
        self.decisions = 0

    def standing(self) -> set[int]:
        """Units on the map."""
        return {unit for unit, where in enumerate(self.s.pos) if where >= 0}

    def run(self) -> None:
        """The whole phase."""
        attack_phase.begin(self.s, self.play)
        settle(self.s, self.play)
        while not isinstance(self.s.stack[-1], Floor):
            options = self.check_question()
            self.probe(options)
            action = self.rng.choices(options, [WEIGHTS.get(a.verb, 1.0) for a in options])[0]
            self.s.legal = None
            self.s.stack[-1].apply(self.s, action, self.play)
            settle(self.s, self.play)
            self.decisions += 1
            assert self.decisions < 5000, "the phase does not end"
            self.check_events()
            self.check_map()
        self.check_end()

    def check_question(self) -> list[Action]:
        """The open question is complete, and its options are the ones listed."""
        frame = self.s.stack[-1]
        options = frame.options(self.s)
        assert options and options == self.s.legal
        assert len(set(options)) == len(options)
        assert frame.prompt(self.s) and frame.kind and frame.rule
        assert self.s.rules.seats[frame.seat(self.s)]
        return options

    def probe(self, options: list[Action]) -> None:
        """Any other action is refused with reason and paragraph, and changes nothing."""
        if self.rng.random() > 0.2:
            return
        rules = self.s.rules
        before = self.s.key()
        sizes = {"unit": len(rules.units), "hex": rules.grid.size, "number": 12}
        for _ in range(4):
            verb = self.rng.choice(list(VERBS))
            action = Action(verb, tuple(self.rng.randrange(sizes[kind]) for kind in VERBS[verb]))
            if action not in options:
                problem = self.s.stack[-1].refuse(self.s, action)
                assert problem.reason and problem.rule
        assert self.s.key() == before

    def check_events(self) -> None:
        """Nobody leaves the map or is Dispersed without an event, and every event has its words."""
        new = self.play.events[self.seen :]
        self.seen = len(self.play.events)
        for event in new:
            assert event.words(self.s)
        gone = {event.args[0] for event in new if event.kind == "eliminated"}
        now = self.standing()
        assert self.on_map - now == gone and now <= self.on_map
        self.on_map = now
        told: set[int] = set()
        for event in new:
            if event.kind == "dispersed":
                assert isinstance(event.args[0], tuple)
                told.update(event.args[0])
        assert set(members(self.s.dispersed & ~self.dispersed)) <= told
        self.dispersed = self.s.dispersed

    def check_map(self) -> None:
        """Stacking, ownership of hexes, derived sets, and the announced attacks."""
        s = self.s
        for hex_, units in s.at.items():
            assert len({s.rules.roster.side[u] for u in units}) == 1
            nations = {s.rules.units[u].nation for u in units}
            assert not {"HU", "RO"} <= nations
            assert not surplus(s, units, hex_) or isinstance(s.stack[-1], PASSING)
        fresh = s.copy()
        fresh.rebuild()
        assert fresh == s
        for name in ("occ", "full", "big", "armored", "active", "strong", "at"):
            assert getattr(fresh, name) == getattr(s, name)
        assert not s.spent & s.dispersed
        committed: list[int] = []
        for announced in s.attacks:
            if announced.state == OPEN:
                committed += announced.units
        assert len(committed) == len(set(committed)), "a unit takes part in two attacks"

    def check_end(self) -> None:
        """All attacks are dealt with, and the units that attacked are Spent or Dispersed."""
        s = self.s
        assert all(announced.state != OPEN for announced in s.attacks)
        assert s.battle is None
        for unit in members(s.attacked):
            assert s.pos[unit] < 0 or (s.spent | s.dispersed) >> unit & 1 or self.lapsed(unit)

    def lapsed(self, unit: int) -> bool:
        """Whether a unit's attack came to nothing; the end of the phase makes it Spent."""
        return any(a.state == "lapsed" and unit in a.units for a in self.s.attacks)


@pytest.mark.parametrize("seed", range(60))
def test_random_attack_phases(seed: int) -> None:
    Watcher(seed).run()


@pytest.mark.parametrize("seed", range(20))
def test_announced_attacks_are_legal_when_announced(seed: int) -> None:
    rng = Random(seed)
    s = crowd(rng)
    play = Context(SeededDice(seed))
    attack_phase.begin(s, play)
    settle(s, play)
    while not isinstance(s.stack[-1], Floor) and not any(event.kind == "announced" for event in play.events):
        options = s.stack[-1].options(s)
        action = rng.choices(options, [WEIGHTS.get(a.verb, 1.0) for a in options])[0]
        s.stack[-1].apply(s, action, play)
        settle(s, play)
    grid = s.rules.grid
    strong = s.strong[s.enemy]
    attacked = {t for announced in s.attacks for t in announced.targets}
    for announced in s.attacks:
        assert odds(s, announced.targets, announced.units, announced.amphibious).legal
        for unit in announced.units:
            assert all(target in grid.neighbours[s.pos[unit]] for target in announced.targets)
            assert not (s.spent | s.dispersed) >> unit & 1
            for beside in members(strong & grid.adjacent[s.pos[unit]]):
                land = s.rules.map.ground[s.weather.freezes]
                if not land.barrier.between(s.pos[unit], beside) and not forbidden(s, (unit,)) >> beside & 1:
                    assert beside in attacked, "XIII.A.3"
