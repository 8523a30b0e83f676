"""Retreats against a slow second reading of XIII.D that walks hex by hex and looks at every unit."""

from __future__ import annotations

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.combat import OPEN, Attack
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.portfolio.model.stacking import surplus
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.retreat import (
    AVOIDING,
    FORCED,
    SHORT,
    Retreat,
    ability,
    able_to_avoid,
    next_hexes,
)

NO_SHRINK = (Phase.explicit, Phase.reuse, Phase.generate)
RULES = [ruleset("june22", options, DATA) for options in ({}, {"zoc_barriers": "respect"})]
LAND = members(RULES[0].map.ground[0].enterable)
UNITS = [u.number for u in RULES[0].units]
NARROW = [RULES[0].grid.index(name) for name in ["D13", "G14", "H11", "JJ13", "CC6", "X28", "B12", "GG5", "F9", "II12"]]


def under_attack(s: State) -> set[int]:
    """Hexes of announced attacks that still have an attacker (XIV.C)."""
    return {h for attack in s.attacks if attack.units for h in attack.targets}


@st.composite
def positions(draw: st.DrawFn) -> tuple[State, int, int]:
    """Units of both sides round a place, an attacked unit there, and the hexes it was attacked from."""
    rules = draw(st.sampled_from(RULES))
    s = State(rules)
    s.turn = draw(st.sampled_from([1, 3]))
    s.weather = rules.weather[draw(st.sampled_from(["good", "snow"]))]
    home = draw(st.one_of(st.sampled_from(LAND), st.sampled_from(NARROW)))
    near = 1 << home
    for _ in range(4):
        near |= rules.grid.spread(near)
    around = members(near & rules.map.ground[s.weather.freezes].enterable)
    unit = draw(st.sampled_from(UNITS))
    side = rules.roster.side[unit]
    s.place(unit, home)
    s.side = 1 - side
    for other in draw(st.lists(st.sampled_from(UNITS), max_size=14, unique=True)):
        hex_ = draw(st.sampled_from(around))
        free = not s.occ[1 - rules.roster.side[other]] >> hex_ & 1
        if other != unit and free and not surplus(s, (*s.at.get(hex_, ()), other), hex_):
            s.place(other, hex_)
            if draw(st.integers(0, 3)) == 0:
                s.disperse(other)
    fighters = s.on_map(1 - side)
    for hex_ in draw(st.lists(st.sampled_from(around), max_size=2)):
        if hex_ != home:
            left = tuple(draw(st.lists(st.sampled_from(fighters), max_size=1))) if fighters else ()
            s.attacks = (*s.attacks, Attack((hex_,), left, 0, state=OPEN))
    beside = members(rules.grid.adjacent[home] & s.occ[1 - side])
    attackers = draw(st.sets(st.sampled_from(beside))) if beside else set()
    return s, unit, sum(1 << h for h in attackers)


