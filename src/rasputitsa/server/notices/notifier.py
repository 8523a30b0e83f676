"""Periodically checks who is asked while away, and sends them notices."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import ClassVar
from urllib.parse import urlsplit

from rasputitsa.server.config import NoticeSettings
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.matches.watches.watching import Watch
from rasputitsa.server.notices.mail import send
from rasputitsa.server.notices.notice import DeliveryError, Notice
from rasputitsa.server.notices.push import PushKey
from rasputitsa.server.notices.webhook import Lookup, check_reach, deliver, looked_up
from rasputitsa.server.store import Store
from rasputitsa.server.store.people.mails import MAIL
from rasputitsa.server.store.people.notices import Due, NoticeWay

log = logging.getLogger(__name__)

AT_ONCE = 64
"""More than one caller may name in an hour, so that silent addresses of one hold up nobody."""
MAILS_AT_ONCE = 4
"""Connections to the host's mail server."""
MOST_NAMED = 5
"""Matches that one notice names."""
_LINK = re.compile(r"[/@]|\w[.:]\w")
"""What mail programs might make a link of, in a title that others have written."""


class Notifier(Watch):
    """Tells people who are away that it is their turn."""

    seconds: ClassVar[float] = 15.0
    failing: ClassVar[str] = "no notices are sent for now"

    def __init__(
        self, rooms: Rooms, settings: NoticeSettings, lookup: Lookup = looked_up, push: PushKey | None = None
    ) -> None:
        self._rooms, self._settings, self._lookup, self._push = rooms, settings, lookup, push
        self._few = asyncio.Semaphore(AT_ONCE)
        self._mailing = ThreadPoolExecutor(MAILS_AT_ONCE, thread_name_prefix="mail")

    @property
    def _store(self) -> Store:
        return self._rooms.store

    async def check_reach(self, address: str) -> None:
        """Refuse a web address to which nothing would be sent; raises ``BadAddressError``."""
        settings = self._settings
        await check_reach(address, inside=settings.inside, never=settings.never, lookup=self._lookup)

    async def begin(self) -> None:
        """What was under way when the server ended is not sent again."""
        if dropped := await self._rooms.in_thread(self._store.drop_unsure):
            log.warning("%d notices were under way when the server ended, and are not sent again", dropped)

    async def look(self) -> None:
        """Look once who is asked, and send what is due."""
        watched = self._rooms.watched() | self._rooms.answering()
        await self._rooms.in_thread(lambda: self._store.note_asked(watched))
        due = await self._rooms.in_thread(self._store.due_notices)
        async with asyncio.TaskGroup() as group:
            for together in sorted(_grouped(due), key=lambda found: max(known.tries for known in found)):
                group.create_task(self._tell(together))

    async def _tell(self, together: Sequence[Due]) -> None:
        """Send one message for all that is due at an address, and note how it went."""
        try:
            async with self._few:
                await self._delivered(together)
        except DeliveryError as problem:
            reason, for_good = str(problem), problem.for_good
            await self._rooms.in_thread(lambda: self._store.notices_failed(together, reason, for_good=for_good))
        else:
            await self._rooms.in_thread(lambda: self._store.notices_sent(together))

    async def _delivered(self, together: Sequence[Due]) -> None:
        """Send it; what nobody foresaw is the failure of this notice alone."""
        try:
            await self._deliver(together[0].way, self.notice(together))
        except DeliveryError:
            raise
        except Exception as problem:
            log.exception("a notice cannot be sent")
            raise DeliveryError(f"it cannot be sent ({type(problem).__name__})", for_good=True) from problem

    async def _deliver(self, way: NoticeWay, notice: Notice) -> None:
        settings = self._settings
        if way.form != MAIL:
            await deliver(
                way.address, way.form, notice,
                inside=settings.inside, never=settings.never, lookup=self._lookup, push=self._push,
            )  # fmt: skip
            return
        smtp = settings.smtp
        if smtp is None:
            raise DeliveryError("the host of this server has not set up mail", for_good=True)
        await asyncio.get_running_loop().run_in_executor(self._mailing, send, smtp, way.address, notice)

    def notice(self, together: Sequence[Due]) -> Notice:
        """What a notice says: no more of a match than everybody may see."""
        url, way = self._settings.url, together[0].way
        stop, one_click = f"{url}/#/notices/{way.stop}", f"{url}/api/notices/stop/{way.stop}"
        if way.confirm:
            question = f"Do you want notices of your turns at {urlsplit(url).netloc}?"  # and nothing that others wrote
            return Notice(question, f"{url}/#/confirm/{way.confirm}", stop, one_click, question=True)
        turns = [due for due in together if not due.first] or together
        names = [f"{_title(due)} ({due.turn})" if due.turn else _title(due) for due in turns]
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        listed = ", ".join(names[:MOST_NAMED]) + more
        if turns[0].first:
            text = f"You will get notices here when it is your turn: {listed}"
        elif len(turns) == 1:
            text = f"It is your turn: {listed}"
        else:
            text = f"It is your turn in {len(turns)} games: {listed}"
        page = f"#/match/{turns[0].match_id}" if len(turns) == 1 else "#/"
        return Notice(text, f"{url}/{page}", stop, one_click)


def _title(due: Due) -> str:
    title = one_line(due.title)
    return f"match {due.match_id}" if due.way.form == MAIL and _LINK.search(title) else title


def _grouped(due: Iterable[Due]) -> list[list[Due]]:
    """What goes to one address goes there together, except the questions that ask for consent."""

    def place(known: Due) -> tuple[str, str, str]:
        return known.way.form, known.way.address, known.way.confirm

    return [list(group) for _, group in groupby(sorted(due, key=place), place)]
