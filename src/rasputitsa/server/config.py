"""What a server is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.server.limits import Budget, Limits
from rasputitsa.server.logs import LogForm
from rasputitsa.server.mail_server import Smtp


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """What the host of a server allows.

    Attributes:
        url: the address at which players find the server, without a slash at the end.
        inside: notices may go to addresses that are not public, such as a machine of the host's own network.
        smtp: the mail server by which notices go to people who want them by mail; None where there is none.
        push: how push services reach the host, ``mailto:...``, where notices may go to browsers; else empty.
        never: addresses and networks that web notices never go to, such as the public address of the host's router.
    """

    url: str
    inside: bool = False
    smtp: Smtp | None = None
    never: tuple[str, ...] = ()
    push: str = ""


STATIC = Path(__file__).with_name("static")


class NoHomeError(RasputitsaError):
    """The user has no home directory in which something could be kept."""


def default_data_dir() -> Path:
    """Where matches are kept unless the player says otherwise; raises ``NoHomeError``."""
    try:
        return Path(platformdirs.user_data_dir("rasputitsa", appauthor=False))
    except RuntimeError as problem:
        raise NoHomeError("no home directory is known; say with --data where matches are kept") from problem


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Settings of a server.

    Attributes:
        local: one person's own machine: callers on it get keys to the seats its owner keeps.
        hosts: names, in addition to IP addresses, by which the server may be called.
        proxies: addresses and networks of proxies before this server, whose word on who calls is taken.
        limits: what one address may ask for.
        cache_bytes: about how much memory the matches may take that are kept ready; beyond it the least used go.
        import_budget: what reading one saved game may cost.
        notices: how people get notices of their turn; None for a server that sends none.
        bot_seconds: the time a bot may think in one player-turn.
        accounts: whether people may have accounts here; a player at the own machine, or in a class, needs none.
        metrics_token: what opens the figures of the server to callers elsewhere; empty: nobody elsewhere sees them.
        log_form: in which form the log is written.
    """

    data: Path = field(default_factory=default_data_dir)
    local: bool = False
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    client: Path = STATIC
    max_body: int = 64 * 1024
    max_import: int = 16 * 1024 * 1024
    cache_bytes: int = 512 * 1024 * 1024
    import_budget: Budget = field(default_factory=Budget)
    notices: NoticeSettings | None = None
    accounts: bool = False
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)
    bot_seconds: float = 10.0
    metrics_token: str = ""
    log_form: LogForm = "text"

    @property
    def database(self) -> Path:
        """The file matches are kept in."""
        return self.data / "matches.db"
