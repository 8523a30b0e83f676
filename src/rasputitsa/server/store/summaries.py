"""What the list of matches shows of each: read so that no row, whatever stands in it, breaks or swells the list."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import case, func, literal

from rasputitsa.server.store.schema import matches

LARGEST = 8000
"""The longest summary that is looked at; those of today have a few hundred characters."""
LONGEST = 200
MOST_SEATS = 16
KINDS = {"human": "name", "bot": "bot"}
"""The kinds of players, and what the name of one is called."""


def read_summary(text: str | bytes | None) -> dict[str, Any]:
    """A stored summary with every field it should have; empty fields for what cannot be read."""
    found: Any = None
    if isinstance(text, (str, bytes)) and len(text) <= LARGEST:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
    table = found if isinstance(found, dict) else {}
    players = table.get("controllers")
    summary: dict[str, Any] = {
        name: _text(table.get(name)) for name in ("game", "scenario", "turn_label", "phase_label")
    }
    summary["to_move"] = _text(table.get("to_move")) or None
    summary["controllers"] = (
        {_text(seat): _player(player) for seat, player in list(players.items())[:MOST_SEATS]}
        if isinstance(players, dict)
        else {}
    )
    return summary


def _text(value: object) -> str:
    return value[:LONGEST].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _player(value: Any) -> dict[str, str]:
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        return {"kind": "human"}
    name = _text(value.get(KINDS[kind]))
    return {"kind": kind, **({KINDS[kind]: name} if name else {})}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What is known of a match without its journal."""

    id: int
    title: str
    header: str
    summary: dict[str, Any]
    over: bool
    entries: int
    created_ms: int
    updated_ms: int
    opened: bool = False
    """Whether one person has seen it with the eyes of more than one side."""


LISTED = [
    *(column for column in matches.c if column.name not in ("title", "header", "summary")),
    func.substr(matches.c.title, 1, LONGEST).label("title"),
    literal("").label("header"),
    case((func.length(matches.c.summary) <= LARGEST, matches.c.summary), else_="").label("summary"),
]
"""What the list needs of a match; long texts, such as headers, stay where they are."""


def match_row(row: Any) -> MatchRow:
    """A match as it was read."""
    return MatchRow(
        id=row.id,
        title=row.title if isinstance(row.title, str) else "",
        header=row.header,
        summary=read_summary(row.summary),
        over=row.over,
        entries=row.entries,
        created_ms=row.created_ms,
        updated_ms=row.updated_ms,
        opened=row.opened,
    )
