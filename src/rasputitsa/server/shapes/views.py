"""Shapes of a position, of what is asked, and of what happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field


@dataclass(kw_only=True)
class Controller:
    """Who plays a seat."""

    kind: Literal["human", "bot"]
    bot: str = ""
    name: str = ""


@dataclass(kw_only=True)
class GameEvent:
    """Something that happened. In the document it is the choice among the events of all games, with their data."""

    kind: str
    text: str
    """In plain words, pieces and hexes marked ``{unit:39Pz}`` and ``{hex:N6}``."""
    rule: str
    """The paragraph behind it, or nothing."""
    data: dict[str, Any]


@dataclass(kw_only=True)
class LogEntry:
    """An action, and all that came of it."""

    ply: int
    seat: str | None
    action: str
    events: list[GameEvent]
    turn: str
    phase: str
    standing: bool = False
    """Whether a standing order of the caller's seat gave it; nobody else learns of it."""
    words: str = ""
    """The answer of a standing order in plain words, marked as those of events."""


@dataclass(kw_only=True)
class DecisionOption:
    """A legal action, its arguments named by what they are."""

    action: str
    verb: str
    units: list[str]
    unit: str | None = None
    """The one unit it names, where it names one."""
    hex: str | None
    number: int | str | None
    label: str
    gives_up: str = ""
    """What this answer throws away for good, in words; such an answer is asked twice."""
    title: str = ""
    """The beginning of a long label that stands by itself, such as the name of a unit on offer."""
    note: str = ""
    """The rest of a label that has a title, such as what the unit costs."""
    attack: int | None = None
    """The number of the announced attack it is about."""
    member: int | None = None
    """The place of the unit it is about in the list of its group, from 1 on."""
    plot: str = ""
    """The plotted moves that it orders, as they are written."""
    source: str = ""
    """The piece that sends something to another."""
    target: str = ""
    """The piece that is sent something."""
    marked: str = ""
    """The label with its units and hexes marked as in the words of events, where it names any."""


@dataclass(kw_only=True)
class Decision:
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
    answered: bool = False
    """A standing order of the reader's seat is about to answer: nothing is asked of the reader."""


@dataclass(kw_only=True)
class DiceSource:
    """Where the dice come from, from an entry on; seed and salt are published when the game is over."""

    from_: Annotated[int, Field(alias="from")]
    made: Literal["drawn", "chosen", "letters", "plain"]
    digest: str
    shares: list[tuple[str, str, str]]
    """Seat, 128 bits in hexadecimal, and who drew them: "player" or "server"."""
    seed: str = ""
    salt: str = ""
    awaits: list[str] = field(default_factory=list)
    skip: dict[str, int] = field(default_factory=dict)


@dataclass(kw_only=True)
class DiceInfo:
    """What a seat may know of the dice."""

    digest: str
    seed: str | None
    made: Literal["drawn", "chosen", "letters", "plain"]
    awaits: list[str]
    sources: list[DiceSource]
    sound: bool
    """Nothing speaks against the dice."""
    whole: bool
    """All of them can be confirmed."""
    words: str


@dataclass(kw_only=True)
class GuideRemark:
    """What is said of a lesson when it is over."""

    good: bool
    text: str


@dataclass(kw_only=True)
class Guide:
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


@dataclass(kw_only=True)
class View:
    """A match as a seat may know it; ``BoardView`` tells the position of games that are played on a map."""

    match: str
    game: str
    scenario: str
    lesson: str | None
    title: str
    version: int
    """What an action names, to be refused if the match has gone on."""
    seat: str | None
    ply: int
    options: dict[str, str]
    controllers: dict[str, Controller]
    data: str
    """The version of the game's data that the match is played with to its end."""
    rules_changed: int | None
    """How many entries lie before a change of the rules; one cannot go back to them."""
    dice: DiceInfo
    decision: Decision | None
    can_undo: bool
    undo_to: int | None
    """How far back one may go without the consent of others; nothing where nothing can be taken back."""
    last_events: list[LogEntry]
    tag: str = ""
    """Names what is shown, so that the server can tell what changed since; past positions have none."""
    at: int | None = None
    """The entry that was asked for, if it lies in the past."""
    undo_offers: dict[str, int] = field(default_factory=dict)
    guide: Guide | None = None


@dataclass(kw_only=True)
class Rows:
    """Rows of a list to set, in place or at the end, and the ids of those to remove; rows of any list of a view."""

    put: list[dict[str, Any]]
    drop: list[str]


@dataclass(kw_only=True)
class Change:
    """What makes one view of another: members to set or to remove, whatever they are in the view of the game."""

    base: str
    put: dict[str, Any]
    drop: list[str]
    rows: dict[str, Rows]
