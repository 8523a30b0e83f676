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


class Mark:
    """What tells a position from others, in any process."""

    __slots__ = ("_hash", "_key")

    def __init__(self, key: Hashable) -> None:
        self._key = key
        self._hash = hash(key)  # which takes its time, and is asked for again and again

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mark) and self._key == other._key

    def __reduce__(self) -> tuple[Any, ...]:
        return Mark, (self._key,)


Remembered = tuple[str, Mark | None, dict[Mark, frozenset[Action]]]
UNTRIED: frozenset[Action] = frozenset()


class NoTakeBacks:
    """Remembers where a seat has been since it was asked first, or a die last fell."""

    def __init__(self, game: Game[Any], take_backs: Iterable[str]) -> None:
        self._game = game
        self._take_backs = frozenset(take_backs)
        self._seat = ""
        self._here: Mark | None = None
        self._tried: dict[Mark, frozenset[Action]] = {}
        """By position, what was chosen there."""

    def forget(self) -> None:
        """A game begins, or nothing leads back any more."""
        self._tried.clear()

    def _mark(self, state: Any) -> Mark:
        return Mark(state.key() if isinstance(state, BaseState) else self._game.fingerprint(state))

    def offered(self, state: Any, seat: str, options: Sequence[Action]) -> Sequence[Action]:
        """The options that lead on; all of them where none does."""
        if seat != self._seat:
            self.forget()
        self._seat, self._here = seat, self._mark(state)
        tried = self._tried.setdefault(self._here, UNTRIED)
        fresh = [option for option in options if option not in tried] if tried else options
        doubtful = [option for option in fresh if option.verb in self._take_backs]
        back = {option for option in doubtful if self._leads_back(state, option)}
        if not back:
            return fresh or options
        return [option for option in fresh if option not in back] or fresh

    def _leads_back(self, state: Any, option: Action) -> bool:
        there = self._game.copy(state)
        try:
            self._game.apply(there, option, ScriptedDice([]))
        except RasputitsaError:  # a die would fall: that leads on
            return False
        return self._mark(there) in self._tried

    def snapshot(self) -> Remembered:
        """What is remembered now."""
        return self._seat, self._here, self._tried.copy()

    def elsewhere(self, state: Any) -> Remembered:
        """What would be remembered in another position that the seat cannot tell from the present one."""
        mark = self._mark(state)
        tried = UNTRIED if self._here is None else self._tried.get(self._here, UNTRIED)
        return self._seat, mark, {mark: tried}

    def restore(self, snapshot: Remembered) -> None:
        """Remember what was remembered then."""
        self._seat, self._here, tried = snapshot
        self._tried = tried.copy()

    def chosen(self, action: Action, rolled: bool) -> None:
        """An option was chosen; ``rolled``: whether a die has fallen."""
        if rolled:
            self.forget()
        elif self._here is not None:
            self._tried[self._here] = self._tried.get(self._here, UNTRIED) | {action}
