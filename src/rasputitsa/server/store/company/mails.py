"""Mail addresses: whoever reads one is asked first, seldom, and is left alone unless they agree.

An address is known here by a digest, and by another one of the mailbox it leads to, as far as that can be told: letters
after a plus sign, dots and capitals make no other one.
"""

from __future__ import annotations

import hashlib
import secrets
from hmac import compare_digest
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rasputitsa.server.store.errors import CrowdedError, RefusedAddressError
from rasputitsa.server.store.schema import mail_addresses, notice_ways

MAIL = "mail"
"""The form of notices that go by mail."""
DAY_MS = 24 * 3_600_000
MOST_ASKED = 3
"""Questions that one mailbox gets in a day."""
REFUSED_MS = 365 * DAY_MS
"""For so long, of a server that is up, whoever has refused is not asked again."""
PAUSE_MS = 10 * 60_000
"""Between two mails to one address; what comes up meanwhile goes together."""
TOKEN_BYTES = 24


def one_spelling(address: str) -> str:
    """An address in the one way in which it is kept."""
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def is_agreed(connection: Connection, salt: str, address: str, proof: str) -> bool:
    """Whether somebody shows to have agreed for an address before."""
    row = _row(connection, salt, address)
    return row is not None and bool(row.proof) and compare_digest(row.proof.encode(), proof.encode())


def ask_reader(connection: Connection, salt: str, address: str, up_ms: int, most: int) -> str:
    """Count one question to the owner of an address; gives the token that will answer it.

    Args:
        most: questions in a day to everybody together; 0: any number.

    Raises:
        RefusedAddressError: the owner wants no mail from here.
        CrowdedError: too many were asked.
    """
    row, box = _row(connection, salt, address), _mailbox(salt, address)
    refusing = select(mail_addresses.c.digest).where(mail_addresses.c.mailbox == box, mail_addresses.c.refused)
    if connection.execute(refusing.limit(1)).first() is not None:
        raise RefusedAddressError("whoever reads mail at this address wants none from here")
    fresh = mail_addresses.c.asked_ms > up_ms - DAY_MS
    if _asked(connection, fresh & (mail_addresses.c.mailbox == box)) >= MOST_ASKED:
        raise CrowdedError(f"this address was asked {MOST_ASKED} times today; use the link in one of the mails")
    if most and _asked(connection, fresh) >= most:
        raise CrowdedError("too many mails were asked for today; please try again tomorrow")
    if row is None:
        values = {"digest": _digest(salt, address), "mailbox": box, "proof": "", "refused": False, "sent_ms": -1}
        connection.execute(insert(mail_addresses).values(**values, asked=1, asked_ms=up_ms))
    else:
        again = row.asked_ms > up_ms - DAY_MS
        values = {"asked": row.asked + 1} if again else {"asked": 1, "asked_ms": up_ms}
        connection.execute(update(mail_addresses).where(_here(salt, address)).values(**values))
    return secrets.token_urlsafe(TOKEN_BYTES)


def agreed(connection: Connection, salt: str, address: str) -> str:
    """The owner of an address agrees; gives what proves it from now on, the same each time."""
    row = _row(connection, salt, address)
    proof = (row.proof if row is not None else "") or secrets.token_urlsafe(TOKEN_BYTES)
    connection.execute(update(mail_addresses).where(_here(salt, address)).values(proof=proof, asked=0))
    return proof


def left_alone(connection: Connection, salt: str, address: str, *, refused: bool, up_ms: int) -> None:
    """The owner of an address has had enough; ``refused``: and never agreed to anything."""
    change = {"proof": "", "refused": refused} | ({"asked_ms": up_ms} if refused else {})
    connection.execute(update(mail_addresses).where(_here(salt, address)).values(**change))


def note_mail(connection: Connection, salt: str, address: str, up_ms: int) -> None:
    """A mail about turns goes to an address now."""
    connection.execute(update(mail_addresses).where(_here(salt, address)).values(sent_ms=up_ms))


def paused_until(connection: Connection, salt: str, address: str, up_ms: int) -> int:
    """When the next mail about turns may go to an address; -1 for at once."""
    row = _row(connection, salt, address)
    sent = -1 if row is None else row.sent_ms
    return sent + PAUSE_MS if 0 <= sent <= up_ms < sent + PAUSE_MS else -1


def forget_addresses(connection: Connection, salt: str, up_ms: int) -> None:
    """Addresses that nobody is told at, and whose owners have agreed to nothing, nor lately refused."""
    told = connection.execute(select(notice_ways.c.address).where(notice_ways.c.form == MAIL)).scalars()
    used = [_digest(salt, address) for address in told]
    old = mail_addresses.c.asked_ms <= up_ms - DAY_MS
    stale = ~mail_addresses.c.refused | (mail_addresses.c.asked_ms <= up_ms - REFUSED_MS)
    connection.execute(
        delete(mail_addresses).where(mail_addresses.c.proof == "", old, stale, mail_addresses.c.digest.not_in(used))
    )


def _digest(salt: str, address: str) -> str:
    return _hashed(f"{salt} {one_spelling(address)}")


def _mailbox(salt: str, address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return _hashed(f"{salt} box {local.partition('+')[0].replace('.', '')}@{domain}")


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _here(salt: str, address: str) -> Any:
    return mail_addresses.c.digest == _digest(salt, address)


def _row(connection: Connection, salt: str, address: str) -> Row[Any] | None:
    return connection.execute(select(mail_addresses).where(_here(salt, address))).first()


def _asked(connection: Connection, where: Any) -> int:
    return int(connection.execute(select(func.coalesce(func.sum(mail_addresses.c.asked), 0)).where(where)).scalar_one())
