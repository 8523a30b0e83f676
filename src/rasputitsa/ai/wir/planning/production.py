"""Group adjustment and building: new units, fuller groups, aircraft, factories saved and built, units shipped."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import rear
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.core.actions import Action
from rasputitsa.wir.model.groups import may_hold
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    AIR_BITS,
    ART_POOL,
    COMBAT_BITS,
    ELITE_ENTRY,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    UNITS_PER_SIDE,
    VEH_POOL,
    UnitType,
    groups_of,
)
from rasputitsa.wir.model.theatre import AIRCRAFT, ARTILLERY, AXIS, INDUSTRY, PLANTS, SOVIET, VEHICLE
from rasputitsa.wir.rules.adjustment import build, recruits
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution import combat
from rasputitsa.wir.rules.execution.retreat import open_hexes, stands

MECH, RIFLE = "MECH", "RIFLE"
PZ, INF = "PZ", "INF"
"""What is built, by its name in the build menus (4.9)."""
AXIS_VEHICLES = 150
"""Vehicle points the Axis keeps back when it builds."""
SOVIET_VEHICLES = 400
"""Likewise the Soviets, from 1942 on; before that they have few other uses for what makes depots better (5.2)."""
DANGER = 3
"""An enemy this near threatens a city."""
OVERPOWERED = 1.5
"""This many times the strength around a city make it likely to fall."""
LONG_GAME = 60
"""Weeks: while more than this many are left, more industry is worth building."""
INDUSTRY_TARGET = 300
"""Factories of industry from which no more of them are built."""
VEHICLE_POOL_TARGET, ARTILLERY_POOL_TARGET = 1200, 800
"""Points in the pools from which no more factories of these kinds are built: what overflows is lost (8.5)."""
PLENTY = 700
"""Vehicles in the pool with which recruits man tanks before they fill up the infantry."""
LEAST_CORPS = 100
"""Points with which a mechanized corps is raised at least."""
DIVISION = 100
"""Points with which a mechanized division is raised."""
DIVISION_VEHICLES = 400
"""Vehicle points to spare from which such divisions are raised."""
WEAK = 3
"""Groups of at most this many units are put together in the same hex."""
NUMBERS_LEFT = 1
"""Unused numbers of infantry groups that are kept for more than garrisons."""
FORM_MECHANIZED, FORM_INFANTRY = build.FORMS


class Offer(NamedTuple):
    """A kind of unit as it may be built: its entry of the menu, what it is, and its largest strength."""

    entry: int
    kind: UnitType
    most: int

    def affordable(self, points: int, infantry: int, vehicles: int) -> int:
        """How many such units of some points the pools can pay."""
        return recruits.paid_by(self.kind, infantry, vehicles, points) if points else 0


def offer(s: State, side: Side, name: str) -> Offer | None:
    """What a side's menu says of a kind of unit; None if it is not on it."""
    entry = recruits.entry_of(s, side, name)
    if not entry:
        return None
    kind = recruits.kind_of(s, side, entry)
    return Offer(entry, s.rules.types[kind], s.rules.most[s.year][kind])


