"""Raids behind the enemy: a fast group goes week by week to what is left without a guard."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.strategic_moves import march, ways
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, PlotNumber
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.movement import fatigue, plot_ways

MOST_FATIGUE = 75
"""A group with a unit more fatigued than this rests instead."""
NEXT_TO_ENEMY = 0.4
"""What it costs, in steps, to end a week adjacent to an enemy."""


class RaidWeek(NamedTuple):
    """What a group does in one week of a raid: it marches, or it is given a plot, or neither."""

    end: Hex
    left: int
    """Steps that are left then; UNREACHABLE if there is no way."""
    way: tuple[Hex, ...] = ()
    plot: PlotNumber = 0


def towards(s: State, situation: Situation, group: Group, goal: Hex) -> RaidWeek:
    """The week that brings a group nearest to a goal, around all enemies. Strategic movement does not lead into an
    enemy city (8.8); the last steps are plotted."""
    land = situation.board.passable & ~s.occ[situation.enemy]
    field = situation.distances(1 << goal, land | 1 << goal)
    here = s.hex[group]
    best = RaidWeek(here, field[here])
    if (
        field[here] >= UNREACHABLE
        or not s.group_units[group]
        or max(s.fatigue[unit] for unit in s.group_units[group]) > MOST_FATIGUE
    ):
        return best
    for hex_, way in ways(s, group).items():
        if way and _price(situation, field, hex_) < _price(situation, field, best.end):
            best = RaidWeek(hex_, field[hex_], tuple(way))
    for plot, _, end in plots(s, situation, group):
        if _price(situation, field, end) < _price(situation, field, best.end):
            best = RaidWeek(end, field[end], plot=plot.number)
    return best


def _price(situation: Situation, field: list[int], hex_: Hex) -> float:
    return field[hex_] + NEXT_TO_ENEMY * (field[hex_] > 0 and bool(situation.enemy_zone >> hex_ & 1))


def plots(s: State, situation: Situation, group: Group) -> list[plot_ways.Way]:
    """The plots that lead a group into empty hexes; no two steps through rough ground."""
    open_ = plot_ways.open_hexes(s, situation.side)
    return [way for way in plot_ways.ways(s, group, open_) if not way.plot.second or not fatigue.rough(s, way.via)]


def order(order_list: OrderList, group: Group, week: RaidWeek) -> bool:
    """Give a group the orders of a week; returns whether there were any."""
    if not (week.way or week.plot) or not order_list.orders(group):
        return False
    if week.way:
        march(order_list, group, week.way)
    else:
        order_list.give("plot", week.plot)
    order_list.put_down()
    return True


def unguarded(s: State, situation: Situation) -> HexBits:
    """Enemy cities in which no enemy group stands."""
    return s.city_hexes[situation.enemy] & ~s.occ[situation.enemy]


def targets(s: State, situation: Situation, group: Group, goals: HexBits) -> list[tuple[float, Hex]]:
    """Goals in the order in which a group had best raid them: worth over the way to them."""
    land = situation.board.passable & ~s.occ[situation.enemy]
    field = situation.distances(1 << s.hex[group], land)
    found = [
        (situation.worth.get(goal, 0.0) / (2 + field[goal]), goal)
        for goal in members(goals)
        if field[goal] < UNREACHABLE
    ]
    return sorted(found, reverse=True)
