"""What a side wants on the map: what each hex is worth to hold, to take, and where units should be drawn."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, StaticKnowledge, knowledge_of
from rasputitsa.core.caching import cached_up_to
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS


class Worth(NamedTuple):
    """What hexes are worth to a side: hex by hex, and as sets of hexes of (nearly) one value."""

    value: list[float]
    layers: tuple[tuple[int, float], ...]

    def of(self, hexes: HexBits) -> float:
        """The worth of a set of hexes together."""
        return sum(((hexes & mask).bit_count() * value for mask, value in self.layers), 0.0)


class Valuation(NamedTuple):
    """What hexes are worth to one side in one position."""

    side: Side
    worth: Worth
    """What ground is worth to hold."""
    pull: list[float]
    """How near each hex is to what the side wants; greater is better."""
    gain: list[float]
    """What driving the enemy out of each hex is worth."""

    @property
    def value(self) -> list[float]:
        """The worth of each hex."""
        return self.worth.value


def valuation_of(s: State, side: Side) -> Valuation:
    """What hexes are worth to a side now."""
    if s.goal is not None:
        pull, gain, value = lesson.pull_and_gain(s, side)
        return Valuation(side, _layers(value), pull, gain)
    return _valuation(s.rules, side, s.control & s.rules.map.towns)


@cached_up_to(256)
def _valuation(rules: Ruleset, side: Side, axis_towns: HexBits) -> Valuation:
    knowledge = knowledge_of(rules)
    worth = _axis_worth(rules) if side == AXIS else _soviet_worth(rules)
    won = sum(v for h, v in knowledge.victory.items() if axis_towns >> h & 1)
    urgent = 2.0 if won >= knowledge.needed - 2 else 1.0
    goals = _goals(knowledge, side, axis_towns)
    pull = _pull(knowledge, goals)
    return Valuation(side, worth, pull, _gain(knowledge, side, pull, axis_towns, urgent))


def _goals(knowledge: StaticKnowledge, side: Side, axis_towns: HexBits) -> tuple[tuple[Hex, float], ...]:
    """Hexes to be won, and how much nearer they count for being worth more."""
    if side == AXIS:
        stolen = tuple((h, 30.0) for h in knowledge.soviet_goals if not axis_towns >> h & 1)
        if stolen:
            return stolen
        return tuple((h, 2.0 * v) for h, v in knowledge.victory.items() if not axis_towns >> h & 1)
    lost = tuple((h, 3.0 * v) for h, v in knowledge.victory.items() if axis_towns >> h & 1)
    return lost or tuple((h, 0.0) for h in knowledge.victory)


@cached_up_to(64)
def _pull(knowledge: StaticKnowledge, goals: tuple[tuple[int, float], ...]) -> list[float]:
    fields = [(knowledge.field(h), bonus) for h, bonus in goals]
    pull = [0.0] * knowledge.grid.size
    for hex_ in members(knowledge.land):
        pull[hex_] = max((bonus - field[hex_] for field, bonus in fields), default=-float(UNREACHABLE))
    return pull


def _gain(knowledge: StaticKnowledge, side: Side, pull: list[float], axis_towns: HexBits, urgent: float) -> list[float]:
    gain = [0.0] * knowledge.grid.size
    for hex_ in members(knowledge.land):
        gain[hex_] = 0.5 + 0.05 * max(-20.0, pull[hex_])
    for hex_, place in knowledge.board.places.items():
        if bool(axis_towns >> hex_ & 1) == (side == AXIS):
            continue
        gain[hex_] += {"major": 1.5, "city": 0.5, "town": 0.2}[place.kind]
        gain[hex_] += (6.0 if side == AXIS else 4.0) * urgent * place.victory
    for hex_ in knowledge.soviet_goals:
        if bool(axis_towns >> hex_ & 1) != (side == AXIS):
            gain[hex_] += 60.0 if side == AXIS else 20.0
    for hex_ in members(knowledge.fuel[AXIS]):
        if bool(axis_towns >> hex_ & 1) != (side == AXIS):
            gain[hex_] += 15.0 if side == AXIS else 5.0
    return gain


def _layers(value: list[float]) -> Worth:
    found: dict[float, int] = {}
    for hex_, worth in enumerate(value):
        if worth:
            key = round(worth, 2)
            found[key] = found.get(key, 0) | 1 << hex_
    return Worth(value, tuple((mask, worth) for worth, mask in found.items()))


@cached_up_to(16)
def _soviet_worth(rules: Ruleset) -> Worth:
    knowledge = knowledge_of(rules)
    value = [0.0] * rules.grid.size
    for hex_ in members(knowledge.land):
        nearest = min((knowledge.field(h)[hex_] - 2 * v for h, v in knowledge.victory.items()), default=9)
        value[hex_] = 0.06 + max(0.0, 0.02 * min(6, 6 - nearest))
    for hex_, place in rules.map.places.items():
        value[hex_] += {"major": 2.5, "city": 0.8, "town": 0.3}[place.kind] + 7.0 * place.victory
        if place.factory:
            value[hex_] += 2.0
    return _layers(value)


@cached_up_to(16)
def _axis_worth(rules: Ruleset) -> Worth:
    knowledge = knowledge_of(rules)
    value = [0.0] * rules.grid.size
    for hex_ in members(knowledge.land):
        value[hex_] = 0.01
    for hex_, place in rules.map.places.items():
        value[hex_] += {"major": 0.4, "city": 0.1, "town": 0.05}[place.kind] + 5.0 * place.victory
    for hex_ in knowledge.soviet_goals:
        value[hex_] += 80.0
    for hex_ in members(knowledge.fuel[AXIS]):
        value[hex_] += 15.0
    return _layers(value)
