"""``play`` and ``serve``: the server, for oneself or for others."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, cast, get_args
from urllib.parse import urlsplit

import typer

from rasputitsa.cli.console import CommandError, DataOption, err, out, read_bytes, read_text
from rasputitsa.server.config import NoticeSettings, ServerConfig, default_data_dir
from rasputitsa.server.limits import Limits
from rasputitsa.server.logs import LogForm
from rasputitsa.server.mail_server import Smtp, check_mail, smtp_of

PORT = 8642
PASSWORD_VARIABLE = "RASPUTITSA_SMTP_PASSWORD"
MOST_PASSWORD = 1000
LEAST_TOKEN = 16

PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any free one.")]
BotSeconds = Annotated[
    float, typer.Option("--bot-seconds", min=0.01, help="Seconds a computer player may think in a player-turn.")
]

AllowHostOption = Annotated[
    list[str] | None,
    typer.Option("--allow-host", help="A host name under which the server is reached; may be repeated."),
]
BehindProxyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--behind-proxy",
        metavar="ADDRESS",
        help="Address of a proxy before this server, or a network that holds only proxies: the address of a "
        "caller is then read from X-Forwarded-For. May be given again.",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="Change what one address may ask for, such as requests=20; 0 is no limit. "
        "docs/reference/limits.md lists the names. May be given again.",
    ),
]
NoticesOption = Annotated[
    str | None,
    typer.Option(
        "--notices",
        metavar="URL",
        help="Notify players at web addresses of theirs that it is their turn. URL is where they find this server.",
    ),
]
NoticesInsideOption = Annotated[
    bool, typer.Option("--notices-inside", help="Such notices may go to your own network and machine, too.")
]
NoticesNeverOption = Annotated[
    list[str] | None,
    typer.Option(
        "--notices-never",
        metavar="ADDRESS",
        help="Such notices never go to this address or network, such as the public address of your router. May be "
        "given again.",
    ),
]
PushContactOption = Annotated[
    str | None,
    typer.Option(
        "--push-contact",
        metavar="MAIL",
        help="Notify players through their browsers, too, while no page is open. MAIL is where the makers of "
        "browsers, whose services carry such notices, reach you.",
    ),
]
SmtpOption = Annotated[
    str | None,
    typer.Option(
        "--smtp",
        metavar="URL",
        help="Notify players by mail, too, through this mail server: smtp://USER@HOST:587 (STARTTLS), "
        "smtps://USER@HOST:465 (TLS) or, on this machine, smtp+plain://localhost. The password is read from "
        f"{PASSWORD_VARIABLE} or from --smtp-password-file.",
    ),
]
MailFromOption = Annotated[
    str, typer.Option("--mail-from", metavar="ADDRESS", help="The address that mail to players comes from.")
]
SmtpPasswordOption = Annotated[
    Path | None, typer.Option("--smtp-password-file", metavar="FILE", help="A file that holds the password.")
]
MetricsTokenOption = Annotated[
    Path | None,
    typer.Option(
        "--metrics-token-file",
        metavar="FILE",
        help="A file that holds a token, of 16 characters at least: anyone who sends it may read /api/metrics from "
        "elsewhere. Without it only callers on this machine may.",
    ),
]
LogFormatOption = Annotated[
    str, typer.Option("--log-format", metavar="text|json", help="The log: lines to read, or a JSON object a line.")
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
        out.print(f"rasputitsa is running at {address}", soft_wrap=True)
        out.print(f"Matches are kept in {config.data}. Press Ctrl-C to stop.", soft_wrap=True)
        if browser and not open_browser(address):
            out.print("Open this address in a browser.")

    try:
        run_server(config, "127.0.0.1", port, ready, elsewhere=True)
    except InUseError as problem:
        if not problem.address:
            raise CommandError(str(problem)) from problem
        out.print(str(problem), soft_wrap=True)
        if browser and not open_browser(problem.address):
            out.print("Open this address in a browser.")


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: PortOption = PORT,
    data: DataOption = None,
    allow_host: AllowHostOption = None,
    behind_proxy: BehindProxyOption = None,
    limit: LimitOption = None,
    notices: NoticesOption = None,
    notices_inside: NoticesInsideOption = False,
    notices_never: NoticesNeverOption = None,
    push_contact: PushContactOption = None,
    smtp: SmtpOption = None,
    mail_from: MailFromOption = "",
    smtp_password_file: SmtpPasswordOption = None,
    bot_seconds: BotSeconds = 10.0,
    metrics_token_file: MetricsTokenOption = None,
    log_format: LogFormatOption = "text",
) -> None:
    """Serve matches to others. The player who starts a match invites the others by links."""
    from rasputitsa.server.lock import InUseError

    hosts = tuple(allow_host or ())
    try:
        proxies = tuple(str(ip_network(proxy)) for proxy in behind_proxy or ())
        never = tuple(str(ip_network(network)) for network in notices_never or ())
        limits = Limits().changed(limit or ())
    except ValueError as problem:
        raise CommandError(str(problem)) from problem
    config = ServerConfig(
        data=data or default_data_dir(),
        hosts=hosts,
        proxies=proxies,
        limits=limits,
        notices=_noticing(
            notices, notices_inside, _mailing(smtp, mail_from, smtp_password_file), never, _contact(push_contact)
        ),
        accounts=True,
        bot_seconds=bot_seconds,
        metrics_token=_token(metrics_token_file),
        log_form=_log_form(log_format),
    )
    try:
        run_server(
            config, host, port, lambda address: out.print(f"Serving at {address}", soft_wrap=True), elsewhere=False
        )
    except InUseError as problem:
        raise CommandError(str(problem)) from problem


def _token(file: Path | None) -> str:
    if file is None:
        return ""
    token = read_text(file).strip()
    if not LEAST_TOKEN <= len(token) <= MOST_PASSWORD or not token.isascii() or not token.isprintable():
        raise CommandError(f"--metrics-token-file: the token has {LEAST_TOKEN} plain characters at least")
    return token


def _log_form(name: str) -> LogForm:
    if name not in get_args(LogForm):
        raise CommandError(f"--log-format is {' or '.join(get_args(LogForm))}, not {name!r}")
    return cast(LogForm, name)


def _contact(mail: str | None) -> str:
    if mail is None:
        return ""
    try:
        check_mail(mail)
    except ValueError as problem:
        raise CommandError(f"--push-contact: {problem}") from problem
    return f"mailto:{mail}"


def _noticing(
    url: str | None, inside: bool, smtp: Smtp | None, never: tuple[str, ...], push: str
) -> NoticeSettings | None:
    if url is None:
        if push:
            raise CommandError("--push-contact needs --notices, the address at which players find this server")
        if never:
            raise CommandError("--notices-never is for --notices")
        if smtp is not None:
            raise CommandError("--smtp needs --notices, the address at which players find this server")
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise CommandError(f"--notices needs the address of this server, such as https://games.example, not {url!r}")
    return NoticeSettings(url.rstrip("/"), inside, smtp, never, push)


def _mailing(url: str | None, sender: str, password_file: Path | None) -> Smtp | None:
    if url is None:
        if sender or password_file is not None:
            raise CommandError("--mail-from and --smtp-password-file are for --smtp")
        return None
    password = os.environ.get(PASSWORD_VARIABLE, "")
    try:
        if password_file is not None:
            password = read_bytes(password_file, MOST_PASSWORD).decode().strip()
        return smtp_of(url, sender, password)
    except ValueError as problem:
        raise CommandError(f"--smtp: {problem}") from problem


def run_server(config: ServerConfig, host: str, port: int, ready: Callable[[str], None], *, elsewhere: bool) -> None:
    """Serve until Ctrl-C, which is the ordinary end."""
    starting = err.status("Starting the server")
    starting.start()
    try:
        from rasputitsa.server.run import PortError, run
        from rasputitsa.server.store import StoreError

        def started(address: str) -> None:
            starting.stop()
            ready(address)

        try:
            run(config, host, port, started, elsewhere=elsewhere)
        except (StoreError, PortError) as problem:
            raise CommandError(str(problem)) from problem
        except OSError as problem:
            where = f"{problem.filename}: " if problem.filename else ""
            raise CommandError(f"the server cannot start: {where}{problem.strerror or problem}") from problem
        except KeyboardInterrupt:
            pass  # the server has closed everything in order
        out.print("Stopped.")
    finally:
        starting.stop()


def open_browser(address: str) -> bool:
    """Open a browser window, where there is a desktop to open it on."""
    desktop = sys.platform in ("darwin", "win32") or any(os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY"))
    return desktop and webbrowser.open(address)


def data_file(data: Path | None) -> Path:
    """The database of a data directory."""
    return ServerConfig(data=data or default_data_dir()).database
