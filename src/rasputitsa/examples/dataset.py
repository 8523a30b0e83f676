"""Games as a table: saved games to Parquet and back. Needs the extra ``dataset``.

    rasputitsa simulate -n 20 --player axis=greedy --player soviet=greedy --saves games
    python -m rasputitsa.examples.dataset write games games.parquet
    python -m rasputitsa.examples.dataset read games.parquet games-again

A row is a decision: which game, its number, the seat, what was asked, the action and its number, the numbers of all
legal actions as learning environments have them, and the dice that fell. ``idle`` marks decisions that led nowhere: the
game came back to where it had stood, and no die fell on the way. The first row of a game (``ply`` -1) holds its header
and, as ``layout``, what the numbers mean. ``game_key`` belongs to one game alone, in whatever file it lies. Nothing is
lost: read back, every game replays to the same position.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rasputitsa.core import files
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.record.session import Session
from rasputitsa.envs.encoder import encoder_for
from rasputitsa.envs.indices import ActionIndex
from rasputitsa.envs.layout import Layout

MOST_ROWS, MOST_GAMES, MOST_BYTES = 1_000_000, 1_000_000, 1_000_000_000
"""Decisions of a game, games of a table, and bytes of a game: far more than any has."""

_NAME = re.compile(r"[\w-][\w.-]*")

SCHEMA = pa.schema([
    ("game_id", pa.string()), ("game_key", pa.string()), ("game", pa.string()), ("scenario", pa.string()),
    ("ply", pa.int32()), ("seat", pa.string()), ("side", pa.string()), ("turn", pa.int16()),
    ("kind", pa.string()), ("options", pa.int32()), ("action", pa.string()), ("number", pa.int32()),
    ("legal", pa.list_(pa.int32())), ("idle", pa.bool_()), ("dice", pa.string()),
    ("header", pa.string()), ("layout", pa.string()), ("winner", pa.string()),
])  # fmt: skip


def rows(game_id: str, session: Session) -> list[dict[str, Any]]:
    """The rows of a game, played again decision by decision."""
    game, state = session.game, session.state_at(0)
    outcome = session.outcome()
    encoder = encoder_for(game, state)
    index = ActionIndex(game, session.header.scenario, state, encoder)
    shared = {
        **dict.fromkeys(SCHEMA.names), "game_id": game_id, "game_key": key_of(session), "game": game.id,
        "scenario": session.header.scenario, "winner": outcome.winner if outcome else None,
    }  # fmt: skip
    head = json.dumps(session.header.to_json(), ensure_ascii=False)
    layout = Layout(game.id, encoder.layout, encoder.digest, index.digest)
    found = [shared | {"ply": -1, "header": head, "layout": str(layout)}]
    been = {game.fingerprint(state): 0}
    for ply, entry in enumerate(session.entries):
        row = shared | {"ply": ply, "seat": entry.seat, "action": entry.action}
        found.append(row)
        if entry.dice:
            row["dice"] = json.dumps([list(draw) for draw in entry.dice])
        decision = game.decision(state)
        if not entry.action.startswith("@") and decision is not None:
            (action,) = game.parse(state, entry.action)
            row |= {"side": decision.side, "kind": decision.kind, "options": len(decision.options), "idle": False}
            row |= {"number": index.number(action), "legal": sorted(index.numbers(decision.options).tolist())}
            row["turn"] = (game.observe(state, None).get("turn") or {}).get("number")
            game.apply(state, action, ScriptedDice(entry.dice))
            if entry.dice:
                been.clear()
            first = been.setdefault(game.fingerprint(state), ply + 1)
            for undone in found[first + 1 :]:
                if undone["number"] is not None:
                    undone["idle"] = True
            been = {place: at for place, at in been.items() if at <= first}
    return found


def key_of(session: Session) -> str:
    """A short text that only a copy of the same game has too."""
    return blake2b(session.save().encode(), digest_size=12).hexdigest()


class DatasetError(RasputitsaError):
    """A table that does not hold games."""


def write(sessions: Iterable[tuple[str, Session]], path: Path) -> int:
    """Write games to a file, one after another, whole or not at all; gives the number of rows. Raises ``OSError``."""
    count = 0
    with files.replacing(path) as new, pq.ParquetWriter(new, SCHEMA, compression="zstd") as writer:
        for game_id, session in sessions:
            table = pa.Table.from_pylist(rows(game_id, session), schema=SCHEMA)
            writer.write_table(table)
            count += table.num_rows
    return count


def read(path: Path) -> Iterator[tuple[str, Session]]:
    """The games of a file; each is replayed, so that a wrong row cannot go unnoticed.

    Raises:
        DatasetError: it is no table of games, or one is recorded wrongly.
        SaveError: a game cannot be played as it stands there.
        OSError: it cannot be read.
    """
    with _file_errors(path), path.open("rb") as handle:
        file = pq.ParquetFile(handle)
        if not file.schema_arrow.equals(SCHEMA):
            raise DatasetError(f"{path} has other columns than a table of games")
        if file.num_row_groups > MOST_GAMES:
            raise DatasetError(f"{path} holds more than {MOST_GAMES:,} games")
        for number in range(file.num_row_groups):  # a game is a row group
            size = file.metadata.row_group(number)
            if not 0 < size.num_rows <= MOST_ROWS or size.total_byte_size > MOST_BYTES:
                raise DatasetError(f"game {number + 1} has no rows, or too many")
            yield _game(file.read_row_group(number).sort_by("ply").to_pylist())


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    """What a file that is damaged or made by others leads to, in words."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        if isinstance(problem, OSError) and problem.errno:
            raise
        raise DatasetError(f"{path} is no table in Parquet, or is damaged: {str(problem).splitlines()[0]}") from problem


