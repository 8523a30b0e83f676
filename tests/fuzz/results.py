"""Files of results: each is refused in words, or its tables and reports can be made."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rasputitsa.ai.contests.baselines import Baselines
from rasputitsa.ai.contests.contest import play_contest
from rasputitsa.ai.contests.ladder import Ladder, standings
from rasputitsa.ai.contests.ladder import Results as Kept
from rasputitsa.ai.contests.leaderboard import Board, check, line_of
from rasputitsa.ai.wir.campaigns import pools_report
from rasputitsa.ai.wir.campaigns.campaigns import Job as Campaign
from rasputitsa.ai.wir.campaigns.campaigns import run as campaigns
from rasputitsa.ai.wir.campaigns.history_report import report as history_report
from rasputitsa.cli.balance import _Report
from rasputitsa.core.errors import RasputitsaError
from tests.fuzz.targets import Target

LESSON = "first_attack"


class Results(Target):
    """A letter for the kind of file, and its content."""

    name = "results"
    rounds = 20

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._path = Path(self._folder.name) / "results"
        self._ladder = Ladder("portfolio", ("random", "steady"), 1, lesson=LESSON, scenario="", clock="work")
        self._lessons = Baselines("portfolio", ("random",), ("steady",), 1, lessons=(LESSON,))
        self._board = Board("portfolio", "random", "open", lesson=LESSON, games=2)
        self._kinds: dict[str, Callable[[], object]] = {
            "l": self._of_ladder, "b": self._of_baselines, "w": self._of_balance, "c": self._of_campaigns,
            "s": self._of_submission,
        }  # fmt: skip

    def run(self, data: bytes) -> None:
        read = self._kinds.get(data[:1].decode("latin-1"))
        if read is None:
            return
        self._path.write_bytes(data[1:])
        try:
            read()
        except RasputitsaError as problem:
            assert str(problem).encode(), "a refusal says why"

    def _of_ladder(self) -> None:
        file = Kept(self._path, self._ladder.header(), self._ladder.sides())
        file.close()
        assert file.ids() is not None
        if mine := [g for g in file.played if set(g["players"].values()) <= {"random", "steady"}]:
            standings(mine, self._ladder.sides(), rounds=5)

    def _of_baselines(self) -> None:
        file = Kept(self._path, self._lessons.header(), ["axis", "soviet"])
        file.close()
        self._lessons.cells(file.played)

    def _of_balance(self) -> None:
        file = Kept(self._path, {"format": "rasputitsa-ladder", "balance": True}, ["axis", "soviet"])
        file.close()
        if games := [g for g in file.played if g["id"] == "1"]:
            _Report(Path(self._folder.name), "portfolio", "june22", "", {"shipped": games}, None, False).write()

    def _of_campaigns(self) -> None:
        job = Campaign("barbarossa", 1, "random", "random", (), 10.0, 1)
        lines = list(campaigns([job], 1, self._path))
        history_report(lines)
        pools_report.report(lines)

    def _of_submission(self) -> None:
        check(self._board, self._path)

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        changed = super().mutate(data[1:], chooser)
        return None if changed is None else data[:1] + changed

    def seeds(self) -> Iterator[bytes]:
        def lines(*values: object) -> bytes:
            return "".join(json.dumps(value) + "\n" for value in values).encode()

        games = [play_contest(job).to_json() for job in self._ladder.jobs()]
        yield b"l" + lines(self._ladder.header(), *games)
        lesson = [play_contest(job).to_json() for jobs in self._lessons.jobs().values() for job in jobs]
        yield b"b" + lines(self._lessons.header(), *lesson)
        (job, *_) = self._ladder.jobs()
        balance = play_contest(type(job)(**{**vars(job), "id": "1", "samples": True})).to_json()
        yield b"w" + lines({"format": "rasputitsa-ladder", "balance": True}, balance)
        yield b"s" + lines(
            {**self._board.header(), "name": "random"},
            *(line_of(play_contest(job)) for job in self._board.jobs("random")),
        )
        self._path.write_bytes(b"")
        self._of_campaigns()
        yield b"c" + self._path.read_bytes()
