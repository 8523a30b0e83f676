"""A real mail server on this machine that keeps what it is given, and answers as it is bidden."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from threading import Thread
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support import PATIENCE

LINK = re.compile(r"https?://\S+")


@dataclass
class Mail:
    """What has come: from and to whom as the envelope says, and the mail itself."""

    sender: str
    to: list[str]
    message: EmailMessage

    @property
    def text(self) -> str:
        return self.part("plain")

    @property
    def html(self) -> str:
        return self.part("html")

    def part(self, kind: str) -> str:
        found = self.message.get_body((kind,))
        assert found is not None
        return str(found.get_content())

    @property
    def links(self) -> list[str]:
        """The addresses in the text, in their order."""
        return LINK.findall(self.text)

    @property
    def token(self) -> str:
        """What the first link ends with."""
        return self.links[0].rpartition("/")[2]


class Mailbox:
    """The server, until ``close``."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, starttls: ssl.SSLContext | None = None) -> None:
        self.mails: list[Mail] = []
        self.users: list[tuple[bytes, bytes]] = []
        self.recipient, self.answer, self.hangs_up = "250 fine", "250 fine", False
        self._loop = asyncio.new_event_loop()
        wanted: dict[str, Any] = {"auth_require_tls": tls is None, "authenticator": self._authenticate}

        def protocol() -> SMTP:
            return SMTP(self, loop=self._loop, hostname="mail.example", tls_context=starttls, **wanted)

        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        serving = self._loop.create_server(protocol, "127.0.0.1", 0, ssl=tls)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result(30)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    def read(self) -> list[Mail]:
        """What has come since this was asked last."""
        mails, self.mails = self.mails, []
        return mails

    def _authenticate(self, server: SMTP, session: Session, envelope: Envelope, kind: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.users.append((data.login, data.password))
        return AuthResult(success=data.password == b"secret", handled=False)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.recipient

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes) and isinstance(envelope.mail_from, str)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        if self.answer.startswith("2"):
            self.mails.append(Mail(envelope.mail_from, list(envelope.rcpt_tos), message))
        if self.hangs_up:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return self.answer
