"""What can go wrong in the store, in words a player can act on."""

from __future__ import annotations


class StoreError(Exception):
    """The store could not do what was asked; nothing was changed."""


class UnsafeStoreError(StoreError):
    """The database does not give the durability the server promises."""


class NewerStoreError(StoreError):
    """The database was written by a newer version of the program."""


class DamagedStoreError(StoreError):
    """The database fails its integrity check or is not a database of ours."""


class MissingChangesError(DamagedStoreError):
    """The database is sound, but changes that were confirmed are not in it."""


class DiskFullError(StoreError):
    """There is no room for the change."""


class LowDiskError(DiskFullError):
    """The disk has less room than is to stay free."""


class QuotaError(StoreError):
    """One address has as much kept as it may."""


class ReadOnlyStoreError(StoreError):
    """The disk, the folder or the file cannot be written."""


class LockedStoreError(StoreError):
    """Another program holds the database locked."""


class UnknownMatchError(StoreError):
    """No such match."""


class StaleVersionError(StoreError):
    """The seat has moved on since the caller last looked."""


class DuplicateRequestError(StoreError):
    """The request was accepted before."""


class NotesChangedError(StoreError):
    """The notes were changed since the caller read them."""


class TalkativeError(StoreError):
    """Somebody has said too much in too short a time."""


class SpentError(StoreError):
    """A link to a seat that can no longer be used."""


class CrowdedError(StoreError):
    """Something was asked for as often as it may: for one address, or for everybody together."""


class RefusedAddressError(StoreError):
    """The person who reads mail at an address wants none from here."""


class RematchedError(StoreError):
    """A match that was to be followed by a new one is followed by another already."""
