"""Shapes of games, matches and seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rasputitsa.server.notices.notice import Form
from rasputitsa.server.shapes.times import ClockTerms
from rasputitsa.server.shapes.views import Controller, DecisionOption, View
from rasputitsa.server.store.company.tables import Level, Pace


@dataclass(kw_only=True)
class Choice:
    """A choice of an option."""

    id: str
    title: str
    help: str


@dataclass(kw_only=True)
class OptionInfo:
    """An option of a game, with the ruling behind it."""

    id: str
    title: str
    help: str
    rule: str
    default: str
    choices: list[Choice]


@dataclass(kw_only=True)
class ScenarioInfo:
    """A scenario."""

    id: str
    title: str
    summary: str
    date: str
    turns: int
    """The most game-turns it takes; 0 where that is open."""
    hours: float
    """About how long two players sit over it; 0 where nobody has said."""
    history: str
    """What happened then, in a paragraph."""
    sources: list[str]
    """Where that can be read."""


@dataclass(kw_only=True)
class SeatInfo:
    """A seat, and the side it plays."""

    id: str
    side: str
    title: str


@dataclass(kw_only=True)
class LevelInfo:
    """A strength of a computer player."""

    id: str
    title: str
    summary: str


@dataclass(kw_only=True)
class BotInfo:
    """A computer player."""

    id: str
    title: str
    summary: str
    usual: bool
    """A match against the computer is against this one unless another is chosen."""
    first: str
    """Its level, as in ``levels``, where nobody has chosen yet."""
    levels: list[LevelInfo]


@dataclass(kw_only=True)
class LessonInfo:
    """A small position with a goal of its own; ``seat`` is the learner's."""

    id: str
    title: str
    summary: str
    goal: str
    seat: str
    minutes: int
    turns: int
    opponent: str
    guided: bool
    """Whether it leads step by step."""


@dataclass(kw_only=True)
class GameInfo:
    """A game, and what may be chosen for a match of it."""

    id: str
    title: str
    summary: str
    scenarios: list[ScenarioInfo]
    lessons: list[LessonInfo]
    options: list[OptionInfo]
    seats: dict[str, list[SeatInfo]]
    bots: list[BotInfo]
    analysis: bool
    """Whether the computer can be asked for hints and for the course of a match."""


@dataclass(kw_only=True)
class Asides:
    """What a seat may do besides answering."""

    options: list[DecisionOption]


@dataclass(kw_only=True)
class Paragraph:
    """A paragraph of the rules register."""

    id: str
    chapter: str
    title: str
    text: str
    ruling: str
    options: list[str]
    code: list[str]
    sources: str


@dataclass(kw_only=True)
class Rules:
    """The rules register."""

    paragraphs: list[Paragraph]


@dataclass(kw_only=True)
class Term:
    """A term of a game, in a sentence or two."""

    name: str
    also: list[str]
    """Other forms under which it is met."""
    rule: str
    """The paragraph that has the whole of it."""
    text: str


@dataclass(kw_only=True)
class Glossary:
    """The terms of a game."""

    terms: list[Term]


@dataclass(kw_only=True)
class GuideSection:
    """A part of a guide; its points may hold **stress**, `orders` and paragraphs of the rules in parentheses."""

    title: str
    points: list[str]


@dataclass(kw_only=True)
class SideGuide:
    """How to play a side of a game."""

    side: str
    name: str
    """The side in words."""
    title: str
    summary: str
    sections: list[GuideSection]


@dataclass(kw_only=True)
class Guides:
    """How to play each side of a game."""

    guides: list[SideGuide]


@dataclass(kw_only=True)
class MatchSummary:
    """A line of the list of matches."""

    id: str
    title: str
    game: str
    scenario: str
    turn_label: str
    phase_label: str
    to_move: str | None
    over: bool
    updated: int
    """Milliseconds since 1970."""
    controllers: dict[str, Controller]
    waiting: list[str]
    """Seats for which somebody is still to come."""
    owned: list[str] = field(default_factory=list)
    """For the owner of the machine: the seats that may be sat down in."""
    mine: list[str] = field(default_factory=list)
    """Seats to which the caller has keys."""
    rematch: bool = False
    """Others have asked the caller for a rematch."""


@dataclass(kw_only=True)
class Created:
    """A new match: keys of the creator's seats, and a token for each guest."""

    id: str
    keys: dict[str, str]
    invitations: dict[str, str]


@dataclass(kw_only=True)
class Sat:
    """The keys of whoever sits down, and who is to move."""

    keys: dict[str, str]
    to_move: str | None
    controllers: dict[str, Controller]


@dataclass(kw_only=True)
class Progress:
    """How many lines of a saved game are read."""

    done: int
    total: int


@dataclass(kw_only=True)
class SeatWish:
    """What is wished of whoever takes an open seat."""

    pace: Pace
    level: Level


@dataclass(kw_only=True)
class FreeSeat(SeatWish):
    """A seat that everybody may take."""

    seat: str