def _game(found: Sequence[Mapping[str, Any]]) -> tuple[str, Session]:
    head, *lines = found
    name = head["game_id"]
    if name is None or [row["ply"] for row in found] != list(range(-1, len(lines))):
        raise DatasetError(f"the rows of game {name!r:.80} are not those of one game")
    entries = [_entry(row) for row in lines]
    return name, Session.load("\n".join([_line(head["header"] or ""), *entries, json.dumps({"end": len(lines)})]))


def _entry(row: Mapping[str, Any]) -> str:
    """A row as a line of a saved game."""
    named = json.dumps({"seat": row["seat"], "action": row["action"]}, ensure_ascii=False)
    return f'{named[:-1]}, "dice": {_line(row["dice"])}}}' if row["dice"] else named


def _line(text: str) -> str:
    """JSON that takes a line of its own, for the reader of saved games to judge."""
    return " ".join(text.splitlines())


def summary(path: Path) -> dict[str, int]:
    """How often each kind of decision was asked: what a table of ours is good for."""
    counts = pc.value_counts(pq.read_table(path, columns=["kind"])["kind"].drop_null())
    return {item["values"]: item["counts"] for item in counts.to_pylist()}


def main() -> None:
    """Read the command line and convert."""
    parser = argparse.ArgumentParser(description="Saved games to Parquet and back.")
    parser.add_argument("direction", choices=["write", "read"])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    try:
        convert(given.direction, given.source, given.target)
    except (RasputitsaError, OSError) as problem:
        raise SystemExit(f"dataset: {problem}") from problem


def convert(direction: str, source: Path, target: Path) -> None:
    """Write a folder of saved games to a table, or the other way round. Raises ``RasputitsaError`` and ``OSError``."""
    if direction == "write":
        saves = sorted(source.glob("*.jsonl"))
        print(f"{write(map(_loaded, saves), target)} rows of {len(saves)} games")
        for kind, count in sorted(summary(target).items(), key=lambda item: -item[1])[:5]:
            print(f"  {kind}: {count}")
        return
    target.mkdir(parents=True, exist_ok=True)
    for game_id, session in read(source):
        if not _NAME.fullmatch(game_id):  # a table of somebody else names no file elsewhere
            raise DatasetError(f"{game_id!r:.80} is no name for a file")
        files.write_text(target / f"{game_id}.jsonl", session.save())
        print(game_id)


def _loaded(path: Path) -> tuple[str, Session]:
    try:
        return path.stem, Session.load(files.as_text(files.read_bytes(path), path))
    except SaveError as problem:
        raise DatasetError(f"{path}: {problem}") from problem


if __name__ == "__main__":
    main()
