"""What a position looks like in numbers, seen from the Axis."""

from __future__ import annotations

from functools import cache
from math import log
from typing import TYPE_CHECKING

from rasputitsa.ai.wir.picture import MEN
from rasputitsa.wir.combat import UNIT
from rasputitsa.wir.retreat import open_hexes
from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.theatre import AXIS, FORTIFIED, POPULATION, SOVIET, SUPPLY, Theatre
from rasputitsa.wir.victory import VICTORY

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SIGHT, FADES = 7, 0.62
"""How far a group counts towards the fate of a city, and how this fades with each hex."""
SAFE = 0.15
"""With less than this share of the strength around a city the enemy does not threaten it."""
FEW = 25.0
"""Strength added on the owner's side, so that an empty country does not fall to a lone group."""
MUSTER = 300.0
"""Strength added to both sides, so that ruins are not compared."""
SEASON, SOON = 14, 5
"""Weeks that strength, and a threat to a city, take to bear fruit."""
TIRED = 0.35
"""How much weariness counts against strength: the rest is slept off."""
CAUGHT = 0.45
"""Part of its strength that a group without a way out is counted as having lost."""
DEPOTS = 1.5
"""What a supply centre that is taken counts: half of them are destroyed."""

NAMES = ("strength", "soviet_cities", "axis_cities")
"""The ratio of strength; the points of either side's cities, by how much they are threatened."""


@cache
def _near_cities(board: Theatre) -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each hex the cities in sight that score, and the weight of a group there."""
    grid = board.grid
    found: list[tuple[tuple[int, float], ...]] = []
    for hex_ in range(grid.size):
        if not grid.names[hex_]:
            found.append(())
            continue
        far = [(city.number, grid.distance(hex_, city.hex)) for city in board.cities if city.scores]
        found.append(tuple((number, FADES**d) for number, d in far if d <= SIGHT))
    return tuple(found)


def worth(s: State, city: int) -> float:
    """The victory points that change sides with a city, which loses its people and half of its depots."""
    points = 2 * int(VICTORY["city"]) + s.values[POPULATION][city] + DEPOTS * s.values[SUPPLY][city]
    return points * (int(VICTORY["short_factor"]) if s.rules.short else 1)


def features(s: State) -> list[float]:
    """The numbers that ``NAMES`` lists."""
    board = s.rules.map
    near = _near_cities(board)
    around = ([0.0] * len(board.cities), [0.0] * len(board.cities))
    power = [MUSTER, MUSTER]
    strength, experience, weary = s.strength, s.experience, s.fatigue
    for side in (AXIS, SOVIET):
        reach, zone = around[side], s.zoc(1 - side)
        for group in groups_of(side, MECHANIZED, INFANTRY):
            here = s.hex[group]
            if here == OFF:
                continue
            now = 0.0
            for unit in s.crew[group]:
                now += strength[unit] * (experience[unit] * (100 - TIRED * weary[unit]) / UNIT + MEN)
            caught = zone >> here & 1 and not s.entrench[group] and s.terrain(here) != FORTIFIED
            if caught and not open_hexes(s, group):
                now *= 1 - CAUGHT
            power[side] += now
            for city, weight in near[here]:
                reach[city] += now * weight
    weeks = max(0, s.rules.turns - s.turn + 1)
    threatened = [0.0, 0.0]
    for place in board.cities:
        if not place.scores:
            continue
        city = place.number
        owner = s.owner[city]
        mine, theirs = around[owner][city], around[1 - owner][city]
        share = theirs / (mine + theirs + FEW)
        threatened[owner] += worth(s, city) * max(0.0, share - SAFE)
    soon = min(1.0, weeks / SOON)
    ratio = log(power[AXIS] / power[SOVIET]) * min(1.0, weeks / SEASON)
    return [ratio, threatened[SOVIET] * soon, threatened[AXIS] * soon]
