"""The contract every game keeps."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.dice import Dice
from rasputitsa.core.errors import IllegalAction, SaveError, SetupError
from rasputitsa.core.events import Event, EventData
from rasputitsa.core.lessons.guide import Guide
from rasputitsa.core.lessons.lessons import LessonInfo
from rasputitsa.core.shapes import Shapes


class Details(NamedTuple):
    """What a client may show of an action, or point at, besides its label."""

    title: str = ""
    """The beginning of a long label that stands by itself, such as the name of a unit on offer."""
    note: str = ""
    """The rest of it, such as what the unit costs."""
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


NO_DETAILS = Details()


class Choice(NamedTuple):
    """One value of an option."""

    id: str
    title: str
    help: str = ""


class OptionInfo(NamedTuple):
    """A choice about the rules, made before the game starts."""

    id: str
    title: str
    help: str
    rule: str
    default: str
    choices: tuple[Choice, ...]


class StandingOrder(NamedTuple):
    """A kind of small decision that a player may answer beforehand, by one of its policies, for times away."""

    id: str
    title: str
    help: str
    rule: str
    policies: tuple[Choice, ...]


AS_COMPUTER = Choice("computer", "As the computer player would")
"""The policy that leaves an answer to a computer player."""


class ScenarioInfo(NamedTuple):
    """A starting position."""

    id: str
    title: str
    summary: str
    date: str
    turns: int = 0
    """The most game-turns it takes; 0 where that is open."""
    hours: float = 0
    """About how long two players sit over it; 0 where nobody has said."""
    history: str = ""
    """What happened then, in a paragraph."""
    sources: tuple[str, ...] = ()
    """Where that can be read."""


class SeatInfo(NamedTuple):
    """A place at the table: who decides for which units."""

    id: str
    side: str
    title: str
    named: str = ""
    """How a sentence names it, such as ``the Axis``; empty: by its title."""


class Decision(NamedTuple):
    """Who must decide what. ``options`` is every legal answer; beyond them only asides of the game are legal.

    Examples:
        >>> from rasputitsa.core.registry import get_game
        >>> game = get_game("portfolio")
        >>> decision = game.decision(game.setup("june22", {}))
        >>> decision.side, decision.rule
        ('axis', 'V.A')
    """

    seat: str
    side: str
    kind: str
    rule: str
    prompt: str
    options: Sequence[Action]
    units: tuple[str, ...] = ()
    """Units the question is about, such as those on the move."""
    hexes: tuple[str, ...] = ()
    """Hexes the question is about, such as those under the attack being built."""


def completed(options: Iterable[OptionInfo], chosen: Mapping[str, str]) -> dict[str, str]:
    """Every option with its value, the chosen or the usual one; raises ``SetupError`` for an unknown one.

    Examples:
        >>> values = (Choice("mild", "Mild"), Choice("hard", "Hard"))
        >>> weather = OptionInfo("weather", "Weather", "", "VI", "mild", values)
        >>> completed([weather], {})
        {'weather': 'mild'}
        >>> completed([weather], {"weather": "hard"})
        {'weather': 'hard'}
    """
    known = {option.id: option for option in options}
    values = {option.id: option.default for option in known.values()}
    for name, value in chosen.items():
        option = known.get(name)
        if option is None:
            raise SetupError(f"there is no option {name!r}; known: {', '.join(known)}")
        allowed = [choice.id for choice in option.choices]
        if value not in allowed:
            raise SetupError(f"option {name}: {value!r} is not one of {', '.join(allowed)}")
        values[name] = value
    return values


class SecretRound(NamedTuple):
    """Where a game is in a round of orders that its sides give in secret, one after the other."""

    id: str
    """The round, such as a week."""
    side: str
    """The side that gives its orders."""
    last: bool
    """Whether all others have given theirs."""


StateT = TypeVar("StateT")


class Game(ABC, Generic[StateT]):
    """A game: stateless rules over a state. Every door to the game goes through these verbs.

    A game is played by asking for the decision and carrying out one of its options:

    Examples:
        >>> from rasputitsa.core.dice import SeededDice
        >>> from rasputitsa.core.registry import get_game
        >>> game = get_game("wir")
        >>> state, dice = game.setup("zitadelle", {}), SeededDice(1943)
        >>> decision = game.decision(state)
        >>> decision.seat, decision.kind
        ('axis', 'adjust')
        >>> events = game.apply(state, decision.options[-1], dice)
        >>> game.outcome(state) is None
        True

        What is not on the list is refused, with the reason and the paragraph, and changes nothing:

        >>> from rasputitsa.core.actions import Action
        >>> before = game.fingerprint(state)
        >>> game.apply(state, Action("fly"), dice)
        Traceback (most recent call last):
        ...
        rasputitsa.core.errors.IllegalAction: 'fly' is no order of this game (3.3)
        >>> game.fingerprint(state) == before
        True
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    rules_version: ClassVar[int]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]]
    """For each verb the kinds of its arguments: ``unit``, ``hex`` or ``number``."""
    plainest: ClassVar[tuple[str, ...]] = ()
    """Verbs that leave things as they are, the plainest first: how a case goes on where it says no more."""
    early_ends: ClassVar[frozenset[str]] = frozenset()
    """Verbs that may end a game before its time: proposals to the other player, what answers them, and gambles."""
    aside_verbs: ClassVar[frozenset[str]] = frozenset()
    """Verbs of what a seat may do besides answering; see ``asides``."""
    former_readings: ClassVar[Mapping[int, Mapping[str, str]]] = {}
    """For a rules version the options it brought, each with the reading that games of earlier versions keep."""
    unkept: ClassVar[frozenset[int]] = frozenset()
    """Rules versions with changes that no option takes back: a game begun before goes on under today's rules."""
    secret_words: ClassVar[tuple[str, str]] = ("A decision is made in secret", "")
    """What is shown of a question that is answered in secret, and the paragraph."""

    @abstractmethod
    def scenarios(self) -> list[ScenarioInfo]:
        """The starting positions."""

    def lessons(self) -> list[LessonInfo]:
        """The lessons, from the first one up; a game may have none."""
        return []

    def lesson(self, lesson_id: str) -> dict[str, Any]:
        """The position of a lesson, for ``load_position``, with the id in its head ``lesson``.

        Raises:
            SetupError: there is no such lesson.
        """
        raise SetupError(
            f"there is no lesson {lesson_id!r}; known: {', '.join(i.id for i in self.lessons()) or 'none'}"
        )

    def guide(self, lesson_id: str) -> Guide | None:
        """What leads through a lesson step by step; None where there is nothing of the kind."""
        return None

    @abstractmethod
    def options(self) -> list[OptionInfo]:
        """The choices about the rules, each with its default."""

    def readings_of(self, rules_version: int) -> dict[str, str]:
        """The options as a game begun under an earlier version of the rules keeps them."""
        kept: dict[str, str] = {}
        for version in sorted(self.former_readings, reverse=True):
            if version > rules_version:
                kept.update(self.former_readings[version])
        return kept

    @abstractmethod
    def seats(self, options: Mapping[str, str]) -> list[SeatInfo]:
        """The seats under these options."""

    @property
    def data_version(self) -> str:
        """The version of the data it plays with, as a short digest; empty for a game without data files."""
        return ""

    def data_versions(self) -> list[str]:
        """The versions of its data that it can play with, the newest first."""
        return [self.data_version]

    def with_data(self, version: str) -> Game[StateT] | None:
        """The same game with another version of its data; None if it does not have that one."""
        return self if version == self.data_version else None

    def secret_orders(self, options: Mapping[str, str]) -> frozenset[str]:
        """Verbs of orders given in secret: until the game is over other sides learn neither them nor their number."""
        return frozenset()

    def secret_round(self, state: StateT) -> SecretRound | None:
        """The round of secret orders a position is in; None where orders are open to all."""
        return None

    def face(self, state: StateT, side: str) -> Mapping[str, object]:
        """What others see of a side that has given its orders of a round, as plain JSON values."""
        return {}

    def veiled(self, state: StateT, face: object) -> StateT:
        """The position when the side that gives orders has given them, for others: of these orders nothing but
        what they left to be seen, and the secrets of that side blank.

        Raises:
            SaveError: that is not what can be seen of orders given here.
        """
        raise SaveError("no orders are given in secret here")

    def standing_orders(self) -> Sequence[StandingOrder]:
        """The small decisions that may be answered beforehand; a game may have none."""
        return ()

    def standing_order(self, state: StateT) -> str:
        """The id of the standing order that the open question falls under; empty for one that is not to be answered
        beforehand."""
        return ""

    def standing_answer(self, state: StateT, policy: str) -> Action | None:
        """What a policy answers to the open question, from what the seat that is asked may know; no die is cast. None
        where it has no answer, and the player is asked."""
        return None

    @abstractmethod
    def setup(self, scenario: str, options: Mapping[str, str]) -> StateT:
        """A fresh game; raises ``SetupError`` for an unknown scenario, option or value."""

    @abstractmethod
    def decision(self, state: StateT) -> Decision | None:
        """Who must decide what; None when the game is over."""

    def to_move(self, state: StateT) -> str | None:
        """The seat that must decide; None when the game is over."""
        decision = self.decision(state)
        return None if decision is None else decision.seat

    def legal(self, state: StateT) -> Sequence[Action]:
        """The options of the decision alone: the quick way for programs that think ahead or learn."""
        decision = self.decision(state)
        return () if decision is None else decision.options

    def asides(self, state: StateT, seat: str) -> list[Action]:
        """What a seat may do besides answering, asked or not: offered and never asked for; the question stays."""
        return []

    def why_not_aside(self, state: StateT, action: Action, seat: str) -> IllegalAction | None:
        """Why a seat may not do something of ``aside_verbs`` now; None where that is no reason to refuse it."""
        return None

    def gives_up(self, state: StateT, action: Action) -> str:
        """What an answer to the open question throws away (a result that was won, the attacks of a phase, a lesson),
        in plain words; empty for any other. A client asks once more before it sends such an answer."""
        return ""

    @abstractmethod
    def apply(self, state: StateT, action: Action, dice: Dice) -> list[Event]:
        """Carry out a legal action, changing the state in place. Whose aside it is, ``lines.check_seat`` looks at.

        Raises:
            IllegalAction: the action is neither an option nor an aside of any seat; the state is unchanged.
        """

    @abstractmethod
    def copy(self, state: StateT) -> StateT:
        """An independent copy."""

    @abstractmethod
    def begun_with(self, state: StateT) -> tuple[str, Mapping[str, str]]:
        """The scenario and the options a position is played with."""

    @abstractmethod
    def fingerprint(self, state: StateT) -> str:
        """A short text equal for equal states on every machine."""

    @abstractmethod
    def freeze(self, state: StateT) -> dict[str, Any]:
        """The whole position, secrets and open questions included, as plain JSON values."""

    @abstractmethod
    def thaw(self, frozen: Any, scenario: str, options: Mapping[str, str]) -> StateT:
        """The position that was frozen, equal to it in all that follows.

        Raises:
            SaveError: the values are not those of a position of this game.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None."""

    def ending(self, state: StateT) -> str:
        """What ended the game, in words shared by all games that end so: for counting. Empty while it goes on."""
        outcome = self.outcome(state)
        return outcome.reason if outcome else ""

    @abstractmethod
    def observe(self, state: StateT, seat: str | None) -> Mapping[str, Any]:
        """All that a seat may know (None: an onlooker), as plain JSON values."""

    @abstractmethod
    def observe_all(self, state: StateT) -> Mapping[str, Any]:
        """All there is in a position, as ``observe`` tells it: for looking back on a game that is over."""

    def peek(self, state: StateT, seat: str | None, *, everything: bool = False) -> Mapping[str, Any]:
        """What ``observe``, or ``observe_all``, tells, to be read and never changed: other answers may share its parts.

        A game whose positions differ in few rows from one to the next can answer this sooner than ``observe``, and
        a caller that keeps many answers needs less memory.
        """
        return self.observe_all(state) if everything else self.observe(state, seat)

    def turn_and_phase(self, state: StateT) -> tuple[str, str]:
        """Turn and phase in words, as in ``observe``; a game that can tell them sooner does."""
        observed = self.observe(state, None)
        turn, phase = observed.get("turn") or {}, observed.get("phase") or {}
        return str(turn.get("label", "")), str(phase.get("label", ""))

    @abstractmethod
    def view_of(self, state: StateT, seat: str | None) -> StateT:
        """A state in which whatever the seat may not know is blank, for players to think with."""

    @abstractmethod
    def resample(self, state: StateT, seat: str | None, rng: random.Random) -> StateT:
        """A position that the seat cannot tell from this one, and that can be played on, for search under hidden
        information: what the seat may not know is drawn from what it could be, by ``view_of`` alone. So the draws
        are the same whatever is hidden, and a view may be given as well. ``observe`` and the seat's options are
        those of the position. Other seats' orders that are being given in secret begin again.

        Examples:
            >>> import random
            >>> from rasputitsa.core.registry import get_game
            >>> game = get_game("wir")
            >>> state = game.setup("zitadelle", {})
            >>> drawn = game.resample(state, "axis", random.Random(1))
            >>> game.observe(drawn, "axis") == game.observe(state, "axis"), game.legal(drawn) == game.legal(state)
            (True, True)
            >>> game.observe(drawn, "soviet") == game.observe(state, "soviet")
            False
        """

    @abstractmethod
    def parse(self, state: StateT, text: str) -> list[Action]:
        """One line of notation as one or more actions.

        Raises:
            NotationError: the line cannot be read.
            IllegalAction: the line is a whole order, and a part of it is not legal.
        """

    def read(self, state: StateT, text: str) -> Action:
        """One action as a record has it; raises ``NotationError``, or ``ValueError`` if the text holds several."""
        (action,) = self.parse(state, text)
        return action

    @abstractmethod
    def format(self, state: StateT, action: Action) -> str:
        """The notation of an action."""

    @abstractmethod
    def label(self, state: StateT, action: Action) -> str:
        """The action in plain words, for buttons and lists."""

    def details(self, state: StateT, action: Action) -> Details:
        """What is to be known of an action besides its label."""
        return NO_DETAILS

    def worded_by(self, state: StateT) -> Hashable | None:
        """All that notation, label and details of an action depend on besides the action; None: the whole position."""
        return None

    def question(self, state: StateT) -> str:
        """The prompt of the open decision with its hexes marked as in the words of events; "" where none is open."""
        decision = self.decision(state)
        return "" if decision is None else decision.prompt

    @abstractmethod
    def events(self) -> Mapping[str, type[Event]]:
        """The class of each kind of event, which says its fields, its words and the paragraph behind it."""

    def describe(self, state: StateT, event: Event) -> str:
        """An event in plain words, units and hexes marked ``{unit:ID}`` and ``{hex:NAME}``."""
        return event.words(state)

    def shapes(self) -> Shapes:
        """What it says as JSON, described by typed dictionaries: for the documents and the types of clients."""
        return Shapes()

    def event_data(self, state: StateT, event: Event) -> EventData:
        """The fields of an event by name, as JSON values."""
        return {}

    def is_visible(self, state: StateT, event: Event, seat: str | None) -> bool:
        """Whether a seat (None: an onlooker) may read an event; without hidden orders all read all."""
        return True

    @abstractmethod
    def query(self, state: StateT, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a read-only question (reach, odds, why, supply ..); raises ``NotationError``.

        An answer from which something is left out that is hidden from the seat names it under ``unknown``.
        """

    @abstractmethod
    def static(self, scenario: str) -> Mapping[str, Any]:
        """Map, units and charts, as plain JSON values."""

    @abstractmethod
    def load_position(self, table: Mapping[str, Any]) -> StateT:
        """A state from a position file; raises ``SetupError``."""

    @abstractmethod
    def dump_position(self, state: StateT) -> dict[str, Any]:
        """The position file of a state; raises ``SetupError`` for one that is only passed through, in mid-action."""
