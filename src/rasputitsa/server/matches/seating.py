"""Who plays a seat, and the keys that prove it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import category

from rasputitsa.ai.players import find, player_names
from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.entries import CONTROL, ENDINGS, REMARKS, RESUMED
from rasputitsa.core.record.session import Session
from rasputitsa.server.shapes import views
from rasputitsa.server.shapes.words import PlayerKind
from rasputitsa.server.store import SeatRow

MAX_NAME = 120
MAX_TITLE = 200
HINTS = "hints"
"""The topic people agree on when the computer may advise them while they play each other."""


MOST_MARKS = 4
"""On one letter: more than any language sets there."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that show nothing: with them a name could look empty, or like somebody else's."""


def one_line(name: str, most: int = MAX_NAME) -> str:
    """A name as it may stand in a list: of a decent length, on one line, nothing unprintable, no tower of marks."""
    shown, marks = "", 0
    for letter in name[:most]:
        marks = marks + 1 if category(letter).startswith("M") else 0
        if marks <= MOST_MARKS:
            shown += letter if letter.isprintable() and letter not in BLANK else " "
    return " ".join(shown.split())


@dataclass(frozen=True, slots=True)
class Controller:
    """A kind of player: a person, perhaps with a name, or one of the bots.

    Its text form, ``human``, ``human Anna`` or ``bot random``, is what the game record keeps.
    """

    kind: PlayerKind = "human"
    name: str = ""

    @classmethod
    def from_text(cls, text: str, game_id: str) -> Controller:
        """Read the text form; whatever is no computer player of the game is a person.

        Every controller is read here, wherever it was kept, so that nothing but a name of the program's own list
        ever reaches the computer players.
        """
        return _controller(text, game_id)

    @classmethod
    def of(cls, session: Session, seat: str) -> Controller:
        """Who plays a seat now."""
        return cls.from_text(session.controllers.get(seat, "human"), session.header.game)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()

    def to_json(self) -> views.Controller:
        """Plain JSON values."""
        if not self.name:
            return {"kind": self.kind}
        return {"kind": "bot", "bot": self.name} if self.kind == "bot" else {"kind": "human", "name": self.name}


@cached_up_to(256)
def _controller(text: str, game_id: str) -> Controller:
    kind, _, name = text.partition(" ")
    if kind == "bot" and find(name, game_id):
        return Controller("bot", name)
    return Controller("human", one_line(name) if kind == "human" else "")


STAND_IN = "planner"


def stand_in(game_id: str) -> Controller:
    """The computer player that answers in place of a person."""
    return Controller("bot", STAND_IN if find(STAND_IN, game_id) else player_names(game_id)[-1])


def check_controllers(session: Session) -> None:
    """Refuse a record that hands a seat to anybody but a person or a computer player of its game, at any time.

    Raises:
        SaveError: names the seat and the player.
    """
    game_id = session.header.game
    seats = {seat.id for seat in session.seats}
    said = [*session.header.controllers.items()]
    others = {*REMARKS, *ENDINGS, RESUMED}
    marks = [entry for entry in session.entries if entry.action.startswith("@") and entry.action not in others]
    said += [(entry.seat, entry.action.removeprefix(f"{CONTROL} ")) for entry in marks]
    for seat, text in said:
        if seat not in seats:
            raise SaveError(f"the saved game names a player for the seat {seat!r:.40}, which there is not")
        if str(Controller.from_text(text, game_id)) != text:
            raise SaveError(
                f"the saved game gives the seat {seat} to {text!r:.80}: only 'human', 'human NAME' and 'bot' with a "
                "computer player of this program may stand there"
            )


def key_fits(seats: Mapping[str, SeatRow], seat: str, key: str) -> bool:
    """Whether the key opens the seat."""
    row = seats.get(seat)
    return row is not None and row.opens(key)
