"""One short message to an address that a stranger has given: to the public network alone, and nothing is believed.

The name is looked up once, and the connection goes to what was found: a name that leads elsewhere a moment later leads
nowhere. Redirects are not followed, and of the answer nothing but its status is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import ipaddress
import json
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import SplitResult, urlsplit

from rasputitsa.server.errors import BadAddressError
from rasputitsa.server.notices.notice import MAX_ADDRESS, PUSH, DeliveryError, Notice
from rasputitsa.server.notices.push import PushKey
from rasputitsa.server.shapes.words import Form

SECONDS = 15.0
"""For all of it: looking up, connecting, writing and reading."""
LOOKING_SECONDS = 5.0
"""So long a player who gives an address waits until its name is found."""
MAX_LINE = 1024

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")


def parsed(address: str) -> SplitResult:
    """The parts of an address that may be called.

    Raises:
        BadAddressError: it is none.
    """
    if len(address) > MAX_ADDRESS or not address.isascii() or any(letter <= " " for letter in address):
        raise BadAddressError("an address is written without blanks and of at most 500 plain letters")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise BadAddressError("this is no address of a web page") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise BadAddressError("an address begins with https:// or http://")
    if parts.username is not None or parts.password is not None:
        raise BadAddressError("names and passwords do not belong in an address")
    if port == 0:
        raise BadAddressError("there is no port 0")
    return parts


async def looked_up(host: str, port: int) -> Sequence[str]:
    """The numbers of a name."""
    find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_LOOKING_UP, find)
    return [str(known[4][0]) for known in found]


_LOOKING_UP = ThreadPoolExecutor(64, thread_name_prefix="lookup")
"""Of their own: names whose servers do not answer, however many, hold up nothing else."""


def is_public(number: str) -> bool:
    """Whether an address is a public one: of no machine of the host's own, of its network or of its cloud."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address not in _UNICAST or address.sixtofour or address.teredo:
            return False
    elif any(address in network for network in _NOT_FOR_ALL):
        return False
    return address.is_global and not address.is_multicast


def is_own(number: str) -> bool:
    """Whether an address is one of this machine, at which a service may answer that is closed to those outside."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((number, 0))
        return True
    return False


def is_within(number: str, networks: Sequence[str]) -> bool:
    """Whether an address is in one of some networks, also where it is an address of IPv4 in the form of IPv6."""
    address = ipaddress.ip_address(number.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any((mapped or address) in ipaddress.ip_network(network) for network in networks)


_UNICAST = ipaddress.ip_network("2000::/3")
"""All public addresses of IPv6; others may hold one of IPv4 within, as those of gateways do."""
_NOT_FOR_ALL = [ipaddress.ip_network(network) for network in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")]
"""What clouds answer their own machines at, and gateways, though ``ipaddress`` calls it global."""


async def deliver(
    address: str,
    form: Form,
    notice: Notice,
    *,
    inside: bool = False,
    never: Sequence[str] = (),
    lookup: Lookup = looked_up,
    push: PushKey | None = None,
) -> None:
    """Send a notice.

    Args:
        inside: the host allows addresses that are not public.
        never: networks that the host bars.
        push: the key for notices to browsers, which need it.

    Raises:
        DeliveryError: it did not arrive.
    """
    if form == PUSH and push is None:
        raise DeliveryError("the host of this server has not set up notices to browsers", for_good=True)
    try:
        parts = parsed(address)
        body, headers = push.message(address, notice) if form == PUSH and push else _message(form, notice)
    except BadAddressError as problem:
        raise DeliveryError(str(problem), for_good=True) from problem
    try:
        async with asyncio.timeout(SECONDS):
            number = await _number(parts, lookup, inside=inside, never=never)
            status = await _posted(parts, number, body, headers)
    except TimeoutError as problem:
        raise DeliveryError(f"no answer within {SECONDS:.0f} seconds") from problem
    except (OSError, ValueError) as problem:
        raise DeliveryError(f"no answer ({type(problem).__name__})") from problem
    if not 200 <= status < 300:
        raise DeliveryError(f"answered {status}", for_good=300 <= status < 500 and status not in (408, 425, 429))


async def check_reach(
    address: str, *, inside: bool = False, never: Sequence[str] = (), lookup: Lookup = looked_up
) -> None:
    """Refuse an address to which nothing would be sent; a name that is not found now may be found later.

    Raises:
        BadAddressError: it is none, or leads to where no notice goes now.
    """
    parts = parsed(address)
    try:
        async with asyncio.timeout(LOOKING_SECONDS):
            await _number(parts, lookup, inside=inside, never=never)
    except DeliveryError as problem:
        raise BadAddressError(str(problem)) from problem
    except (OSError, ValueError):  # out of time, too
        return


async def _number(parts: SplitResult, lookup: Lookup, *, inside: bool, never: Sequence[str]) -> str:
    """The number to connect to; raises ``DeliveryError`` if any that the name has is not public, or is barred."""
    numbers = await lookup(parts.hostname or "", _port(parts))
    if any(is_within(number, never) for number in numbers):
        raise DeliveryError("the host of this server lets no notice go to that address", for_good=True)
    if not numbers or not (inside or all(is_public(number) and not is_own(number) for number in numbers)):
        raise DeliveryError("the address is not a public one", for_good=True)
    return numbers[0]


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


async def _posted(parts: SplitResult, number: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body and give the status of the answer; the rest of it is not read."""
    context = ssl.create_default_context() if parts.scheme == "https" else None
    name = parts.hostname if context else None
    reader, writer = await asyncio.open_connection(
        number, _port(parts), limit=MAX_LINE, ssl=context, server_hostname=name
    )  # fmt: skip
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        told = {"Host": parts.netloc, "User-Agent": "rasputitsa", "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in {**told, "Connection": "close"}.items())
        writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
        await writer.drain()
        found = _STATUS.match(await reader.readline())
        if found is None:
            raise DeliveryError("the answer is none of a web server")
        return int(found[1])
    finally:
        writer.transport.abort()


def _message(form: Form, notice: Notice) -> tuple[bytes, dict[str, str]]:
    if form == "ntfy":
        return f"{notice.text}\nNo more of this: {notice.stop}".encode(), {
            "Content-Type": "text/plain; charset=utf-8", "Title": "rasputitsa", "Click": notice.link,
        }  # fmt: skip
    told: dict[str, object] = {"text": notice.text, "link": notice.link, "stop": notice.stop}
    if form == "discord":
        told = {"content": _whole(_MARKDOWN.sub(r"\\\g<0>", notice.text), notice), "allowed_mentions": {"parse": []}}
    elif form == "slack":
        told = {"text": _whole(html.escape(notice.text, quote=False), notice)}
    return json.dumps(told).encode(), {"Content-Type": "application/json"}


_MARKDOWN = re.compile(r"[\\`*_~|<>\[\]@]")
"""What makes links and calls people, or dresses a text up: a title is text, no matter who wrote it."""


def _whole(text: str, notice: Notice) -> str:
    return f"{text}\n{notice.link}\nNo more of this: {notice.stop}"
