"""Strength and odds hex by hex, and who has no way to retreat: tables for the layers of a map.

They are made from a view, and say of an enemy no more than its reader knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rasputitsa.core.shapes import HexFigure, HexFigures, Trapped, TrappedUnit
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api import hypothetical
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, DEPOT, KIND, group_side, groups_of
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.execution import combat
from rasputitsa.wir.rules.execution.retreat import open_hexes, stands
from rasputitsa.wir.rules.movement.fatigue import worn_out

UNKNOWN: Final = "?"
UNDEFENDED: Final = 1000.0
"""In the place of odds against nobody who can fight."""


def ground_groups(s: State, hex_: Hex, side: Side) -> list[Group]:
    """The combat groups of a side in a hex that fight on the ground."""
    return [g for g in s.at.get(hex_, ()) if group_side(g) == side and KIND[g] not in (AIR, DEPOT)]


def strengths(s: State) -> HexFigures:
    """The adjusted combat strength in each hex (7.6), before terrain and entrenchments; unknown where one is hidden."""
    held = [(hex_, side, ground_groups(s, hex_, side)) for side in (0, 1) for hex_ in members(s.occ[side])]
    figures = [strength_of(s, hex_, side, groups) for hex_, side, groups in held if groups]
    return {"hexes": figures, "unknown": _names_of(hypothetical.hidden(s, (g for _, _, here in held for g in here)))}


def strength_of(s: State, hex_: Hex, side: Side, groups: list[Group]) -> HexFigure:
    """The figure of ``strengths`` for one hex."""
    known = not hypothetical.hidden(s, groups)
    value = sum(combat.strength(s, g) for g in groups) / combat.UNIT if known else None
    return _figure(s, hex_, side, value, UNKNOWN if value is None else f"{value:.0f}")


def _figure(s: State, hex_: Hex, side: Side, value: float | None, text: str) -> HexFigure:
    return {"hex": s.rules.grid.names[hex_], "side": SIDES[side], "value": value, "text": text}


def adjacent_attackers(s: State, side: Side) -> dict[Hex, list[Group]]:
    """For each enemy hex that a side could attack, the adjacent groups that could."""
    found: dict[Hex, list[Group]] = {}
    for group in s.on_map(groups_of(side)):
        if s.combat_group(group) and KIND[group] != AIR and not worn_out(s, group):
            for hex_ in members(s.rules.map.reach[s.hex[group]] & s.occ[1 - side]):
                found.setdefault(hex_, []).append(group)
    return found


def all_odds(s: State, side: Side) -> HexFigures:
    """The odds against each enemy hex, if all adjacent groups of a side attack it together, after their guns."""
    attacks = sorted(adjacent_attackers(s, side).items())
    hidden = {g for hex_, groups in attacks for g in hidden_in(s, groups, hex_)}
    return {"hexes": [odds_of(s, groups, hex_) for hex_, groups in attacks], "unknown": _names_of(hidden)}


def hidden_in(s: State, attackers: list[Group], target: Hex) -> list[Group]:
    """The groups of an attack, on either side, that are hidden."""
    return hypothetical.hidden(s, [*attackers, *combat.defenders_in(s, target, 1 - group_side(attackers[0]))])


def odds_of(s: State, attackers: list[Group], target: Hex) -> HexFigure:
    """The figure of ``all_odds`` for one hex."""
    defender = 1 - group_side(attackers[0])
    if hidden_in(s, attackers, target):
        return _figure(s, target, defender, None, UNKNOWN)
    found = combat.preview(s, attackers, target)
    odds = found["odds"]
    if odds is None:
        return _figure(s, target, defender, UNDEFENDED, "no defence")
    return _figure(s, target, defender, odds, found["odds_text"])


def _names_of(groups: Iterable[Group]) -> list[str]:
    return [str(g) for g in sorted(groups)]


def trapped(s: State) -> Trapped:
    """The groups that surrender if they are forced out of their hex (7.7), as far as that is certain from the view."""
    text = "Has no way to retreat: forced out of its hex, it surrenders"
    found = [g for side in (0, 1) for g in s.on_map(groups_of(side)) if _is_trapped(s, g)]
    attackers = [adjacent_attackers(s, side) for side in (0, 1)]
    attacks = {g: attackers[1 - group_side(g)].get(s.hex[g], []) for g in found}
    hidden = {h for g, groups in attacks.items() if groups for h in hidden_in(s, groups, s.hex[g])}
    units: list[TrappedUnit] = [
        {"unit": str(g), "text": text, "rule": "7.7", "pressed": is_pressed(s, groups, s.hex[g])}
        for g, groups in attacks.items()
    ]
    return {"units": units, "unknown": _names_of(hidden)}


def is_pressed(s: State, attackers: list[Group], hex_: Hex) -> bool:
    """Whether these groups could drive the defenders of a hex out, as far as nothing hidden speaks for the contrary."""
    if not attackers:
        return False
    return bool(hidden_in(s, attackers, hex_)) or combat.preview(s, attackers, hex_)["retreat"] > 0


def _is_trapped(s: State, group: Group) -> bool:
    if KIND[group] in (AIR, DEPOT) or stands(s, s.hex[group]) or open_hexes(s, group):
        return False
    side, reach = group_side(group), s.rules.map.reach[s.hex[group]]
    # a hidden group of its own side may be dug in, and then the zone of its enemy bars no way (6.10)
    adjacent = [g for hex_ in members(reach & s.occ[side] & ~s.full[side]) for g in ground_groups(s, hex_, side)]
    return not hypothetical.hidden(s, adjacent)
