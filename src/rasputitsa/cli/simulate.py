"""``simulate``: computer players against each other."""

from __future__ import annotations

import json
import random
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from rasputitsa.cli.console import (
    DEFAULT_GAME,
    CommandError,
    GameOption,
    OptionsOption,
    err,
    known_game,
    out,
    progress,
    read_options,
)
from rasputitsa.core import files
from rasputitsa.core.game import Game
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session

SEED_SPAN = 2**63


@dataclass(frozen=True)
class Result:
    """How one simulated game went."""

    seed: int
    winner: str | None
    level: str
    reason: str
    rule: str
    turn: Any
    entries: int
    seconds: float
    players: dict[str, str]


def simulate(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 10,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", "-p", help="Who plays, SIDE=BOT or SEAT=BOT; may be repeated. Other seats play at random."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the first game; the next ones follow.")] = 1,
    game: GameOption = DEFAULT_GAME,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Starting position.")] = None,
    lesson: Annotated[str | None, typer.Option("--lesson", help="A lesson instead of a whole game.")] = None,
    option: OptionsOption = None,
    bot_seconds: Annotated[
        float, typer.Option("--bot-seconds", min=0, help="Seconds of thinking time for a player-turn.")
    ] = 10.0,
    output: Annotated[Path | None, typer.Option("--output", help="File for one JSON line a game.")] = None,
    saves: Annotated[Path | None, typer.Option("--saves", help="Folder for the saved games.")] = None,
) -> None:
    """Let computer players play whole games against each other and sum up the results."""
    rules = known_game(game)
    options = read_options(rules, option)
    if lesson and (scenario or options):
        raise CommandError("a lesson brings its own scenario and options")
    position = rules.lesson(lesson) if lesson else None
    if position is not None:
        scenario, options = str(position.get("scenario", "")), dict(position.get("options", {}))
    scenario = scenario or rules.scenarios()[0].id
    players = _players(rules, options, player or [])
    if saves is not None:
        saves.mkdir(parents=True, exist_ok=True)
    writer = files.LineWriter(output) if output else None
    results: list[Result] = []
    try:
        with progress() as bar:
            task = bar.add_task("games", total=games)
            for number in range(seed, seed + games):
                session = new_session(
                    game, scenario, options, seed=number, controllers=_controllers(players), position=position
                )
                results.append(_play(session, players, bot_seconds))
                _keep(results[-1], session, writer, saves, lesson or scenario)
                bar.advance(task)
    except KeyboardInterrupt:
        err.print(f"stopped after {len(results)} of {games} games")
        if not results:
            raise
    finally:
        if writer:
            writer.close()
    _print_summary(results)


def _players(game: Game[Any], options: dict[str, str], given: list[str]) -> dict[str, str]:
    """Which bot plays each seat."""
    from rasputitsa.ai.players import known_player, player_names

    known = [*player_names(game.id), "external:COMMAND"]
    seats = game.seats(options)
    chosen = {seat.id: "random" for seat in seats}
    for text in given:
        who, _, bot = text.partition("=")
        meant = [seat.id for seat in seats if who in (seat.id, seat.side)]
        if not meant:
            sides = sorted({name for seat in seats for name in (seat.id, seat.side)})
            raise CommandError(f"{who!r} is neither seat nor side; known: {', '.join(sides)}")
        if not known_player(bot, game.id):
            raise CommandError(f"there is no computer player {bot!r}; known: {', '.join(known)}")
        chosen.update(dict.fromkeys(meant, bot))
    return chosen


def _controllers(players: dict[str, str]) -> dict[str, str]:
    """What the record says of the players; of a program of one's own its command is nobody's business."""
    from rasputitsa.ai.players import EXTERNAL

    return {seat: "human" if bot.startswith(EXTERNAL) else f"bot {bot}" for seat, bot in players.items()}


def _play(session: Session, players: dict[str, str], seconds: float) -> Result:
    """Play a game to its end."""
    from rasputitsa.ai.budget import TurnBudget
    from rasputitsa.ai.external import any_player
    from rasputitsa.ai.memory import MemoryTracker
    from rasputitsa.ai.players import close

    game = session.game
    # the bots' own dice follow from the game's seed, but give nothing of it away
    seeds = random.Random(f"players of {session.header.seed}")
    made = {
        seat: any_player(bot, game, session.header.options, seeds.randrange(SEED_SPAN)) for seat, bot in players.items()
    }
    budgets = {seat: TurnBudget(seconds) for seat in players}
    onlookers = MemoryTracker(game, session.header.options, session.state)
    onlookers.introduce(made)
    started = time.perf_counter()
    try:
        while (decision := session.decision()) is not None:
            view = game.view_of(session.state, decision.seat)
            with budgets[decision.seat].clock(game, view, decision) as clock:
                action = made[decision.seat].choose(view, decision, clock)
            glimpse, before = onlookers.before(session.state, action), session.version
            session.play(game.format(session.state, action), decision.seat)
            for events in session.events[before:]:
                onlookers.after(glimpse, session.state, events)
    finally:
        for one in made.values():
            close(one)
    outcome = session.outcome()
    assert outcome is not None, "a game without a decision is over"
    turn = (game.observe(session.state, None).get("turn") or {}).get("number")
    taken = round(time.perf_counter() - started, 3)
    return Result(
        session.header.seed,
        outcome.winner,
        outcome.level,
        outcome.reason,
        outcome.rule,
        turn,
        session.version,
        taken,
        players,
    )


def _keep(
    result: Result, session: Session, writer: files.LineWriter | None, saves: Path | None, what: str
) -> None:  # fmt: skip
    if writer is not None:
        writer.add(json.dumps(asdict(result), ensure_ascii=False))
    if saves is not None:
        name = f"{session.header.game}-{what}-{result.seed}.jsonl"
        files.write_text(saves / name, session.save())


def _print_summary(results: list[Result]) -> None:
    kinds: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        kinds[result.winner or "nobody", result.level].append(result)
    table = Table("winner", "level", "games", "share", "turn, mean", "entries, mean", box=None)
    for (winner, level), won in sorted(kinds.items(), key=lambda item: -len(item[1])):
        turns = [result.turn for result in won if isinstance(result.turn, int)]
        table.add_row(
            winner, level, str(len(won)), f"{len(won) / len(results):.0%}",
            f"{sum(turns) / len(turns):.1f}" if turns else "",
            f"{sum(result.entries for result in won) / len(won):.0f}",
        )  # fmt: skip
    out.print(table)
    winners = Counter(result.winner or "nobody" for result in results)
    for side, count in winners.most_common():
        low, high = _interval(count, len(results))
        out.print(f"{side}: {count} of {len(results)} ({low:.0%} to {high:.0%} with 95 % confidence)")
    seconds = sum(result.seconds for result in results)
    out.print(f"{len(results)} games in {seconds:.1f} s, {seconds / len(results):.2f} s a game")


def _interval(count: int, total: int) -> tuple[float, float]:
    """Wilson score interval."""
    z = 1.96
    share = count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = z * ((share * (1 - share) + z * z / (4 * total)) / total) ** 0.5 / (1 + z * z / total)
    return max(0.0, middle - spread), min(1.0, middle + spread)
