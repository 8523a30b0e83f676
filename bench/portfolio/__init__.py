"""The Russian Portfolio: random legal play with every option listed at every decision, copies, saves, replays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from bench.measure import microseconds
from rasputitsa.ai.contests.contest import Job, play_contest
from rasputitsa.ai.players import CPU
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.portfolio.api.game import PortfolioGame

GAME = PortfolioGame()
PLAYED = GAME.title
HANDOVERS = ("june22", "player-turn")


def random_game(seed: int) -> int:
    """Play one whole game at random, listing every option at every decision; returns the decisions made."""
    chooser = random.Random(seed)
    dice = SeededDice(seed)
    state = GAME.setup("june22", {})
    made = 0
    while state.outcome is None:
        options = GAME.legal(state)
        GAME.apply(state, options[int(chooser.random() * len(options))], dice)
        made += 1
    return made


def options_per_decision(seed: int) -> float:
    """Mean number of options in one random game."""
    chooser = random.Random(seed)
    dice = SeededDice(seed)
    state = GAME.setup("june22", {})
    made = listed = 0
    while state.outcome is None:
        options = GAME.legal(state)
        listed += len(options)
        GAME.apply(state, chooser.choice(options), dice)
        made += 1
    return listed / made


def copy_time() -> float:
    """Microseconds for one copy of a state in mid-game."""
    chooser = random.Random(1)
    dice = SeededDice(1)
    state = GAME.setup("june22", {})
    for _ in range(1500):
        if state.outcome is not None:
            break
        GAME.apply(state, chooser.choice(GAME.legal(state)), dice)
    return microseconds(state.copy)


def slowest_turn(seconds: float = 0.5) -> float:
    """The longest player-turn of the planner in a game, as a share of the processor time it was given."""
    game = Job(
        "clock", GAME.id, {"axis": "planner", "soviet": "planner"}, 4, lesson="winter", seconds=seconds, clock=CPU
    )
    return max(play_contest(game).slowest.values()) / seconds


class Storage(NamedTuple):
    """Saving and replaying one whole game; seconds and bytes."""

    entries: int
    save: float
    size: int
    replay: float


def storage(seed: int = 1) -> Storage:
    """Save and replay one whole random game."""
    chooser = random.Random(seed)
    session = new_session("portfolio", "june22", seed=seed)
    while (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, chooser.choice(decision.options)))
    start = perf_counter()
    text = session.save()
    saved = perf_counter()
    Session.load(text)
    return Storage(session.version, saved - start, len(text), perf_counter() - saved)


def particulars() -> dict[str, float]:
    """Options, copies, the planner's clock and records."""
    saved = storage()
    return {
        "options": options_per_decision(1), "copy": copy_time(), "clock": slowest_turn(),
        "save": saved.save, "size": saved.size, "replay": saved.replay, "entries": saved.entries,
    }  # fmt: skip


def told(found: dict[str, float]) -> Iterator[str]:
    """The same in words."""
    yield f"copy of a state   {found['copy']:8.2f} us    options a decision {found['options']:.1f}"
    yield f"replay of a game  {found['replay']:8.3f} s     ({found['entries']:.0f} entries)"
    yield f"save of a game    {found['save'] * 1000:8.1f} ms    ({found['size'] / 1024:.0f} KiB)"
    yield f"planner's clock   {found['clock'] * 100:8.0f} %     (longest player-turn, of 0.5 s)"
