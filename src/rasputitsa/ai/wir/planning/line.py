"""The line: which group holds which hex of the front, stands behind it, or guards a city."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.geography import geography
from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation
from rasputitsa.ai.wir.planning import sectors, strategic_moves
from rasputitsa.ai.wir.planning.assignment import assign
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND, MECHANIZED
from rasputitsa.wir.rules.execution import casualties, combat, retreat
from rasputitsa.wir.rules.movement.fatigue import weather_factor

WATER, BACK, AHEAD, BARRED = 0.3, 0.4, 0.7, 6.0
"""Prices of a line across water, for each step too far from the enemy or from the own groups, through the enemy."""


AT_FRONT, FROM_REAR = 3, 0.2
"""Groups farther from the enemy than this have nothing better to do than to come up."""
OUT_OF_SUPPLY_COST = 0.12
"""Share of a group's strength that it costs to leave supply, and that it is worth to come back into supply."""
FAR_OFF = 20.0
"""What a step costs a group that the goal of a lesson wants in supply."""
AWAY = 12.0
"""What it costs to take a place in the next sector of the front."""
NEARNESS = (1.0, 1.0, 1.0, 0.5, 0.2, 0.05)
"""How much a city's worth counts, by the steps from the enemy."""
LAST_EXIT = 1
"""With so few ways out a group could be cut off."""
FOOT, THRUST_FADES = 0.3, 0.6
"""How much of the main effort concerns infantry, and how it fades with the distance."""


class LinePolicy(NamedTuple):
    """How a side holds its line."""

    push: int = 0
    """How far the line is moved towards the enemy."""
    hold: float = 26.0
    """What holding a hex of the front is worth."""
    caution: float = 1.0
    """Weight of what a group stands to lose where it is put."""
    city: float = 0.5
    """Weight of a city's worth."""
    thrust: float = 0.0
    """What a place in the main effort is worth to a mechanized group."""
    pull: float = 0.3
    """Weight of the way to the enemy's cities."""
    lag: float = 0.82
    """What is left of a place's worth for each week it takes to get there."""
    bulge: float = 0.5
    """Worth of a place off the main line, compared with one in it."""
    second: float = 0.55
    """Worth of a second group in a place, compared with the first."""
    rest: float = 0.0
    """Weight of the relief that depots bring to a place."""
    sectors: bool = False
    """Whether groups keep to their sector of the front."""
    encirclements: bool = False
    """Whether fast groups march behind the enemy to cut off what stands there."""
    onward: float = 0.0
    """What a step nearer to the enemy is worth of a group's strength."""
    walk: float = 0.05
    """What a step costs of the strength that fatigue would take."""
    depth: float = 0.4
    """Worth of a place behind the line, compared with one in it."""


@dataclass(slots=True)
class Post:
    """A place for one group."""

    hex: Hex
    value: float
    need: float
    """Strength that should stand there."""
    second: bool = False


