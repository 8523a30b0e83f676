"""A match by letters as one person has it: the letters so far, and the positions they lead to.

Every letter follows on the one before it, is signed, shows the share of dice that its writer promised in the last one
and promises another. The dice of a letter's orders are made of that letter and a share that was promised before it was
written and is shown in the next one: who gives orders is bound before the die is known, and who shows the share was
bound before that. In a trusting match they are made of the letter before and the writer's own share, so that the
writer sees them at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple

from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.game import Game
from rasputitsa.core.record.entries import Header
from rasputitsa.core.record.starting import game_for
from rasputitsa.mail.board import Board
from rasputitsa.mail.errors import KnownLetterError, MailError
from rasputitsa.mail.keys import signed_by
from rasputitsa.mail.letter import Letter, Terms, dice_key, digest_of, promise_of, read_content, seal_of

CODE = 12
"""Digits by which letters name their match."""
CHECKED = 20
"""Digits that two people compare: too many for a letter to be made to fit to one of somebody else."""
MORE_CHECKED = 40
"""Of more than two, the last to join can make two letters that fit to each other: that takes the root of the trials."""


class SignedLetter(NamedTuple):
    """A letter as it was sent."""

    letter: Letter
    content: bytes
    signature: bytes

    @property
    def digest(self) -> str:
        """What the next letter follows on."""
        return digest_of(self.content)


def posted(signature: bytes, content: bytes) -> SignedLetter:
    """A letter that came; raises ``MailError``."""
    return SignedLetter(read_content(content), content, signature)


@contextmanager
def refusing(number: int) -> Iterator[None]:
    """Carry out orders of a letter: what strangers order of the rules can fail in any way, and is a ``MailError``."""
    try:
        yield
    except MailError:
        raise
    except Exception as problem:
        words = problem if isinstance(problem, RasputitsaError) else f"a bug of the program ({type(problem).__name__})"
        raise MailError(f"letter {number} cannot be carried out: {words}") from problem


class Progress(NamedTuple):
    """How far letters have been carried out."""

    board: Board
    letters: int
    waiting: list[str]
    """Orders of the last of these letters that wait for a die, or for orders of others."""


class Checkpoint(NamedTuple):
    """A position that was reached, to go on from without carrying out again what led to it."""

    letters: int
    state: Any
    """As the game freezes it."""
    after: str
    waiting: list[str]
    rounds: dict[int, str]


class MailMatch:
    """The letters of a match, checked one by one.

    Examples:
        A match is begun, joined, read and written to by ``rasputitsa.mail.correspondent.Correspondent``.
    """

    def __init__(self, invitation: SignedLetter) -> None:
        """Begin with the first letter; raises ``MailError`` for one that invites to nothing."""
        terms = invitation.letter.terms
        if terms is None or invitation.letter.number or invitation.letter.following or invitation.letter.writer:
            raise MailError("this letter does not begin a match: give the invitation first")
        self.terms = terms
        self.game: Game[Any] = _game_of(terms)
        self.letters: list[SignedLetter] = []
        self.mine: dict[int, tuple[str, ...]] = {}
        """Orders that are under seal for others and known here, by the number of their letter."""
        self.rounds: dict[int, str] = {}
        """The round of secret orders that a sealed letter belongs to, where its orders are known."""
        self.opened: set[int] = set()
        self.resigned: str = ""
        """The seat that has resigned."""
        start = Board(self.game, _start(self.game, terms), terms.options)
        if start.after != terms.start:
            raise MailError(
                "this match begins with another position than this program does: one of the programs has other "
                "data. Both need the same version"
            )
        self.truth = Progress(start, 0, [])
        """As far as everything is known."""
        self.table = self.truth
        """After all letters, where they are secret as far as can be seen."""
        self.add(invitation)

    def kept(self) -> Checkpoint:
        """The position up to which everything is known."""
        truth = self.truth
        return Checkpoint(
            truth.letters, self.game.freeze(truth.board.state), truth.board.after, truth.waiting[:], dict(self.rounds)
        )  # fmt: skip

    def go_on_from(
        self, kept: Checkpoint, letters: Sequence[SignedLetter], mine: Mapping[int, tuple[str, ...]]
    ) -> None:
        """Take letters up that have been checked before, with the position they had led to.

        The entries before that position are not known then. Raises ``SaveError`` where it makes no sense.
        """
        board = self.truth.board.copy()
        board.state = self.game.thaw(kept.state, self.terms.scenario, self.terms.options)
        if board.after != kept.after or not len(self.terms.people) <= kept.letters <= len(letters):
            raise SaveError("the position that was kept is not that of these letters")
        self.letters = list(letters[: kept.letters])
        self.opened = {one.number for posted in self.letters for one in posted.letter.opened}
        known = {one.number: one.orders for posted in letters for one in posted.letter.opened} | dict(mine)
        self.mine = {number: orders for number, orders in known.items() if number < kept.letters}
        self.rounds = dict(kept.rounds)
        self.truth = self.table = Progress(board, kept.letters, kept.waiting)

    @property
    def id(self) -> str:
        """The digest of the invitation."""
        return self.letters[0].digest

    @property
    def code(self) -> str:
        """The beginning of that, by which its letters name the match."""
        return self.id[:CODE]

    @property
    def check(self) -> str:
        """A digest of all that people's first letters say, their keys among it: who compares it knows whose letters
        it reads. Empty before all have joined."""
        digest = self.letters[len(self.terms.people) - 1].digest if self.joined else ""
        digits = digest[: CHECKED if len(self.terms.people) == 2 else MORE_CHECKED]
        return " ".join(digits[place : place + 4] for place in range(0, len(digits), 4))

    @property
    def joined(self) -> bool:
        """Whether everybody has come."""
        return len(self.letters) >= len(self.terms.people)

    def name(self, person: int) -> str:
        """What somebody is called; with the seats, where that is not known yet."""
        if person < len(self.letters):
            return self.letters[person].letter.name
        return " and ".join(self.terms.people[person])

    def person_of(self, seat: str) -> int:
        """Who has a seat."""
        return next(number for number, seats in enumerate(self.terms.people) if seat in seats)

    @property
    def due(self) -> int | None:
        """Who writes the next letter; None when the match is over."""
        if not self.joined:
            return len(self.letters)
        if self.resigned:
            return None
        last = self.letters[-1].letter
        if self.table.waiting or (last.sealed and last.face is None):
            return self._witness(last.writer)
        mover = self.table.board.mover
        if mover is None:  # the one who knows the end first shows the others what they need to know it
            return next((person for person in range(len(self.terms.people)) if self.unopened(person)), None)
        person = self.person_of(mover)
        return self._witness(person) if self.terms.trusting and person == last.writer else person

    def _witness(self, writer: int) -> int:
        """Whose share goes into somebody's dice: an enemy's."""
        sides = self.table.board.sides
        own = {sides[seat] for seat in self.terms.people[writer]}
        return next(
            person
            for person, seats in enumerate(self.terms.people)
            if person != writer and not own & {sides[seat] for seat in seats}
        )

    def promise(self, person: int) -> str:
        """What somebody has promised for its next letter; empty before its first."""
        return next((one.letter.promise for one in reversed(self.letters) if one.letter.writer == person), "")

    def add(self, letter: SignedLetter, own: tuple[str, ...] | None = None) -> None:
        """Take the next letter up, or refuse it and change nothing.

        Args:
            own: the orders under its seal, where they are known.

        Raises:
            KnownLetterError: it has been taken up already.
            MailError: it is not the next letter of this match, or cannot be right.
        """
        trial = copy(self)
        trial.letters, trial.mine = self.letters[:], dict(self.mine)
        trial.rounds, trial.opened = dict(self.rounds), set(self.opened)
        trial._check(letter)
        trial.letters.append(letter)
        if own is not None:
            trial.mine[letter.letter.number] = own
        trial._open(letter.letter)
        with refusing(letter.letter.number):
            trial._go_on()
        if letter.letter.resigns:
            trial.resigned = self.terms.people[letter.letter.writer][0]
        self.__dict__.update(trial.__dict__)

    def _check(self, letter: SignedLetter) -> None:
        """Whether it is the next letter, from whom it says."""
        said, number = letter.letter, len(self.letters)
        if number and (letter.digest if said.terms else said.match) != (self.id if said.terms else self.code):
            raise MailError(f"this letter belongs to another match, {said.match or 'a new one'}; this is {self.code}")
        if said.number < number:
            if letter.digest == self.letters[said.number].digest:
                raise KnownLetterError(f"letter {said.number} has been read already")
            if said.writer == self.letters[said.number].letter.writer and self._signed(letter):
                raise MailError(
                    f"{self.name(said.writer)} has written letter {said.number} twice, or it is of another match: "
                    f"the one read first counts. Letter {number} is expected, from {self._expected()}"
                )
            raise MailError(f"this is no letter of this match: letter {number} is expected, from {self._expected()}")
        if said.number > number:
            raise MailError(
                f"this is letter {said.number}; letter {number} comes first, from {self._expected()}: "
                "read that one, or ask for it again"
            )
        if said.writer != self.due:
            raise MailError(f"letter {number} is expected from {self._expected()}, and this one is from another")
        if not self._signed(letter):
            raise MailError(
                f"this is no letter of this match from {self._expected()}: the signature is wrong. "
                "It was altered, or somebody else wrote it"
            )
        if number and said.following != self.letters[-1].digest:
            raise MailError(
                f"letter {number} does not follow on letter {number - 1} as it was read here: its writer has "
                "another one, or it is of another match"
            )
        self._check_share(said)

    def _expected(self) -> str:
        due = self.due
        return "nobody, for the match is over" if due is None else self.name(due)

    def _signed(self, letter: SignedLetter) -> bool:
        said = letter.letter
        known = self.letters[said.writer].letter.key if said.writer < len(self.letters) else said.key
        return signed_by(known, letter.signature, letter.content)

    def _check_share(self, said: Letter) -> None:
        first = said.number < len(self.terms.people)
        if first != bool(said.name and said.key) or (first and (said.orders or said.sealed or said.resigns)):
            raise MailError("a person's first letter gives a name and a key and no orders, and no other one does")
        promised = self.promise(said.writer)
        if promised if first else not promised or promise_of(said.share) != promised:
            raise MailError(
                f"letter {said.number} does not show the share of dice that its writer promised before. "
                "Such a letter counts for nothing"
            )
        if said.sealed and said.orders:
            raise MailError(f"letter {said.number} gives orders both openly and under seal")

    def _open(self, said: Letter) -> None:
        """Break the seals that a letter gives the orders to."""
        for one in said.opened:
            sealed = self.letters[one.number].letter if one.number < said.number else None
            if sealed is None or sealed.writer != said.writer or not sealed.sealed or one.number in self.opened:
                raise MailError(f"letter {said.number} opens a letter that is not under its writer's seal")
            if seal_of(one.nonce, one.orders) != sealed.sealed:
                raise MailError(
                    f"the orders that letter {said.number} shows are not those that letter {one.number} put under seal"
                )
            self.mine[one.number] = one.orders
            self.opened.add(one.number)

    def orders_of(self, number: int) -> tuple[str, ...] | None:
        """The orders of a letter; None where they are under seal."""
        letter = self.letters[number].letter
        return self.mine.get(number) if letter.sealed else letter.orders

    def _go_on(self) -> None:
        """Carry out what can be carried out now."""
        known = len(self.letters)
        for number in range(self.truth.letters, len(self.letters)):
            if self.orders_of(number) is None:
                known = number
                break
        board = self.truth.board.copy() if known > self.truth.letters else self.truth.board
        self.truth = self._carried_out(Progress(board, self.truth.letters, self.truth.waiting), known)
        if known == len(self.letters):
            self.table = self.truth
            return
        board = self.truth.board.copy()
        board.veiled = True
        self.table = self._carried_out(Progress(board, known, self.truth.waiting), len(self.letters))

    def _carried_out(self, reached: Progress, until: int) -> Progress:
        board, number, waiting = reached
        for number in range(reached.letters, until):
            self._roll(board, number, waiting)
            if number:
                self._check_face(board, number - 1)
            waiting = self._carry_out(board, number)
        return Progress(board, until, waiting)

    def _roll(self, board: Board, number: int, waiting: list[str]) -> None:
        """Roll the dice that the letter before a number waits for."""
        if not waiting:
            return
        before, share = self.letters[number - 1], self.letters[number].letter.share
        seats = self.terms.people[before.letter.writer]
        if self.terms.trusting or board.roll(waiting, seats, dice_key(before.digest, share)):
            raise MailError(f"letter {number} keeps orders under seal that have to be shown now")

    def own_key(self, share: str, number: int) -> int:
        """The seed of the dice of a letter of a trusting match, of whose writer it is the share."""
        return dice_key(self.letters[number - 1].digest, share)

    def _carry_out(self, board: Board, number: int) -> list[str]:
        """Carry out the orders of a letter; what waits."""
        said, orders = self.letters[number].letter, self.orders_of(number)
        now = self.game.secret_round(board.state)
        if orders is None:
            if said.face is not None:
                board.veil(said.face)
            return []
        if said.sealed:
            if now is None or now.last or board.sides[self.terms.people[said.writer][0]] != now.side:
                raise MailError(f"letter {number} puts orders under seal that are to be given openly")
            self.rounds[number] = now.id
        seats = self.terms.people[said.writer]
        if self.terms.trusting and orders:
            left = board.with_dice(orders, seats, self.own_key(said.share, number))
        else:
            left = board.until_a_die(orders, seats)
        if said.after and not board.veiled and said.after != board.after:
            raise MailError(
                f"letter {number} leads to another position here than it did for its writer: one of the programs was "
                "changed, or they are of different versions"
            )
        return left

    def _check_face(self, board: Board, number: int) -> None:
        """Whether what a letter showed of its sealed orders was true."""
        said = self.letters[number].letter
        if not said.face or self.orders_of(number) is None or board.veiled:
            return
        side = board.sides[self.terms.people[said.writer][0]]
        if self.game.face(board.state, side) != said.face:
            raise MailError(f"letter {number} showed something else than its orders under seal lead to")

    def unopened(self, person: int) -> list[int]:
        """Somebody's letters that are still under seal."""
        return [
            number
            for number, one in enumerate(self.letters)
            if one.letter.writer == person and one.letter.sealed and number not in self.opened
        ]


def header_of(terms: Terms) -> Header:
    """The beginning of the record of a match."""
    return Header(
        game=terms.game, scenario=terms.scenario, options=dict(terms.options), rules_version=terms.rules_version,
        title=terms.title, data=terms.data,
    )  # fmt: skip


def _game_of(terms: Terms) -> Game[Any]:
    try:
        game = game_for(header_of(terms))
        seats = [seat.id for seat in game.seats(terms.options)]
    except RasputitsaError as problem:
        raise MailError(f"this match cannot be played here: {problem}") from problem
    if sorted(seat for person in terms.people for seat in person) != sorted(seats):
        raise MailError(f"the seats of this match are {', '.join(seats)}, each for one person")
    sides = {seat.id: seat.side for seat in game.seats(terms.options)}
    if any(len({sides[seat] for seat in person}) > 1 for person in terms.people):
        raise MailError("nobody can have seats of both sides")
    if terms.trusting and len(terms.people) > 2:
        raise MailError("a trusting match is for two people")
    return game


def _start(game: Game[Any], terms: Terms) -> Any:
    try:
        return game.setup(terms.scenario, terms.options)
    except RasputitsaError as problem:
        raise MailError(f"this match cannot be played here: {problem}") from problem
