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
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rasputitsa.core.dice import Draw, ScriptedDice
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.core.record.session import Session
from rasputitsa.envs.encoder import encoder_for
from rasputitsa.envs.indices import ActionIndex
from rasputitsa.envs.layout import Layout

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
            row |= {"number": index.number(action), "legal": sorted(index.numbers(decision.options))}
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


def write(sessions: Iterable[tuple[str, Session]], path: Path) -> int:
    """Write games to a file, one after another; gives the number of rows."""
    count = 0
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for game_id, session in sessions:
            table = pa.Table.from_pylist(rows(game_id, session), schema=SCHEMA)
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