@dataclass(kw_only=True)
class OpenTable:
    """A match with seats that everybody may take."""

    id: str
    title: str
    game: str
    scenario: str
    turn_label: str
    options: dict[str, str]
    controllers: dict[str, Controller]
    free: list[FreeSeat]
    opened: bool
    shown: bool
    attended: bool
    """A window of somebody who plays in it is open."""
    published: int
    """Milliseconds since 1970."""
    clock: ClockTerms | None


@dataclass(kw_only=True)
class SeatState:
    """How a seat stands: held by the caller, by somebody else, by nobody yet, or by the computer."""

    state: Literal["yours", "person", "waiting", "computer"]
    silent: bool
    near: bool
    wish: SeatWish | None
    """It is in the list of open tables."""
    link: bool
    """An invitation is out."""
    inviter: list[str]


@dataclass(kw_only=True)
class RematchInfo:
    """The match that follows one that is over, as the caller may know it."""

    match: str
    asked: list[str]
    """Seats of the former match whose people have come."""
    door: Literal["offered", "taken", "closed"]
    """Whether the caller may come, has come, or can no longer come from here."""


@dataclass(kw_only=True)
class SeatsInfo:
    """Who holds the seats, as the caller may know it."""

    seats: dict[str, SeatState]
    owner: bool
    alone: bool
    opened: bool
    shown: bool
    hints: bool
    agreed: dict[str, list[str]]
    """Seats that have agreed, by topic."""
    draws: list[str]
    """Seats that offer a draw."""
    resigns: list[str]
    """Seats of the caller's side that want to resign, as long as not all do."""
    rematch: RematchInfo | None


@dataclass(kw_only=True)
class InvitationInfo:
    """What a link to a seat leads to."""

    match: str
    title: str
    named: bool
    """Somebody gave it a title of its own; else it is that of the game and its scenario."""
    game: str
    scenario: str
    options: dict[str, str]
    seat: str
    kind: Literal["guest", "device"]
    spent: bool
    inviter: list[str]
    waiting: list[str]
    controllers: dict[str, Controller]
    hints: bool
    ply: int
    over: bool
    opened: bool
    shown: bool
    clock: ClockTerms | None
    dice: str
    """The digest of the seed that the guest's share is added to; empty if it is drawn only when the guest comes."""


@dataclass(kw_only=True)
class Token:
    """The secret part of an invitation's address."""

    token: str


@dataclass(kw_only=True)
class NewKey:
    """A further key to a seat."""

    key: str


@dataclass(kw_only=True)
class Claimed:
    """A seat that was taken."""

    id: str
    seat: str
    key: str


@dataclass(kw_only=True)
class Agreed:
    """Whether it is done, once all have agreed; and the token, where somebody is to be invited."""

    done: bool
    token: str = ""


@dataclass(kw_only=True)
class Ended:
    """Whether the game is over, and what the computer player says to a draw that it declines."""

    done: bool
    word: str


@dataclass(kw_only=True)
class Message:
    """Something that was said; ``private``: to the own side, ``former``: by somebody who has left the seat since."""

    number: int
    seat: str
    private: bool
    text: str
    at: int
    """Milliseconds since 1970."""
    former: bool


@dataclass(kw_only=True)
class Talk:
    """What a seat may read of what was said, in its order."""

    messages: list[Message]


@dataclass(kw_only=True)
class Said:
    """The number of what was just said."""

    number: int


@dataclass(kw_only=True)
class Notes:
    """The private notes of somebody."""

    text: str
    version: str


@dataclass(kw_only=True)
class Noted:
    """The version of what was just noted down."""

    version: str


@dataclass(kw_only=True)
class Mark:
    """A note pinned to a hex, or an arrow ``to`` another one, and whom it is for."""

    at: str
    to: str
    text: str
    share: Literal["me", "side", "table"]


@dataclass(kw_only=True)
class SharedMark(Mark):
    """What somebody else has drawn for the caller to see."""

    seat: str


@dataclass(kw_only=True)
class Sketch:
    """What a seat has drawn on the map, and what others show it."""

    marks: list[Mark]
    version: str
    shared: list[SharedMark]


@dataclass(kw_only=True)
class NoticeWay:
    """Where somebody wants notices."""

    form: Form
    address: str
    trouble: str
    """Why the last notice did not arrive; empty if it did."""
    waiting: bool
    """Whether the one who reads mail there has still to agree."""


@dataclass(kw_only=True)
class NoticeInfo:
    """Where the caller gets notices of their turn, and whether this server sends any."""

    offered: bool
    mail: bool
    """Whether it tells people by mail, too."""
    push: str
    """The public key for notices to this browser; empty where there are none."""
    way: NoticeWay | None


@dataclass(kw_only=True)
class MailAgreed:
    """A mail address for which its owner has agreed, and what proves it for other matches."""

    address: str
    proof: str


@dataclass(kw_only=True)
class Handed:
    """The match after a seat changed hands, and the key to a seat that was taken over."""

    view: View
    keys: dict[str, str]
