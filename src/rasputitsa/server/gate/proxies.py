"""Who calls, when requests come through proxies that the host has named."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


class Proxies:
    """ASGI middleware; takes a named proxy's word in ``X-Forwarded-For``, and nobody else's.

    Each proxy adds whom it was asked by at the end, so what stands before may be forged. The last entry counts, and the
    one before it only if that last one is itself a proxy named by its own address: a network may hold callers, too.
    """

    def __init__(self, app: ASGIApp, proxies: Iterable[str]) -> None:
        self._app = app
        self._networks = [ip_network(proxy) for proxy in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = scope.get("client")
        if scope["type"] != "lifespan" and peer is not None and self._is_named(peer[0]):
            caller = self._caller(", ".join(Headers(scope=scope).getlist("x-forwarded-for")))
            if caller:
                scope = {**scope, "client": (caller, 0)}
        await self._app(scope, receive, send)

    def _caller(self, forwarded: str) -> str:
        """The caller's address as the proxies tell it; empty if they tell none."""
        hops = [_without_port(hop.strip()) for hop in forwarded.split(",")]
        while len(hops) > 1 and self._is_named(hops[-1], alone=True):
            hops.pop()
        return hops[-1]

    def _is_named(self, host: str, *, alone: bool = False) -> bool:
        """Whether a proxy is named; ``alone``, by its own address."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks if not alone or network.num_addresses == 1)


def _without_port(hop: str) -> str:
    """The address in ``1.2.3.4:80`` and ``[::1]:80``; what has another form stays as it is."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
