"""``backup``, ``restore``, ``matches`` and ``accounts``: looking after what a server keeps."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rasputitsa.cli.console import CommandError, DataOption, cell, err, out, shown
from rasputitsa.cli.play import data_file

if TYPE_CHECKING:
    from rasputitsa.server.store import AccountUse, MatchRow, Store
    from rasputitsa.server.store.backup import Contents
    from rasputitsa.server.store.restoring import Restored

KEEP = 10

matches = typer.Typer(no_args_is_help=True, help="List matches, delete them, or give their seats new keys.")
accounts = typer.Typer(no_args_is_help=True, help="List accounts, delete them, or give a person a new password.")

DAY_MS = 24 * 3600 * 1000

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
MatchArgument = Annotated[int, typer.Argument(min=1, help="Number of the match.")]
NameArgument = Annotated[str, typer.Argument(help="Name of the account, in any case.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON array instead of a table.")]


def backup(
    to: Annotated[
        Path | None, typer.Option("--to", help="File to write, or a folder; by default `backups` in the data folder.")
    ] = None,
    keep: Annotated[
        int, typer.Option("--keep", min=1, help="In a folder: how many backups to keep; the oldest are deleted.")
    ] = KEEP,
    data: DataOption = None,
) -> None:
    """Write a checked copy of all matches, also those by letters, even while a server runs. Never overwrites a file."""
    from rasputitsa.server.store.backup import back_up, new_name, prune

    path = data_file(data)
    folder = path.parent / "backups" if to is None else to
    single = to is not None and not to.is_dir() and to.suffix != ""
    with _storing("Writing and checking the backup"):
        if not single:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        target = folder if single else new_name(folder)
        contents = back_up(path, target)
        gone = [] if single else prune(folder, keep, target)
    out.print(f"{target}: {_contents_text(contents)}", soft_wrap=True)
    if gone:
        out.print(f"removed {len(gone)} older, {keep} stay")
    _warn(contents)


def restore(
    file: Annotated[Path | None, typer.Argument(help="A backup, or the database of another data folder.")] = None,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept", help="Without a file: continue with the database as it is, although changes are missing."
        ),
    ] = False,
    data: DataOption = None,
    yes: YesOption = False,
) -> None:
    """Replace all matches with a backup. The replaced matches are kept aside in the data folder."""
    from rasputitsa.server.store import restoring

    if (file is None) != accept:
        raise CommandError("name a backup to restore, or --accept to continue with the database as it is")
    path = data_file(data)
    with _alone(path.parent):
        if file is None:
            _ask("Changes that were confirmed stay lost. Go on?", yes)
            with _storing("Checking the database"):
                contents = restoring.accept(path)
            out.print(f"going on with {_contents_text(contents)}", soft_wrap=True)
        else:
            if not file.is_file():
                raise CommandError(f"there is no backup {file}")
            _ask(f"Put {file} in the place of all matches in {path.parent}?", yes)
            with _storing("Checking and restoring the backup"):
                restored = restoring.restore(file, path)
            contents = restored.contents
            out.print(f"restored {_contents_text(contents)}", soft_wrap=True)
            _tell_letters(restored)
            if restored.aside is not None:
                out.print(f"what was there before is in {restored.aside}", soft_wrap=True)
    _warn(contents)


@matches.command("list")
def list_(
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """List the matches, the most recently played first."""
    with _store(data, alone=False) as store:
        rows = store.matches(limit=2**62)
        entries = [_entry(row, store) for row in rows]
    if as_json:
        typer.echo(json.dumps(entries, ensure_ascii=True, indent=1))
        return
    table = Table("match", "title", "turn", "to move", "entries", "last played", box=None)
    for each in entries:
        moving = "over" if each["over"] else str(each["to_move"] or "")
        table.add_row(
            str(each["match"]), cell(each["title"]), cell(each["turn"]), cell(moving), str(each["entries"]),
            each["last_played"][:16].replace("T", " "),
        )  # fmt: skip
    out.print(table)


@matches.command()
def delete(match: MatchArgument, data: DataOption = None, yes: YesOption = False) -> None:
    """Delete a match for good."""
    with _store(data) as store:
        row = store.match(match)
        _ask(f"Delete match {match} ({cell(row.title)}, {row.entries} entries) for good?", yes)
        store.delete(match)
    out.print(f"match {match} is deleted")


@matches.command()
def rekey(
    match: MatchArgument,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="Only this seat; may be repeated. By default all seats that people hold."),
    ] = None,
    data: DataOption = None,
    yes: YesOption = False,
) -> None:
    """Revoke the keys of the seats of a match, and print a new invitation to each."""
    from rasputitsa.server.matches.match_dice import draw_seed

    with _store(data) as store:
        players = store.match(match).summary["controllers"]
        bots = {name for name, player in players.items() if player["kind"] == "bot"}
        known = [name for name in store.seats(match) if name not in bots]
        for name in seat or ():
            if name not in known:
                raise CommandError(f"nobody plays the seat {name!r} of match {match}; played are {', '.join(known)}")
        chosen = list(dict.fromkeys(seat or known))
        if not chosen:
            raise CommandError(f"the computer plays all seats of match {match}")
        _ask(f"Make the keys of {', '.join(chosen)} in match {match} void?", yes)
        for name in chosen:
            out.print(f"{name}  #/invite/{store.reseat(match, name, draw_seed())}", soft_wrap=True)
    out.print("Put the address of the server before the #, and send each link to its player alone.")


@accounts.command("list")
def list_accounts(as_json: JsonOption = False, data: DataOption = None) -> None:
    """List the accounts, the oldest first. `last seen` counts the days that the server was up."""
    with _store(data, alone=False) as store:
        uses = store.account_uses()
    if as_json:
        typer.echo(json.dumps([_account_entry(use) for use in uses], ensure_ascii=True, indent=1))
        return
    table = Table("name", "created", "last seen", "signed in", "matches", box=None)
    for use in uses:
        table.add_row(
            cell(use.account.name), _moment(use.account.created_ms)[:10], _seen(use.quiet_ms), str(use.sessions),
            str(len(use.matches)),
        )  # fmt: skip
    out.print(table)


@accounts.command("delete")
def delete_account(name: NameArgument, data: DataOption = None, yes: YesOption = False) -> None:
    """Delete an account for good, and sign it out everywhere. The matches go on."""
    with _store(data) as store:
        use = _account_use(store, name)
        known = cell(use.account.name)
        _ask(f"Delete the account {known}, with which {_in_matches(use)}, for good?", yes)
        store.delete_account(use.account, None)
    out.print(f"the account {known} is deleted", soft_wrap=True)
    if use.matches:
        numbers = ", ".join(map(str, use.matches))
        out.print(
            f"its browsers have lost their seats; `rasputitsa matches rekey` gives new invitations to: {numbers}",
            soft_wrap=True,
        )


@accounts.command()
def reset(name: NameArgument, data: DataOption = None, yes: YesOption = False) -> None:
    """Give an account a password that is good once, for taking another one; sessions and passkeys of it end."""
    from rasputitsa.server.accounts.names import drawn_password
    from rasputitsa.server.accounts.passwords import once

    with _store(data) as store:
        use = _account_use(store, name)
        known, password = cell(use.account.name), drawn_password()
        _ask(f"Make the password and passkeys of {known} void, and sign it out everywhere?", yes)
        store.reset_account(use.account, once(password))
    out.print(f"{known}  {password}", soft_wrap=True)
    out.print("Give it to nobody but that person: it is shown only now, and good once, for taking another password.")


def _account_use(store: Store, name: str) -> AccountUse:
    from rasputitsa.server.naming import seen_as

    found = store.account_named(seen_as(name))
    for use in store.account_uses():
        if found is not None and use.account.id == found.id:
            return use
    raise CommandError(f"there is no account {cell(name)!r}")


def _account_entry(use: AccountUse) -> dict[str, Any]:
    return {
        "name": use.account.name,
        "created": _moment(use.account.created_ms),
        "days_unseen": None if use.quiet_ms is None else use.quiet_ms // DAY_MS,
        "signed_in": use.sessions,
        "matches": list(use.matches),
    }


def _seen(quiet_ms: int | None) -> str:
    days = -1 if quiet_ms is None else quiet_ms // DAY_MS
    return {-1: "", 0: "today", 1: "1 day ago"}.get(days, f"{days} days ago")


def _in_matches(use: AccountUse) -> str:
    count = len(use.matches)
    return f"seats in {count} {'match' if count == 1 else 'matches'} are kept" if count else "no seats are kept"


def _entry(row: MatchRow, store: Store) -> dict[str, Any]:
    return {
        "match": row.id,
        "title": row.title,
        "game": row.summary.get("game"),
        "scenario": row.summary.get("scenario"),
        "turn": str(row.summary.get("turn_label", "")),
        "to_move": row.summary.get("to_move"),
        "over": row.over,
        "entries": row.entries,
        "created": _moment(row.created_ms),
        "last_played": _moment(row.updated_ms),
    }


def _moment(moment_ms: int) -> str:
    try:
        return datetime.datetime.fromtimestamp(moment_ms / 1000, datetime.UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""  # no day of the calendar


def _contents_text(contents: Contents) -> str:
    last = f", last changed on {_moment(contents.changed_ms)[:16].replace('T', ' ')} UTC" if contents.changed_ms else ""
    matches = "1 match" if contents.matches == 1 else f"{contents.matches} matches"
    entries = "1 entry" if contents.entries == 1 else f"{contents.entries} entries"
    return f"{matches} with {entries}{last}{_by_letter(', and ', contents.letters)}; checked"


def _by_letter(before: str, number: int) -> str:
    return f"{before}{number} {'match' if number == 1 else 'matches'} by letters" if number else ""


def _tell_letters(restored: Restored) -> None:
    if restored.letters:
        out.print(f"restored{_by_letter(' ', restored.letters)}", soft_wrap=True)
    if restored.stayed:
        what = "stays as it is: it is" if restored.stayed == 1 else "stay as they are: they are"
        out.print(f"{_by_letter('', restored.stayed)} {what} as far as in the backup", soft_wrap=True)


def _warn(contents: Contents) -> None:
    if contents.incomplete:
        numbers = ", ".join(map(str, contents.incomplete[:10]))
        err.print(f"rasputitsa: entries are missing from the matches {numbers}", style="red", soft_wrap=True)


def _ask(question: str, yes: bool) -> None:
    if not yes and not typer.confirm(shown(question), err=True):
        raise CommandError("nothing was changed")


@contextmanager
def _storing(what: str) -> Iterator[None]:
    """Show that something goes on, and put errors of the store into a line."""
    from rasputitsa.server.store import StoreError

    with err.status(what):
        try:
            yield
        except StoreError as problem:
            raise CommandError(str(problem)) from problem


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no server works in the data folder, and none can start."""
    from rasputitsa.server.lock import DataLock, InUseError
    from rasputitsa.server.store import StoreError

    try:
        lock = DataLock(folder)
    except InUseError as problem:
        raise CommandError(f"{problem}; stop it first") from problem
    except StoreError as problem:
        raise CommandError(str(problem)) from problem
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _store(data: Path | None, *, alone: bool = True) -> Iterator[Store]:
    """The store of a data folder that has one."""
    from contextlib import closing, nullcontext

    from rasputitsa.server.store import Store, StoreError
    from rasputitsa.server.store.backup import readable, to_look_at

    path = data_file(data)
    try:
        with (
            _alone(path.parent) if alone and path.exists() else nullcontext(),
            (readable if alone else to_look_at)(path) as source,
            closing(Store(source)) as store,
        ):
            yield store
    except StoreError as problem:
        raise CommandError(str(problem)) from problem
