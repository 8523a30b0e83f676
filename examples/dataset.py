"""Games as a table: saved games to Parquet and back. Needs the extra ``dataset``.

    rasputitsa simulate -n 20 --player axis=greedy --player soviet=greedy --saves games
    python examples/dataset.py write games games.parquet
    python examples/dataset.py read games.parquet games-again

A row is a decision: which game, its number, the seat, what was asked, how many options there were, the action, and the
dice that fell. The first row of a game (``ply`` -1) holds its header. Nothing is lost: read back, every game replays to
the same position.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rasputitsa.core.dice import Draw, ScriptedDice
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.core.record.session import Session

SCHEMA = pa.schema([
    ("game_id", pa.string()), ("ply", pa.int32()), ("seat", pa.string()), ("side", pa.string()), ("turn", pa.int16()),
    ("kind", pa.string()), ("options", pa.int32()), ("action", pa.string()), ("dice", pa.string()),
    ("header", pa.string()), ("winner", pa.string()),
])  # fmt: skip


def rows(game_id: str, session: Session) -> Iterator[dict[str, Any]]:
    """The rows of a game, played again decision by decision."""
    game = session.game
    outcome = session.outcome()
    winner = outcome.winner if outcome else None
    empty = dict.fromkeys(SCHEMA.names)
    head = json.dumps(session.header.to_json(), ensure_ascii=False)
    yield {**empty, "game_id": game_id, "ply": -1, "header": head, "winner": winner}
    state = session.state_at(0)
    for ply, entry in enumerate(session.entries):
        row = {**empty, "game_id": game_id, "ply": ply, "seat": entry.seat, "action": entry.action, "winner": winner}
        if entry.dice:
            row["dice"] = json.dumps([list(draw) for draw in entry.dice])
        decision = game.decision(state)
        if not entry.action.startswith("@") and decision is not None:
            row |= {"side": decision.side, "kind": decision.kind, "options": len(decision.options)}
            row["turn"] = (game.observe(state, None).get("turn") or {}).get("number")
            (action,) = game.parse(state, entry.action)
            game.apply(state, action, ScriptedDice(entry.dice))
        yield row


def write(sessions: Iterable[tuple[str, Session]], path: Path) -> int:
    """Write games to a file, one after another; gives the number of rows."""
    count = 0
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for game_id, session in sessions:
            table = pa.Table.from_pylist(list(rows(game_id, session)), schema=SCHEMA)
            writer.write_table(table)
            count += table.num_rows
    return count


def read(path: Path) -> Iterator[tuple[str, Session]]:
    """The games of a file; each is replayed, so that a wrong row cannot go unnoticed."""
    file = pq.ParquetFile(path)
    for number in range(file.num_row_groups):  # a game is a row group
        found = file.read_row_group(number).sort_by("ply").to_pylist()
        head, *lines = found
        entries = [
            Entry(line["seat"], line["action"], tuple(Draw(*draw) for draw in json.loads(line["dice"] or "[]")))
            for line in lines
        ]
        yield head["game_id"], Session.from_entries(Header.from_json(json.loads(head["header"])), entries)


def summary(path: Path) -> dict[str, int]:
    """How often each kind of decision was asked: what a table is good for."""
    counts = pc.value_counts(pq.read_table(path, columns=["kind"])["kind"].drop_null())
    return {item["values"]: item["counts"] for item in counts.to_pylist()}


def main() -> None:
    """Read the command line and convert."""
    parser = argparse.ArgumentParser(description="Saved games to Parquet and back.")
    parser.add_argument("direction", choices=["write", "read"])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    if given.direction == "write":
        saves = sorted(given.source.glob("*.jsonl"))
        games = ((path.stem, Session.load(path.read_text(encoding="utf-8"))) for path in saves)
        print(f"{write(games, given.target)} rows of {len(saves)} games")
        for kind, count in sorted(summary(given.target).items(), key=lambda item: -item[1])[:5]:
            print(f"  {kind}: {count}")
        return
    given.target.mkdir(parents=True, exist_ok=True)
    for game_id, session in read(given.source):
        if not re.fullmatch(r"[\w-][\w.-]*", game_id):  # a table of somebody else names no file elsewhere
            raise SystemExit(f"{game_id!r:.80} is no name for a file")
        (given.target / f"{game_id}.jsonl").write_text(session.save(), encoding="utf-8")
        print(game_id)


if __name__ == "__main__":
    main()
