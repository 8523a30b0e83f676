"""The course of a game: which side stood better at each point, where it turned, and what the computer would have done.

A game still being played is looked at through the eyes of one seat: its points are judged from what that seat might see
at the time, and only its own decisions are gone into. When the game is over everything is laid open.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rasputitsa.ai.advice import shapes
from rasputitsa.ai.advice.analysis import advice_for, judge, plan
from rasputitsa.ai.advice.contract import Advice
from rasputitsa.ai.advice.player_turns import PlayerTurn, PlayerTurns
from rasputitsa.ai.advice.shapes import CoursePoint, HintResult, TurningPoint
from rasputitsa.ai.memory import MemoryTracker, recalled
from rasputitsa.ai.players import TimedClock
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.record.session import Session

VERSION = 5
"""Of what is kept; what an older version worked out is worked out again."""
MAX_TURNING_POINTS = 8
"""That are looked for in one game."""
LEAST_SWING, LEAST_SHARE = 0.008, 0.25
"""A turning point changes the outlook by at least so much, and by at least this share of the greatest change."""
SECONDS = 5.0
"""Thinking time for the plan at a turning point."""
NOTABLE = 0.04

Remembered = dict[int, dict[str, str]]
"""By turn, what the seats remembered when it began, as text."""
Report = Callable[[int, int, str], None]


@dataclass(slots=True)
class Point:
    """A position that was judged."""

    ply: int
    value: float
    """How likely the first side is to win; in a lesson, how far its goal is reached."""
    turn: str
    phase: str
    side: str

    def to_json(self) -> CoursePoint:
        """Plain JSON values."""
        return {"ply": self.ply, "value": self.value, "turn": self.turn, "phase": self.phase, "side": self.side}


@dataclass(slots=True)
class Turn:
    """A player-turn that changed the outlook."""

    ply: int
    """Where the player-turn begins."""
    end: int
    side: str
    turn: str
    phase: str
    before: float
    after: float
    text: str
    """What happened."""
    verdict: str = ""
    """What the computer makes of it."""
    plan_chance: float | None = None
    """What the computer's own plan comes to for the first side, on average over the dice; ``promised`` in answers."""
    made_chance: float | None = None
    """The same by the moves that were made."""
    hint: HintResult = field(kw_only=True)
    """The plan that the computer would have followed."""

    @classmethod
    def from_json(cls, kept: TurningPoint) -> Turn:
        """From what `to_json` gives."""
        names = {"promised": "plan_chance", "made": "made_chance"}
        fields = {names.get(name, name): value for name, value in kept.items()}
        return cls(**fields)  # type: ignore[arg-type]  # fields of a turn by name

    def to_json(self) -> TurningPoint:
        """Plain JSON values."""
        return {
            "ply": self.ply, "end": self.end, "side": self.side, "turn": self.turn, "phase": self.phase,
            "before": self.before, "after": self.after, "text": self.text, "verdict": self.verdict,
            "promised": self.plan_chance, "made": self.made_chance, "hint": self.hint,
        }  # fmt: skip


@dataclass(slots=True)
class Course:
    """The course of a game, as far as it has been worked out."""

    sides: list[str]
    entries: int
    seat: str | None
    points: list[Point] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> shapes.Course:
        """Plain JSON values."""
        return {
            "version": VERSION,
            "sides": list(self.sides),
            "entries": self.entries,
            "seat": self.seat,
            "points": [point.to_json() for point in self.points],
            "turns": [turn.to_json() for turn in self.turns],
            "complete": self.complete,
        }


