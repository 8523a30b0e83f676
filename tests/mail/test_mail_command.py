"""``rasputitsa mail``: whole turns by files, and what is left when something goes wrong on the way."""

from __future__ import annotations

import errno
import json
import os
import random
from contextlib import closing
from pathlib import Path

import pytest

from examples import check_dice
from rasputitsa.core import files
from rasputitsa.core.record.seeds import Audit
from rasputitsa.core.record.session import Session
from rasputitsa.mail.book import Book, opened
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from tests.mail.pair import choose, play, seated, standing
from tests.unit.cli.command import Command

ENTRIES = 9
"""The place of the entries in all that a letter can change."""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def begun(command: Command, tmp_path: Path) -> Path:
    """A folder with a match that Anna has begun and Boris has joined."""
    anna, boris = tmp_path / "anna.mail", tmp_path / "boris.mail"
    assert command("mail", "new", anna, "--name", "Anna", "--scenario", "june22", "--to", tmp_path / "0").code == 0
    assert command("mail", "join", boris, tmp_path / "0", "--name", "Boris", "--to", tmp_path / "1").code == 0
    result = command("mail", "open", anna, tmp_path / "1")
    assert "Letter 1 from Boris was read." in result.out and "You decide:" in result.out
    return tmp_path


def orders(correspondent: Correspondent, chooser: random.Random) -> list[str]:
    """What to order, at random, up to the point where nothing can be ordered."""
    given = []
    game = correspondent.match.game
    while not correspondent.reached().waiting and correspondent.reached().board.mover in correspondent.seats:
        decision = game.decision(correspondent.reached().board.state)
        assert decision is not None
        line = game.format(
            correspondent.reached().board.state, choose(chooser, list(decision.options), game.early_ends)
        )
        correspondent.order(line)
        given.append(line)
    return given


def test_two_play_by_files(command: Command, begun: Path) -> None:
    chooser, paths = random.Random(5), {0: begun / "anna.mail", 1: begun / "boris.mail"}
    answered = 0
    for number in range(2, 16):
        due = Book.read(paths[0]).correspondent.match.due
        assert due is not None
        path, other, letter = paths[due], paths[1 - due], begun / str(number)
        correspondent = Book.read(path).correspondent
        if len(correspondent.match.letters) > number:  # answered by itself
            answered += 1
            continue
        given = orders(correspondent, chooser)
        if given:
            assert command("mail", "order", path, *given).code == 0
        assert command("mail", "write", path, "--to", letter).code == 0
        answer = command("mail", "open", other, letter)
        assert answer.code == 0 and f"Letter {number} from" in answer.out
        if "[rasputitsa-letter" in answer.out:
            (begun / "answer").write_text(answer.out)
            assert command("mail", "open", path, begun / "answer").code == 0
    assert (
        Book.read(paths[0]).correspondent.match.truth.board.after
        == Book.read(paths[1]).correspondent.match.truth.board.after
    )
    assert len(Book.read(paths[0]).correspondent.match.letters) >= 14
    result = command("mail", "status", paths[0])
    assert "each signed and in order" in result.out and "axis: Anna (you)" in result.out
    assert command("mail", "show", paths[0]).code == command("mail", "show", paths[0], "--list").code == 0
    saved = begun / "game.notation"
    assert command("mail", "export", paths[1], "--to", saved).code == 0
    assert "replayed without a fault" in command("replay", "--quiet", saved).out
    assert command("check-dice", saved).code == 0
    assert check_dice.main(saved.read_text()) == 0


def test_a_match_by_letters_is_taken_into_the_browsers_list(command: Command, tmp_path: Path) -> None:
    """Its dice are checked there as well, also where the check is broken off and goes on after every entry."""
    correspondents = seated("portfolio", "june22")
    play(correspondents, random.Random(3), 5000, ahead=0.2)
    saved, again = tmp_path / "saved", tmp_path / "again"
    saved.write_text(correspondents[0].session().save())
    assert command("import", saved, "--data", tmp_path / "data").out.strip() == "match 1"
    assert command("export", "1", "--to", again, "--data", tmp_path / "data").code == 0
    assert command("check-dice", again).code == 0
    session = Session.load(again.read_text())
    audit = Audit(session.header.sources)
    for entry in session.entries:
        audit.add(entry.dice)
        audit = Audit.resumed(session.header.sources, audit.to_json())
    assert audit.sound and audit.confirmed == session.audit().confirmed and sum(audit.confirmed.values()) > 5


