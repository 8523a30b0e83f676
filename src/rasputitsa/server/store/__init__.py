"""Where matches are kept."""

from __future__ import annotations

from rasputitsa.server.store.appending import Request
from rasputitsa.server.store.creations import Created, Creation, MatchStart, key_purpose, link_purpose
from rasputitsa.server.store.errors import (
    CrowdedError,
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
    RefusedAddressError,
    RematchedError,
    SpentError,
    StaleVersionError,
    StoreError,
    TalkativeError,
    UnknownMatchError,
    UnsafeStoreError,
)
from rasputitsa.server.store.history import JournalRow, SnapshotRow
from rasputitsa.server.store.people.accounts import AccountRow, AccountUse, SessionRow, new_account
from rasputitsa.server.store.people.blocks import BlockRow
from rasputitsa.server.store.people.clocks import ClockTerms
from rasputitsa.server.store.people.onlookers import Disclosure, Seen
from rasputitsa.server.store.people.passkeys import PasskeyRow
from rasputitsa.server.store.people.rated import RatedMatch, RatedSeat, Result, Score
from rasputitsa.server.store.people.rematches import Following, Rematch
from rasputitsa.server.store.people.tables import OpenTable, PlayerWanted
from rasputitsa.server.store.people.tokens import digest, new_secret
from rasputitsa.server.store.quota import ASKING
from rasputitsa.server.store.seating import Claim, Invitation, SeatRow
from rasputitsa.server.store.store import RequestRow, Store
from rasputitsa.server.store.summaries import MatchRow

__all__ = [
    "ASKING",
    "AccountRow",
    "AccountUse",
    "BlockRow",
    "Claim",
    "ClockTerms",
    "Created",
    "Creation",
    "CrowdedError",
    "DamagedStoreError",
    "Disclosure",
    "DiskFullError",
    "DuplicateRequestError",
    "Following",
    "Invitation",
    "JournalRow",
    "LockedStoreError",
    "LowDiskError",
    "MatchRow",
    "MatchStart",
    "MissingChangesError",
    "NewerStoreError",
    "NotesChangedError",
    "OpenTable",
    "PasskeyRow",
    "PlayerWanted",
    "QuotaError",
    "RatedMatch",
    "RatedSeat",
    "ReadOnlyStoreError",
    "RefusedAddressError",
    "Rematch",
    "RematchedError",
    "Request",
    "RequestRow",
    "Result",
    "Score",
    "SeatRow",
    "Seen",
    "SessionRow",
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
    "new_account",
    "new_secret",
]
