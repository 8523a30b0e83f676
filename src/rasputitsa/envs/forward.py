"""Play without take-backs: a learner never comes back to a position that it has been in.

People take a unit and put it down again; a program that learns can do so forever. So options that only undo what was
chosen are left out where there is another way, and what was undone all the same is not offered again in that position.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.game import Game
from rasputitsa.core.state import BaseState

Remembered = tuple[str, Hashable, dict[Hashable, set[Action]]]


class Forward:
    """Remembers where a seat has been since it was asked first, or a die last fell."""

    def __init__(self, game: Game[Any], take_backs: Iterable[str]) -> None:
        self._game = game
        self._take_backs = frozenset(take_backs)
        self._seat = ""
        self._here: Hashable = None
        self._tried: dict[Hashable, set[Action]] = {}
        """By position, what was chosen there."""

    def forget(self) -> None:
        """A game begins, or nothing leads back any more."""
        self._tried.clear()

    def _mark(self, state: Any) -> Hashable:
        """What tells a position from others, in any process."""
        return state.key() if isinstance(state, BaseState) else self._game.fingerprint(state)

    def offered(self, state: Any, seat: str, options: Sequence[Action]) -> Sequence[Action]:
        """The options that lead on; all of them where none does."""
        if seat != self._seat:
            self.forget()
        self._seat, self._here = seat, self._mark(state)
        tried = self._tried.setdefault(self._here, set())
        fresh = [option for option in options if option not in tried] if tried else options
        if not any(option.verb in self._take_backs for option in fresh):
            return fresh or options
        return [option for option in fresh if not self._leads_back(state, option)] or fresh or options

    def _leads_back(self, state: Any, option: Action) -> bool:
        if option.verb not in self._take_backs:
            return False
        there = self._game.copy(state)
        try:
            self._game.apply(there, option, ScriptedDice([]))
        except RasputitsaError:  # a die would fall: that leads on
            return False
        return self._mark(there) in self._tried

    def snapshot(self) -> Remembered:
        """What is remembered now."""
        return self._seat, self._here, {mark: set(actions) for mark, actions in self._tried.items()}

    def elsewhere(self, state: Any) -> Remembered:
        """What would be remembered in another position that the seat cannot tell from the present one."""
        mark = self._mark(state)
        return self._seat, mark, {mark: set(self._tried.get(self._here, ()))}

    def restore(self, snapshot: Remembered) -> None:
        """Remember what was remembered then."""
        self._seat, self._here, tried = snapshot
        self._tried = {mark: set(actions) for mark, actions in tried.items()}

    def chosen(self, action: Action, cast: bool) -> None:
        """An option was chosen; ``cast``: whether a die has fallen."""
        if cast:
            self.forget()
        else:
            self._tried.setdefault(self._here, set()).add(action)
