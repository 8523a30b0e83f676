"""Operational movement against a slow second reading of XI that walks hex by hex and unit by unit."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rasputitsa.hexes.grid import bits, members
from rasputitsa.portfolio.api import position
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import Ruleset, ruleset
from rasputitsa.portfolio.model.stacking import surplus
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.movement.reach import factors, moving_stack, reach
from rasputitsa.portfolio.rules.movement.route import leg

NO_SHRINK = (Phase.explicit, Phase.reuse, Phase.generate)  # a shrunk map tells little and takes minutes
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"river_cost": "last_step"},
    {"zoc_barriers": "respect"},
    {"zone_reentry": "barred"},
    {"zone_reentry": "barred", "zoc_barriers": "respect"},
)


def with_surcharge(points: int, options: dict[str, str]) -> Ruleset:
    """The rules with another surcharge of a river."""
    folder = Path(mkdtemp(prefix="river-"))
    text = (DATA / "charts.toml").read_text(encoding="utf-8")
    assert text.count("surcharge = 1") == 1
    (folder / "charts.toml").write_text(text.replace("surcharge = 1", f"surcharge = {points}"), encoding="utf-8")
    return ruleset("june22", options, folder)


def with_stacks(units: int, above_corps: int, front: int, armor: int) -> Ruleset:
    """The rules with other limits of stacking."""
    folder = Path(mkdtemp(prefix="stacks-"))
    text = (DATA / "charts.toml").read_text(encoding="utf-8")
    old = "units = 2\nabove_corps = 1\nfront = 1\narmor_in_rough = 1 "
    assert text.count(old) == 1
    new = f"units = {units}\nabove_corps = {above_corps}\nfront = {front}\narmor_in_rough = {armor} "
    (folder / "charts.toml").write_text(text.replace(old, new), encoding="utf-8")
    return ruleset("june22", {}, folder)


RULES = [
    *(ruleset("june22", options, DATA) for options in OPTIONS),
    *(with_surcharge(points, options) for points in (0, 2, 3) for options in OPTIONS[:2]),
    with_stacks(3, 1, 1, 1),
    with_stacks(3, 2, 2, 2),
    with_stacks(2, 2, 2, 1),
]
LAND = members(RULES[0].map.ground[0].enterable)
UNITS = [u.number for u in RULES[0].units]
APART = {"HU", "RO"}
"""Nations whose units enter neither the other's land nor a hex with its units; to others it is nothing (X.D.2)."""


@st.composite
def positions(draw: st.DrawFn) -> tuple[State, tuple[int, ...]]:
    """Some units of both sides crowded round one place, and a group that is to move."""
    rules = draw(st.sampled_from(RULES))
    s = State(rules)
    s.turn = 3
    s.weather = rules.weather[draw(st.sampled_from(["good", "mud", "snow"]))]
    s.reserve = draw(st.sampled_from([0, 0, 1, 3, 6]))
    centre = draw(st.sampled_from(LAND))
    near = 1 << centre
    for _ in range(4):
        near |= rules.grid.spread(near)
    around = members(near & rules.map.ground[s.weather.freezes].enterable)
    mover = draw(st.sampled_from(UNITS))
    s.place(mover, centre)
    for unit in draw(st.lists(st.sampled_from(UNITS), max_size=14, unique=True)):
        hex_ = draw(st.sampled_from(around))
        others = s.at.get(hex_, ())
        enemy_there = s.occ[1 - rules.roster.side[unit]] >> hex_ & 1
        if unit != mover and not enemy_there and not surplus(s, (*others, unit), hex_):
            s.place(unit, hex_)
            if draw(st.integers(0, 3)) == 0:
                s.disperse(unit)
    group: tuple[int, ...] = (mover,)
    mates = [u for u in s.at[centre] if u != mover]
    together: bool = draw(st.sampled_from([True, False]))
    if mates and together:
        group = tuple(sorted((mover, mates[0])))
    s.control = draw(st.sampled_from([rules.home[0], 0]))
    return s, group


