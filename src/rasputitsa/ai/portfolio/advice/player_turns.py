"""The player-turns of The Russian Portfolio: what happened in them, and how they go with other dice."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

from rasputitsa.ai.advice.player_turns import Judge, PlayerTurn, carried_out, mean
from rasputitsa.ai.portfolio.evaluation.rollout import play_out
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController, always
from rasputitsa.core.actions import Action
from rasputitsa.core.record.session import Session
from rasputitsa.portfolio.model.indices import Side
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

QUICK = Level(tries=300, sweeps=1, candidates=6, plans=1, polish=0, rounds=0)
STREAMS = 4
"""Times a battle is fought out with other dice."""


def changes(before: Any, after: Any) -> list[str]:
    """Cities that changed hands, and units lost."""
    words = _cities(before, after)
    for side, name in ((AXIS, "Axis"), (SOVIET, "Soviet side")):
        lost = [u for u in before.on_map(side) if after.pos[u] < 0]
        if lost:
            words.append(f"the {name} loses {len(lost)} {'unit' if len(lost) == 1 else 'units'}")
    return words


def _cities(before: Any, after: Any) -> list[str]:
    board = before.rules.map
    names = before.rules.grid.names
    changed = (before.control ^ after.control) & (board.majors | board.victory_cities)
    found = []
    for to_axis, verb in ((True, "takes"), (False, "retakes")):
        hexes = [
            h for h, _ in sorted(board.places.items()) if changed >> h & 1 and bool(after.control >> h & 1) == to_axis
        ]
        if hexes:
            who = "the Axis" if to_axis else "the Soviet side"
            found.append(f"{who} {verb} {', '.join(f'{{hex:{names[h]}}}' for h in hexes)}")
    return found


def planned(
    session: Session, player_turn: PlayerTurn, actions: Sequence[Action], judge: Judge, seconds: float
) -> float | None:
    """What a plan leads to on average, if it is carried out instead of what was done."""
    game = session.game
    state = session.state_at(player_turn.start)
    for action in actions:
        decision = game.decision(state)
        if decision is None or (decision.seat != player_turn.seat and decision.kind != "window"):
            break
        if decision.kind == "window":
            if not carried_out(game, state, Action("stand_all")):
                return None
            decision = game.decision(state)
        if decision is None or decision.seat != player_turn.seat:
            break
        if action in decision.options and not carried_out(game, state, action):
            break
    return _battles(state, judge, seconds)


def made(session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
    """What the moves that were made lead to on average: fought again with other dice."""
    ply = next((n for n in range(player_turn.start, player_turn.end) if session.entries[n].dice), player_turn.end)
    return _battles(session.state_at(ply), judge, seconds)


def stood(session: Session, player_turn: PlayerTurn, judge: Judge, seconds: float) -> float | None:
    """Where the fighting of a player-turn really led, seen on to the same point as the two above."""
    key: Any = None
    for ply in range(player_turn.start, player_turn.end):
        state = session.state_at(ply)
        key = key or (state.turn, state.side, state.reserve)
        if (state.turn, state.side, state.reserve) != key:
            return _battles(state, judge, seconds, key)
    return judge(session.state_at(player_turn.end))


def _battles(state: Any, judge: Judge, seconds: float, key: Any = None) -> float | None:
    """Fight the battles of a player-turn out, again and again while there is time, by quick players.

    They bring in nobody new, and leave their reserves alone.
    """
    began = key or (state.turn, state.side, state.reserve)

    def until(t: Any) -> bool:
        return t.stack[-1].kind == "movement" and not t.reserve and (t.turn, t.side, t.reserve) != began

    def fought(seed: int) -> Any:
        t = state.copy()
        play_out(t, (_quick(AXIS, seed), _quick(SOVIET, seed)), seed, until, always)
        return t

    end = time.monotonic() + seconds
    return mean(judge, (fought(seed) for seed in range(STREAMS) if not seed or time.monotonic() < end))


def _quick(side: Side, seed: int) -> SeatController:
    controller = SeatController(side, QUICK, random.Random(seed))
    controller.idle_logistics = controller.idle_reserves = True
    return controller
