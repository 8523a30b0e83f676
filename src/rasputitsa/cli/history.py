"""``history``: what happened in the war, turn by turn or month by month."""

from __future__ import annotations

from typing import Annotated

import typer

from rasputitsa.cli.console import DEFAULT_GAME, CommandError, known_game, out
from rasputitsa.core.errors import SetupError


def history(
    game: Annotated[str, typer.Argument(help="The game.")] = DEFAULT_GAME,
    scenario: Annotated[
        str | None,
        typer.Option("--scenario", help="Show it up to the end of this scenario, with the turns of each card."),
    ] = None,
) -> None:
    """Show what happened in the war, with sources, turn by turn or month by month."""
    rules = known_game(game)
    try:
        told = rules.static(scenario or rules.scenarios()[0].id).get("history", {}).get("chronicle", [])
    except SetupError as problem:
        raise CommandError(str(problem)) from problem
    if not told:
        raise CommandError(f"{game} has no chronicle of the war")
    for card in told:
        first, last = card["first"], card["last"]
        turns = f" ({'turn' if first == last else 'turns'} {first}{'' if first == last else f' to {last}'})"
        out.print(f"{card['date']}{turns if scenario and last else ''}", style="bold", soft_wrap=True, highlight=False)
        out.print(f"  {card['text']}", soft_wrap=True, highlight=False)
        sources = "; ".join(card["sources"])
        out.print(f"  {sources} ({card['sure']})", style="dim", soft_wrap=True, highlight=False)
