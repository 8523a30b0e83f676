"""``play`` and ``serve``: the server, for oneself or for others."""

from __future__ import annotations

import errno
import os
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from rasputitsa.cli.console import CommandError, DataOption, err, out
from rasputitsa.server.config import ServerConfig, default_data_dir

PORT = 8642

PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any free one.")]
BotSeconds = Annotated[
    float, typer.Option("--bot-seconds", min=0.01, help="How long a computer player may think in a player-turn.")
]


def play(
    port: PortOption = PORT,
    data: DataOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
    bot_seconds: BotSeconds = 10.0,
) -> None:
    """Play on this machine: start the server and open it in a browser."""
    from rasputitsa.server.lock import InUseError

    config = ServerConfig(data=data or default_data_dir(), local=True, bot_seconds=bot_seconds)

    def ready(address: str) -> None:
        out.print(f"rasputitsa is running at [bold]{address}[/]", soft_wrap=True)
        out.print(f"Matches are kept in {config.data}. Press Ctrl-C to stop.", soft_wrap=True)
        if browser and not _open(address):
            out.print("Open this address in a browser.")

    try:
        _run(config, "127.0.0.1", port, ready, elsewhere=True)
    except InUseError as problem:
        if not problem.address:
            raise CommandError(str(problem)) from problem
        out.print(str(problem), soft_wrap=True)
        if browser and not _open(problem.address):
            out.print("Open this address in a browser.")


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: PortOption = PORT,
    data: DataOption = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name the server is called by; may be given again.")
    ] = None,
    bot_seconds: BotSeconds = 10.0,
) -> None:
    """Serve matches to others. Whoever starts a match gets the keys of its seats and hands them out."""
    from rasputitsa.server.lock import InUseError

    hosts = tuple(allow_host or ())
    config = ServerConfig(data=data or default_data_dir(), hosts=hosts, bot_seconds=bot_seconds)
    try:
        _run(config, host, port, lambda address: out.print(f"Serving at {address}", soft_wrap=True), elsewhere=False)
    except InUseError as problem:
        raise CommandError(str(problem)) from problem


def _run(config: ServerConfig, host: str, port: int, ready: Callable[[str], None], *, elsewhere: bool) -> None:
    """Serve until Ctrl-C, which is the ordinary end."""
    starting = err.status("Starting the server")
    starting.start()
    try:
        from rasputitsa.server.run import listen, run
        from rasputitsa.server.store import StoreError

        def started(address: str) -> None:
            starting.stop()
            ready(address)

        try:
            with listen(host, port, elsewhere=elsewhere) as listener:
                run(config, listener, started)
        except StoreError as problem:
            raise CommandError(str(problem)) from problem
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE:
                raise CommandError(f"port {port} is taken; choose another with --port") from problem
            raise CommandError(f"cannot serve on {host} port {port}: {problem.strerror or problem}") from problem
        except KeyboardInterrupt:
            pass  # the server has closed everything in order
        out.print("Stopped.")
    finally:
        starting.stop()


def _open(address: str) -> bool:
    """Open a browser window, where there is a desktop to open it on."""
    desktop = sys.platform in ("darwin", "win32") or any(os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY"))
    return desktop and webbrowser.open(address)


def data_file(data: Path | None) -> Path:
    """The database of a data directory."""
    return ServerConfig(data=data or default_data_dir()).database