def test_orders_are_given_on_a_table_in_the_browser(command: Command, begun: Path) -> None:
    """Up to the first that casts a die there; what came of it on that table is nowhere in the letter."""
    path, data = begun / "anna.mail", ("--data", begun / "data")
    assert command("mail", "table", path, *data).out.startswith("match 1\n")
    with closing(Store(begun / "data" / "matches.db")) as store:
        match = Match(store, 1)
        chooser, given = random.Random(2), 0
        while not any(entry.dice for entry in match.session.entries):
            decision = match.session.decision()
            assert decision is not None
            if decision.seat != "axis":
                break
            action = choose(chooser, list(decision.options), match.session.game.early_ends)
            match.act("axis", match.version("axis"), match.session.game.format(match.session.state, action))
            given += 1
        while given < 200 and (decision := match.session.decision()):
            action = choose(chooser, list(decision.options), match.session.game.early_ends)
            match.act(
                decision.seat, match.version(decision.seat), match.session.game.format(match.session.state, action)
            )
            given += 1
        on_table = [entry for entry in match.session.entries if not entry.action.startswith("@")]
    command.fails("mail", "take", begun / "boris.mail", 1, *data, says="the next letter is Anna's")
    command.fails("mail", "take", path, 9, *data, says="9")
    assert "orders taken over" in command("mail", "take", path, 1, *data).out
    correspondent = Book.read(path).correspondent
    own = [entry for entry in on_table if entry.seat == "axis"]
    assert correspondent.draft == [entry.action for entry in own[: len(correspondent.draft)]] and correspondent.draft
    assert correspondent.reached().waiting or correspondent.reached().board.mover == "soviet"
    assert not any(entry.dice for entry in correspondent.reached().board.entries)
    command.fails("mail", "table", path, *data, says="nothing to decide; write the letter")
    assert command("mail", "write", path, "--to", begun / "2").code == 0
    assert command("mail", "open", begun / "boris.mail", begun / "2").code == 0
    command.fails("mail", "take", path, 1, *data, says="the next letter is Boris's")


def test_only_a_table_of_this_match_is_taken_over(command: Command, begun: Path) -> None:
    path, data = begun / "anna.mail", ("--data", begun / "data")
    assert command("mail", "order", path, "rail 3Pz").code == 0
    assert command("mail", "table", path, *data).code == 0
    assert command("mail", "undo", path).code == 0
    assert command("mail", "order", path, "rail 24Pz").code == 0
    before = path.read_bytes()
    command.fails("mail", "take", path, 1, *data, says="is not this match, or does not stand where")
    assert path.read_bytes() == before


def test_there_is_no_table_that_shows_secrets(command: Command, tmp_path: Path) -> None:
    anna, boris, letter = tmp_path / "a", tmp_path / "b", tmp_path / "0"
    command("mail", "new", anna, "--name", "Anna", "--game", "wir", "--to", letter)
    command("mail", "join", boris, letter, "--name", "Boris", "--to", tmp_path / "1")
    command("mail", "open", anna, tmp_path / "1")
    command.fails("mail", "table", anna, "--data", tmp_path / "data", says="what the rules keep hidden")


def test_the_same_letter_is_printed_again_and_not_another_one(command: Command, begun: Path) -> None:
    path = begun / "anna.mail"
    command("mail", "order", path, *orders(Book.read(path).correspondent, random.Random(1)))
    first = command("mail", "write", path, "--note", "Good luck")
    assert command("mail", "write", path).out == first.out
    command.fails("mail", "write", path, "--note", "Other words", says="stays as it is")
    command.fails("mail", "order", path, "done", says="the next letter is Boris's: read it first")
    (begun / "2").write_text(first.out)
    assert "It says: Good luck" in command("mail", "open", begun / "boris.mail", begun / "2").out


def test_who_goes_back_to_a_backup_reads_the_later_letters_again(command: Command, begun: Path) -> None:
    anna, boris, backup = begun / "anna.mail", begun / "boris.mail", begun / "backup"
    backup.write_bytes(anna.read_bytes())
    command("mail", "order", anna, *orders(Book.read(anna).correspondent, random.Random(1)))
    command("mail", "write", anna, "--to", begun / "2")
    assert command("mail", "open", boris, begun / "2").code == 0
    for number in range(2, len(Book.read(boris).correspondent.match.letters)):
        letter = command("mail", "letter", boris, number)
        assert letter.code == 0
        (begun / "again").write_text(letter.out)
        assert command("mail", "open", backup, begun / "again").code == 0
    assert standing(Book.read(backup).correspondent) == standing(Book.read(boris).correspondent)
    command.fails("mail", "letter", boris, 99, says="the last letter that was read here is number")


