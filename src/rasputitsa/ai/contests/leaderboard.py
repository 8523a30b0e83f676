"""A leaderboard that anybody can check: submissions are the answers of a bot, and each game is played again from them.

A board is a game, a start, an opponent and a word; the word gives the seeds. Its opponent thinks by work, so that it
answers alike on any machine, and its dice follow from the seeds: nothing but the answers of the bot has to be believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from rasputitsa.ai.contests.contest import SEED_BITS, Job, Played
from rasputitsa.ai.contests.ratings import Tally
from rasputitsa.ai.contests.workers import play_all
from rasputitsa.ai.players import WALL, WORK
from rasputitsa.core.errors import RasputitsaError, SetupError
from rasputitsa.core.files import JsonLines
from rasputitsa.core.registry import get_game, rules_digest

FORMAT, VERSION = "rasputitsa-submission", 1
GAMES = 200
LONGEST_NAME = 60
MOST_SHOWN = 5
"""How many of the games that are wrong are named."""
FIELDS: dict[str, type | tuple[type, ...]] = {"id": str, "winner": (str, type(None)), "fault": str, "answers": list}


class SubmissionError(RasputitsaError):
    """A submission that a board does not take."""


@dataclass(frozen=True)
class Board:
    """What is played: half of the games with each side, both halves with the same seeds."""

    game: str
    opponent: str
    word: str
    scenario: str = ""
    lesson: str = ""
    games: int = GAMES
    seconds: float = 10.0
    """For a player-turn."""

    def sides(self) -> tuple[str, str]:
        """The two sides; ``SetupError`` where there are not two."""
        game = get_game(self.game)
        if self.lesson:
            seats = game.seats(game.lesson(self.lesson).get("options", {}))
        else:
            game.setup(self.scenario, {})
            seats = game.seats({})
        found = tuple(dict.fromkeys(seat.side for seat in seats))
        if len(found) != 2:
            raise SetupError(f"a leaderboard needs a game of two sides, not of {len(found)}")
        return found[0], found[1]

    def header(self) -> dict[str, Any]:
        """What a submission to it says in its first line, besides the name of the bot."""
        return {
            "format": FORMAT, "format_version": VERSION, "game": self.game, "scenario": self.scenario,
            "lesson": self.lesson, "opponent": self.opponent, "word": self.word, "games": self.games,
            "seconds": self.seconds, "data": get_game(self.game).data_version, "rules": rules_digest(self.game),
            "program": metadata.version("rasputitsa"),
        }  # fmt: skip

    def seeds(self) -> list[int]:
        """The seeds of the games, each for both sides."""
        words = (f"leaderboard {self.word} {number}" for number in range(self.games // 2))
        return [int.from_bytes(sha256(word.encode()).digest()[:8]) >> (64 - SEED_BITS) for word in words]

    def jobs(self, bot: str) -> list[Job]:
        """The games of a bot."""
        one, other = self.sides()
        return [
            Job(
                f"{number}|{mine}", self.game, {mine: bot, theirs: self.opponent}, seed, self.scenario, self.lesson,
                seconds=self.seconds, clock=WORK, own_clock=WALL, noted=mine,
            )
            for number, seed in enumerate(self.seeds())
            for mine, theirs in ((one, other), (other, one))
        ]  # fmt: skip


def line_of(played: Played) -> dict[str, Any]:
    """What a submission holds of a game."""
    fault = played.fault if played.forfeited == played.id.partition("|")[2] else ""
    return {"id": played.id, "winner": played.winner, "fault": fault, "answers": played.answers}


@dataclass(frozen=True)
class Standing(Tally):
    """How a bot did, as its checked submission shows."""

    name: str
    faults: int
    by_side: Mapping[str, int]
    """Games won with each side."""
    digest: str
    """The beginning of the SHA-256 of the submission."""


def check(board: Board, path: Path, processes: int = 1) -> Standing:
    """Play a submission again; raises ``SubmissionError`` for one that is not whole, not of this board or not true."""
    lines = JsonLines(path).values
    name = _checked_header(board, lines[0] if lines else None)
    found = _checked_lines(board, lines[1:])
    jobs = [_again(job, found[job.id]) for job in board.jobs(name)]
    wrong = sorted(
        (problem for played in play_all(jobs, processes) if (problem := _untrue(found[played.id], played))),
        key=lambda problem: int(problem.split()[1].partition("|")[0]),
    )
    if wrong:
        raise SubmissionError(_several(wrong, "played again, some games are not as submitted: "))
    won = Counter(game.partition("|")[2] for game, line in found.items() if line["winner"] == game.partition("|")[2])
    return Standing(
        won.total(), sum(line["winner"] is None for line in found.values()), len(found), name,
        sum(bool(line["fault"]) for line in found.values()), {side: won[side] for side in board.sides()},
        sha256(path.read_bytes()).hexdigest()[:12],
    )  # fmt: skip


def _checked_header(board: Board, header: object) -> str:
    """The name of the bot."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise SubmissionError("this is no submission")
    for field, wanted in board.header().items():
        if header.get(field) != wanted:
            raise SubmissionError(f"{field} is {header.get(field)!r:.60}; this board asks for {wanted!r}")
    name = header.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or "|" in name:
        raise SubmissionError(f"name is a text of at most {LONGEST_NAME} printable characters without |")
    return name


