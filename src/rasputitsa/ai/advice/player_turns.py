"""What the analysis of a whole game asks of each game: its player-turns, what happened in them, and what might have."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rasputitsa.ai.portfolio.evaluation.rollout import play_out
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController, always
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.record import Session
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET

QUICK = Level(tries=300, sweeps=1, candidates=6, plans=1, polish=0, rounds=0)
STREAMS = 4
"""Times a battle is fought out with other dice."""
WEEKS = 12
"""The same for a week of War in Russia, which takes no longer than a moment."""
LOOP = 5000


def place(state: Any) -> tuple[object, ...]:
    """What tells one phase from another."""
    phase = next((getattr(frame, "index", 0) for frame in state.stack if frame.kind == "sequence"), 0)
    return state.turn, state.side, getattr(state, "reserve", 0), phase, state.outcome is not None


def judged(game_id: str, state: Any, decision: Decision | None, last_turn: int) -> bool:
    """Whether a position is one that can be judged fairly: in the middle of a player-turn everything is in the air.

    The Russian Portfolio is judged when a side is about to make its Initial moves, War in Russia as a week begins.
    """
    if decision is None:
        return True
    if game_id == "wir":
        return bool(state.turn != last_turn)
    return decision.kind == "movement" and not state.reserve


@dataclass(slots=True)
class Stretch:
    """One player-turn: where it starts and ends, and what the position was worth."""

    side: str
    seat: str
    start: int
    end: int
    before: float
    after: float


class Spans:
    """Finds the player-turns of operations while the game is walked through."""

    def __init__(self, game_id: str) -> None:
        self.weekly = game_id == "wir"
        self.value = 0.5
        self.open: dict[str, Stretch] = {}
        self.done: list[list[Stretch]] = []
        """The player-turns that ended together."""

    def judge(self, ply: int, value: float) -> None:
        """A position was judged: whatever was under way ends here."""
        for stretch in self.open.values():
            stretch.end, stretch.after = ply, value
        if self.open:
            self.done.append(list(self.open.values()))
        self.open.clear()
        self.value = value

    def look(self, ply: int, decision: Decision | None) -> None:
        """The start of a phase: perhaps a side begins to move."""
        if decision is not None and decision.kind == "movement" and decision.side not in self.open:
            if self.open and not self.weekly:
                return  # reserves that move while the other side's player-turn goes on
            self.open[decision.side] = Stretch(decision.side, decision.seat, ply, ply, self.value, self.value)

    def found(self, side: str | None) -> list[Stretch]:
        """The player-turns; of a week in which both sides moved at once, that of the side which lost by it.

        Seen with the eyes of one side, all are its own.
        """
        if side is not None:
            return [stretch for together in self.done for stretch in together if stretch.side == side]
        return [min(together, key=_gain) for together in self.done]


def _gain(stretch: Stretch) -> float:
    """What a side won in a week."""
    change = stretch.after - stretch.before
    return change if stretch.side == SIDES[AXIS] else -change


# ---------------------------------------------------------------------- what happened


def happened(game: Game[Any], before: Any, after: Any, seat: str | None) -> str:
    """Cities that changed hands and units lost, in words."""
    words = _cities_wir(before, after) if game.id == "wir" else _cities(before, after)
    if game.id != "wir":
        for side, name in ((AXIS, "Axis"), (SOVIET, "Soviet side")):
            lost = [u for u in before.on_map(side) if after.pos[u] < 0]
            if lost:
                words.append(f"the {name} loses {len(lost)} {'unit' if len(lost) == 1 else 'units'}")
    if after.outcome is not None:
        words.append(f"the game ends: {after.outcome.reason}")
    if not words:
        return "Nothing was taken or lost outright."
    text = "; ".join(words)
    return f"{text[0].upper()}{text[1:]}."


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


def _cities_wir(before: Any, after: Any) -> list[str]:
    cities = before.rules.map.cities
    names = before.rules.grid.names
    found = []
    for side, who in ((AXIS, "the Axis"), (SOVIET, "the Soviet side")):
        taken = [c for n, c in enumerate(cities) if before.owner[n] != side and after.owner[n] == side]
        if taken:
            found.append(f"{who} takes {', '.join(f'{{hex:{names[c.hex]}}}' for c in taken)}")
    return found


# ---------------------------------------------------------------------- what might have happened


Judge = Callable[[Any], float]
ENOUGH = 60.0


def promise(
    session: Session, span: Any, actions: Iterable[Action], judge: Judge, seconds: float = ENOUGH
) -> float | None:
    """What a plan leads to on average, if it is carried out instead of what was done."""
    game = session.game
    state = session.state_at(span.start)
    for action in actions:
        decision = game.decision(state)
        if decision is None or (decision.seat != span.seat and decision.kind != "window"):
            break
        if decision.kind == "window":
            if not _given(game, state, Action("stand_all")):
                return None
            decision = game.decision(state)
        if decision is None or decision.seat != span.seat:
            break
        if action.verb == "done" and game.id == "wir":
            break
        if action in decision.options and not _given(game, state, action):
            break
    if game.id == "wir":
        return _weeks(session, span, state, judge)
    return _battles(state, judge, seconds)


def made(session: Session, span: Any, judge: Judge, seconds: float = ENOUGH) -> float | None:
    """What the moves that were made led to on average: fought again with other dice."""
    game = session.game
    ply = next((n for n in range(span.start, span.end) if session.entries[n].dice), span.end)
    if game.id == "wir":
        # the last word before the week is executed
        executed = [n for n in range(span.start, span.end) if session.entries[n].action == "done"]
        movement = [n for n in executed if _kind(game, session.state_at(n)) == "movement"]
        if not movement:
            return None
        state = session.state_at(movement[-1])
        return _mean(judge, (_one_week(game, game.copy(state), seed, span) for seed in range(WEEKS)))
    return _battles(session.state_at(ply), judge, seconds)


def _kind(game: Game[Any], state: Any) -> str:
    decision = game.decision(state)
    return decision.kind if decision else ""


def _given(game: Game[Any], state: Any, action: Action) -> bool:
    """Carry an order out on a position of one's own, unless chance or the rules are against it."""
    trial = game.copy(state)
    try:
        game.apply(trial, action, SeededDice(0))
        game.apply(state, action, SeededDice(0))
    except RasputitsaError:
        return False
    return True


