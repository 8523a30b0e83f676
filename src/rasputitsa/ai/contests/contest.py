"""One game of a contest: played to its end whatever the players do, with all that is worth counting about it."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

from rasputitsa.ai.external import BotFaultError, any_player
from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import CPU, EXTERNAL, TIMERS, WALL, WORK, Clock, Player, check_countable, clock_of, close
from rasputitsa.ai.shapes import misfit
from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import game_with_data

MOST_DECISIONS = 1_000_000
"""No game is longer: a campaign of War in Russia in random play takes up to a fifth of this."""
OVERRUN_SHARE, OVERRUN_SECONDS = 1.1, 0.25
"""A player-turn is overrun beyond this share of the time allowed and this number of seconds."""
SEED_BITS = 63


@dataclass(frozen=True)
class Job:
    """One game to be played; it travels to other processes and machines."""

    id: str
    game: str
    players: Mapping[str, str]
    """The player of each side."""
    seed: int
    scenario: str = ""
    lesson: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 10.0
    """For a player-turn."""
    data: str = ""
    """A folder of edited data; empty for the shipped."""
    samples: bool = False
    """Whether to note the position at the start of each turn."""
    clock: str = WALL
    """What the seconds are counted in."""
    own_clock: str = ""
    """The same for programs of their own, where theirs is another."""
    noted: str = ""
    """The side whose answers are noted; empty for none."""
    answers: tuple[str, ...] | None = None
    """What that side answers, in place of its player."""

    def clock_of(self, side: str) -> str:
        """What the seconds of a side are counted in."""
        return self.own_clock if self.own_clock and self.players[side].startswith(EXTERNAL) else self.clock


@dataclass
class Played:
    """How a game went."""

    id: str
    seed: int
    players: dict[str, str]
    winner: str | None
    level: str
    reason: str
    ending: str
    """What ended the game, in words shared by all games that end so."""
    turn: int
    decisions: int
    seconds: dict[str, float]
    """Thinking time of each side in all."""
    player_turns: dict[str, int]
    slowest: dict[str, float]
    overruns: dict[str, int]
    fault: str = ""
    """What made a side forfeit: crash, timeout, illegal, protocol, error."""
    forfeited: str = ""
    """The side that forfeited."""
    samples: list[dict[str, Any]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """What the side answered whose answers are noted."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


@dataclass
class Sample:
    """How a game stands when a turn begins, as a report compares it; figures of a side are those it knows itself."""

    turn: int | None
    date: str
    points: float
    control: dict[str, list[str]]
    """The hexes of the side whose control is counted."""
    standing: dict[str, int] = field(default_factory=dict)
    strength: dict[str, int] = field(default_factory=dict)
    unsupplied: dict[str, int] = field(default_factory=dict)
    fuel_short: dict[str, int] = field(default_factory=dict)


@cached
def _readers() -> tuple[TypeAdapter[Played], TypeAdapter[list[Sample]]]:
    return TypeAdapter(Played), TypeAdapter(list[Sample])


def wrong_in(line: object, sides: Sequence[str]) -> str:
    """What keeps a value that was read from being how a game between these sides went; empty if it is that."""
    game, samples = _readers()
    if problem := misfit(game, line):
        return problem
    read = cast(dict[str, Any], line)
    if problem := misfit(samples, read.get("samples", [])):
        return f"samples.{problem}"
    if read["winner"] not in (None, *sides):
        return f"winner: {read['winner']!r:.40} is no side"
    for name in ("players", "seconds", "player_turns", "slowest", "overruns"):
        if set(read[name]) != set(sides):
            return f"{name}: these are not the sides {' and '.join(sides)}"
    return ""


def completed(line: Mapping[str, Any]) -> dict[str, Any]:
    """A game that was read, with the fields that it may leave out."""
    return Played(**{one.name: line[one.name] for one in fields(Played) if one.name in line}).to_json()


