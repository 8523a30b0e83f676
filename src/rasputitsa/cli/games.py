"""``games``: the games that are installed."""

from __future__ import annotations

from rasputitsa.cli.console import out
from rasputitsa.core.registry import game_ids, get_game


def games() -> None:
    """List the games with their scenarios and computer players."""
    from rasputitsa.ai.players import player_names

    for game_id in game_ids():
        game = get_game(game_id)
        out.print(f"{game_id}: {game.title}", style="bold", soft_wrap=True)
        out.print(f"  {game.summary}", soft_wrap=True)
        for info in game.scenarios():
            out.print(f"  {info.id:16} {info.title}, {info.date}", soft_wrap=True)
        out.print(f"  players: {', '.join(player_names(game_id))}", soft_wrap=True)
