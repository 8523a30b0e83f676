"""Tables of games that are damaged, of others, or made to harm are refused in words; written is all or nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from rasputitsa.examples import dataset
from tests.support import PATIENCE

Rows = list[dict[str, Any]]


@pytest.fixture
def session() -> Session:
    session = lesson_session("portfolio", "pocket", seed=4)
    session.play("move 39Pz")
    return session


def told(*line: object) -> str:
    """What the command says that refuses."""
    done = subprocess.run(
        [sys.executable, "-m", "rasputitsa.examples.dataset", *map(str, line)],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1 and "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda rows: rows[0].update(header=None), "not a saved game"),
        (lambda rows: rows[0].update(header="[" * 10**5), "line 1"),
        (lambda rows: rows[0].update(header="{}\n{}"), "line 1 of the saved game is not JSON"),
        (lambda rows: rows[0].update(game_id=None), "not those of one game"),
        (lambda rows: rows[0].update(ply=None), "not those of one game"),
        (lambda rows: rows.append(dict(rows[1])), "not those of one game"),
        (lambda rows: rows[1].update(dice="[1]"), "dice are a list"),
        (lambda rows: rows[1].update(dice='[], "position": {}'), "a position belongs to"),
        (lambda rows: rows[1].update(seat=None), "seat"),
        (lambda rows: rows[1].update(action="move 20A"), "entry 1"),
    ],
)
def test_rows_that_tell_no_game_are_refused(
    change: Callable[[Rows], None], says: str, session: Session, tmp_path: Path
) -> None:
    rows = dataset.rows("x", session)
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=dataset.SCHEMA), tmp_path / "bad.parquet")
    with pytest.raises(RasputitsaError, match=says):
        list(dataset.read(tmp_path / "bad.parquet"))


def test_what_is_no_table_is_refused_in_one_line(session: Session, tmp_path: Path) -> None:
    path, target = tmp_path / "games.parquet", tmp_path / "games"
    dataset.write([("x", session)], path)
    content = path.read_bytes()
    for wrong in (b"", b"PAR1", content[:-9], content[:40] + b"\xff" * 40 + content[80:]):
        path.write_bytes(wrong)
        assert "is no table in Parquet" in told("read", path, target)
    pq.write_table(pa.table({"game_id": ["x"]}), path)
    assert "other columns" in told("read", path, target)
    assert "No such file" in told("read", tmp_path / "none", target)
    assert not list(target.iterdir())


def test_a_game_of_millions_of_rows_is_not_unpacked(session: Session, tmp_path: Path) -> None:
    rows = dataset.rows("x", session)
    many = pa.concat_tables([pa.Table.from_pylist(rows[1:], schema=dataset.SCHEMA)] * (dataset.MOST_ROWS + 1))
    pq.write_table(many.combine_chunks(), tmp_path / "bomb.parquet", row_group_size=1 << 22)
    assert (tmp_path / "bomb.parquet").stat().st_size < 2_000_000
    with pytest.raises(dataset.DatasetError, match="game 1 has no rows, or too many"):
        next(dataset.read(tmp_path / "bomb.parquet"))


def test_a_table_is_written_whole_or_stays_as_it_was(session: Session, tmp_path: Path) -> None:
    saves, path = tmp_path / "saves", tmp_path / "games.parquet"
    saves.mkdir()
    (saves / "a.jsonl").write_text(session.save(), encoding="utf-8")
    (saves / "b.jsonl").write_text("no game")
    path.write_text("as before")
    assert "b.jsonl: " in told("write", saves, path)
    assert path.read_text() == "as before" and len(list(tmp_path.iterdir())) == 2
