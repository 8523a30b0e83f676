"""Whose new match is made next: strangers take turns, and a flood of them keeps nobody else waiting."""

from __future__ import annotations

import contextlib
import ipaddress
import itertools
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from rasputitsa.server.turns import Called, Turns

KNOWN_AHEAD = 30.0
"""Matches that a caller who has played here before may ask for before being treated like an unknown one."""
FORGET_SECONDS = 60.0
"""After this time one match less counts for a network."""


def network_key(address: str) -> str:
    """The network an address, as ``limits.address_key`` gives it, is a part of: what one person can have whole.

    Of IPv6 that is 48 bits, which a provider gives to one customer, and of IPv4 24.
    """
    try:
        found = ipaddress.ip_network(address)
    except ValueError:
        return address
    return str(found.supernet(new_prefix=48 if found.version == 6 else 24))


@dataclass(slots=True)
class Place:
    """Where a request for a new match stands in the line.

    Attributes:
        asked: how many matches its network had asked for lately; one that asked for few goes first.
        number: counts the requests. Of equals the newest goes first: when more come than can be made, most have to be
            refused, and who waits longest would only be the next to be refused.
        begun: it has had a turn, and the rest of its work goes before what is not begun.
    """

    asked: float
    number: int
    begun: bool = False

    def order(self) -> tuple[bool, float, int]:
        """The least is next."""
        return (not self.begun, self.asked, -self.number)


class CreationQueue(Turns[Place]):
    """One turn at a time; times are in seconds of a clock that only rises."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._numbers = itertools.count()
        self._asked: dict[str, tuple[float, float]] = {}
        self._tidy_at = 1000

    def place(self, address: str, *, known: bool) -> Place:
        """A place for one more match of an address; ``known``: somebody has played from there before."""
        network, now = network_key(address), self._clock()
        asked = self._lately(network, now)
        if len(self._asked) >= self._tidy_at:
            self._asked = {name: kept for name, kept in self._asked.items() if self._lately(name, now)}
            self._tidy_at = max(1000, 2 * len(self._asked))
        self._asked[network] = (asked + 1.0, now)
        return Place(asked - (KNOWN_AHEAD if known else 0.0), next(self._numbers))

    def _lately(self, network: str, now: float) -> float:
        count, at = self._asked.get(network, (0.0, now))
        return max(0.0, count - (now - at) / FORGET_SECONDS)

    @contextlib.asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[None]:
        """Wait for a turn, and have it; the next one of the same place comes before what is not begun."""
        async with super().turn(place):
            place.begun = True
            yield

    def _choose(self, waiting: Mapping[Called, Place]) -> Called:
        return min(waiting, key=lambda called: waiting[called].order())
