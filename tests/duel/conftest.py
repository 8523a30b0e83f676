"""Duel installed beside the games that come with the program, and a server that has it."""

from tests.server.conftest import client, config, duel_installed

__all__ = ["client", "config", "duel_installed"]
