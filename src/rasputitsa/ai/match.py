"""Games between computer players, one or many, and the table that comes of them."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from rasputitsa.ai.contest import MOST_DECISIONS
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import get_game

PLAYER_TURN_SECONDS = 10.0


class IllegalChoiceError(Exception):
    """A computer player chose what is not among the options."""


@dataclass(slots=True)
class Result:
    """How one game between computer players went."""

    seed: int
    players: dict[str, str]
    """The player of each side."""
    winner: str | None
    reason: str
    turn: int
    points: int
    """Victory points of the side that has to gain them, at the end."""
    decisions: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Thinking time of each side, in all."""
    slowest: dict[str, float] = field(default_factory=dict)
    """Longest thinking time in one player-turn."""


Watcher = Callable[[Game[Any], Any, Decision, Action], None]


def play_game(
    game_id: str,
    players: Mapping[str, str],
    seed: int,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    seconds: float = PLAYER_TURN_SECONDS,
    watch: Watcher | None = None,
) -> Result:
    """Play one game; ``players`` names the player of each side, ``watch`` is told of every choice before it is made.

    Raises:
        IllegalChoiceError: a player chose what is not among the options.
    """
    game = get_game(game_id)
    chosen = dict(options or {})
    state = game.setup(scenario or game.scenarios()[0].id, chosen)
    dice = SeededDice(seed)
    seats = game.seats(chosen)
    minds = {seat.id: player(players[seat.side], game, chosen, seed * 31 + number) for number, seat in enumerate(seats)}
    timer = _Timer(seconds)
    counts = dict.fromkeys(players, 0)
    while (decision := game.decision(state)) is not None:
        counts[decision.side] += 1
        if sum(counts.values()) > MOST_DECISIONS:
            raise RuntimeError(f"game {seed} does not end")
        view = game.view_of(state, decision.seat)
        clock = timer.clock(_player_turn(game, state, decision), decision.side)
        begun = time.perf_counter()
        action = minds[decision.seat].choose(view, decision, clock)
        timer.spent(decision.side, time.perf_counter() - begun)
        if action not in decision.options:
            raise IllegalChoiceError(f"game {seed}: {players[decision.side]} chose {action} at {decision.prompt!r}")
        if watch is not None:
            watch(game, state, decision, action)
        game.apply(state, action, dice)
        dice.drawn.clear()
    outcome = game.outcome(state)
    assert outcome is not None
    seen = game.observe(state, None)
    return Result(
        seed, dict(players), outcome.winner, outcome.reason, int(seen["turn"]["number"]),
        int(seen.get("victory", {}).get("points", 0)), counts, timer.total, timer.slowest,
    )  # fmt: skip


def _player_turn(game: Game[Any], state: Any, decision: Decision) -> tuple[object, ...]:
    """What tells one player-turn from another."""
    return (getattr(state, "turn", 0), getattr(state, "side", decision.side), decision.side)


class _Timer:
    """Thinking time by player-turn and side."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns: dict[tuple[object, ...], float] = {}
        self._now: tuple[object, ...] = ()
        self.total: dict[str, float] = {}
        self.slowest: dict[str, float] = {}

    def clock(self, turn: tuple[object, ...], side: str) -> TimedClock:
        """The clock of a decision: what is left for its player-turn."""
        self._now = turn
        return TimedClock(max(0.0, self._seconds - self._turns.get(turn, 0.0)))

    def spent(self, side: str, seconds: float) -> None:
        """Note thinking time."""
        used = self._turns.get(self._now, 0.0) + seconds
        self._turns[self._now] = used
        self.total[side] = self.total.get(side, 0.0) + seconds
        self.slowest[side] = max(self.slowest.get(side, 0.0), used)


# ---------------------------------------------------------------------- many games


class Tally(NamedTuple):
    """The games of one pairing on one side."""

    player: str
    opponent: str
    side: str
    games: int
    wins: int
    interval: tuple[float, float]
    """Wilson interval of the win rate, 95 %."""
    points: float
    """Victory points at the end, on average."""
    turns: float
    seconds: float
    """Thinking time of the player in a player-turn, on average over games the slowest."""


def wilson(wins: int, games: int, draws: int = 0) -> tuple[float, float]:
    """The 95 % interval of a score in which a draw counts half.

    Draws stray less from the mean than wins and losses do, so with many of them fewer games say as much. Their share is
    taken a little low, as if there were four games more, lest a few draws seem to settle it.
    """
    if not games:
        return 0.0, 1.0
    z = 1.96
    rate = (wins + draws / 2) / games
    spread = rate * (1 - rate)
    said = games * spread / (spread - draws / (games + 4) / 4) if spread else games
    middle = rate + z * z / (2 * said)
    half = z * sqrt(spread / said + z * z / (4 * said * said))
    whole = 1 + z * z / said
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


class Job(NamedTuple):
    """One game to be played."""

    game: str
    players: tuple[tuple[str, str], ...]
    seed: int
    scenario: str | None
    options: tuple[tuple[str, str], ...]
    seconds: float


def _work(job: Job) -> Result:
    return play_game(job.game, dict(job.players), job.seed, job.scenario, dict(job.options), job.seconds)


def duel(
    game_id: str,
    a: str,
    b: str,
    games: int,
    *,
    sides: Sequence[str] | None = None,
    first_seed: int = 1,
    processes: int = 1,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    seconds: float = PLAYER_TURN_SECONDS,
    progress: Callable[[int, int, Result], None] | None = None,
) -> tuple[list[Tally], list[Result]]:
    """Let a play b: so many games with a on each of the sides, the same seeds on each."""
    chosen = dict(options or {})
    all_sides = list(dict.fromkeys(seat.side for seat in get_game(game_id).seats(chosen)))
    jobs = [
        Job(
            game_id, tuple((s, a if s == side else b) for s in all_sides), seed, scenario,
            tuple(sorted(chosen.items())), seconds,
        )
        for seed in range(first_seed, first_seed + games)
        for side in (sides or all_sides)
    ]  # fmt: skip
    results: list[Result] = []
    for result in _run(jobs, processes):
        results.append(result)
        if progress is not None:
            progress(len(results), len(jobs), result)
    tallies = []
    for side in sides or all_sides:
        played = [r for r in results if r.players[side] == a and all(r.players[s] == b for s in all_sides if s != side)]
        tallies.append(_tally(a, b, side, played))
    return tallies, results


def _run(jobs: list[Job], processes: int) -> Iterable[Result]:
    if processes <= 1:
        yield from map(_work, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_work, jobs)


def _tally(a: str, b: str, side: str, played: list[Result]) -> Tally:
    wins = sum(r.winner == side for r in played)
    number = max(1, len(played))
    return Tally(
        a, b, side, len(played), wins, wilson(wins, len(played)),
        sum(r.points for r in played) / number, sum(r.turn for r in played) / number,
        sum(r.slowest.get(side, 0.0) for r in played) / number,
    )  # fmt: skip


def table(tallies: Iterable[Tally]) -> str:
    """The tallies as a Markdown table."""
    lines = [
        "| player | side | opponent | games | won | 95 % interval | Axis points | last turn | slowest turn |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for t in tallies:
        low, high = t.interval
        lines.append(
            f"| {t.player} | {t.side} | {t.opponent} | {t.games} | {t.wins} | {low:.0%}-{high:.0%} | {t.points:.1f} | "
            f"{t.turns:.1f} | {t.seconds:.1f} s |"
        )
    return "\n".join(lines)