def course(
    session: Session,
    seat: str | None,
    report: Report = lambda done, total, text: None,
    known: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    most: int = MAX_TURNING_POINTS,
) -> Iterator[Course]:
    """Work out the course of a game, and give it again whenever there is more of it.

    ``seat`` is whose eyes the game is seen with; None lays everything open. ``known`` is what was worked out before.
    """
    sides = list(dict.fromkeys(one.side for one in session.seats))
    found = Course(sides, session.version, seat)
    fresh = known if known is not None and known.get("version") == VERSION and known.get("seat") == seat else {}
    advice = advice_for(session.game)
    remembered: Remembered = {}
    player_turns = _points(session, advice, seat, found, report, remembered)
    yield found
    chosen = _chosen(player_turns.found(_side_of(session, seat)), most)
    learner = goal_side(session, seat)
    if learner is not None and all(player_turn.side != learner for player_turn in chosen):
        chosen = sorted([*chosen, *_greatest(player_turns.found(learner), 1)], key=_start)
    kept = {(t["ply"], t["end"], t["side"]): t for t in fresh.get("turns", ())}
    for number, player_turn in enumerate(chosen):
        report(number, len(chosen), "Looking closer at the turning points")
        old = kept.get((player_turn.start, player_turn.end, player_turn.side))
        found.turns.append(
            Turn.from_json(old) if old else _turn(session, advice, seat, player_turn, found, seconds, remembered)
        )
        yield found
    report(len(chosen), len(chosen), "")
    found.complete = True
    yield found


# ---------------------------------------------------------------------- points


def _points(
    session: Session, advice: Advice, seat: str | None, found: Course, report: Report, remembered: Remembered
) -> PlayerTurns:
    """Judge the position whenever it can be judged fairly; gives the player-turns."""
    game, total = session.game, session.version
    onlookers = MemoryTracker(game, session.header.options, session.state_at(0), None if seat is None else (seat,))
    value_of = judge(game, seat, session.header.options, onlookers.of(seat or ""))
    player_turns = PlayerTurns(advice.begins_with, advice.simultaneous, found.sides[0])
    last: tuple[object, ...] | None = None
    turn = 0
    for ply, state in walk(session, onlookers):
        if state.turn not in remembered:
            remembered[state.turn] = onlookers.kept()
        phase_key = advice.phase_key(state)
        if phase_key == last and ply != total:
            continue
        last = phase_key
        if ply == total or len(found.points) % 4 == 0:
            report(state.turn, session.state.turn, "Judging every turn")  # turns: orders are not to be counted
        decision = game.decision(state)
        if ply == total or advice.judged(state, decision, turn):
            turn = state.turn
            value = round(value_of(state), 4)
            seen = game.observe(state, seat)
            when, phase = seen.get("turn") or {}, seen.get("phase") or {}
            found.points.append(
                Point(ply, value, str(when.get("label", "")), str(phase.get("label", "")), str(phase.get("side") or ""))
            )
            player_turns.judge(ply, value)
        player_turns.look(ply, decision)
    return player_turns


def walk(session: Session, onlookers: MemoryTracker) -> Iterator[tuple[int, Any]]:
    """The position before each entry, and the last one; always the same object, moved on before the onlookers."""
    game, state = session.game, session.state_at(0)
    for ply, entry in enumerate(session.entries):
        yield ply, state
        if not entry.action.startswith("@"):
            (action,) = game.parse(state, entry.action)
            onlookers.apply(state, action, ScriptedDice(entry.dice))
    yield session.version, state


def _side_of(session: Session, seat: str | None) -> str | None:
    return next((s.side for s in session.seats if s.id == seat), None)


# ---------------------------------------------------------------------- turning points


def _chosen(player_turns: list[PlayerTurn], most: int) -> list[PlayerTurn]:
    """The player-turns that changed the outlook by much, in order."""
    greatest = _greatest(player_turns, most)
    least = max([LEAST_SWING, *(LEAST_SHARE * _swing(player_turn) for player_turn in greatest[:1])])
    return sorted((player_turn for player_turn in greatest if _swing(player_turn) >= least), key=_start)


def _greatest(player_turns: list[PlayerTurn], most: int) -> list[PlayerTurn]:
    return sorted(player_turns, key=lambda player_turn: -_swing(player_turn))[:most]


def _swing(player_turn: PlayerTurn) -> float:
    return abs(player_turn.after - player_turn.before)


def _start(player_turn: PlayerTurn) -> int:
    return player_turn.start


def goal_side(session: Session, seat: str | None) -> str | None:
    """The side that plays for a goal, in a lesson: it is always shown what the computer would have done."""
    goal = session.game.observe(session.state, seat).get("goal")
    return None if goal is None else str(goal["side"])


