"""New matches asked for over the network: each request makes one, and an address a limited number."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Annotated, TypeVar, cast

from fastapi import Header, Request

from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.session import Session
from rasputitsa.server.errors import ApiError, conflict
from rasputitsa.server.gate.creation_queue import Place
from rasputitsa.server.gate.throttle import Throttle
from rasputitsa.server.matches.archive import MatchTerms, Packed, StoredMatch, keep, pack
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.shapes import lists
from rasputitsa.server.store import Created, Creation, DuplicateRequestError
from rasputitsa.server.store.quota import size_of
from rasputitsa.server.store.store import SLICE

T = TypeVar("T")

RequestId = Annotated[
    str | None,
    Header(
        alias="idempotency-key",
        min_length=20,
        max_length=80,
        description="Drawn at random and kept to oneself; sent again, the request is answered as the first time.",
    ),
]


class Creating:
    """A request for a new match."""

    def __init__(self, request: Request, request_id: str | None, *content: str | bytes) -> None:
        """``content``: all that the match depends on."""
        self._rooms = cast(Rooms, request.app.state.rooms)
        self._throttle = cast(Throttle, request.app.state.throttle)
        self._client = request.client
        self._place: Place | None = None
        self._request_id = request_id or secrets.token_urlsafe(32)
        parts = [part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in content]
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in [request.url.path.encode(), *parts])
        self._content = hashlib.sha256(framed).hexdigest()

    async def answered(self) -> lists.Created | None:
        """The answer this request was given before, if it was; else it is one more that waits for its turns."""
        store, who = self._rooms.store, self._throttle.who(self._client)

        def look() -> tuple[Created | None, bool]:
            found = store.created(self._request_id)
            return found, who is not None and found is None and store.has_played(who)

        found, known = await self._rooms.in_thread(look)
        if found is not None:
            return self._again(found)
        self._place = self._throttle.place(self._client, known=known)
        return None

    async def keep(self, session: Session, terms: MatchTerms) -> lists.Created:
        """Keep a session as the new match, and open it.

        Raises:
            ApiError: 429, too many were made from this address; 422, it gives a seat to what may play none.
            RematchedError: another match follows the one that this one is to follow.
        """
        try:
            packed = await self.work(lambda: pack(session))
        except SaveError as problem:
            raise ApiError(422, "bad_save", str(problem)) from problem
        return await self.keep_packed(packed, terms)

    async def keep_packed(self, packed: Packed, terms: MatchTerms) -> lists.Created:
        """Keep what was packed as the new match, and open it.

        Raises:
            ApiError: 429, too many were made from this address.
        """
        who = self._throttle.who(self._client)
        creation = Creation(self._request_id, self._content, who or "")

        def work() -> StoredMatch:
            store.require_room(size_of(packed.lines, packed.kept))
            if who is not None:
                self._throttle.new_match(who, store.creations_of(who))
            return keep(store, packed, terms, creation)

        store = self._rooms.store
        try:
            async with self._throttle.making(self._place, large=len(packed.lines) > SLICE):
                kept = await self._rooms.in_thread(work)
                await self._rooms.open(kept.number)
        except DuplicateRequestError:
            made = await self._rooms.in_thread(lambda: store.created(self._request_id))
            assert made is not None, "it was being worked on when it came again"
            return self._again(made)
        return _answer(kept.number, kept.keys, kept.links)

    async def work(self, work: Callable[[], T], *, large: bool = False) -> T:
        """Do a piece of the work on the match when it is this request's turn; raises ``ApiError`` 503."""
        async with self._throttle.making(self._place, large=large):
            return await self._rooms.in_thread(work)

    def _again(self, found: Created) -> lists.Created:
        if found.content != self._content:
            raise conflict("request_reused", "this request id was used for another match before")
        return _answer(found.match_id, found.keys, found.links)


def _answer(number: int, keys: dict[str, str], links: dict[str, str]) -> lists.Created:
    return {"id": str(number), "keys": keys, "invitations": links}