def play_contest(job: Job) -> Played:
    """Play the game. A player that fails, or chooses what is not legal, forfeits; nothing is raised for it."""
    return _Contest(job).run()


class Script:
    """Gives the answers of a side as they were noted, and breaks down where there are no more."""

    def __init__(self, game: Game[Any], answers: Sequence[str]) -> None:
        self._game = game
        self._left = deque(answers)

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The next answer; ``BotFaultError`` for one that is not legal, or none."""
        if not self._left:
            raise BotFaultError("crash", "no answer is left")
        text = self._left.popleft()
        for option in decision.options:
            if self._game.format(state, option) == text:
                return option
        raise BotFaultError("illegal", f"{text!r:.60} is not among the options")


class _Contest:
    def __init__(self, job: Job) -> None:
        if job.answers is None:
            for side, name in job.players.items():
                check_countable([name], job.clock_of(side))
        self.job = job
        self.timers = {side: TIMERS.get(job.clock_of(side), TIMERS[CPU]) for side in job.players}
        self.game: Game[Any] = game_with_data(job.game, Path(job.data) if job.data else None)
        options = dict(job.options)
        if job.lesson:
            position = self.game.lesson(job.lesson)
            options = dict(position.get("options", {}))
            self.state = self.game.load_position(position)
        else:
            self.state = self.game.setup(job.scenario or self.game.scenarios()[0].id, options)
        self.options = options
        self.seats = self.game.seats(options)
        sides = list(dict.fromkeys(seat.side for seat in self.seats))
        self.result = Played(
            job.id, job.seed, dict(job.players), None, "", "", "", 0, 0, dict.fromkeys(sides, 0.0),
            dict.fromkeys(sides, 0), dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0),
        )  # fmt: skip
        self._players: dict[str, Player] = {}
        self._onlookers = MemoryTracker(self.game, options, self.state)
        self._turn: dict[str, object] = {}
        self._used = dict.fromkeys(sides, 0.0)
        self._work: dict[str, Clock] = {}
        self._sampled: object = None

    def run(self) -> Played:
        """Play the game to its end, or to the first fault; how it went."""
        seeds, job = random.Random(f"players of {self.job.seed}"), self.job
        script = None if job.answers is None else Script(self.game, job.answers)
        dice = SeededDice(self.job.seed)
        try:
            for seat in self.seats:
                seed = seeds.getrandbits(SEED_BITS)
                scripted = script if seat.side == job.noted else None
                self._players[seat.id] = scripted or any_player(job.players[seat.side], self.game, self.options, seed)
            self._onlookers.introduce(self._players)
            while (decision := self.game.decision(self.state)) is not None:
                if self.job.samples:
                    self._sample()
                action = self._ask(decision)
                if action is None:
                    return self.result
                self._onlookers.apply(self.state, action, dice)
                dice.drawn.clear()
                self.result.decisions += 1
                if self.result.decisions >= MOST_DECISIONS:
                    self._end(None, "endless", f"no end after {MOST_DECISIONS} decisions")
                    return self.result
        finally:
            for player in self._players.values():
                close(player)
        outcome = self.game.outcome(self.state)
        assert outcome is not None, "a game without a decision is over"
        if self.job.samples:
            self._sampled = None
            self._sample()
        self._end(outcome.winner, outcome.level, outcome.reason, self.game.ending(self.state))
        return self.result

    def _ask(self, decision: Decision) -> Action | None:
        """The player's choice, or None when that ended the game."""
        side = decision.side
        key = _player_turn(self.state, decision)
        if self._turn.get(side) != key:
            self._turn[side], self._used[side] = key, 0.0
            self.result.player_turns[side] += 1
            self._work[side] = clock_of(WORK, self.job.seconds)
        left = max(0.0, self.job.seconds - self._used[side])
        counted = self.job.clock_of(side)
        clock = self._work[side] if counted == WORK else clock_of(counted, left)
        view = self.game.view_of(self.state, decision.seat)
        begun = self.timers[side]()
        try:
            action = self._players[decision.seat].choose(view, decision, clock)
        except BotFaultError as problem:
            self._forfeit(side, problem.kind, str(problem))
            return None
        except Exception as problem:  # whatever the code of a player raises is that player's fault
            self._forfeit(side, "error", repr(problem))
            return None
        finally:
            self._spent(side, self.timers[side]() - begun)
        if action not in decision.options:
            self._forfeit(side, "illegal", f"{self.job.players[side]} chose {action!r:.100}")
            return None
        if side == self.job.noted:
            self.result.answers.append(self.game.format(self.state, action))
        return action

    def _spent(self, side: str, seconds: float) -> None:
        result = self.result
        limit = inf if self.job.clock_of(side) == WORK else self.job.seconds * OVERRUN_SHARE + OVERRUN_SECONDS
        before = self._used[side]
        self._used[side] = before + seconds
        result.seconds[side] += seconds
        result.slowest[side] = max(result.slowest[side], self._used[side])
        result.overruns[side] += before <= limit < self._used[side]

    def _forfeit(self, side: str, fault: str, reason: str) -> None:
        others = [seat.side for seat in self.seats if seat.side != side]
        self.result.fault, self.result.forfeited = fault, side
        self._end(others[0] if others else None, "forfeit", reason)

    def _end(self, winner: str | None, level: str, reason: str, ending: str = "") -> None:
        turn = (self.game.observe(self.state, None).get("turn") or {}).get("number")
        result = self.result
        result.winner, result.level, result.reason, result.ending = winner, level, reason, ending or level
        result.turn = turn if isinstance(turn, int) else 0
        result.seconds = {side: round(value, 3) for side, value in result.seconds.items()}
        result.slowest = {side: round(value, 3) for side, value in result.slowest.items()}

    def _sample(self) -> None:
        """The position when a turn begins, once."""
        turn = getattr(self.state, "turn", None)
        if turn is not None and turn == self._sampled:
            return
        self._sampled = turn
        self.result.samples.append(sample(self.game, self.state))


