"""How often players reach the goals of the lessons: what somebody who learns can be measured by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasputitsa.ai.contests.contest import Job
from rasputitsa.ai.contests.ladder import LadderError
from rasputitsa.ai.contests.ratings import Tally
from rasputitsa.ai.players import WORK
from rasputitsa.core.registry import get_game

FORMAT, VERSION = "rasputitsa-baselines", 1


@dataclass(frozen=True)
class Cell(Tally):
    """How one player did in the learner's seat of one lesson."""

    forfeits: int
    turn_seconds: float
    """Processor time for a player-turn, on average."""


@dataclass(frozen=True)
class Baselines:
    """Each player in the learner's seat of each lesson, against each of some opponents, with the same seeds."""

    game: str
    players: tuple[str, ...]
    against: tuple[str, ...]
    games: int
    seed: int = 1
    seconds: float = 10.0
    clock: str = WORK
    lessons: tuple[str, ...] = ()
    """All of the game where none are named."""

    def header(self) -> dict[str, Any]:
        """The first line of the results. Players, opponents, lessons and number of games may grow."""
        return {
            "format": FORMAT, "format_version": VERSION, "game": self.game, "seconds": self.seconds,
            "clock": self.clock, "data": get_game(self.game).data_version,
        }  # fmt: skip

    def seats(self) -> dict[str, tuple[str, str]]:
        """For each lesson the side of the learner and that of the opponent."""
        game, found = get_game(self.game), {}
        for lesson in game.lessons():
            seats = game.seats(game.lesson(lesson.id).get("options", {}))
            [mine] = {seat.side for seat in seats if seat.id == lesson.seat}
            others = {seat.side for seat in seats} - {mine}
            if len(others) != 1:
                raise LadderError(f"baselines need lessons of two sides; {lesson.id} has {len(others) + 1}")
            found[lesson.id] = mine, others.pop()
        unknown = set(self.lessons) - set(found)
        if unknown:
            raise LadderError(f"there is no lesson {min(unknown)!r} of {self.game}; known: {', '.join(found)}")
        return {lesson: sides for lesson, sides in found.items() if not self.lessons or lesson in self.lessons}

    def jobs(self) -> dict[tuple[str, str, str], list[Job]]:
        """The games by lesson, opponent and player."""
        return {
            (lesson, opponent, player): [
                Job(
                    f"{lesson}|{player}|{opponent}|{seed}", self.game, {mine: player, other: opponent}, seed,
                    lesson=lesson, seconds=self.seconds, clock=self.clock,
                )
                for seed in range(self.seed, self.seed + self.games)
            ]
            for lesson, (mine, other) in self.seats().items()
            for opponent in self.against
            for player in self.players
        }  # fmt: skip

    def cells(self, played: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str, str], Cell]:
        """What the table holds, by lesson, opponent and player; without those of whom no game has been played."""
        games, found = {game["id"]: game for game in played}, {}
        for key, jobs in self.jobs().items():
            mine, _ = self.seats()[key[0]]
            if done := [games[job.id] for job in jobs if job.id in games]:
                found[key] = _cell(done, mine)
        return found


def _cell(games: Sequence[Mapping[str, Any]], side: str) -> Cell:
    return Cell(
        sum(game["winner"] == side for game in games),
        sum(game["winner"] is None for game in games),
        len(games),
        sum(game["forfeited"] == side for game in games),
        sum(game["seconds"][side] for game in games) / max(1, sum(game["player_turns"][side] for game in games)),
    )
