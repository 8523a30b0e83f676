"""What a server is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

STATIC = Path(__file__).with_name("static")


def default_data_dir() -> Path:
    """Where matches are kept unless the player says otherwise."""
    return Path(platformdirs.user_data_dir("rasputitsa", appauthor=False))


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Settings of a server.

    Attributes:
        local: one person's own machine: seat keys are handed to callers on it, and to nobody else.
        hosts: names, beside IP addresses, by which the server may be called.
        bot_seconds: the time a bot may think in one player-turn.
    """

    data: Path = field(default_factory=default_data_dir)
    local: bool = False
    hosts: tuple[str, ...] = ()
    client: Path = STATIC
    max_body: int = 64 * 1024
    max_import: int = 16 * 1024 * 1024
    max_tables: int = 64
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)
    bot_seconds: float = 10.0

    @property
    def database(self) -> Path:
        """The file matches are kept in."""
        return self.data / "matches.db"