class Production:
    """Plans the adjustment phase of a side."""

    def __init__(self, s: State, side: Side, situation: Situation) -> None:
        self.order_list = OrderList(s)
        self.side = side
        self.situation = situation

    def plan(self) -> list[Action]:
        """All orders of the phase."""
        if self.s.goal is None:  # before a goal is decided no factory yields anything
            self._save_factories()
        self._merge()
        self._ship()
        self._aircraft()
        if self.s.goal is None:
            self._factories()
        self._garrison()
        self.build()
        return self.order_list.finish()

    @property
    def s(self) -> State:
        """The position as it is after the orders so far."""
        return self.order_list.s

    # ------------------------------------------------------------------ groups

    def _merge(self) -> None:
        """Weak groups that share a hex become one; where numbers run short stronger ones do too."""
        s = self.s
        short = {kind: unused(s, self.side, kind) < 3 for kind in (MECHANIZED, INFANTRY)}
        for here in list(s.at.values()):
            if len(here) < 2 or not all(COMBAT_BITS[self.side] >> g & 1 for g in here):
                continue
            small, big = sorted(here, key=lambda g: len(s.group_units[g]))[:2]
            most = WEAK if not short[KIND[small]] else 4
            if KIND[small] != KIND[big] or len(s.group_units[small]) > most:
                continue
            if len(s.group_units[small]) + len(s.group_units[big]) > s.rules.limits.units:
                continue
            self._move_all(small, big)

    def _move_all(self, source: Group, target: Group) -> None:
        s = self.s
        if not self.order_list.give("transfer", source, target):
            return
        if s.artillery[source]:
            self.order_list.give("guns", s.artillery[source])
        while self.order_list.kind == "transfer" and s.group_units[source]:
            fits = [n for n, u in enumerate(s.group_units[source], start=1) if may_hold(s, target, u)]
            if not fits or not self.order_list.give("send", fits[0]):
                break
        self.order_list.put_down()

    def _ship(self) -> None:
        """Units leave a port that is cut off, one a week on each sea."""
        s, seen = self.s, 0
        while seen < 3:
            seen += 1
            pairs = [a for a in self.order_list.legal() if a.verb == "naval"]
            leaving = [
                a for a in pairs
                if self._cut_off(a.args[0]) and not self._cut_off(a.args[1])
            ]  # fmt: skip
            if not leaving:
                return
            order = max(leaving, key=lambda a: self.situation.power.get(a.args[0], 0.0))
            if not self.order_list.give("naval", *order.args):
                return
            ship = [a for a in self.order_list.legal() if a.verb == "send"]
            if not ship:
                self.order_list.put_down()
                return
            units = s.group_units[order.args[0]]
            self.order_list.give(*_flat(max(ship, key=lambda a: combat.unit_strength(s, units[a.args[0] - 1]))))
            self.order_list.put_down()

    def _cut_off(self, group: Group) -> bool:
        return not open_hexes(self.s, group) and not self.situation.supplied_hexes >> self.s.hex[group] & 1

    def _aircraft(self) -> None:
        """Aircraft from the pool go to the groups at the front that have the fewest, those in danger left out."""
        s = self.s
        bases = s.on_map(groups_of(self.side, AIR))
        good = [g for g in bases if 2 <= self.situation.to_enemy[s.hex[g]] <= 8] or bases
        for group in sorted(good, key=lambda g: s.aircraft[g])[:2]:
            if self.order_list.give("reinforce", group):
                points = [a.args[0] for a in self.order_list.legal() if a.verb == "points"]
                if not points or not self.order_list.give(
                    "points", max(p for p in points if p <= 25 or p == points[0])
                ):
                    self.order_list.put_down()

    # ------------------------------------------------------------------ factories

    def _save_factories(self) -> None:
        """Dismantle the most factories among the cities about to fall."""
        s = self.s
        best, place = 0, -1
        for action in self.order_list.legal():
            if action.verb != "dismantle":
                continue
            hex_ = action.args[0]
            city = s.rules.map.city_at[hex_]
            if self.situation.to_enemy[hex_] > DANGER or not s.rules.map.cities[city].scores:
                continue
            if not self._in_danger(hex_):
                continue
            plants = sum(s.values[kind][city] for kind in PLANTS)
            if plants > best:
                best, place = plants, hex_
        if place >= 0:
            self.order_list.give("dismantle", place)

    def _in_danger(self, hex_: Hex) -> bool:
        """Whether the enemy may soon take a city: able to strike at it or next to it, and the stronger around. Out of a
        fortress nobody can be driven; there only a strike at itself counts."""
        situation, enemy = self.situation, 1 - self.side
        threat = situation.threat(hex_, enemy)
        for near in () if stands(self.s, hex_) else self.s.rules.map.reach_list[hex_]:
            threat = max(threat, 0.7 * situation.threat(near, enemy))
        if threat < OVERPOWERED * situation.defence(hex_, self.side):
            return False
        grid = self.s.rules.grid
        around = {self.s.hex[g] for g in situation.power if grid.distance(self.s.hex[g], hex_) <= DANGER}
        return sum(situation.defence(h, enemy) for h in around) >= OVERPOWERED * sum(
            situation.defence(h, self.side) for h in around
        )

    def _factories(self) -> None:
        """New factories, far from the front, for what is short; in long games heavy industry first."""
        s = self.s
        while True:
            sites = [a.args[0] for a in self.order_list.legal() if a.verb == "factory"]
            if not sites:
                return
            value = self._short_of()
            sites = [h for h in sites if build.has_room(s, s.rules.map.city_at[h], value)]
            if not sites:
                return
            place = max(sites, key=lambda h: (self.situation.to_enemy[h], -h))
            if not self.order_list.give("factory", place) or not self.order_list.give("works", value):
                self.order_list.put_down()
                return

    def _short_of(self) -> int:
        """The kind of factory that is wanted most."""
        s, pools = self.s, self.s.pools[self.side]
        if s.rules.turns - s.turn > LONG_GAME and economy.holdings(s, self.side, INDUSTRY) < INDUSTRY_TARGET:
            return INDUSTRY
        if pools[VEH_POOL] < VEHICLE_POOL_TARGET:
            return VEHICLE
        return ARTILLERY if pools[ART_POOL] < ARTILLERY_POOL_TARGET else AIRCRAFT

    # ------------------------------------------------------------------ building

    def _garrison(self) -> None:
        """Small groups stand up in empty cities in a raider's reach, or to go there, as long as numbers are left."""
        s = self.s
        sites, least = build.building_sites(s, self.side), s.rules.recruiting.least
        found = offer(s, self.side, (INF, RIFLE)[self.side])
        if found is None:
            return
        for hex_ in (*rear.unguarded(s, self.situation, sites), *rear.stations(s, self.situation, sites)):
            pools = s.pools[self.side]
            spare = found.affordable(least, pools[INF_POOL], pools[VEH_POOL])
            if not spare or unused(s, self.side, INFANTRY) <= NUMBERS_LEFT:
                return
            raise_group(self.order_list, hex_, FORM_INFANTRY, found.entry, least)

    def build(self) -> None:
        """New units where no enemy is near: groups already in the city are filled up first."""
        for _ in range(8):
            if not self._build_once():
                return

    def _spare(self) -> tuple[int, int]:
        pools = self.s.pools[self.side]
        if self.side == AXIS:
            keep_inf, keep_veh = 250 if self.s.year == 1941 else 200 if self._plenty() else 350, AXIS_VEHICLES
        else:
            better_depots = self.s.rules.relief.vehicles_per_bonus
            keep_inf, keep_veh = 0, better_depots if self.s.year < 1942 else SOVIET_VEHICLES
        return pools[INF_POOL] - keep_inf, pools[VEH_POOL] - keep_veh

    def _build_once(self) -> bool:
        s, side = self.s, self.side
        infantry, vehicles = self._spare()
        menu = self._menu(infantry, vehicles)
        if not menu:
            return False
        sites = [a.args[0] for a in self.order_list.legal() if a.verb == "build"]
        safe = [h for h in sites if self.situation.to_enemy[h] > 2]
        if not safe:
            return False
        form, entry, points, number = menu
        kind = build.FORMS[form]
        mates = {h: self._mate(h, kind) for h in safe}
        if not unused(s, side, kind):
            return False
        place = max(safe, key=lambda h: (bool(mates[h]), self._site(h)))
        mate = mates[place]
        room = s.rules.limits.units - len(s.group_units[mate]) if mate else s.rules.limits.units
        if not self.order_list.give("build", place):
            return False
        if not self.order_list.give("form", form):
            self.order_list.put_down()
            return False
        built = 0
        while built < min(number, room) and self.order_list.give("type", entry):
            offers = [a.args[0] for a in self.order_list.legal() if a.verb == "strength"]
            if not offers:
                break
            wanted = max([p for p in offers if p <= points] or [offers[0]])
            if not self.order_list.give("strength", wanted):
                break
            built += 1
        group = int(getattr(s.stack[-1], "group", 0))
        self.order_list.put_down()
        if mate and built and group and s.hex[group] == place:
            self._move_all(group, mate)
        return built > 0

    def _menu(self, infantry: int, vehicles: int) -> tuple[int, int, int, int] | None:
        """Form, entry, points of each and number of the units to build now."""
        s, side = self.s, self.side
        if s.free_slot(side) < 0:
            return None
        free = s.utype[side * UNITS_PER_SIDE : (side + 1) * UNITS_PER_SIDE].count(0)
        return (self._divisions, self._corps)[side](infantry, vehicles, free)

    def _corps(self, infantry: int, vehicles: int, free: int) -> tuple[int, int, int, int] | None:
        """The same for the Soviets: their mechanized corps are trained at once, others must learn (4.9)."""
        s, units = self.s, min(self.s.rules.limits.units, free)
        mech, rifle = offer(s, SOVIET, MECH), offer(s, SOVIET, RIFLE)
        if mech and s.year >= 1942 and vehicles >= LEAST_CORPS * mech.kind.vehicle and unused(s, SOVIET):
            if not mech.affordable(LEAST_CORPS, infantry, vehicles):
                return None
            points = min(mech.most, recruits.paid_by(mech.kind, infantry, vehicles))
            points -= points % s.rules.recruiting.step
            if points:
                number = min(units, mech.affordable(points, infantry, vehicles))
                return FORM_MECHANIZED, mech.entry, points, number
        if not rifle or rifle.affordable(rifle.most, infantry, vehicles) < 2:
            return None
        return FORM_INFANTRY, rifle.entry, rifle.most, min(units, rifle.affordable(rifle.most, infantry, vehicles))

    def _divisions(self, infantry: int, vehicles: int, free: int) -> tuple[int, int, int, int] | None:
        """The same for the Axis."""
        s = self.s
        elite, tanks, foot = offer(s, AXIS, ELITE_ENTRY), offer(s, AXIS, PZ), offer(s, AXIS, INF)
        if vehicles >= DIVISION_VEHICLES and unused(s, AXIS):
            if elite and s.year >= 1943 and infantry >= elite.kind.infantry * DIVISION and recruits.free_elite(s):
                # ready at once, while all other recruits of these years must learn (4.9)
                return FORM_MECHANIZED, elite.entry, DIVISION, 1
            if tanks and s.year >= 1942 and infantry >= (1 if self._plenty() else 2) * tanks.kind.infantry * DIVISION:
                number = min(3, tanks.affordable(DIVISION, infantry, vehicles), free)
                return FORM_MECHANIZED, tanks.entry, DIVISION, number
        if not foot or foot.affordable(foot.most, infantry, vehicles) < 3:
            return None
        return FORM_INFANTRY, foot.entry, foot.most, min(4, foot.affordable(foot.most, infantry, vehicles), free)

    def _plenty(self) -> bool:
        """Whether there are more vehicles than recruits to man them: what runs over is lost (8.5)."""
        return self.s.pools[self.side][VEH_POOL] >= PLENTY

    def _mate(self, hex_: Hex, kind: int) -> Group:
        """An own group in a city that new units may join."""
        s, full = self.s, self.s.rules.limits.units
        return next(
            (
                g for g in s.at.get(hex_, ())
                if KIND[g] == kind and not AIR_BITS[self.side] >> g & 1 and len(s.group_units[g]) < full - 1
            ),
            0,
        )  # fmt: skip

    def _site(self, hex_: Hex) -> float:
        """How good a city is for building: on the line, not too far from the front, nor too near."""
        near = self.situation.to_enemy[hex_]
        supplied = 6 if self.situation.supplied_hexes >> hex_ & 1 else 0
        return supplied - abs(near - 6) * (2.0 if near < 6 else 0.7)


def unused(s: State, side: Side, kind: int = MECHANIZED) -> int:
    """How many numbers of a kind of groups are unused."""
    return sum(s.hex[g] == OFF for g in groups_of(side, kind))


def raise_group(order_list: OrderList, place: Hex, form: int, entry: int, points: int) -> bool:
    """Raise a group of one unit in a city; returns whether it could be."""
    done = (
        order_list.give("build", place)
        and order_list.give("form", form)
        and order_list.give("type", entry)
        and order_list.give("strength", points)
    )
    order_list.put_down()
    return done


def _flat(action: Action) -> tuple[str, int]:
    return action.verb, action.args[0]