def _turn(
    session: Session,
    advice: Advice,
    seat: str | None,
    player_turn: PlayerTurn,
    found: Course,
    seconds: float,
    remembered: Remembered,
) -> Turn:
    """One turning point: what happened, and what the computer would have done."""
    game = session.game
    start, end = session.state_at(player_turn.start), session.state_at(player_turn.end)
    decision = game.decision(start)
    assert decision is not None
    seen = game.observe(start, seat)
    when, phase = (str((seen.get(name) or {}).get("label", "")) for name in ("turn", "phase"))
    mine = decision.seat if seat is None else seat
    text = happened(advice, game.view_of(start, seat) if seat else start, end)
    kept = remembered[start.turn].get(mine)
    side = _side_of(session, mine)
    memory = recalled(game, side, json.loads(kept)) if kept is not None and side is not None else None
    clock = TimedClock(seconds)
    hint, thoughts = plan(game, game.view_of(start, mine), decision, clock, session.header.options, memory)
    for step in hint.steps:
        step.line, step.waits = "", False
    turn = Turn(
        player_turn.start,
        player_turn.end,
        player_turn.side,
        when,
        phase,
        player_turn.before,
        player_turn.after,
        text,
        hint=hint.to_json(),
    )
    if seat is None or advice.open_to_all:
        whole = advice.expectation
        turn.plan_chance = _rounded(advice.planned(session, player_turn, [t.action for t in thoughts], whole, seconds))
        turn.made_chance = _rounded(advice.made(session, player_turn, whole, seconds))
        stood = advice.stood(session, player_turn, whole, seconds)
        moves = Outcomes(turn.plan_chance, turn.made_chance, player_turn.after if stood is None else stood)
        turn.verdict = _verdict(moves, player_turn.side, player_turn.side == found.sides[0], goal_side(session, seat))
    return turn


class Outcomes(NamedTuple):
    """What a player-turn comes to for the first side: planned, as moved, and as the dice fell."""

    planned: float | None
    made: float | None
    stood: float


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _verdict(found: Outcomes, side: str, first: bool, learner: str | None) -> str:
    """Whether the moves or the dice made the difference, from the side's own point of view."""
    if found.planned is None or found.made is None:
        return ""

    def own(value: float) -> float:
        return value if first else 1 - value

    planned, made = own(found.planned), own(found.made)
    luck = own(found.stood) - made
    said = _of_goal(planned - made, side == learner) if learner else _of_chances(planned, made)
    if luck > NOTABLE:
        said += " The dice were kinder than that."
    elif luck < -NOTABLE:
        said += " The dice were harsher than that."
    return said


def _of_chances(planned: float, made: float) -> str:
    if planned - made > NOTABLE:
        return f"With average dice the computer's plan promised {_percent(planned)}, these moves {_percent(made)}."
    if planned - made < -NOTABLE:
        return f"With average dice these moves promised {_percent(made)}, more than the computer's own plan."
    return f"With average dice these moves promised {_percent(made)}, about as much as the computer's plan."


def _of_goal(better: float, learning: bool) -> str:
    """How far the goal of a lesson was reached, which is no chance and has no figure."""
    more = "reached more of the goal" if learning else "left less of the goal reached"
    if better > NOTABLE:
        return f"With average dice the computer's plan {more} than these moves."
    if better < -NOTABLE:
        return f"With average dice these moves {more} than the computer's own plan."
    as_much = "reached as much of the goal" if learning else "left as much of the goal reached"
    return f"With average dice these moves {as_much} as the computer's plan."


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def happened(advice: Advice, before: Any, after: Any) -> str:
    """Cities that changed hands, units lost and the end of the game, in words."""
    words = advice.changes(before, after)
    outcome = advice.game.outcome(after)
    if outcome is not None:
        words.append(f"the game ends: {outcome.reason}")
    if not words:
        return "Nothing was taken or lost outright."
    text = "; ".join(words)
    return f"{text[0].upper()}{text[1:]}."
