"""What changed between two views, in a form that a client applies without knowing the game.

A difference is ``{"put": {...}, "drop": [...], "rows": {...}}``: members to set, members to remove, and for members
that are lists of objects with an ``id`` the rows to set (in place, or at the end when new) and the ids to remove.
Whatever cannot be told so is set as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What makes ``new`` of ``old``."""
    put: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    for name, value in new.items():
        before = old.get(name)
        if name in old and (value is before or value == before):
            continue
        found = _rows(before, value) if isinstance(before, list) and isinstance(value, list) else None
        if found is None:
            put[name] = value
        else:
            rows[name] = found
    return {"put": put, "drop": [name for name in old if name not in new], "rows": rows}


def _rows(old: list[Any], new: list[Any]) -> dict[str, Any] | None:
    """The difference of two lists of rows; None where they are no such lists, or their order changed."""
    before, after = _by_id(old), _by_id(new)
    if before is None or after is None:
        return None
    drop = [name for name in before if name not in after]
    order = [name for name in before if name in after] + [name for name in after if name not in before]
    if order != list(after):
        return None
    put = [row for name, row in after.items() if before.get(name) != row]
    return {"put": put, "drop": drop} if len(put) < len(new) else None


def _by_id(rows: list[Any]) -> dict[str, Any] | None:
    """Rows by their ids, if each has one of its own."""
    found: dict[str, Any] = {}
    for row in rows:
        name = row.get("id") if isinstance(row, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = row
    return found
