"""What can go wrong with letters, in words a player can read."""

from __future__ import annotations

from rasputitsa.core.errors import RasputitsaError


class MailError(RasputitsaError):
    """A letter, or a match by letters, that cannot be read or written; nothing has changed."""


class KnownLetterError(MailError):
    """A letter that has been read before."""


class ImpatienceError(RasputitsaError):
    """Orders of others that go on and on."""
