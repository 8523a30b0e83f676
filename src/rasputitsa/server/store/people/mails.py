"""Mail addresses: the readers of one are asked first, seldom, and are left alone unless they agree.

An address is known here by a digest, and by another one of the mailbox it leads to, as far as can be known: letters
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
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
MOST_ASKED = 3
"""Questions that one network may have put to one mailbox in a day."""
AT_ONCE = 5
"""Questions that one mailbox gets in a day, no matter who asks: more than one network may ask."""
MORE_MS = (4 * HOUR_MS, 12 * HOUR_MS)
"""So long after the first of them it gets another one, so that no stranger keeps its owner away all day."""
MOST_ASKERS = 10_000
"""Networks and mailboxes that are remembered; beyond that the oldest are forgotten."""
REFUSED_MS = 365 * DAY_MS
"""For so long, of a server that is up, one who has refused is not asked again."""
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


class Askers:
    """How often each network has had each mailbox asked in a day, as long as the server runs."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[int, int]] = {}

    def may_ask(self, asker: str, up_ms: int) -> bool:
        """Whether one more question is allowed to an asker, as ``asker_of`` names it."""
        return self._fresh(asker, up_ms)[0] < MOST_ASKED

    def note(self, asker: str, up_ms: int) -> None:
        """A question was put."""
        count, since = self._fresh(asker, up_ms)
        self._asked.pop(asker, None)
        self._asked[asker] = count + 1, since
        if len(self._asked) > MOST_ASKERS:
            del self._asked[next(iter(self._asked))]

    def _fresh(self, asker: str, up_ms: int) -> tuple[int, int]:
        count, since = self._asked.get(asker, (0, up_ms))
        return (count, since) if since > up_ms - DAY_MS else (0, up_ms)


def asker_of(salt: str, network: str, address: str) -> str:
    """A network and a mailbox it asks, as a digest."""
    return _hashed(f"{salt} {network} {_mailbox(salt, address)}")


def ask_reader(
    connection: Connection, salt: str, address: str, up_ms: int, most: int, askers: Askers, network: str
) -> str:
    """Count one question to the owner of an address; gives the token that will answer it.

    Args:
        most: questions in a day to everybody together; 0: any number.
        network: where it is asked from; empty for the owner of the machine.

    Raises:
        RefusedAddressError: the owner wants no mail from here.
        CrowdedError: too many were asked.
    """
    row, box = _row(connection, salt, address), _mailbox(salt, address)
    refusing = select(mail_addresses.c.digest).where(mail_addresses.c.mailbox == box, mail_addresses.c.refused)
    if connection.execute(refusing.limit(1)).first() is not None:
        raise RefusedAddressError("the owner of this address wants no mail from here")
    asker, fresh = asker_of(salt, network, address), mail_addresses.c.asked_ms > up_ms - DAY_MS
    if network and not askers.may_ask(asker, up_ms):
        raise CrowdedError(f"you had this address asked {MOST_ASKED} times today; use the link in one of the mails")
    here = fresh & (mail_addresses.c.mailbox == box)
    if _asked(connection, here) >= _allowed(connection, here, up_ms):
        raise CrowdedError("this address was asked too often; use the link in one of the mails, or try again in hours")
    if most and _asked(connection, fresh) >= most:
        raise CrowdedError("too many mails were asked for today; please try again tomorrow")
    if row is None:
        values = {"digest": _digest(salt, address), "mailbox": box, "proof": "", "refused": False, "sent_ms": -1}
        connection.execute(insert(mail_addresses).values(**values, asked=1, asked_ms=up_ms))
    else:
        again = row.asked_ms > up_ms - DAY_MS
        values = {"asked": row.asked + 1} if again else {"asked": 1, "asked_ms": up_ms}
        connection.execute(update(mail_addresses).where(_here(salt, address)).values(**values))
    askers.note(asker, up_ms)
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
    """Addresses to which no notices go, and whose owners have agreed to nothing, nor lately refused."""
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


def _allowed(connection: Connection, where: Any, up_ms: int) -> int:
    """Questions that a mailbox may have got by now, the first of them among the rows given."""
    first = connection.execute(select(func.min(mail_addresses.c.asked_ms)).where(where)).scalar_one()
    return AT_ONCE if first is None else AT_ONCE + sum(up_ms - int(first) >= later for later in MORE_MS)
