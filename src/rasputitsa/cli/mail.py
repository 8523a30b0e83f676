"""``mail``: play by letters, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rasputitsa.cli.console import (
    DEFAULT_GAME,
    CommandError,
    DataOption,
    GameOption,
    OptionsOption,
    err,
    known_game,
    out,
    read_bytes,
    read_options,
    shown,
    write_text,
)
from rasputitsa.core import files
from rasputitsa.core.marks import plain

if TYPE_CHECKING:
    from rasputitsa.mail.correspondent import Correspondent

MOST_FILE = 1_000_000
MOST_CHOICES = 40

mail = typer.Typer(no_args_is_help=True, help="Play by mail or messenger, without a server: a letter a turn.")

BookArgument = Annotated[Path, typer.Argument(metavar="MATCH", help="The file in which you keep the match.")]
LetterArgument = Annotated[
    Path, typer.Argument(metavar="LETTER", help="A letter, or any text with one in it; - for standard input.")
]
NameOption = Annotated[str, typer.Option("--name", help="What the others call you.")]
ToOption = Annotated[Path | None, typer.Option("--to", help="File to write the letter to; by default standard output.")]


@mail.command()
def new(
    match: BookArgument,
    name: NameOption,
    game: GameOption = DEFAULT_GAME,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Starting position; by default the first.")] = None,
    option: OptionsOption = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Your seat; by default the first.")] = None,
    each_seat: Annotated[
        bool, typer.Option("--each-seat", help="A person for each seat; by default one for each side.")
    ] = False,
    trusting: Annotated[
        bool,
        typer.Option(
            "--trusting",
            help="Fewer letters: a player who gives orders sees the dice at once. Nobody can choose them, but a "
            "changed program could foresee those of its own turn.",
        ),
    ] = False,
    title: Annotated[str, typer.Option("--title", help="What the match is called.")] = "",
    to: ToOption = None,
) -> None:
    """Begin a match, and write the letter that invites to it."""
    from rasputitsa.mail.book import Book
    from rasputitsa.mail.correspondent import Correspondent, people_of, terms_for

    rules = known_game(game)
    options = read_options(rules, option)
    people = people_of(rules, options, seat, each_seat=each_seat)
    chosen = scenario or rules.scenarios()[0].id
    terms = terms_for(game, chosen, options, people=people, title=title, trusting=trusting)
    book = Book.begin(match, Correspondent.inviting(terms, name))
    _send(book.correspondent, to)


@mail.command()
def join(
    match: BookArgument,
    letters: Annotated[
        list[Path],
        typer.Argument(metavar="LETTER...", help="The invitation, and the letters of those who have joined since."),
    ],
    name: NameOption,
    trusting: Annotated[bool, typer.Option("--trusting", help="Agree to a trusting match.")] = False,
    to: ToOption = None,
) -> None:
    """Take part in a match that somebody has invited you to, and write the letter that says so."""
    from rasputitsa.mail.book import Book
    from rasputitsa.mail.correspondent import Correspondent

    correspondent = Correspondent.joining([_text(letter) for letter in letters], name)
    if correspondent.match.terms.trusting and not trusting:
        raise CommandError(
            "this is a trusting match: a player who gives orders sees the dice at once, and a changed program could "
            "foresee them. If you agree to that, join it with --trusting"
        )
    book = Book.begin(match, correspondent)
    _tell_terms(correspondent)
    _send(book.correspondent, to)


@mail.command(name="open")
def open_(match: BookArgument, letter: LetterArgument, to: ToOption = None) -> None:
    """Read a letter and tell what came of it; where nothing is left for you to decide, write the answer."""
    from rasputitsa.mail.book import opened
    from rasputitsa.mail.errors import KnownLetterError
    from rasputitsa.mail.news import news_of

    text = _text(letter)
    with opened(match) as book:
        correspondent, before = book.correspondent, len(book.correspondent.match.truth.board.entries)
        try:
            correspondent.read(text)
        except KnownLetterError as known:
            out.print(f"{shown(known)}: nothing has changed.", soft_wrap=True)
            _tell_next(correspondent)
            return
        number = len(correspondent.match.letters) - 1
        answers = correspondent.nothing_to_decide
        news = news_of(correspondent, before)
        if answers:
            correspondent.write()
        book.save()
    said = correspondent.match.letters[number].letter
    out.print(f"Letter {number} from {shown(correspondent.match.name(said.writer))} was read.", soft_wrap=True)
    if said.note:
        out.print(f"It says: {shown(said.note)}", soft_wrap=True)
    for line in news:
        out.print(f"  {shown(line)}", soft_wrap=True)
    if answers:
        _send(correspondent, to)
    _tell_next(correspondent)


@mail.command()
def order(
    match: BookArgument,
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...", help="Orders, each in quotes: 'move 39Pz to N6'.")],
) -> None:
    """Give orders for your next letter. They are kept, and can be taken back until the letter is written."""
    from rasputitsa.mail.book import opened

    with opened(match) as book:
        correspondent = book.correspondent
        for line in orders:
            before = correspondent.reached().board
            correspondent.order(line)
            book.save()
            after = correspondent.reached().board
            for entry, events in zip(
                after.entries[len(before.entries) :], after.told[len(before.entries) :], strict=True
            ):
                dice = f"  [{', '.join(str(draw.value) for draw in entry.dice)}]" if entry.dice else ""
                out.print(f"  {shown(entry.action)}{dice}", soft_wrap=True)
                for event in events:
                    if after.game.is_visible(after.state, event, entry.seat):
                        out.print(f"    {shown(plain(after.game.describe(after.state, event)))}", soft_wrap=True)
    _tell_next(correspondent)


@mail.command()
def table(match: BookArgument, data: DataOption = None) -> None:
    """Put the match into the browser's list, to give the orders of your next letter on the map; then `take` them."""
    from rasputitsa.cli.files import added
    from rasputitsa.mail.book import Book

    number, _ = added(Book.read(match, whole=True).correspondent.trial().save().encode(), data)
    out.print(f"match {number}")
    out.print(
        f"Give your orders there, up to the first that casts a die, and then: rasputitsa mail take {match} {number}",
        soft_wrap=True,
    )


