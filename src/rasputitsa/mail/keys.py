"""What a person keeps secret in a match, all of it made from one secret, and how letters are signed with it."""

from __future__ import annotations

import hmac
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_PRIME = 2**255 - 19
_EIGHTH = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
_FOR_ALL = frozenset((0, 1, _PRIME - 1, _PRIME, _PRIME + 1, _EIGHTH, _PRIME - _EIGHTH))
"""Keys, by their lower 255 bits, whose order is eight or less: for these everybody can sign."""


class Keys:
    """The secrets of one person in one match.

    Examples:
        >>> mine = Keys("00" * 32)
        >>> signed_by(mine.public, mine.sign(b"a letter"), b"a letter")
        True
        >>> signed_by(mine.public, mine.sign(b"a letter"), b"another one")
        False
        >>> mine.share(1) != mine.share(2)
        True
    """

    def __init__(self, secret: str | None = None) -> None:
        self.secret = secret or secrets.token_hex(32)
        self._signing = Ed25519PrivateKey.from_private_bytes(self._derived("signing"))

    def _derived(self, what: str) -> bytes:
        return hmac.digest(bytes.fromhex(self.secret), f"rasputitsa {what}".encode(), "sha256")

    @property
    def public(self) -> str:
        """The key by which others know this person's letters."""
        return self._signing.public_key().public_bytes_raw().hex()

    def sign(self, content: bytes) -> bytes:
        """The signature of a letter."""
        return self._signing.sign(content)

    def share(self, number: int) -> str:
        """What this person adds to dice with the letter of that place among its own."""
        return self._derived(f"share {number}").hex()

    def nonce(self, number: int) -> str:
        """What keeps sealed orders from being found by trying."""
        return self._derived(f"nonce {number}").hex()


def signed_by(public: str, signature: bytes, content: bytes) -> bool:
    """Whether a letter was signed with a person's key."""
    try:
        key = bytes.fromhex(public)
        if int.from_bytes(key, "little") & (1 << 255) - 1 in _FOR_ALL:
            return False
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True
