"""A line of several orders: how far it may go, so that trying it out tells nothing that is still to come.

Whether a line is legal is answered before any of it counts. All but its last order is therefore rehearsed without
dice, and a line that would go on past a die roll, a reveal or a change of seat is refused in the same words whatever
would have come there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import Dice, Draw, NoDice, NoDiceError
from rasputitsa.core.errors import IllegalAction, RasputitsaError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game

HALT = "halt"
MOST_LETTERS = 400
"""Letters of a line that is still read."""
SHORT = 12
"""Digits of a fingerprint that are enough to tell whether two positions differ."""
TOO_FAR = (
    "a line of orders ends with the first one that casts a die, shows something new, ends a phase or hands the "
    "decision on; give what follows afterwards"
)


class Played(NamedTuple):
    """An order that was carried out, and what the record keeps of it."""

    seat: str
    notation: str
    dice: tuple[Draw, ...]
    events: list[Event]
    place: tuple[str, str]
    after: str


class Line(NamedTuple):
    """A line taken apart: ``closing`` puts a group down that may have come to rest by itself."""

    before: Sequence[Action]
    last: Action
    closing: Sequence[Action]


def short_print(game: Game[Any], state: Any) -> str:
    """The beginning of a position's fingerprint, enough to tell whether two positions of a game differ."""
    return game.fingerprint(state)[:SHORT]


def line_of(actions: Sequence[Action]) -> Line:
    """Take a line of at least one order apart."""
    end = len(actions)
    while end > 1 and actions[end - 1].verb == HALT:
        end -= 1
    return Line(actions[: end - 1], actions[end - 1], actions[end:])


def aside_of(game: Game[Any], state: Any, text: str, seat: str) -> Line:
    """A line of a seat that is not asked, which may begin with an aside alone; any other gets the same refusal."""
    verb = text.split(maxsplit=1)[0].lower() if text.strip() else ""
    try:
        actions = game.parse(state, text) if verb in game.aside_verbs else []
    except RasputitsaError:
        actions = []
    if not actions or actions[0] not in game.asides(state, seat):
        why = game.why_not_aside(state, actions[0], seat) if actions else None
        raise why or IllegalAction(f"it is {game.to_move(state)} who must decide now, not {seat}")
    return line_of(actions)


def check_seat(game: Game[Any], state: Any, action: Action, seat: str) -> None:
    """Refuse an aside that is one of other seats alone; whatever is no aside, the game itself accepts or refuses.

    Raises:
        IllegalAction: only another seat may do this.
    """
    if action.verb not in game.aside_verbs or action in game.asides(state, seat):
        return
    if seat == game.to_move(state):
        others = (other.id for other in game.seats(game.begun_with(state)[1]) if other.id != seat)
        if action in game.legal(state) or not any(action in game.asides(state, other) for other in others):
            return
    raise game.why_not_aside(state, action, seat) or IllegalAction(f"{seat} may not do this now")


def carry_out(game: Game[Any], state: Any, action: Action, dice: Dice, seat: str) -> Played:
    """Carry out one order of a seat, changing the state; raises ``IllegalAction``."""
    check_seat(game, state, action, seat)
    place, notation = game.turn_and_phase(state), game.format(state, action)
    dice.drawn = []
    events = game.apply(state, action, dice)
    return Played(seat, notation, tuple(dice.drawn), events, place, short_print(game, state))


def perform(game: Game[Any], state: Any, text: str, seat: str, dice: Dice) -> tuple[Any, list[Played]]:
    """Carry out a line of a seat on a copy of the position: the new position, and what was done.

    Raises:
        IllegalAction: not legal now, or not for this seat.
        NotationError: cannot be read.
    """
    trial = game.copy(state)
    asked = seat == game.to_move(state)
    line = line_of(game.parse(trial, text)) if asked else aside_of(game, trial, text, seat)
    played = rehearse(game, trial, line.before, seat)
    played.append(carry_out(game, trial, line.last, dice, seat))
    return trial, played + close(game, trial, line.closing, seat, dice)


def rehearse(game: Game[Any], state: Any, orders: Sequence[Action], seat: str) -> list[Played]:
    """Carry out the orders of a seat before the last of a line, changing the state.

    Raises:
        IllegalAction: an order is not legal, or after it the line may not go on. The state is of no more use then.
    """
    place, played = game.turn_and_phase(state), list[Played]()
    for action in orders:
        if action.verb == HALT and not legal(game, state, action):
            continue
        try:
            played.append(carry_out(game, state, action, NoDice(), seat))
        except NoDiceError:
            raise IllegalAction(TOO_FAR) from None
        if game.to_move(state) != seat or game.turn_and_phase(state) != place:
            raise IllegalAction(TOO_FAR)
    return played


def close(game: Game[Any], state: Any, closing: Sequence[Action], seat: str, dice: Dice) -> list[Played]:
    """Put down what the line took up, as far as it has not come to rest by itself."""
    return [
        carry_out(game, state, action, dice, seat)
        for action in closing
        if game.to_move(state) == seat and legal(game, state, action)
    ]


def why_not(game: Game[Any], state: Any, text: str) -> IllegalAction | None:
    """Why a line cannot be played now, or None when it can; raises ``NotationError``."""
    trial = game.copy(state)
    try:
        line = line_of(game.parse(trial, text))
        rehearse(game, trial, line.before, game.to_move(trial) or "")
        if not legal(game, trial, line.last):
            check_seat(game, trial, line.last, game.to_move(trial) or "")
            game.apply(trial, line.last, NoDice())
    except IllegalAction as problem:
        return problem
    return None


def legal(game: Game[Any], state: Any, action: Action) -> bool:
    """Whether the seat that has to decide may do this now."""
    decision = game.decision(state)
    return decision is not None and (action in decision.options or action in game.asides(state, decision.seat))
