"""What changed between two views, in a form that a client applies without knowing the game.

A difference is ``{"put": {...}, "drop": [...], "rows": {...}}``: members to set, members to remove, and for members
that are lists of objects with an ``id`` the rows to set (in place, or at the end when new) and the ids to remove.
Whatever cannot be put so is set as a whole.

What is set stays of any type here and in the document: a member may be one that only its game knows, and a name and the
value by it, or the list a row is for, cannot be bound to each other by a type once they have been through JSON. The
client calls what it puts together a view by the view it started from, in one place (``viewCache.ts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.server.shapes.views import Difference, Rows


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    """What makes ``new`` of ``old``."""
    put: dict[str, Any] = {}
    rows: dict[str, Rows] = {}
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


def _rows(old: list[Any], new: list[Any]) -> Rows | None:
    """The difference of two lists of rows; None where they are no such lists, or their order changed."""
    before, after = _ids(old), _ids(new)
    if before is None or after is None:
        return None
    if before == after:
        put = [row for was, row in zip(old, new, strict=True) if was is not row and was != row]
        return {"put": put, "drop": []} if len(put) < len(new) else None
    rows = dict(zip(before, old, strict=True))
    kept = set(after)
    drop = [name for name in before if name not in kept]
    order = [name for name in before if name in kept] + [name for name in after if name not in rows]
    if order != after:
        return None
    put = [row for name, row in zip(after, new, strict=True) if rows.get(name) != row]
    return {"put": put, "drop": drop} if len(put) < len(new) else None


def _ids(rows: list[Any]) -> list[str] | None:
    """The ids of rows, if each has one of its own."""
    try:
        ids = [row["id"] for row in rows]
    except (TypeError, KeyError, IndexError):
        return None
    return ids if {*map(type, ids)} <= {str} and len({*ids}) == len(ids) else None
