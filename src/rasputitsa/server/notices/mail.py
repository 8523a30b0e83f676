"""One mail to an address that a stranger has given, by the mail server of the host."""

from __future__ import annotations

import re
import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from html import escape
from typing import Literal
from urllib.parse import unquote, urlsplit

from rasputitsa.server.notices.notice import BadAddressError, DeliveryError, Notice

SECONDS = 20.0
"""For each answer of the mail server."""
MAX_MAIL = 254
MAX_SUBJECT = 120
ENCODED = "=?"
"""What follows in a header stands for other signs, line ends among them, with which the next header begins."""
UNSURE = "the mail server gave no answer in the end; it may have arrived"
_POLICY = SMTP.clone(max_line_length=900, cte_type="7bit")
"""A link in a header stays in one piece, and any mail server can carry it."""
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+)*"
"""Without a question mark, because of what ``ENCODED`` begins in a header."""
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
        raise ValueError("a password is not told to a mail server in clear; use smtp or smtps")
    check_mail(sender)
    return Smtp(host, port or kind[1], kind[0], sender, user, password or "")


def check_mail(address: str) -> None:
    """Refuse what is no address of one mailbox; raises ``BadAddressError``."""
    if len(address) > MAX_MAIL or not _MAIL.fullmatch(address):
        raise BadAddressError("this is no mail address, as in name@mail.example")


def send(settings: Smtp, address: str, notice: Notice) -> None:
    """Send a mail; blocks for as long as the mail server takes.

    Raises:
        DeliveryError: it was not taken. Where that is not known it is not sent again.
    """
    try:
        check_mail(address)
        text = mail(settings, address, notice).as_bytes()
    except ValueError as problem:
        raise DeliveryError(str(problem), for_good=True) from problem
    try:
        server = _connected(settings)
    except (smtplib.SMTPException, OSError) as problem:
        raise DeliveryError(f"the host's mail server cannot be used ({type(problem).__name__})") from problem
    try:
        _handed_over(server, settings.sender, address, text)
    finally:
        with suppress(smtplib.SMTPException, OSError):
            server.quit()


def _handed_over(server: smtplib.SMTP, sender: str, address: str, text: bytes) -> None:
    try:
        server.ehlo_or_helo_if_needed()
        for code, _ in (server.mail(sender), server.rcpt(address)):
            _accepted(code)
    except (smtplib.SMTPException, OSError) as problem:
        raise DeliveryError(f"the host's mail server cannot be used ({type(problem).__name__})") from problem
    try:
        code, _ = server.data(text)
    except smtplib.SMTPDataError as problem:
        code = problem.smtp_code
    except (smtplib.SMTPException, OSError) as problem:
        raise DeliveryError(UNSURE, for_good=True) from problem
    _accepted(code)


def _accepted(code: int) -> None:
    if not 200 <= code < 300:
        raise DeliveryError(f"the host's mail server does not take it ({code})", for_good=code >= 500)


def _connected(settings: Smtp) -> smtplib.SMTP:
    """A connection on which mail can be sent; neither mail nor password goes in clear where the host says so."""
    context = ssl.create_default_context()
    if settings.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=SECONDS, context=context)
    else:
        server = smtplib.SMTP(settings.host, settings.port, timeout=SECONDS)
    try:
        if settings.security == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, settings.password)
    except BaseException:
        server.close()
        raise
    return server


def mail(settings: Smtp, address: str, notice: Notice) -> EmailMessage:
    """The mail that tells a notice, as text and as HTML."""
    message = EmailMessage(_POLICY)
    message["From"], message["To"] = settings.sender, address
    message["Subject"] = " ".join(notice.text.split()).replace(ENCODED, "= ?")[:MAX_SUBJECT]
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=settings.sender.rpartition("@")[2])
    message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{notice.one_click}>", _ONE_CLICK
    message["Auto-Submitted"] = "auto-generated"
    lines = _QUESTION if notice.question else _TURN
    told = {"text": notice.text, "link": notice.link, "stop": notice.stop}
    message.set_content("\n\n".join(lines).format(**told) + "\n")
    links = {name: f'<a href="{escape(told[name])}">{escape(told[name])}</a>' for name in ("link", "stop")}
    shown = "".join(f"<p>{line}</p>" for line in lines).format(text=escape(notice.text), **links)
    message.add_alternative(f"<!doctype html><html><body>{shown}</body></html>", subtype="html")
    return message


_ONE_CLICK = "List-Unsubscribe=One-Click"
_TURN = ("{text}", "Play: {link}", "You asked to be told here. No more of this, of whatever game: {stop}")
_QUESTION = (
    "{text}",
    "Somebody, most likely you, wants to be told at this address when it is their turn in a game. Agree here: {link}",
    "If it was not you, do nothing: then nothing else comes. Or say here that nobody shall ask again: {stop}",
)