def _player_turn(state: Any, decision: Decision) -> object:
    """What tells one player-turn from another."""
    return getattr(state, "turn", 0), getattr(state, "side", decision.side)


def sample(game: Game[Any], state: Any) -> dict[str, Any]:
    """What a report compares: each side's figures as it knows them; what a game does not have is left out."""
    seen = game.observe(state, None)
    scenario, options = game.begun_with(state)
    sides = {unit["id"]: unit["side"] for unit in game.static(scenario).get("units", ())}
    standing = Counter(sides.get(unit["id"], "") for unit in seen.get("units", ()) if unit.get("hex"))
    seats = {seat.side: seat.id for seat in reversed(game.seats(options))}
    supply = {side: _asked(game, state, seats.get(side), "supply", {"side": side}) for side in seats}
    losses = _asked(game, state, None, "losses", {})
    victory = seen.get("victory") or {}
    return {
        "turn": (seen.get("turn") or {}).get("number"),
        "date": (seen.get("turn") or {}).get("label", ""),
        "points": victory.get("points", victory.get("difference", 0)),
        "control": {side: list(hexes) for side, hexes in (seen.get("control") or {}).items()},
        "standing": dict(standing),
        "strength": {side: told.get("on_map", 0) for side, told in losses.items()} or _strength(game, state, seats),
        "unsupplied": {side: len(told.get("unsupplied_units", ())) for side, told in supply.items()},
        "fuel_short": {side: len(told.get("fuel_short", ())) for side, told in supply.items()},
    }


def _strength(game: Game[Any], state: Any, seats: Mapping[str, str]) -> dict[str, int]:
    """Strength on the map where each side knows its own alone."""
    return {
        side: sum(unit.get("strength", 0) for unit in game.observe(state, seat)["units"] if unit.get("side") == side)
        for side, seat in seats.items()
    }


def _asked(game: Game[Any], state: Any, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return game.query(state, seat, kind, args)
    except RasputitsaError:
        return {}
