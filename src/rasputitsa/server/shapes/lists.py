"""Shapes of games, matches and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from rasputitsa.core.shapes import Ground, History, Sign, StaticMap, StaticUnit
from rasputitsa.server.shapes.ratings import RatedHost, RatedSeatInfo
from rasputitsa.server.shapes.times import ClockTerms
from rasputitsa.server.shapes.views import Controller, DecisionOption, View
from rasputitsa.server.shapes.words import Behind, Door, Form, Holding, Level, LinkKind, Pace, Share


class Choice(TypedDict):
    """A choice of an option."""

    id: str
    title: str
    help: str


class OptionInfo(TypedDict):
    """An option of a game, with the ruling behind it."""

    id: str
    title: str
    help: str
    rule: str
    default: str
    choices: list[Choice]


class ScenarioInfo(TypedDict):
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


class SeatInfo(TypedDict):
    """A seat, and the side it plays."""

    id: str
    side: str
    title: str
    named: str
    """How a sentence names it, such as ``the Axis``."""


class LevelInfo(TypedDict):
    """A strength of a computer player."""

    id: str
    title: str
    summary: str


class BotInfo(TypedDict):
    """A computer player."""

    id: str
    title: str
    summary: str
    usual: bool
    """A match against the computer is against this one unless another is chosen."""
    first: str
    """Its level, as in ``levels``, where nobody has chosen yet."""
    levels: list[LevelInfo]


class LessonInfo(TypedDict):
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


class GameInfo(TypedDict):
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


class Asides(TypedDict):
    """What a seat may do besides answering."""

    options: list[DecisionOption]


class StaticTold(TypedDict):
    """What does not change, as a game tells it of a scenario; each game says more."""

    map: StaticMap
    units: Sequence[StaticUnit]
    charts: Mapping[str, object]
    signs: Mapping[str, Sign]
    grounds: Mapping[str, Ground]
    history: NotRequired[History]


class Paragraph(TypedDict):
    """A paragraph of the rules register."""

    id: str
    chapter: str
    title: str
    text: str
    ruling: str
    options: list[str]
    code: list[str]
    sources: str


class Rules(TypedDict):
    """The rules register."""

    paragraphs: list[Paragraph]


class Term(TypedDict):
    """A term of a game, in a sentence or two."""

    name: str
    also: list[str]
    """Other forms under which it is met."""
    rule: str
    """The paragraph that has the whole of it."""
    text: str


class Glossary(TypedDict):
    """The terms of a game."""

    terms: list[Term]


class GuideSection(TypedDict):
    """A part of a guide; its points may hold **stress**, `orders` and paragraphs of the rules in parentheses."""

    title: str
    points: list[str]


class SideGuide(TypedDict):
    """How to play a side of a game."""

    side: str
    name: str
    """The side in words."""
    title: str
    summary: str
    sections: list[GuideSection]


class Guides(TypedDict):
    """How to play each side of a game."""

    guides: list[SideGuide]


class Summary(TypedDict):
    """What is known of a match without opening it."""

    game: str
    scenario: str
    turn_label: str
    phase_label: str
    to_move: str | None
    controllers: dict[str, Controller]


class MatchSummary(Summary):
    """A line of the list of matches."""

    id: str
    title: str
    over: bool
    updated: int
    """Milliseconds since 1970."""
    waiting: list[str]
    """Seats for which somebody is still to come."""
    owned: NotRequired[list[str]]
    """For the owner of the machine: the seats that may be sat down in."""
    mine: NotRequired[list[str]]
    """Seats to which the caller has keys."""
    rematch: NotRequired[bool]
    """Others have asked the caller for a rematch."""


class Created(TypedDict):
    """A new match: keys of the creator's seats, and a token for each guest."""

    id: str
    keys: dict[str, str]
    invitations: dict[str, str]


class Sat(TypedDict):
    """The keys of the person who sits down, and who is to move."""

    keys: dict[str, str]
    to_move: str | None
    controllers: dict[str, Controller]


class Progress(TypedDict):
    """How many lines of a saved game are read."""

    done: int
    total: int


class SeatWish(TypedDict):
    """What is wished of the player who takes an open seat."""

    pace: Pace
    level: Level


class FreeSeat(SeatWish):
    """A seat that everybody may take."""

    seat: str


