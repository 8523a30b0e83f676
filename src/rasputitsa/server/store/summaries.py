"""What the list of matches shows of each: read so that no row, whatever stands in it, breaks or swells the list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import case, func, literal

from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.views import Controller
from rasputitsa.server.store.schema import matches

MAX_SUMMARY_LETTERS = 8000
"""The longest summary that is looked at; those of today have a few hundred characters."""
MAX_SHOWN_LETTERS = 200
"""Of a title, or of a text of a summary."""
MOST_SEATS = 16


def read_summary(text: str | bytes | None) -> Summary:
    """A stored summary with every field it should have; empty fields for what cannot be read."""
    return _summary(_table(text))


def changes_of(text: str | bytes | None, entries: int) -> int:
    """How many of the entries everybody sees, by a stored summary."""
    return _changes(_table(text), entries)


def _changes(table: Mapping[str, Any], entries: int) -> int:
    changes = table.get("changes")
    return changes if isinstance(changes, int) and 0 <= changes <= entries else entries


def _table(text: str | bytes | None) -> Mapping[str, Any]:
    found: Any = None
    if isinstance(text, (str, bytes)) and len(text) <= MAX_SUMMARY_LETTERS:
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
    return found if isinstance(found, dict) else {}


def _summary(table: Mapping[str, Any]) -> Summary:
    players = table.get("controllers")
    seats = list(players.items())[:MOST_SEATS] if isinstance(players, dict) else []
    return {
        "game": _text(table.get("game")),
        "scenario": _text(table.get("scenario")),
        "turn_label": _text(table.get("turn_label")),
        "phase_label": _text(table.get("phase_label")),
        "to_move": _text(table.get("to_move")) or None,
        "controllers": {_text(seat): _player(player) for seat, player in seats},
    }


def _text(value: object) -> str:
    return value[:MAX_SHOWN_LETTERS].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _player(value: Any) -> Controller:
    player = value if isinstance(value, dict) else {}
    if player.get("kind") == "bot":
        name = _text(player.get("bot"))
        return {"kind": "bot", "bot": name} if name else {"kind": "bot"}
    name = _text(player.get("name")) if player.get("kind") == "human" else ""
    return {"kind": "human", "name": name} if name else {"kind": "human"}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What is known of a match without its journal."""

    id: int
    title: str
    header: str
    summary: Summary
    over: bool
    entries: int
    changes: int
    """How many of them everybody sees: orders in secret do not count."""
    created_ms: int
    updated_ms: int
    opened: bool = False
    """Whether one person has seen it with the eyes of more than one side."""


LISTED = [
    *(column for column in matches.c if column.name not in ("title", "header", "summary")),
    func.substr(matches.c.title, 1, MAX_SHOWN_LETTERS).label("title"),
    literal("").label("header"),
    case((func.length(matches.c.summary) <= MAX_SUMMARY_LETTERS, matches.c.summary), else_="").label("summary"),
]
"""What the list needs of a match; long texts, such as headers, stay where they are."""


def match_row(row: Any) -> MatchRow:
    """A match as it was read."""
    table = _table(row.summary)
    return MatchRow(
        id=row.id,
        title=row.title if isinstance(row.title, str) else "",
        header=row.header,
        summary=_summary(table),
        over=row.over,
        entries=row.entries,
        changes=_changes(table, row.entries),
        created_ms=row.created_ms,
        updated_ms=row.updated_ms,
        opened=row.opened,
    )
