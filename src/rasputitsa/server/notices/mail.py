"""One mail to an address that a stranger has given, by the mail server of the host."""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from html import escape

from rasputitsa.server.mail_server import Smtp, check_mail
from rasputitsa.server.notices.notice import DeliveryError, Notice

SECONDS = 20.0
"""For each answer of the mail server."""
MAX_SUBJECT = 120
ENCODED = "=?"
"""What follows in a header stands for other signs, line ends among them, with which the next header begins."""
UNSURE = "the mail server gave no answer in the end; it may have arrived"
_POLICY = SMTP.clone(max_line_length=900, cte_type="7bit")
"""A link in a header stays in one piece, and any mail server can carry it."""


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
_TURN = ("{text}", "Play: {link}", "You asked for notices here. Stop them all, for every game: {stop}")
_QUESTION = (
    "{text}",
    "Somebody, most likely you, wants notices at this address when it is their turn in a game. Agree here: {link}",
    "If it was not you, do nothing: then nothing else comes. Or say here that nobody is to ask again: {stop}",
)