def test_four_people_play_by_files(command: Command, tmp_path: Path) -> None:
    names = ("Anna", "Boris", "Clara", "David")
    paths = [tmp_path / name for name in names]
    four = ("--option", "players=4", "--each-seat", "--to", tmp_path / "0")
    assert command("mail", "new", paths[0], "--name", "Anna", *four).code == 0
    for number, name in enumerate(names[1:], start=1):
        letters = [tmp_path / str(before) for before in range(number)]
        arguments = ("--name", name, "--to", tmp_path / str(number))
        assert command("mail", "join", paths[number], *letters, *arguments).code == 0
    for number, path in enumerate(paths):
        for later in range(number + 1, len(names)):
            assert command("mail", "open", path, tmp_path / str(later)).code == 0
    assert len({Book.read(path).correspondent.match.check for path in paths}) == 1
    assert "David" in command("mail", "status", paths[0]).out
    command.fails("mail", "join", tmp_path / "x", *map(tmp_path.joinpath, "0123"), "--name", "E", says="place is taken")


def test_mistakes_are_reported_in_a_line(command: Command, begun: Path) -> None:
    anna = begun / "anna.mail"
    command.fails("mail", "new", anna, "--name", "Anna", says="is there already")
    broken_off = begun / "broken-off.mail"
    broken_off.touch(mode=0o644)
    assert command("mail", "new", broken_off, "--name", "Anna").code == 0
    assert Book.read(broken_off).correspondent.me == 0 and broken_off.stat().st_mode & 0o777 == 0o600
    command.fails("mail", "new", begun / "x", "--name", "A\x1b", says="name is a text")
    command.fails("mail", "new", begun / "x", "--name", " ", says="by which name")
    command.fails("mail", "new", begun / "x", "--name", "A", "--seat", "north", says="there is no seat 'north'")
    command.fails("mail", "new", begun / "x", "--name", "A", "--scenario", "moon", says="moon")
    command.fails("mail", "new", begun / "no" / "x", "--name", "A", says="No such file")
    command.fails("mail", "status", begun / "nothing", says="No such file")
    command.fails("mail", "status", begun / "0", says="holds no match by letters")
    command.fails("mail", "open", anna, begun / "nothing", says="No such file")
    command.fails("mail", "open", anna, anna, says="there is no letter in this text")
    command.fails("mail", "join", begun / "x", begun / "1", "--name", "C", says="give the invitation first")
    command.fails("mail", "write", anna, says="there is still something to decide")
    command.fails("mail", "undo", anna, says="there is no order to take back")
    command.fails("mail", "order", anna, "fly away", says="no order")
    assert "has been read already: nothing has changed" in command("mail", "open", anna, begun / "1").out
    assert not (begun / "x").exists()


def test_a_trusting_match_is_joined_by_whoever_says_so(command: Command, tmp_path: Path) -> None:
    invitation = tmp_path / "0"
    command("mail", "new", tmp_path / "a", "--name", "Anna", "--trusting", "--to", invitation)
    command.fails("mail", "join", tmp_path / "b", invitation, "--name", "Boris", says="join it with --trusting")
    assert not (tmp_path / "b").exists()
    assert "Trusting" in command("mail", "join", tmp_path / "b", invitation, "--name", "Boris", "--trusting").out


def test_a_match_is_read_by_its_owner_alone(begun: Path) -> None:
    assert (begun / "anna.mail").stat().st_mode & 0o777 == 0o600


def test_damaged_files_are_reported_as_such(command: Command, begun: Path) -> None:
    path = begun / "anna.mail"
    good = path.read_text()
    chooser = random.Random(1)
    for bad in ("", "{}", "[]", "[" * 100000, good[:100], good.replace('"me": 0', '"me": 1'), good.replace("0", "1")):
        path.write_text(bad)
        command.fails("mail", "status", path, says="holds no match by letters, or is damaged")
    for _ in range(40):
        place = chooser.randrange(len(good))
        path.write_text(good[:place] + chooser.choice('aZ09"{}[],') + good[place + 1 :])
        result = command("mail", "status", path)
        assert result.code in (0, 1) and "Traceback" not in result.err


class Killed(BaseException):
    """The end of the process, at that very place."""


