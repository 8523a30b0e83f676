"""7.1 Air strikes, and 7.7 what becomes of air groups that are overrun."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.chance import between, percent
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import counted
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.figures import half_up
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, Side
from rasputitsa.wir.model.marks import city_name, group_mark, groups_marks, hex_mark
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, AIR_BITS, AIR_POOL, group_side, groups_of
from rasputitsa.wir.model.theatre import AXIS, PLANT_NAMES, PLANTS, SOVIET
from rasputitsa.wir.rules.execution.casualties import blast
from rasputitsa.wir.rules.movement.air_plots import BOMB, strike_of

GROUPS_OF: Final = tuple(groups_of(side, AIR) for side in (AXIS, SOVIET))


class Raid(NamedTuple):
    """An air strike on its way."""

    group: Group
    side: Side
    target: Hex
    manner: int
    escorted: bool


def raids(s: State) -> list[Raid]:
    """The strikes of both sides in group order. One whose target is no longer there is called off."""
    found = []
    for side in (AXIS, SOVIET):
        for group in GROUPS_OF[side]:
            strike = strike_of(s, group)
            if strike is None or not s.aircraft[group]:
                continue
            target, manner = strike
            there = s.city_hexes[1 - side] if manner == BOMB else s.occ[1 - side]
            if there >> target & 1:
                found.append(Raid(group, side, target, manner, escorted(s, group, target)))
    return found


def escorted(s: State, group: Group, target: Hex) -> bool:
    """Whether a strike has fighter escort: the target is within the range of escorts from its base."""
    return s.rules.grid.distance(s.hex[group], target) <= s.rules.raids.escort


def interceptors(s: State, raid: Raid) -> list[tuple[Group, float]]:
    """The enemy air groups that meet a raid, with the aircraft points each commits."""
    near, enemy = s.rules.intercept_area[raid.target], 1 - raid.side
    ready = s.supplied & ~s.moved & AIR_BITS[enemy]
    found = []
    for group in members(ready):
        if s.hex[group] < 0 or not near >> s.hex[group] & 1 or not s.aircraft[group]:
            continue
        own = strike_of(s, group)
        busy = own is not None and escorted(s, group, own[0])
        found.append((group, s.aircraft[group] / s.rules.raids.busy if busy else float(s.aircraft[group])))
    return found


def effectiveness(s: State, side: Side, points: float) -> float:
    """Aircraft points as they count in air to air combat."""
    return points * s.rules.raids.axis if side == AXIS else points


def combat_losses(s: State, side: Side, points: int, met: float, *, escort: bool) -> tuple[float, float]:
    """The points that a raid of a side loses to those that meet it, and those that they lose, before the dice."""
    rules, manner = s.rules.raids, "escorted" if escort else "alone"
    lost = effectiveness(s, 1 - side, met) * rules.raid_loss[manner] / 100
    return lost, effectiveness(s, side, points) * rules.interceptor_loss[manner] / 100


def expected_losses(s: State, side: Side, points: int, met: float, *, escort: bool) -> tuple[float, float]:
    """The points that a raid of a side loses on average, flak included, and those that the ones that meet it lose."""
    flak = points * sum(s.rules.raids.flak) / 200
    if not met:
        return flak, 0.0
    lost, inflicted = combat_losses(s, side, points, met, escort=escort)
    return flak + min(points, lost), min(met, inflicted)


def bombers(s: State, side: Side, points: float) -> float:
    """The German aircraft points that those of a side equal as bombers (7.1)."""
    return points / s.rules.raids.soviet_bombers if side == SOVIET else points


def expected_effect(s: State, side: Side) -> float:
    """The German aircraft points of full effect that a point of a side comes to on average in the present weather."""
    rules = s.rules.raids
    return (1 - rules.overcast[s.weather] / 100) * rules.weather[s.weather] * bombers(s, side, 1.0)


def _dogfight(s: State, context: Context, raid: Raid) -> None:
    enemies = interceptors(s, raid)
    if not enemies:
        return
    low, high = s.rules.raids.spread
    committed = sum(points for _, points in enemies)
    against, inflicted = combat_losses(s, raid.side, s.aircraft[raid.group], committed, escort=raid.escorted)
    lost = min(s.aircraft[raid.group], half_up(against * between(context, "air", low, high) / 100))
    inflicted = inflicted * between(context, "air", low, high) / 100
    total = 0
    for group, points in enemies:
        loss = min(s.aircraft[group], half_up(inflicted * points / committed))
        s.aircraft[group] -= loss
        total += loss
    s.aircraft[raid.group] -= lost
    context.note(Intercepted(raid.group, raid.target, tuple(group for group, _ in enemies), lost, total))


def strikes(s: State, context: Context) -> None:
    """7.1: first the fighting in the air for all strikes, then all bombing."""
    flying = raids(s)
    for raid in flying:
        if s.aircraft[raid.group]:
            _dogfight(s, context, raid)
    for raid in flying:
        if s.aircraft[raid.group]:
            _bomb(s, context, raid)


def _bomb(s: State, context: Context, raid: Raid) -> None:
    group, enemy = raid.group, 1 - raid.side
    low, high = s.rules.raids.flak
    s.aircraft[group] -= half_up(s.aircraft[group] * between(context, "air", low, high) / 100)
    context.note(RaidFlown(group, raid.target, raid.manner))
    if percent(context, "air", s.rules.raids.overcast[s.weather]):
        context.note(TargetHidden(raid.target))
    elif raid.manner == BOMB:
        _bomb_city(s, context, raid)
    else:
        points = bombers(s, raid.side, s.aircraft[group])
        blast(s, context, raid.target, enemy, points, s.rules.raids.weather[s.weather])


def factory_chances(s: State, side: Side, points: int) -> list[float]:
    """The percent chances of bombers to destroy factories: one for every 50 points begun."""
    rules = s.rules.raids
    effect = rules.factory_chance * rules.weather[s.weather] / (rules.soviet_bombers if side == SOVIET else 1)
    blocks = [rules.block] * (points // rules.block) + ([points % rules.block] if points % rules.block else [])
    return [effect * block / rules.block for block in blocks]


def _bomb_city(s: State, context: Context, raid: Raid) -> None:
    city = s.rules.map.city_at[raid.target]
    for chance in factory_chances(s, raid.side, s.aircraft[raid.group]):
        standing = [plant for plant in PLANTS if s.values[plant][city]]
        if standing and percent(context, "air", chance):
            plant = standing[context.roll("air", len(standing)) - 1] if len(standing) > 1 else standing[0]
            s.values[plant][city] -= 1
            context.note(PlantHit(city, plant))


def destroy(s: State, context: Context, group: Group) -> None:
    """7.7: an air group driven from its field is destroyed; half its aircraft go to the pool, and the group comes
    back in a turn or two."""
    context.note(AirDestroyed(group, s.hex[group]))
    s.gain(group_side(group), AIR_POOL, s.aircraft[group] // s.rules.raids.saved)
    s.aircraft[group] = 0
    s.lift(group)
    low, high = s.rules.raids.back
    s.returning = (*s.returning, (group, s.turn + between(context, "air", low, high)))


def fields(s: State, side: Side) -> list[Hex]:
    """Where a destroyed air group may come back: hexes of own depots that are held and have room."""
    held = s.control if side == AXIS else ~s.control
    starts = (hex_ for group, hex_ in sorted(s.rules.depot_hex.items()) if group_side(group) == side)
    closed = s.occ[1 - side] | s.full[side] | s.city_hexes[1 - side] | ~s.rules.map.passable
    return [hex_ for hex_ in starts if held >> hex_ & 1 and not closed >> hex_ & 1]


def come_back(s: State, context: Context) -> None:
    """At the end of a turn: air groups due next turn come back, without aircraft; with no field free they wait."""
    waiting = []
    for group, turn in s.returning:
        free = fields(s, group_side(group)) if turn <= s.turn + 1 else []
        if not free:
            waiting.append((group, turn))
            continue
        hex_ = free[context.roll("air", len(free)) - 1] if len(free) > 1 else free[0]
        s.place(group, hex_)
        s.aircraft[group] = 0
        context.note(AirBack(group, hex_))
    s.returning = tuple(waiting)


@event("intercepted", "7.1", "unit", "hex", "units", "number", "number")
class Intercepted(Event):
    """An air strike is intercepted."""

    group: Group
    target: Hex
    interceptors: tuple[Group, ...]
    lost: int
    enemy_lost: int

    def words(self, s: State) -> str:
        return (
            f"{group_mark(s, self.group)} on its way to {hex_mark(s, self.target)} is intercepted by "
            f"{groups_marks(s, self.interceptors)}: {counted(self.lost, 'point')} lost against "
            f"{counted(self.enemy_lost, 'point')}"
        )


@event("raid", "7.1", "unit", "hex", "manner")
class RaidFlown(Event):
    """An air strike reaches its target."""

    group: Group
    target: Hex
    manner: int

    def words(self, s: State) -> str:
        verb = "bombs the city in" if self.manner == BOMB else "attacks the groups in"
        return f"{group_mark(s, self.group)} {verb} {hex_mark(s, self.target)}"


@event("overcast", "7.1", "hex")
class TargetHidden(Event):
    """Clouds hide the target of an air strike."""

    hex: Hex

    def words(self, s: State) -> str:
        return f"Clouds hide {hex_mark(s, self.hex)}"


@event("plant_hit", "7.1", "place", "works")
class PlantHit(Event):
    """An air strike destroys a factory."""

    city: CityNumber
    works: int

    def words(self, s: State) -> str:
        return f"{city_name(s, self.city)}: a factory destroyed ({PLANT_NAMES[self.works]})"


@event("air_destroyed", "7.7", "unit", "hex")
class AirDestroyed(Event):
    """An air group is destroyed on its field."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} is destroyed on its field in {hex_mark(s, self.hex)}"


@event("air_back", "7.7", "unit", "hex")
class AirBack(Event):
    """An air group is formed again."""

    group: Group
    hex: Hex

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} is formed again in {hex_mark(s, self.hex)}"
