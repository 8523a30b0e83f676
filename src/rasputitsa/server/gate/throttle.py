"""How much one address may ask for: requests, costly ones at once, windows, new matches."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Scope

from rasputitsa.server.errors import ApiError, too_many
from rasputitsa.server.gate.creation_queue import CreationQueue, Place, network_key
from rasputitsa.server.limits import Buckets, Counts, Limits, address_key, is_loopback
from rasputitsa.server.store import ASKING

COSTLY = 10.0
LOOK_BACK = 40.0
"""What counts this much or more is done a few at a time for each address."""
PATIENCE_SECONDS = 15.0
"""How long a costly request waits for others of the same address."""
DELAY_SECONDS = 1.0
"""A refused request is answered late, so that asking again and again costs the server little."""
PAUSE_SECONDS = 0.03
"""The longest pause between the matches of two strangers."""
HOUR = 3600.0
WORD_RATE, WORD_BURST = 0.1, 1000.0
"""In a second and at once: how often one word of a pupil may be tried. Nobody who types keeps a classmate out, and a
program not within the first minute; yet guesses of a whole month find one word in thousands."""
NAME_RATE, NAME_BURST = 1 / 60, 12.0
"""In a second and at once: how often the password of one account may be tried from one address; from its network ten
times that. What is tried elsewhere does not count, so that no stranger keeps somebody out of an account."""
MANY_WINDOWS = "too_many_windows"

_COSTS = (
    ("POST", re.compile(r"/api/import"), 40.0),
    ("POST", re.compile(r"/api/matches(?:/\d+/rematch)?"), 10.0),
    ("POST", re.compile(r"/api/matches/\d+/(?:copy|course)"), 20.0),
    ("POST", re.compile(r"/api/(?:matches/\d+/hint|lobby|account/seats)"), 5.0),
    ("GET", re.compile(r"/api/matches/\d+/export"), 20.0),
    ("GET", re.compile(r"/api/calendar/[^/]+"), 20.0),
    ("GET", re.compile(r"/api/matches/\d+/log"), 3.0),
    ("POST", re.compile(r"/api/matches/\d+/(?:undo|end)"), 3.0),
    ("GET", re.compile(r"/api/matches/\d+/query"), 2.0),
    ("GET", re.compile(r"/api/tables"), 6.0),
    ("POST", re.compile(r"/api/classes/matches"), 10.0),
    ("POST", re.compile(r"/api/classes/(?:boards|join)"), 5.0),
    ("GET", re.compile(r"/api/matches"), 3.0),
    ("GET", re.compile(r"/assets/[^/]+"), 0.1),
)
_VIEW = re.compile(r"/api/matches/\d+/view")
LIVE_PATH = re.compile(r"/api/matches/(\d+)/live")


def cost_of(method: str, path: str, query: bytes) -> float:
    """How many plain requests a request counts for."""
    asked = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    if _VIEW.fullmatch(path) and any(name == "at" for name, _ in asked):
        return COSTLY
    return next((cost for verb, form, cost in _COSTS if verb == method and form.fullmatch(path)), 1.0)


class Throttle:
    """What every address has used up of what it may ask for."""

    def __init__(self, limits: Limits, *, local: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """``local``: callers on this machine are its owner, and not limited."""
        self.limits = limits
        self._local = local
        self._clock = clock
        self._requests = Buckets(limits.requests, limits.requests_burst)
        self._matches = Buckets(limits.matches / HOUR, limits.matches_burst)
        self._taken = Buckets(limits.taken / HOUR, limits.taken)
        self._accounts = Buckets(limits.accounts / HOUR, limits.accounts)
        self._sign_ins = Buckets(limits.sign_ins / HOUR, limits.sign_ins)
        self._names = Buckets(NAME_RATE, NAME_BURST)
        self._network_names = Buckets(10 * NAME_RATE, 10 * NAME_BURST)
        self._classes = Buckets(limits.classes / HOUR, limits.classes)
        self._joins = Buckets(limits.class_joins / HOUR, limits.class_joins)
        self._classes_here: set[str] = set()
        self._words = Buckets(WORD_RATE, WORD_BURST)
        self._notices = Buckets(limits.notices / HOUR, limits.notices)
        self._windows = Counts(limits.windows)
        self._match_windows = Counts(limits.match_windows)
        self._costly: dict[str, _Queue] = {}
        self._making = {False: CreationQueue(clock), True: CreationQueue(clock)}
        self._bodies = 0

    def who(self, client: Any) -> str | None:
        """The address a caller counts under; None for the owner of the machine. Takes ASGI's ``client``."""
        host = client[0] if client else None
        return None if self._local and host is not None and is_loopback(host) else address_key(host)

    @contextlib.asynccontextmanager
    async def request(self, scope: Scope) -> AsyncIterator[None]:
        """Let a request in; raises ``ApiError`` 429, after a while, if the address asks too much."""
        who = self.who(scope.get("client"))
        if who is None:
            yield
            return
        ASKING.set(who)
        cost = cost_of(scope["method"], scope["path"], scope["query_string"])
        wait = self._requests.take(who, cost, self._clock())
        if wait:
            await asyncio.sleep(min(wait, DELAY_SECONDS))
            raise too_many("too many requests from your address; please wait a moment", wait)
        if cost < COSTLY:
            yield
            return
        async with self._one_of_few(who):
            yield

    @contextlib.asynccontextmanager
    async def look_back(self, client: Any, cost: float = LOOK_BACK) -> AsyncIterator[None]:
        """Let a request that was let in as a plain one do what takes long, as long as a copy where ``cost`` is not
        given; raises ``ApiError`` 429."""
        if (who := self.who(client)) is None:
            yield
            return
        if wait := self._requests.take(who, cost, self._clock()):
            raise too_many("too many requests from your address; please wait a moment", wait)
        async with self._one_of_few(who):
            yield

    @contextlib.asynccontextmanager
    async def _one_of_few(self, who: str) -> AsyncIterator[None]:
        if not self.limits.costly_at_once:
            yield
            return
        queue = self._costly.setdefault(who, _Queue(int(self.limits.costly_at_once)))
        queue.users += 1
        try:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await queue.turns.acquire()
            except TimeoutError:
                raise too_many("several large requests from your address are still being worked on", 5) from None
            try:
                yield
            finally:
                queue.turns.release()
        finally:
            queue.users -= 1
            if not queue.users:
                del self._costly[who]

    def place(self, client: Any, *, known: bool) -> Place | None:
        """A place in the line for one more match; None for the owner of the machine, who does not wait.

        ``known``: somebody has played from the address before.
        """
        who = self.who(client)
        return None if who is None else self._making[False].place(who, known=known)

    @contextlib.asynccontextmanager
    async def making(self, place: Place | None, *, large: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn to work on a new match.

        Strangers take turns, and after each comes a pause as long as it took, so that those who play notice little of
        it, from however many addresses matches are asked for. ``large`` ones have turns of their own.

        Raises:
            ApiError: 503, too many wait.
        """
        if place is None:
            yield
            return
        async with contextlib.AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await stack.enter_async_context(self._making[large].turn(place))
            except TimeoutError:
                text = "many matches are being started; please try again"
                raise ApiError(503, "busy", text, retry_after=10) from None
            began = self._clock()
            yield
            await asyncio.sleep(min(self._clock() - began, PAUSE_SECONDS))

    @contextlib.contextmanager
    def window(self, scope: Scope) -> Iterator[None]:
        """Let a window open; raises ``ApiError`` 429 if the address has too many."""
        who = self.who(scope.get("client"))
        if who is None:
            yield
            return
        wait = self._requests.take(who, 1.0, self._clock())
        if wait:
            raise too_many("too many requests from your address; please wait a moment", wait)
        if not self._windows.take(who):
            raise too_many("too many windows are open from your address; close some of them", 10, MANY_WINDOWS)
        try:
            found = LIVE_PATH.fullmatch(scope["path"])
            here = f"{who} {found[1].lstrip('0') if found else ''}"
            if not self._match_windows.take(here):
                text = "too many windows are open on this match from your address; close some of them"
                raise too_many(text, 10, MANY_WINDOWS)
            try:
                yield
            finally:
                self._match_windows.give_back(here)
        finally:
            self._windows.give_back(who)

    def new_match(self, who: str, lately: int) -> None:
        """Count a new match of an address that has started some in the last seven days.

        Raises:
            ApiError: 429, it has started too many.
        """
        most = self.limits.matches_week
        if most and lately >= most:
            raise too_many("too many matches were started from your address this week", HOUR)
        wait = self._matches.take(who, 1.0, self._clock())
        if wait:
            raise too_many("too many matches were started from your address; please wait a while", wait)

    def take_seat(self, client: Any) -> None:
        """Count a seat that is taken from the list of open tables; raises ``ApiError`` 429."""
        if (who := self.who(client)) and (wait := self._taken.take(who, 1.0, self._clock())):
            raise too_many("too many open seats were taken from your address; please wait a while", wait)

    def set_notice(self, client: Any) -> None:
        """Count an address for notices, since each gets a first one; raises ``ApiError`` 429."""
        if (who := self.who(client)) and (wait := self._notices.take(who, 1.0, self._clock())):
            raise too_many("too many addresses for notices were given from your address; please wait a while", wait)

    def make_account(self, client: Any) -> None:
        """Count an account that is made; raises ``ApiError`` 429."""
        if (who := self.who(client)) and (wait := self._accounts.take(who, 1.0, self._clock())):
            raise too_many("too many accounts were made from your address; please wait a while", wait)

    def try_password(self, client: Any, seen: str) -> str:
        """Count a password that is typed for the account whose name looks like ``seen``; gives the caller's network.

        Raises:
            ApiError: 429, whether the password is right or wrong, and whether there is such an account or not.
        """
        who, now = self.who(client) or "", self._clock()
        network = network_key(who)
        wait = (
            self._sign_ins.take(who, 1.0, now)
            or self._names.take(f"{who} {seen}", 1.0, now)
            or self._network_names.take(f"{network} {seen}", 1.0, now)
        )
        if wait:
            raise too_many("too many passwords were tried from your network; please wait a while", wait)
        return network

    def open_class(self, client: Any) -> None:
        """Count a class that is opened; raises ``ApiError`` 429."""
        if (who := self.who(client)) and (wait := self._classes.take(who, 1.0, self._clock())):
            raise too_many("too many classes were opened from your address; please wait a while", wait)

    def enter_class(self, client: Any, class_id: str) -> None:
        """Count a code of a class that somebody types, wrong (``class_id`` empty) or new at the address.

        A person who tries codes thus keeps nobody out of a class that others at the address are in.

        Raises:
            ApiError: 429, whether the code is wrong or right.
        """
        if not (who := self.who(client)) or f"{who} {class_id}" in self._classes_here:
            return
        if wait := self._joins.take(who, 1.0, self._clock()):
            raise too_many("too many codes were typed at your address; please wait a while", wait)
        if class_id:
            self._classes_here.add(f"{who} {class_id}")

    def teach_class(self, client: Any, class_id: str) -> None:
        """Note that a class is taught from an address: its code is not new there."""
        if who := self.who(client):
            self._classes_here.add(f"{who} {class_id}")

    def try_word(self, word: str) -> None:
        """Count a try at a pupil's word, given by its digest, from wherever; raises ``ApiError`` 429."""
        if wait := self._words.take(word, 1.0, self._clock()):
            raise too_many("too many words were tried for this name; wait a moment, or ask your teacher", wait)

    @contextlib.contextmanager
    def body(self) -> Iterator[Callable[[int], None]]:
        """Hold a body in memory; the function given counts its bytes and raises ``ApiError`` 503 for want of room."""
        held = 0

        def hold(size: int) -> None:
            nonlocal held
            if self.limits.bodies_bytes and self._bodies + size > self.limits.bodies_bytes:
                raise ApiError(503, "busy", "the server is busy with other uploads; please try again", retry_after=10)
            held += size
            self._bodies += size

        try:
            yield hold
        finally:
            self._bodies -= held


class _Queue:
    """The costly requests of one address."""

    __slots__ = ("turns", "users")

    def __init__(self, turns: int) -> None:
        self.turns = asyncio.Semaphore(turns)
        self.users = 0