@pytest.mark.parametrize("step", ["write", "flush", "replace", "after"])
@pytest.mark.parametrize("what", ["order", "write", "open"])
def test_killed_at_any_step_the_match_is_as_before_or_as_after(
    command: Command, begun: Path, monkeypatch: pytest.MonkeyPatch, step: str, what: str
) -> None:
    """Nothing is printed or sent that is not in the file, and the same command goes on from there."""
    path, given = begun / "anna.mail", orders(Book.read(begun / "anna.mail").correspondent, random.Random(1))
    arguments: list[object] = ["mail", what, path]
    if what == "order":
        arguments += given
    elif what == "write":
        assert command("mail", "order", path, *given).code == 0
    else:
        assert command("mail", "order", path, *given).code == 0
        assert command("mail", "write", path, "--to", begun / "2").code == 0
        path = begun / "boris.mail"
        arguments = ["mail", "open", path, begun / "2"]
    before = path.read_bytes()
    real_write, real_replace = files._write, Path.replace

    def write(new: Path, content: bytes, mode: int) -> None:
        if step == "write":
            new.write_bytes(content[: len(content) // 2])
        if step == "flush":
            real_write(new, content, mode)
        if step in ("write", "flush"):
            raise Killed
        real_write(new, content, mode)

    def replace(self: Path, target: Path) -> Path:
        if step == "after":
            real_replace(self, target)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(files, "_write", write)
        patched.setattr(Path, "replace", replace)
        with pytest.raises(Killed):
            command(*arguments)
    assert (path.read_bytes() == before) == (step != "after")
    Book.read(path)
    again = command(*(arguments if what != "order" else ["mail", "status", path]))
    assert again.code == 0


def test_on_a_full_disk_nothing_changes_and_nothing_is_sent(
    command: Command, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun / "anna.mail"
    command("mail", "order", path, *orders(Book.read(path).correspondent, random.Random(1)))
    before = path.read_bytes()

    def full(new: Path, content: bytes, mode: int) -> None:
        new.write_bytes(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(new))

    with monkeypatch.context() as patched:
        patched.setattr(files, "_write", full)
        result = command("mail", "write", path)
        assert result.code == 1 and "No space left" in result.err and "[rasputitsa-letter" not in result.out
        command.fails("mail", "new", begun / "x", "--name", "A", says="No space left")
    assert path.read_bytes() == before and not (begun / "x").exists()
    assert sorted(file.name for file in begun.iterdir()) == ["0", "1", "anna.mail", "boris.mail"]
    assert command("mail", "write", path).code == 0


@pytest.mark.parametrize(
    ("game", "scenario", "trusting"),
    [("portfolio", "june22", False), ("wir", "kursk_south", False), ("wir", "kursk_south", True)],
)
def test_a_match_goes_on_from_the_position_that_was_kept(
    tmp_path: Path, game: str, scenario: str, trusting: bool
) -> None:
    """It is the same as when all letters are carried out again, after every letter, and play goes on from it."""
    correspondents = seated(game, scenario, trusting=trusting)
    paths = [tmp_path / "anna", tmp_path / "boris"]
    for path, correspondent in zip(paths, correspondents, strict=True):
        Book.begin(path, correspondent)
    chooser = random.Random(4)
    for _ in range(9):
        books = [Book.read(path) for path in paths]
        for path, book in zip(paths, books, strict=True):
            whole = standing(Book.read(path, whole=True).correspondent)
            kept = standing(book.correspondent)
            assert [part for n, part in enumerate(kept) if n != ENTRIES] == [
                part for n, part in enumerate(whole) if n != ENTRIES
            ]
            assert book.correspondent.match.truth.board.entries == []
            assert book.correspondent.match.rounds.items() >= {
                (n, book.correspondent.match.rounds[n])
                for n in book.correspondent.match.unopened(book.correspondent.me)
            }
        if not play([book.correspondent for book in books], chooser, 1):
            break
        for book in books:
            book.save()
    assert len(Book.read(paths[0]).correspondent.match.letters) > 9


@pytest.mark.parametrize(
    "kept",
    [
        None, {}, [], 5, {"letters": 99}, {"letters": 2, "state": {}, "after": "", "waiting": [], "rounds": {}},
        {"letters": 2, "state": None, "after": "0", "waiting": 5, "rounds": []}, {"letters": -1, "rounds": {"x": 1}},
    ],
)  # fmt: skip
def test_a_position_that_makes_no_sense_is_passed_over(begun: Path, kept: object) -> None:
    path = begun / "anna.mail"
    good = json.loads(path.read_text())
    path.write_text(json.dumps({**good, "kept": kept}))
    assert standing(Book.read(path).correspondent) == standing(Book.read(path, whole=True).correspondent)


def test_two_programs_at_once_lose_nothing(begun: Path) -> None:
    path = begun / "anna.mail"
    late = Book.read(path)
    line = orders(Book.read(path).correspondent, random.Random(1))[0]
    with opened(path) as book:
        book.correspondent.order(line)
        book.save()
    late.correspondent.order(line)
    with pytest.raises(Exception, match="changed meanwhile by another program"):
        late.save()
    assert Book.read(path).correspondent.draft == [line]


def test_no_text_of_a_letter_steers_the_terminal(command: Command, begun: Path) -> None:
    """Control signs are refused in letters; what is printed is printable all the same."""
    for file in ("anna.mail", "boris.mail"):
        result = command("mail", "status", begun / file)
        assert all(sign.isprintable() or sign == "\n" for sign in result.out)
