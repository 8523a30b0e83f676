"""The odds of an attack on hidden groups, from what a seat remembers of them: likeliest, best, worst, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.wir.evaluation.estimate import (
    AVERAGE,
    DIVIDED,
    FIGHT,
    NEW,
    ORDER_OF_BATTLE,
    Estimate,
)
from rasputitsa.ai.wir.evaluation.opponent_model import STRONGEST, OpponentModel
from rasputitsa.wir.api import hypothetical, queries
from rasputitsa.wir.api.answers import EstimatedGroup, EstimateEnd, Odds, PlainOdds
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.shapes import AttackPreview
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import MOST_EXPERIENCE
from rasputitsa.wir.rules.execution import combat

DUG = {"best": -0.2, "likely": 0.3, "worst": 0.8}
"""What is added to the entrenchment believed, before the fraction is dropped."""
LIKELIHOOD = 80
"""Percent of cases in which the strength lies within the range."""


def estimated(enemy: OpponentModel, view: State, args: Mapping[str, Any], answer: PlainOdds) -> PlainOdds | Odds:
    """The answer to a query for odds, with the hidden groups for which the player supposes nothing as they are
    believed to be, and under ``estimate`` how far that may be wrong, and what it rests on."""
    attackers, target = queries.attack_asked(view, args)
    unknown = [int(group) for group in answer["unknown"]]
    queries.suppose(view, args, unknown)
    groups = hypothetical.hidden(view, unknown)
    if not groups:
        return answer
    believed = {group: enemy.now(view, group) for group in groups}
    margin = enemy.margin(list(believed.values()))
    found = {}
    for name, factor in (("best", 1 / margin), ("likely", 1.0), ("worst", margin)):
        imagined = imagine(view, enemy.enemy, believed, factor, name)
        found[name] = combat.preview(imagined, attackers, target)
    return {
        **answer,
        **found["likely"],
        "estimate": {
            "likelihood": LIKELIHOOD,
            "best": _end(found["best"]),
            "worst": _end(found["worst"]),
            "groups": [_as_answer(view, group, guess, margin) for group, guess in believed.items()],
        },
    }


def _end(found: AttackPreview) -> EstimateEnd:
    return {
        "odds": found["odds"],
        "odds_text": found["odds_text"],
        "retreat": found["retreat"],
        "losses": found["losses"],
        "defence": found["defence"],
    }


def imagine(
    view: State, side: Side, believed: Mapping[Group, Estimate], factor: float = 1.0, end: str = "likely"
) -> State:
    """A copy of a view with hidden groups of a side as they are believed to be, their strength times a factor."""
    imagined = view.copy()
    for group, guess in believed.items():
        dug = 0.0 if _told_today(view, guess) else DUG[end]
        _fill_group(imagined, side, group, guess, factor, dug)
    return imagined


def _told_today(s: State, guess: Estimate) -> bool:
    """Whether nothing can have changed since the order of battle."""
    return guess.source == ORDER_OF_BATTLE and guess.turn == s.turn


def _fill_group(s: State, side: Side, group: Group, guess: Estimate, factor: float, dug: float) -> None:
    """Fill a hidden group with units of the strength believed, times a factor."""
    kind = hypothetical.typical(s.rules, group)
    units = max(1, min(s.rules.limits.units, round(guess.units)))
    points = guess.points() * factor
    each = [min(STRONGEST, round(points * (n + 1) / units) - round(points * n / units)) for n in range(units)]
    fatigue = min(s.rules.march.most - 1, max(0, round(guess.fatigue)))
    experience = min(MOST_EXPERIENCE, max(1, round(guess.experience)))
    filled = [hypothetical.Member(kind, n, strength, experience, fatigue) for n, strength in enumerate(each, start=1)]
    hypothetical.add_units(s, group, filled)
    s.entrench[group] = max(0, min(s.rules.entrenchment.most, int(guess.entrenchment + dug)))


def _as_answer(s: State, group: Group, guess: Estimate, margin: float) -> EstimatedGroup:
    points = guess.points()
    return {
        "group": str(group),
        "points": round(points),
        "least": round(points / margin),
        "most": round(points * margin),
        "experience": round(guess.experience),
        "fatigue": round(guess.fatigue),
        "entrenchment": max(0, min(s.rules.entrenchment.most, int(guess.entrenchment + DUG["likely"]))),
        "why": reason(s, guess),
    }


def reason(s: State, guess: Estimate) -> str:
    """What an estimate rests on, in words."""
    date = s.rules.date_text(guess.turn) if guess.turn else ""
    if guess.source == FIGHT:
        return f"its fight in the week of {date} at {combat.odds_text(guess.odds)}, as reported"
    if guess.source == NEW:
        return f"its first appearance in the week of {date}, newly formed as far as recruits go"
    if guess.source == DIVIDED:
        return f"its first appearance in the week of {date} next to another group, divided from it"
    if guess.source == AVERAGE:
        return "the average of its kind and date, as nothing is known of it"
    if _told_today(s, guess):
        return "the order of battle at the start"
    return "the order of battle at the start, and what marches and rest have made of it"