class Walker:
    """XI, read literally."""

    def __init__(self, s: State, group: tuple[int, ...]) -> None:
        self.s, self.group = s, group
        self.rules = s.rules
        self.roster = s.rules.roster
        self.side = self.roster.side[group[0]]
        self.start = s.pos[group[0]]
        self.ground = s.rules.map.ground[s.weather.freezes]
        self.basic = min(factors(s, u)[0] for u in group)
        self.total = min(factors(s, u)[1] for u in group)
        self.surcharge = self.rules.river_surcharge
        self.pays = bool(self.surcharge) and any(not self.roster.no_river_cost >> u & 1 for u in group)
        self.plain: set[int] = set()
        self.dispersing: set[int] = set()

    def exerts(self, unit: int, hex_: int) -> bool:
        """Whether an enemy unit's zone of control covers a hex."""
        s = self.s
        if s.dispersed >> unit & 1 or hex_ not in self.rules.grid.neighbours[s.pos[unit]]:
            return False
        if self.rules.options["zoc_barriers"] == "respect":
            return not self.ground.barrier.between(s.pos[unit], hex_)
        return True

    def controllers(self, hex_: int) -> set[int]:
        """Enemy units whose zone covers a hex."""
        return {u for u in self.s.on_map(1 - self.side) if self.exerts(u, hex_)}

    def may_stop(self, hex_: int) -> bool:
        here = [u for u in self.s.at.get(hex_, ()) if u not in self.group]
        return not surplus(self.s, [*here, *self.group], hex_)

    def may_enter(self, hex_: int) -> bool:
        if not self.ground.enterable >> hex_ & 1 or self.s.occ[1 - self.side] >> hex_ & 1:
            return False
        here = {self.rules.units[u].nation for u in self.s.at.get(hex_, ())}
        for unit in self.group:
            nation = self.rules.units[unit].nation
            country = self.rules.map.country_of[hex_]
            if nation in APART and (APART - {nation}) & {country, *here}:
                return False
        return True

    def barred(self, there: int, steps: int) -> bool:
        """Whether a move that has left the zones of its start would come back into one of them (XI.B.2)."""
        if self.rules.options["zone_reentry"] == "allowed" or steps == 1 or self.s.occ[self.side] >> there & 1:
            return False
        return bool(self.controllers(self.start) & self.controllers(there))

    def record(self, hex_: int, *, dispersed: bool) -> None:
        if hex_ != self.start and self.may_stop(hex_):
            (self.dispersing if dispersed else self.plain).add(hex_)

    def walk(self) -> None:
        todo = [(self.start, 0, 0)]
        seen = set(todo)
        while todo:
            here, steps, rivers = todo.pop()
            for there in self.rules.grid.neighbours[here]:
                if there < 0 or not self.may_enter(there) or self.ground.closed.between(here, there):
                    continue
                onward = self.step(here, there, steps, rivers)
                if onward is not None and onward not in seen:
                    seen.add(onward)
                    todo.append(onward)

    def step(self, here: int, there: int, steps: int, rivers: int) -> tuple[int, int, int] | None:
        """One hex further; None when the move ends there or cannot be made."""
        strait = self.ground.straits.between(here, there)
        if strait and steps:
            return None
        wet = self.pays and self.ground.river.between(here, there)
        steps, rivers = steps + 1, rivers + wet
        into, out_of = self.controllers(there), self.controllers(here)
        if into:
            if into & out_of and not self.s.occ[self.side] >> there & 1:
                if steps > 1 or any(self.roster.strong_zoc >> u & 1 for u in into & out_of):
                    return None
                clear = not self.ground.uneven >> there & 1 and not strait
                if not clear or self.ground.river.between(here, there):
                    return None
                if not any(self.roster.pure_armor >> u & 1 for u in self.group):
                    self.record(there, dispersed=True)
                    return None
            if self.barred(there, steps):
                return None
            whole = self.rules.options["river_cost"] == "whole_move"
            cost = steps + self.surcharge * (rivers if whole else wet)
            if cost <= self.total or steps == 1:
                self.record(there, dispersed=cost > self.basic)
            return None
        if steps > self.total and steps > 1:
            return None
        self.record(there, dispersed=steps > self.total)
        return None if strait or steps > self.total else (there, steps, rivers)


@settings(max_examples=300, deadline=None, phases=NO_SHRINK)
@given(positions())
def test_reach_is_what_a_walk_hex_by_hex_finds(case: tuple[State, tuple[int, ...]]) -> None:
    s, group = case
    walker = Walker(s, group)
    walker.walk()
    found = reach(s, moving_stack(s, group, 0, 0))
    names = s.rules.grid.names
    plain = {names[h] for h in bits(found.plain)}
    assert plain == {names[h] for h in walker.plain}, position.dump(s)["units"]
    assert {names[h] for h in bits(found.dispersing)} == {names[h] for h in walker.dispersing - walker.plain}


@settings(max_examples=200, deadline=None, phases=NO_SHRINK)
@given(positions())
def test_the_way_shown_is_a_legal_walk(case: tuple[State, tuple[int, ...]]) -> None:
    s, group = case
    m = moving_stack(s, group, 0, 0)
    found = reach(s, m)
    walker = Walker(s, group)
    for target in bits(found.plain | found.dispersing):
        way = leg(s, m, target)
        assert way.hexes[0] == m.here and way.hexes[-1] == target
        steps = rivers = 0
        for here, there in zip(way.hexes, way.hexes[1:], strict=False):
            assert walker.may_enter(there) and there in s.rules.grid.neighbours[here]
            onward = walker.step(here, there, steps, rivers)
            if there != target:
                assert onward is not None, "the way stops before its end"
            steps, rivers = steps + 1, rivers + (walker.pays and walker.ground.river.between(here, there))
        assert way.rivers == rivers
        assert way.dispersed == (not found.plain >> target & 1)