class Fugitive:
    """XIII.D.4, read literally."""

    def __init__(self, s: State, unit: int, attackers: int, kind: int) -> None:
        self.s, self.unit, self.kind = s, unit, kind
        self.rules = s.rules
        self.side = s.rules.roster.side[unit]
        self.home = s.pos[unit]
        self.attackers = members(attackers)
        self.ground = s.rules.map.ground[s.weather.freezes]

    def may_cross(self, a: int, b: int) -> bool:
        """Condition a."""
        if not self.ground.enterable >> b & 1 or self.ground.closed.between(a, b) or self.forbidden(b):
            return False
        if self.ground.straits.between(a, b):
            return self.kind != FORCED and self.rules.units[self.unit].type in (
                "front", "shock", "rifle", "infantry", "motorized", "mountain", "light",
            )  # fmt: skip
        return True

    def forbidden(self, hex_: int) -> bool:
        """Nations and their neighbours."""
        nation = self.rules.units[self.unit].nation
        country = self.rules.map.country_of[hex_]
        others = {self.rules.units[u].nation for u in self.s.at.get(hex_, ())}
        if (nation, country) in (("HU", "RO"), ("RO", "HU")) or {nation, *others} >= {"HU", "RO"}:
            return True
        return nation in ("RO", "FI") and country == "SU" and self.s.turn == 1

    def fits(self, hex_: int, step: int) -> bool:
        """Conditions c to f."""
        s, rules = self.s, self.rules
        if s.occ[1 - self.side] >> hex_ & 1 or hex_ in under_attack(s):
            return False
        for attacker in self.attackers:
            near = hex_ in rules.grid.neighbours[attacker]
            if hex_ == attacker or (near and not self.ground.barrier.between(attacker, hex_)):
                return False
        if s.occ[self.side] >> hex_ & 1:
            return True
        for other, where in enumerate(s.pos):
            if where >= 0 and rules.roster.side[other] != self.side and hex_ in rules.grid.neighbours[where]:
                if not s.dispersed >> other & 1:
                    respect = rules.options["zoc_barriers"] == "respect"
                    if not (respect and self.ground.barrier.between(where, hex_)):
                        return False
                elif step > 1:
                    return False
        return True

    def steps(self, here: int, step: int) -> list[int]:
        """Condition b, and all the others."""
        grid = self.rules.grid
        return [
            h for h in grid.neighbours[here]
            if h >= 0 and grid.distance(self.home, h) == step and self.may_cross(here, h) and self.fits(h, step)
        ]  # fmt: skip

    def room(self, hex_: int) -> bool:
        """XII."""
        return not surplus(self.s, (*self.s.at.get(hex_, ()), self.unit), hex_)

    def longest(self, here: int, step: int = 0) -> int:
        """The longest way that ends in a hex with room."""
        best = step if step and self.room(here) else 0
        if step < 4:
            for hex_ in self.steps(here, step + 1):
                best = max(best, self.longest(hex_, step + 1))
        return best


@settings(max_examples=250, deadline=None, phases=NO_SHRINK)
@given(positions(), st.sampled_from([FORCED, SHORT]))
def test_the_ability_to_retreat(position: tuple[State, int, int], kind: int) -> None:
    s, unit, attackers = position
    fugitive = Fugitive(s, unit, attackers, kind)
    assert ability(s, unit, attackers, kind) == fugitive.longest(fugitive.home)


@settings(max_examples=250, deadline=None, phases=NO_SHRINK)
@given(positions(), st.sampled_from([FORCED, SHORT]))
def test_every_hex_on_the_way(position: tuple[State, int, int], kind: int) -> None:
    s, unit, attackers = position
    fugitive = Fugitive(s, unit, attackers, kind)
    ways: list[tuple[int, ...]] = [(fugitive.home,)]
    while ways:
        way = ways.pop()
        expected = fugitive.steps(way[-1], len(way)) if len(way) <= 4 else []
        assert members(next_hexes(s, Retreat(unit, kind, attackers, 0, way))) == sorted(expected)
        ways += [(*way, hex_) for hex_ in expected[:2]]


@settings(max_examples=250, deadline=None, phases=NO_SHRINK)
@given(positions())
def test_who_may_avoid_combat(position: tuple[State, int, int]) -> None:
    s, unit, _ = position
    side = s.rules.roster.side[unit]
    attacked = under_attack(s)
    able = {
        u for u in s.on_map(side)
        if not s.dispersed >> u & 1 and s.pos[u] not in attacked
        and Fugitive(s, u, 0, AVOIDING).longest(s.pos[u]) >= 3
    }  # fmt: skip
    assert set(members(able_to_avoid(s, s.rules.roster.of_side[side]))) == able


@settings(max_examples=250, deadline=None, phases=NO_SHRINK)
@given(positions())
def test_a_unit_avoiding_combat_always_completes_three_hexes(position: tuple[State, int, int]) -> None:
    s, unit, _ = position
    if not able_to_avoid(s, 1 << unit):
        return
    fugitive = Fugitive(s, unit, 0, AVOIDING)
    ways: list[tuple[int, ...]] = [(s.pos[unit],)]
    while ways:
        way = ways.pop()
        following = members(next_hexes(s, Retreat(unit, AVOIDING, 0, 0, way)))
        if len(way) <= 3:
            assert following, f"stuck after {len(way) - 1} hexes"
        elif len(way) == 4 and not following:
            assert fugitive.room(way[-1])
        ways += [(*way, hex_) for hex_ in following]
