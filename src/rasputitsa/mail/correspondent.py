"""What one person does in a match by letters: give orders, write the next letter, read what comes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Any

from rasputitsa.core import lines
from rasputitsa.core.errors import IllegalAction, SaveError
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import RESIGNED, Entry, Header
from rasputitsa.core.record.seeds import LETTERS, Source
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.mail import envelope
from rasputitsa.mail.board import PATIENCE, Board
from rasputitsa.mail.errors import MailError
from rasputitsa.mail.keys import Keys
from rasputitsa.mail.letter import (
    MOST_NAME,
    MOST_NOTE,
    MOST_ORDER,
    MOST_ORDERS,
    MOST_TITLE,
    Letter,
    Opened,
    Terms,
    dice_key,
    plain_text,
    promise_of,
    seal_of,
)
from rasputitsa.mail.match import MailMatch, Progress, SignedLetter, header_of, posted, refusing

TRIALS = (1, 2, 3)
"""Dice with which is tried whether what others see of sealed orders depends on a die that is still to fall."""


class Correspondent:
    """A match by letters, from the side of one person.

    Examples:
        >>> terms = terms_for("portfolio", "june22", {}, people=(("axis",), ("soviet",)))
        >>> anna = Correspondent.inviting(terms, "Anna")
        >>> boris = Correspondent.joining([anna.letter(0)], "Boris")
        >>> anna.read(boris.letter(1))
        >>> anna.due, boris.due
        (True, False)
    """

    def __init__(self, match: MailMatch, me: int, keys: Keys, draft: Sequence[str] = ()) -> None:
        self.match, self.me, self.keys = match, me, keys
        self.draft = list(draft)
        self._reached: Progress | None = None

    @classmethod
    def inviting(cls, terms: Terms, name: str) -> Correspondent:
        """Begin a match by its first letter; raises ``MailError``."""
        keys = Keys()
        first = Letter(
            0, 0, "", secrets.token_hex(16), promise_of(keys.share(0)), name=_name(name), key=keys.public, terms=terms
        )
        return cls(MailMatch(_signed(keys, first)), 0, keys)

    @classmethod
    def joining(cls, letters: Sequence[str], name: str) -> Correspondent:
        """Take the next free place in a match that somebody has invited to, by a letter; raises ``MailError``.

        Args:
            letters: the invitation, and the letters of those who have joined since.
        """
        if not letters:
            raise MailError("to join a match takes the letter that invites to it")
        match = MailMatch(_opened(letters[0]))
        for text in letters[1:]:
            match.add(_opened(text))
        if match.joined:
            raise MailError("in this match every place is taken")
        keys, me = Keys(), len(match.letters)
        correspondent = cls(match, me, keys)
        correspondent._post(correspondent._blank(name=_name(name), key=keys.public))
        return correspondent

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats one has."""
        return self.match.terms.people[self.me]

    @property
    def due(self) -> bool:
        """Whether the next letter is one's own."""
        return self.match.due == self.me

    @property
    def share(self) -> str:
        """What one's next letter adds to the dice."""
        return self.keys.share(self._written() - 1) if self._written() else ""

    def _written(self) -> int:
        return sum(one.letter.writer == self.me for one in self.match.letters)

    def reached(self) -> Progress:
        """The position as one sees it: after all letters, and one's own orders since."""
        if self._reached is None:
            self._reached = self._reach(self.draft)
        return self._reached

    def base(self) -> Progress:
        """The position in which one's next letter begins: after all letters, and before one's own orders since."""
        return self._reach([])

    def _reach(self, draft: Sequence[str]) -> Progress:
        match, table = self.match, self.match.table
        board, number = table.board.copy(), len(match.letters)
        if not self.due or not match.joined:
            return Progress(board, number, [])
        if table.waiting:
            last = match.letters[-1]
            key = dice_key(last.digest, self.share)
            if board.roll(table.waiting, match.terms.people[last.letter.writer], key):
                raise MailError("the orders of the last letter cannot be carried out here")
        return Progress(board, number, self._played(board, draft))

    def _played(self, board: Board, orders: Sequence[str]) -> list[str]:
        """Carry out orders of one's own; what waits."""
        if not orders or not self.match.terms.trusting:
            return board.until_a_die(orders, self.seats)
        return board.with_dice(orders, self.seats, dice_key(self.match.letters[-1].digest, self.share))

    def order(self, line: str) -> None:
        """Give an order, or a line of several, for the next letter.

        After one that waits for a die further ones may be given, without knowing what will have come of it; they
        will be carried out as far as they can be.

        Raises:
            IllegalAction, NotationError, MailError: it cannot be given; nothing has changed.
        """
        self._check_due()
        line = plain_text(line.strip(), "order", MOST_ORDER)
        if len(self.draft) >= MOST_ORDERS:
            raise MailError(f"a letter holds no more than {MOST_ORDERS} orders")
        reached = self.reached()
        if reached.waiting:
            if self.match.terms.trusting or self.match.game.secret_round(reached.board.state) is not None:
                raise MailError("the last order waits for the other side; write the letter")
            self._parse_ahead(line)
            self._reached = reached._replace(waiting=[*reached.waiting, line])
        elif reached.board.mover not in self.seats:
            raise IllegalAction(f"it is {reached.board.mover} who must decide now; write the letter")
        else:
            board = reached.board.copy()
            self._reached = Progress(board, reached.letters, self._played(board, [line]))
        self.draft.append(line)

    def _parse_ahead(self, line: str) -> None:
        """Refuse what is no order at all; whether it will be legal is not known yet."""
        if not line or line.split()[0].rstrip(":") not in self.match.game.verbs:
            known = ", ".join(sorted(self.match.game.verbs))
            raise MailError(f"after an order that waits for a die, give single orders: {known}")

    def undo(self) -> str:
        """Take the last order back, unless a die has fallen for it; raises ``MailError``."""
        self._check_due()
        if not self.draft:
            raise MailError("there is no order to take back: what a letter has said stays said")
        before = self._reach(self.draft[:-1])
        fallen = self.reached().board.entries[len(before.board.entries) :]
        if any(entry.dice for entry in fallen):
            raise MailError("an order for which dice have fallen is not taken back")
        self._reached = before
        return self.draft.pop()

    def _check_due(self) -> None:
        due = self.match.due
        if due is None:
            raise MailError("the match is over")
        if not self.match.joined:
            raise MailError(f"{self.match.name(due)} has not joined yet: read the letter that says so")
        if due != self.me:
            raise MailError(f"the next letter is {self.match.name(due)}'s: read it first")

    @property
    def nothing_to_decide(self) -> bool:
        """Whether the next letter is one's own, and needs no orders."""
        return self.due and self.match.joined and not self.draft and self.reached().board.mover not in self.seats

    def write(self, note: str = "", *, resign: bool = False) -> str:
        """Write the next letter. From then on it is part of the match. Raises ``MailError``."""
        self._check_due()
        note = plain_text(note, "note", MOST_NOTE)
        board, _, waiting = self.reached()
        if not waiting and board.mover in self.seats and not resign:
            raise MailError(f"there is still something to decide: {self.question()}")
        base = self.base().board
        secret = self.match.game.secret_round(base.state)
        orders = (*(entry.action for entry in board.entries[len(base.entries) :]), *waiting)
        opened = tuple(self._to_open(board, resign=resign))
        letter = self._blank(opened=opened, note=note, resigns=resign)
        if orders and secret is not None and not secret.last:
            nonce = self.keys.nonce(letter.number)
            self._post(replace(letter, sealed=seal_of(nonce, orders), face=self._face(board, waiting)), orders)
        else:
            after = "" if board.veiled else board.after
            self._post(replace(letter, orders=orders, after=after))
        return self.letter(letter.number)

    def question(self) -> str:
        """What has to be decided, in words."""
        board = self.reached().board
        decision = board.game.decision(board.state)
        return "nothing" if decision is None else decision.prompt

    def _blank(self, **said: object) -> Letter:
        match, written = self.match, self._written()
        letter = Letter(
            len(match.letters), self.me, match.letters[-1].digest, secrets.token_hex(16),
            promise_of(self.keys.share(written)), match=match.code, share=self.share,
        )  # fmt: skip
        return replace(letter, **said)  # type: ignore[arg-type]  # fields of a letter by name

    def _to_open(self, board: Board, *, resign: bool) -> list[Opened]:
        """What one has put under seal and no longer needs to be: the round is over, or nobody orders after oneself."""
        now = self.match.game.secret_round(board.state)
        mine = board.sides[self.seats[0]]
        found = []
        for number in self.match.unopened(self.me):
            same = now is not None and now.id == self.match.rounds.get(number)
            if resign or not same or (now is not None and now.last and now.side == mine):
                found.append(Opened(number, self.keys.nonce(number), self.match.mine[number]))
        return found

    def _face(self, board: Board, waiting: Sequence[str]) -> Mapping[str, object] | None:
        """What others will see of one's orders; None as long as they are not all given, or depend on a die."""
        boards = [board]
        if waiting:
            boards = [board.copy() for _ in TRIALS]
            for trial, key in zip(boards, TRIALS, strict=True):
                trial.roll(waiting, self.seats, key)
        mine = board.sides[self.seats[0]]
        now = [board.game.secret_round(trial.state) for trial in boards]
        if any(found is not None and found.side == mine for found in now):
            return None
        faces = [board.game.face(trial.state, mine) for trial in boards]
        return faces[0] if all(face == faces[0] for face in faces) else None

    def _post(self, letter: Letter, own: tuple[str, ...] | None = None) -> None:
        self.match.add(_signed(self.keys, letter), own)
        self.draft, self._reached = [], None

    def read(self, text: str) -> None:
        """Read the next letter; raises ``MailError`` and changes nothing where it is not that."""
        letter, match, before = _opened(text), self.match, dict(vars(self.match))
        boards = [match.truth.board]
        boards[0].until = monotonic() + PATIENCE
        try:
            match.add(letter)
            self._reached = None
            boards += [match.truth.board, match.table.board]
            if all(number in match.mine for number in match.unopened(self.me)):
                with refusing(letter.letter.number):  # dice may fall now for what it holds
                    boards.append(self.reached().board)
        except BaseException:
            vars(match).update(before)
            self._reached = None
            raise
        finally:
            for board in boards:
                board.until = inf

    def letter(self, number: int) -> str:
        """A letter as it was sent."""
        one = self.match.letters[number]
        return envelope.wrapped(one.signature, one.content, self._heading(one.letter))

    def _heading(self, letter: Letter) -> str:
        """What people read before they give the letter to the program."""
        what = "Invitation" if letter.terms else f"Letter {letter.number}"
        title = self.match.terms.title or self.match.game.title
        heading = f"{what} from {self.match.name(letter.writer)}: {title}, match {self.match.code}"
        return heading.replace("[", "(").replace("]", ")")  # marks of letters begin and end with them

    def session(self) -> Session:
        """The match as a record that can be saved, replayed, and whose dice can be checked.

        Raises:
            MailError: it holds orders that are hidden from one by the rules, as long as the game goes on.
        """
        match = self.match
        if match.due is not None and any(one.letter.sealed for one in match.letters):
            raise MailError("a match with secret orders is saved as a game when it is over")
        end = [Entry(match.resigned, RESIGNED)] if match.resigned else []
        return self.recorded(match.truth.board, end, match.terms.title)

    def trial(self) -> Session:
        """The game as it stands, to give one's next orders on a table. Raises ``MailError``."""
        self._check_due()
        board, _, waiting = self.reached()
        if waiting or board.mover not in self.seats:
            raise MailError("there is nothing to decide; write the letter")
        if board.game.secret_round(board.state) is not None:
            raise MailError("a table would show what the rules keep hidden; give secret orders with the command")
        title = self.match.terms.title or self.match.game.title
        return self.recorded(board, [], f"Letter {len(self.match.letters)}: {title}"[:MOST_TITLE])

    def take(self, session: Session) -> int:
        """Give the orders that were given on such a table, up to the first that casts a die; how many they are.

        Raises:
            MailError: that game has not come to where one's next letter begins.
        """
        self._check_due()
        base = self.reached().board.entries
        played = [entry for entry in session.entries if not entry.action.startswith("@")]
        if [entry._replace(after="") for entry in played[: len(base)]] != [entry._replace(after="") for entry in base]:
            raise MailError("that game is not this match, or does not stand where your next letter begins")
        count = len(self.draft)
        for entry in played[len(base) :]:
            if self.reached().waiting or entry.seat not in self.seats:
                break
            self.order(entry.action)
            if entry.dice:
                break
        return len(self.draft) - count

    def recorded(self, board: Board, end: Sequence[Entry], title: str) -> Session:
        """A board as a record, with all that the rules hide; raises ``MailError``."""
        header, entries = self.header(board), board.entries[:]
        header.title = title
        try:
            return Session.from_entries(header, [*entries, *end])
        except SaveError as problem:
            raise MailError(f"the match cannot be saved as a game: {problem}") from problem

    def header(self, board: Board) -> Header:
        """The beginning of the record of a board, with where its dice come from."""
        header = header_of(self.match.terms)
        header.dice = [*board.sources]
        if header.dice[-1].start < len(board.entries):
            header.dice.append(Source(len(board.entries), LETTERS, "", None))
        return header