def _checked_lines(board: Board, lines: Sequence[object]) -> dict[str, dict[str, Any]]:
    """The games by their ids: all that the board asks for, each once, and no others."""
    wanted, sides = [job.id for job in board.jobs("")], board.sides()
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(lines, start=2):
        if not isinstance(line, dict) or line.keys() != FIELDS.keys():
            raise SubmissionError(f"line {number}: a game has the fields {', '.join(FIELDS)}")
        bad = [field for field, kind in FIELDS.items() if not isinstance(line[field], kind)]
        if bad or line["winner"] not in (None, *sides) or not all(isinstance(text, str) for text in line["answers"]):
            raise SubmissionError(f"line {number}: {bad[0] if bad else 'winner or answers'} cannot be that")
        if line["id"] in found:
            raise SubmissionError(f"line {number}: game {_shown(line['id'])} is there twice")
        found[line["id"]] = line
    if strange := sorted(found.keys() - set(wanted)):
        raise SubmissionError(_several(strange, "not asked for: "))
    if missing := [game for game in wanted if game not in found]:
        raise SubmissionError(_several(missing, f"{len(missing)} of {board.games} games are missing: "))
    return found


def _again(job: Job, line: Mapping[str, Any]) -> Job:
    return Job(**{**vars(job), "answers": tuple(line["answers"])})


def _untrue(line: Mapping[str, Any], played: Played) -> str:
    """What is wrong with a submitted game, beginning with its id; empty if nothing is."""
    game, mine = played.id, played.id.partition("|")[2]
    if len(played.answers) < len(line["answers"]):
        number = len(played.answers) + 1
        why = f"({played.reason:.80})" if played.fault else "comes after the end"
        return f"game {game} at answer {number} of {len(line['answers'])} {why}"
    if bool(line["fault"]) != (played.forfeited == mine):
        return f"game {game} {'does not end in a fault' if line['fault'] else 'is cut short'}"
    if line["winner"] != played.winner:
        return f"game {game} was won by {played.winner or 'nobody'}, not by {line['winner'] or 'nobody'}"
    return ""


def _several(problems: Sequence[str], what: str) -> str:
    more = len(problems) - MOST_SHOWN
    return what + "; ".join(map(_shown, problems[:MOST_SHOWN])) + (f"; and {more} more" if more > 0 else "")


def _shown(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """The best first."""
    return sorted(standings, key=lambda one: (-one.score, one.name, one.digest))