class OpenTable(TypedDict):
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
    rated: bool
    """It counts for ratings: a player who takes a seat is signed in."""
    host: RatedHost | None
    """Who waits there, if it does."""


class Linked(TypedDict):
    """Whether an invitation is out, and the seats of its sender."""

    link: bool
    inviter: list[str]


class SeatState(Linked):
    """How a seat stands: held by the caller, by somebody else, by nobody yet, or by the computer."""

    state: Holding
    silent: bool
    near: bool
    wish: SeatWish | None
    """It is in the list of open tables."""


class RematchInfo(TypedDict):
    """The match that follows one that is over, as the caller may know it."""

    match: str
    asked: list[str]
    """Seats of the former match whose people have come."""
    door: Door
    """Whether the caller may come, has come, or can no longer come from here."""


class SeatsInfo(TypedDict):
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
    classroom: bool
    """Whether it is a board of a class."""
    rated: list[RatedSeatInfo]
    """Who plays, where it counts for ratings; a seat is missing as long as nobody has come."""
    blocked: list[str]
    """Seats of people whom the caller has blocked."""


class InvitationInfo(TypedDict):
    """What a link to a seat leads to."""

    behind: Behind | None
    """By how much onlookers see it later than its players, if they do."""
    match: str
    title: str
    named: bool
    """Somebody gave it a title of its own; else it is that of the game and its scenario."""
    game: str
    scenario: str
    options: dict[str, str]
    seat: str
    kind: LinkKind
    spent: bool
    inviter: list[str]
    waiting: list[str]
    controllers: dict[str, Controller]
    hints: bool
    ply: int
    over: bool
    opened: bool
    shown: bool
    rated: bool
    """It counts for ratings: the player who takes the seat is signed in."""
    clock: ClockTerms | None
    dice: str
    """The digest of the seed that the guest's share is added to; empty if it is drawn only when the guest comes."""


class Token(TypedDict):
    """The secret part of an invitation's address."""

    token: str


class NewKey(TypedDict):
    """A further key to a seat."""

    key: str


class Claimed(TypedDict):
    """A seat that was taken."""

    id: str
    seat: str
    key: str


class Agreed(TypedDict):
    """Whether it is done, once all have agreed; and the token, where somebody is to be invited."""

    done: bool
    token: NotRequired[str]


class Ended(TypedDict):
    """Whether the game is over, and what the computer player says to a draw that it declines."""

    done: bool
    word: str


class Message(TypedDict):
    """Something that was said; ``private``: to the own side, ``former``: by somebody who has left the seat since,
    ``blocked``: by somebody whom the caller has blocked."""

    number: int
    seat: str
    private: bool
    text: str
    at: int
    """Milliseconds since 1970."""
    former: bool
    blocked: bool


class Talk(TypedDict):
    """What a seat may read of what was said, in its order."""

    messages: list[Message]


class Said(TypedDict):
    """The number of what was just said."""

    number: int


class Notes(TypedDict):
    """The private notes of somebody."""

    text: str
    version: str


class Noted(TypedDict):
    """The version of what was just noted down."""

    version: str


class Mark(TypedDict):
    """A note pinned to a hex, or an arrow ``to`` another one, and whom it is for."""

    at: str
    to: str
    text: str
    share: Share


class SharedMark(Mark):
    """What somebody else has drawn for the caller to see."""

    seat: str


class MapNotes(TypedDict):
    """What a seat has drawn on the map, and what others show it."""

    marks: list[Mark]
    version: str
    shared: list[SharedMark]


class NoticeWay(TypedDict):
    """Where somebody wants notices."""

    form: Form
    address: str
    trouble: str
    """Why the last notice did not arrive; empty if it did."""
    waiting: bool
    """Whether the one who reads mail there has still to agree."""


class NoticeInfo(TypedDict):
    """Where the caller gets notices of their turn, and whether this server sends any."""

    offered: bool
    mail: bool
    """Whether it tells people by mail, too."""
    push: str
    """The public key for notices to this browser; empty where there are none."""
    way: NoticeWay | None


class MailAgreed(TypedDict):
    """A mail address for which its owner has agreed, and what proves it for other matches."""

    address: str
    proof: str


class Handed(TypedDict):
    """The match after a seat changed hands, and the key to a seat that was taken over."""

    view: View
    keys: dict[str, str]
