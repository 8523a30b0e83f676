"""Who plays a seat, and the keys that prove it."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rasputitsa.server.store import SeatRow

KEY_BYTES = 24


@dataclass(frozen=True, slots=True)
class Controller:
    """A kind of player: a person, perhaps with a name, or one of the bots.

    Its text form, ``human``, ``human Anna`` or ``bot random``, is what the game record keeps.
    """

    kind: Literal["human", "bot"] = "human"
    name: str = ""

    @classmethod
    def from_text(cls, text: str) -> Controller:
        """Read the text form; anything unknown is a person."""
        kind, _, name = text.partition(" ")
        return cls("bot" if kind == "bot" and name else "human", name.strip())

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()

    def to_json(self) -> dict[str, str]:
        """Plain JSON values."""
        label = "bot" if self.kind == "bot" else "name"
        return {"kind": self.kind, **({label: self.name} if self.name else {})}


def new_key() -> str:
    """A fresh random seat key."""
    return secrets.token_urlsafe(KEY_BYTES)


def key_fits(seats: Mapping[str, SeatRow], seat: str, key: str) -> bool:
    """Whether the key opens the seat; takes as long for a wrong key as for a right one."""
    row = seats.get(seat)
    real = row.key if row else new_key()
    return hmac.compare_digest(real.encode(), key.encode()) and row is not None
