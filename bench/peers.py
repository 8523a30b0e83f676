"""Engines people know, playing at random the same way: every legal move listed, one taken."""

from __future__ import annotations

import random

import chess
from catanatron import Color, Game, RandomPlayer


def chess_game(seed: int) -> int:
    """A random game of chess, with the test for its end at every move."""
    chooser = random.Random(seed)
    board = chess.Board()
    while not board.is_game_over():
        board.push(chooser.choice(list(board.legal_moves)))
    return len(board.move_stack)


def catan_game(seed: int) -> int:
    """A random two-player game of Catan."""
    game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=seed)
    game.play()
    return len(game.state.actions)