@mail.command()
def take(
    match: BookArgument,
    number: Annotated[int, typer.Argument(min=1, help="Number of the match in the browser.")],
    data: DataOption = None,
) -> None:
    """Take over the orders given on the map, up to the first that casts a die; how it fell there does not count."""
    from rasputitsa.cli.files import exported
    from rasputitsa.core.record.session import Session
    from rasputitsa.mail.book import opened

    played = Session.load(exported(data, number))
    with opened(match, whole=True) as book:
        count = book.correspondent.take(played)
        book.save()
    out.print(f"orders taken over: {count}")
    _tell_next(book.correspondent)


@mail.command()
def undo(match: BookArgument) -> None:
    """Take back the last order that no letter has told yet."""
    from rasputitsa.mail.book import opened

    with opened(match) as book:
        line = book.correspondent.undo()
        book.save()
    out.print(f"taken back: {shown(line)}", soft_wrap=True)


@mail.command()
def write(
    match: BookArgument,
    note: Annotated[str, typer.Option("--note", help="Words to the others, seen by all.")] = "",
    resign: Annotated[bool, typer.Option("--resign", help="Give the match up.")] = False,
    to: ToOption = None,
) -> None:
    """Write your next letter; if you have written it already, print it again."""
    from rasputitsa.mail.book import opened

    with opened(match) as book:
        correspondent = book.correspondent
        if correspondent.due or correspondent.match.letters[-1].letter.writer != correspondent.me:
            correspondent.write(note, resign=resign)
            book.save()
        elif note or resign:
            raise CommandError("your letter is written, and stays as it is; read the answer first")
    _send(correspondent, to)
    _tell_next(correspondent)


@mail.command()
def letter(
    match: BookArgument,
    number: Annotated[int, typer.Argument(min=0, help="Number of the letter; 0 is the invitation.")],
    to: ToOption = None,
) -> None:
    """Print any letter of the match again, no matter who wrote it: for somebody who has lost it."""
    from rasputitsa.mail.book import Book

    correspondent = Book.read(match).correspondent
    if number >= len(correspondent.match.letters):
        raise CommandError(f"the last letter that was read here is number {len(correspondent.match.letters) - 1}")
    write_text(to, correspondent.letter(number))


