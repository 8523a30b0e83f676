"""A game in the form of OpenSpiel, for algorithms written for that: nothing of OpenSpiel need be installed.

Dice are chance nodes, one a die, each reached by carrying the action out again with the dice before it: right for a few
dice, slow for the hundreds of a week of *War in Russia*. With a seed the dice fall by themselves.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import Draw, SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.core.registry import get_game
from rasputitsa.envs.encoder import encoder_for
from rasputitsa.envs.indices import ActionIndex

CHANCE, TERMINAL, INVALID = -1, -4, -3
"""What OpenSpiel calls the player of a chance node, of the end, and of an action that is none."""


class _DieNeededError(Exception):
    def __init__(self, sides: int) -> None:
        super().__init__()
        self.sides = sides


class _GivenDice:
    """Dice that have fallen; the next one is asked for."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = iter(values)
        self.drawn: list[Draw] = []

    def roll(self, stream: str, sides: int = 6) -> int:
        """The next value; raises ``_DieNeededError`` where there is none."""
        value = next(self._values, None)
        if value is None:
            raise _DieNeededError(sides)
        return value


class SpielGame:
    """What OpenSpiel calls a game: a start from which states are made."""

    def __init__(
        self, game: str, scenario: str = "", lesson: str = "", options: Mapping[str, str] | None = None,
        seed: int | None = None, max_game_length: int = 1_000_000,
    ) -> None:  # fmt: skip
        """``seed``: of dice that fall by themselves; without one they are chance nodes."""
        if lesson and (scenario or options):
            raise SetupError("a lesson brings its own scenario and options")
        self.rules: Game[Any] = get_game(game)
        start = scenario or self.rules.scenarios()[0].id
        self.beginning = (
            self.rules.load_position(self.rules.lesson(lesson)) if lesson else self.rules.setup(start, options or {})
        )
        begun, chosen = self.rules.begun_with(self.beginning)
        self.seats = self.rules.seats(chosen)
        self.seed, self._longest = seed, max_game_length
        self.index = ActionIndex(self.rules, begun, self.beginning, encoder_for(self.rules, self.beginning))

    def num_players(self) -> int:
        """The seats; player n is the seat with that place."""
        return len(self.seats)

    def num_distinct_actions(self) -> int:
        """How many numbers of actions there are."""
        return self.index.size

    def max_game_length(self) -> int:
        """How many decisions a game has at most."""
        return self._longest

    def min_utility(self) -> float:
        """What a lost game brings."""
        return -1.0

    def max_utility(self) -> float:
        """What a game that was won brings."""
        return 1.0

    def utility_sum(self) -> float:
        """What all get together."""
        return 0.0

    def get_type(self) -> Any:
        """The kind of game, in the terms of OpenSpiel; its algorithms ask for it."""
        import pyspiel

        kind = pyspiel.GameType
        return SimpleNamespace(
            short_name=f"rasputitsa_{self.rules.id}", long_name=self.rules.title,
            dynamics=kind.Dynamics.SEQUENTIAL, reward_model=kind.RewardModel.TERMINAL, utility=kind.Utility.ZERO_SUM,
            information=kind.Information.IMPERFECT_INFORMATION,
            chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if self.seed is None else kind.ChanceMode.DETERMINISTIC,
        )  # fmt: skip

    def new_initial_state(self) -> SpielState:
        """The start."""
        return SpielState(self)


