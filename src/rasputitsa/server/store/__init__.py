"""Where matches are kept."""

from __future__ import annotations

from rasputitsa.server.store.appending import Request
from rasputitsa.server.store.creations import Created, Creation, key_purpose, link_purpose
from rasputitsa.server.store.errors import (
    DamagedStoreError,
    DiskFullError,
    DuplicateRequestError,
    LockedStoreError,
    LowDiskError,
    MissingChangesError,
    NewerStoreError,
    NotesChangedError,
    QuotaError,
    ReadOnlyStoreError,
    SpentError,
    StaleVersionError,
    StoreError,
    TalkativeError,
    UnknownMatchError,
    UnsafeStoreError,
)
from rasputitsa.server.store.history import JournalRow, SnapshotRow
from rasputitsa.server.store.room import ASKING
from rasputitsa.server.store.seating import Claim, Invitation, SeatRow, digest, new_secret
from rasputitsa.server.store.store import MatchRow, RequestRow, Store

__all__ = [
    "ASKING",
    "Claim",
    "Created",
    "Creation",
    "DamagedStoreError",
    "DiskFullError",
    "DuplicateRequestError",
    "Invitation",
    "JournalRow",
    "LockedStoreError",
    "LowDiskError",
    "MatchRow",
    "MissingChangesError",
    "NewerStoreError",
    "NotesChangedError",
    "QuotaError",
    "ReadOnlyStoreError",
    "Request",
    "RequestRow",
    "SeatRow",
    "SnapshotRow",
    "SpentError",
    "StaleVersionError",
    "Store",
    "StoreError",
    "TalkativeError",
    "UnknownMatchError",
    "UnsafeStoreError",
    "digest",
    "key_purpose",
    "link_purpose",
    "new_secret",
]
