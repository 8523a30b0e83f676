"""What one address may ask of the server, and how long it may take. None of it is about the rules of a game."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from rasputitsa.core.caching import cached_up_to


@dataclass(frozen=True, slots=True)
class Limits:
    """Settings of a server for others; each is a positive number, and 0 switches it off.

    Attributes:
        connections: open connections of everybody together; never more than the system allows.
        address_connections: open connections of one address.
        header_seconds: time for the head of a request to arrive, from its first byte.
        body_seconds: time for a body to begin, and to go on after each ``slowest_rate`` bytes.
        write_seconds: time a reader may read nothing of what is waiting for it.
        idle_seconds: time a connection may wait for its next request.
        slowest_rate: bytes in a second below which a body or a reader counts as stopped.
        head_bytes: the head of a request, its path and query included.
        query_bytes: the part of a path after the question mark.
        bodies_bytes: bodies of everybody together that are being read or worked on.
        requests: requests in a second from one address; costly ones count several times.
        requests_burst: requests one address may make at once before the rate counts.
        costly_at_once: costly requests (imports, copies, looks into the past) of one address at a time.
        windows: open windows of one address.
        match_windows: open windows of one address on one match.
        window_bytes: bytes in a second that an open window may send.
        jobs: hints and analyses of one address that wait or run.
        matches: new matches of one address in an hour.
        matches_burst: new matches one address may start at once.
        matches_week: new matches of one address in seven days.
        tables: seats of one address in the list of open tables at a time.
        taken: seats one address may take from that list in an hour.
        accounts: accounts that one address may make in an hour.
        sign_ins: times in an hour that one address may sign in or give a password.
        classes: classes that one address may open in an hour.
        class_joins: codes of classes, wrong or new to it, that one address may type in an hour.
        notices: times one address may give, in an hour, an address for notices.
        mails: mails in a day, of everybody together, that ask somebody for consent to notices.
        kept_bytes: what one address may have kept in matches it has written to within seven days.
        free_bytes: what is to stay free on the disk; below it nothing new is kept.
        log_lines: lines of one kind in the log within a minute; the rest are counted.
    """

    connections: float = 4000
    address_connections: float = 250
    header_seconds: float = 10
    body_seconds: float = 15
    write_seconds: float = 30
    idle_seconds: float = 20
    slowest_rate: float = 8192
    head_bytes: float = 16384
    query_bytes: float = 4096
    bodies_bytes: float = 128 * 1024 * 1024
    requests: float = 40
    requests_burst: float = 300
    costly_at_once: float = 2
    windows: float = 100
    match_windows: float = 8
    window_bytes: float = 4096
    jobs: float = 6
    matches: float = 60
    matches_burst: float = 30
    matches_week: float = 150
    tables: float = 20
    taken: float = 40
    accounts: float = 40
    sign_ins: float = 120
    classes: float = 12
    class_joins: float = 240
    notices: float = 40
    mails: float = 500
    kept_bytes: float = 512 * 1024 * 1024
    free_bytes: float = 64 * 1024 * 1024
    log_lines: float = 10

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if not 0 <= value < float("inf"):
                raise ValueError(f"the limit {setting.name} must be a number from 0 up, not {value}")

    def changed(self, settings: Iterable[str]) -> Limits:
        """With settings of the form ``NAME=NUMBER``; raises ``ValueError`` in plain words."""
        known = {setting.name for setting in fields(self)}
        changes: dict[str, float] = {}
        for setting in settings:
            name, _, number = setting.partition("=")
            name = name.strip().replace("-", "_")
            if name not in known:
                raise ValueError(f"there is no limit {name!r}; known: {', '.join(sorted(known))}")
            try:
                changes[name] = float(number)
            except ValueError:
                raise ValueError(f"the limit {name} needs a number, as in {name}=10") from None
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Budget:
    """What reading one saved game may cost: seconds of processor time, and megabytes of memory."""

    seconds: float = 60.0
    megabytes: int = 1024


@cached_up_to(1024)
def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Whether it is the address of a machine, and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cached_up_to(1024)
def address_key(host: str | None) -> str:
    """What counts as one address: an IPv4 address, or an IPv6 network of 64 bits, which one household has."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class TokenBucket:
    """Tokens that come back at a steady rate; times in seconds of a clock that only rises."""

    __slots__ = ("_filled", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self._tokens, self._filled = burst, now

    def take(self, cost: float, now: float) -> float:
        """Take tokens if they are there; otherwise none, and how many seconds until they are.

        What costs more than the bucket ever holds is let through when it is full.
        """
        self._fill(now)
        need = min(cost, self.burst)
        if self._tokens >= need:
            self._tokens -= cost
            return 0.0
        return (need - self._tokens) / self.rate

    def full(self, now: float) -> bool:
        """Whether nothing is missing, so that the bucket can be forgotten."""
        self._fill(now)
        return self._tokens >= self.burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self.burst, self._tokens + (now - self._filled) * self.rate)
        self._filled = now


class Buckets:
    """A bucket for each of many keys; full ones are forgotten from time to time."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, max(burst, 1.0)
        self._buckets: dict[str, TokenBucket] = {}
        self._tidy_at = 1000

    def take(self, key: str, cost: float, now: float) -> float:
        """As ``TokenBucket.take``; 0 always where the rate is 0, which means no limit."""
        if self._rate <= 0:
            return 0.0
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._tidy_at:
                self._tidy(now)
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst, now)
        return bucket.take(cost, now)

    def __len__(self) -> int:
        return len(self._buckets)

    def _tidy(self, now: float) -> None:
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
        self._tidy_at = max(1000, 2 * len(self._buckets))


class Counts:
    """How many of something each key has now."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._counts: dict[str, int] = {}

    def take(self, key: str) -> bool:
        """One more, if it is allowed."""
        found = self._counts.get(key, 0)
        if self._most and found >= self._most:
            return False
        self._counts[key] = found + 1
        return True

    def give_back(self, key: str) -> None:
        """One less."""
        found = self._counts[key] - 1
        if found:
            self._counts[key] = found
        else:
            del self._counts[key]

    def of(self, key: str) -> int:
        """How many there are."""
        return self._counts.get(key, 0)
