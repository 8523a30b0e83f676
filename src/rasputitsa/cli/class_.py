"""``class``: the server for a room with a teacher and pupils, on one laptop and without internet."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from pathlib import Path
from typing import Annotated

import typer

from rasputitsa.cli.console import CommandError, DataOption, out
from rasputitsa.cli.play import PORT, BotSeconds, PortOption, open_browser, run_server
from rasputitsa.server.config import ServerConfig, default_data_dir
from rasputitsa.server.limits import Limits

SOMEWHERE = "192.0.2.1"
"""An address that nobody has (RFC 5737): nothing is sent, the system only says by which of its own it would be."""
LOOPBACK = "127.0.0.1"
LIMITS = Limits(
    matches=600, matches_burst=200, matches_week=2000, requests_burst=3000, address_connections=600, windows=200
)
"""In one's own room: a board for each pupil of several classes on one morning, and a whole class behind one address
that opens page and boards at the same moment."""
EVERYWHERE = str(ipaddress.IPv4Address(0))


def class_(
    address: Annotated[
        str | None, typer.Option("--address", help="Your own address in the network of the room, if another is shown.")
    ] = None,
    port: PortOption = PORT,
    data: DataOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
    bot_seconds: BotSeconds = 5.0,
) -> None:
    """Teach a class: serve boards to pupils in the same network, and open the teacher's page."""
    from rasputitsa.server.lock import InUseError

    known = [address] if address else own_addresses()
    config = ServerConfig(data=data or class_dir(), bot_seconds=bot_seconds, limits=LIMITS)

    def ready(listening: str) -> None:
        at = listening.rstrip("/").rpartition(":")[2]
        out.print(f"The class is served at http://{known[0]}:{at}/", soft_wrap=True)
        if len(known) > 1:
            others = ", ".join(known[1:])
            out.print(f"This machine has further addresses: {others}. Choose one with --address.", soft_wrap=True)
        page = f"http://{known[0]}:{at}/#/teach"
        out.print(f"Your page: {page}", soft_wrap=True)
        out.print(f"All is kept in {config.data}. Press Ctrl-C to stop.", soft_wrap=True)
        if browser and not open_browser(page):
            out.print("Open your page in a browser.")

    try:
        run_server(config, EVERYWHERE, port, ready, elsewhere=False)
    except InUseError as problem:
        raise CommandError(str(problem)) from problem


def class_dir() -> Path:
    """Where classes are kept unless the teacher says otherwise: apart from the teacher's own matches."""
    usual = default_data_dir()
    return usual.with_name(f"{usual.name}-class")


def own_addresses() -> list[str]:
    """The addresses by which this machine can be found, the likeliest first; its own loopback if there is no other."""
    found = [_towards(SOMEWHERE)]
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    known = [address for address in dict.fromkeys(found) if address and not ipaddress.ip_address(address).is_loopback]
    return known or [LOOPBACK]


def _towards(address: str) -> str:
    """The own address from which something would go there; empty where nothing leads there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((address, 9))
        except OSError:
            return ""
        return str(asking.getsockname()[0])
