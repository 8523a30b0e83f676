"""A round robin of computer players with sides swapped, that can be broken off and gone on with.

Results are JSON lines: a header that says what is played, then one line a game. A game is known by its id, so that
going on plays just what is missing; a last line cut short by a crash is played again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from rasputitsa.ai.contests.contest import Job, Played, completed, wrong_in
from rasputitsa.ai.contests.ratings import ROUNDS, Meeting, Table, Tally, rate, wilson
from rasputitsa.ai.players import WALL
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import JsonLines, LineWriter
from rasputitsa.core.registry import game_with_data

FORMAT, VERSION = "rasputitsa-ladder", 1


class LadderError(RasputitsaError):
    """A results file that cannot be gone on with."""


@dataclass(frozen=True)
class Ladder:
    """What is played."""

    game: str
    players: tuple[str, ...]
    games: int
    """The number of seeds a pairing; each is played with either side."""
    seed: int = 1
    scenario: str = ""
    lesson: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 10.0
    data: str = ""
    clock: str = WALL
    """What the seconds are counted in."""
    against: tuple[str, ...] = ()
    """Where there are such, each player meets each of these instead of the other players."""

    def header(self) -> dict[str, Any]:
        """The first line of the results. Players and number of games may grow when the ladder is gone on with."""
        return {
            "format": FORMAT, "format_version": VERSION, "game": self.game, "scenario": self.scenario,
            "lesson": self.lesson, "options": dict(self.options), "seconds": self.seconds, "data": self.data,
            "seed": self.seed, "clock": self.clock,
        }  # fmt: skip

    def sides(self) -> tuple[str, ...]:
        """The two sides, in the order of the game."""
        game = game_with_data(self.game, Path(self.data) if self.data else None)
        options = game.lesson(self.lesson).get("options", {}) if self.lesson else self.options
        sides = tuple(dict.fromkeys(seat.side for seat in game.seats(options)))
        if len(sides) != 2:
            raise LadderError(f"a ladder needs a game of two sides; {self.game} has {len(sides)}")
        return sides

    def pairs(self) -> list[tuple[str, str]]:
        """Who meets whom."""
        return list(product(self.players, self.against) if self.against else combinations(self.players, 2))

    def jobs(self) -> list[Job]:
        """Every game: the pairings in turn, so that all ratings grow together; each seed with either side."""
        first, second = self.sides()
        return [
            Job(
                f"{a}|{b}|{seed}", self.game, {first: a, second: b}, seed, self.scenario, self.lesson,
                dict(self.options), self.seconds, self.data, clock=self.clock,
            )
            for seed in range(self.seed, self.seed + self.games)
            for pair in self.pairs()
            for a, b in (pair, pair[::-1])
        ]  # fmt: skip


class Results:
    """The results file of a ladder: read at the start, then added to line by line."""

    def __init__(self, path: Path | None, header: Mapping[str, Any], sides: Sequence[str]) -> None:
        """Read the file, if it is there. Raises ``LadderError`` or ``FileError`` for what are no such results."""
        self.played: list[dict[str, Any]] = []
        self._writer: LineWriter | None = None
        if path is None:
            return
        keep = 0
        if path.exists():
            keep = self._read(path, header, sides)
        self._writer = LineWriter(path, keep)
        if not keep:
            self._write(header)

    def _read(self, path: Path, header: Mapping[str, Any], sides: Sequence[str]) -> int:
        """Read what is there; gives the number of bytes that are whole lines."""
        found = JsonLines(path)
        lines = found.values
        if not lines:
            return 0
        if not isinstance(lines[0], dict) or lines[0].get("format") != header["format"]:
            raise LadderError(f"{path} holds no results of a ladder")
        there = {"clock": WALL, **lines[0]}
        other = [key for key, value in header.items() if there.get(key) != value]
        if other:
            told = ", ".join(f"{key} was {there.get(key)!r}, not {header[key]!r}" for key in other)
            raise LadderError(f"{path} holds the results of another ladder: {told}")
        for number, line in enumerate(lines[1:], start=2):
            if problem := wrong_in(line, sides):
                raise LadderError(f"{path}, line {number} is no result of a game: {problem}")
        self.played = [completed(line) for line in lines[1:]]
        return found.size

    def add(self, result: Played) -> None:
        """Note a result, on disk before anything else happens."""
        self._write(result.to_json())
        self.played.append(result.to_json())

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._writer is not None:
            self._writer.add(json.dumps(line, ensure_ascii=False))

    def ids(self) -> set[str]:
        """The games that have been played."""
        return {line["id"] for line in self.played}

    def close(self) -> None:
        """Close the file."""
        if self._writer is not None:
            self._writer.close()


@dataclass(frozen=True)
class Record(Tally):
    """The games of a player."""

    by_side: dict[str, tuple[int, int]]
    """Wins and games with each side."""


def _record(games: Sequence[tuple[Mapping[str, Any], str]], sides: Sequence[str]) -> Record:
    """Of games and the player's side in each."""
    by_side = {
        side: (sum(g["winner"] == side for g, s in games if s == side), sum(s == side for _, s in games))
        for side in sides
    }
    wins = sum(won for won, _ in by_side.values())
    return Record(wins, sum(g["winner"] is None for g, _ in games), len(games), by_side)


class Standing(NamedTuple):
    """One player on the ladder."""

    player: str
    elo: float
    low: float
    high: float
    record: Record
    turn_seconds: float
    """Thinking time for a player-turn, on average."""
    slowest: float
    overruns: int
    faults: dict[str, int]


def standings(
    played: Sequence[Mapping[str, Any]], sides: Sequence[str], rounds: int = ROUNDS
) -> tuple[list[Standing], Table]:
    """The table, the best first."""
    first, second = sides
    meetings = [Meeting(g["players"][first], g["players"][second], _score(g["winner"], first, second)) for g in played]
    table = rate(meetings, rounds)
    found = []
    for name, rating in table.players.items():
        mine = list(_of(name, played))
        turns = sum(g["player_turns"][side] for g, side in mine)
        faults = Counter(g["fault"] for g, side in mine if g["forfeited"] == side)
        found.append(
            Standing(
                name, *rating, _record(mine, sides),
                sum(g["seconds"][side] for g, side in mine) / max(1, turns),
                max((g["slowest"][side] for g, side in mine), default=0.0),
                sum(g["overruns"][side] for g, side in mine), dict(faults),
            )
        )  # fmt: skip
    return sorted(found, key=lambda s: -s.elo), table


class Pairing(NamedTuple):
    """How one player did against another."""

    player: str
    opponent: str
    record: Record


def pairings(played: Sequence[Mapping[str, Any]], sides: Sequence[str], names: Sequence[str]) -> list[Pairing]:
    """Each pair of players that have met, the one named first as the player."""
    found = []
    for name, other in combinations(names, 2):
        met = [(g, s) for g, s in _of(name, played) if other in g["players"].values()]
        if met:
            found.append(Pairing(name, other, _record(met, sides)))
    return found


def _of(name: str, played: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], str]]:
    for game in played:
        for side, player in game["players"].items():
            if player == name:
                yield game, side


def _score(winner: str | None, first: str, second: str) -> float:
    return 1.0 if winner == first else 0.0 if winner == second else 0.5


def side_wins(played: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, int, tuple[float, float]]]:
    """For each side: wins, games, Wilson interval."""
    totals: dict[str, int] = defaultdict(int)
    for game in played:
        for side in game["players"]:
            totals[side] += game["winner"] == side
    return {side: (wins, len(played), wilson(wins, len(played))) for side, wins in totals.items()}
