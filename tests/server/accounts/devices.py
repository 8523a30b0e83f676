"""Devices that make passkeys and sign with them, as a telephone does; and browsers that have one."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Self

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256, ES384
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData
from starlette.testclient import TestClient

from tests.server.accounts.browsers import Browser

NAMED = "http://localhost:8000"
Flags = AuthenticatorData.FLAG
PRESENT, VERIFIED, NONE = Flags.UP, Flags.UP | Flags.UV, Flags(0)


class Device:
    """One passkey in the making, or made. What a cheat would change can be changed: see the arguments."""

    def __init__(self, name: bytes | None = None, *, unusual: bool = False) -> None:
        """``unusual``: it signs by an algorithm that was not asked for."""
        self.name = os.urandom(16) if name is None else name
        self.key = ec.generate_private_key(ec.SECP384R1() if unusual else ec.SECP256R1())
        self.cose = ES384 if unusual else ES256
        self.uses = 0

    @property
    def id(self) -> str:
        return websafe_encode(self.name)

    def make(self, asked: Any, *, origin: str = NAMED, flags: Flags = VERIFIED, kind: str = "create") -> dict[str, str]:
        """What the browser sends of a new passkey."""
        told, site = asked["options"], _hash(asked["options"]["rp"]["id"])
        key = self.cose.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        public = AttestedCredentialData.create(Aaguid.NONE, self.name, key)
        data = AuthenticatorData.create(site, flags | Flags.AT, self.uses, public)
        return {
            "ticket": asked["ticket"], "id": self.id, "client": _client(kind, told["challenge"], origin),
            "made": websafe_encode(bytes(AttestationObject.create("none", data, {}))),
        }  # fmt: skip

    def sign(
        self,
        asked: Any,
        *,
        origin: str = NAMED,
        flags: Flags = VERIFIED,
        site: str = "",
        kind: str = "get",
        uses: int = 0,
    ) -> dict[str, str]:
        """What the browser sends of a challenge that was signed."""
        told = asked["options"]
        data = bytes(AuthenticatorData.create(_hash(site or told["rpId"]), flags, uses))
        client = _client(kind, told["challenge"], origin)
        of_client = hashlib.sha256(websafe_decode(client)).digest()
        return {
            "ticket": asked["ticket"], "id": self.id, "client": client, "told": websafe_encode(data),
            "signature": websafe_encode(self.key.sign(data + of_client, ec.ECDSA(hashes.SHA256()))),
        }  # fmt: skip


class Named(Browser):
    """A browser that calls the server by a name, as passkeys want it."""

    def __init__(self, client: TestClient, address: str = "203.0.113.5") -> None:
        super().__init__(client, address)
        self.origin = NAMED

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        told = {"origin": self.origin, "host": self.origin.partition("//")[2], **headers}
        return super().ask(method, path, body, **told)

    def asked(self, path: str = "/passkeys/ask", **body: Any) -> Any:
        """A ticket, and what the browser gets to see."""
        return self.done(path, **body)

    def begin_with(self, device: Device, name: str = "Anna") -> Self:
        """Make an account that has a passkey and no password."""
        asked = self.asked("/passkeys/register/ask", name=name)
        assert self.done("/passkeys/register", **device.make(asked))["account"]["name"] == name
        return self

    def proof(self, device: Device, **changed: Any) -> dict[str, Any]:
        """The person who is signed in proves it once more."""
        return {"passkey": device.sign(self.asked(again=True), **changed)}

    def add(self, device: Device, **proof: Any) -> None:
        """Add a passkey to the account."""
        self.done("/passkeys/add", **device.make(self.asked("/passkeys/add/ask", **proof)))


def _client(kind: str, challenge: str, origin: str) -> str:
    told = {"type": f"webauthn.{kind}", "challenge": challenge, "origin": origin, "crossOrigin": False}
    return websafe_encode(json.dumps(told).encode())


def _hash(site: str) -> bytes:
    return hashlib.sha256(site.encode()).digest()
