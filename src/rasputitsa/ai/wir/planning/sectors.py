"""Army groups: how a side shares its strength out to the sectors of the front, by what each has before it."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.geography import geography
from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation
from rasputitsa.wir.model.indices import Group, Hex

NEAR = 7
"""Enemies this near count."""
ENEMY_SHARE = 0.55
"""Share of the enemy's strength in what a sector is given; the rest is what is to be won there."""
FAR_OFF = 9.0
"""The greater, the more distant prizes count compared with near ones."""
SLACK = 0.12
"""How far a sector may be above or below its share before groups change."""
MOST_TRANSFERS = 12
"""Transfers from the sector with the largest surplus to the one with the largest deficit, at most."""


def sector(situation: Situation, hex_: Hex) -> int:
    """The sector of a hex; 0 is the far north, which is planned separately."""
    row = situation.board.row(hex_)
    return sum(row >= first for first in geography().sector_edges)


def shares(situation: Situation) -> list[float]:
    """The part of the strength that each sector is to have."""
    s, weights = situation.s, geography().sector_weights
    enemies, prizes = [0.0] * len(weights), [0.0] * len(weights)
    for group in situation.enemies:
        if situation.to_own[s.hex[group]] <= NEAR:
            enemies[sector(situation, s.hex[group])] += situation.power[group]
    for hex_, worth in situation.worth.items():
        if situation.wanted >> hex_ & 1 and situation.to_own[hex_] < UNREACHABLE:
            prizes[sector(situation, hex_)] += worth / (FAR_OFF + situation.to_own[hex_])
    enemies[0] = prizes[0] = 0.0
    all_enemies, all_prizes = sum(enemies) or 1.0, sum(prizes) or 1.0
    asked = [
        weight * (ENEMY_SHARE * a / all_enemies + (1 - ENEMY_SHARE) * b / all_prizes)
        for weight, a, b in zip(weights, enemies, prizes, strict=True)
    ]
    total = sum(asked) or 1.0
    return [share / total for share in asked]


def homes(situation: Situation) -> dict[Group, int]:
    """The sector of each own group: where it stands, but for those that are wanted more next door."""
    s, edges = situation.s, geography().sector_edges
    found = {group: sector(situation, s.hex[group]) for group in situation.own}
    have = [0.0] * (len(edges) + 1)
    for group, home in found.items():
        have[home] += situation.power[group]
    total = sum(have[1:])
    wanted = [share * total for share in shares(situation)]
    for _ in range(MOST_TRANSFERS):
        gaps = [a - b for a, b in zip(have, wanted, strict=True)]
        rich = max(range(1, len(gaps)), key=lambda n: gaps[n])
        poor = min(range(1, len(gaps)), key=lambda n: gaps[n])
        if gaps[rich] < SLACK * total / len(edges) or gaps[poor] > -SLACK * total / len(edges):
            break
        for giver, taker in _chain(rich, poor):
            edge = edges[max(giver, taker) - 1]
            moving = [g for g, home in found.items() if home == giver and situation.power[g] < gaps[rich] * 1.5]
            if not moving:
                return found
            group = min(moving, key=lambda g: (abs(situation.board.row(s.hex[g]) - edge), g))
            found[group] = taker
            have[giver] -= situation.power[group]
            have[taker] += situation.power[group]
    return found


def _chain(rich: int, poor: int) -> list[tuple[int, int]]:
    """From sector to sector next to it."""
    step = 1 if poor > rich else -1
    return [(n, n + step) for n in range(rich, poor, step)]