class Line:
    """Finds the places of a side and who takes them."""

    def __init__(self, s: State, side: Side, situation: Situation, line_policy: LinePolicy) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.situation = situation
        self.line_policy = line_policy
        self.threats: dict[Hex, float] = {}
        self._exits: dict[Hex, int] = {}
        self._shelters: dict[Hex, float] = {}
        self.thrusts: list[Hex] = []
        self.homes = sectors.homes(situation) if line_policy.sectors else {}
        self.tired = {g: self._tiredness(g) for g in situation.own}
        self.draw = 0.0
        """Mean pull of the front: what lies above draws more groups."""

    def _tiredness(self, group: Group) -> float:
        """The strength that fatigue takes from a group."""
        s = self.s
        return sum(s.strength[u] * s.experience[u] * s.fatigue[u] for u in s.group_units[group]) / combat.UNIT

    # ------------------------------------------------------------------ places

    def posts(self) -> list[Post]:
        """All places worth a group, two for a hex that one cannot hold."""
        situation, line_policy = self.situation, self.line_policy
        front = situation.front(line_policy.push) & ~self.s.occ[self.enemy]
        pulls = [situation.pull[h] for h in members(front) if situation.to_enemy[h] <= 6]
        self.draw = sum(pulls) / len(pulls) if pulls else 0.0
        self.thrusts = self._main_efforts(front)
        found: list[Post] = []
        main = self.main_line(front)
        for hex_ in members(front | main):
            near = situation.to_enemy[hex_]
            if near > 6:
                continue
            value = line_policy.hold * (1.0 if near <= 2 else 0.75 if near == 3 else 0.4)
            if not main >> hex_ & 1:
                value *= line_policy.bulge
            value += self._extra(hex_)
            threat = self.threat(hex_)
            found.append(Post(hex_, value, threat))
            found.append(Post(hex_, value * line_policy.second * (1.0 if threat > 60 else 0.6), threat, True))
        found += self._rear(front | main)
        return found

    def _main_efforts(self, front: HexBits) -> list[Hex]:
        """In each part of the map the place of the front in supply from which the most valuable cities are nearest."""
        board, situation = self.situation.board, self.situation
        found = []
        for first, last in geography().main_efforts:
            places = [
                h for h in members(front & situation.supplied_hexes)
                if first <= board.row(h) <= last and situation.to_enemy[h] <= 3
            ]  # fmt: skip
            if places:
                found.append(max(places, key=lambda h: (situation.pull[h], -h)))
        return found

    def main_line(self, front: HexBits) -> HexBits:
        """The shortest line from the north edge of the map to the south edge that keeps to the front."""
        s, grid, situation = self.s, self.s.rules.grid, self.situation
        price = [0.0] * grid.size
        closed = s.occ[self.enemy] | s.city_hexes[self.enemy]
        entrenched = sum({1 << s.hex[g] for g in situation.own if s.entrench[g]})
        for hex_ in members(grid.board):
            if not situation.board.passable >> hex_ & 1:
                price[hex_] = WATER
                continue
            near, far = situation.to_enemy[hex_], situation.to_own[hex_]
            cost = 1.0 if front >> hex_ & 1 else 1.3
            cost += BACK * max(0, min(near, 12) - 2) + AHEAD * max(0, far - 1)
            if closed >> hex_ & 1:
                cost += BARRED
            if entrenched >> hex_ & 1:
                cost -= 0.3
            if s.city_hexes[self.side] >> hex_ & 1:
                cost -= 0.25
            price[hex_] = cost - 0.1 * min(2.0, self.shelter(hex_) - 1)
        best: dict[Hex, float] = {}
        came: dict[Hex, Hex] = {}
        queue = []
        for column in range(grid.rows):
            start = column * grid.stride
            best[start] = price[start]
            queue.append((price[start], start))
        heapify(queue)
        last = -1
        while queue:
            cost, here = heappop(queue)
            if cost > best[here]:
                continue
            if here % grid.stride == grid.columns - 1:
                last = here
                break
            for there in grid.neighbours[here]:
                if there >= 0 and cost + price[there] < best.get(there, 1e9):
                    best[there] = cost + price[there]
                    came[there] = here
                    heappush(queue, (best[there], there))
        found = 0
        while last >= 0:
            found |= 1 << last
            last = came.get(last, -1)
        return found & situation.board.passable & ~closed

    def _extra(self, hex_: Hex) -> float:
        """What a hex means beyond its place in the line."""
        situation = self.situation
        value = max(-8.0, min(15.0, (situation.pull[hex_] - self.draw) * self.line_policy.pull * 0.3))
        for there in situation.board.reach_list[hex_]:
            if situation.behind >> there & 1:
                value += 0.4 * situation.nuisance(there)  # an enemy in the rear is to be hunted down
                break
        if situation.kept >> hex_ & 1:
            value += situation.worth[hex_] * self.line_policy.city * NEARNESS[min(5, situation.to_enemy[hex_])]
        return value + 8.0 * (self.shelter(hex_) - 1)

    def _rear(self, front: HexBits) -> list[Post]:
        """Cities within the enemy's reach, and hexes behind the front where reserves stand."""
        s, situation = self.s, self.situation
        grid, board = s.rules.grid, s.rules.map
        found = []
        scoring = sum(1 << city.hex for city in board.cities if city.scores)
        for hex_ in members(situation.kept & ~front & (scoring | ~board.city_hexes)):
            near = situation.to_enemy[hex_]
            if near <= 5:
                value = situation.worth[hex_] * self.line_policy.city * 0.8 * NEARNESS[near]
                found.append(Post(hex_, min(value, 1.2 * self.line_policy.hold), self.threat(hex_)))
        closed = s.occ[self.enemy] | s.city_hexes[self.enemy] | front
        behind = grid.spread(front) & board.passable & ~closed
        behind |= grid.spread(behind) & board.passable & ~closed
        for hex_ in members(behind):
            if 2 <= situation.to_enemy[hex_] <= 6 and situation.to_own[hex_] < UNREACHABLE:
                value = self.line_policy.hold * self.line_policy.depth * (1.0 if situation.to_enemy[hex_] <= 3 else 0.7)
                value += 0.4 * 8.0 * (self.shelter(hex_) - 1)
                if situation.supplied_hexes >> hex_ & 1:
                    value += 3.0
                if s.own_line(self.side) >> hex_ & 1:
                    value += 1.0
                found.append(Post(hex_, value, 0.4 * self.threat(hex_)))
        return found

    def threat(self, hex_: Hex) -> float:
        """Strength with which the enemy might attack a hex."""
        found = self.threats.get(hex_)
        if found is None:
            found = self.threats[hex_] = 0.6 * self.situation.threat(hex_, self.enemy)
        return found

    def shelter(self, hex_: Hex) -> float:
        """By how much terrain and rivers weaken attacks on a hex, on average over the ways the enemy may come."""
        found = self._shelters.get(hex_)
        if found is None:
            found = self._shelters[hex_] = self._shelter(hex_)
        return found

    def _shelter(self, hex_: Hex) -> float:
        s, near = self.s, self.situation.to_enemy
        ways = [h for h in s.rules.map.reach_list[hex_] if near[h] < near[hex_]]
        if not ways:
            return 1.0
        terrain = combat.ground(s, hex_)
        return sum([combat.terrain_divisor(s, h, hex_, terrain) for h in ways]) / len(ways)

    # ------------------------------------------------------------------ who goes where

    def assign(self, groups: list[Group], taken: dict[Hex, int]) -> dict[Group, Post]:
        """A place for each of some groups; ``taken`` says how many groups stay in a hex anyway."""
        posts = self._open_posts(taken)
        if not groups or not posts:
            return {}
        fields = {g: self._way(g) for g in groups}
        cost = [[-self._benefit(g, post, fields[g]) for post in posts] + [0.0] * len(groups) for g in groups]
        found: dict[Group, Post] = {}
        for group, column in zip(groups, assign(cost), strict=True):
            if 0 <= column < len(posts):
                found[group] = posts[column]
        return found

    def _open_posts(self, taken: dict[Hex, int]) -> list[Post]:
        found = []
        for post in self.posts():
            here = taken.get(post.hex, 0)
            if here >= self.s.rules.limits.stack or (
                here == 1 and not post.second and self.situation.to_enemy[post.hex] <= 2
            ):
                continue
            found.append(post)
        return found

    def _way(self, group: Group) -> list[int]:
        """Steps of a group to every hex, around the enemy."""
        land = self.situation.board.passable & ~self.s.occ[self.enemy]
        return self.situation.distances(1 << self.s.hex[group], land)

    def weeks(self, group: Group, steps: int, hex_: Hex) -> float:
        """Weeks a group needs for a way."""
        if not steps:
            return 0.0
        march = strategic_moves.weeks(self.s, KIND[group], steps)
        line = self.s.own_line(self.side)
        if steps > 4 and line >> self.s.hex[group] & 1 and line >> hex_ & 1:
            return min(march, 2.0)
        return march

    def _benefit(self, group: Group, post: Post, way: list[int]) -> float:
        steps = way[post.hex]
        if steps >= UNREACHABLE:
            return -50.0
        s, line_policy = self.s, self.line_policy
        power = self.situation.power[group]
        entrenchment = s.entrench[group] if steps == 0 else 0
        value = post.value
        if not post.second or post.need > 0:
            value *= min(1.0, 0.35 + 0.65 * combat.entrenched(s, power, entrenchment) / max(40.0, post.need / 2.2))
        if post.need > 0 and not post.second:
            value -= line_policy.caution * self.peril(power, entrenchment, post)
        value *= line_policy.lag ** self.weeks(group, steps, post.hex) if value > 0 else 1.0
        near, here = self.situation.to_enemy, s.hex[group]
        walk = line_policy.walk * self.situation.strain[group] * (1.0 if near[here] <= AT_FRONT else FROM_REAR)
        value -= (0.3 + walk * weather_factor(s, self.side)) * steps
        asked = lesson.to_supply(s, self.side) >> group & 1
        if asked:
            value -= FAR_OFF * steps
        else:
            value += line_policy.onward * power * (max(1, near[here]) - max(1, near[post.hex]))
        if steps == 0:
            dug = entrenchment and near[post.hex] <= 2
            value += 0.5 + (2.5 + 0.05 * power * entrenchment + 0.02 * s.artillery[group] if dug else 0.0)
        value += line_policy.rest * self.tired[group] * self.situation.relief[post.hex]
        if self.homes and (home := self.homes[group]) != (there := sectors.sector(self.situation, post.hex)):
            value -= AWAY * abs(home - there)
        supplied = self.situation.supplied_hexes
        value += (lesson.PLACE if asked else OUT_OF_SUPPLY_COST * power) * (
            (supplied >> post.hex & 1) - (supplied >> s.hex[group] & 1)
        )
        if line_policy.thrust and self.thrusts:
            far = min(self.s.rules.grid.distance(post.hex, h) for h in self.thrusts)
            share = 1.0 if KIND[group] == MECHANIZED else FOOT
            value += line_policy.thrust * share * THRUST_FADES**far
        return value

    def peril(self, power: float, entrenchment: int, post: Post) -> float:
        """What a group may expect to lose in a place."""
        if not power:
            return 0.0
        s, rules = self.s, self.s.rules
        odds = min(10.0, post.need / combat.entrenched(s, power, entrenchment))
        if odds < 1:
            return 0.0
        loss = casualties.defender_percent(odds, rules.losses) / 100
        if not retreat.stands(s, post.hex, casualties.entrenchment_left(entrenchment, odds, rules.entrenchment)):
            gone = retreat.chance(odds, rules.flight) / 100
            loss += gone * (0.2 + (0.8 if self.exits(post.hex) <= LAST_EXIT else 0.0))
        return power * min(1.0, loss)

    def exits(self, hex_: Hex) -> int:
        """How many hexes a group could retreat into from a hex (7.7), as things stand."""
        found = self._exits.get(hex_)
        if found is None:
            ways = retreat.open_to(self.s, self.side, hex_, self.situation.enemy_zone)
            found = self._exits[hex_] = ways.bit_count()
        return found
