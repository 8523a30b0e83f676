"""What computer players learn from, and what they have learned: each file is refused in words, or can be used."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rasputitsa.ai.portfolio.search import selfplay
from rasputitsa.ai.portfolio.search.features import NAMES
from rasputitsa.ai.portfolio.search.value import read_weights
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import as_text
from rasputitsa.core.record.new import lesson_session
from rasputitsa.envs.table import Table
from rasputitsa.examples import dataset
from rasputitsa.examples.masked_ppo import Describer, Policy
from tests.fuzz.targets import Target

MOST_ROWS = 200


class Learning(Target):
    """A letter for the kind of file, and its content."""

    name = "learning"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._path = Path(self._folder.name) / "file"
        self._table = Table("portfolio", lesson="river_and_city")
        self._policy = Policy(Describer(self._table), 1)
        self._kinds: dict[str, Callable[[bytes], object]] = {
            "g": self._games, "v": self._weights, "n": self._policy_file, "d": self._rows, "p": self._parquet,
        }  # fmt: skip

    def run(self, data: bytes) -> None:
        read = self._kinds.get(data[:1].decode("latin-1"))
        if read is None:
            return
        try:
            read(data[1:])
        except RasputitsaError as problem:
            assert str(problem).encode("utf-8", "replace"), "a refusal says why"

    def _games(self, content: bytes) -> None:
        self._path.write_bytes(content)
        rows = [row for game in selfplay.read(self._path).values for row in game["rows"]]
        assert np.isfinite(np.array(rows, dtype=float).reshape(-1, len(NAMES))).all()

    def _weights(self, content: bytes) -> None:
        assert 0 < read_weights(as_text(content, "weights")).chance([0.5] * len(NAMES)) < 1

    def _policy_file(self, content: bytes) -> None:
        self._path.write_bytes(content)
        self._policy.load(self._path, self._table)
        assert {name: array.dtype.kind for name, array in self._policy.weights.items()}

    def _rows(self, content: bytes) -> None:
        """Rows as lines of JSON, put into a table as far as they fit into one."""
        with contextlib.suppress(ValueError, RecursionError, TypeError, OverflowError, pa.ArrowException):
            rows = [json.loads(line) for line in content.splitlines()[:MOST_ROWS]]
            pq.write_table(pa.Table.from_pylist(rows, schema=dataset.SCHEMA), self._path)
            self._read()

    def _parquet(self, content: bytes) -> None:
        self._path.write_bytes(content)
        self._read()

    def _read(self) -> None:
        for name, session in dataset.read(self._path):
            assert isinstance(name, str) and session.save()

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        if data[:1] in (b"n", b"p") and len(data) > 2:
            changed = bytearray(data)
            for _ in range(chooser.randrange(1, 4)):
                changed[chooser.randrange(1, len(changed))] = chooser.randrange(256)
            return bytes(changed) if chooser.random() < 0.9 else bytes(changed[: chooser.randrange(1, len(changed))])
        lines = super().mutate(data[1:], chooser)
        return None if lines is None else data[:1] + lines

    def seeds(self) -> Iterator[bytes]:
        game = {"seed": 1, "axis_won": True, "turn": 9, "rows": [[0.5] * len(NAMES)] * 2}
        yield b"g" + json.dumps(game).encode() + b"\n" + json.dumps({**game, "seed": 2}).encode() + b"\n"
        yield b"v" + json.dumps({"constant": 0.1, "weights": dict.fromkeys(NAMES, 1.5)}).encode()
        kept = io.BytesIO()
        small = {name: np.zeros_like(array) for name, array in self._policy.weights.items()}
        np.savez_compressed(kept, layout=np.array(str(self._table.layout)), **small)  # type: ignore[arg-type]
        yield b"n" + kept.getvalue()
        session = lesson_session("portfolio", "pocket", seed=4)
        for action in ("move 39Pz", "done"):
            with contextlib.suppress(RasputitsaError):
                session.play(action)
        yield b"d" + b"\n".join(json.dumps(row).encode() for row in dataset.rows("x", session))
        dataset.write([("x", session)], self._path)
        yield b"p" + self._path.read_bytes()
