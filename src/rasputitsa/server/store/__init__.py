"""Where matches are kept."""

from __future__ import annotations

from rasputitsa.server.store.errors import (
    DamagedStoreError,
    DiskFullError,
    DuplicateRequestError,
    NewerStoreError,
    StaleVersionError,
    StoreError,
    UnknownMatchError,
    UnsafeStoreError,
)
from rasputitsa.server.store.store import JournalRow, MatchRow, Request, RequestRow, SeatRow, Store

__all__ = [
    "DamagedStoreError",
    "DiskFullError",
    "DuplicateRequestError",
    "JournalRow",
    "MatchRow",
    "NewerStoreError",
    "Request",
    "RequestRow",
    "SeatRow",
    "StaleVersionError",
    "Store",
    "StoreError",
    "UnknownMatchError",
    "UnsafeStoreError",
]
