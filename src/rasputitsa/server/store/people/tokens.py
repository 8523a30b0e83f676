"""Keys and tokens: random, given out once, and kept as digests alone."""

from __future__ import annotations

import hashlib
import secrets

SECRET_BYTES = 24


def new_secret() -> str:
    """A fresh key, or the token of a link."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """What is kept of a key or a token. It is random and long, so that a plain digest cannot be turned back."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