class SpielState:
    """What OpenSpiel calls a state: a position, or a die that is about to fall."""

    def __init__(self, game: SpielGame, like: SpielState | None = None) -> None:
        self._game = game
        self._rules = game.rules
        self._position: Any = game.rules.copy(game.beginning if like is None else like._position)
        self._history: list[tuple[int, int]] = [] if like is None else like._history.copy()
        self._told: list[list[str]] = [[] for _ in game.seats] if like is None else [told[:] for told in like._told]
        """What each player has been shown, and has answered."""
        self._open: tuple[Action, tuple[int, ...], int] | None = None if like is None else like._open
        """The action that casts dice, those that have fallen, and the sides of the next one."""
        self._dice: SeededDice | None = None
        if game.seed is not None:
            self._dice = SeededDice(game.seed)
            if like is not None and like._dice is not None:
                self._dice = SeededDice(like._dice.seed, like._dice.counts)

    # -- whose turn it is ------------------------------------------------------------------------------

    def get_game(self) -> SpielGame:
        """The game it belongs to."""
        return self._game

    def num_players(self) -> int:
        """The seats."""
        return len(self._game.seats)

    def current_player(self) -> int:
        """The place of the seat that decides, ``CHANCE`` or ``TERMINAL``."""
        if self._open is not None:
            return CHANCE
        seat = self._rules.to_move(self._position)
        return TERMINAL if seat is None else [info.id for info in self._game.seats].index(seat)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether a die is about to fall."""
        return self._open is not None

    def is_player_node(self) -> bool:
        """Whether a seat decides."""
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        """Never: seats decide one after the other."""
        return False

    # -- what can be done ------------------------------------------------------------------------------

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of legal actions, ascending; none for a player who does not decide."""
        if player is not None and player != self.current_player():
            return []
        if self._open is not None:
            return list(range(self._open[2]))
        return sorted(set(self._game.index.numbers(self._rules.legal(self._position)).tolist()))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The same as ones among zeros."""
        mask = np.zeros(self._open[2] if self._open is not None else self._game.index.size, np.int8)
        mask[self.legal_actions(player)] = 1
        return [int(one) for one in mask]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces of the die, counted from 0, each with its probability."""
        faces = self.legal_actions() if self._open is not None else []
        return [(face, 1 / len(faces)) for face in faces]

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """An action in words; the player may be left out."""
        who, number = (self.current_player(), player) if action is None else (player, action)
        return f"die shows {number + 1}" if who == CHANCE else self._game.index.name(number)

    def string_to_action(self, text: str) -> int:
        """The number of a legal action in words."""
        for number in self.legal_actions():
            if self.action_to_string(self.current_player(), number) == text:
                return number
        raise IllegalAction(f"{text!r:.60} is not legal now")

    def apply_action(self, action: int) -> None:
        """Carry an action out, or let a die fall; raises ``IllegalAction``, and nothing has changed."""
        player = self.current_player()
        if action not in self.legal_actions():
            raise IllegalAction(f"{action} is not legal now")
        if self._open is not None:
            chosen, fallen, _ = self._open
            fallen = (*fallen, int(action) + 1)
        else:
            options = self._rules.legal(self._position)
            chosen, fallen = options[self._game.index.numbers(options).tolist().index(int(action))], ()
            self._told[player].append(self._rules.format(self._position, chosen))
        self._history.append((player, int(action)))
        self._carry_out(chosen, fallen)

    def _carry_out(self, action: Action, fallen: tuple[int, ...]) -> None:
        position = self._rules.copy(self._position)
        try:
            events = self._rules.apply(position, action, self._dice or _GivenDice(fallen))
        except _DieNeededError as needed:
            self._open = action, fallen, needed.sides
            return
        self._position, self._open = position, None
        if self._dice is not None:
            self._dice.drawn.clear()
        self._tell(events)

    def _tell(self, events: Sequence[Event]) -> None:
        for told, seat in zip(self._told, self._game.seats, strict=True):
            told += [
                f"{event.kind}{event.args}"
                for event in events
                if self._rules.is_visible(self._position, event, seat.id)
            ]

    def child(self, action: int) -> SpielState:
        """The state after an action."""
        found = self.clone()
        found.apply_action(action)
        return found

    def clone(self) -> SpielState:
        """An independent copy."""
        return SpielState(self._game, self)

    # -- what has come of it ---------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """What each player has got: 1 for a win, -1 for a loss, 0 in a draw or before the end."""
        outcome = self._rules.outcome(self._position)
        if outcome is None or outcome.winner is None:
            return [0.0] * self.num_players()
        return [1.0 if seat.side == outcome.winner else -1.0 for seat in self._game.seats]

    def rewards(self) -> list[float]:
        """The same: nothing is earned before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """What one player has got."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """All actions and dice so far."""
        return [action for _, action in self._history]

    def full_history(self) -> list[tuple[int, int]]:
        """The same, each after its player."""
        return self._history.copy()

    def history_str(self) -> str:
        """The same as text."""
        return ", ".join(map(str, self.history()))

    # -- what is known ---------------------------------------------------------------------------------

    def observation_string(self, player: int) -> str:
        """What a player sees of the position."""
        return json.dumps(self._rules.observe(self._position, self._game.seats[player].id), sort_keys=True)

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player knows: what it has been shown and has answered, and what it sees."""
        who = self.current_player() if player is None else player
        return "\n".join([*self._told[who], self.observation_string(who)])

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that the player cannot tell from this one; ``sampler`` gives numbers from 0 to 1. At a chance node
        the action that casts the die is that of the state."""
        found = self.clone()
        rng = random.Random(int(sampler() * 2**53))
        found._position = self._rules.resample(self._position, self._game.seats[player].id, rng)
        for other, told in enumerate(found._told):
            if other != player:
                told.clear()
        if self._dice is not None:
            found._dice = SeededDice(rng.getrandbits(63))
        return found

    def __str__(self) -> str:
        turn, phase = self._rules.turn_and_phase(self._position)
        return f"{turn}, {phase}: player {self.current_player()} after {len(self._history)} actions"
