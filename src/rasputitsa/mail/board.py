"""A position on which the orders of letters are carried out, as far as the reader of them may know it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from time import monotonic
from typing import Any

from rasputitsa.core import lines
from rasputitsa.core.dice import Dice, NoDice, NoDiceError, SeededDice
from rasputitsa.core.errors import IllegalAction, NotationError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import Entry
from rasputitsa.core.record.seeds import LETTERS, Source, digest_of, numbers
from rasputitsa.mail.errors import ImpatienceError

PATIENCE = 180.0
"""Seconds that the orders of a letter may take when it is read; those of a week on the whole map take some."""


class Board:
    """A position, the entries that led to it, and what each of them told."""

    def __init__(self, game: Game[Any], state: Any, options: dict[str, str]) -> None:
        self.game, self.state = game, state
        self.sides = {seat.id: seat.side for seat in game.seats(options)}
        self.entries: list[Entry] = []
        self.told: list[list[Event]] = []
        self.places: list[tuple[str, str]] = []
        """The turn and phase in which each entry was made."""
        self.sources: list[Source] = [Source(0, LETTERS, "", None)]
        self.until = inf
        """When patience with the orders of others ends."""
        self.veiled = False
        """Whether somebody's orders are missing: what they would lead to is not known here."""

    def copy(self) -> Board:
        """An independent copy."""
        other = Board.__new__(Board)
        other.__dict__.update(self.__dict__)
        other.state = self.game.copy(self.state)
        other.entries, other.told, other.sources = self.entries[:], self.told[:], self.sources[:]
        other.places = self.places[:]
        return other

    @property
    def mover(self) -> str | None:
        """The seat that must decide; None when the game is over."""
        return self.game.to_move(self.state)

    def play(self, line: str, dice: Dice) -> None:
        """Carry out one line of the player who must decide.

        Raises:
            IllegalAction, NotationError: it cannot be carried out; nothing has changed.
            NoDiceError: it needs a die, or orders of others that are not known here; nothing has changed.
            ImpatienceError: there is no patience left.
        """
        if monotonic() > self.until:
            raise ImpatienceError(f"its orders take longer than {PATIENCE:.0f} seconds")
        seat, before = self.mover, self.game.secret_round(self.state)
        if seat is None:
            raise IllegalAction("the game is over")
        state, played = lines.perform(self.game, self.state, line, seat, dice)
        now, mover = self.game.secret_round(state), self.game.to_move(state)
        if before is not None and (now is None or now.id != before.id):
            if self.veiled:
                raise NoDiceError("this needs what others have ordered in secret")
        elif now is not None and mover is not None and self.sides[mover] != now.side:
            raise IllegalAction("while orders are given in secret, a letter can ask the other side nothing")
        self.state = state
        self.entries += [Entry(order.seat, order.notation, order.dice, order.after) for order in played]
        self.told += [order.events for order in played]
        self.places += [order.place for order in played]

    def until_a_die(self, orders: Sequence[str], seats: Collection[str]) -> list[str]:
        """Carry out orders of these seats up to the first that needs a die; what is left.

        Raises:
            IllegalAction, NotationError: one of them cannot be carried out.
        """
        for number, line in enumerate(orders):
            self._check_mover(seats)
            try:
                self.play(line, NoDice())
            except NoDiceError:
                return list(orders[number:])
        return []

    def with_dice(self, orders: Sequence[str], seats: Collection[str], key: int) -> list[str]:
        """Carry out orders of these seats with the dice of a key; what is left, if orders of others are missing.

        Raises:
            IllegalAction, NotationError: one of them cannot be carried out.
        """
        dice = self._dice(key)
        for number, line in enumerate(orders):
            self._check_mover(seats)
            try:
                self.play(line, dice)
            except NoDiceError:
                return list(orders[number:])
        return []

    def roll(self, orders: Sequence[str], seats: Collection[str], key: int) -> list[str]:
        """Carry out the first of these orders with the dice of a key, and the rest, which were given without knowing
        what would come of it, as far as they can be; what is left, if orders of others are missing."""
        dice = self._dice(key)
        for number, line in enumerate(orders):
            try:
                self._check_mover(seats)
                self.play(line, dice)
            except NoDiceError:
                return list(orders[number:])
            except (IllegalAction, NotationError):
                if number == 0:
                    raise
                break
        return []

    def _dice(self, key: int) -> SeededDice:
        """The dice of a key from here on, or further ones, where it is already in use."""
        here = len(self.entries)
        if self.sources[-1].seed == key:
            return SeededDice(key, numbers([], [entry.dice for entry in self.entries[self.sources[-1].start :]]))
        if self.sources[-1].start == here:
            self.sources.pop()
        self.sources.append(Source(here, LETTERS, digest_of(key, ""), key))
        return SeededDice(key)

    def _check_mover(self, seats: Collection[str]) -> None:
        mover = self.mover
        if mover is None:
            raise IllegalAction("the game is over")
        if mover not in seats:
            raise IllegalAction(f"it is {mover} who must decide now")

    def veil(self, face: Any) -> None:
        """Go on as if the player who gives orders in secret had given them; raises ``SaveError``."""
        self.state, self.veiled = self.game.veiled(self.state, face), True

    @property
    def after(self) -> str:
        """The fingerprint of the position, shortened."""
        return lines.short_print(self.game, self.state)
