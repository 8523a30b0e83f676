"""Web push (RFC 8030): a notice that a browser shows though no page of it is open.

It goes by the push service of the browser's maker, which is no confidant: what it carries is encrypted for the browser
(RFC 8291), and signed with the server's own key (VAPID, RFC 8292).
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rasputitsa.core import files
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.server.errors import BadAddressError
from rasputitsa.server.notices.notice import Notice

if TYPE_CHECKING:
    from py_vapid import Vapid02

KEY_FILE = "push.pem"
MOST_KEY = 10_000
POINT_BYTES, SECRET_BYTES = 65, 16
"""Of the public key of a browser, and of the secret that it shares with the server."""
KEPT_SECONDS = 24 * 3600
"""So long the push service keeps a notice for a browser that is off."""
SIGNED_SECONDS = 12 * 3600
MOST_TEXT = 2000


class PushKeyError(RasputitsaError):
    """The key of the server is damaged."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where a browser is reached: ``endpoint`` at its push service, and what to encrypt for it with."""

    endpoint: str
    point: bytes
    secret: bytes


def subscription_of(address: str) -> Subscription:
    """Read ``ENDPOINT#POINT.SECRET``, both in base 64 as browsers give them.

    Raises:
        BadAddressError: it is none.
    """
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    endpoint, _, rest = address.partition("#")
    try:
        point, secret = (_unpacked(part) for part in rest.split("."))
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except (ValueError, binascii.Error):
        raise BadAddressError("this is no address of a browser that takes notices") from None
    if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
        raise BadAddressError("this is no address of a browser that takes notices")
    return Subscription(endpoint, point, secret)


class PushKey:
    """The key by which push services know this server, kept in a file of the data directory."""

    def __init__(self, vapid: Vapid02, contact: str, clock: Callable[[], float] = time.time) -> None:
        self._vapid, self._contact, self._clock = vapid, contact, clock

    @classmethod
    def of(cls, folder: Path, contact: str) -> PushKey:
        """The key that is kept there, or a new one.

        Raises:
            PushKeyError: what is kept is no key.
            OSError: it cannot be read or written.
        """
        from py_vapid import Vapid02, VapidException

        path = folder / KEY_FILE
        if not path.exists():
            made = Vapid02()
            made.generate_keys()
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
            files.write_bytes(path, made.private_pem())
        try:
            return cls(Vapid02.from_pem(files.read_bytes(path, MOST_KEY)), contact)
        except (VapidException, ValueError, TypeError) as problem:
            text = f"{path} holds no key; delete it, and players have to turn notices to their browsers on again"
            raise PushKeyError(text) from problem

    @property
    def public(self) -> str:
        """What a browser is given, so that nobody else can push to it; base 64."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return _packed(self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def message(self, address: str, notice: Notice) -> tuple[bytes, dict[str, str]]:
        """The body of a notice, encrypted, and the headers that go with it; raises ``BadAddressError``."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

        to = subscription_of(address)
        told = {"text": notice.text[:MOST_TEXT], "link": notice.link, "stop": notice.stop}
        body = http_ece.encrypt(
            json.dumps(told).encode(),
            private_key=generate_private_key(SECP256R1()),
            dh=to.point,
            auth_secret=to.secret,
            version="aes128gcm",
        )
        parts = urlsplit(to.endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": self._contact,
            "exp": int(self._clock()) + SIGNED_SECONDS,
        }
        return body, {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(KEPT_SECONDS),
            "Urgency": "normal",
            **self._vapid.sign(claims),
        }


def _packed(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _unpacked(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