def _mean(judge: Judge, states: Iterable[Any]) -> float | None:
    values = [judge(state) for state in states if state is not None]
    return sum(values) / len(values) if values else None


def stood(session: Session, span: Any, judge: Judge, seconds: float = ENOUGH) -> float | None:
    """Where the fighting of a player-turn really led, seen on to the same point as the two above."""
    if session.game.id == "wir":
        return None
    key: Any = None
    for ply in range(span.start, span.end):
        state = session.state_at(ply)
        key = key or (state.turn, state.side, state.reserve)
        if (state.turn, state.side, state.reserve) != key:
            return _battles(state, judge, seconds, key)
    return judge(session.state_at(span.end))


def _battles(state: Any, judge: Judge, seconds: float, key: Any = None) -> float | None:
    """Fight the battles of a player-turn out, again and again while there is time, by the reckoning of quick players.

    They bring in nobody new, and leave their reserves alone.
    """
    began = key or (state.turn, state.side, state.reserve)

    def until(t: Any) -> bool:
        return t.stack[-1].kind == "movement" and not t.reserve and (t.turn, t.side, t.reserve) != began

    def fought(seed: int) -> Any:
        t = state.copy()
        play_out(t, (_mind(AXIS, seed), _mind(SOVIET, seed)), seed, until, always)
        return t

    end = time.monotonic() + seconds
    return _mean(judge, (fought(seed) for seed in range(STREAMS) if not seed or time.monotonic() < end))


def _mind(side: int, seed: int) -> SeatController:
    mind = SeatController(side, QUICK, random.Random(seed))
    mind.idle_staff = mind.idle_reserves = True
    return mind


def _weeks(session: Session, span: Any, state: Any, judge: Judge) -> float | None:
    """Carry a week out with a plan in place of one side's orders; the other side's are those that were given."""
    game = session.game
    theirs = [
        entry for entry in session.entries[span.start : span.end] if entry.seat != span.seat and entry.action[0] != "@"
    ]
    return _mean(judge, (_one_week(game, game.copy(state), seed, span, theirs) for seed in range(WEEKS)))


def _one_week(game: Game[Any], state: Any, seed: int, span: Any, theirs: Iterable[Any] = ()) -> Any:
    """The position at the start of the next week; what no longer fits of the other side's orders is left out."""
    dice = SeededDice(1000 + seed)
    week = state.turn
    waiting = iter(theirs)
    for _ in range(LOOP):
        decision = game.decision(state)
        if decision is None or state.turn != week or decision.kind == "adjust":
            return state
        action = None
        if decision.seat != span.seat:
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