def terms_for(
    game: str,
    scenario: str,
    options: Mapping[str, str],
    *,
    people: Sequence[Sequence[str]],
    title: str = "",
    trusting: bool = False,
) -> Terms:
    """What is to be played, with the data and rules of today; raises ``SetupError``."""
    rules = get_game(game)
    return Terms(
        game, scenario, dict(options), plain_text(title, "title", MOST_TITLE), trusting,
        tuple(tuple(seats) for seats in people), rules.rules_version, rules.data_version,
        lines.short_print(rules, rules.setup(scenario, options)),
    )  # fmt: skip


def people_of(game: Game[Any], options: Mapping[str, str], seat: str | None, *, each_seat: bool) -> list[list[str]]:
    """Who has which seats, oneself first: a person for each side, or for each seat; raises ``MailError``.

    Args:
        seat: a seat of one's own; by default the first.
    """
    seats = game.seats(options)
    if seat is not None and seat not in {known.id for known in seats}:
        raise MailError(f"there is no seat {seat!r}; known: {', '.join(known.id for known in seats)}")
    groups: dict[str, list[str]] = {}
    for known in seats:
        groups.setdefault(known.id if each_seat else known.side, []).append(known.id)
    return sorted(groups.values(), key=lambda group: (seat or seats[0].id) not in group)


def _name(text: str) -> str:
    if not text.strip():
        raise MailError("say by which name your letters are to be known")
    return plain_text(text.strip(), "name", MOST_NAME)


def _signed(keys: Keys, letter: Letter) -> SignedLetter:
    content = letter.content()
    if len(content) > envelope.MOST_CONTENT:
        raise MailError("these orders are too much for one letter; take some back")
    return posted(keys.sign(content), content)


def _opened(text: str) -> SignedLetter:
    return posted(*envelope.unwrapped(text))
