"""Attacks by everybody who can join: ``attack N7: all``, and ``with all`` for the one being put together."""

from __future__ import annotations

from rasputitsa.core.errors import IllegalAction
from rasputitsa.portfolio.api.notation import AllOrder
from rasputitsa.portfolio.api.trial import Trial
from rasputitsa.portfolio.model.actions import ALSO, ATTACK, READY
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat.announcement import BuildAttack


def by_all(s: State, order: AllOrder) -> Trial:
    """Everybody who can joins an attack, the strongest first; one on hexes that the order names is then announced.

    Raises:
        IllegalAction: the attack cannot be, or nobody can join it.
    """
    trial = Trial(s)
    for place, target in enumerate(order.hexes):
        trial.do((ALSO if place else ATTACK).actions[target])
    before = len(trial.done)
    join_all(trial)
    if len(trial.done) == before and not order.hexes:
        raise IllegalAction("nobody else can join this attack", "XIII.A.4")
    if order.hexes:
        trial.done.append(READY)
    return trial


def join_all(trial: Trial) -> None:
    """Add unit after unit as long as one may join: the strongest first, since not all may where room is short."""
    af = trial.s.rules.roster.af
    while joining := [action for action in trial.legal() if action.verb == "with"]:
        trial.do(max(joining, key=lambda action: af[action.args[0]]))


def everybody(s: State, targets: tuple[Hex, ...]) -> tuple[Unit, ...]:
    """The units of an attack on some hexes by everybody who can join it; none if there can be no such attack."""
    try:
        top = by_all(s, AllOrder(targets)).s.stack[-1]
    except IllegalAction:
        return ()
    return top.units if isinstance(top, BuildAttack) else ()
