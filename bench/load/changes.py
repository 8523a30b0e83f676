"""Differences between views, applied as docs/reference/protocol.md tells it: what a client of one's own would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def apply(view: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The view that a change makes of the one it was worked out from."""
    new = {name: value for name, value in view.items() if name not in change["drop"]}
    new.update(change["put"])
    for name, rows in change["rows"].items():
        kept = {row["id"]: row for row in view[name]}
        for gone in rows["drop"]:
            del kept[gone]
        kept.update((row["id"], row) for row in rows["put"])
        new[name] = list(kept.values())
    return new
