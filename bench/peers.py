"""Engines people know, playing at random the same way: every legal move listed, one taken."""

from __future__ import annotations

import random
from typing import Any

from rasputitsa.core.caching import cached


def chess_game(seed: int) -> int:
    """A random game of chess, with the test for its end at every move."""
    import chess

    chooser = random.Random(seed)
    board = chess.Board()
    while not board.is_game_over():
        board.push(chooser.choice(list(board.legal_moves)))
    return len(board.move_stack)


def catan_game(seed: int) -> int:
    """A random two-player game of Catan."""
    from catanatron import Color, Game, RandomPlayer

    game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=seed)
    game.play()
    return len(game.state.actions)


@cached
def _backgammon() -> Any:
    import pyspiel

    return pyspiel.load_game("backgammon")


def backgammon_game(seed: int) -> int:
    """A random game of backgammon on OpenSpiel: an engine in C++, asked and told from Python.

    Of its games it is the one most like ours: dice, and several dozen choices at a decision. The dice are no decisions.
    """
    chooser = random.Random(seed)
    state = _backgammon().new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, chances)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
            decisions += 1
    return decisions
