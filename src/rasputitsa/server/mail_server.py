"""The mail server of the host, and what is an address of one mailbox."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from rasputitsa.server.errors import BadAddressError

MAX_MAIL = 254
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+)*"
"""Without a question mark, because of what ``=?`` begins in a header (``mail.ENCODED``)."""
_DOMAIN = r"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
_MAIL = re.compile(rf"(?=.{{1,64}}@){_LOCAL}@{_DOMAIN}")

Security = Literal["tls", "starttls", "plain"]
_KINDS: dict[str, tuple[Security, int]] = {
    "smtps": ("tls", 465), "smtp": ("starttls", 587), "smtp+plain": ("plain", 25),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Smtp:
    """The mail server of the host, and whom mail is from."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = ""


def smtp_of(url: str, sender: str, password: str | None = None) -> Smtp:
    """Read ``smtps://USER@HOST:PORT``, ``smtp://...`` (with STARTTLS) or ``smtp+plain://HOST``.

    Raises:
        ValueError: in plain words.
    """
    try:
        parts = urlsplit(url)
        kind, host, port = _KINDS.get(parts.scheme), parts.hostname, parts.port
    except ValueError:
        kind = host = port = None
    if kind is None or not host or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("a mail server is named as in smtp://USER@mail.example:587, by smtp, smtps or smtp+plain")
    if parts.password is not None:
        raise ValueError("a password does not belong on the command line, where everybody on the machine can read it")
    user = unquote(parts.username or "")
    if user and not password:
        raise ValueError("a mail server with a user needs a password, from a file or the environment")
    if not (user + (password or "")).isascii():
        raise ValueError("name and password for a mail server are written in plain letters (ASCII)")
    if user and kind[0] == "plain":
        raise ValueError("a password is not sent to a mail server in clear; use smtp or smtps")
    check_mail(sender)
    return Smtp(host, port or kind[1], kind[0], sender, user, password or "")


def check_mail(address: str) -> None:
    """Refuse what is no address of one mailbox; raises ``BadAddressError``."""
    if len(address) > MAX_MAIL or not _MAIL.fullmatch(address):
        raise BadAddressError("this is no mail address, as in name@mail.example")
