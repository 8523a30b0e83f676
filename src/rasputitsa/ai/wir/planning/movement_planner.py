"""The movement phase as a whole: replacements, attacks, marches to the line, artillery, air strikes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation
from rasputitsa.ai.wir.planning import hunting, rear, strategic_moves
from rasputitsa.ai.wir.planning.air import AirPlanner
from rasputitsa.ai.wir.planning.artillery import ArtilleryPlanner
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of, on_the_defensive, superior
from rasputitsa.ai.wir.planning.assembly import Assembly
from rasputitsa.ai.wir.planning.crowding import without_room
from rasputitsa.ai.wir.planning.encirclement import Encirclement
from rasputitsa.ai.wir.planning.exploitation import Exploitation
from rasputitsa.ai.wir.planning.line import Line, LinePolicy, Post
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.simulation import Simulation
from rasputitsa.ai.wir.planning.strategic_moves import march, ways
from rasputitsa.ai.wir.planning.withdrawal import withdrawals
from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, PlotNumber, Side, Unit
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    FINE,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    RAIN,
    VEH_POOL,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS
from rasputitsa.wir.rules.adjustment import recruits, reinforce
from rasputitsa.wir.rules.movement import movement, plot_ways, strategic_move

SIMULATIONS = 40
"""Most changes of plots that are simulated."""
BEATEN = 0.1
"""An enemy with less than this part of the own strength no longer protects its cities."""
FALLING_BACK = 12
"""Until this week of 1941 the Soviet side gives ground."""
REST = 0.3
"""How much the relief that depots bring counts for the Axis in the choice of places."""
RAIL_GAIN = 1.2
"""Weeks that a rail move has to save."""
WHOLE, MOST_TIMES = 120, 10
"""With fewer groups than this on the map more changes of plots are simulated, for each takes less time; and by how many
times at most."""


def line_policy_of(s: State, side: Side) -> LinePolicy:
    """How a side holds its line at a date and in a weather."""
    if side == AXIS:
        if s.weather != FINE and s.year == 1941:
            return LinePolicy(push=0, caution=1.2, rest=REST)
        if s.weather == FINE and s.year <= 1942:
            return LinePolicy(
                push=2, pull=0.6, caution=0.9, bulge=0.8, second=0.85, depth=0.1, thrust=30, rest=REST, onward=0.1,
                sectors=True, encirclements=True,
            )  # fmt: skip
        return LinePolicy(pull=0.4, caution=0.8, rest=REST)
    falls_back = on_the_defensive(s, side) if s.goal is not None or s.year > 1941 else s.turn <= FALLING_BACK
    if falls_back:
        return LinePolicy(push=0, hold=22, caution=1.0, pull=0.0, depth=0.7)
    if s.weather != RAIN and superior(s):
        return LinePolicy(push=2, pull=0.4, caution=0.7, bulge=0.7, second=0.8, depth=0.15, thrust=25, onward=0.1)
    return LinePolicy(push=0, caution=0.8, pull=0.2)


class MovementPlanner:
    """Plans the movement phase of a side."""

    def __init__(self, s: State, side: Side, rng: random.Random, going: Callable[[], bool] = lambda: True) -> None:
        """``s`` holds the enemy as believed to be."""
        self.order_list = OrderList(s)
        self.side = side
        self.rng = rng
        self.going = going
        self.repulsed: Mapping[Hex, float] = {}
        """Odds that attacks on some hexes must reach, since they have failed at lower ones."""
        self.situation = self.read()
        self.policy = attack_policy_of(s, side)
        self.line_policy = line_policy_of(s, side)
        self.posts: dict[Group, Post] = {}
        self.attacked: set[Hex] = set()
        self.simulations = SIMULATIONS
        self.apart = 0
        """Groups that have been given their orders before all others."""
        self.homeward: dict[Group, Hex] = {}
        """Groups that come home from behind the enemy, and where to."""
        self.urgent: set[Group] = set()
        """Groups that have to be somewhere in time: trains are for them first."""

    @property
    def s(self) -> State:
        """The position after the orders so far."""
        return self.order_list.s

    def read(self) -> Situation:
        """The position as it is weighed now."""
        found = Situation(self.s, self.side)
        found.repulsed = self.repulsed
        return found

    def missions(self) -> None:
        """Give orders to groups with a task of their own, and note them in ``apart``."""

    def plan(self) -> list[Action]:
        """All orders of the phase."""
        self._replacements()
        self.missions()
        self.situation = self.read()
        if self.line_policy.encirclements and self._encirclements():
            self.situation = self.read()
        self.homeward = hunting.homeward(self.s, self.situation)
        barred = lesson.to_supply(self.s, self.side) | self.apart | sum(1 << g for g in self.homeward)
        self.assault = Assault(self.s, self.side, self.situation, self.policy, barred)
        air = AirPlanner(self.order_list, self.side, self.situation, self.assault)
        self.assault.plan()
        air.support()
        Exploitation(self.assault).plan()
        self.attacked = {a.target for a in self.assault.attacks}
        self._line()
        for group, plot in self.assault.plots.items():
            if self.order_list.orders(group):
                self.order_list.give("plot", plot.number)
        air.fly()
        air.rebase()
        self._march()
        self._simulate()
        self._make_room()
        ArtilleryPlanner(self.order_list, self.side, self.situation).plan()
        return self.order_list.finish()

    def _encirclements(self) -> bool:
        """Fast groups march behind the enemy; returns whether any did."""
        marched = False
        for group, hex_ in Encirclement(self.s, self.side, self.situation, self.policy).plan().items():
            way = ways(self.s, group).get(hex_, ())
            if way and self.order_list.orders(group):
                march(self.order_list, group, way)
                marched = True
        self.order_list.put_down()
        return marched

    # ------------------------------------------------------------------ replacements

    def _replacements(self) -> None:
        """Fill units up, where recruits are good or the front needs them; pools are not emptied."""
        s, side, step = self.s, self.side, self.s.rules.recruiting.step
        wanted = []
        for group in groups_of(side, MECHANIZED, INFANTRY):
            if s.hex[group] == OFF or reinforce.why_none(s, group):
                continue
            if rear.is_garrison(s, group):
                continue
            near = self.situation.to_enemy[s.hex[group]]
            for n, unit in enumerate(s.group_units[group], start=1):
                gap = reinforce.room(s, unit) // step * step
                if gap >= step:
                    wanted.append((self._urgency(group, unit, near), group, n, gap))
        chosen: dict[Group, list[tuple[int, int]]] = {}
        floor = self._floor()
        infantry, vehicles = s.pools[side][INF_POOL] - floor[0], s.pools[side][VEH_POOL] - floor[1]
        for urgency, group, n, gap in sorted(wanted, reverse=True):
            kind = s.rules.types[s.utype[s.group_units[group][n - 1]]]
            points = min(gap, recruits.paid_by(kind, infantry, vehicles)) // step * step
            if points < step or urgency <= 0:
                continue
            men, tanks = recruits.price(kind, points)
            infantry, vehicles = infantry - men, vehicles - tanks
            chosen.setdefault(group, []).append((n, points))
        for group, lines in chosen.items():
            if self.order_list.orders(group):
                for n, points in lines:
                    self.order_list.give("replace", n, points)
        self.order_list.put_down()

    def _floor(self) -> tuple[int, int]:
        """Infantry and vehicle points that are kept: against partisans, and for the relief of depots."""
        if lesson.last_week(self.s):
            return 0, 0
        if self.side == AXIS:
            return (0 if self.s.year == 1941 else 150), 0
        return 0, (1000 if self.s.year == 1941 else 300)

    def _urgency(self, group: Group, unit: Unit, near: int) -> float:
        s = self.s
        most = s.rules.most[s.year][s.utype[unit]]
        gap = 1 - s.strength[unit] / most
        recruit = s.rules.recruits[s.year][s.utype[unit]]
        value = gap * (recruit / 40 + 0.4) * (1.5 if near <= 2 else 1.0)
        if KIND[group] == MECHANIZED:
            value *= 1.3 if recruit >= 50 else 0.8
        if recruit < 30 and s.experience[unit] >= 70 and gap < 0.35:
            value *= 0.4  # recruits would spoil a proven unit
        return value

    # ------------------------------------------------------------------ the line

    def _line(self) -> None:
        """Give every group that does not attack a place."""
        line = Line(self.s, self.side, self.situation, self.line_policy)
        taken: dict[Hex, int] = {}
        for group, plot in self.assault.plots.items():
            stays = plot.moves() is False
            end = self.s.hex[group]
            if not stays:
                target = self.s.rules.map.step[end][plot.first] if plot.first else end
                end = target if target >= 0 and not self.s.occ[1 - self.side] >> target & 1 else end
            taken[end] = taken.get(end, 0) + 1
        free = [g for g in self.situation.own if g not in self.assault.plots]
        free = [g for g in free if not (self.s.halted | self.s.moved | self.apart) >> g & 1]
        sent: dict[Group, Post] = {}
        for mission in (self._garrisons, self._errant):
            sent |= mission(free)
            free = [g for g in free if g not in sent]
        self.urgent = set(sent)
        for post in sent.values():
            taken[post.hex] = taken.get(post.hex, 0) + 1
        gathered = Assembly(self.assault, line, taken, free).plan() if self.policy.gather else {}
        free = [g for g in free if g not in gathered]
        for post in gathered.values():
            taken[post.hex] = taken.get(post.hex, 0) + 1
        back = withdrawals(line, free)
        sent |= back
        free = [g for g in free if g not in back]
        sent |= self._deserted(free)
        free = [g for g in free if g not in sent]
        self.posts = line.assign(free, taken) | gathered | sent
        self.fields = {g: self.situation.distances(1 << p.hex, self._ground()) for g, p in self.posts.items()}

    def _errant(self, free: list[Group]) -> dict[Group, Post]:
        """Groups that hunt raiders, and own raiders that come home."""
        found = {g: h for g, h in self.homeward.items() if g in free}
        found |= hunting.hunters(self.s, self.situation, [g for g in free if g not in found])
        return {g: Post(h, 0.0, 0.0) for g, h in found.items()}

    def _garrisons(self, free: list[Group]) -> dict[Group, Post]:
        """Groups that go to places behind the front before an enemy raids them."""
        return {g: Post(h, 0.0, 0.0) for g, h in rear.guards(self.s, self.situation, free).items()}

    def _deserted(self, free: list[Group]) -> dict[Group, Post]:
        """Groups that go for the cities of a beaten enemy, where they are nearer than the enemy's own groups."""
        situation = self.situation
        own, enemies = (sum(situation.power[g] for g in side) for side in (situation.own, situation.enemies))
        if enemies >= BEATEN * own:
            return {}
        offers = []
        for hex_ in members(situation.wanted):
            way = situation.distances(1 << hex_, self._ground())
            offers += [(way[self.s.hex[g]], g, hex_) for g in free if way[self.s.hex[g]] < situation.to_enemy[hex_]]
        chosen: dict[Group, Post] = {}
        for _, group, hex_ in sorted(offers):
            if group not in chosen and all(post.hex != hex_ for post in chosen.values()):
                chosen[group] = Post(hex_, 0.0, 0.0)
        return chosen

    def _ground(self) -> HexBits:
        return self.situation.board.passable & ~self.s.occ[1 - self.side]

    def _march(self) -> None:
        """Move every group to its place, those first that make room for others."""
        waiting = [g for g, post in self.posts.items() if self.s.hex[g] != post.hex]
        self._by_rail(waiting)
        for _ in range(3):
            left = []
            for group in sorted(waiting, key=lambda g: (self.fields[g][self.s.hex[g]], g)):
                if not self._march_one(group):
                    left.append(group)
            if len(left) == len(waiting):
                break
            waiting = left
        for group in waiting:
            self._shift(group)

    def _by_rail(self, waiting: list[Group]) -> None:
        """Those who have to be somewhere in time go by train, then the groups that gain most."""
        s = self.s
        line = s.own_line(self.side)
        offers = []
        for group in waiting:
            if not line >> s.hex[group] & 1 or s.artillery[group] > 60:
                continue
            field = self.fields[group]
            targets = strategic_move.rail_targets(s, group)
            if not targets:
                continue
            end = min(members(targets), key=lambda h: (field[h], h))
            gain = strategic_moves.weeks(s, KIND[group], field[s.hex[group]] - field[end])
            if gain >= RAIL_GAIN and field[end] < UNREACHABLE:
                offers.append((group in self.urgent, gain, group, end))
        for *_, group, end in sorted(offers, reverse=True):
            if not strategic_move.rail_moves_left(s, self.side):
                return
            if self.order_list.orders(group) and self.order_list.give("railmove", end):
                waiting.remove(group)
        self.order_list.put_down()

    def _march_one(self, group: Group) -> bool:
        """March as near to the place as possible; returns whether the group is on its way."""
        s = self.s
        field = self.fields[group]
        here = s.hex[group]
        if not s.group_units[group] or self._tired(group):
            return True
        found = ways(s, group)
        end = min(found, key=lambda h: (field[h] + self._unsafe(group, h), len(found[h])))
        if field[end] >= field[here] or end == here:
            return False
        if not self.order_list.orders(group):
            return True
        march(self.order_list, group, found[end])
        return True

    def _tired(self, group: Group) -> bool:
        """Too fatigued to march for nothing."""
        units = self.s.group_units[group]
        worst = max(self.s.fatigue[u] for u in units)
        return worst > 80 and self.situation.to_enemy[self.s.hex[group]] > 1

    def _unsafe(self, group: Group, hex_: Hex) -> float:
        """A march does not end adjacent to an enemy that is much stronger."""
        if self.situation.to_enemy[hex_] > 1 or self.posts[group].hex == hex_:
            return 0.0
        return 0.5

    def _shift(self, group: Group) -> None:
        """A group held by enemy zones takes one tactical step towards its place."""
        s = self.s
        if s.plot[group] or group in self.assault.plots or not movement.may_plot_move(s, group):
            return
        here, field = s.hex[group], self.fields[group]
        if s.entrench[group] >= 2 and field[here] > 1:
            return
        if max(s.fatigue[u] for u in s.group_units[group]) > 70:
            return
        best, way, open_ = field[here], 0, plot_ways.open_hexes(s, self.side)
        for direction in range(1, 7):
            there = s.rules.map.step[here][direction]
            if there < 0 or not open_ >> there & 1:
                continue
            if self.assault.room(there) <= 0:
                continue
            if field[there] < best:
                best, way = field[there], direction
        if way and self.order_list.orders(group):
            self.order_list.give("plot", Plot(way, 0, ADVANCE).number)
            self.assault.expect(s.rules.map.step[here][way])

    # ------------------------------------------------------------------ simulation

    def _simulate(self) -> None:
        """Simulate the week and change plots for the better."""
        self.order_list.put_down()
        if self.simulations <= 0 or not self.going():
            return
        s = self.s
        situation = Situation(s, self.side)
        situation.repulsed = self.repulsed
        times = 1 if s.goal is None else max(1, min(MOST_TIMES, WHOLE // max(1, len(situation.power))))
        simulation = Simulation(s, self.side, situation, self.policy, self.rng)
        plots = simulation.improve(self.going, self.simulations * times)
        self._replot(plots)

    def _replot(self, plots: Mapping[Group, PlotNumber]) -> None:
        """Give groups other plots, but for those that have their orders before all others."""
        for group in self.situation.own:
            number = plots.get(group, 0)
            if number == self.s.plot[group] or self.s.hex[group] == OFF or self.apart >> group & 1:
                continue
            if self.order_list.orders(group):
                if not number:
                    self.order_list.give("unplot")
                else:
                    self.order_list.give("plot", number)
        self.order_list.put_down()

    def _make_room(self) -> None:
        """6.7: take back plots that lead where there is no room; who stays behind may take the room of others."""
        while crowded := [g for g in without_room(self.s, self.side) if not self.apart >> g & 1]:
            if not (self.order_list.orders(crowded[-1]) and self.order_list.give("unplot")):
                break
        self.order_list.put_down()
