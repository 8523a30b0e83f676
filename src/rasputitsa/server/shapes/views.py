"""Shapes of a position, of what is asked, and of what happened."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from rasputitsa.core.record.seeds import By, Made
from rasputitsa.core.shapes import Observation
from rasputitsa.server.shapes.words import Behind, PlayerKind


class Controller(TypedDict):
    """Who plays a seat."""

    kind: PlayerKind
    bot: NotRequired[str]
    name: NotRequired[str]


class GameEvent(TypedDict):
    """Something that happened. In the document it is the choice among the events of all games, with their data."""

    kind: str
    text: str
    """In plain words, pieces and hexes marked ``{unit:39Pz}`` and ``{hex:N6}``."""
    rule: str
    """The paragraph behind it, or nothing."""
    data: dict[str, Any]


class LogEntry(TypedDict):
    """An action, and all that came of it."""

    ply: int
    seat: str | None
    action: str
    events: list[GameEvent]
    turn: str
    phase: str
    standing: NotRequired[bool]
    """Whether a standing order of the caller's seat gave it; nobody else learns of it."""
    words: NotRequired[str]
    """The answer of a standing order in plain words, marked as those of events."""


class DecisionOption(TypedDict):
    """A legal action, its arguments named by what they are."""

    action: str
    verb: str
    units: list[str]
    unit: NotRequired[str]
    """The one unit it names, where it names one."""
    hex: str | None
    number: int | str | None
    label: str
    gives_up: NotRequired[str]
    """What this answer throws away for good, in words; such an answer is asked twice."""
    title: NotRequired[str]
    """The beginning of a long label that stands by itself, such as the name of a unit on offer."""
    note: NotRequired[str]
    """The rest of a label that has a title, such as what the unit costs."""
    attack: NotRequired[int]
    """The number of the announced attack it is about."""
    member: NotRequired[int]
    """The place of the unit it is about in the list of its group, from 1 on."""
    plot: NotRequired[str]
    """The plotted moves that it orders, as they are written."""
    source: NotRequired[str]
    """The piece that sends something to another."""
    target: NotRequired[str]
    """The piece that is sent something."""
    marked: NotRequired[str]
    """The label with its units and hexes marked as in the words of events, where it names any."""


class Decision(TypedDict):
    """What is asked: with its options to the seat that is asked, without them to others."""

    seat: str
    side: str | None
    mine: bool
    """Whether the reader is to answer."""
    prompt: str
    marked: str
    """The prompt with its hexes marked as in the words of events."""
    rule: str
    kind: str
    options: list[DecisionOption]
    units: list[str]
    """Pieces on the move, or taking part in the attack that is being put together."""
    hexes: list[str]
    auto: bool
    """There is one answer only."""
    answered: NotRequired[bool]
    """A standing order of the reader's seat is about to answer: nothing is asked of the reader."""


class DiceShare(TypedDict):
    """What a seat adds to the dice: 128 bits in hexadecimal, and who drew them."""

    seat: str
    share: str
    by: By


_From = TypedDict("_From", {"from": int})


class DiceSource(_From):
    """Where the dice come from, from an entry on; seed and salt are published when the game is over."""

    made: Made
    digest: str
    seed: NotRequired[str]
    salt: NotRequired[str]
    shares: list[DiceShare]
    awaits: NotRequired[list[str]]


class DiceInfo(TypedDict):
    """What a seat may know of the dice."""

    digest: str
    seed: str | None
    made: Made
    awaits: list[str]
    sources: list[DiceSource]
    sound: bool
    """Nothing speaks against the dice."""
    whole: bool
    """All of them can be confirmed."""
    words: str


class GuideRemark(TypedDict):
    """What is said of a lesson when it is over."""

    good: bool
    text: str


class Guide(TypedDict):
    """The step a learner is at in a lesson that leads by the hand; without a text all of them are done."""

    number: int
    """How many are done, or needless."""
    steps: int
    text: str
    why: str
    units: list[str]
    """What is marked on the map."""
    hexes: list[str]
    button: str
    """The verb whose button is marked."""
    astray: str
    """What to say of the learner's last order, if it does not belong to the step."""
    remarks: list[GuideRemark]


class Frame(TypedDict):
    """What is said of a match whatever its position."""

    match: str
    game: str
    scenario: str
    options: dict[str, str]
    lesson: str | None
    title: str
    version: int
    """What an action names, to be refused if the match has gone on."""
    seat: str | None
    controllers: dict[str, Controller]
    data: str
    """The version of the game's data that the match is played with to its end."""
    rules_changed: int | None
    """How many entries lie before a change of the rules; one cannot go back to them."""
    dice: DiceInfo
    tag: NotRequired[str]
    """Names what is shown, so that the server can tell what changed since; past positions have none."""
    at: NotRequired[int]
    """The entry that was asked for, if it lies in the past."""
    behind: NotRequired[Behind]
    """By how much onlookers see the match later than its players, if they do."""


class Shown(Frame):
    """A match as a seat may know it, without what has happened."""

    ply: int
    decision: Decision | None
    can_undo: bool
    undo_to: int | None
    """How far back one may go without the consent of others; nothing where nothing can be taken back."""
    undo_offers: dict[str, int]
    guide: Guide | None


class View(Shown):
    """A match as a seat may know it; ``BoardView`` tells the position of games that are played on a map."""

    last_events: list[LogEntry]


class ShownBoard(Shown, Observation):
    """A match and its position, without what has happened."""


class BoardView(View, Observation):
    """A match on a map; each game says more of its own."""


class Rows(TypedDict):
    """Rows of a list to set, in place or at the end, and the ids of those to remove; rows of any list of a view."""

    put: list[dict[str, Any]]
    drop: list[str]


class Difference(TypedDict):
    """Members to set or to remove, whatever they are in the view of the game, and rows of those that are lists."""

    put: dict[str, Any]
    drop: list[str]
    rows: dict[str, Rows]


class Change(Difference):
    """What makes one view of another: members to set or to remove, whatever they are in the view of the game."""

    base: str
