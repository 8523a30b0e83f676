"""The weeks of War in Russia: what happened in them, and how they go with other dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rasputitsa.ai.advice.player_turns import Judge, PlayerTurn, carried_out, mean
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.record.session import Session
from rasputitsa.wir.model.theatre import AXIS, SOVIET

WEEKS = 12
"""Times a week is carried out with other dice: it takes no longer than a moment."""
LOOP = 5000


def changes(before: Any, after: Any) -> list[str]:
    """Cities that changed hands."""
    cities = before.rules.map.cities
    names = before.rules.grid.names
    found = []
    for side, who in ((AXIS, "the Axis"), (SOVIET, "the Soviet side")):
        taken = [c for n, c in enumerate(cities) if before.owner[n] != side and after.owner[n] == side]
        if taken:
            found.append(f"{who} takes {', '.join(f'{{hex:{names[c.hex]}}}' for c in taken)}")
    return found


def planned(session: Session, player_turn: PlayerTurn, actions: Sequence[Action], judge: Judge) -> float | None:
    """What a plan leads to on average, if it is carried out instead of what was done."""
    game = session.game
    state = session.state_at(player_turn.start)
    for action in actions:
        decision = game.decision(state)
        if decision is None or decision.seat != player_turn.seat or action.verb == "done":
            break
        if action in decision.options and not carried_out(game, state, action):
            break
    return _weeks(session, player_turn, state, judge)


def made(session: Session, player_turn: PlayerTurn, judge: Judge) -> float | None:
    """What the plots that were made lead to on average: the week carried out again with other dice."""
    game = session.game
    executed = [n for n in range(player_turn.start, player_turn.end) if session.entries[n].action == "done"]
    movement = [n for n in executed if _kind(game, session.state_at(n)) == "movement"]
    if not movement:
        return None
    state = session.state_at(movement[-1])
    return mean(judge, (_one_week(game, game.copy(state), seed, player_turn) for seed in range(WEEKS)))


def _kind(game: Game[Any], state: Any) -> str:
    decision = game.decision(state)
    return decision.kind if decision else ""


def _weeks(session: Session, player_turn: PlayerTurn, state: Any, judge: Judge) -> float | None:
    """Carry a week out with a plan in place of one side's orders; the other side's are those that were given."""
    game = session.game
    theirs = [
        entry
        for entry in session.entries[player_turn.start : player_turn.end]
        if entry.seat != player_turn.seat and entry.action[0] != "@"
    ]
    return mean(judge, (_one_week(game, game.copy(state), seed, player_turn, theirs) for seed in range(WEEKS)))


def _one_week(game: Game[Any], state: Any, seed: int, player_turn: PlayerTurn, theirs: Iterable[Any] = ()) -> Any:
    """The position at the start of the next week; what no longer fits of the other side's orders is left out."""
    dice = SeededDice(1000 + seed)
    week = state.turn
    waiting = iter(theirs)
    for _ in range(LOOP):
        decision = game.decision(state)
        if decision is None or state.turn != week or decision.kind == "adjust":
            return state
        action = None
        if decision.seat != player_turn.seat:
            entry = next(waiting, None)
            if entry is not None:
                try:
                    (wanted,) = game.parse(state, entry.action)
                except RasputitsaError:
                    continue
                if wanted not in decision.options:
                    continue
                action = wanted
        if action is None:
            action = _closing(decision)
        try:
            game.apply(state, action, dice)
        except RasputitsaError:
            return None
    return None


def _closing(decision: Decision) -> Action:
    for verb in ("halt", "back", "skip", "done", "decline"):
        for action in decision.options:
            if action.verb == verb:
                return action
    return decision.options[0]