@mail.command()
def status(match: BookArgument) -> None:
    """Tell how the match stands: what is played, whether its dice are in order, who writes next, what you may order."""
    from rasputitsa.mail.book import Book

    correspondent = Book.read(match, whole=True).correspondent
    _tell_terms(correspondent)
    out.print(f"Letters read: {len(correspondent.match.letters)}, each signed and in order.", soft_wrap=True)
    out.print("Every die comes from a letter and a share that was promised before it.", soft_wrap=True)
    if correspondent.match.check:
        out.print(f"To know whose letters these are, compare by telephone: {correspondent.match.check}", soft_wrap=True)
    if correspondent.draft:
        out.print(f"Orders not sent yet: {'; '.join(map(shown, correspondent.draft))}", soft_wrap=True)
    _tell_next(correspondent, choices=True)


@mail.command()
def show(
    match: BookArgument,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the board as SVG.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write the board as PNG.")] = None,
    units: Annotated[bool, typer.Option("--list", help="List the units by hex instead of drawing a map.")] = False,
) -> None:
    """Show the position, as far as your seat may see it."""
    from rasputitsa.mail.book import Book
    from rasputitsa.render.board import Board as Picture
    from rasputitsa.render.png import png as to_png
    from rasputitsa.render.terminal import LEGEND, text_map, unit_list

    correspondent = Book.read(match).correspondent
    board = correspondent.reached().board
    static = board.game.static(correspondent.match.terms.scenario)
    view = board.game.observe(board.state, correspondent.seats[0])
    title = ", ".join(part for part in (board.game.title, *board.game.turn_and_phase(board.state)) if part)
    if svg or png:
        picture = Picture(static).svg(view, title)
        if svg:
            files.write_text(svg, picture)
        if png:
            files.write_bytes(png, to_png(picture, None))
        return
    out.print(title, style="bold")
    if units:
        for line in unit_list(static, view):
            out.print(line, soft_wrap=True)
        return
    out.print(text_map(static, view), soft_wrap=True, end="")
    out.print(LEGEND, style="dim", soft_wrap=True)


@mail.command()
def export(match: BookArgument, to: ToOption = None) -> None:
    """Write the match as a saved game; one with secret orders when it is over."""
    from rasputitsa.mail.book import Book

    write_text(to, Book.read(match, whole=True).correspondent.session().save())


def _text(path: Path) -> str:
    return files.as_text(read_bytes(path, MOST_FILE), "standard input" if str(path) == "-" else path)


def _send(correspondent: Correspondent, to: Path | None) -> None:
    """The last letter of one's own, to be sent to the others."""
    number = max(n for n, one in enumerate(correspondent.match.letters) if one.letter.writer == correspondent.me)
    write_text(to, correspondent.letter(number))
    match = correspondent.match
    others = [match.name(person) for person in range(len(match.terms.people)) if person != correspondent.me]
    where = "this letter" if to is None else str(to)
    err.print(f"Send {shown(where)} to {shown(' and '.join(others))}.", soft_wrap=True)


def _tell_terms(correspondent: Correspondent) -> None:
    terms, match = correspondent.match.terms, correspondent.match
    out.print(f"Match {match.code}{f': {shown(terms.title)}' if terms.title else ''}", style="bold", soft_wrap=True)
    out.print(f"{match.game.title}, {terms.scenario}", soft_wrap=True)
    for name, value in sorted(terms.options.items()):
        out.print(f"  {name}: {value}", soft_wrap=True)
    for person, seats in enumerate(terms.people):
        own = " (you)" if person == correspondent.me else ""
        out.print(f"  {', '.join(seats)}: {shown(match.name(person))}{own}", soft_wrap=True)
    if terms.trusting:
        out.print("Trusting: a player who gives orders sees the dice at once.", soft_wrap=True)


def _tell_next(correspondent: Correspondent, *, choices: bool = False) -> None:
    """Who writes the next letter, and what there is to decide."""
    from rasputitsa.mail.news import decides, next_words

    out.print(shown(next_words(correspondent)), soft_wrap=True)
    if choices and decides(correspondent):
        _tell_choices(correspondent)


def _tell_choices(correspondent: Correspondent) -> None:
    board = correspondent.reached().board
    decision = board.game.decision(board.state)
    options: Sequence[Any] = decision.options if decision else ()
    for action in options[:MOST_CHOICES]:
        name, label = board.game.format(board.state, action), board.game.label(board.state, action)
        out.print(f"  {name}: {plain(label)}", soft_wrap=True)
    if len(options) > MOST_CHOICES:
        out.print(f"  and {len(options) - MOST_CHOICES} more", soft_wrap=True)
