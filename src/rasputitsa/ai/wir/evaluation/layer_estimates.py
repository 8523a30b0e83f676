"""The layers of strength, odds and pressure with hidden groups as a seat believes them to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rasputitsa.ai.wir.evaluation.attack_estimate import imagine
from rasputitsa.ai.wir.evaluation.opponent_model import OpponentModel
from rasputitsa.core.shapes import HexFigure, HexFigures, Trapped, TrappedUnit
from rasputitsa.wir.api import hypothetical, strengths
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.execution import combat

ABOUT: Final = "≈ "
"""Before a figure that is an estimate."""
WHOLE: Final = 10
"""Odds from which on an estimate has no decimals."""


def _imagined(enemy: OpponentModel, view: State, groups: list[Group]) -> State | None:
    """The view with some hidden groups filled as estimated; None if one is not of the enemy, of whom alone anything
    is estimated."""
    if any(group_side(group) != enemy.enemy for group in groups):
        return None
    return imagine(view, enemy.enemy, {group: enemy.now(view, group) for group in groups})


def _marked(figure: HexFigure) -> HexFigure:
    return {**figure, "text": ABOUT + figure["text"], "estimated": True}


def _strengths(enemy: OpponentModel, view: State, figure: HexFigure) -> HexFigure:
    hex_, side = view.rules.grid.index(figure["hex"]), SIDES.index(figure["side"])
    groups = strengths.ground_groups(view, hex_, side)
    imagined = _imagined(enemy, view, hypothetical.hidden(view, groups))
    return figure if imagined is None else _marked(strengths.strength_of(imagined, hex_, side, groups))


def _odds(enemy: OpponentModel, view: State, figure: HexFigure) -> HexFigure:
    hex_, side = view.rules.grid.index(figure["hex"]), SIDES.index(figure["side"])
    attackers = strengths.adjacent_attackers(view, 1 - side)[hex_]
    imagined = _imagined(enemy, view, strengths.hidden_in(view, attackers, hex_))
    if imagined is None:
        return figure
    found = strengths.odds_of(imagined, attackers, hex_)
    odds = found["value"]
    if odds is not None and WHOLE <= odds < strengths.UNDEFENDED:
        found["text"] = f"{odds:.0f}-1"
    return _marked(found)


FIGURES: Mapping[str, Callable[[OpponentModel, State, HexFigure], HexFigure]] = {
    "strengths": _strengths,
    "all_odds": _odds,
}


def figures(enemy: OpponentModel, view: State, kind: str, answer: HexFigures) -> HexFigures:
    """The answer to ``strengths`` or ``all_odds``, with an estimate wherever hidden enemies left a gap."""
    fill = FIGURES[kind]
    return {**answer, "hexes": [f if f["value"] is not None else fill(enemy, view, f) for f in answer["hexes"]]}


def trapped(enemy: OpponentModel, view: State, answer: Trapped) -> Trapped:
    """The answer to ``trapped``, with hidden enemies judged by what is believed of them."""
    attackers = [strengths.adjacent_attackers(view, side) for side in (0, 1)]

    def pressed(told: TrappedUnit) -> bool:
        group = int(told["unit"])
        groups, hex_ = attackers[1 - group_side(group)].get(view.hex[group], []), view.hex[group]
        hidden = strengths.hidden_in(view, groups, hex_) if groups else []
        imagined = _imagined(enemy, view, hidden) if hidden else None
        if imagined is None:
            return told["pressed"]
        return combat.preview(imagined, groups, hex_)["retreat"] > 0

    return {**answer, "units": [{**told, "pressed": pressed(told)} for told in answer["units"]]}
